"""What a name stands for: a formula, an input, an assumption, or a number of a chosen record."""

from __future__ import annotations

from dataclasses import dataclass

from tokensheet.declare import Assumption, Input
from tokensheet.formula import Formula
from tokensheet.schema.base import Quantity


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter that is a record's number: role `stage_interconnect`, field `bandwidth`."""

    name: str
    role: str
    field: str
    quantity: Quantity

    @property
    def unit(self) -> str:
        """Unit of the number."""
        return self.quantity.unit

    @property
    def text(self) -> str:
        """What the number says."""
        return self.quantity.text


Definition = Formula | Input | Assumption | Field


def called(definition: Definition) -> str:
    """What people call a node: a formula's title, anything else as it is declared."""
    return definition.label if isinstance(definition, Formula) else definition.text


def meaning(definition: Definition) -> str:
    """What a node is: a formula's first sentence, anything else as it is declared."""
    return definition.summary if isinstance(definition, Formula) else definition.text
