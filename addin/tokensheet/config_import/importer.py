"""From a configuration to a record: the parts are found, read, checked and put together here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tokensheet.config_import import language_part, load
from tokensheet.config_import.architectures import family_of
from tokensheet.config_import.declared_formats import with_formats
from tokensheet.config_import.errors import ConfigError
from tokensheet.config_import.keys import ALIASES, Fields
from tokensheet.config_import.result import ImportedModel
from tokensheet.schema.model import Model


def import_config(
    source: str | Path | Mapping[str, Any],
    neighbours: Mapping[str, Any] | None = None,
    id: str = "",
) -> ImportedModel:
    """The model that a Hugging Face config.json describes.

    Args:
        source: path of the file or of its folder, or its content
        neighbours: files beside it by name, as objects or JSON text; None: looked for in the same folder
        id: id of the record; without it the name of the repository or of the file

    Raises:
        ConfigError: keys are missing or impossible, or the architecture is not known; lists all of it.
    """
    config, origin = load.read(source)
    beside = load.neighbour(load.QUANTIZATION, neighbours, origin)
    inner, path, senses = language_part.find(config)
    architecture, family = family_of(config, inner, path)
    f = Fields(inner, path)
    f.not_modelled += senses
    fields = family.build(f)
    fields["tied_embeddings"] = f.flag("tied_embeddings", family.tied, "as this family has it")
    if f.whole("mtp_layers"):
        f.not_modelled.append("layers for multi-token prediction")
    if not f.has("max_context"):
        f.assume("the longest context is not given: none is checked")
    title = f"{origin or 'the configuration'}{f' ({path})' if path else ''}: {architecture}"
    _stop_if_needed(title, f)
    unread = f.unread()
    if unread:
        keys = ", ".join(key[:40] for key in unread[:12])
        f.incomplete.append(f"nothing here reads {keys}: check that the count holds without")
    model = _record(title, fields, f, _id(id, config, origin, architecture), _repository(config), origin)
    return with_formats(model, f, family, architecture, config, beside)


def _names(missing: tuple[str, ...] | list[str]) -> list[str]:
    return list(dict.fromkeys(ALIASES.get(name, (name,))[0] for name in missing))


def _stop_if_needed(title: str, f: Fields) -> None:
    missing = _names(f.missing)
    problems = list(f.problems)
    if missing:
        where = f" in {f.path}" if f.path else ""
        problems.insert(0, f"missing keys{where}: {', '.join(missing)}")
    if problems:
        raise ConfigError(title, problems, tuple(missing))


def _record(title: str, fields: dict[str, Any], f: Fields, id: str, repository: str, origin: str) -> Model:
    name = Path(origin).name if origin else "a configuration"
    fields = {
        "id": id,
        "hf_repo": repository,
        "source": f"{repository or 'imported'} {name}",
        "not_modelled": tuple(dict.fromkeys(f.not_modelled)),
        "notes": "imported; " + "; ".join(f.assumptions) if f.assumptions else "imported",
        **fields,
    }
    try:
        return Model.model_validate(fields)
    except ValidationError as error:
        problems: list[str] = []
        for found in error.errors(include_url=False, include_context=False, include_input=False):
            text = found["msg"].removeprefix("Value error, ").removeprefix(f"model {id}: ")
            place = ".".join(str(part) for part in found["loc"])
            problems += [f"{place}: {text}" if place else part for part in text.split("; ")]
        raise ConfigError(title, problems) from error


def _repository(config: Mapping[str, Any]) -> str:
    name = config.get("_name_or_path")
    return name if isinstance(name, str) and re.fullmatch(r"[\w.\-]{1,80}/[\w.\-]{1,120}", name) else ""


def _id(given: str, config: Mapping[str, Any], origin: str, architecture: str) -> str:
    """A plain id: as given, or from the repository, the folder, the file or the architecture."""
    path = Path(origin)
    names = [given, _repository(config).rpartition("/")[2]]
    if origin:
        names.append(path.resolve().parent.name if path.name == load.CONFIG else path.stem)
    names.append(f"imported-{architecture}")
    for name in names:
        plain = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")[:80]
        if plain:
            return plain
    return "imported-model"
