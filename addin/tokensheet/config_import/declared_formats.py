"""Adds to a record what the configuration says about number formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokensheet.config_import import formats, load, quantization, weight_groups
from tokensheet.config_import.families.common import Family
from tokensheet.config_import.formats import Format
from tokensheet.config_import.keys import Fields
from tokensheet.config_import.result import ImportedModel
from tokensheet.config_import.weight_groups import WeightGroup
from tokensheet.schema.model import Model


def with_formats(
    model: Model,
    f: Fields,
    family: Family,
    architecture: str,
    config: Mapping[str, Any],
    beside: Mapping[str, Any] | None,
) -> ImportedModel:
    """The record with its weight and cache formats, and which key decided each."""
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
    if found is None and not _about_weights(questions):
        f.assume(
            f"no quantisation block, and no {load.QUANTIZATION} beside the file: weights taken as {base.id}; "
            "a quantised checkpoint may say so only there"
        )
        weights, groups = base.id, weight_groups.groups(model, base, None, f.assumptions)
    elif found is not None:
        questions += found.questions
        decided += found.decided
        if not _about_weights(found.questions):
            groups = weight_groups.groups(model, base, found, f.assumptions)
            weights = _one_format(groups)
    cache = found.cache if found is not None else None
    if cache is None:
        wanted = any("`kv`" in text for text in questions)
        kv: str | None = None if wanted else base.id
        if not wanted:
            f.assume(f"the cache format is not declared: {base.id}, as the weights' own type")
    else:
        kv = cache.id
    if base.id == "fp32":
        questions.append(_fp32_or_16_bit(model, found is None))
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


def _about_weights(questions: list[str]) -> bool:
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
        questions.append(f"{f.key('dtype')} {word[:40]!r} is not known: choose `weights` and `kv`")
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


def _fp32_or_16_bit(model: Model, weights_too: bool) -> str:
    cache = (model.full_kv_elements, model.window_kv_elements, model.latent_kv_elements)
    elements = sum(count or 0 for count in cache)
    weights = "weights 4 or 2 bytes, " if weights_too else ""
    choice = "`weights` and `kv`" if weights_too else "`kv`"
    return (
        f"the file says 32-bit floats, which engines mostly serve in 16 bit: {weights}"
        f"cache {4 * elements:,} or {2 * elements:,} bytes a token; choose {choice}"
    )
