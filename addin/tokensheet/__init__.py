"""Tokensheet: LLM inference planning in a spreadsheet.

`evaluate("decode_latency", model="llama-2-70b", gpu="a100-sxm-80gb", gpus=8, context=4096)` is the
same number as `=DECODE_LATENCY("llama-2-70b","a100-sxm-80gb",8,4096)` in a cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokensheet.errors import TokensheetError
from tokensheet.version import __version__

if TYPE_CHECKING:
    from tokensheet.explaining import Line
    from tokensheet.planning import Planner

__all__ = ["TokensheetError", "__version__", "evaluate", "explain", "planner", "why"]


def planner() -> Planner:
    """The planner of all installed plugins, made on first use."""
    from tokensheet.planning import shared

    return shared()


def evaluate(name: str, /, options: Any = None, **given: Any) -> Any:
    """The value of a formula: a float, or an array where an argument is a list.

    Args:
        name: of a formula or any other node, such as `decode_latency`
        options: further names and values: `{"tp": 4}`, `"tp=4; profile=ideal"`
        given: ids of records (model, gpu, …), numbers, lists; any node may be pinned

    Returns:
        float, or a NumPy array of the broadcast shape in which a failed element is nan.

    Raises:
        TokensheetError: there is no answer; one line says why.
    """
    return planner().evaluate(name, options, **given)


def why(name: str, /, options: Any = None, **given: Any) -> Any:
    """Why `evaluate` with the same arguments has no number: a line, "" when it has one; lists for ranges."""
    return planner().why(name, options, **given)


def explain(name: str, /, options: Any = None, **given: Any) -> tuple[list[Line], list[str]]:
    """The calculation node by node, and the warnings that apply."""
    return planner().explain(name, options, **given)
