"""Accelerators, links, systems, number formats and prices. Records are built when first asked for."""

from __future__ import annotations

from tokensheet.plugin import Accelerator, Link, NumberFormat, Price, System, hookimpl


@hookimpl
def tokensheet_accelerators() -> list[Accelerator]:
    """Accelerators of all vendors."""
    from tokensheet_hardware import amd, apple, aws, google, huawei, intel, nvidia, nvidia_rtx, others

    vendors = (nvidia, nvidia_rtx, amd, google, aws, intel, apple, huawei, others)
    return [accelerator for vendor in vendors for accelerator in vendor.accelerators()]


@hookimpl
def tokensheet_links() -> list[Link]:
    """Links between devices and between nodes."""
    from tokensheet_hardware.links import links

    return links()


@hookimpl
def tokensheet_systems() -> list[System]:
    """Servers, racks and slices."""
    from tokensheet_hardware.systems import systems

    return systems()


@hookimpl
def tokensheet_formats() -> list[NumberFormat]:
    """Number formats of weights and caches."""
    from tokensheet_hardware.formats import formats

    return formats()


@hookimpl
def tokensheet_prices() -> list[Price]:
    """Rents, purchases, electricity and prices of hosted models."""
    from tokensheet_hardware.prices import prices

    return prices()
