"""Everything that a plugin's author imports."""

from __future__ import annotations

from tokensheet.constants import Constant
from tokensheet.declare import Alias, Assumption, Input, Range, Role, Verdict, at
from tokensheet.formula import Formula, check, formula, formulas_of
from tokensheet.goals import Axis, Basis, Front, Goal, Search, Shown, Target
from tokensheet.hookspecs import hookimpl
from tokensheet.schema.accelerator import Accelerator
from tokensheet.schema.link import Link
from tokensheet.schema.model import Model
from tokensheet.schema.number_format import NumberFormat
from tokensheet.schema.price import Price
from tokensheet.schema.profile import Profile
from tokensheet.schema.system import BillLine, System

__all__ = [
    "Accelerator",
    "Alias",
    "Assumption",
    "Axis",
    "Basis",
    "BillLine",
    "Constant",
    "Formula",
    "Front",
    "Goal",
    "Input",
    "Link",
    "Model",
    "NumberFormat",
    "Price",
    "Profile",
    "Range",
    "Role",
    "Search",
    "Shown",
    "System",
    "Target",
    "Verdict",
    "at",
    "check",
    "formula",
    "formulas_of",
    "hookimpl",
]
