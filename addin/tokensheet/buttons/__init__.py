"""What the buttons in Excel and the menu in Calc do: export a sheet's plan, read the catalogue again, show the reference."""
