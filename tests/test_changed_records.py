"""A record with some numbers changed: `llama-2-70b@kv_heads=64`; what follows from them follows again."""

from __future__ import annotations

import pytest

import tokensheet as ts
from tokensheet.errors import ArgumentError, TokensheetError, UnknownNameError
from tokensheet.planning import shared
from tokensheet.proposal import parse
from tokensheet.schema import KINDS
from tokensheet.workbook.build import build

# 80 layers, 64 heads of 128 elements, 8 KV heads, 16 bit
TOKEN = 2 * 80 * 8 * 128 * 2

CHANGES = [
    ("llama-2-70b", TOKEN),
    ("llama-2-70b@kv_heads=64", TOKEN * 8),
    ("Llama 2 70B@ KV_heads = 64".lower(), TOKEN * 8),
    ("llama-2-70b@kv_heads=2", TOKEN / 4),
    ("llama-2-70b@layers=40", TOKEN / 2),
    ("llama-2-70b@layers=40,kv_heads=16", TOKEN),
    ("llama-2-70b@head_size=64,value_head_size=64", TOKEN / 2),
]


@pytest.mark.parametrize(("model", "expected"), CHANGES)
def test_what_follows_follows_again(model: str, expected: float) -> None:
    assert ts.evaluate("kv_bytes", model=model, context=1) == expected


def test_in_a_range_and_in_a_cell() -> None:
    models = [model for model, _ in CHANGES]
    assert ts.evaluate("kv_bytes", model=models, context=1).tolist() == [e for _, e in CHANGES]


def test_parameters_follow_too_and_nothing_is_published_of_it() -> None:
    record = shared().registry.record("model", "llama-2-70b@layers=40")
    whole = shared().registry.record("model", "llama-2-70b")
    assert record.id == "llama-2-70b@layers=40"
    assert record.number("published_parameters") is None
    embedding = 2 * 32000 * 8192 + 8192
    assert record.number("parameters") == (whole.number("parameters") - embedding) / 2 + embedding
    assert record.source_of("layers") == "changed in llama-2-70b@layers=40"


WRONG = [
    ("llama-2-70b@kv_heds=2", ArgumentError, "no field to change is called 'kv_heds'; nearest are kv_heads"),
    ("llama-2-70b@kv_heads=2,kv_heads=4", ArgumentError, "kv_heads is given twice; leave one out"),
    ("llama-2-70b@kv_heads=2, kv_heads = 2", ArgumentError, "kv_heads is given twice; leave one out"),
    ("llama-2-70b@kv_heads=3", ArgumentError, "heads=64 is not divisible by it"),
    ("llama-2-70b@kv_heads=two", ArgumentError, "kv_heads is 'two'; write a number"),
    ("llama-2-70b@", ArgumentError, "no field to change is called ''"),
    ("llama-2-70b@parameters=2", ArgumentError, "no field to change is called 'parameters'"),
    ("llama-2-71b@layers=2", UnknownNameError, "no model named 'llama-2-71b'"),
    ("gpt-oss-120b@layers=-1", ArgumentError, "cannot be negative"),
    *(
        (f"{model}@{name}={value}", ArgumentError, text)
        for model in ("llama-2-70b", "deepseek-v3")
        for name in ("layers", "d_model", "heads", "moe_layers")
        for value, text in (
            ("1e400", f"{name}=inf: a whole number is needed"),
            ("-1e400", f"{name}=-inf: a whole number is needed"),
            ("nan", f"{name}=nan: a whole number is needed"),
            ("0.5", f"{name}=0.5: a whole number is needed"),
            ("-2", f"{name}=-2: a count cannot be negative"),
        )
    ),
    *((f"llama-2-70b@{name}=1e400", ArgumentError, "finite number") for name in ("kv_heads", "window")),
]


@pytest.mark.parametrize(("model", "kind", "text"), WRONG)
def test_mistakes_are_told(model: str, kind: type[TokensheetError], text: str) -> None:
    with pytest.raises(kind) as caught:
        ts.evaluate("kv_bytes", model=model, context=1)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_number_that_shapes_others_changes_the_record() -> None:
    assert ts.evaluate("kv_bytes", model="llama-2-70b", context=1, kv_heads=2) == TOKEN / 4
    assert (
        ts.evaluate("kv_bytes", model="llama-2-70b@layers=40", context=1, options="kv_heads=2") == TOKEN / 8
    )
    found = ts.evaluate("kv_bytes", model="llama-2-70b", context=1, kv_heads=[[2], [64]])
    assert found.tolist() == [[TOKEN / 4], [TOKEN * 8]]
    lines, _ = ts.explain("kv_bytes", model="llama-2-70b", context=1, kv_heads=2)
    assert any(line.words.startswith("model llama-2-70b@kv_heads=2") for line in lines)


DEVICE = [
    ("fits", "usable_memory_bytes=66e9", 0.0),
    ("max_batch", "usable_memory_bytes=59864566988.8", None),
    ("ridge_batch", "peak_flops_bf16=1.9788e15", None),
]


@pytest.mark.parametrize(("name", "option", "expected"), DEVICE)
def test_numbers_of_a_device_that_others_follow_from_change_the_device(
    name: str, option: str, expected: float | None
) -> None:
    plan = {"model": "llama-3.1-70b", "gpus": 2, "context": 4096, "batch": 1}
    plan = {"gpus": 8, **{k: v for k, v in plan.items() if k != "gpus"}} if name == "max_batch" else plan
    given = {k: v for k, v in plan.items() if name != "ridge_batch"}
    by_option = ts.evaluate(name, gpu="h100-sxm-80gb", options=option, **given)
    assert by_option == ts.evaluate(name, gpu=f"h100-sxm-80gb@{option}", **given)
    assert by_option != ts.evaluate(name, gpu="h100-sxm-80gb", **given)
    assert expected is None or by_option == expected


def test_a_number_in_the_id_and_beside_it_is_given_twice() -> None:
    with pytest.raises(ArgumentError, match="kv_heads is given twice; leave one out"):
        ts.evaluate("kv_bytes", model="llama-2-70b@kv_heads=2", context=1, kv_heads=4)


def test_a_window_for_a_model_without_window_layers_is_refused() -> None:
    with pytest.raises(ArgumentError, match="window"):
        ts.evaluate("kv_bytes", model="llama-2-70b", context=1, window=2)


def test_where_the_record_cannot_be_changed_the_number_is_refused() -> None:
    models = ["llama-2-70b", "llama-2-7b"]
    why = shared().why("kv_bytes", model=models, context=1, kv_heads=[2, 4])
    assert all("change the record, as model=llama-2-" in line for line in why)


@pytest.mark.slow
def test_a_proposal_changes_the_record_too() -> None:
    text = """
title = "x"
workload = { model = "llama-2-70b", context = 4096, kv_heads = 2 }
candidates = [{ name = "a", gpu = "h100-sxm-80gb", gpus = 8 }]
"""
    made = build(shared(), parse(text, shared()))
    assert "llama-2-70b@kv_heads=2" in made.text


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_record_can_be_made_again_from_itself(kind: str) -> None:
    for entry in shared().registry.catalog(kind).entries.values():
        again = entry.record.changed({})
        for name in entry.record.quantities():
            if not name.startswith("published"):
                assert again.number(name) == entry.record.number(name), (entry.record.id, name)


# one number of a device whose name a function has: 74.13 GB of weights and cache in fp8
FITTING = [
    ("h100-sxm-80gb", {}, 1),
    ("h100-sxm-80gb", {"memory_bytes": 70e9}, 0),
    ("h100-sxm-80gb", {"memory_bytes": 75e9}, 1),
    ("h200-nvl-141gb", {"memory_bytes": 70e9}, 0),
    ("h200-nvl-141gb@memory_bytes=70e9", {}, 0),
]


@pytest.mark.parametrize(("gpu", "given", "wanted"), FITTING)
def test_a_device_with_another_memory(gpu: str, given: dict[str, float], wanted: float) -> None:
    """`memory_bytes` beside a device is the device's memory, and what the driver showed of another size is forgotten."""
    plan = {"model": "llama-3.1-70b", "gpus": 1, "context": 4096, "weights": "fp8", "profile": "ideal"}
    assert ts.evaluate("fits", gpu=gpu, **plan, **given) == wanted


def test_a_model_with_another_longest_context() -> None:
    """`max_context` beside a model is what it was trained for; without a model, the result of MAX_CONTEXT."""
    warned = shared().explain("kv_bytes", model="llama-3.1-8b", context=5000, max_context=4096)[1]
    assert any("beyond the 4,096 tokens" in line or "beyond the 4096 tokens" in line for line in warned)
    assert ts.evaluate("memory_bytes", model="llama-3.1-8b", context=5000, memory_bytes=1000) == 1000


def test_taken_for_gigabytes_it_is_refused() -> None:
    with pytest.raises(ArgumentError, match="did you mean 80e9"):
        ts.evaluate("fits", model="llama-3.1-8b", gpu="h100-sxm-80gb", gpus=1, context=0, memory_bytes=80)
