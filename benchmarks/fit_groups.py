"""Which profiles are fitted together, which assumptions move, and where their priors stand. A table, and no arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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

    def about(self, found: Mapping[str, Mapping[str, float]]) -> tuple[Free, ...]:
        """What may move, with priors about what was found for profiles of groups before: these do not hear of it."""
        return tuple(
            replace(f, start=f.start * found[f.about][f.name], about="")
            if f.about and f.about not in self.profiles
            else f
            for f in self.free
        )


ARTICLE, ARTICLES_OF = "kipply 2022", "fastertransformer"
NVIDIA = ("vllm-2025", "tensorrt-llm-2025", "sglang-2025")
AMD = ("vllm-2025-rocm",)
POOLED, CLOSE = 0.5, 0.25
"""How far engines part from their common middle, as a share of how far that may move: of 1, 0.7, 0.5, 0.35, 0.25 and 0.2
those with which sources that are left out are met best and pairs no worse. Layers' launches part least."""
SERVING = Group(
    "serving 2025",
    NVIDIA,
    (
        Free("bandwidth_efficiency", 0.85, 0.15, 1),
        Free("kv_bandwidth_efficiency", 0.6, 0.3, 1, shared=False, pooled=POOLED),
        Free("prefill_compute_efficiency", 0.5, 0.2, 1),
        Free("layer_overhead", 35e-6, 0.6, shared=False, pooled=CLOSE),
        Free("latent_layer_overhead", 40e-6, 0.7),
        Free("recurrent_layer_overhead", 50e-6, 0.7),
        Free("fp8_moe_layer_overhead", 10e-6, 1.0),
        Free("lowbit_moe_layer_overhead", 15e-6, 0.8, shared=False, pooled=POOLED),
        Free("sequence_overhead", 20e-6, 0.7, shared=False, pooled=POOLED),
        Free("message_latency_least", 5e-6, 0.5),
        Free("expert_compute_cost", 2.0, 0.4),
        Free("expert_imbalance", 1.3, 0.3),
    ),
)
SERVING_AMD = Group(
    "rocm 2025",
    AMD,
    (
        # an MI300X streams some 4.2 of 5.3 TB/s and reaches 54 % of its peak in the best matrix products (AMD's "maximum
        # achievable FLOPs"); the rows, one model on eight devices, cannot tell either
        Free("bandwidth_efficiency", 0.75, 0.15, 1),
        Free("kv_bandwidth_efficiency", 0.6, 0.3, 1),
        Free("prefill_compute_efficiency", 0.38, 0.2, 1),
        # one engine's launches, scheduler and sampler, whatever the device
        Free("layer_overhead", 1, 0.6, about="vllm-2025"),
        Free("sequence_overhead", 1, 0.6, about="vllm-2025"),
        Free("message_latency_least", 1, 0.5, about="vllm-2025"),
    ),
)
VLLM = ("vllm-2023", "vllm-2024")
OTHERS = ("tensorrt-llm-2024", "fastertransformer")
EARLIER = Group(
    "cuda 2023 and 2024",
    ("vllm-2024", "vllm-2023", *OTHERS),
    (
        Free("bandwidth_efficiency", 0.85, 0.15, 1),
        Free("kv_bandwidth_efficiency", 0.7, 0.4, 1),
        Free("prefill_compute_efficiency", 0.55, 0.2, 1, shared=False),
        Free("link_efficiency", 0.4, 0.4, 1, shared=False),
        Free("layer_overhead", 20e-6, 0.5, shared=False),
        Free("int4_read_efficiency", 0.7, 0.3, 1),
        Free("int8_read_efficiency", 0.8, 0.3, 1),
        Free("step_overhead", 1.5e-3, 0.8, shared=False, profiles=VLLM, pooled=POOLED),
        Free("step_overhead", 1.5e-3, 0.8, shared=False, profiles=OTHERS),
        Free("sequence_overhead", 30e-6, 0.8, shared=False, profiles=VLLM, pooled=POOLED),
        Free("sequence_overhead", 30e-6, 0.8, shared=False, profiles=OTHERS),
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
        Free("step_overhead", 1, 0.6, about="vllm-2024"),
        Free("sequence_overhead", 1, 0.6, about="vllm-2024"),
        Free("message_latency_least", 20e-6, 0.6),
        Free("kv_reread_exponent", 0.6, 0.4, 1),
    ),
)
METAL = ("llama.cpp-metal",)
KERNELS = ("llama.cpp",)
LOCAL = Group(
    "llama.cpp",
    (*KERNELS, *METAL),
    (
        # Metal's kernels and CUDA's are different programs; what a device is to them (falloff) and the rest is shared
        Free("bandwidth_efficiency", 0.6, 0.3, 1, profiles=KERNELS),
        Free("bandwidth_efficiency", 1, 0.5, 1, profiles=METAL, about="llama.cpp"),
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
GROUPS = (SERVING, SERVING_AMD, EARLIER, ROCM, LOCAL, PYTHON)
"""In order: one whose priors lie about another's numbers comes behind it."""
MIDDLE = NVIDIA
"""The default is their geometric middle."""
_LAYERS = ("latent_layer_overhead", "recurrent_layer_overhead")
_EXPERTS = ("fp8_moe_layer_overhead", "lowbit_moe_layer_overhead", "expert_compute_cost", "expert_imbalance")
BORROWED: Mapping[str, tuple[str, ...]] = {
    "vllm-2023": _LAYERS,
    "vllm-2024": _LAYERS,
    "tensorrt-llm-2024": _LAYERS,
    "vllm-2024-rocm": _LAYERS,
    "fastertransformer": _LAYERS,
    "vllm-2025-rocm": (*_LAYERS, *_EXPERTS),
}
"""No row of theirs has such layers: taken over from `vllm-2025`."""
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
