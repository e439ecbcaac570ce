"""The extension in LibreOffice: there, answered by a Python that is there, of this version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tokensheet.desktop.findings import ERROR, INFO, WARNING, Finding
from tokensheet.desktop.libreoffice import installed
from tokensheet.desktop.machine import Machine, Seen

INSTALL = "run 'tokensheet addin install libreoffice'"


def checks(machine: Machine, here: Seen) -> Iterator[Finding]:
    """Each profile that holds the extension."""
    found = installed(machine)
    if not found:
        yield Finding(
            "extension-missing", INFO, "the functions are not installed in this person's LibreOffice", INSTALL
        )
    for place, stated in found.items():
        interpreter = machine.variable("TOKENSHEET_PYTHON") or str(stated["interpreter"])
        if not Path(machine.file(interpreter)).is_file():
            yield Finding(
                "extension-python", ERROR, f"{interpreter}, which answers LibreOffice, is not there", INSTALL
            )
            continue
        seen = here if interpreter == here["interpreter"] else machine.ask(interpreter)
        if "failed" in seen:
            yield Finding(
                "extension-python",
                ERROR,
                f"{interpreter}, which answers LibreOffice, fails: {seen['failed']}",
                INSTALL,
            )
            continue
        missing = set(seen["functions"]) - {f["name"] for f in stated["functions"]}
        if missing or stated["version"] != seen["version"]:
            yield Finding(
                "extension-old",
                WARNING,
                f"the extension in {place} is of version {stated['version']} and lacks {len(missing)} functions",
                INSTALL,
            )
