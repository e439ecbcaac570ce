"""Exported workbooks: the same formulas as live cells, readable without Python."""
