"""A formula's body as one compiled function: for walks that calculate the same formulas many times.

It is straight code and tells nothing of failures: whatever is irregular raises, and the walk over the
tree says what and why.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tokensheet.printing.python import scalar_code
from tokensheet.reading import Body
from tokensheet.tree import Node


@dataclass(frozen=True, slots=True)
class Swift:
    """A compiled body.

    Attributes:
        parameters: their names, and whether each is read whatever branches the conditionals take
        steps: their names
        run: (*parameters) → result and the numbers of all steps, or raises ArithmeticError or ValueError;
            what is not surely read is a function that gives the number
    """

    parameters: tuple[tuple[str, bool], ...]
    steps: tuple[str, ...]
    run: Callable[..., tuple[float, tuple[float, ...]]]


def swift(body: Body) -> Swift:
    """Compiles a body."""
    surely = body.surely()
    arguments = {p: f"a{i}" for i, p in enumerate(body.parameters)}
    names = {p: a if p in surely else f"{a}()" for p, a in arguments.items()}
    names |= {s.name: f"s{i}" for i, s in enumerate(body.steps)}
    kept: list[str] = []

    def keep(_part: Node) -> str:
        kept.append(f"h{len(kept)}")
        return kept[-1]

    lines = [f"def run({', '.join(arguments.values())}):"]
    lines += [f"    {names[s.name]} = {scalar_code(s.tree, names, keep)}" for s in body.steps]
    lines.append(f"    found = {scalar_code(body.result, names, keep)}")
    steps = [names[s.name] for s in body.steps]
    # anywhere on the way, which a later division would hide
    lines.append(f"    total = {' + '.join(['found', *steps, *kept])}")
    lines.append("    if total - total != 0.0: raise OverflowError")
    lines.append(f"    return found + 0.0, ({''.join(f'{s} + 0.0, ' for s in steps)})")
    words = {n: getattr(math, n) for n in ("ceil", "floor", "sqrt", "exp", "log")}
    space: dict[str, object] = {"pow": math.pow, **words}
    exec(compile("\n".join(lines), f"<swift {body.place.function}>", "exec"), space)
    run = space["run"]
    assert callable(run)
    parameters = tuple((p, p in surely) for p in body.parameters)
    return Swift(parameters, tuple(s.name for s in body.steps), run)
