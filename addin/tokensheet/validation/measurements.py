"""A table of measured times: one row a measurement, all mistakes told at once."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tokensheet import untrusted
from tokensheet.errors import MOST_TOLD, RecordError, listed

METRICS = ("tpot_s", "e2e_s", "ttft_s")
REQUIRED = ("engine", "model", "accelerator", "batch", "input_tokens", "output_tokens", "metric", "value_s")
_WHOLE_TIME = re.compile(r"definition not stated|tokens ?/ ?(whole |total )?time")
LARGEST_FILE = 100_000_000
MOST_ROWS = 500_000


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured time.

    Args:
        id: of the row; its number where the table gives none
        source: table or page that it stands in
        engine: what ran it
        engine_version: of the engine, as stated
        date: of the measurement or release: `2024-05` or longer
        model: id of a model
        accelerator: id of a device
        gpus: devices of the replica
        tp: tensor-parallel degree
        pp: pipeline-parallel stages; 0 in a table: as the engine does by itself, 1
        weights: name of the weight format
        kv: name of the cache's format; where none is stated, or `auto`, 16 bit
        batch: sequences decoded together, or clients of a served run
        prompt: tokens of a prompt
        output: generated tokens
        depth: tokens in the cache before the prompt
        metric: `tpot_s`, `e2e_s` or `ttft_s`
        value: seconds
        ep: expert-parallel ranks
        whole_time: whether `tpot_s` is all time, prefill included, over all generated tokens
    """

    id: str
    source: str
    engine: str
    engine_version: str
    date: str
    model: str
    accelerator: str
    gpus: float
    tp: float
    pp: float
    weights: str
    kv: str
    batch: float
    prompt: float
    output: float
    depth: float
    metric: str
    value: float
    ep: float = 1.0
    whole_time: bool = False

    @property
    def page(self) -> str:
        """The source without what stands in brackets behind it."""
        return re.sub(r" \(.*", "", self.source)


def read(path: Path) -> list[Measurement]:
    """The measurements of a CSV file with headings as in `tokensheet validate --help`.

    Raises:
        RecordError: the file cannot be read, or lists every row with a mistake.
    """
    try:
        text = untrusted.text(path, LARGEST_FILE)
        return parse(text, path.name)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}; give the path of a .csv file") from error
    except ValueError as error:
        raise RecordError(f"{path.name}: {error}; save it as CSV UTF-8") from error


def parse(text: str, name: str = "table") -> list[Measurement]:
    """The measurements in a text.

    Raises:
        RecordError: lists every row with a mistake.
        ValueError: it is no CSV.
    """
    table = untrusted.csv_rows(io.StringIO(text, newline=""))
    headings = next(table, [])
    missing = [column for column in REQUIRED if column not in headings]
    if missing:
        raise RecordError(
            f"{name}: no column {', '.join(missing)}; the first row names the columns {', '.join(REQUIRED)}"
        )
    twice = sorted({column for column in headings if column and headings.count(column) > 1})
    if twice:
        raise RecordError(f"{name}: column {', '.join(twice)} stands twice; leave one out")
    found: list[Measurement] = []
    problems: list[str] = []
    for line, cells in enumerate(table, 2):
        if not any(cells):
            continue
        if len(problems) > MOST_TOLD:
            break
        if line > MOST_ROWS:
            raise ValueError(f"more than {MOST_ROWS:,} rows; give a part")
        row = dict(zip(headings, cells, strict=False))
        mistakes = list(_mistakes(row))
        if mistakes:
            problems += [f"row {line}: {each}" for each in mistakes]
        else:
            found.append(_measurement(row, f"row {line}"))
    if problems:
        raise RecordError(listed(name, problems))
    if not found:
        raise RecordError(f"{name}: it holds no measurements")
    return found


def _number(row: Mapping[str, str | None], name: str, default: float) -> float:
    text = (row.get(name) or "").strip()
    return float(text) if text else default


def _mistakes(row: Mapping[str, str | None]) -> Iterator[str]:
    for name in ("engine", "model", "accelerator"):
        if not (row.get(name) or "").strip():
            yield f"{name} is empty"
    metric = (row.get("metric") or "").strip()
    if metric not in METRICS:
        yield f"metric is {metric!r}; it must be {', '.join(METRICS)}"
    for name, least in (
        ("value_s", 0.0), ("batch", 0.0), ("input_tokens", -1.0), ("gpus", 0.0), ("tp", 0.0), ("pp", -1.0),
        ("output_tokens", -1.0), ("depth_tokens", -1.0), ("ep", 0.0),
    ):  # fmt: skip
        text = (row.get(name) or "").strip()
        if not text and name not in REQUIRED:
            continue
        if not text and name == "output_tokens" and metric == "ttft_s":
            continue
        try:
            value = float(text)
        except ValueError:
            yield f"{name} is {text[:40]!r}; give a number"
            continue
        if not math.isfinite(value) or value <= least or (least < 0 and value < 0):
            yield f"{name} is {text[:40]}; it must be {'above 0' if least == 0 else 'at least 0'}"


def _measurement(row: Mapping[str, str | None], place: str) -> Measurement:
    text = {k: (v or "").strip() for k, v in row.items()}
    tp = _number(row, "tp", 0)
    pp = _number(row, "pp", 0)
    gpus = _number(row, "gpus", max(1.0, tp) * max(1.0, pp))
    return Measurement(
        id=text.get("id") or place,
        source=text.get("source") or "not stated",
        engine=text["engine"],
        engine_version=text.get("engine_version", ""),
        date=text.get("date", ""),
        model=text["model"],
        accelerator=text["accelerator"],
        gpus=gpus,
        tp=tp or gpus / max(1.0, pp),
        pp=pp or 1.0,
        weights=text.get("weights") or "bf16",
        kv="bf16" if text.get("kv", "").lower() in ("", "auto") else text["kv"],
        batch=_number(row, "batch", 1),
        prompt=_number(row, "input_tokens", 1),
        output=_number(row, "output_tokens", 1),
        depth=_number(row, "depth_tokens", 0),
        metric=text["metric"],
        value=_number(row, "value_s", 0),
        ep=_number(row, "ep", 1),
        whole_time=bool(_WHOLE_TIME.search(text.get("notes", ""))),
    )
