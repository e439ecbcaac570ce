"""Which tests run in one process, so that what they share is made once: those of a file, and some files together."""

from __future__ import annotations

from xdist.scheduler.loadscope import LoadScopeScheduling

TOGETHER = {
    "tests/calc/": "calc",
    "tests/docs/test_plugins_page.py": "wheel",
    "tests/inference/test_percentiles.py": "simulations",
    "tests/inference/test_serving.py": "simulations",
    "tests/pyodide/": "wheel",
    "tests/test_wheel.py": "wheel",
    "tests/udf/test_basic.py": "calc",
    "tests/workbook/test_recipes.py": "recipes",
    "tests/workbook/test_texts.py": "recipes",
}
"""File or folder → what its tests share with those of others: an office with our extension, a wheel, runs, workbooks."""


def group(test: str) -> str:
    """What a test shares its process for: the group of its file, else the file."""
    file = test.partition("::")[0]
    return next((name for start, name in TOGETHER.items() if file.startswith(start)), file)


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out tests group by group. Marks of groups do not reach xdist 3.8: pytest 9.2 hides what it adds to names."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
