"""Writes what was imported as the plugin file that an author would write."""

from __future__ import annotations

import json
from typing import Any

from tokensheet.config_import import formats
from tokensheet.config_import.result import ImportedModel
from tokensheet.schema.base import Record
from tokensheet.schema.mixers import Part
from tokensheet.schema.model import FOLLOWS, Model
from tokensheet.schema.number_format import NumberFormat


def as_plugin(found: ImportedModel) -> str:
    """A plugin file with the record and, where the weights are quantised, their own number format.

    It works as it is: `tokensheet --plugin FILE eval '=KV_BYTES_PER_TOKEN("id")'`.
    """
    model, made = found.model, None if found.weights in formats.PLAIN else found.number_format()
    names = "Model, NumberFormat, hookimpl" if made else "Model, hookimpl"
    choose = f'weights="{made.id}"' if made else f'weights="{found.weights}"' if found.weights else ""
    kinds = [choose, f'kv="{found.kv}"' if found.kv else ""]
    lines = [f'"""{_quoted(model.name or model.id)}, from its config.json: a Tokensheet plugin.']
    if any(kinds):
        lines += ["", f"The checkpoint says {', '.join(kind for kind in kinds if kind)}."]
    lines += ['"""', "", "from __future__ import annotations", ""]
    lines += [f"from tokensheet.plugin import {names}", *_import_of_parts(model), ""]
    lines += ["", "@hookimpl", *_function("tokensheet_models", "The imported model.", model, _needed(model))]
    if made is not None:
        fields = [
            name
            for name, field in NumberFormat.model_fields.items()
            if field.is_required() or getattr(made, name) != field.default
        ]
        text = "The weights of its checkpoint."
        lines += ["", "", "@hookimpl", *_function("tokensheet_formats", text, made, fields)]
    return "\n".join([*lines, ""])


def _function(name: str, text: str, record: Record, fields: list[str]) -> list[str]:
    kind = type(record).__name__
    return [
        f"def {name}() -> list[{kind}]:",
        f'    """{text}"""',
        "    return [",
        f"        {kind}(",
        *(f"            {field}={_text(getattr(record, field))}," for field in fields),
        "        ),",
        "    ]",
    ]


def _import_of_parts(model: Model) -> list[str]:
    parts = sorted(_parts(getattr(model, name) for name in _needed(model)))
    return [f"from tokensheet.schema.mixers import {', '.join(parts)}"] if parts else []


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _needed(model: Model) -> list[str]:
    """The fields that the record would not have by itself."""
    stated = {
        name: getattr(model, name)
        for name, field in Model.model_fields.items()
        if field.is_required() or getattr(model, name) != field.default
    }
    for name in [n for n in stated if Model.model_fields[n].default is FOLLOWS and n != "kv_heads"]:
        shorter = {key: value for key, value in stated.items() if key != name}
        try:
            if Model.model_validate(shorter) == model:
                stated = shorter
        except ValueError:
            continue
    return list(stated)


def _parts(values: Any) -> set[str]:
    found: set[str] = set()
    for value in values:
        if isinstance(value, Part):
            found.add(type(value).__name__)
        elif isinstance(value, tuple):
            found |= _parts(value)
    return found


def _text(value: Any) -> str:
    if isinstance(value, Part):
        default = {name: field.default for name, field in type(value).model_fields.items()}
        inner = [f"{name}={_text(item)}" for name, item in value if item != default[name]]
        return f"{type(value).__name__}({', '.join(inner)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 100_000:
        return f"{value:_}"
    return repr(value)
