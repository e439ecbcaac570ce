"""Rates by hand: shares of the datasheet, how they fall, caps, formats that are expanded on the way."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet

H100: dict[str, Any] = {"gpu": "h100-sxm-80gb", "profile": "ideal"}


@pytest.mark.parametrize("node", ["weight_bandwidth", "kv_bandwidth"])
@pytest.mark.parametrize(
    ("share", "falloff", "cap", "wanted"),
    [
        (0.8, 0, 1, 0.8 * 3.35e12),
        (0.8, 1, 1, 0.8 * 2e12),
        (0.8, 0.5, 1, 0.8 * (2e12 * 3.35e12) ** 0.5),
        (0.99, 0, 0.9, 0.9 * 3.35e12),
    ],
)
def test_bandwidth(node: str, share: float, falloff: float, cap: float, wanted: float) -> None:
    """With a falloff of 0 a share of the device's own bandwidth, with 1 of the reference's, and never above the cap."""
    name = "bandwidth_efficiency" if node == "weight_bandwidth" else "kv_bandwidth_efficiency"
    given = {name: share, "bandwidth_falloff": falloff, "share_cap": cap}
    assert tokensheet.evaluate(node, **H100, **given) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("node", ["compute_rate", "prefill_compute_rate"])
@pytest.mark.parametrize(("falloff", "wanted"), [(0, 0.5 * 989.4e12), (1, 0.5 * 3e14)])
def test_computing(node: str, falloff: float, wanted: float) -> None:
    """The same for operations."""
    given = {"compute_efficiency": 0.5, "prefill_compute_efficiency": 0.5, "compute_falloff": falloff}
    assert tokensheet.evaluate(node, **H100, **given) == pytest.approx(wanted, rel=1e-12)


def test_a_small_device_does_not_exceed_its_datasheet() -> None:
    """A falling share rises on small devices: the cap holds it."""
    found = tokensheet.evaluate(
        "weight_bandwidth",
        gpu="apple-m1",
        profile="ideal",
        bandwidth_efficiency=0.6,
        bandwidth_falloff=0.4,
        share_cap=0.95,
    )
    assert found == pytest.approx(0.95 * 68.2e9, rel=1e-12)


@pytest.mark.parametrize(
    ("gpu", "weights", "wanted"),
    [
        ("h100-sxm-80gb", "bf16", 1),
        ("h100-sxm-80gb", "int4", 0.6),
        ("h100-sxm-80gb", "awq-int4", 0.6),
        ("h100-sxm-80gb", "nvfp4", 0.6),
        ("b200-sxm-180gb", "nvfp4", 1),
        ("b200-sxm-180gb", "int4", 0.6),
        ("h100-sxm-80gb", "fp8", 0.9),
        ("h100-sxm-80gb", "q8_0", 0.9),
        ("rtx-4090", "q4_k_m", 0.6),
    ],
)
def test_formats_that_are_expanded_are_read_slower(gpu: str, weights: str, wanted: float) -> None:
    """4 bit without units for it, and 8 bit; 16 bit and native 4 bit are read as they are."""
    found = tokensheet.evaluate(
        "weight_read_efficiency",
        gpu=gpu,
        weights=weights,
        int4_read_efficiency=0.6,
        int8_read_efficiency=0.9,
        profile="ideal",
    )
    assert found == wanted


def test_only_what_is_expanded_is_read_slower() -> None:
    """gpt-oss in mxfp4: experts have 4 bits, attention and head 16."""
    plan: dict[str, Any] = {"model": "gpt-oss-120b", "weights": "mxfp4", "gpus": 2, "batch": 8, **H100}
    names = ("block_read_bytes", "head_read_bytes", "expert_read_bytes", "shard_share")
    block, head, expert, share = (tokensheet.evaluate(n, **plan) for n in names)
    found = tokensheet.evaluate(
        "weight_read_time", int4_read_efficiency=0.5, expert_bandwidth_efficiency=0.8, **plan
    )
    assert found == pytest.approx((block + head * share + expert / (0.5 * 0.8)) / 3.35e12, rel=1e-12)


@pytest.mark.parametrize(
    ("gpu", "weights", "wanted"),
    [
        ("rtx-4090", "q4_k_m", 330.3e12),
        ("a100-sxm-80gb", "bf16", 312e12),
        ("apple-m2-ultra", "q4_0", 27.2e12),
        ("h100-sxm-80gb", "fp8", 1979e12),
    ],
)
def test_integer_units_stand_in_for_slow_16_bit_units(gpu: str, weights: str, wanted: float) -> None:
    """Half the int8 peak where that is more than the 16-bit peak; formats with units of their own keep them."""
    found = tokensheet.evaluate("peak_flops", gpu=gpu, weights=weights, integer_compute=1, profile="ideal")
    assert found == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize(("layer_split", "wanted"), [(0, 3.277e12), (1, 3.277e12 / 2)])
def test_a_layer_lies_on_one_die(layer_split: int, wanted: float) -> None:
    """Software sees the two dies of an MI250 as two devices: a split by layers reads at the rate of one."""
    assert tokensheet.evaluate("device_bandwidth", gpu="mi250", layer_split=layer_split) == wanted
