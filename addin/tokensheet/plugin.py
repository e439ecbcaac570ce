"""Everything that a plugin's author imports: hooks, declarations, ranges, constants, and records with their parts."""

from __future__ import annotations

from tokensheet.constants import (
    BYTES_PER_16_BIT,
    FLOPS_PER_MAC,
    HOURS_PER_DAY,
    HOURS_PER_MONTH,
    HOURS_PER_YEAR,
    LARGEST_EXPONENT,
    MONTHS_PER_YEAR,
    ONE_HOUR,
    PER_MILLION,
    ROUNDING,
    SECONDS_PER_HOUR,
    UNLIMITED,
    WATTS_PER_KILOWATT,
    Constant,
)
from tokensheet.declare import Alias, Assumption, Declaration, Input, Range, Role, Verdict, at
from tokensheet.formula import Formula, check, formula, formulas_of
from tokensheet.goals import Axis, Basis, Front, Goal, Search, Shown, Target
from tokensheet.hookspecs import hookimpl
from tokensheet.ranges import (
    CHANGE,
    COUNT,
    COUNT_OR_NONE,
    FLAG,
    NOT_NEGATIVE,
    ONE_OR_MORE,
    POSITIVE,
    SHARE,
    SHARE_BELOW_ONE,
    SHARE_OR_NONE,
)
from tokensheet.schema.accelerator import Accelerator
from tokensheet.schema.link import Link
from tokensheet.schema.mixers import (
    AttentionGroup,
    DeltaNet,
    Included,
    Indexer,
    KimiDelta,
    Latent,
    Lightning,
    Mamba1,
    Mamba2,
    MlpGroup,
    Rwkv5,
)
from tokensheet.schema.model import Model
from tokensheet.schema.number_format import NumberFormat
from tokensheet.schema.price import Price
from tokensheet.schema.profile import Profile
from tokensheet.schema.system import BillLine, System

__all__ = [
    "BYTES_PER_16_BIT",
    "CHANGE",
    "COUNT",
    "COUNT_OR_NONE",
    "FLAG",
    "FLOPS_PER_MAC",
    "HOURS_PER_DAY",
    "HOURS_PER_MONTH",
    "HOURS_PER_YEAR",
    "LARGEST_EXPONENT",
    "MONTHS_PER_YEAR",
    "NOT_NEGATIVE",
    "ONE_HOUR",
    "ONE_OR_MORE",
    "PER_MILLION",
    "POSITIVE",
    "ROUNDING",
    "SECONDS_PER_HOUR",
    "SHARE",
    "SHARE_BELOW_ONE",
    "SHARE_OR_NONE",
    "UNLIMITED",
    "WATTS_PER_KILOWATT",
    "Accelerator",
    "Alias",
    "Assumption",
    "AttentionGroup",
    "Axis",
    "Basis",
    "BillLine",
    "Constant",
    "Declaration",
    "DeltaNet",
    "Formula",
    "Front",
    "Goal",
    "Included",
    "Indexer",
    "Input",
    "KimiDelta",
    "Latent",
    "Lightning",
    "Link",
    "Mamba1",
    "Mamba2",
    "MlpGroup",
    "Model",
    "NumberFormat",
    "Price",
    "Profile",
    "Range",
    "Role",
    "Rwkv5",
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
