"""Writes a model record as the Python that a plugin's author would write."""

from __future__ import annotations

import json
from typing import Any

from tokensheet.schema.mixers import Part
from tokensheet.schema.model import FOLLOWS, Model


def as_python(model: Model) -> str:
    """A module with one function `models` that returns this record."""
    arguments = {name: getattr(model, name) for name in _needed(model)}
    parts = sorted(_parts(arguments.values()))
    lines = [
        f'"""{json.dumps(model.name or model.id, ensure_ascii=False)[1:-1]}, from its config.json."""',
        "",
    ]
    lines += ["from __future__ import annotations", ""]
    lines += [f"from tokensheet.schema.mixers import {', '.join(parts)}"] if parts else []
    lines += ["from tokensheet.schema.model import Model", "", ""]
    lines += [
        "def models() -> list[Model]:",
        '    """The imported model."""',
        "    return [",
        "        Model(",
    ]
    lines += [f"            {name}={_text(value)}," for name, value in arguments.items()]
    return "\n".join([*lines, "        ),", "    ]", ""])


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
