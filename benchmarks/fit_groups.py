"""Which profiles are fitted together, which assumptions move, and where their priors stand. A table, and no arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tokensheet.validation.fitting import Free
from tokensheet.validation.measurements import Measurement


@dataclass(frozen=True)
class Group:
    """Profiles that are fitted together, what may move, and what their rows cannot tell."""

    name: str
    profiles: tuple[str, ...]
    free: tuple[Free, ...]
    fixed: Mapping[str, float] = field(default_factory=dict)
    """Assumptions whose value differs from what the profiles set; for ablations."""


ARTICLE, ARTICLES_OF = "kipply 2022", "fastertransformer"
NVIDIA = ("vllm-2025", "tensorrt-llm-2025", "sglang-2025")
AMD = ("vllm-2025-rocm",)
SERVING = Group(
    "serving 2025",
    (*NVIDIA, *AMD),
    (
        Free("bandwidth_efficiency", 0.85, 0.15, 1, profiles=NVIDIA),
        # an MI300X streams some 4.2 of 5.3 TB/s and reaches 54 % of its peak in the best matrix products (AMD's "maximum
        # achievable FLOPs"); the rows, one model on eight devices, cannot tell either
        Free("bandwidth_efficiency", 0.75, 0.15, 1, profiles=AMD),
        Free("kv_bandwidth_efficiency", 0.6, 0.3, 1, shared=False),
        Free("prefill_compute_efficiency", 0.5, 0.2, 1, profiles=NVIDIA),
        Free("prefill_compute_efficiency", 0.38, 0.2, 1, profiles=AMD),
        Free("layer_overhead", 35e-6, 0.6, shared=False),
        Free("latent_layer_overhead", 40e-6, 0.7),
        Free("recurrent_layer_overhead", 50e-6, 0.7),
        Free("fp8_moe_layer_overhead", 10e-6, 1.0),
        Free("lowbit_moe_layer_overhead", 15e-6, 0.8, shared=False),
        Free("sequence_overhead", 20e-6, 0.7, shared=False),
        Free("message_latency_least", 5e-6, 0.5),
        Free("expert_compute_cost", 2.0, 0.4),
        Free("expert_imbalance", 1.3, 0.3),
    ),
)
EARLIER = Group(
    "cuda 2023 and 2024",
    ("vllm-2024", "vllm-2023", "tensorrt-llm-2024", "fastertransformer"),
    (
        Free("bandwidth_efficiency", 0.85, 0.15, 1),
        Free("kv_bandwidth_efficiency", 0.7, 0.4, 1),
        Free("prefill_compute_efficiency", 0.55, 0.2, 1, shared=False),
        Free("link_efficiency", 0.4, 0.4, 1, shared=False),
        Free("layer_overhead", 20e-6, 0.5, shared=False),
        Free("int4_read_efficiency", 0.7, 0.3, 1),
        Free("int8_read_efficiency", 0.8, 0.3, 1),
        Free("step_overhead", 1.5e-3, 0.8, shared=False),
        Free("sequence_overhead", 30e-6, 0.8, shared=False),
        Free("message_latency_least", 15e-6, 0.6, shared=False),
        Free("kv_reread_exponent", 0.3, 0.7, 1, False, ("vllm-2023", "vllm-2024", "tensorrt-llm-2024")),
        Free("prefill_overhead", 2e-3, 1.0, profiles=(ARTICLES_OF,)),
    ),
)
ROCM = Group(
    "rocm 2024",
    ("vllm-2024-rocm",),
    (
        Free("bandwidth_efficiency", 0.6, 0.3, 1),
        Free("kv_bandwidth_efficiency", 0.3, 0.6, 1),
        Free("compute_efficiency", 0.2, 0.6, 1),
        Free("prefill_compute_efficiency", 0.4, 0.4, 1),
        Free("link_efficiency", 0.4, 0.5, 1),
        Free("step_overhead", 2e-3, 0.8),
        Free("sequence_overhead", 30e-6, 0.8),
        Free("message_latency_least", 20e-6, 0.6),
        Free("kv_reread_exponent", 0.6, 0.4, 1),
    ),
)
LOCAL = Group(
    "llama.cpp",
    ("llama.cpp",),
    (
        Free("bandwidth_efficiency", 0.6, 0.3, 1),
        Free("kv_bandwidth_efficiency", 0.4, 0.5, 1),
        Free("compute_efficiency", 0.15, 0.6, 1),
        Free("prefill_compute_efficiency", 0.3, 0.4, 1),
        Free("layer_overhead", 30e-6, 0.7),
        Free("moe_layer_overhead", 30e-6, 0.7),
        Free("bandwidth_falloff", 0.3, 0.7, 1),
        Free("compute_falloff", 0.3, 0.7, 1),
    ),
)
PYTHON = Group(
    "llama-cpp-python",
    ("llama.cpp-python-2024", "llama.cpp-python-2024-rocm"),
    (
        Free("bandwidth_efficiency", 0.5, 0.4, 1, shared=False),
        Free("kv_bandwidth_efficiency", 0.4, 0.5, 1),
        Free("prefill_compute_efficiency", 0.4, 0.4, 1),
        Free("layer_overhead", 30e-6, 0.7),
        Free("step_overhead", 5e-3, 0.8, shared=False),
        Free("expert_bandwidth_efficiency", 0.7, 0.4, 1.3),
        Free("layer_split_gain", 0.2, 0.7, 1, shared=False),
    ),
)
GROUPS = (SERVING, EARLIER, ROCM, LOCAL, PYTHON)
MIDDLE = NVIDIA
"""The default is their geometric middle."""
BORROWED = ("latent_layer_overhead", "recurrent_layer_overhead")
BORROWERS = ("vllm-2023", "vllm-2024", "tensorrt-llm-2024", "vllm-2024-rocm", "fastertransformer")
"""No row of theirs has such layers: taken over from the engines of 2025."""
SINGLE = {"fastertransformer", "vllm-2025-rocm"}
"""Profiles with one or two combinations: folded by devices and batch."""
ARTICLES_WEIGHT = 30.0
"""Of each of the article's four points: no further from any of them than 5 %."""


def articles() -> list[Measurement]:
    """kipply 2022, benchmark comparison: 13B in FasterTransformer on one and two A100."""
    points = (("tpot_s", 1, 0.0220), ("tpot_s", 2, 0.0135), ("ttft_s", 1, 0.06317), ("ttft_s", 2, 0.04545))
    return [
        Measurement(
            id=f"article-{i}",
            source=ARTICLE,
            engine=ARTICLES_OF,
            engine_version="",
            date="2022-03",
            model="classic-13b",
            accelerator="a100-sxm-40gb",
            gpus=gpus,
            tp=gpus,
            pp=1,
            weights="bf16",
            kv="bf16",
            batch=1,
            prompt=512,
            output=1,
            depth=0,
            metric=metric,
            value=value,
        )
        for i, (metric, gpus, value) in enumerate(points)
    ]
