"""What the reference says of searches: what each asks, varies, wants, must hold and tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokensheet.goals import Axis, Basis, Front, Goal, SearchPart, Shown, Target
from tokensheet.reference.parts import Entry, Part, Said, Section, Table
from tokensheet.registry import Registry
from tokensheet.search_kits import SearchKit

TEXT = (
    "Questions that many plans may answer, for `tokensheet optimize` and `=BEST_CONFIG`. Goals, targets and ways to "
    "price are options of both; what is varied is narrowed by the name of its axis."
)


def searches_section(registry: Registry) -> Section:
    """Each search with all its parts."""
    entries = [_entry(kit) for kit in registry.searches.values()]
    return Section("searches", "Searches", TEXT, tuple(entries))


def _entry(kit: SearchKit) -> Entry:
    search = kit.search
    parts: list[Part] = [Said("Asks", _names(search.asks))]
    if search.demands:
        parts.append(Said("And one of", "; or ".join(_names(group) for group in search.demands)))
    if search.takes:
        parts.append(Said("Takes", _names(search.takes)))
    rows = tuple((type(p).__name__.lower(), _name(p), p.text, "; ".join(_detail(p))) for p in kit.parts)
    parts.append(Table(("part", "name", "what", "detail"), rows))
    return Entry(search.name, search.text, f"search-{search.name}", tuple(parts))


def _name(part: SearchPart) -> str:
    """A part's name; in backticks where it is that of a node or input: other parts only happen to share one."""
    return f"`{part.name}`" if isinstance(part, Shown | Target) else part.name


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{n}`" for n in names)


def _detail(part: SearchPart) -> Iterator[str]:
    """What a part does, with the nodes that it reads."""
    match part:
        case Axis():
            yield f"varies `{part.of}`"
            if part.values:
                yield "tries " + ", ".join("the role's own" if v is None else str(v) for v in part.values)
            if part.every:
                yield "tries all records"
            if part.splits:
                yield f"a factor of `{part.splits}`"
            yield from (f"leaves out a record where {why}" for _, why in part.avoids)
        case Goal():
            yield f"`{part.node}` as {'large' if part.most else 'small'} as it gets"
            if part.then:
                yield f"then {_names(part.then)} small"
            if part.bound:
                yield f"never better than `{part.bound}`"
        case Target():
            yield f"`{part.node}` at {'least' if part.least else 'most'} the number given"
            if part.gives:
                yield f"gives `{part.gives}`"
            if part.lightest:
                yield f"`{part.lightest}` with hardly any load"
            if part.fullest:
                yield f"`{part.fullest}` at the largest load"
        case Front():
            yield f"{_names(part.pair)} both small"
        case Shown():
            yield f"told of each plan{f' as {part.head}' if part.head else ''}"
            yield from (f"{code:g}: {word}" for code, word in part.codes.items())
        case Basis():
            yield f"`{part.option}={part.name}`"
            if part.needs:
                yield f"needs `{part.needs}`"
            if part.number:
                yield f"`{part.number}` is the median of `{part.fact}` of {part.kind} records"
            yield from (f"`{name}` = {value:g}" for name, value in part.sets.items())
