"""`tokensheet optimize`: the cheapest hardware for a load, or the fastest for its cost."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tokensheet.search import Found


@click.command()
@click.option("--model", required=True, metavar="ID", help="Model to serve.")
@click.option(
    "--context", required=True, type=float, metavar="TOKENS", help="Tokens a sequence has in the cache."
)
@click.option("--goal", type=click.Choice(["cost", "latency"]), default="cost", show_default=True)
@click.option("--max-latency", type=float, metavar="SECONDS", help="Longest time of a token.")
@click.option(
    "--min-tokens-per-second", type=float, metavar="RATE", help="Tokens a second of all replicas together."
)
@click.option("--max-cost-per-hour", type=float, metavar="USD", help="Highest cost of all replicas an hour.")
@click.option(
    "--devices",
    metavar="IDS",
    help="Devices to try, with commas; all with a price and a confirmed peak by default.",
)
@click.option("--counts", metavar="NUMBERS", help="Devices of a replica; 1,2,4,8 by default.")
@click.option("--batches", metavar="NUMBERS", help="Sequences in flight; 1,2,4 … 512 by default.")
@click.option("--formats", metavar="IDS", help="Formats of the weights; bf16 by default.")
@click.option("--cache-formats", metavar="IDS", help="Formats of the cache; bf16 by default.")
@click.option("--links", metavar="IDS", help="Links to try; each device's own by default.")
@click.option("--stages", metavar="NUMBERS", help="Pipeline stages; 1,2,4,8 by default.")
@click.option("--groups", metavar="NUMBERS", help="Attention groups (dp); 1 by default.")
@click.option("--cost-basis", type=click.Choice(["owned", "rent"]), default="owned", show_default=True)
@click.option(
    "--set", "settings_", multiple=True, metavar="NAME=VALUE", help="An assumption, such as profile=ideal."
)
@click.option("--count", type=int, default=10, show_default=True, help="How many plans to show.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.pass_obj
def optimize(settings: Any, /, settings_: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Search devices, counts, splits, formats, links and batches for the best plan."""
    from tokensheet.arguments import options
    from tokensheet.best import best

    planner = settings.planner()
    asked = {k: v for k, v in given.items() if v is not None}
    asked |= options("; ".join(settings_))
    found = best(planner, asked)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=1))
        return
    click.echo(report(found))


def report(found: Found) -> str:
    """The plans as a table, the Pareto front, and why others are out."""
    from tokensheet.best import TITLES, row
    from tokensheet.cli.listing import table

    def shown(value: Any) -> str:
        return f"{value:.6g}" if isinstance(value, float) else str(value)

    def lines(choices: Any) -> str:
        return table(TITLES, [[shown(v) for v in row(i, c)] for i, c in enumerate(choices, 1)])

    parts = [f"{found.candidates:,} candidates, {found.sound:,} hold all limits", "", lines(found.best)]
    if found.front:
        parts += ["", "nothing is both faster and cheaper than these:", lines(found.front)]
    if found.rejected:
        parts += ["", "out:"]
        parts += [f"  {r.count:,} {r.reason}, for example: {r.example}" for r in found.rejected]
    return "\n".join(parts)
