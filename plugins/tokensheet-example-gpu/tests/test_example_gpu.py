"""What a plugin's own tests look like: the record, then the functions that use it."""

from __future__ import annotations

from tokensheet_example_gpu import tokensheet_accelerators

import tokensheet as ts

PLAN = {"model": "llama-2-7b", "gpu": "example-gpu-96gb", "gpus": 1, "context": 4096}


def test_the_plugin_offers_one_accelerator() -> None:
    (gpu,) = tokensheet_accelerators()
    assert gpu.id == "example-gpu-96gb"
    assert gpu.memory_bytes == 96e9
    assert gpu.memory_bandwidth == 4.0e12
    assert "invented" in gpu.source


def test_functions_find_it_by_name() -> None:
    """A step reads 6.6 billion weights of two bytes, at best at the full bandwidth."""
    seconds = ts.evaluate("decode_latency", **PLAN)
    assert 2 * 6.6e9 / 4.0e12 < seconds < 0.02
