"""Python: this program's own interpreter, and the one that Excel starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import requires

from tokensheet.desktop import conf
from tokensheet.desktop.excel import STORE, Excel
from tokensheet.desktop.findings import ERROR, INFO, INSTALL, WARNING, Finding
from tokensheet.desktop.machine import Machine, Seen
from tokensheet.installation import Installation

SERVER = "xlwings.serve("
"""In the command line of a Python that Excel has started."""

FOR_EXCEL = ("xlwings", "pywin32")


def needed() -> list[str]:
    """Names of the packages that this program needs everywhere."""
    found = []
    for line in requires("tokensheet") or ():
        if "extra ==" not in line:
            found.append(re.split(r"[^A-Za-z0-9._-]", line)[0])
    return found


def environment(seen: Seen, where: str, place: Installation) -> Iterator[Finding]:
    """Packages, plugins and duplicates of one interpreter.

    Args:
        seen: what it tells of itself
        where: how the lines name it
        place: how it gets packages
    """
    install = place.command
    for name in needed():
        if not seen["packages"].get(name, "unknown"):
            yield Finding("package-missing", ERROR, f"{where} has no {name}", install(name))
    for problem in seen["problems"]:
        yield Finding("plugin-problem", ERROR, f"{where}: {problem}", "run 'tokensheet plugins' for the list")
    for line in seen["shared"]:
        yield Finding("duplicate-files", WARNING, f"{where}: {line}")
    owners: dict[str, set[str]] = {}
    for plugin in seen["plugins"]:
        owners.setdefault(str(plugin["name"]).rpartition(":")[2], set()).add(str(plugin["distribution"]))
    for name, distributions in sorted(owners.items()):
        if len(distributions) > 1:
            both = " and ".join(sorted(filter(None, distributions)))
            yield Finding(
                "plugin-twice",
                WARNING,
                f"{where}: plugin {name} comes from {both}",
                "leave one out with disable = [...] in tokensheet.toml",
            )


def of_excel(excel: Excel, here: Seen) -> Iterator[Finding]:
    """The interpreter that the add-in's settings name, seen from Excel."""
    if excel.is_from_path:
        yield Finding(
            "interpreter-unknown",
            WARNING,
            f"the add-in starts {excel.interpreter!r} from the search path, which may be the Microsoft Store's stub",
            f"{INSTALL}, or set {conf.INTERPRETER} to a full path",
        )
        return
    if excel.conda:
        starter = rf"{excel.machine.expanded(excel.conf[conf.CONDA_PATH])}\condabin\conda.bat"
        if not excel.machine.file(starter).is_file():
            yield Finding(
                "conda-missing",
                ERROR,
                f"{conf.CONDA_PATH}: {starter} is not there",
                "set it to conda's folder",
            )
    if STORE in excel.interpreter.lower():
        yield Finding(
            "interpreter-store", ERROR, f"{excel.interpreter} is the Microsoft Store's stub", INSTALL
        )
        return
    if not excel.is_there:
        what = f"the environment {excel.conda}" if excel.conda else excel.interpreter
        yield Finding("interpreter-missing", ERROR, f"{what} is not there", INSTALL)
        return
    place = excel.machine.place(excel.interpreter)
    if not excel.conda and place.tool == "conda":
        yield Finding(
            "conda-not-activated",
            WARNING,
            f"{excel.interpreter} is of a conda environment that is not activated when Excel starts it by its path: "
            "libraries of other packages are not found",
            f"{INSTALL} from that environment, or use one made by venv",
        )
    if "failed" in excel.seen:
        yield Finding(
            "interpreter-fails",
            ERROR,
            f"{excel.interpreter} cannot load tokensheet: {excel.seen['failed']}",
            place.command("tokensheet[excel]"),
        )
        return
    yield from environment(excel.seen, "the Python of Excel", place)
    yield from _packages(excel, place)
    yield from _agreement(excel.seen, here, place)


def _packages(excel: Excel, place: Installation) -> Iterator[Finding]:
    """What only Excel needs, and xlwings' library beside the interpreter."""
    packages = excel.seen["packages"]
    for name in FOR_EXCEL:
        if not packages.get(name):
            command = place.command("tokensheet[excel]")
            yield Finding("excel-package-missing", ERROR, f"the Python of Excel has no {name}", command)
    xlwings, there = packages.get("xlwings"), excel.libraries()
    if xlwings and xlwings not in there:
        others = f"; there is {', '.join(there)}" if there else ""
        yield Finding(
            "library-missing",
            ERROR,
            f"xlwings64-{xlwings}.dll is neither beside {excel.interpreter} nor one folder up{others}",
            place.command(f"--force-reinstall xlwings=={xlwings}"),
        )


def _agreement(there: Seen, here: Seen, place: Installation) -> Iterator[Finding]:
    """Whether Excel's Python and this one answer alike."""
    if there["version"] != here["version"]:
        yield Finding(
            "version-differs",
            WARNING,
            f"Excel uses tokensheet {there['version']} of {there['interpreter']}, this is {here['version']}",
            place.command(f"tokensheet=={here['version']}"),
        )
    loaded = {p["name"] for p in there["plugins"] if p["state"] == "loaded"}
    for plugin in here["plugins"]:
        if plugin["state"] == "loaded" and plugin["name"] not in loaded:
            name = plugin["distribution"] or plugin["name"]
            yield Finding(
                "plugin-not-in-excel",
                WARNING,
                f"plugin {plugin['name']} is here and not in the Python of Excel",
                place.command(name),
            )


def servers(machine: Machine) -> Iterator[Finding]:
    """Python processes that Excel has started; they hold the files that an upgrade would replace."""
    numbers = sorted(number for number, command in machine.running().items() if SERVER in command)
    if numbers:
        yield Finding(
            "server-running",
            INFO,
            f"Excel's Python runs (process {', '.join(map(str, numbers))}) and sees no change until it ends",
            "close Excel before an upgrade; if it stays, end it in the Task Manager",
        )


def of_search_path(machine: Machine) -> Iterator[Finding]:
    """What the environment does to every Python."""
    for name in ("PYTHONHOME", "PYTHONPATH"):
        value = machine.variable(name)
        if value:
            yield Finding(
                "python-variable",
                WARNING,
                f"{name} is {value}: every Python takes modules from there first",
                f"unset {name}",
            )
