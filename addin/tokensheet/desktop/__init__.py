"""The person's machine: where Excel and LibreOffice look, what is installed there, what stands in the way."""
