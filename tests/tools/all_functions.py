"""A proposal that asks everything: all functions in cells, for twelve candidates with every kind of input."""

from __future__ import annotations

from tokensheet.planning import Planner
from tokensheet.proposal import Proposal

NUMBERS: dict[str, float] = {
    "context": 4096, "prompt": 1000, "output": 200, "price": 2.5, "m": 64, "k": 4096, "n": 8192,
    "image_width": 1024, "image_height": 768, "patch_size": 14, "gpus": 8,
}  # fmt: skip
"""Inputs that have no default, with which the workbook of all functions starts."""

PINS: dict[str, float] = {
    "decode_latency": 0.02, "message_latency": 8e-6, "link_bandwidth": 3e11, "gpu_price": 25_000,
    "weight_read_time": 0.004, "d_model": 6144, "cost_per_hour": 12,
}  # fmt: skip
"""Results and facts that one candidate of it states, so that they have cells."""

PLAIN = 8
"""The candidate that fits, and of which nothing is pinned."""

MODELS = (
    "llama-2-70b",
    "llama-3.1-8b",
    "mixtral-8x7b",
    "deepseek-v3",
    "qwen3-32b",
    "gpt-oss-120b",
    "classic-52b",
)
GPUS = (
    "h100-sxm-80gb",
    "a100-sxm-80gb",
    "rtx-4090",
    "h200-sxm-141gb",
    "b200-sxm-180gb",
    "mi300x",
    "classic-a100-40gb",
)


def everything(planner: Planner) -> Proposal:
    """All functions in cells as results, twelve candidates, every kind of pin."""
    functions = [n for n, f in planner.registry.formulas().items() if f.cell is not None]
    gpus = [g for g in GPUS if g in planner.registry.catalog("accelerator").entries]
    models = [m for m in MODELS if m in planner.registry.catalog("model").entries]
    candidates = [
        {
            "name": f"plan {i}",
            "gpu": gpus[i % len(gpus)],
            "gpus": 8,
            "model": models[i % len(models)],
            "batch": i + 1,
        }
        for i in range(12)
    ]
    for i, (name, value) in enumerate(PINS.items()):
        candidates[i][name] = value
    candidates[PLAIN] |= {"gpu": "h100-sxm-80gb", "model": "llama-2-70b"}
    candidates[11] |= {"batch": "max", "system": "li-8xh100", "interconnect": "nvlink4"}
    workload = {n: v for n, v in NUMBERS.items() if n in planner.registry.nodes}
    return Proposal.model_validate(
        {"title": "All functions", "workload": workload, "candidates": candidates, "results": functions}
    )
