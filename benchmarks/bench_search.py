"""What a search takes: a million candidates of each kind, and a usual question, cold and warm; with the peak of memory.

Seconds depend on the machine; what counts is that they stay seconds.
"""

from __future__ import annotations

import resource
import time
from typing import Any

import tokensheet as ts
from tokensheet.search.best import best

FLEET: dict[str, Any] = {
    "model": "llama-3.1-70b", "prompt": 2048, "output": 256, "request_rate": 20, "target_ttft": 1, "target_tpot": 0.04,
}  # fmt: skip
STEP: dict[str, Any] = {
    "model": "llama-3.1-70b",
    "context": 4096,
    "min_tokens_per_second": 5000,
    "max_latency": 0.05,
}
MANY = ",".join(map(str, range(1, 1500)))
QUESTIONS = {
    "steps, cold": STEP,
    "steps": STEP,
    "steps, a million": {**STEP, "batches": MANY},
    "fleets, cold": FLEET,
    "fleets": FLEET,
    "fleets, a million": {**FLEET, "sequences": MANY},
    "fleets, a million, tight": {**FLEET, "sequences": MANY, "target_tpot": 0.02},
    "fleets, a million, none holds": {**FLEET, "sequences": MANY, "target_tpot": 0.002},
}


def main() -> None:
    """Prints a table."""
    planner = ts.planner()
    print(f"{'question':32}{'candidates':>12}{'calculated':>12}{'seconds':>9}{'MB':>7}")
    for name, asked in QUESTIONS.items():
        start = time.perf_counter()
        found = best(planner, asked)
        seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        done = found.candidates - found.spared
        print(f"{name:32}{found.candidates:12,}{done:12,}{seconds:9.2f}{memory:7}")


if __name__ == "__main__":
    main()
