"""`tokensheet validate`: predictions against a table of measured times, by engine, metric, source, device and model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokensheet.cli.help import examples

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions
    from tokensheet.validation.evaluating import Evaluated
    from tokensheet.validation.statistics import Summary

TITLES = ("", "metric", "rows", "median", "mean", "bias", "within 25 %", "in band")


@click.command(
    short_help="Compare predictions with measured times.",
    epilog=examples(
        "tokensheet validate runs.csv", "tokensheet validate runs.csv --profile vllm-2025 --json"
    ),
)
@click.argument("table", type=click.Path(path_type=Path))
@click.option(
    "--profile",
    default="auto",
    show_default=True,
    metavar="ID",
    help="Profile of all rows; auto takes it by engine, device, version and date.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print everything as JSON; errors and shares are fractions."
)
@click.option(
    "--worst", "count", type=int, default=10, show_default=True, help="How many worst rows to show."
)
@click.pass_obj
def validate(options: CommandOptions, table: Path, profile: str, as_json: bool, count: int) -> None:
    """Compare predictions with measured times in TABLE, a CSV file.

    Columns: engine, model, accelerator, batch, input_tokens, output_tokens, metric (tpot_s, e2e_s or ttft_s) and
    value_s in seconds; and, where known, id, source, engine_version, date, gpus, tp, pp, weights, kv,
    depth_tokens, ep, notes.
    """
    from tokensheet.validation import evaluate, read

    planner = options.planner()
    found, _ = evaluate(planner, read(table), profile)
    click.echo(json.dumps(as_data(found, count), indent=1) if as_json else report(found, count))


def as_data(found: Sequence[Evaluated], count: int) -> dict[str, Any]:
    """Everything as plain data."""
    from tokensheet.validation.statistics import GROUPS, by_metric, grouped, worst

    return {
        "overall": by_metric(found),
        **{name: grouped(found, key) for name, key in GROUPS.items()},
        "worst": [_row(e) for e in worst(found, count)],
        "not_evaluated": [{"id": e.row.id, "reason": e.reason} for e in found if e.reason],
    }


def _row(found: Evaluated) -> dict[str, Any]:
    row = found.row
    return {
        "id": row.id,
        "source": row.page,
        "engine": row.engine,
        "profile": found.profile,
        "nearest": found.nearest,
        "model": row.model,
        "accelerator": row.accelerator,
        "tp": row.tp,
        "weights": row.weights,
        "batch": row.batch,
        "input_tokens": row.prompt,
        "output_tokens": row.output,
        "metric": row.metric,
        "measured_s": row.value,
        "predicted_s": found.value,
        "low_s": found.low,
        "high_s": found.high,
    }


def report(found: Sequence[Evaluated], count: int) -> str:
    """Everything as text: tables, the worst rows, and the rows without a prediction."""
    from tokensheet.cli.listing import table
    from tokensheet.validation.statistics import GROUPS, by_metric, grouped, worst

    parts = [
        "absolute error, median and mean; bias is the median error; band: 8 of 10 rows should lie within"
    ]
    parts.append(table(TITLES, _lines({"all rows": by_metric(found)})))
    for name, key in GROUPS.items():
        parts += ["", name.replace("_", " "), table(TITLES, _lines(grouped(found, key)))]
    far = sorted({f"{e.row.engine} by {e.profile}" for e in found if e.nearest and not e.reason})
    if far:
        parts += ["", f"only the nearest profile, with a wider band: {', '.join(far)}"]
    parts += ["", "worst rows"]
    for e in worst(found, count):
        row = e.row
        parts.append(
            f"  {row.id}: {row.model} on {row.gpus:g} × {row.accelerator}, {row.weights}, batch {row.batch:g}, "
            f"{row.prompt:g} + {row.output:g} tokens, {row.engine} by {e.profile}: {row.metric} {e.value:.4g} "
            f"({e.low:.4g} to {e.high:.4g}), measured {row.value:.4g}"
        )
    failed = [e for e in found if e.reason]
    if failed:
        parts += ["", f"{len(failed)} rows without a prediction"]
        parts += [f"  {e.row.id}: {e.reason}" for e in failed]
    return "\n".join(parts)


def _lines(groups: Mapping[str, Mapping[str, Summary]]) -> list[list[str]]:
    return [
        [
            name,
            metric,
            f"{s['n']:,}",
            f"{100 * s['mdape']:.1f} %",
            f"{100 * s['mape']:.1f} %",
            f"{100 * s['bias']:+.1f} %",
            f"{100 * s['within25']:.0f} %",
            f"{100 * s['cover80']:.0f} %",
        ]
        for name, metrics in groups.items()
        for metric, s in metrics.items()
    ]
