"""Turns a Hugging Face config.json into a model record, and says what it had to assume."""

from __future__ import annotations

from tokensheet.config_import.errors import ConfigError
from tokensheet.config_import.importer import import_config
from tokensheet.config_import.result import ImportedModel

__all__ = ["ConfigError", "ImportedModel", "import_config"]
