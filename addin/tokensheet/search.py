"""The challenge: which hardware serves a load cheapest, or fastest for its cost.

All candidates are answered by array calls of the same graph that answers a cell; nothing is modelled
a second time. A candidate is a device, a count, a way to share it, formats, a link and a batch.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokensheet.arguments import number
from tokensheet.arrays import Ids, evaluate_array
from tokensheet.errors import ArgumentError, TokensheetError, hint
from tokensheet.interpret import Failure
from tokensheet.planning import Planner
from tokensheet.schema.accelerator import Accelerator
from tokensheet.schema.price import Price

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LATENCY, RATE, COST, REPLICAS = "decode_latency", "tokens_per_second", "cost_for_rate", "replicas_for_rate"
OUTPUTS = (LATENCY, RATE, COST, REPLICAS)
LARGEST_SPACE = 5_000_000


@dataclass(frozen=True)
class Space:
    """What may be chosen. Every combination is a candidate, except splits that do not divide the count.

    Args:
        gpus: ids of devices; with `rent`, only those that have a rent on record
        counts: devices of a replica
        batches: sequences in flight
        weights: formats of the weights
        kv: formats of the cache
        interconnects: links; None is the device's own
        pipelines: pipeline stages tried
        groups: attention groups (dp) tried
    """

    gpus: tuple[str, ...]
    counts: tuple[int, ...] = (1, 2, 4, 8)
    batches: tuple[float, ...] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
    weights: tuple[str, ...] = ("bf16",)
    kv: tuple[str, ...] = ("bf16",)
    interconnects: tuple[str | None, ...] = (None,)
    pipelines: tuple[int, ...] = (1, 2, 4, 8)
    groups: tuple[int, ...] = (1,)


@dataclass(frozen=True)
class Limits:
    """What a plan must hold; None is no limit."""

    max_latency: float | None = None
    min_tokens_per_second: float | None = None
    max_cost_per_hour: float | None = None


@dataclass(frozen=True)
class Choice:
    """One candidate with its results."""

    gpu: str
    gpus: int
    tp: int
    pp: int
    dp: int
    batch: float
    weights: str
    kv: str
    interconnect: str | None
    latency: float
    tokens_per_second: float
    replicas: float
    cost_per_hour: float


@dataclass(frozen=True)
class Rejected:
    """Why candidates are out: how many, and one of them in full."""

    reason: str
    count: int
    example: str


@dataclass(frozen=True)
class Found:
    """The best first, the plans that nothing beats in both latency and cost, and why others are out."""

    best: tuple[Choice, ...]
    front: tuple[Choice, ...]
    rejected: tuple[Rejected, ...]
    candidates: int
    sound: int


@dataclass
class _Grid:
    """Candidates as columns."""

    columns: dict[str, Any]
    size: int


def search(
    planner: Planner,
    given: Mapping[str, Any],
    space: Space,
    limits: Limits,
    goal: str = "cost",
    count: int = 10,
    rents: Mapping[str, float] | None = None,
) -> Found:
    """The best plans of a space.

    Args:
        planner: answers the candidates
        given: what all candidates share: model, context, assumptions
        space: what may be chosen
        limits: what a plan must hold
        goal: `cost` for the cheapest, `latency` for the fastest
        count: how many to give
        rents: device → dollars an hour; owned machines when it is None

    Raises:
        TokensheetError: a name is not known, the space is empty or too large.
    """
    import numpy as np

    if goal not in {"cost", "latency"}:
        raise ArgumentError(f"goal is {goal!r}; write cost or latency")
    _check(planner, given, space, limits, count)
    grid = _grid(space)
    if not grid.size:
        raise ArgumentError("no candidate: no split divides the counts given; add counts or stages")
    if grid.size > LARGEST_SPACE:
        raise ArgumentError(
            f"{grid.size:,} candidates; at most {LARGEST_SPACE:,}: leave out devices, counts or batches"
        )
    arguments = {**given, **grid.columns}
    if rents is not None:
        known = np.array([rents.get(g, np.nan) for g in space.gpus])
        arguments["rent_per_gpu_hour"] = known[grid.columns["gpu"].codes]
    arguments["wanted_tokens_per_second"] = limits.min_tokens_per_second or 0.0
    answers = evaluate_array(planner.questions, OUTPUTS, arguments, planner.one)
    latency, rate, cost, replicas = (a.values for a in answers)
    ok = np.isfinite(latency) & np.isfinite(cost)
    late = (
        ok & (latency > limits.max_latency) if limits.max_latency is not None else np.zeros(grid.size, bool)
    )
    dear = (
        ok & ~late & (cost > limits.max_cost_per_hour)
        if limits.max_cost_per_hour is not None
        else np.zeros(grid.size, bool)
    )
    sound = ok & ~late & ~dear

    def choice(i: int) -> Choice:
        at = {k: v[i] for k, v in grid.columns.items()}
        tp = at["gpus"] / (at["pp"] * at["dp"])
        return Choice(
            gpu=at["gpu"],
            gpus=int(at["gpus"]),
            tp=int(tp),
            pp=int(at["pp"]),
            dp=int(at["dp"]),
            batch=float(at["batch"]),
            weights=at["weights"],
            kv=at["kv"],
            interconnect=at["interconnect"],
            latency=float(latency[i]),
            tokens_per_second=float(rate[i]),
            replicas=float(replicas[i]),
            cost_per_hour=float(cost[i]),
        )

    order = np.flatnonzero(sound)
    per_token = cost / (rate * replicas)
    # without a wanted rate the cheapest is what makes tokens cheapest, not the smallest machine
    price = per_token if limits.min_tokens_per_second is None else cost
    keys = (latency, per_token, price) if goal == "cost" else (per_token, price, latency)
    order = order[np.lexsort(tuple(k[order] for k in keys))]
    rejected = []
    for mask, why in (
        (late, f"slower than {limits.max_latency} s a token"),
        (dear, f"dearer than {limits.max_cost_per_hour} dollars an hour"),
    ):
        if mask.any():
            i = int(np.flatnonzero(mask)[0])
            rejected.append(Rejected(why, int(mask.sum()), _named(choice(i))))
    rejected += _failures(~ok, latency, answers, choice)
    return Found(
        tuple(choice(int(i)) for i in order[:count]),
        tuple(choice(int(i)) for i in _front(latency, cost, sound)),
        tuple(rejected),
        grid.size,
        int(sound.sum()),
    )


def _check(planner: Planner, given: Mapping[str, Any], space: Space, limits: Limits, count: int) -> None:
    """Refuses what no candidate could be answered for: unknown ids and names, numbers out of range.

    Raises:
        TokensheetError: one line says what.
    """
    registry = planner.registry
    for kind, ids in (("format", (*space.weights, *space.kv)), ("link", filter(None, space.interconnects))):
        for id in ids:
            registry.catalog(kind).find(id)
    if count < 1:
        raise ArgumentError(f"count is {count}; it must be at least 1")
    for name, value in vars(limits).items():
        if value is not None and not value > 0:
            raise ArgumentError(f"{name} is {value:g}; it must be above 0")
    numbers: dict[str, float] = {}
    for name, value in given.items():
        if name in registry.roles:
            registry.catalog(registry.roles[name].kind).find(str(value))
            continue
        problem = planner.unknown(name)
        found = number(name, value)
        if problem or isinstance(found, Failure):
            raise (problem or found).error()  # type: ignore[union-attr]
        if found is not None:
            numbers[name] = found
    for name, values in (
        ("batch", space.batches),
        ("gpus", space.counts),
        ("pp", space.pipelines),
        ("dp", space.groups),
    ):
        for value in values:
            if failure := planner.out_of_range({name: float(value)}):
                raise failure.error()
    if failure := planner.out_of_range(numbers):
        raise failure.error()


def _grid(space: Space) -> _Grid:
    """All combinations, each column an array; ids as object arrays."""
    import numpy as np

    splits = [
        (c, p, d)
        for c, p, d in itertools.product(space.counts, space.pipelines, space.groups)
        if c % (p * d) == 0
    ]
    axes = [
        len(space.gpus),
        len(splits),
        len(space.batches),
        len(space.weights),
        len(space.kv),
        len(space.interconnects),
    ]
    size = int(np.prod(axes, dtype=np.int64))
    if size > LARGEST_SPACE or not size:
        return _Grid({}, size)
    index = np.indices(axes).reshape(len(axes), -1)
    device, split, batch, weights, kv, link = index
    split_table = np.array(splits, dtype=float)
    columns: dict[str, Any] = {
        "gpu": Ids(space.gpus, device),
        "weights": Ids(space.weights, weights),
        "kv": Ids(space.kv, kv),
        "interconnect": Ids(space.interconnects, link),
        "gpus": split_table[split, 0],
        "pp": split_table[split, 1],
        "dp": split_table[split, 2],
        "batch": np.array(space.batches, dtype=float)[batch],
    }
    return _Grid(columns, size)


def _failures(out: NDArray[np.bool_], latency: Any, answers: Sequence[Any], choice: Any) -> list[Rejected]:
    """Candidates without an answer, by the kind of reason; a sample of them is asked why."""
    import numpy as np

    rows = np.flatnonzero(out)
    kinds: dict[str, list[int]] = {}
    texts: dict[str, str] = {}
    step = max(1, len(rows) // 200)
    for i in rows[::step].tolist():
        answer = answers[0] if np.isnan(latency[i]) else answers[2]
        failure: Failure = answer.failure(i)
        kind = _kind(failure.reason)
        kinds.setdefault(kind, []).append(i)
        texts.setdefault(kind, failure.reason)
    scale = len(rows) / max(1, sum(map(len, kinds.values())))
    return [Rejected(kind, round(len(found) * scale), texts[kind]) for kind, found in kinds.items()]


def _kind(reason: str) -> str:
    for word, kind in (
        ("does not fit", "does not fit"),
        ("does not divide", "tp does not divide the heads"),
        (" states no ", "a fact is missing"),
    ):
        if word in reason:
            return kind
    return "not given" if "not given" in reason else "no answer"


def _front(latency: Any, cost: Any, sound: Any) -> list[int]:
    """Candidates that no other beats in latency and cost together, fastest first."""
    import numpy as np

    rows = np.flatnonzero(sound)
    rows = rows[np.lexsort((cost[rows], latency[rows]))]
    best, front = np.inf, []
    for i, c in zip(rows.tolist(), cost[rows].tolist(), strict=True):
        if c < best:
            best = c
            front.append(i)
    return front


def _named(c: Choice) -> str:
    return f"{c.gpus} × {c.gpu}, tp {c.tp}, pp {c.pp}, batch {c.batch:g}: {c.latency * 1000:.4g} ms, {c.cost_per_hour:.4g} dollars an hour"


def rents(planner: Planner, kind: str = "on_demand") -> dict[str, float]:
    """Device → median rent an hour of the price records of one kind."""
    found: dict[str, list[float]] = {}
    for entry in planner.registry.catalog("price"):
        record = entry.record
        assert isinstance(record, Price)
        if record.price_kind == kind and record.accelerator and record.usd_per_gpu_hour:
            found.setdefault(record.accelerator, []).append(record.usd_per_gpu_hour)
    return {gpu: sorted(values)[len(values) // 2] for gpu, values in found.items()}


def known_gpus(
    planner: Planner, wanted: Iterable[str], rented: Mapping[str, float] | None
) -> tuple[str, ...]:
    """Ids of the devices to try: those asked for, or all that have a price and a peak that is not in doubt.

    Raises:
        TokensheetError: a device is not in the catalogue or has no rent on record.
    """
    catalog = planner.registry.catalog("accelerator")
    asked = [catalog.find(w).record.id for w in wanted]
    if rented is not None:
        missing = [a for a in asked if a not in rented]
        if missing:
            raise TokensheetError(f"no rent on record for {', '.join(missing)}{hint(missing[0], rented)}")
        return tuple(asked or sorted(set(rented) & set(catalog.entries)))
    priced = (e.record for e in catalog if e.record.number("gpu_price") is not None)
    sound = [r.id for r in priced if isinstance(r, Accelerator) and not r.is_doubtful]
    return tuple(asked or sorted(sound))
