"""Reads how a checkpoint is quantised: which format, for which tensors, and what the cache is stored in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokensheet.config_import import formats
from tokensheet.config_import.formats import Format

LEFT_ALONE = (
    "modules_to_not_convert",
    "ignore",
    "ignored_layers",
    "exclude_modules",
    "llm_int8_skip_modules",
)
"""Keys that list the modules a quantiser leaves in 16 bit."""


@dataclass(slots=True)
class Quantization:
    """What a quantisation block declares."""

    default: Format | None = None
    """Format of the linear layers that no list names; None: they stay as they are."""
    named: list[tuple[str, Format]] = field(default_factory=list)
    """Modules with a format of their own, where the block names them one by one."""
    left: list[str] = field(default_factory=list)
    """Patterns of modules that stay as they are."""
    experts_only: bool = False
    head: bool = False
    """The output head is quantised with the rest."""
    cache: Format | None = None
    decided: list[str] = field(default_factory=list)
    """Which field decided what."""
    questions: list[str] = field(default_factory=list)
    """What only a person can answer."""


def declared(block: Mapping[str, Any] | None, beside: Mapping[str, Any] | None = None) -> Quantization | None:
    """What a `quantization_config` and the hf_quant_config.json beside it declare; None without both."""
    if block is None and beside is None:
        return None
    found = Quantization()
    if block is not None:
        _read_block(block, found)
    if beside is not None:
        inner = beside.get("quantization")
        inner = inner if isinstance(inner, Mapping) else beside
        if block is None or (found.default is None and not found.named):
            _read_algorithm(inner, found, "hf_quant_config.json")
            found.left += _patterns(inner)
        _read_cache(inner, found, "hf_quant_config.json")
    if found.default is None and not found.named and not found.questions:
        found.questions.append("the quantisation block names no format that is known: choose `weights`")
    return found


def _read_block(block: Mapping[str, Any], found: Quantization) -> None:
    found.left += _patterns(block)
    method = str(block.get("quant_method") or "").lower()
    reader = METHODS.get(method)
    if reader is not None:
        reader(block, found)
    elif block.get("config_groups") or block.get("quant_algo"):
        _modelopt(block, found)
    elif block.get("load_in_4bit") or block.get("load_in_8bit"):
        _bitsandbytes(block, found)
    else:
        word = f"quant_method {method[:40]!r}" if method else "a quantization_config without quant_method"
        found.questions.append(f"{word} is not known: choose `weights`, it is not 16 bit")
    _read_cache(block, found, "quantization_config")


def _patterns(block: Mapping[str, Any]) -> list[str]:
    for key in LEFT_ALONE:
        value = block.get(key)
        if isinstance(value, list):
            return [item for item in value if isinstance(item, str)]
    return []


def _fp8(block: Mapping[str, Any], found: Quantization) -> None:
    size = block.get("weight_block_size")
    if isinstance(size, list) and len(size) == 2 and all(isinstance(n, int) and n > 0 for n in size):
        found.default = formats.fp8_block(*size)
        found.decided.append(f"weights {found.default.id}: quant_method fp8 with weight_block_size {size}")
    else:
        found.default = formats.FP8
        found.decided.append("weights fp8: quant_method fp8, one scale a tensor or channel")


def _integers(method: str, block: Mapping[str, Any], found: Quantization, zero_points: bool) -> None:
    bits, group = block.get("bits", block.get("w_bit")), block.get("group_size", block.get("q_group_size"))
    if not isinstance(bits, int) or bits not in (2, 3, 4, 8):
        found.questions.append(f"quant_method {method} does not say its bits: choose `weights`")
        return
    size = group if isinstance(group, int) else 128
    if group is None:
        found.decided.append(f"group_size is not given: 128 as {method} takes it")
    found.default = formats.grouped(f"{method}-", bits, size, zero_points)
    found.head = block.get("lm_head") is True
    found.decided.append(f"weights {found.default.id}: quant_method {method}, bits {bits}, group_size {size}")


def _awq(block: Mapping[str, Any], found: Quantization) -> None:
    _integers("awq", block, found, zero_points=block.get("zero_point") is not False)


def _gptq(block: Mapping[str, Any], found: Quantization) -> None:
    _integers("gptq", block, found, zero_points=True)  # zero points are stored even where symmetric
    if block.get("dynamic"):
        found.questions.append("gptq `dynamic` gives modules bits of their own: choose `weights`")
        found.default = None


def _bitsandbytes(block: Mapping[str, Any], found: Quantization) -> None:
    if block.get("load_in_4bit") or block.get("_load_in_4bit"):
        double = block.get("bnb_4bit_use_double_quant") is True
        found.default = formats.BNB_NF4_DOUBLE if double else formats.BNB_NF4
        more = " with bnb_4bit_use_double_quant" if double else ""
        bits = 8 * found.default.bytes_per_weight
        found.decided.append(f"weights {found.default.id}: load_in_4bit{more}, {bits:.3f} bits a weight")
    elif block.get("load_in_8bit") or block.get("_load_in_8bit"):
        found.default = formats.INT8
        found.decided.append("weights int8: load_in_8bit")
    else:
        found.questions.append("bitsandbytes says neither 4 nor 8 bit: choose `weights`")


def _mxfp4(block: Mapping[str, Any], found: Quantization) -> None:
    found.default, found.experts_only = formats.MXFP4, True
    found.decided.append(f"weights {formats.MXFP4_EXPERTS}: quant_method mxfp4, experts only")


def _modelopt(block: Mapping[str, Any], found: Quantization) -> None:
    if block.get("config_groups"):
        _compressed(block, found)
    if found.default is None and not found.named and not found.questions:
        _read_algorithm(block, found, "quantization_config")


def _compressed(block: Mapping[str, Any], found: Quantization) -> None:
    groups = block.get("config_groups")
    if not isinstance(groups, Mapping) or not groups:
        found.questions.append("config_groups is empty: choose `weights`")
        return
    for name, group in groups.items():
        weights = group.get("weights") if isinstance(group, Mapping) else None
        kind = formats.of_weights(weights) if isinstance(weights, Mapping) else None
        if kind is None:
            found.questions.append(
                f"config_groups.{name[:40]} has a format that is not known: choose `weights`"
            )
            continue
        targets = group.get("targets")
        targets = [t for t in targets if isinstance(t, str)] if isinstance(targets, list) else ["Linear"]
        if any(target in ("Linear", "re:.*") for target in targets):
            if found.default is not None and found.default != kind:
                found.questions.append("two config_groups claim all linear layers: choose `weights`")
            found.default = kind
        else:
            found.named += [(target, kind) for target in targets]
        found.decided.append(f"weights {kind.id}: config_groups.{name[:40]}")


def _read_algorithm(block: Mapping[str, Any], found: Quantization, where: str) -> None:
    algorithm, group = block.get("quant_algo"), block.get("group_size")
    size = group if isinstance(group, int) else 0
    layers = block.get("quantized_layers")
    if isinstance(layers, Mapping) and layers:
        for module, entry in layers.items():
            word = str(entry.get("quant_algo", "")) if isinstance(entry, Mapping) else str(entry)
            own = entry.get("group_size") if isinstance(entry, Mapping) else None
            kind = formats.of_algorithm(word, own if isinstance(own, int) else size)
            if kind is None:
                found.questions.append(f"{where}: quant_algo {word[:40]!r} is not known: choose `weights`")
            else:
                found.named.append((module, kind))
        found.decided.append(f"weights module by module: quantized_layers of {where}")
        return
    if not isinstance(algorithm, str):
        return
    kind = formats.of_algorithm(algorithm, size)
    if kind is None:
        found.questions.append(f"{where}: quant_algo {algorithm[:40]!r} is not known: choose `weights`")
        return
    found.default = kind
    found.decided.append(f"weights {kind.id}: quant_algo {algorithm} of {where}")


def _quark(block: Mapping[str, Any], found: Quantization) -> None:
    inner = block.get("global_quant_config")
    weight = inner.get("weight") if isinstance(inner, Mapping) else None
    word = str(weight.get("dtype", "")) if isinstance(weight, Mapping) else ""
    if word.startswith("fp8"):
        found.default = formats.FP8
    elif word == "fp4" and isinstance(weight, Mapping) and weight.get("group_size") == 32:
        found.default = formats.MXFP4
    if found.default is None or block.get("layer_quant_config"):
        found.default = None
        found.questions.append("quark gives layers formats that are not read: choose `weights`")
    else:
        found.decided.append(f"weights {found.default.id}: global_quant_config of quark")
    found.left += [p for p in block.get("exclude") or [] if isinstance(p, str)]


METHODS = {
    "fp8": _fp8,
    "fbgemm_fp8": _fp8,
    "awq": _awq,
    "gptq": _gptq,
    "bitsandbytes": _bitsandbytes,
    "mxfp4": _mxfp4,
    "compressed-tensors": _compressed,
    "modelopt": _modelopt,
    "modelopt_fp4": _modelopt,
    "modelopt_mixed": _modelopt,
    "quark": _quark,
}
"""`quant_method` → its reader."""


def _read_cache(block: Mapping[str, Any], found: Quantization, where: str) -> None:
    for key in ("kv_cache_scheme", "kv_cache_quant_algo", "kv_cache_dtype"):
        value = block.get(key)
        if value is None or (isinstance(value, str) and value.lower() in ("none", "auto", "")):
            continue
        kind = _cache_format(value)
        if kind is None:
            found.questions.append(f"{where}.{key} is not known: choose `kv`")
        elif found.cache is None:
            found.cache = kind
            found.decided.append(f"kv {kind.id}: {key} of {where}")
        return


def _cache_format(value: object) -> Format | None:
    if isinstance(value, Mapping):
        bits, kind = value.get("num_bits"), value.get("type", "int")
        if bits == 8:
            return formats.FP8 if kind == "float" else formats.INT8
        return formats.NVFP4 if bits == 4 and kind == "float" else None
    word = str(value).lower()
    if word.startswith(("fp8", "float8")):
        return formats.FP8
    return {"int8": formats.INT8, "nvfp4": formats.NVFP4}.get(word) or formats.of_dtype(word)
