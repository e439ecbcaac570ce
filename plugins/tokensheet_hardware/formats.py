"""Number formats: 16 and 32 bit, 8 and 4 bit with their scales, and llama.cpp's block mixes.

Sizes are written as bits with their scales and divided by 8. What stays in 16 bit is said by class.
"""

from __future__ import annotations

from tokensheet.plugin import NumberFormat
from tokensheet_hardware.sources import LLAMA_CPP

_16_BIT = 2.0
_OCP = "OCP Microscaling Formats v1.0: block of 32 with an 8-bit scale"
_NVFP4 = "NVIDIA NVFP4: block of 16 with an fp8 scale (and one fp32 scale a tensor)"
_HF = "Hugging Face checkpoints: embedding, head, norms and router stay in 16 bit"
_COMPRESSED = "compressed-tensors W4A16: group scales in 16 bit, symmetric"
_GROUP_4_BIT = "AutoGPTQ and AutoAWQ: a 16-bit scale and a 4-bit zero point a group"


def formats() -> list[NumberFormat]:
    """All number formats."""
    return [*_plain(), *_eight_bit(), *_four_bit(), *_llama_cpp()]


def _linear_layers(
    id: str,
    name: str,
    size: float,
    source: str,
    *,
    aliases: tuple[str, ...] = (),
    computes_fp8: float = 0.0,
    computes_int8: float = 0.0,
    computes_fp4: float = 0.0,
    notes: str = "",
) -> NumberFormat:
    """A format of all linear layers; embedding, head, norms and router stay in 16 bit."""
    return NumberFormat(
        id=id,
        name=name,
        aliases=aliases,
        bytes_per_element=size,
        attention_bytes_per_element=size,
        mlp_bytes_per_element=size,
        expert_bytes_per_element=size,
        embedding_bytes_per_element=_16_BIT,
        head_bytes_per_element=_16_BIT,
        other_bytes_per_element=_16_BIT,
        computes_fp8=computes_fp8,
        computes_int8=computes_int8,
        computes_fp4=computes_fp4,
        source=f"{source}; {_HF}",
        states={"bytes_per_element": "derived"},
        notes=notes,
    )


def _everywhere(
    id: str, name: str, size: float, *, aliases: tuple[str, ...] = (), computes_fp32: float = 0.0
) -> NumberFormat:
    """A format without scales that all tensors have."""
    return NumberFormat(
        id=id,
        name=name,
        aliases=aliases,
        bytes_per_element=size,
        attention_bytes_per_element=size,
        mlp_bytes_per_element=size,
        expert_bytes_per_element=size,
        embedding_bytes_per_element=size,
        head_bytes_per_element=size,
        other_bytes_per_element=size,
        computes_fp32=computes_fp32,
        source="definition of the format",
    )


def _plain() -> list[NumberFormat]:
    """Formats without scales."""
    return [
        _everywhere("bf16", "bfloat16", 2.0, aliases=("16bit", "16-bit", "bfloat16")),
        _everywhere("fp16", "IEEE half", 2.0, aliases=("float16", "f16", "half")),
        _everywhere("fp32", "IEEE single", 4.0, aliases=("float32", "f32", "32bit"), computes_fp32=1.0),
    ]


def _eight_bit() -> list[NumberFormat]:
    """Formats of one byte and their scales."""
    return [
        _linear_layers(
            "fp8",
            "fp8, one scale a tensor",
            1.0,
            "definition of the format",
            aliases=("fp8-tensor", "e4m3", "float8_e4m3fn"),
            computes_fp8=1.0,
        ),
        _linear_layers(
            "fp8-block",
            "fp8, an fp32 scale a block of 128 x 128",
            1 + 4 / (128 * 128),
            "DeepSeek-V3 checkpoint, weight_block_size 128 x 128",
            aliases=("fp8-block-128",),
            computes_fp8=1.0,
        ),
        _linear_layers("mxfp8", "MXFP8, block of 32", (8 + 8 / 32) / 8, _OCP, computes_fp8=1.0),
        _linear_layers(
            "int8",
            "int8 weights and activations",
            1.0,
            "definition of the format",
            aliases=("w8a8", "smoothquant"),
            computes_int8=1.0,
            notes="scales a channel are below 0.1 % of a matrix of usual width and not counted",
        ),
        _linear_layers(
            "int8-w8a16",
            "int8 weights, computed in 16 bit",
            1.0,
            "definition of the format",
            aliases=("w8a16",),
        ),
        _linear_layers(
            "gptq-int8",
            "GPTQ int8, group of 128",
            (8 + (16 + 8) / 128) / 8,
            "AutoGPTQ: a 16-bit scale and an 8-bit zero point a group",
            aliases=("gptq-8bit",),
        ),
    ]


def _grouped(kind: str, label: str, group: int, aliases: tuple[str, ...] = ()) -> NumberFormat:
    """4-bit weights with a 16-bit scale and a 4-bit zero point a group, computed in 16 bit."""
    suffix = "" if group == 128 else f"-g{group}"
    return _linear_layers(
        f"{kind}-int4{suffix}",
        f"{label} int4, group of {group}",
        (4 + (16 + 4) / group) / 8,
        _GROUP_4_BIT,
        aliases=aliases,
    )


def _four_bit() -> list[NumberFormat]:
    """Formats of half a byte and their scales."""
    mxfp4 = (4 + 8 / 32) / 8
    return [
        _linear_layers(
            "int4",
            "int4, symmetric, group of 128",
            (4 + 16 / 128) / 8,
            _COMPRESSED,
            aliases=("w4a16", "int4-g128"),
        ),
        _grouped("awq", "AWQ", 128, ("awq", "awq-int4-g128")),
        _grouped("awq", "AWQ", 64),
        _grouped("awq", "AWQ", 32),
        _grouped("gptq", "GPTQ", 128, ("gptq", "gptq-int4-g128")),
        _grouped("gptq", "GPTQ", 64),
        _grouped("gptq", "GPTQ", 32),
        _linear_layers(
            "bnb-nf4",
            "bitsandbytes NF4, block of 64",
            (4 + 32 / 64) / 8,
            "bitsandbytes: an fp32 maximum a block of 64",
            aliases=("nf4",),
        ),
        _linear_layers(
            "bnb-nf4-dq",
            "bitsandbytes NF4, double quantisation",
            (4 + 8 / 64 + 32 / (64 * 256)) / 8,
            "bitsandbytes: 8-bit maxima a block of 64, an fp32 one for 256 of them",
            aliases=("nf4-dq",),
        ),
        NumberFormat(
            id="mxfp4",
            name="MXFP4 on experts only, as in gpt-oss",
            aliases=("gpt-oss-mxfp4",),
            bytes_per_element=mxfp4,
            attention_bytes_per_element=_16_BIT,
            mlp_bytes_per_element=_16_BIT,
            expert_bytes_per_element=mxfp4,
            embedding_bytes_per_element=_16_BIT,
            head_bytes_per_element=_16_BIT,
            computes_fp4=1.0,
            source=f"{_OCP}; gpt-oss checkpoints: experts only",
            states={"bytes_per_element": "derived"},
            notes="a device without fp4 units computes in 16 bit; software that expands the weights to "
            "16 bit needs about four times the expert memory",
        ),
        _linear_layers("mxfp4-all", "MXFP4 on all linear layers", mxfp4, _OCP, computes_fp4=1.0),
        _linear_layers("nvfp4", "NVFP4 on all linear layers", (4 + 8 / 16) / 8, _NVFP4, computes_fp4=1.0),
    ]


# Bits an element with scales of llama.cpp's blocks: bytes of a block x 8 / elements of a block.
_Q2_K = 84 * 8 / 256
_Q3_K = 110 * 8 / 256
_Q4_K = 144 * 8 / 256
_Q5_K = 176 * 8 / 256
_Q6_K = 210 * 8 / 256
_Q4_0 = 18 * 8 / 32
_Q4_1 = 20 * 8 / 32
_Q5_0 = 22 * 8 / 32
_Q5_1 = 24 * 8 / 32
_Q8_0 = 34 * 8 / 32
_MXFP4 = 17 * 8 / 32
_IQ4_XS = 136 * 8 / 256
_IQ4_NL = 18 * 8 / 32


def _gguf(
    id: str,
    base: float,
    *,
    value: float | None = None,
    output: float | None = None,
    down: float | None = None,
    head: float = _Q6_K,
    notes: str = "",
) -> NumberFormat:
    """A llama.cpp mix in bits: `value`, `output` and `down` are the tensors that differ from `base`.

    The mix is that of Llama 70B: query and output are eight times as wide as key and value; gate, up
    and down are equally large. Norms and routers stay in fp32.
    """
    value = base if value is None else value
    output = base if output is None else output
    down = base if down is None else down
    attention = (8 * base + base + value + 8 * output) / 18
    mlp = (2 * base + down) / 3
    return NumberFormat(
        id=id,
        name=f"GGUF {id.upper()}",
        aliases=(f"gguf-{id.replace('_', '-')}", id.replace("_", "-")),
        bytes_per_element=base / 8,
        attention_bytes_per_element=attention / 8,
        mlp_bytes_per_element=mlp / 8,
        expert_bytes_per_element=mlp / 8,
        embedding_bytes_per_element=base / 8,
        head_bytes_per_element=head / 8,
        other_bytes_per_element=4.0,
        source=LLAMA_CPP,
        states={
            "attention_bytes_per_element": "derived",
            "mlp_bytes_per_element": "derived",
            "expert_bytes_per_element": "derived",
        },
        notes=notes or "mix of a 70B model; where the file's size is known, prefer it",
    )


def _half(more: float, base: float) -> float:
    """llama.cpp gives every second layer more bits: the first and last eighth, and each third between."""
    return (more + base) / 2


def _share(part: float, more: float, base: float) -> float:
    """The first `part` of the layers has more bits."""
    return part * more + (1 - part) * base


def _llama_cpp() -> list[NumberFormat]:
    """llama.cpp's block formats and mixes; all compute in 16 bit."""
    return [
        _gguf("q2_k", _Q2_K, value=_Q5_K, output=_Q3_K, down=_Q3_K),
        _gguf("q3_k_s", _Q3_K, value=_Q5_K),
        _gguf("q3_k_m", _Q3_K, value=_Q5_K, output=_Q4_K, down=_share(1 / 16, _Q5_K, _Q4_K)),
        _gguf("q3_k_l", _Q3_K, value=_Q5_K, output=_Q5_K, down=_Q5_K),
        _gguf("q4_0", _Q4_0),
        _gguf("q4_1", _Q4_1),
        _gguf("q4_k_s", _Q4_K, value=_Q5_K, down=_share(1 / 8, _Q5_K, _Q4_K)),
        _gguf("q4_k_m", _Q4_K, value=_half(_Q6_K, _Q5_K), down=_half(_Q6_K, _Q4_K)),
        _gguf("q5_0", _Q5_0),
        _gguf("q5_1", _Q5_1),
        _gguf("q5_k_s", _Q5_K),
        _gguf("q5_k_m", _Q5_K, value=_half(_Q6_K, _Q5_K), down=_half(_Q6_K, _Q5_K)),
        _gguf("q6_k", _Q6_K),
        _gguf("q8_0", _Q8_0, head=_Q8_0, notes="all matrices alike"),
        NumberFormat(
            id="gguf-mxfp4",
            name="GGUF MXFP4, as of gpt-oss",
            bytes_per_element=_Q8_0 / 8,
            attention_bytes_per_element=_Q8_0 / 8,
            mlp_bytes_per_element=_Q8_0 / 8,
            expert_bytes_per_element=_MXFP4 / 8,
            embedding_bytes_per_element=_Q8_0 / 8,
            head_bytes_per_element=_Q8_0 / 8,
            other_bytes_per_element=4.0,
            source=LLAMA_CPP,
            notes="experts in MXFP4, all other matrices in q8_0",
        ),
        _gguf("iq4_xs", _IQ4_XS, value=_Q5_K, notes="mix of a 70B model, made with an importance matrix"),
        _gguf("iq4_nl", _IQ4_NL, value=_Q5_K, notes="mix of a 70B model, made with an importance matrix"),
    ]
