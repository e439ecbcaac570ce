"""The functions in the cells of LibreOffice Calc: an extension that asks the person's own Python."""
