"""What each candidate of a workbook says, with records by the ids that stand in the catalogue sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokensheet.arguments import NodeRef
from tokensheet.proposal import LARGEST, Proposal
from tokensheet.registry import Registry
from tokensheet.reshaping import reshaped
from tokensheet.workbook.cells import clean


@dataclass(frozen=True)
class Said:
    """Candidates by place.

    Args:
        names: as cells show them
        common: what counts for all
        single: what each says besides, or instead
    """

    names: Sequence[str]
    common: Mapping[str, Any]
    single: Sequence[Mapping[str, Any]]

    @cached_property
    def given(self) -> list[dict[str, Any]]:
        """All that each says."""
        return [{**self.common, **each} for each in self.single]

    @cached_property
    def by_all(self) -> set[str]:
        """Names that every candidate says something for."""
        return set.intersection(*(set(each) for each in self.given))


def said_in(registry: Registry, proposal: Proposal) -> Said:
    """What a proposal's candidates say.

    A number from which others of its record follow moves into the id that a candidate chooses.
    """
    common = _with_ids(registry, proposal.common)
    single = [_with_ids(registry, each.given) for each in proposal.candidates]
    shaping = registry.shaping
    if not (shaping.isdisjoint(common) and all(map(shaping.isdisjoint, single))):
        whole = [reshaped(registry, {**common, **each}) for each in single]
        common = {k: v for k, v in common.items() if k not in shaping or all(k in w for w in whole)}
        single = [{k: v for k, v in each.items() if common.get(k) != v} for each in whole]
    return Said([clean(each.name) for each in proposal.candidates], common, single)


def _with_ids(registry: Registry, given: Mapping[str, Any]) -> dict[str, Any]:
    roles = registry.roles
    return {k: registry.catalog(roles[k].kind).key(v) if k in roles else v for k, v in given.items()}


def as_call(registry: Registry, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a candidate says as functions take it: the word for the largest number is the node that tells it."""
    largest = {name: NodeRef(limit) for name, limit in registry.limits.items() if given.get(name) == LARGEST}
    return {**given, **largest}
