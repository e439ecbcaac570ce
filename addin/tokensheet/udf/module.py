"""Python functions made from the registry, as xlwings wants them and as anybody can call them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType
from typing import Any

from tokensheet.cell_function import CellFunction
from tokensheet.excel_words import VBA_WORDS
from tokensheet.functions import Functions
from tokensheet.udf.border import LONGEST, answer, cut, plain

CATEGORY = "Tokensheet"
KEPT_ANSWERS = 16_384
SMALL_RANGE = 64
SINGLE = frozenset((float, int, str, bool, NoneType))

# Names that xlwings' wrappers use themselves, besides VBA's own words.
WRAPPER_NAMES = frozenset(
    (
        "activeworkbook",
        "app",
        "application",
        "argsarray",
        "array",
        "caller",
        "err",
        "k",
        "thisworkbook",
        "xlpy",
    )
)

Answering = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Excel:
    """xlwings' three decorators, and its class of converters for them."""

    func: Callable[..., Any]
    arg: Callable[..., Any]
    ret: Callable[..., Any]
    cells: object


def excel() -> Excel | None:
    """The decorators of the installed xlwings; None without it. Away from Windows they do nothing."""
    try:
        import xlwings
    except ModuleNotFoundError:
        return None
    from tokensheet.udf.cells import Cells

    return Excel(xlwings.func, xlwings.arg, xlwings.ret, Cells)


def made(
    functions: Functions, decorators: Excel | None, answers: Answering | None = None
) -> dict[str, Callable[..., Any]]:
    """A Python function for each function in cells, by name.

    Args:
        functions: what there is
        decorators: of xlwings; None for plain functions
        answers: what answers them; made for these functions if not given
    """
    answers = answers or Answers(functions)
    found: dict[str, Callable[..., Any]] = {}
    for name, function in functions.table.items():
        python = python_function(function, answers)
        found[name] = decorated(python, function, decorators) if decorators else python
    return found


class Answers:
    """Answers a function by name, from memory where the same question was asked before.

    Only numbers are kept. A failure may have a cause outside the arguments that is mended meanwhile, so
    it is looked at again each time; so is `WHY`, which tells of failures. Large ranges are not kept
    either: they would fill the memory and are asked once.
    """

    def __init__(self, functions: Functions) -> None:
        self.renew(functions)

    def renew(self, functions: Functions) -> None:
        """Answers by other functions from now on, and forgets what the earlier ones answered."""
        self.functions = functions

        @lru_cache(maxsize=KEPT_ANSWERS)
        def number(name: str, values: tuple[Any, ...]) -> float:
            found = functions.call(name, values)
            if found.__class__ is not float:
                raise _NotKeptError(found)
            return found

        self._number = number

    def __call__(self, name: str, *given: Any) -> Any:
        """The answer as Excel takes it."""
        values = tuple([plain(value) for value in given])
        for value in values:
            if value.__class__ not in SINGLE and not _small(value):
                return answer(self.functions.call(name, values))
        try:
            return self._number(name, values)
        except _NotKeptError as other:
            return answer(other.found)


class _NotKeptError(Exception):
    """Carries an answer past the memory: what is raised is not kept."""

    def __init__(self, found: Any) -> None:
        self.found = found


def _small(value: Any) -> bool:
    if value.__class__ is not tuple or len(value) * len(value[0]) > SMALL_RANGE:
        return False
    return all(cell.__class__ in SINGLE for row in value for cell in row)


def argument_names(function: CellFunction) -> list[str]:
    """Names of arguments that VBA takes too: it has words of its own, and tells no capitals apart."""
    taken = VBA_WORDS | WRAPPER_NAMES | {function.name.lower()}
    return [f"the_{a.name}" if a.name.lower() in taken else a.name for a in function.arguments]


def python_function(function: CellFunction, answers: Answering) -> Callable[..., Any]:
    """A function with real arguments, so that xlwings, `help()` and keywords work.

    An argument that may be left out is None by default, which is what an empty cell is too.
    """
    parameters, passed = [], [repr(function.name)]
    for name, argument in zip(argument_names(function), function.arguments, strict=True):
        star = "*" if argument.many else ""
        parameters.append(f"{star}{name}" if argument.many or argument.required else f"{name}=None")
        passed.append(f"{star}{name}")
    text = f"def {function.name}({', '.join(parameters)}):\n    return _answers({', '.join(passed)})\n"
    scope: dict[str, Any] = {"_answers": answers, "__name__": "tokensheet.udf.functions"}
    exec(compile(text, f"<{function.name} of tokensheet>", "exec"), scope)
    python: Callable[..., Any] = scope[function.name]
    python.__doc__ = shortened(function.text)
    return python


def decorated(python: Callable[..., Any], function: CellFunction, decorators: Excel) -> Callable[..., Any]:
    """The same function with what Excel's wizard shows of it."""
    for name, argument in zip(argument_names(function), function.arguments, strict=True):
        python = decorators.arg(name, decorators.cells, doc=shortened(argument.text))(python)
    python = decorators.ret(decorators.cells)(python)
    return decorators.func(category=CATEGORY)(python)  # type: ignore[no-any-return]


def shortened(text: str) -> str:
    """Text of at most the length that Excel's wizard takes."""
    return cut(" ".join(text.split()), LONGEST)
