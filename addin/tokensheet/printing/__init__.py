"""Expression trees as text: for cells and for people."""
