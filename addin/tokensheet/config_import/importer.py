"""From a configuration to a record: the parts are found, read, checked and put together here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tokensheet.config_import import formats, language_part, load, quantization, weight_groups
from tokensheet.config_import.errors import ConfigError
from tokensheet.config_import.families import FAMILIES, REFUSED
from tokensheet.config_import.families.common import Family
from tokensheet.config_import.formats import Format
from tokensheet.config_import.keys import ALIASES, Fields
from tokensheet.config_import.weight_groups import WeightGroup
from tokensheet.errors import nearest
from tokensheet.schema.model import Model
from tokensheet.schema.number_format import NumberFormat

HEADS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ForSequenceClassification", "Model")
"""Endings of an architecture's name that do not name the family."""


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """A model record from a configuration file, and everything a person should know about it."""

    model: Model
    architecture: str
    path: str
    """Where in the file the language model stands; empty: at the top."""
    weights: str | None
    """Id of the weight format; `mixed` where groups differ; None: a person must choose."""
    kv: str | None
    """Id of the cache format; None: the file declares one that is not known."""
    weight_groups: tuple[WeightGroup, ...]
    """The weights by class and format, scales included; empty where the format is not known."""
    decided: tuple[str, ...]
    """Which field of the file decided which format."""
    assumptions: tuple[str, ...]
    questions: tuple[str, ...]
    """What only a person can answer."""
    not_modelled: tuple[str, ...]
    verified: bool
    """A catalogue model of the same kind agrees with its published count."""
    proof: str
    """That model's id; empty where there is none."""

    @property
    def weight_bytes(self) -> float | None:
        """Bytes of all weights, summed group by group."""
        return sum(group.size for group in self.weight_groups) if self.weight_groups else None

    def number_format(self) -> NumberFormat | None:
        """The weights as a format of their own, averaged by class; None where they are not known."""
        if not self.weight_groups:
            return None

        def average(*classes: str) -> float:
            found = [group for group in self.weight_groups if group.what in classes] or list(
                self.weight_groups
            )
            return sum(group.size for group in found) / sum(group.parameters for group in found)

        return NumberFormat(
            id=f"{self.model.id}-weights",
            bytes_per_element=average(*weight_groups.LINEAR),
            attention_bytes_per_element=average("attention"),
            mlp_bytes_per_element=average("mlp"),
            expert_bytes_per_element=average("expert", "shared_expert"),
            embedding_bytes_per_element=average("embedding"),
            head_bytes_per_element=average("head"),
            other_bytes_per_element=average("other"),
            source=f"{self.model.source}: {'; '.join(self.decided) or 'its dtype'}",
            states={"bytes_per_element": "derived"},
        )

    @property
    def kv_bytes_per_token(self) -> float | None:
        """Bytes a token adds to the cache while it is inside every window."""
        elements = (self.model.full_kv_elements, self.model.window_kv_elements, self.model.latent_kv_elements)
        kind = CACHE_BYTES.get(self.kv or "")
        if kind is None or any(count is None for count in elements):
            return None
        return kind * float(sum(elements))


CACHE_BYTES = {
    kind.id: kind.bytes_per_weight
    for kind in (*formats.PLAIN.values(), formats.FP8, formats.INT8, formats.NVFP4)
}


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
    architecture, family = _family(config, inner, path)
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
    return _with_formats(model, f, family, architecture, config, beside)


def _family(config: Mapping[str, Any], inner: Mapping[str, Any], path: str) -> tuple[str, Family]:
    """The name of the architecture and how it is read."""
    kind = inner.get("model_type")
    named = inner.get("architectures")
    first = named[0] if isinstance(named, list) and named and isinstance(named[0], str) else ""
    key = kind.lower() if isinstance(kind, str) else _kind_of(first)
    shown = (first or (kind if isinstance(kind, str) else "")).strip()[:80]
    where = f" in {path}" if path else ""
    if not key:
        block = config.get("quantization_config")
        problems = [f"model_type and architectures are missing{where}"]
        problems.append("missing keys: " + ", ".join(_names(("layers", "d_model", "heads", "vocabulary"))))
        if isinstance(block, Mapping):
            found = quantization.declared(block)
            problems += [
                f"it holds a quantisation block: {text}" for text in (found.decided if found else ())
            ]
        raise ConfigError("the configuration", problems, ("model_type",))
    if config.get("is_encoder_decoder") is True and key not in REFUSED:
        raise ConfigError(shown or key, [f"model_type {key!r} pairs an encoder with a decoder: not modelled"])
    if key not in FAMILIES and _kind_of(first) in REFUSED:
        key = _kind_of(first)
    if key in REFUSED:
        why = f"{shown or key} (model_type {key!r}) is not supported: {REFUSED[key]}"
        raise ConfigError(shown or key, [why, "a plugin can add a record for it, or use a measured value"])
    family = FAMILIES.get(key)
    if family is None:
        close = nearest(key, FAMILIES)
        near = f"; nearest are {', '.join(close)}" if close else ""
        why = f"architecture {shown or key} (model_type {key[:60]!r}) is not known{near}"
        raise ConfigError(shown or key[:60], [why, "a plugin can add a record for it; nothing was computed"])
    return shown or key, family


def _kind_of(architecture: str) -> str:
    """The `model_type` that an architecture's name stands for; empty where none is known."""
    for ending in HEADS:
        architecture = architecture.removesuffix(ending)
    plain = architecture.lower()
    return next((kind for kind in (*FAMILIES, *REFUSED) if re.sub(r"[_\-]", "", kind) == plain), plain)


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


def _with_formats(
    model: Model,
    f: Fields,
    family: Family,
    architecture: str,
    config: Mapping[str, Any],
    beside: Mapping[str, Any] | None,
) -> ImportedModel:
    questions: list[str] = list(f.incomplete)
    decided: list[str] = []
    base = _base(f, questions, decided)
    block = f.config.get("quantization_config", f.config.get("compression_config"))
    block = block if block is not None else config.get("quantization_config")
    found = quantization.declared(block if isinstance(block, Mapping) else None, beside)
    if block is not None and not isinstance(block, Mapping):
        questions.append("quantization_config is no object: choose `weights`")
    weights: str | None = None
    groups: list[WeightGroup] = []
    if found is None and not questions_about_weights(questions):
        f.assume(
            f"no quantisation block, and no {load.QUANTIZATION} beside the file: weights taken as {base.id}; "
            "a quantised checkpoint may say so only there"
        )
        weights, groups = base.id, weight_groups.groups(model, base, None, f.assumptions)
    elif found is not None:
        questions += found.questions
        decided += found.decided
        if not questions_about_weights(found.questions):
            groups = weight_groups.groups(model, base, found, f.assumptions)
            weights = _one_format(groups)
    cache = found.cache if found is not None else None
    if cache is None:
        wanted = any("choose `kv`" in text for text in questions)
        kv: str | None = None if wanted else base.id
        if not wanted:
            f.assume(f"the cache format is not declared: {base.id}, as the weights' own type")
    else:
        kv = cache.id
    _ask_about_fp32(model, base, questions)
    return ImportedModel(
        model=model,
        architecture=architecture,
        path=f.path,
        weights=weights,
        kv=kv,
        weight_groups=tuple(groups),
        decided=tuple(decided),
        assumptions=tuple(f.assumptions),
        questions=tuple(questions),
        not_modelled=model.not_modelled,
        verified=bool(family.proof) and not f.incomplete,
        proof=family.proof,
    )


def questions_about_weights(questions: list[str]) -> bool:
    """Whether a question asks for the weight format."""
    return any("choose `weights`" in text for text in questions)


def _base(f: Fields, questions: list[str], decided: list[str]) -> Format:
    """The type of what is not quantised."""
    word = f.raw("dtype")
    if isinstance(word, str) and word.lower() not in ("auto", ""):
        kind = formats.of_dtype(word)
        if kind is not None:
            decided.append(f"{kind.id}: {f.key('dtype')} {word}")
            return kind
        questions.append(f"{f.key('dtype')} {word[:40]!r} is not known: choose `weights`")
        return formats.BF16
    for flag, id in (("bf16", "bf16"), ("fp16", "fp16"), ("fp32", "fp32")):
        if f.config.get(flag) is True:
            decided.append(f"{id}: {flag} true")
            return formats.PLAIN[id]
    f.assume("dtype assumed bf16: the file does not say")
    return formats.BF16


def _one_format(groups: list[WeightGroup]) -> str:
    """The id of the format that all matrices have, or `mixed`; embedding, head and norms may be plain."""
    linear = {group.format for group in groups if group.what in weight_groups.LINEAR}
    rest = {group.format for group in groups if group.what not in weight_groups.LINEAR}
    expert = {group.format for group in groups if group.what == "expert"}
    plain = set(formats.PLAIN)
    if rest <= plain and expert == {formats.MXFP4.id} and linear - expert <= plain:
        return formats.MXFP4_EXPERTS
    if rest <= plain and len(linear) == 1 and (not linear <= plain or linear == rest):
        return linear.pop()
    return next(iter(linear | rest)) if len(linear | rest) == 1 else "mixed"


def _ask_about_fp32(model: Model, base: Format, questions: list[str]) -> None:
    if base.id != "fp32":
        return
    elements = sum(
        count or 0 for count in (model.full_kv_elements, model.window_kv_elements, model.latent_kv_elements)
    )
    questions.append(
        f"the file says 32-bit floats, which engines mostly serve in 16 bit: weights 4 or 2 bytes, "
        f"cache {4 * elements:,} or {2 * elements:,} bytes a token; choose `weights` and `kv`"
    )


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
