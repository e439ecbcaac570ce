"""`tokensheet demand`: a trace of requests in, lines for a proposal out."""

from __future__ import annotations

from pathlib import Path

import click

from tokensheet.cli.help import examples


@click.command(
    short_help="Count a trace of requests into lines of a proposal.",
    epilog=examples("tokensheet demand trace.csv"),
)
@click.argument("trace", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what was counted as JSON.")
def demand(trace: Path, as_json: bool) -> None:
    """Count a TRACE of requests (CSV: time, prompt and output tokens): rates, peaks, lengths as lines for a proposal."""
    import json
    from dataclasses import asdict

    from tokensheet.demand import proposal_lines
    from tokensheet.trace import read

    found = read(trace)
    click.echo(json.dumps(asdict(found), indent=1) if as_json else "\n".join(proposal_lines(found)))
