"""The budgets, measured: warm and cold answers beside a hand-written NumPy form of the same formula.

Ratios within one run are what counts; seconds depend on the machine.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import tokensheet as ts

ROOT = Path(__file__).parents[1]
PLAN = {"model": "llama-2-70b", "gpu": "a100-sxm-80gb", "gpus": 8, "context": 4096, "batch": 16}


def best(run: Callable[[], object], repeat: int = 5, number: int = 1) -> float:
    """Shortest time of one call, in seconds."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            run()
        times.append((time.perf_counter() - start) / number)
    return min(times)


def by_hand(context: np.ndarray, batch: float) -> np.ndarray:
    """The same decode latency written out for one model and device, profile li-2023 but with the KV read."""
    weights = 68_714_504_192 * 2.0
    memory = weights / (8 * 2.039e12) + batch * context * 80 * 2 * 8 * 128 * 2 / (8 * 2.039e12)
    compute = batch * 2 * 68_714_504_192 / (8 * 312e12)
    message = np.maximum(30e-6, batch * 8192 * 2 / 300e9)
    return np.maximum(memory, compute) + 80 * 2 * message


def cold(*command: str) -> float:
    """Shortest whole-process time of three."""
    return best(lambda: subprocess.run(command, check=True, capture_output=True, cwd=ROOT), repeat=3)


def main() -> None:
    """Prints a table."""
    planner = ts.planner()
    planner.one("decode_latency", PLAN)
    contexts = np.random.default_rng(1).integers(1, 8192, 1_000_000).astype(float)
    plan = {k: v for k, v in PLAN.items() if k != "context"}
    hand = by_hand(contexts, 16)
    ours = ts.evaluate("decode_latency", "profile=li-2023", context=contexts, **plan)
    assert np.allclose(hand, ours, rtol=1e-12), "the two forms differ"
    rows = [
        (
            "one warm evaluation, fit check included",
            best(lambda: planner.one("decode_latency", PLAN), 7, 5000),
            "8 µs",
        ),
        ("the same through ts.evaluate", best(lambda: ts.evaluate("decode_latency", **PLAN), 7, 5000), "–"),
        (
            "1,000,000 decode latencies in one call",
            best(lambda: ts.evaluate("decode_latency", context=contexts, **plan)),
            "0.15 s",
        ),
        (
            "  profile li-2023",
            best(lambda: ts.evaluate("decode_latency", "profile=li-2023", context=contexts, **plan)),
            "–",
        ),
        ("  written by hand in NumPy, no checks", best(lambda: by_hand(contexts, 16)), "–"),
        ("python -c 'import tokensheet'", cold(sys.executable, "-c", "import tokensheet"), "0.15 s"),
        ("  an empty python", cold(sys.executable, "-c", ""), "–"),
        (
            "tokensheet eval of one cell, cold",
            cold(sys.executable, "-m", "tokensheet", "eval", '=KV_BYTES("llama-2-70b",4096,8)'),
            "0.5 s",
        ),
        (
            "tokensheet export of the first proposal, cold",
            cold(
                sys.executable,
                "-m",
                "tokensheet",
                "export",
                "workbooks/llama-2-70b-4090-or-h100.toml",
                "-o",
                "build/bench",
            ),
            "2 s",
        ),
    ]
    for what, seconds, budget in rows:
        shown = f"{seconds * 1e6:10.1f} µs" if seconds < 1e-3 else f"{seconds:10.3f} s "
        print(f"{what:<50} {shown}   budget {budget}")
    print(
        f"{'peak memory of this process':<50} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10.0f} MB   budget 500 MB"
    )


if __name__ == "__main__":
    main()
