"""The two articles' devices, models, links, systems and assumption sets, as plugin records."""

from __future__ import annotations

from tokensheet.plugin import Accelerator, Link, Model, Profile, System, hookimpl


@hookimpl
def tokensheet_accelerators() -> list[Accelerator]:
    """The articles' three devices."""
    from tokensheet_classics.records import accelerators

    return accelerators()


@hookimpl
def tokensheet_links() -> list[Link]:
    """The articles' links, and the ideal one."""
    from tokensheet_classics.records import links

    return links()


@hookimpl
def tokensheet_systems() -> list[System]:
    """The second article's builds, with bills of materials."""
    from tokensheet_classics.records import systems

    return systems()


@hookimpl
def tokensheet_models() -> list[Model]:
    """The articles' simplified models."""
    from tokensheet_classics.models import models

    return models()


@hookimpl
def tokensheet_profiles() -> list[Profile]:
    """The articles' assumptions."""
    from tokensheet_classics.records import profiles

    return profiles()
