"""Number formats that quantisation blocks declare: their ids and bytes a weight, scales included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Format:
    """A way to store a weight."""

    id: str
    bytes_per_weight: float

    @property
    def is_plain(self) -> bool:
        """Not quantised: 16 or 32 bits without scales."""
        return self.id in PLAIN


BF16 = Format("bf16", 2.0)
PLAIN: dict[str, Format] = {"bf16": BF16, "fp16": Format("fp16", 2.0), "fp32": Format("fp32", 4.0)}

DTYPES = {
    "bfloat16": "bf16",
    "bf16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "fp16": "fp16",
    "float32": "fp32",
    "float": "fp32",
    "fp32": "fp32",
}
"""Words of `dtype` and `torch_dtype`."""

FP8 = Format("fp8", 1.0)
INT8 = Format("int8", 1.0)
INT8_W8A16 = Format("int8-w8a16", 1.0)
NVFP4 = Format("nvfp4", (4 + 8 / 16) / 8)
MXFP4 = Format("mxfp4-all", (4 + 8 / 32) / 8)
MXFP4_EXPERTS = "mxfp4"
"""Id of MXFP4 on experts only."""
MXFP8 = Format("mxfp8", (8 + 8 / 32) / 8)
BNB_NF4 = Format("bnb-nf4", (4 + 32 / 64) / 8)
BNB_NF4_DOUBLE = Format("bnb-nf4-dq", (4 + 8 / 64 + 32 / (64 * 256)) / 8)

ALGORITHMS: dict[str, Format] = {
    "FP8": FP8,
    "FP8_PER_CHANNEL_PER_TOKEN": FP8,
    "NVFP4": NVFP4,
    "NVFP4_AWQ": NVFP4,
    "W4A16_NVFP4": NVFP4,
    "W4A8_NVFP4_FP8": NVFP4,
    "MXFP8": MXFP8,
    "MXFP4": MXFP4,
    "W4A8_MXFP4_FP8": MXFP4,
    "INT8_SQ": INT8,
    "W8A8_SQ": INT8,
    "W8A8_SQ_PER_CHANNEL": INT8,
    "W8A16": INT8_W8A16,
}
"""Words of `quant_algo` that need no further number."""

GROUPED_ALGORITHMS = {"INT4_AWQ": 4, "W4A16_AWQ": 4, "W4A8_AWQ": 4, "W4A16": 4, "INT4": 4}
"""Words of `quant_algo` for integers in groups → bits."""


def fp8_block(rows: int, columns: int) -> Format:
    """8-bit floats with one fp32 scale a block."""
    usual = (rows, columns) == (128, 128)
    return Format("fp8-block" if usual else f"fp8-block-{rows}x{columns}", 1 + 4 / (rows * columns))


def grouped(method: str, bits: int, group: int, zero_points: bool) -> Format:
    """Integers in groups, each with a 16-bit scale and, if asymmetric, a zero point as wide as a weight."""
    scales = (16 + (bits if zero_points else 0)) / group if group > 0 else 0.0
    suffix = {128: "", 0: "-channel", -1: "-channel"}.get(group, f"-g{group}")
    return Format(f"{method}int{bits}{suffix}", (bits + scales) / 8)


def of_algorithm(word: str, group: int) -> Format | None:
    """The format of a `quant_algo`; None where the word is not known."""
    name = word.upper()
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    if name in GROUPED_ALGORITHMS:
        return grouped("", GROUPED_ALGORITHMS[name], group or 128, zero_points=False)
    if name in ("FP8_PB_WO", "FP8_BLOCK"):
        return fp8_block(128, 128)
    return None


def of_weights(weights: Mapping[str, Any]) -> Format | None:
    """The format of the `weights` of one config group; None where it is not known."""
    bits, kind = weights.get("num_bits"), weights.get("type", "int")
    group = weights.get("group_size") or 0
    if not isinstance(bits, int) or not isinstance(group, int):
        return None
    if kind == "float" and bits == 8:
        block = weights.get("block_structure")
        if isinstance(block, list) and len(block) == 2 and all(isinstance(n, int) and n > 0 for n in block):
            return fp8_block(*block)
        return MXFP8 if group == 32 else FP8
    if kind == "float" and bits == 4:
        return {16: NVFP4, 32: MXFP4}.get(group)
    if kind == "int" and bits == 8 and group <= 0:
        return INT8
    if kind == "int" and bits in (2, 3, 4, 8):
        return grouped("", bits, group, zero_points=weights.get("symmetric") is False)
    return None


def of_dtype(word: str) -> Format | None:
    """The format of a `torch_dtype`; None where the word is not known."""
    name = DTYPES.get(word.lower().removeprefix("torch."))
    return PLAIN[name] if name else None


def units_of(id: str) -> str:
    """The matrix units that compute in a format: fp8, int8 or fp4; empty for the 16-bit ones."""
    if id in (NVFP4.id, MXFP4.id, MXFP4_EXPERTS):
        return "fp4"
    if id == INT8.id:
        return "int8"
    return "fp8" if id == MXFP8.id or id.startswith(FP8.id) else ""
