"""Which profile belongs to a measurement: by engine, device vendor, version and date."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tokensheet.schema.profile import Profile

SPELLINGS = {
    "trt-llm": "tensorrt-llm",
    "trtllm": "tensorrt-llm",
    "tensorrt": "tensorrt-llm",
    "text-generation-inference": "tgi",
    "llamacpp": "llama.cpp",
    "llama-cpp": "llama.cpp",
    "ft": "fastertransformer",
    "faster-transformer": "fastertransformer",
    "mlc-llm": "mlc",
    "mlx-lm": "mlx",
    "huggingface": "transformers",
    "hf": "transformers",
    "hf-transformers": "transformers",
    "lm-deploy": "lmdeploy",
    "deepspeed": "deepspeed-mii",
    "deepspeed-fastgen": "deepspeed-mii",
    "vllm-rocm": "vllm",
    "vllm-ascend": "vllm",
    "vllm-v0": "vllm",
    "vllm-v1": "vllm",
    "llama-bench": "llama.cpp",
    "exllama-v2": "exllamav2",
    "lmstudio": "lm-studio",
}
ANY = "*"
_PREFIX = r"(?:(?:vllm|trt-?llm|tensorrt-?llm|sglang|version|release|rel)[ _/=:-]*)?v?"
_VERSION = re.compile(_PREFIX + r"(\d+)\.(\d+)(?:\.(\d+))?", re.IGNORECASE)
_YEARS = range(20, 100)
"""A version that starts so, such as `24.05`, is the month of a container's release; no engine counted so far."""
_DAY = re.compile(r"(20\d\d)[-/.]?(0[1-9]|1[0-2])(?:$|[-/. T]|\d\d\b)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Choice:
    """A profile, and whether it is only the nearest: fitted to another engine or period."""

    profile: Profile
    nearest: bool


def choose(
    profiles: Iterable[Profile], engine: str, version: str, date: str, vendor: str, metric: str
) -> Choice | None:
    """The profile of a stack; None where none fits at all.

    Args:
        profiles: all that there are
        engine: name of the serving engine, in any common spelling
        version: of the engine; its numbers count before the date
        date: `2024-05` or longer, or empty
        vendor: of the device
        metric: what was measured
    """
    name = engine.strip().lower().replace(" ", "-").replace("_", "-")
    name = SPELLINGS.get(name, name)
    found = [p for p in profiles if p.engines or p.stands_for]
    own = _narrowed([p for p in found if name in p.engines], vendor, metric)
    in_period = [p for p in own if _in_period(p, version, date)]
    if in_period:
        return Choice(_latest(in_period), False)
    if own and not any(p.since_version or p.below_version or p.until for p in own):
        return Choice(_latest(own), False)
    for word in (name, ANY):
        others = _narrowed([p for p in found if word in p.stands_for], vendor, metric)
        in_period = [p for p in others if _in_period(p, "", date)]
        if in_period:
            return Choice(_latest(in_period), True)
    if own:
        return Choice(_latest(own), True)
    return None


def _narrowed(found: list[Profile], vendor: str, metric: str) -> list[Profile]:
    """Those that serve the vendor; of these those for the metric, if any; of these those that name the vendor, if any."""
    found = [p for p in found if not p.vendors or vendor in p.vendors]
    found = [p for p in found if metric in p.metrics] or [p for p in found if not p.metrics] or found
    return [p for p in found if p.vendors] or found


def _in_period(profile: Profile, version: str, date: str) -> bool:
    numbers = _numbers(version)
    released = f"20{numbers[0] % 100}-{numbers[1]:02d}" if numbers and numbers[0] % 2000 in _YEARS else ""
    if numbers and not released and (profile.since_version or profile.below_version):
        late = not profile.since_version or numbers >= _numbers(profile.since_version)
        return late and (not profile.below_version or numbers < _numbers(profile.below_version))
    month = _month(date) or released
    if month:
        return profile.since <= month and (not profile.until or month <= profile.until)
    return not profile.until


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.match(version.strip())
    return tuple(int(n or 0) for n in found.groups()) if found else ()


def _month(date: str) -> str:
    """`2024-05` of a date in any usual spelling; the last month of a bare year; empty where no year stands."""
    day = _DAY.search(date)
    if day:
        return f"{day[1]}-{day[2]}"
    year = re.search(r"\b20\d\d\b", date)
    if not year:
        return ""
    named = next((i for i, m in enumerate(_MONTHS, 1) if re.search(rf"\b{m}", date.lower())), 12)
    return f"{year[0]}-{named:02d}"


def _latest(found: list[Profile]) -> Profile:
    return max(found, key=lambda p: (bool(p.calibrated_from), p.since, p.id))
