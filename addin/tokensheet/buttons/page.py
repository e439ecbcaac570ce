"""The reference as a page in the person's own folder, for a browser."""

from __future__ import annotations

from pathlib import Path

from tokensheet.errors import ExportError
from tokensheet.functions import Functions
from tokensheet.reference.html import page
from tokensheet.whole_files import replace_files

FILE = "reference.html"


def written(functions: Functions) -> Path:
    """Writes the page into the person's folder for things that can be made again.

    Raises:
        ExportError: the folder cannot be written.
    """
    from platformdirs import user_cache_path

    target = user_cache_path("tokensheet", appauthor=False) / FILE
    try:
        replace_files({target: page(functions).encode()})
    except OSError as error:
        told = f"{target}: {error.strerror or error}; run 'tokensheet reference --html FILE' instead"
        raise ExportError(told) from error
    return target
