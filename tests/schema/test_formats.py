"""Number formats: bytes with scales, what stays in 16 bit, which units compute."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

import tokensheet_hardware as hardware
from tokensheet.schema.number_format import NumberFormat

FORMATS = {record.id: record for record in hardware.tokensheet_formats()}

BITS: list[tuple[str, float]] = [
    ("bf16", 16),
    ("fp32", 32),
    ("fp8", 8),
    ("fp8-block", 8.001953125),
    ("mxfp8", 8.25),
    ("int8", 8),
    ("int4", 4.125),
    ("awq-int4", 4.15625),
    ("gptq-int4", 4.15625),
    ("gptq-int4-g64", 4.3125),
    ("gptq-int4-g32", 4.625),
    ("bnb-nf4", 4.5),
    ("bnb-nf4-dq", 4.126953125),
    ("mxfp4", 4.25),
    ("nvfp4", 4.5),
    ("q2_k", 2.625),
    ("q3_k_m", 3.4375),
    ("q4_0", 4.5),
    ("q4_k_m", 4.5),
    ("q5_k_m", 5.5),
    ("q6_k", 6.5625),
    ("q8_0", 8.5),
    ("iq4_xs", 4.25),
]


@pytest.mark.parametrize(("name", "bits"), BITS)
def test_bits_of_an_element_with_its_scales(name: str, bits: float) -> None:
    assert FORMATS[name].number("bytes_per_element") == bits / 8


def test_bytes_of_the_two_fp4_formats() -> None:
    assert FORMATS["nvfp4"].mlp_bytes_per_element == 0.5625
    assert FORMATS["mxfp4"].expert_bytes_per_element == 0.53125


def test_mxfp4_leaves_everything_but_experts_in_16_bit() -> None:
    record = FORMATS["mxfp4"]
    names = [name for name in record.quantities() if name.endswith("_bytes_per_element")]
    assert {name for name in names if record.number(name) != 2} == {"expert_bytes_per_element"}


@pytest.mark.parametrize("name", ["fp8", "fp8-block", "int8", "awq-int4", "nvfp4", "mxfp4-all", "bnb-nf4"])
def test_embedding_and_head_stay_in_16_bit(name: str) -> None:
    record = FORMATS[name]
    sizes = (
        record.embedding_bytes_per_element,
        record.head_bytes_per_element,
        record.other_bytes_per_element,
    )
    assert sizes == (2, 2, 2)


UNITS: list[tuple[str, str | None]] = [
    ("bf16", None),
    ("fp32", "computes_fp32"),
    ("fp8", "computes_fp8"),
    ("fp8-block", "computes_fp8"),
    ("int8", "computes_int8"),
    ("int8-w8a16", None),
    ("awq-int4", None),
    ("gptq-int4-g32", None),
    ("bnb-nf4", None),
    ("q4_k_m", None),
    ("mxfp4", "computes_fp4"),
    ("nvfp4", "computes_fp4"),
]


@pytest.mark.parametrize(("name", "flag"), UNITS)
def test_units_that_compute(name: str, flag: str | None) -> None:
    record = FORMATS[name]
    flags = [each for each in record.quantities() if each.startswith("computes_")]
    assert [each for each in flags if record.number(each)] == ([flag] if flag else [])


# Llama-3.1-70B: 80 layers of width 8192, 8 KV heads of 128, MLP 28672, 161 norms.
EMBEDDING = 128256 * 8192
ATTENTION = 80 * (2 * 8192 * 8192 + 2 * 1024 * 8192)
NORMS = 161 * 8192
MLP = 70_553_706_496 - 2 * EMBEDDING - ATTENTION - NORMS


def file_bytes(record: NumberFormat) -> float:
    return (
        EMBEDDING * (record.embedding_bytes_per_element + record.head_bytes_per_element)
        + ATTENTION * record.attention_bytes_per_element
        + MLP * record.mlp_bytes_per_element
        + NORMS * record.other_bytes_per_element
    )


def test_70b_as_q4_k_m_is_42_5_gb() -> None:
    assert MLP == 80 * 3 * 8192 * 28672
    assert file_bytes(FORMATS["q4_k_m"]) == pytest.approx(42.5e9, rel=0.005)
    assert file_bytes(FORMATS["q4_k_m"]) / 2**30 == pytest.approx(39.6, abs=0.05)
    assert file_bytes(FORMATS["bf16"]) == 141_107_412_992


def test_larger_mixes_make_larger_files() -> None:
    order = [
        "q2_k",
        "q3_k_s",
        "q3_k_m",
        "q3_k_l",
        "iq4_xs",
        "q4_k_s",
        "q4_k_m",
        "q5_k_s",
        "q5_k_m",
        "q6_k",
        "q8_0",
    ]
    sizes = [file_bytes(FORMATS[name]) for name in order]
    assert sizes == sorted(sizes)


def test_16_bit_is_an_alias_of_bf16() -> None:
    assert {"16bit", "16-bit"} <= set(FORMATS["bf16"].aliases)


def test_names_and_aliases_are_unique() -> None:
    names = [name for record in FORMATS.values() for name in (record.id, *record.aliases)]
    assert len(names) == len(set(names))


GOOD: dict[str, Any] = {
    "id": "f1",
    "source": "test",
    "bytes_per_element": 1.0,
    "attention_bytes_per_element": 1.0,
    "mlp_bytes_per_element": 1.0,
    "expert_bytes_per_element": 1.0,
    "embedding_bytes_per_element": 2.0,
    "head_bytes_per_element": 2.0,
}
CASES: list[tuple[dict[str, Any], str]] = [
    ({"mlp_bytes_per_element": 16}, "mlp_bytes_per_element is 16 byte/element; bits taken for bytes?"),
    ({"mlp_bytes_per_element": 0}, "it must be above 0.05"),
    ({"computes_fp8": 2}, "computes_fp8 is 2; it must be 0 or 1"),
    ({"computes_fp8": 1, "computes_int8": 1}, "computes_fp8 and computes_int8 are both 1; choose one"),
    ({"bytes_per_element": "4.5 bits"}, "bytes_per_element is text '4.5 bits'"),
    ({"bytes_per_element": float("nan")}, "bytes_per_element is nan"),
]


@pytest.mark.parametrize(("wrong", "message"), CASES)
def test_format_that_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        NumberFormat(**(GOOD | wrong))
    assert message in str(caught.value)
