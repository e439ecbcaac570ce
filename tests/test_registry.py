"""Names, owners and clashes: what plugins offer together, and what is refused when they load."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.tools.plugins import DEFAULT, one_line, planner, plugin, registry
from tokensheet.errors import PluginError, UnknownNameError
from tokensheet.plugin import Assumption, Input, Link, Profile, Range, Role, at, check, formula

SOURCE = "a test"
COUNT = Input("count", "1", "a count", 2)
TIME = Input("pause", "second", "a pause", 3)


def link(id: str, bandwidth: float = 5e9, **more: Any) -> Link:
    return Link(id=id, source=SOURCE, link_kind="network", scope="node", bandwidth=bandwidth, **more)


def problem(found: Any) -> str:
    """The first line of the one problem."""
    (line,) = one_line(found.problems)
    return line


# ---- formulas and declarations of one name


@formula(unit="1", source=SOURCE)
def twice(count):
    """Two times."""
    return 2 * count


@formula(unit="1", source=SOURCE)
def after(twice):
    """One more."""
    return twice + 1


def another_twice() -> Any:
    @formula(unit="1", source=SOURCE)
    def twice(count):
        """Two times, another way."""
        return count + count

    return twice


def test_a_formula_of_two_owners_is_a_clash() -> None:
    """Both owners are named, nothing is called so any more, and what needs it is an error, not a guess."""
    clash = "formula twice is offered by one and by two; remove or rename one, or say replaces='twice'"
    made = planner(one=plugin(COUNT, twice, after), two=plugin(another_twice()))
    assert made.registry.problems == [f"plugin two: {clash}"]
    assert made.registry.broken == {"twice": clash}
    for name in ("twice", "after"):
        with pytest.raises(PluginError) as caught:
            made.evaluate(name)
        assert str(caught.value) == f"{name}: {clash}"
    assert made.evaluate("count") == 2.0
    assert made.why("after") == clash


@pytest.mark.parametrize("order", list(itertools.permutations(["base", "one", "two", "three"])))
def test_no_order_of_registration_decides(order: tuple[str, ...]) -> None:
    """The registry is the same whichever plugin came first."""
    plugins = {
        "one": plugin(COUNT, twice, after, link("a-link")),
        "two": plugin(another_twice(), link("a-link", 6e9)),
        "three": plugin(TIME),
    }
    found = registry(*order, **plugins)
    found.catalog("link")
    assert found.problems == [
        *registry(**plugins).problems,
        "link a-link is offered by one and by two; write one:a-link or two:a-link",
    ]
    assert (sorted(found.nodes), found.owners) == (
        sorted(registry(**plugins).nodes),
        registry(**plugins).owners,
    )


def test_three_owners_of_one_name() -> None:
    """Each further owner is a line of its own."""
    plugins = {f"p{i}": plugin(another_twice()) for i in range(3)}
    found = registry(last=plugin(COUNT), **plugins)
    assert [p.partition(";")[0] for p in found.problems] == [
        "plugin p1: formula twice is offered by p0 and by p1",
        "plugin p2: formula twice is offered by p0 and by p2",
    ]
    assert "twice" not in found.nodes


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (Input("count", "1", "another"), "plugin two: name count is offered by one and by two"),
        (Assumption("count", "1", "another", SOURCE), "plugin two: name count is offered by one and by two"),
        (Role("network", "link", "a link"), "plugin two: role network is declared twice; rename one"),
        (Role("other", "link", "a link"), "plugin two: name bandwidth is offered by one and by two"),
        (Role("machine", "host", "a host"), "plugin two: role machine is of unknown kind host"),
    ],
)
def test_one_owner_declares_a_name(item: Any, line: str) -> None:
    """Inputs, assumptions, roles and the fields of records have one owner each."""
    found = registry(one=plugin(COUNT, Role("network", "link", "a link")), two=plugin(item))
    assert one_line(found.problems)[0].startswith(line)


def test_a_second_record_of_a_kind_needs_a_prefix() -> None:
    """With a prefix all its fields have names of their own."""
    roles = [Role("network", "link", "a link"), Role("other", "link", "another", prefix="other_")]
    found = registry(one=plugin(*roles))
    assert found.problems == []
    assert {"bandwidth", "latency", "other_bandwidth", "other_latency"} <= set(found.nodes)


# ---- replaces


def replacement(target: str, body: Any = None, **more: Any) -> Any:
    @formula(unit="1", source=SOURCE, replaces=target, **more)
    def thrice(count):
        """Three times."""
        return 3 * count

    return thrice


def test_a_formula_replaces_another_by_name() -> None:
    """All that reads the old name gets the new formula; both owners stay known."""
    made = planner(one=plugin(COUNT, twice, after), two=plugin(replacement("twice")))
    assert made.registry.problems == []
    assert (made.evaluate("twice"), made.evaluate("after")) == (6.0, 7.0)
    owner = made.registry.owners["twice"]
    assert (owner.plugin, owner.replaced) == ("two", "one")
    assert "thrice" not in made.registry.nodes
    (line,) = [x for x in made.explain("after")[0] if x.key == "twice"]
    assert (line.owner, line.words) == ("two, replaces one", "3 × count")


def test_a_replacement_keeps_the_function_in_cells() -> None:
    """Arguments stay as they were unless the replacement states its own."""

    @formula(unit="1", source=SOURCE, cell="[count], [options]")
    def twice(count):
        """Two times."""
        return 2 * count

    same = registry(one=plugin(COUNT, twice), two=plugin(replacement("twice")))
    own = registry(one=plugin(COUNT, twice), two=plugin(replacement("twice", cell="count")))
    assert same.functions["TWICE"].cell == ("count", "options")
    assert same.functions["TWICE"].optional == {"count", "options"}
    assert (own.functions["TWICE"].cell, own.functions["TWICE"].optional) == (("count",), frozenset())
    assert list(same.functions) == ["TWICE"]


def test_two_replacements_of_one_formula_are_a_clash() -> None:
    """Neither wins."""
    made = planner(
        one=plugin(COUNT, twice, after), two=plugin(replacement("twice")), three=plugin(replacement("twice"))
    )
    line = "formula twice is replaced by three and by two; remove one"
    assert made.registry.problems == [f"plugin two: {line}"]
    with pytest.raises(PluginError, match=f"after: {line}"):
        made.evaluate("after")


def test_a_replacement_of_nothing_is_refused() -> None:
    """The nearest names are given."""
    found = registry(one=plugin(COUNT, twice), two=plugin(replacement("twise")))
    assert problem(found) == "plugin two: formula thrice replaces twise, which is not there; nearest is twice"


def test_a_replacement_settles_a_clash() -> None:
    """Saying `replaces` is the explicit choice that a clash asks for; the clash stays reported."""
    made = planner(
        one=plugin(COUNT, twice, after), two=plugin(another_twice()), zeta=plugin(replacement("twice"))
    )
    assert len(made.registry.problems) == 1
    assert made.evaluate("after") == 7.0


def test_a_replacement_in_another_unit_is_refused() -> None:
    """All that reads the old one counts on its unit."""

    @formula(unit="second", source=SOURCE, replaces="twice")
    def longer(pause):
        """Seconds."""
        return pause

    found = registry(one=plugin(COUNT, TIME, twice, after), two=plugin(longer))
    assert problem(found) == "plugin two: longer is second, but twice, which it replaces, is 1"
    assert "twice" in found.broken


# ---- what is refused when the plugins load


@formula(unit="1", source=SOURCE)
def lost(cuont):
    """Reads a name that is not there."""
    return cuont


@formula(unit="1", source=SOURCE)
def undocumented(count):
    return count


@formula(unit="1", source="")
def unsourced(count):
    """A number."""
    return count


@formula(unit="seconds", source=SOURCE)
def misspelt_unit(count):
    """A number."""
    return count


@formula(unit="1", source=SOURCE)
def mixed(count, pause):
    """A sum of two units."""
    return count + pause


@formula(unit="1", source=SOURCE)
def defaulted(count=3):
    """A default of its own."""
    return count


@formula(unit="1", source=SOURCE)
def looping(count):
    """A loop."""
    for _ in range(3):
        count = count + 1
    return count


@formula(unit="1", source=SOURCE)
def cell_named(count):
    """A step that looks like a cell."""
    fp8 = count * 2
    return fp8


@formula(unit="1", source=SOURCE)
def half_flag(count):
    """A number for a flag."""
    return count and 1


@formula(unit="1", source=SOURCE, checks=("count_is_evn",))
def unchecked(count):
    """A check that is not there."""
    return count


@formula(unit="1", source=SOURCE)
def elsewhere(far=at("twyce", count=3)):
    """Another node that is not there."""
    return far


@formula(unit="1", source=SOURCE)
def under_nothing(far=at("twice", cuont=3)):
    """An input that is not there."""
    return far


@formula(unit="1", source=SOURCE)
def under_unknown(far=at("twice", count="cuont")):
    """A replacement that is not there."""
    return far


@check(message="{cuont} is odd", source=SOURCE)
def odd_message(count):
    """1."""
    return count > 0


@formula(unit="1", source=SOURCE)
def tp8(count):
    """A cell's name."""
    return count


@formula(unit="1", source=SOURCE, cell="count")
def average(count):
    """A spreadsheet's own function."""
    return count


NOT_READ = formula(unit="1", source=SOURCE)(max)

REFUSED: dict[str, tuple[Any, str]] = {
    "unknown name": (lost, "lost: nothing is called cuont; nearest is count"),
    "no docstring": (undocumented, "undocumented: has no docstring; say in one line what the result is"),
    "no source": (unsourced, "unsourced: has no source; say where the formula stands"),
    "unknown unit": (misspelt_unit, "misspelt_unit: unit 'seconds': 'seconds' is not a unit; units are byte"),
    "mixed units": (mixed, "mixed: `+` mixes 1 and second; convert one, or mend a unit"),
    "default": (defaulted, "defaulted: parameter count has a default; declare it on the Input or Assumption"),
    "loop": (looping, "looping: `for _ in range(3):` has no cell form; a formula has no loops"),
    "cell name": (cell_named, "cell_named: name fp8 looks like cell FP8; choose a name such as fp8_value"),
    "number as flag": (half_flag, "half_flag: `and` of a number gives no flag; compare it first: x != 0"),
    "unknown check": (unchecked, "unchecked: nothing is called count_is_evn; nearest "),
    "unknown node of at": (elsewhere, "elsewhere: nothing is called twyce; nearest is twice"),
    "unknown input of at": (under_nothing, "under_nothing: nothing is called cuont; nearest is count"),
    "unknown value of at": (under_unknown, "under_unknown: nothing is called cuont; nearest is count"),
    "unknown name in a message": (odd_message, "odd_message: nothing is called cuont; nearest is count"),
    "formula named like a cell": (tp8, "name tp8 looks like cell TP8; choose a name such as tp8_value"),
    "function of the spreadsheet": (average, "AVERAGE is a built-in spreadsheet function"),
    "no function": (NOT_READ, "max: has no source in Python; a formula is a plain function"),
    "input named like a cell": (Input("h100", "1", "x"), "name h100 looks like cell H100"),
    "input in capitals": (Input("Gpus", "1", "x"), "name 'Gpus' must be lower case letters, digits and _"),
    "unit of an input": (
        Input("breadth", "bits", "x"),
        "breadth: unit 'bits': 'bits' is not a unit; units are",
    ),
    "unit of an assumption": (
        Assumption("breadth", "byte^", "x", SOURCE),
        "breadth: unit 'byte^' cannot be read",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_at_load(case: str) -> None:
    """One line with plugin, formula and fix; everything else works."""
    item, line = REFUSED[case]
    made = planner(base=plugin(DEFAULT, COUNT, TIME, twice), one=plugin(item))
    assert problem(made.registry).startswith(f"plugin one: {line}")
    assert made.evaluate("twice", count=4) == 8.0
    with pytest.raises(PluginError) as caught:
        made.evaluate(item.name)
    assert line in str(caught.value)


def test_a_broken_formula_breaks_what_reads_it_and_nothing_else() -> None:
    """A cost formula that fails is an error of its readers; it is never skipped."""

    @formula(unit="usd/hour", source=SOURCE)
    def fee(count):
        """A fee in the wrong unit."""
        return count

    @formula(unit="usd", source=SOURCE)
    def bill(fee, hours):
        """Money."""
        return fee * hours

    made = planner(one=plugin(COUNT, Input("hours", "hour", "hours", 5), fee, bill, twice))
    line = "plugin one: fee: the result is in 1; the formula says unit usd/hour; mend one of the two"
    assert one_line(made.registry.problems) == [line]
    assert made.why("bill").split("\n")[0] == line
    assert made.evaluate("twice") == 4.0


def test_what_is_broken_is_not_taken_for_a_plain_number() -> None:
    """A reader, plain or through `at`, is not accused of a unit that its broken source has."""

    @formula(unit="second", source=SOURCE)
    def delay(pause, lost_name):
        """Broken."""
        return pause * lost_name

    @formula(unit="second", source=SOURCE)
    def plainly(delay, pause):
        """Reads it."""
        return delay + pause

    @formula(unit="second", source=SOURCE)
    def elsewhere(pause, later=at("delay", pause=4)):
        """Reads it under another input."""
        return later + pause

    found = registry(one=plugin(TIME, delay, plainly, elsewhere))
    assert [line.partition(";")[0] for line in found.problems] == [
        "plugin one: delay: nothing is called lost_name"
    ]


def test_the_plugin_that_may_have_offered_a_name_is_named() -> None:
    """A reader of a plugin that could not be loaded says so."""
    broken = type("Broken", (), {"TOKENSHEET_API": 2})()
    found = registry(one=plugin(lost), two=broken)
    assert found.problems == [
        "plugin two: needs API 2, this is API 1: update one of the two",
        "plugin one: lost: nothing is called cuont; known are lost "
        "(plugin two: needs API 2, this is API 1: update one of the two)",
    ]


# ---- circles


def circle(*names: str) -> list[Any]:
    """Formulas of which each reads the next."""
    space: dict[str, Any] = {}

    @formula(unit="1", source=SOURCE)
    def chicken(egg):
        """Reads the egg."""
        return egg

    @formula(unit="1", source=SOURCE)
    def egg(nest):
        """Reads the nest."""
        return nest

    @formula(unit="1", source=SOURCE)
    def nest(chicken):
        """Reads the chicken."""
        return chicken

    @formula(unit="1", source=SOURCE)
    def alone(alone):
        """Reads itself."""
        return alone

    @formula(unit="1", source=SOURCE)
    def under(far=at("under", count=1)):
        """Reads itself elsewhere."""
        return far

    @check(message="no", source=SOURCE)
    def checked_is_fine(checked):
        """1."""
        return checked > 0

    @formula(unit="1", source=SOURCE, checks=("checked_is_fine",))
    def checked(count):
        """A number whose check reads it."""
        return count

    space.update(locals())
    return [space[name] for name in names]


@pytest.mark.parametrize(
    ("names", "path"),
    [
        (("chicken", "egg", "nest"), "chicken → egg → nest → chicken"),
        (("alone",), "alone → alone"),
        (("under",), "under → under"),
        (("checked", "checked_is_fine"), "checked → checked_is_fine → checked"),
    ],
)
def test_a_circle_is_refused(names: tuple[str, ...], path: str) -> None:
    """The whole way round is shown, and nothing in it has an answer."""
    made = planner(one=plugin(COUNT, twice, *circle(*names)))
    line = f"plugin one: formulas go in a circle: {path}; break it with an input"
    assert made.registry.problems == [line]
    for name in names:
        with pytest.raises(PluginError) as caught:
            made.evaluate(name)
        assert str(caught.value) == f"{name}: {line}"
    assert made.evaluate("twice") == 4.0


# ---- private names


def private(value: str) -> list[Any]:
    @formula(unit="1", source=SOURCE)
    def _part(count, _own):
        """A part."""
        return count + _own

    @formula(unit="1", source=SOURCE)
    def first_total(_part):
        """A total."""
        return _part * 10

    @formula(unit="1", source=SOURCE)
    def second_total(_part):
        """A total."""
        return _part * 100

    return [
        Input("_own", "1", "of this plugin", float(value)),
        _part,
        {"1": first_total, "2": second_total}[value],
    ]


def test_private_names_belong_to_their_plugin() -> None:
    """Two plugins use the same private names without knowing of each other."""
    made = planner(base=plugin(DEFAULT, COUNT), one=plugin(*private("1")), two=plugin(*private("2")))
    assert made.registry.problems == []
    assert (made.evaluate("first_total"), made.evaluate("second_total")) == (30.0, 400.0)
    assert {n for n in made.registry.nodes if "." in n} == {"one._own", "one._part", "two._own", "two._part"}


def test_private_names_are_not_seen_from_outside() -> None:
    """A stranger's private name is not there, and is not offered as the nearest."""

    @formula(unit="1", source=SOURCE)
    def thief(_part):
        """Reads what is not its own."""
        return _part

    found = registry(base=plugin(DEFAULT, COUNT), one=plugin(*private("1")), two=plugin(thief))
    assert problem(found).startswith("plugin two: thief: nothing is called two._part; ")
    assert "one._" not in problem(found)


def test_private_names_work_in_at_and_checks() -> None:
    """A plugin uses its own private nodes everywhere: elsewhere, as a check, in a message."""

    @formula(unit="1", source=SOURCE)
    def _part(count, _own):
        """A part."""
        return count + _own

    @check(message="own is {_own}, part {_part}", source=SOURCE)
    def _part_is_small(_part, _own):
        """1 when small."""
        return _part + _own < 100

    @formula(unit="1", source=SOURCE, checks=("_part_is_small",))
    def total(far=at("_part", count=5), near=at("_part", _own="count")):
        """A total."""
        return far * 10 + near

    made = planner(one=plugin(COUNT, Input("_own", "1", "of this plugin", 3.0), _part, _part_is_small, total))
    assert made.registry.problems == []
    assert made.evaluate("total") == (5 + 3) * 10 + (2 + 2)
    assert made.why("total", count=200) == "own is 3, part 203"


# ---- records


def test_a_record_of_two_owners_is_a_clash() -> None:
    """It is reported; its id is refused with both names to choose from; each can be had by its owner."""
    found = registry(
        one=plugin(link("a-link")), two=plugin(link("a-link", 6e9)), three=plugin(link("b-link"))
    )
    catalog = found.catalog("link")
    line = "link a-link is offered by one and by two; write one:a-link or two:a-link"
    assert found.problems == [line]
    with pytest.raises(UnknownNameError) as caught:
        catalog.find("A-Link")
    assert str(caught.value) == "link A-Link is offered by one and by two; write one:a-link or two:a-link"
    assert catalog.find("one:a-link").record.bandwidth == 5e9
    assert catalog.find("Two:A-Link").record.bandwidth == 6e9
    assert catalog.find("b-link").owner.plugin == "three"
    assert [e.owner.plugin for e in catalog] == ["three", "one", "two"]


def test_records_are_found_by_id_name_and_alias() -> None:
    """Case, spaces and underscores do not matter."""
    records = [link("fast-link", name="Fast Link 400 Gb/s"), link("slow-link", aliases=("old", "Very Slow"))]
    catalog = registry(one=plugin(*records)).catalog("link")
    for text in (
        "fast-link",
        "FAST-LINK",
        "fast_link",
        " Fast-Link ",
        "Fast Link 400 Gb/s",
        "fastlink400gb/s",
    ):
        assert catalog.find(text).record.id == "fast-link", text
    for text in ("slow-link", "OLD", "very slow"):
        assert catalog.find(text).record.id == "slow-link", text


def test_an_unknown_record_lists_the_nearest() -> None:
    """A miss says what there is."""
    catalog = registry(one=plugin(link("fast-link"), link("slow-link"), link("optical"))).catalog("link")
    with pytest.raises(UnknownNameError) as caught:
        catalog.find("fats-link")
    assert str(caught.value) == "no link named 'fats-link'; nearest are fast-link, slow-link"
    with pytest.raises(UnknownNameError) as caught:
        catalog.find("xyz")
    assert str(caught.value) == "no link named 'xyz'; known are fast-link, optical, slow-link"


def test_an_alias_of_two_records_is_ambiguous() -> None:
    """Neither is taken; an id goes before an alias."""
    records = [link("one", aliases=("both",)), link("two", aliases=("both", "three")), link("three")]
    catalog = registry(p=plugin(*records)).catalog("link")
    with pytest.raises(UnknownNameError) as caught:
        catalog.find("both")
    assert str(caught.value) == "link 'both' may be one or two; write one of them"
    assert catalog.find("three").record.id == "three"


def test_an_alias_of_a_clashing_record_says_so() -> None:
    """The alias leads to the clash, not to nowhere."""
    found = registry(
        one=plugin(link("a-link", aliases=("alpha",))), two=plugin(link("a-link", 6e9, aliases=("alpha",)))
    )
    with pytest.raises(UnknownNameError, match="alpha' may be one:a-link or two:a-link; write one of them"):
        found.catalog("link").find("alpha")


def test_records_are_built_when_first_asked_for() -> None:
    """A plugin's records cost nothing until a kind is needed, and are built once."""
    built = []

    def links() -> list[Link]:
        built.append(1)
        return [link("a-link")]

    found = registry(one=plugin(links=links))
    assert built == []
    assert found.record("link", "a-link").id == found.record("link", "A-LINK").id == "a-link"
    assert built == [1]


def test_a_profile_of_unknown_names_says_so() -> None:
    """A misspelt assumption in a profile must not be ignored."""
    bad = Profile(id="fast", values={"coutn": 4}, fitted_to="nothing", source=SOURCE)
    made = planner(one=plugin(COUNT, twice, bad))
    assert made.why("twice", profile="fast") == "nothing is called coutn; nearest is count"
    assert made.evaluate("twice") == 4.0


def test_a_profile_out_of_range_says_so() -> None:
    """A profile's value keeps to the range of what it names."""
    share = Assumption("share", "1", "a share", SOURCE, 1, Range(above=0, maximum=1))
    bad = Profile(id="fast", values={"share": 4}, fitted_to="nothing", source=SOURCE)

    @formula(unit="1", source=SOURCE)
    def part(share, count):
        """A part."""
        return share * count

    made = planner(one=plugin(COUNT, share, part, bad))
    assert made.why("part", profile="fast") == "profile fast: share is 4; it must be at most 1"
    assert made.evaluate("part", profile="fast", share=0.5) == 1.0
