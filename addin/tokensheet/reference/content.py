"""The reference as a whole, gathered from the registry: functions, options, searches, results, profiles, records, hooks."""

from __future__ import annotations

from tokensheet.functions import Functions
from tokensheet.reference.functions import functions_section
from tokensheet.reference.options import option_lists, results_list
from tokensheet.reference.parts import Content
from tokensheet.reference.records import hooks_section, kind_lists, profiles_section
from tokensheet.reference.searches import searches_section


def content(functions: Functions) -> Content:
    """All that the reference says of these functions and their catalogue."""
    registry = functions.planner.registry
    return Content(
        functions.own.version(),
        (
            functions_section(functions),
            *option_lists(registry),
            searches_section(registry),
            results_list(registry),
            profiles_section(registry),
            *kind_lists(registry),
            hooks_section(),
        ),
    )
