"""Profiles of serving engines, one for each engine and release period that measurements tell apart.

`fitted.py` holds what measurements moved; here stands what was set: by physics, by a prior that no row contradicts,
or because rows are labelled so. docs/accuracy.md shows each value, its meaning and what it is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokensheet.plugin import Profile
from tokensheet_inference import fitted

SOURCE = "fitted to public measurements; method, errors and limits in docs/accuracy.md"

BUS: Mapping[str, float] = {"bus_link_efficiency": 0.785, "bus_falloff": 0.758}
"""On the host's bus without a switch devices share out as L40S and RTX PRO 6000 do in nccl-tests."""

ALWAYS: Mapping[str, float] = {
    "messages_per_layer": 2,
    "message_mode": 2,
    "stage_latency_least": 10e-6,
    "node_link_bandwidth": 200e9,
    "link_efficiency": 0.7,
    **BUS,
    "attention_flops_counted": 1,
    "uneven_sharding": 0,
    "memory_reserve": 0.1,
    "runtime_bytes": 2e9,
    "activation_tokens": 0,
    "share_cap": 0.95,
    "stage_mode": 1,
    "prefill_share": 0,
    "compute_efficiency": 0.65,
}
"""Set in every profile. Between stages: nccl-tests of 512 bytes between two devices take 6 to 11 µs. A node has eight
cards of 25 GB/s. 0.9 of the memory is what engines take by default, of which the runtime uses about 2 GB a device."""

SERVED: Mapping[str, float] = {
    "prefill_share": 1,
    "int4_read_efficiency": 0.8,
    "step_overhead": 2e-4,
}
"""Engines since 2025: a decode step waits for whole prefills of other requests; a step's own time is a prior."""

LAYERS: Mapping[str, float] = {
    "stage_mode": 2,
    "layer_split": 1,
    "sequence_overhead": 10e-6,
}
"""llama.cpp and what is built on it: devices hold layers and work in turn, reading and computing add."""


@dataclass(frozen=True)
class Stack:
    """What a profile is fitted to, besides its values: fields of `Profile`, and the assumptions that were set."""

    id: str
    name: str
    engines: tuple[str, ...]
    since: str = ""
    until: str = ""
    since_version: str = ""
    below_version: str = ""
    vendors: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    stands_for: tuple[str, ...] = ()
    served_kv: str = ""
    formats: tuple[tuple[str, str], ...] = ()
    set_values: tuple[Mapping[str, float], ...] = ()


_WEIGHT_ONLY = (("int8", "int8-w8a16"),)
_AMD = ("AMD",)
ANY = "*"
"""Stands for engines that nobody measured; of several, the one whose period is that of the measurement."""
_LLAMA_LIKE = (
    "ollama",
    "mlx",
    "exllama",
    "exllamav2",
    "exllamav3",
    "koboldcpp",
    "lm-studio",
    "llamafile",
    "mlc",
)
_OLD_SERVERS = ("sglang", "tgi", "deepspeed-mii", "lightllm", "ctranslate2", "transformers", ANY)

# vLLM reads decode attention by kernels of flash-attention from 0.4.3, by its own paged kernels before and on ROCm.
STACKS = (
    Stack(
        "vllm-2023",
        "vLLM before 0.4.3",
        ("vllm",),
        "2023-06",
        "2024-05",
        "",
        "0.4.3",
        stands_for=(ANY,),
        formats=_WEIGHT_ONLY,
    ),
    Stack(
        "vllm-2024",
        "vLLM 0.4.3 to 0.7",
        ("vllm",),
        "2024-06",
        "2025-07",
        "0.4.3",
        "0.8",
        stands_for=_OLD_SERVERS,
        formats=_WEIGHT_ONLY,
    ),
    Stack(
        "tensorrt-llm-2024",
        "TensorRT-LLM before 0.17",
        ("tensorrt-llm",),
        "2023-10",
        "2025-07",
        "",
        "0.17",
        stands_for=("lmdeploy",),
        formats=_WEIGHT_ONLY,
    ),
    Stack(
        "fastertransformer",
        "FasterTransformer",
        ("fastertransformer",),
        "2021-01",
        "2024-06",
        stands_for=(ANY,),
        formats=_WEIGHT_ONLY,
    ),
    Stack(
        "vllm-2024-rocm",
        "vLLM before 0.6.4 on ROCm",
        ("vllm",),
        "2024-01",
        "2025-07",
        "",
        "0.6.4",
        vendors=_AMD,
        stands_for=_OLD_SERVERS,
        formats=_WEIGHT_ONLY,
        set_values=({"compute_falloff": 1, "layer_overhead": 15e-6},),
    ),
    Stack(
        "vllm-2025",
        "vLLM from 0.8 (V1)",
        ("vllm",),
        "2025-08",
        since_version="0.8",
        served_kv="fp8",
        set_values=(SERVED,),
    ),
    Stack(
        "tensorrt-llm-2025",
        "TensorRT-LLM from 0.17",
        ("tensorrt-llm",),
        "2025-08",
        since_version="0.17",
        served_kv="fp8",
        set_values=(SERVED,),
    ),
    Stack(
        "sglang-2025",
        "SGLang from 0.3",
        ("sglang",),
        "2024-10",
        since_version="0.3",
        vendors=("NVIDIA",),
        served_kv="fp8",
        set_values=(SERVED,),
    ),
    Stack(
        "vllm-2025-rocm",
        "vLLM from 0.6.4 on ROCm",
        ("vllm",),
        "2025-08",
        since_version="0.6.4",
        vendors=_AMD,
        stands_for=(ANY,),
        served_kv="fp8",
        set_values=(SERVED,),
    ),
    Stack(
        "llama.cpp",
        "llama.cpp",
        ("llama.cpp",),
        "2024-01",
        metrics=("tpot_s", "ttft_s"),
        stands_for=_LLAMA_LIKE,
        formats=(("mxfp4", "gguf-mxfp4"),),
        set_values=(LAYERS, {"integer_compute": 1, "step_overhead": 1e-4}),
    ),
    Stack(
        "llama.cpp-metal",
        "llama.cpp on Apple's devices",
        ("llama.cpp",),
        "2024-01",
        vendors=("Apple",),
        metrics=("tpot_s", "ttft_s", "e2e_s"),
        stands_for=_LLAMA_LIKE,
        formats=(("mxfp4", "gguf-mxfp4"),),
        set_values=(LAYERS, {"integer_compute": 1, "step_overhead": 1e-4}),
    ),
    Stack(
        "llama.cpp-python-2024",
        "llama-cpp-python of 2024",
        ("llama-cpp-python", "llama.cpp"),
        "2023-08",
        metrics=("e2e_s",),
        formats=(("mxfp4", "gguf-mxfp4"),),
        set_values=(LAYERS, {"compute_efficiency": 0.2, "moe_layer_overhead": 60e-6}),
    ),
    Stack(
        "llama.cpp-python-2024-rocm",
        "llama-cpp-python of 2024 on ROCm",
        ("llama-cpp-python", "llama.cpp"),
        "2023-08",
        vendors=_AMD,
        metrics=("e2e_s",),
        formats=(("mxfp4", "gguf-mxfp4"),),
        set_values=(LAYERS, {"compute_efficiency": 0.2, "moe_layer_overhead": 60e-6}),
    ),
)

DEFAULT_STACK = Stack(
    "default",
    "Default: a serving engine of 2025",
    (),
    stands_for=(ANY,),
    served_kv="fp8",
    set_values=(SERVED, {"memory_reserve": 0.065, "activation_tokens": 8192, "runtime_bytes": 0}),
)


def set_by_hand(stack: Stack) -> dict[str, float]:
    """The assumptions of a stack that no measurement moved."""
    found = dict(ALWAYS)
    for values in stack.set_values:
        found |= values
    return found


def profile(stack: Stack) -> Profile:
    """The record of a stack."""
    moved = fitted.VALUES[stack.id]
    return Profile(
        id=stack.id,
        name=stack.name,
        values={**set_by_hand(stack), **moved},
        fitted_to=fitted.FITTED_TO[stack.id],
        source=SOURCE,
        engines=stack.engines,
        stands_for=stack.stands_for,
        vendors=stack.vendors,
        metrics=stack.metrics,
        since=stack.since,
        until=stack.until,
        since_version=stack.since_version,
        below_version=stack.below_version,
        formats=dict(stack.formats),
        served_kv=stack.served_kv,
        measured=fitted.MEASURED[stack.id],
        fitted=fitted.FITTED[stack.id],
    )


def profiles() -> list[Profile]:
    """One profile of each stack."""
    return [profile(stack) for stack in STACKS]
