"""A record is written as Python that gives the same record again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tokensheet.config_import import ConfigError, import_config
from tokensheet.config_import.result import ImportedModel
from tokensheet.config_import.writing import as_plugin
from tokensheet.schema.model import Model
from tokensheet_models import tokensheet_models

CONFIGS = sorted((Path(__file__).parent / "configs").glob("*.json"))


def _again(text: str) -> Model:
    space: dict[str, Any] = {}
    exec(compile(text, "record", "exec"), space)
    (model,) = space["tokensheet_models"]()
    assert isinstance(model, Model)
    return model


def _written(model: Model) -> str:
    """The plugin file of a record by itself, as if its checkpoint were in bf16."""
    return as_plugin(ImportedModel(model, "", "", "bf16", "bf16", (), (), (), (), (), False, ""))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_imported_records_are_written_as_python(path: Path) -> None:
    try:
        found = import_config(path)
    except ConfigError:
        return
    assert _again(as_plugin(found)) == found.model


def test_all_records_of_the_catalogue_are_written_as_python() -> None:
    for model in tokensheet_models():
        assert _again(_written(model)) == model


def test_a_plain_record_is_short() -> None:
    model = Model(
        id="small",
        source="test",
        layers=2,
        d_model=64,
        heads=4,
        kv_heads=2,
        mlp_width=128,
        notes='says "=1+1"',
    )
    assert _written(model).split("Model(\n")[1].split("        ),")[0] == (
        '            id="small",\n'
        '            source="test",\n'
        '            notes="says \\"=1+1\\"",\n'
        "            layers=2,\n"
        "            d_model=64,\n"
        "            heads=4,\n"
        "            kv_heads=2,\n"
        "            mlp_width=128,\n"
    )
