"""Files of the extension that run inside LibreOffice, in its own Python; nothing here may import this program."""
