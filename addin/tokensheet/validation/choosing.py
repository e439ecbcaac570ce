"""Which profile belongs to a measurement: by engine, device vendor, version and date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
    "vllm-rocm": "vllm",
}
ANY = "*"


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
    name = engine.strip().lower().replace(" ", "-")
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
    found = _or_all(found, lambda p: vendor in p.vendors, lambda p: not p.vendors)
    return _or_all(found, lambda p: metric in p.metrics, lambda p: not p.metrics) or found


def _or_all(
    found: list[Profile], stated: Callable[[Profile], bool], silent: Callable[[Profile], bool]
) -> list[Profile]:
    return [p for p in found if stated(p)] or [p for p in found if silent(p)]


def _in_period(profile: Profile, version: str, date: str) -> bool:
    numbers = _numbers(version)
    if numbers and (profile.since_version or profile.below_version):
        late = not profile.since_version or numbers >= _numbers(profile.since_version)
        return late and (not profile.below_version or numbers < _numbers(profile.below_version))
    month = date[:7] if re.match(r"20\d\d-\d\d", date) else ""
    if month:
        return profile.since <= month and (not profile.until or month <= profile.until)
    return not profile.until


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"v?(\d+)\.(\d+)(?:\.(\d+))?", version.strip())
    return tuple(int(n or 0) for n in found.groups()) if found else ()


def _latest(found: list[Profile]) -> Profile:
    return max(found, key=lambda p: (bool(p.calibrated_from), p.since, p.id))
