"""The functions in Excel on a Mac and on the web, where Office asks a web server for each answer."""
