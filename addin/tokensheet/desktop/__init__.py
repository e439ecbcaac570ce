"""The person's machine: where Excel and LibreOffice look, what is installed there, what stands in the way."""

FLEET_PLACE = r"C:\Program Files\Tokensheet"
"""Folder on each machine of a fleet, where no other is said."""
