"""The page of all functions for a browser: one file without anything else, made from the registry."""

from __future__ import annotations

from html import escape
from pathlib import Path

from tokensheet.cell_function import CellFunction
from tokensheet.errors import ExportError, TokensheetError
from tokensheet.formula import Formula
from tokensheet.functions import Functions
from tokensheet.printing.plain import plain

FILE = "reference.html"
HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tokensheet: functions</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
code, pre { font: 13px/1.4 ui-monospace, monospace; background: #f4f4f4; }
pre { padding: .6em; overflow-x: auto; }
section { border-top: 1px solid #ccc; }
td { padding: .1em 1em .1em 0; vertical-align: top; }
input { font: inherit; width: 20em; }
</style></head><body>
"""
SEARCH = """<p><input id="search" placeholder="type to search" autofocus></p>
<script>
document.getElementById("search").addEventListener("input", function (event) {
  var words = event.target.value.toLowerCase().split(/\\s+/);
  document.querySelectorAll("section").forEach(function (section) {
    var text = section.textContent.toLowerCase();
    section.hidden = !words.every(function (word) { return text.includes(word); });
  });
});
</script>
"""


def written(functions: Functions) -> Path:
    """Writes the page into the person's folder for things that can be made again.

    Raises:
        ExportError: the folder cannot be written.
    """
    from platformdirs import user_cache_path

    target = user_cache_path("tokensheet", appauthor=False) / FILE
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text(functions), encoding="utf-8")
    except OSError as error:
        raise ExportError(
            f"{target}: {error.strerror or error}; run 'tokensheet functions' instead"
        ) from error
    return target


def text(functions: Functions) -> str:
    """The page."""
    each = "".join(_function(functions, f) for _, f in sorted(functions.table.items()))
    version = escape(functions.own.version())
    return f"{HEAD}<h1>Functions</h1>\n<p>{version}. Values are SI.</p>\n{SEARCH}{each}</body></html>\n"


def _function(functions: Functions, function: CellFunction) -> str:
    parts = [f'<section id="{function.name}"><h2>{function.name}</h2>']
    parts += [f"<p><code>={escape(function.signature)}</code></p>", f"<p>{escape(function.text)}</p>"]
    if function.arguments:
        rows = (
            f"<tr><td><code>{a.name}</code></td><td>{escape(a.text)}{'' if a.required else ' (optional)'}</td></tr>"
            for a in function.arguments
        )
        parts.append(f"<table>{''.join(rows)}</table>")
    formula = functions.planner.registry.functions.get(function.name)
    if formula is not None:
        owner = functions.planner.registry.owners.get(formula.name)
        parts += [
            f"<pre>{escape(_words(formula))}</pre>",
            f"<p>Source: {escape(function.source)}. {escape(str(owner or ''))}</p>",
        ]
    return "\n".join([*parts, "</section>\n"])


def _words(formula: Formula) -> str:
    """The formula step by step; what is wrong with it where a plugin's cannot be read."""
    try:
        steps = [f"{step.name} = {plain(step.tree)}" for step in formula.body.steps]
        return "\n".join([*steps, f"{formula.name} = {plain(formula.body.result)}"])
    except TokensheetError as error:
        return str(error)
