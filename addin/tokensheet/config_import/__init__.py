"""Turns a Hugging Face config.json into a model record, and says what it had to assume."""

from __future__ import annotations

from tokensheet.config_import.errors import ConfigError
from tokensheet.config_import.importer import ImportedModel, import_config

__all__ = ["ConfigError", "ImportedModel", "import_config"]
