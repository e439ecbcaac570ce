"""What a plugin can offer: one hook a kind, each without arguments, each returning a list.

A plugin implements as many as it likes with `@hookimpl`; the built-in plugins use the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from tokensheet.declare import Declaration
    from tokensheet.formula import Formula
    from tokensheet.schema.accelerator import Accelerator
    from tokensheet.schema.link import Link
    from tokensheet.schema.model import Model
    from tokensheet.schema.number_format import NumberFormat
    from tokensheet.schema.price import Price
    from tokensheet.schema.profile import Profile
    from tokensheet.schema.system import System

PROJECT = "tokensheet"
API = 1
"""Version of these hooks; a plugin may state the one it needs as `TOKENSHEET_API = 1`."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def tokensheet_accelerators() -> Sequence[Accelerator]:  # type: ignore[empty-body]
    """Devices that run inference: memory, bandwidth, peak rates, power, price."""


@hookspec
def tokensheet_links() -> Sequence[Link]:  # type: ignore[empty-body]
    """Connections between devices or hosts: bandwidth a direction, message latency."""


@hookspec
def tokensheet_systems() -> Sequence[System]:  # type: ignore[empty-body]
    """Machines of several devices: how many, how connected, host power, price line by line."""


@hookspec
def tokensheet_models() -> Sequence[Model]:  # type: ignore[empty-body]
    """Model architectures, from which parameters, cache and operations follow."""


@hookspec
def tokensheet_formats() -> Sequence[NumberFormat]:  # type: ignore[empty-body]
    """Number formats of weights and cache: bytes with scales, what stays in 16 bit."""


@hookspec
def tokensheet_profiles() -> Sequence[Profile]:  # type: ignore[empty-body]
    """Named sets of assumptions, such as one per serving engine."""


@hookspec
def tokensheet_prices() -> Sequence[Price]:  # type: ignore[empty-body]
    """Dated prices: purchase, rent, reserved, spot, API, electricity."""


@hookspec
def tokensheet_formulas() -> Sequence[Formula | Declaration]:  # type: ignore[empty-body]
    """Formulas and checks, the inputs, assumptions and roles that they read, and what a search wants of them."""


@hookspec
def tokensheet_templates() -> Sequence[Path]:  # type: ignore[empty-body]
    """Workbook recipes: paths of TOML files."""


@hookspec
def tokensheet_texts() -> Sequence[Path]:  # type: ignore[empty-body]
    """Labels of the plugin's formulas, inputs and recipes in other languages: paths of TOML files."""
