"""Families of products: variants of one device share a number, other devices do not."""

from __future__ import annotations

from collections import defaultdict

import pytest

import tokensheet_hardware as hardware
from tokensheet.schema.family import family

SHARED = (
    {"v100-pcie-16gb", "v100-pcie-32gb", "v100-sxm2-16gb", "v100-sxm2-32gb"},
    {"a100-pcie-40gb", "a100-pcie-80gb", "a100-sxm-40gb", "a100-sxm-80gb"},
    {"a800-sxm-80gb", "a800-pcie-80gb"},
    {"h100-pcie-80gb", "h100-sxm-80gb", "h100-nvl-94gb", "h100-sxm-64gb"},
    {"h200-sxm-141gb", "h200-nvl-141gb"},
    {"h800-sxm-80gb", "h800-pcie-80gb"},
    {"gh200-96gb", "gh200-144gb"},
)
"""The variants of the catalogue: form of the board and size of the memory."""


def test_only_variants_of_one_product_share_a_family() -> None:
    """Every accelerator of the catalogue, so that a new one is looked at."""
    found: dict[float, set[str]] = defaultdict(set)
    for record in hardware.tokensheet_accelerators():
        found[family(record.id)].add(record.id)
    assert sorted(map(sorted, (ids for ids in found.values() if len(ids) > 1))) == sorted(map(sorted, SHARED))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("h100", "h100-sxm-80gb", True),
        ("own-h100", "h100-nvl-94gb", True),
        ("H100-SXM", "h100-sxm-80gb", True),
        ("classic-4090", "rtx-4090", True),
        ("h100-sxm-80gb@gpu_price=3", "h100-sxm-80gb", True),
        ("rtx-6000-ada", "rtx-pro-6000-bw", False),
        ("rtx-3090", "rtx-3090-ti", False),
        ("apple-m3", "apple-m3-ultra", False),
        ("own-64gb", "jetson-agx-orin-64gb", False),
        ("v100s-pcie-32gb", "v100-pcie-32gb", False),
        ("alpha", "beta", False),
        ("80gb", "96gb", False),
    ],
)
def test_family(one: str, other: str, same: bool) -> None:
    assert (family(one) == family(other)) is same
