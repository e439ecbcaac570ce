"""The terminal front door: `tokensheet eval`, `explain`, `export`, `plugins`, `catalog`."""

from __future__ import annotations

import sys

from tokensheet.cli.commands import tokensheet
from tokensheet.errors import TokensheetError


def main() -> None:
    """Runs the command line; the user's mistakes are one line without a traceback."""
    try:
        tokensheet.main(standalone_mode=True, prog_name="tokensheet")
    except TokensheetError as error:
        print(f"tokensheet: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)
