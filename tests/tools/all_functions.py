"""A proposal that asks much: many functions in cells, for twelve candidates with every kind of input."""

from __future__ import annotations

from collections.abc import Sequence

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


FUNCTIONS = (
    "kv_bytes", "decode_latency", "decode_memory_time", "decode_compute_time", "decode_stage_time",
    "tokens_per_second", "tokens_per_second_per_user", "tokens_per_dollar", "usd_per_million_tokens",
    "cost_per_hour", "api_tokens_per_dollar", "kv_bytes_per_token", "weight_bytes", "flops_per_token",
    "kv_flops_per_token", "activation_bytes", "memory_bytes", "kv_flops_saved", "fits", "memory_per_device",
    "gpus_needed", "kv_capacity_tokens", "max_batch", "max_context", "kv_crossover_batch", "ridge_batch",
    "comm_ridge", "tp_comm_time", "tp_comm_latency_time", "tp_comm_transfer_time", "pp_comm_time", "pp_comm_bytes",
    "prefill_compute_time", "prefill_latency", "request_latency", "matmul_time",
)  # fmt: skip
"""The functions that planners use most."""


def every_function(planner: Planner) -> Sequence[str]:
    """All formulas that are functions in cells."""
    return [n for n, f in planner.registry.formulas().items() if f.cell is not None]


def everything(planner: Planner, functions: Sequence[str] = FUNCTIONS, count: int = 12) -> Proposal:
    """Functions as results of the last of twelve candidates, every kind of pin among all of them."""
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
        {
            "title": "Functions",
            "template": "one-page",  # variants repeat the calculation; tests of their own look at them
            "workload": workload,
            "candidates": candidates[-count:],
            "results": functions,
        }
    )
