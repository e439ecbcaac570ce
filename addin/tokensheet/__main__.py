"""`python -m tokensheet` is the command `tokensheet`."""

from tokensheet.cli import main

main()
