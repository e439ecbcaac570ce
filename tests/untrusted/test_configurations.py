"""A config.json of a stranger: read or refused, and the plugin file that is written from it holds data only."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.hostile import answered, anything, damaged, storable, tried, words
from tokensheet.cli.importing import as_data, report
from tokensheet.config_import import import_config, load
from tokensheet.config_import.errors import ConfigError
from tokensheet.config_import.writing import as_plugin

CONFIGS = sorted((Path(__file__).parents[1] / "config_import" / "configs").rglob("*.json"))
TEXTS = [path.read_text(encoding="utf-8") for path in CONFIGS if path.stat().st_size < 20_000]
MADE = {"Model", "NumberFormat", "hookimpl"}
"""What a plugin file may call besides parts of a model."""


def imported(config: dict[str, Any]) -> None:
    found = import_config(config, neighbours={})
    json.dumps(as_data(found))
    report(found).encode()
    holds_data_only(as_plugin(found))


def holds_data_only(text: str) -> None:
    """Fails when a plugin file does more than to import from here and make records of constants."""
    for node in ast.walk(ast.parse(text.encode())):
        if isinstance(node, ast.ImportFrom):
            assert node.module == "__future__" or str(node.module).startswith("tokensheet.")
        elif isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            assert node.func.id in MADE or node.func.id[0].isupper()
        else:
            assert not isinstance(
                node, ast.Import | ast.Attribute | ast.Lambda | ast.JoinedStr | ast.Subscript
            ) or (isinstance(node, ast.Subscript) and ast.unparse(node).startswith("list["))


@given(text=damaged(TEXTS))
@tried(30)
def test_damaged_files_are_read_or_refused(text: str) -> None:
    answered(lambda: imported(load.parse(storable(text), "config.json")))


@given(data=st.data())
@tried(30)
def test_values_of_any_kind_are_read_or_refused(data: st.DataObject) -> None:
    """Keys that are known, with texts that would end a string, and values of other kinds."""
    config = json.loads(data.draw(st.sampled_from(TEXTS)))
    for key in data.draw(st.lists(st.sampled_from(sorted(config)), min_size=1, max_size=3)):
        config[key] = data.draw(st.one_of(anything, words, st.just('"""\nimport os\nx = "\\')))
    answered(lambda: imported(config))


HOSTILE = {
    "lists without end": ('{"a": ' + "[" * 200_000, "nested deeper than 40 levels"),
    "deeper than the bound": ('{"a": ' + "[" * 60 + "]" * 60 + "}", "nested deeper than 40 levels"),
    "many keys of one name": ('{"a": 1, ' + ", ".join(f'"k{i}": 1' for i in range(200_000)) + ', "a": 2}', "stands twice"),
    "digits": ('{"a": ' + "9" * 5000 + "}", "it is not JSON"),
    "a large number": ('{"a": 1' + "0" * 400 + "}", "a whole number in it is above 1e300"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words_"), HOSTILE.values(), ids=HOSTILE)
def test_what_would_take_hours_is_refused(text: str, words_: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load.parse(text, "config.json")
    assert words_ in str(caught.value)
