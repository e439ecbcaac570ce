"""An explained answer says of each number whose it is: the call's, a profile's, a record's, or a default."""

from __future__ import annotations

import pytest

import tokensheet

PRICED = {"gpu": "h100-sxm-80gb", "gpus": 8}

CASES: dict[str, tuple[dict[str, object], str, str]] = {
    "the call": ({"system_price": 2e5}, "system_price", "given"),
    "a machine of the catalogue": ({"system": "dgx-h100"}, "system_price", "system dgx-h100 (unconfirmed)"),
    "a number derived from that machine": (
        {"system": "dgx-h100"},
        "system_devices",
        "system dgx-h100 (derived)",
    ),
    "the device": ({}, "gpu_price", "accelerator h100-sxm-80gb"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_price_says_whose_it_is(case: str) -> None:
    more, name, words = CASES[case]
    lines = {line.key: line for line in tokensheet.explain("cost_per_hour", **PRICED, **more)[0]}
    assert lines[name].words.startswith(words)
    assert lines[name].source
