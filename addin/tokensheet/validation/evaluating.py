"""Measurements → predictions with bands, through the same graph that cells use; reasons where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet.arrays import evaluate_array
from tokensheet.errors import TokensheetError
from tokensheet.planning import Planner
from tokensheet.schema.number_format import NumberFormat
from tokensheet.schema.profile import Profile
from tokensheet.validation.choosing import choose
from tokensheet.validation.measurements import Measurement

AUTO = "auto"
EIGHT_BIT = 1.5
"""Bytes an element below which weights count as quantised."""
NODES = {"tpot_s": "served_tpot", "e2e_s": "batch_run_time", "ttft_s": "prefill_time"}
BANDS = {"tpot_s": "decode_band", "e2e_s": "request_band", "ttft_s": "prefill_band"}


@dataclass(frozen=True, slots=True)
class Question:
    """A measurement as it is asked: its node, its arguments, and what the answer is divided by."""

    node: str
    band: str
    given: dict[str, Any]
    divisor: float = 1.0


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A measurement with its prediction and band in seconds; nan and the reason where there is none."""

    row: Measurement
    profile: str
    nearest: bool
    value: float
    low: float
    high: float
    reason: str = ""

    @property
    def error(self) -> float:
        """Prediction over measurement, less 1."""
        return self.value / self.row.value - 1

    @property
    def covered(self) -> bool:
        """Whether the measurement lies within the band."""
        return self.low <= self.row.value <= self.high


def profiles(planner: Planner) -> list[Profile]:
    """All profiles of the catalogue, each once."""
    entries = planner.registry.catalog("profile").entries.values()
    return [e.record for e in entries if isinstance(e.record, Profile)]


def question(planner: Planner, row: Measurement, profile: Profile, nearest: bool) -> Question:
    """What a measurement asks under a profile.

    - `tpot_s` is SERVED_TPOT: in a served run decode steps wait for other requests' prompts by the profile's
      `prefill_share`; where a table divides all time by all tokens it is BATCH_RUN_TIME / output.
    - `e2e_s` is BATCH_RUN_TIME: what does not fit waits for its turn. `ttft_s` is a prefill of the whole batch.
    - What was measured did run: neither memory nor heads are checked.
    - No prompt, as where decoding starts from an empty cache, counts as one token.
    - The band is the narrow one where the profile was fitted on the same source, whose machines and test set-up it
      knows; for any other source it holds a stranger's as well.
    - Weight formats go by the profile's names; with weights of 8 bits or fewer the cache has the format that
      the profile says it is served with, whatever the table says.

    Raises:
        TokensheetError: a record or a profile's format is not known.
    """
    catalog = planner.registry.catalog("format")
    weights = catalog.find(profile.formats.get(row.weights, row.weights)).record
    assert isinstance(weights, NumberFormat)
    quantised = weights.bytes_per_element < EIGHT_BIT and bool(profile.served_kv)
    given: dict[str, Any] = {
        "model": planner.registry.record("model", row.model).id,
        "gpu": planner.registry.record("accelerator", row.accelerator).id,
        "profile": profile.id,
        "weights": weights.id,
        "kv": catalog.find(profile.served_kv if quantised else row.kv).record.id,
        "gpus": row.gpus,
        "prompt": max(1.0, row.prompt),
        "output": max(1.0, row.output),
        "batch": row.batch,
        "cached_prefix": row.depth,
        "uneven_sharding": 1.0,
        "one_request_fits": 1.0,
        "measured": float(row.page in profile.measured),
        "nearest": float(nearest),
    }
    if not profile.values.get("layer_split"):
        given["pp"] = row.pp
        given["dp"] = row.gpus / (row.tp * row.pp)
        given["ep"] = row.ep
    if row.metric == "tpot_s" and row.whole_time:
        return Question(NODES["e2e_s"], BANDS["tpot_s"], given, row.output)
    return Question(NODES[row.metric], BANDS[row.metric], given)


def evaluate(
    planner: Planner, rows: Sequence[Measurement], profile: str = AUTO
) -> tuple[list[Evaluated], list[Question | None]]:
    """A prediction for each measurement, and what was asked.

    Args:
        planner: with all records
        rows: the measurements
        profile: id of the profile for all rows, or `auto`: by engine, device, version and date

    Raises:
        TokensheetError: no profile of that id.
    """
    import math

    named = None
    if profile != AUTO:
        record = planner.registry.record("profile", profile)
        assert isinstance(record, Profile)
        named = record
    known = profiles(planner)
    asked: list[Question | None] = []
    found: list[Evaluated] = []
    nan = math.nan
    for row in rows:
        name, nearest = (named.id if named else ""), False
        try:
            device = planner.registry.record("accelerator", row.accelerator)
            choice = choose(
                known,
                row.engine,
                row.engine_version,
                row.date,
                str(getattr(device, "vendor", "")),
                row.metric,
            )
            if named is None:
                if choice is None:
                    raise TokensheetError(f"no profile for engine {row.engine}; choose one with --profile")
                taken, nearest = choice.profile, choice.nearest
            else:
                taken, nearest = (
                    named,
                    choice is not None and bool(named.engines) and choice.profile is not named,
                )
            name = taken.id
            asked.append(question(planner, row, taken, nearest))
            found.append(Evaluated(row, name, nearest, nan, nan, nan))
        except TokensheetError as error:
            asked.append(None)
            found.append(Evaluated(row, name, nearest, nan, nan, nan, str(error)))
    groups: dict[tuple[str, str], list[int]] = {}
    for i, each in enumerate(asked):
        if each is not None:
            groups.setdefault((each.node, each.band), []).append(i)
    for (node, band), places in groups.items():
        questions = [asked[i] for i in places]
        names = sorted({n for q in questions if q for n in q.given})
        columns = {n: [q.given.get(n) if q else None for q in questions] for n in names}
        answers, widths = evaluate_array(planner.questions, (node, band), columns, planner.one)
        for k, i in enumerate(places):
            each = asked[i]
            assert each is not None
            value = float(answers.values[k]) / each.divisor
            width = math.exp(float(widths.values[k])) if value == value else nan
            reason = "" if value == value else answers.failure(k).reason
            last = found[i]
            found[i] = Evaluated(
                last.row, last.profile, last.nearest, value, value / width, value * width, reason
            )
    return found, asked
