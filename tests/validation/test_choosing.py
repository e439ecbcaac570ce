"""Which profile a stack gets: a table of engines, versions, dates and devices."""

from __future__ import annotations

import pytest

import tokensheet
from tokensheet.validation.choosing import choose
from tokensheet.validation.evaluating import profiles

KNOWN = profiles(tokensheet.planner())


@pytest.mark.parametrize(
    ("engine", "version", "date", "vendor", "metric", "wanted", "nearest"),
    [
        ("vllm", "0.3.3", "", "NVIDIA", "tpot_s", "vllm-2023", False),
        ("vllm", "0.4.2", "", "NVIDIA", "tpot_s", "vllm-2023", False),
        ("vllm", "0.4.3", "", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm", "v0.7.3", "2025-09", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vLLM", "0.8.0", "", "NVIDIA", "e2e_s", "vllm-2025", False),
        ("vllm", "0.19.1rc1.dev339+gedc364896", "", "NVIDIA", "tpot_s", "vllm-2025", False),
        ("vllm", "", "2024-04-30", "NVIDIA", "tpot_s", "vllm-2023", False),
        ("vllm", "", "2024-05-31", "NVIDIA", "tpot_s", "vllm-2023", False),
        ("vllm", "", "2024-06-01", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm", "nightly-5b8c30d6", "2025-12", "NVIDIA", "tpot_s", "vllm-2025", False),
        ("vllm", "", "", "NVIDIA", "tpot_s", "vllm-2025", False),
        ("vllm", "", "2022-01", "NVIDIA", "tpot_s", "fastertransformer", True),
        ("vllm", "0.6.3", "", "AMD", "e2e_s", "vllm-2024-rocm", False),
        ("vllm", "0.7.3 / ROCm 6.3.1", "", "AMD", "e2e_s", "vllm-2025-rocm", False),
        ("vllm", "", "2025-07-18", "AMD", "e2e_s", "vllm-2024-rocm", False),
        ("TRT-LLM", "0.9.0", "", "NVIDIA", "ttft_s", "tensorrt-llm-2024", False),
        ("tensorrt-llm", "1.2.0rc6.post1", "", "NVIDIA", "tpot_s", "tensorrt-llm-2025", False),
        ("sglang", "0.5.9", "", "NVIDIA", "tpot_s", "sglang-2025", False),
        ("sglang", "0.2.0", "2024-08", "NVIDIA", "tpot_s", "vllm-2024", True),
        ("sglang", "0.5.9", "2026-02", "AMD", "tpot_s", "vllm-2025-rocm", True),
        ("vllm", "vllm-0.6.2", "", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm", "0.5", "", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm", "main", "2024-11-02", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm", "", "2024", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm", "", "Nov 2023", "NVIDIA", "tpot_s", "vllm-2023", False),
        ("vllm", "", "2024/11/02", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm", "", "20250901", "NVIDIA", "tpot_s", "vllm-2025", False),
        ("vllm", "24.05", "", "NVIDIA", "tpot_s", "vllm-2023", False),
        ("vllm", "2024.10", "", "NVIDIA", "tpot_s", "vllm-2024", False),
        ("vllm-ascend", "0.9.1", "", "Huawei", "tpot_s", "vllm-2025", False),
        ("tensorrt_llm", "0.15.0.dev2024110500", "", "NVIDIA", "tpot_s", "tensorrt-llm-2024", False),
        ("llama.cpp", "build 7941", "", "Apple", "tpot_s", "llama.cpp-metal", False),
        ("llama.cpp", "", "", "Apple", "e2e_s", "llama.cpp-metal", False),
        ("llama_cpp", "", "", "NVIDIA", "tpot_s", "llama.cpp", False),
        ("llama.cpp", "", "2025-03", "AMD", "tpot_s", "llama.cpp", False),
        ("llama.cpp", "", "2025-03", "AMD", "e2e_s", "llama.cpp-python-2024-rocm", False),
        ("llama.cpp", "", "2025-07-18", "NVIDIA", "e2e_s", "llama.cpp-python-2024", False),
        ("llama-cpp-python", "", "", "AMD", "tpot_s", "llama.cpp-python-2024-rocm", False),
        ("ollama", "", "", "Apple", "tpot_s", "llama.cpp-metal", True),
        ("ollama", "", "", "NVIDIA", "e2e_s", "llama.cpp", True),
        ("mlx", "", "2026-01", "Apple", "ttft_s", "llama.cpp-metal", True),
        ("fastertransformer", "", "2023-03-28", "NVIDIA", "e2e_s", "fastertransformer", False),
        ("lmdeploy", "", "2024-06", "NVIDIA", "tpot_s", "tensorrt-llm-2024", True),
        ("tgi", "", "2024-06", "NVIDIA", "tpot_s", "vllm-2024", True),
        ("tgi", "", "", "NVIDIA", "tpot_s", "default", True),
        ("an engine of one's own", "", "", "NVIDIA", "tpot_s", "default", True),
        ("an engine of one's own", "", "", "AMD", "tpot_s", "vllm-2025-rocm", True),
        ("an engine of one's own", "", "2022-03", "NVIDIA", "tpot_s", "fastertransformer", True),
        ("an engine of one's own", "", "2023-11", "NVIDIA", "tpot_s", "vllm-2023", True),
        ("an engine of one's own", "", "2024-11", "NVIDIA", "tpot_s", "vllm-2024", True),
        ("an engine of one's own", "", "2024-11", "AMD", "tpot_s", "vllm-2024-rocm", True),
        ("an engine of one's own", "", "2026-01", "NVIDIA", "tpot_s", "default", True),
        ("mlc-llm", "", "2024-05", "AMD", "tpot_s", "llama.cpp", True),
    ],
)
def test_the_profile_of_a_stack(
    engine: str, version: str, date: str, vendor: str, metric: str, wanted: str, nearest: bool
) -> None:
    """The engine's own by version, else by date, else the latest; for others the nearest, which says so."""
    found = choose(KNOWN, engine, version, date, vendor, metric)
    assert found is not None
    assert (found.profile.id, found.nearest) == (wanted, nearest)


def test_a_profile_of_a_person_is_chosen_like_the_others() -> None:
    """One fitted to an engine of its own is found by its name."""
    mine = KNOWN[0].model_copy(update={"id": "mine", "engines": ("house",), "stands_for": ()})
    found = choose([*KNOWN, mine], "house", "", "", "NVIDIA", "tpot_s")
    assert found is not None
    assert (found.profile.id, found.nearest) == ("mine", False)


def test_without_profiles_there_is_none() -> None:
    """Nothing is made up."""
    assert choose([], "vllm", "", "", "NVIDIA", "tpot_s") is None
