"""`tokensheet doctor`: what keeps the functions from answering, and the line that mends each."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click

from tokensheet.cli.help import examples


@click.command(
    short_help="Say what keeps the functions from answering here.", epilog=examples("tokensheet doctor")
)
@click.option("--json", "as_json", is_flag=True, help="Print facts and findings as one JSON object.")
def doctor(as_json: bool) -> None:
    """Look at Python, plugins, the add-in, Excel's trust settings and LibreOffice; exit 1 on an error."""
    from tokensheet.desktop.doctor import examined
    from tokensheet.desktop.inside import seen
    from tokensheet.desktop.machine import this_machine

    report = examined(this_machine(), seen())
    if as_json:
        found = {"facts": report.facts, "findings": [asdict(finding) for finding in report.findings]}
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        for name, value in report.facts.items():
            click.echo(f"{name}: {value}")
        for finding in report.findings:
            click.echo(finding.line)
        if not report.findings:
            click.echo("nothing stands in the way")
    sys.exit(1 if report.failed else 0)
