"""The functions in Excel's cells, through the part of xlwings that needs no licence key."""
