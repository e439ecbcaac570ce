"""The settings file of the add-in: `"KEY","value"` lines that VBA reads, the first of a key wins."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

INTERPRETER, LEGACY = "INTERPRETER_WIN", "INTERPRETER"
MODULES = "UDF MODULES"
ADD_WORKBOOK = "ADD_WORKBOOK_TO_PYTHONPATH"
CONDA_PATH, CONDA_ENV = "CONDA PATH", "CONDA ENV"
SHOW_CONSOLE, DEBUG, SERVER = "SHOW CONSOLE", "DEBUG UDFS", "USE UDF SERVER"

SWITCHES = (SHOW_CONSOLE, DEBUG, SERVER, ADD_WORKBOOK)
KEYS = (
    INTERPRETER,
    LEGACY,
    "PYTHONPATH",
    MODULES,
    CONDA_PATH,
    CONDA_ENV,
    *SWITCHES,
    "ONEDRIVE_CONSUMER_WIN",
    "ONEDRIVE_COMMERCIAL_WIN",
    "SHAREPOINT_WIN",
    "LICENSE_KEY",
    "TEMP DIR",
    "SHOW_ERROR_POPUPS",
    "INTERPRETER_MAC",
    "ONEDRIVE_CONSUMER_MAC",
    "ONEDRIVE_COMMERCIAL_MAC",
    "SHAREPOINT_MAC",
)
"""Keys that xlwings reads; some have spaces and some underscores, and the other spelling is not read."""


def parsed(text: str) -> dict[str, str]:
    """Values by key in capitals."""
    found: dict[str, str] = {}
    for row in csv.reader(io.StringIO(text), skipinitialspace=True):
        if len(row) >= 2:
            found.setdefault(row[0].strip().upper(), row[1])
    return found


def read(file: Path, code_page: str) -> dict[str, str]:
    """Values of a file by key; empty when it is not there."""
    return parsed(file.read_text(encoding=code_page, errors="replace")) if file.is_file() else {}


def written(values: Mapping[str, str]) -> str:
    """The text of a settings file."""
    return "".join(f'"{key}","{value}"\n' for key, value in values.items())
