"""What a function in cells is, for every front door: its name, arguments and description, and what answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a function in cells."""

    name: str
    text: str
    required: bool = True
    many: bool = False


@dataclass(frozen=True, slots=True)
class CellFunction:
    """A function in cells: what Excel's wizard and the reference show of it."""

    name: str
    text: str
    arguments: tuple[Argument, ...]
    answer: Callable[..., Any]
    unit: str = ""
    source: str = ""

    @property
    def signature(self) -> str:
        """`KV_BYTES(model, context, [batch], [options])`."""
        parts = [
            f"{a.name}, …" if a.many else a.name if a.required else f"[{a.name}]" for a in self.arguments
        ]
        return f"{self.name}({', '.join(parts)})"
