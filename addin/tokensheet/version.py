"""The version of the program, stated once."""

__version__ = "0.1.0"
