"""The graph of a question: expansion under `at`, pinned and linked nodes, laziness, checks and their words."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.tools.plugins import DEFAULT, planner, plugin
from tokensheet.arguments import NodeRef
from tokensheet.errors import (
    ArgumentError,
    CalculationError,
    DivisionError,
    MissingFactError,
    PlanError,
    TokensheetError,
    UnknownNameError,
)
from tokensheet.expanding import expand
from tokensheet.graph import Graph, Inner, Leaf
from tokensheet.planning import Planner
from tokensheet.plugin import Assumption, Input, Link, Profile, Range, Role, at, check, formula

SOURCE = "a test"


def value(unit: str = "1") -> Any:
    return formula(unit=unit, source=SOURCE)


# ---- a small plan: context → cache → time of a step; a request is steps at several contexts


@value()
def cache(context, breadth):
    """Size of the cache."""
    return context * breadth


@value()
def step_time(cache, weights):
    """Time of a step."""
    return cache + weights


@value()
def weights(layers):
    """Size of the weights, the same at every context."""
    return layers * 100


@value()
def last_context(prompt, output):
    """Context of the last step."""
    return prompt + output


@value()
def request(first=at("step_time", context="prompt"), last=at("step_time", context="last_context")):
    """Two steps."""
    return first + last


@value()
def two_requests(request, longer=at("request", output="long_output"), far=at("step_time", context=1000)):
    """A request, a longer one, and one step at a given context."""
    return request + longer + far


@value()
def other_last(last=at("step_time", context="prompt", breadth=7)):
    """The same parameter's name as in `request`, under something else."""
    return last


@value()
def both(request, other_last):
    """Two formulas of which each has a `last` of its own."""
    return request + other_last


INPUTS = [Input(n, "1", n) for n in ("context", "breadth", "layers", "prompt", "output", "long_output")]
PLAN = plugin(
    *INPUTS, cache, step_time, weights, last_context, request, two_requests, other_last, both
)  # fmt: skip
GIVEN = {"breadth": 2, "layers": 3, "prompt": 10, "output": 5, "long_output": 50}


def step(context: float, breadth: float = 2, layers: float = 3) -> float:
    return context * breadth + layers * 100


@pytest.fixture(scope="module")
def plan() -> Planner:
    return planner(base=plugin(DEFAULT), one=PLAN)


def graph(made: Planner, *outputs: str, **more: Any) -> Graph:
    return expand(made.registry, outputs, **more)


def wires(found: Graph) -> dict[str, dict[str, str | float]]:
    return {n.key: dict(n.wires) for n in found.inner}


def test_a_node_under_other_inputs_has_rows_of_its_own(plan: Planner) -> None:
    """What the replacement touches is repeated under the parameter's name; what it does not is shared."""
    assert wires(graph(plan, "request")) == {
        "first.cache": {"context": "prompt", "breadth": "breadth"},
        "weights": {"layers": "layers"},
        "first.step_time": {"cache": "first.cache", "weights": "weights"},
        "last_context": {"prompt": "prompt", "output": "output"},
        "last.cache": {"context": "last_context", "breadth": "breadth"},
        "last.step_time": {"cache": "last.cache", "weights": "weights"},
        "request": {"first": "first.step_time", "last": "last.step_time"},
    }
    assert [x.key for x in graph(plan, "request").leaves] == ["prompt", "breadth", "layers", "output"]
    assert plan.evaluate("request", **GIVEN) == step(10) + step(15)


def test_nodes_stand_after_what_they_read(plan: Planner) -> None:
    """The order of the nodes is an order of calculation."""
    for output in ("two_requests", "both"):
        seen: set[str] = set()
        for node in graph(plan, output).nodes.values():
            if isinstance(node, Inner):
                assert {w for w in node.wires.values() if isinstance(w, str)} <= seen, node.key
            seen.add(node.key)


def test_replacements_inside_replacements(plan: Planner) -> None:
    """A nested `at` is expanded within the outer one; a number stands where the input's name stood."""
    found = wires(graph(plan, "two_requests"))
    assert found["longer.last.cache"] == {"context": "longer.last_context", "breadth": "breadth"}
    assert found["longer.last_context"] == {"prompt": "prompt", "output": "long_output"}
    assert found["far.cache"] == {"context": 1000.0, "breadth": "breadth"}
    assert found["longer.request"]["last"] == "longer.last.step_time"
    wanted = step(10) + step(15) + step(10) + step(60) + step(1000)
    assert plan.evaluate("two_requests", **GIVEN) == wanted


def test_what_a_replacement_does_not_reach_is_calculated_once(plan: Planner) -> None:
    """The weights are one node, whatever was replaced around them."""
    keys = list(graph(plan, "two_requests").nodes)
    assert [k for k in keys if k.endswith("weights")] == ["weights"]


def test_two_formulas_with_a_parameter_of_one_name(plan: Planner) -> None:
    """Each expansion keeps rows of its own when their replacements differ, whoever comes first."""
    found = wires(graph(plan, "both"))
    assert found["last.cache"] == {"context": "last_context", "breadth": "breadth"}
    assert found["other_last.last.cache"] == {"context": "prompt", "breadth": 7.0}
    assert plan.evaluate("both", **GIVEN) == step(10) + step(15) + step(10, breadth=7)
    turned = wires(graph(plan, "other_last", "request"))
    assert turned["last.cache"] == {"context": "prompt", "breadth": 7.0}
    assert turned["request.last.cache"] == {"context": "last_context", "breadth": "breadth"}


def test_an_expanded_node_can_be_asked_for(plan: Planner) -> None:
    """`explain` shows the keys of expanded rows with their own numbers."""
    lines = {x.key: (x.words, x.value) for x in plan.explain("request", **GIVEN)[0]}
    assert lines["last.cache"] == ("last_context × breadth", 30.0)
    assert lines["first.step_time"] == ("first.cache + weights", 320.0)
    assert lines["request"] == ("first.step_time + last.step_time", 650.0)
    assert lines["breadth"] == ("given", 2.0)


# ---- another record


def records() -> Any:
    @value("second")
    def transfer_time(size, bandwidth, latency):
        """Seconds of a message."""
        return latency + size / bandwidth

    @value("second")
    def both_ways(transfer_time, back=at("transfer_time", network="backup")):
        """Seconds there and back by another link."""
        return transfer_time + back

    def link(id: str, bandwidth: float, latency: float | None) -> Link:
        return Link(
            id=id, source=SOURCE, link_kind="network", scope="node", bandwidth=bandwidth, latency=latency
        )

    return plugin(
        Role("network", "link", "link there"),
        Role("backup", "link", "link back", prefix="backup_"),
        Input("size", "byte", "bytes"),
        transfer_time,
        both_ways,
        link("fast", 1e9, 1e-3),
        link("slow", 1e8, 2e-3),
        link("vague", 1e8, None),
    )


def test_a_node_with_another_record() -> None:
    """The same formula reads the fields of the record of another role."""
    made = planner(base=plugin(DEFAULT), one=records())
    given = {"network": "fast", "backup": "slow", "size": 1e6}
    assert made.evaluate("both_ways", **given) == (1e-3 + 1e-3) + (2e-3 + 1e-2)
    leaves = {x.key: x.role for x in graph(made, "both_ways").leaves}
    assert leaves == {
        "size": "", "bandwidth": "network", "latency": "network",
        "back.bandwidth": "backup", "back.latency": "backup",
    }  # fmt: skip


def test_a_missing_fact_of_the_other_record_names_it() -> None:
    """A record without a fact is an error of what needs it, with the record's id; it is never 0."""
    made = planner(base=plugin(DEFAULT), one=records())
    given = {"network": "fast", "backup": "vague", "size": 1e6}
    with pytest.raises(MissingFactError) as caught:
        made.evaluate("both_ways", **given)
    assert str(caught.value) == (
        "both_ways: link vague states no latency (time of one small message, software included)"
    )
    assert made.evaluate("transfer_time", **given) == 1e-3 + 1e-3
    assert made.why("both_ways", network="fast", size=1) == "backup is not given (link back)"


def test_a_pinned_field_stands_for_its_role_only() -> None:
    """`bandwidth` is the first role's; the replaced one keeps its record unless its own key is pinned."""
    made = planner(base=plugin(DEFAULT), one=records())
    given = {"network": "fast", "backup": "slow", "size": 1e6, "latency": 0}
    assert made.evaluate("transfer_time", bandwidth=1e6, **given) == 1.0
    assert (
        made.evaluate("both_ways", options={"back.bandwidth": 1e6, "back.latency": 0}, **given) == 1e-3 + 1.0
    )


# ---- pinned nodes

PINNED: list[tuple[str, dict[str, float], float]] = [
    ("request", {"weights": 0}, 20 + 30),
    ("request", {"cache": 1}, 2 * (1 + 300)),
    ("request", {"step_time": 4}, 8),
    ("request", {"last_context": 100}, step(10) + step(100)),
    ("request", {"last.step_time": 4}, step(10) + 4),
    ("request", {"last.step_time": 4, "first.step_time": 5}, 9),
    ("request", {"last.cache": 4}, step(10) + 304),
    ("request", {"last.cache": 4, "weights": 1}, (20 + 1) + (4 + 1)),
    ("two_requests", {"longer.last_context": 0}, step(10) + step(15) + step(10) + step(0) + step(1000)),
    ("two_requests", {"longer.request": 1}, step(10) + step(15) + 1 + step(1000)),
    ("two_requests", {"request": 1}, 1 + 1 + step(1000)),
    ("request", {"request": 3}, 3),
    ("step_time", {"step_time": 3}, 3),
]


@pytest.mark.parametrize(("name", "pinned", "wanted"), PINNED)
@pytest.mark.parametrize("many", [False, True], ids=["scalar", "array"])
def test_any_node_can_be_pinned(
    plan: Planner, name: str, pinned: dict[str, float], wanted: float, many: bool
) -> None:
    """By its name in all expansions, by its dotted key in one; everything downstream uses the number."""
    if many:
        found = plan.evaluate(name, options=pinned, **(GIVEN | {"breadth": [2, 2, 2]}))
        assert found.tolist() == [wanted] * 3
    else:
        assert plan.evaluate(name, options=pinned, **GIVEN) == wanted


def test_a_pinned_node_may_be_a_range(plan: Planner) -> None:
    """Pinned numbers broadcast like inputs."""
    found = plan.evaluate("request", options={"last.step_time": [1, 2, 3, 4]}, **GIVEN)
    assert found.tolist() == [step(10) + n for n in (1, 2, 3, 4)]


def test_what_a_pinned_node_replaces_is_not_needed(plan: Planner) -> None:
    """Inputs that only the pinned node would have read may be absent."""
    assert plan.evaluate("request", step_time=4) == 8.0
    assert plan.why("request", weights=4, prompt=1, output=1) == "breadth is not given (breadth)"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("wieghts", "nothing is called wieghts; nearest is weights"),
        ("last.step_tiem", "nothing is called last.step_tiem; nearest "),
        ("lst.step_time", "nothing is called lst.step_time; nearest "),
    ],
)
def test_an_unknown_name_is_an_error(plan: Planner, name: str, line: str) -> None:
    """A pinned number that reaches nothing would be ignored in silence."""
    with pytest.raises(UnknownNameError) as caught:
        plan.evaluate("request", options={name: 1}, **GIVEN)
    assert str(caught.value).startswith(f"request: {line}")


# ---- what a profile states


def test_a_profile_states_numbers_of_any_node() -> None:
    """Precedence: the call, then the profile, then the formula or the default."""
    fast = Profile(id="fast", values={"weights": 1, "breadth": 5}, fitted_to="nothing", source=SOURCE)
    made = planner(base=plugin(DEFAULT), one=PLAN, two=plugin(fast))
    given = {k: v for k, v in GIVEN.items() if k != "breadth"}
    assert made.evaluate("request", breadth=2, **given) == step(10) + step(15)
    assert made.evaluate("request", profile="fast", **given) == (50 + 1) + (75 + 1)
    assert made.evaluate("request", profile="fast", weights=7, breadth=1, **given) == (10 + 7) + (15 + 7)
    lines = {x.key: (x.words, x.source) for x in made.explain("request", profile="fast", **given)[0]}
    assert lines["weights"] == ("profile fast", SOURCE)


# ---- links


def links() -> Planner:
    @value()
    def room(space, context):
        """How many fit."""
        return math.floor(space / context)

    @value()
    def speed(batch, context):
        """Speed of a batch."""
        return 100 * batch / context

    @value()
    def slow_half(batch, half=at("speed", batch=1)):
        """Two speeds."""
        return batch + half

    @value()
    def of_itself(batch):
        """Reads the batch."""
        return batch + 1

    inputs = [Input("space", "1", "space"), Input("context", "1", "context"), Input("batch", "1", "batch", 1)]
    return planner(base=plugin(DEFAULT), one=plugin(*inputs, room, speed, slow_half, of_itself))


def test_an_input_takes_the_result_of_another_node() -> None:
    """`batch=NodeRef("room")`: the largest batch that fits, under the same inputs."""
    made = links()
    given = {"space": 70, "context": 20}
    assert made.evaluate("speed", batch=NodeRef("room"), **given) == 100 * 3 / 20
    assert made.evaluate("slow_half", batch=NodeRef("room"), **given) == 3 + 100 / 20
    lines = {x.key: (x.words, x.value) for x in made.explain("speed", batch=NodeRef("room"), **given)[0]}
    assert lines["batch"] == ("room", 3.0)


def test_a_link_works_in_ranges() -> None:
    """Each element takes its own result."""
    found = links().evaluate("speed", batch=NodeRef("room"), space=70, context=[10, 20, 30, 0])
    assert found.tolist()[:3] == [100 * 7 / 10, 100 * 3 / 20, 100 * 2 / 30]
    assert math.isnan(found[3])


LIMITS: dict[str, tuple[Range, float, str]] = {
    "above": (Range(above=3), 3, "batch is taken from room, which is 3; it must be above 3"),
    "at least": (Range(minimum=4), 3, "batch is taken from room, which is 3; it must be at least 4"),
    "at most": (Range(maximum=2), 3, "batch is taken from room, which is 3; it must be at most 2"),
    "whole": (Range(whole=True), 3.5, "batch is taken from room, which is 3.5; it must be a whole number"),
    "within": (Range(minimum=1, maximum=3, whole=True), 3, ""),
}


@pytest.mark.parametrize("case", LIMITS)
def test_a_number_taken_from_a_result_is_in_the_range_of_its_input(case: str) -> None:
    """It is held to what a number in the call would be."""
    bounds, room, problem = LIMITS[case]

    @value()
    def speed(batch):
        """Speed of a batch."""
        return 100 * batch

    inputs = [Input("room", "1", "room"), Input("batch", "1", "batch", range=bounds)]
    made = planner(base=plugin(DEFAULT), one=plugin(*inputs, speed))
    assert made.why("speed", batch=NodeRef("room"), room=room).removeprefix("speed: ") == problem


def test_a_link_in_a_circle_is_an_error() -> None:
    """A node cannot be calculated from itself."""
    with pytest.raises(PlanError) as caught:
        links().evaluate("of_itself", batch=NodeRef("of_itself"))
    assert str(caught.value) == (
        "of_itself: of_itself is calculated from itself: of_itself → batch → of_itself; "
        "give one of them as a number"
    )
    with pytest.raises(UnknownNameError, match="nothing is called rom; nearest is room"):
        links().evaluate("speed", batch=NodeRef("rom"), context=1)


# ---- laziness and errors


@value()
def lazily(a, b, flag):
    """The branch that is not taken cannot fail."""
    return a / b if flag else a


@value()
def steps_unused(a, b, flag):
    """A step that no one reads cannot fail."""
    ratio = a / b
    return ratio if flag else a


@value()
def taken_from(a, ratio, flag):
    """A node that no one reads cannot fail."""
    return ratio if flag else a


@value()
def ratio(a, b):
    """A quotient."""
    return a / b


@value()
def short_and(a, b, flag):
    """The second condition is not looked at when the first decides."""
    return 1 if flag == 1 and a / b > 1 else 0


@value()
def short_or(a, b, flag):
    """The second condition is not looked at when the first decides."""
    return 1 if flag == 0 or a / b > 1 else 0


@value()
def beyond(a, b):
    """More than the largest number."""
    return a * b


@value()
def hidden(a, b):
    """A number beyond all numbers, hidden by a division."""
    return 1 / (a * b)


@value()
def hidden_step(a, b):
    """The same with a step."""
    product = a * b
    return 1 / product


@value()
def logarithm(a):
    """A logarithm."""
    return math.log(a)


@value()
def needs_nothing_of(a, spare):
    """Reads an assumption that no one states."""
    return a if a > 0 else spare


LAZY = plugin(
    Input("a", "1", "a"),
    Input("b", "1", "b", 0),
    Input("flag", "flag", "flag", 0, Range(0, None, 1, True)),
    Assumption("spare", "1", "stated by no one", SOURCE),
    *[lazily, steps_unused, taken_from, ratio, short_and, short_or, beyond, hidden, hidden_step, logarithm],
    needs_nothing_of,
)


@pytest.fixture(scope="module")
def lazy() -> Planner:
    return planner(base=plugin(DEFAULT), one=LAZY)


@pytest.mark.parametrize("many", [False, True], ids=["scalar", "array"])
@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("lazily", {"a": 3}, 3),
        ("steps_unused", {"a": 3}, 3),
        ("taken_from", {"a": 3}, 3),
        ("short_and", {"a": 3}, 0),
        ("short_or", {"a": 3}, 1),
        ("needs_nothing_of", {"a": 3}, 3),
        ("beyond", {"a": 1e300, "b": 1e8}, 1e308),
    ],
)
def test_what_is_not_taken_cannot_fail(
    lazy: Planner, name: str, given: dict[str, float], wanted: float, many: bool
) -> None:
    """A division by zero or a missing fact where nobody looks is nothing."""
    if many:
        given = {**given, "a": [given["a"]] * 4}
        assert lazy.evaluate(name, **given).tolist() == [wanted] * 4
    else:
        assert lazy.evaluate(name, **given) == wanted


@pytest.mark.parametrize("many", [False, True], ids=["scalar", "array"])
@pytest.mark.parametrize(
    ("name", "given", "kind", "reason"),
    [
        ("lazily", {"a": 3, "flag": 1}, DivisionError, "lazily: divides by zero: `b` is 0"),
        ("steps_unused", {"a": 3, "flag": 1}, DivisionError, "steps_unused.ratio: divides by zero: `b` is 0"),
        ("taken_from", {"a": 3, "flag": 1}, DivisionError, "ratio: divides by zero: `b` is 0"),
        ("short_and", {"a": 3, "flag": 1}, DivisionError, "short_and: divides by zero: `b` is 0"),
        ("logarithm", {"a": 0}, CalculationError, "logarithm: `log(a)` has no answer for 0"),
        ("beyond", {"a": 1e300, "b": 1e9}, CalculationError, "beyond: `a × b` is beyond the largest number"),
        ("hidden", {"a": 1e300, "b": 1e9}, CalculationError, "hidden: `a × b` is beyond the largest number"),
        (
            "hidden_step",
            {"a": 1e300, "b": 1e9},
            CalculationError,
            "hidden_step.product: `a × b` is beyond the largest number",
        ),
        ("needs_nothing_of", {"a": -1}, ArgumentError, "spare is not given (stated by no one)"),
        ("lazily", {}, ArgumentError, "a is not given (a)"),
        ("lazily", {"a": 1, "flag": 2}, ArgumentError, "flag is 2; it must be at most 1"),
        ("lazily", {"a": 1, "flag": 0.5}, ArgumentError, "flag is 0.5; it must be a whole number"),
        ("lazily", {"a": 1, "flag": -1}, ArgumentError, "flag is -1; it must be at least 0"),
        ("ratio", {"a": 1, "b": 2, "flag": -1}, ArgumentError, "flag is -1; it must be at least 0"),
    ],
)
def test_what_fails_says_where_and_why(
    lazy: Planner, name: str, given: dict[str, float], kind: type[TokensheetError], reason: str, many: bool
) -> None:
    """One line with the node, the piece of the formula, and the number."""
    if many:
        given = {**given, "spare": None, "b": [given.get("b", 0)] * 4}  # type: ignore[dict-item]
        assert lazy.why(name, **given) == [reason] * 4
    else:
        with pytest.raises(kind) as caught:
            lazy.evaluate(name, **given)
        assert (str(caught.value), type(caught.value)) == (f"{name}: {reason}", kind)


# ---- checks and warnings


@check(message="size {size:GB} of {room:GB} at {share:%}; {count} parts of {network}", source=SOURCE)
def it_fits(size, room, share, count):
    """1 when it fits."""
    return size * count <= room * share


@check(message="count {count} is large", source=SOURCE, warning=True)
def count_is_small(count):
    """1 when few."""
    return count <= 10


@check(message="rate {rate} is no number", source=SOURCE)
def rate_is_sane(rate):
    """1 when sane."""
    return 1 / rate > 0


@formula(unit="byte", source=SOURCE, checks=("it_fits", "count_is_small"))
def held(size, count):
    """Bytes held."""
    return size * count


@value("byte")
def held_twice(held):
    """Reads what is checked."""
    return held * 2


@value("byte")
def held_or_not(held, flag):
    """Reads what is checked in one branch."""
    return held if flag else 0


@value("byte")
def part(size):
    """Checks nothing."""
    return size / 2


@formula(unit="1", source=SOURCE, checks=("rate_is_sane",))
def rated(count):
    """A check that may fail to calculate."""
    return count


@value("byte")
def held_elsewhere(later=at("held", count=5)):
    """Its check is made under the replaced count."""
    return later


CHECKED = plugin(
    Input("size", "byte", "bytes"),
    Input("room", "byte", "bytes"),
    Input("share", "1", "share", 0.9),
    Input("count", "1", "parts", 1),
    Input("rate", "1", "rate", 1),
    Input("flag", "flag", "flag", 0),
    *[it_fits, count_is_small, rate_is_sane, held, held_twice, held_or_not, part, rated, held_elsewhere],
)
FITS = {"size": 2e9, "room": 10e9, "network": "fast"}


@pytest.fixture(scope="module")
def checked() -> Planner:
    return planner(base=plugin(DEFAULT), net=records_without_size(), one=CHECKED)


def records_without_size() -> Any:
    link = Link(id="fast", source=SOURCE, link_kind="network", scope="node", bandwidth=1e9)
    return plugin(Role("network", "link", "link"), link)


MESSAGE = "size 2 GB of 10 GB at 90 %; 5 parts of fast"


def test_a_result_is_an_error_when_its_check_fails(checked: Planner) -> None:
    """The message carries the numbers in units for people and the ids of records."""
    assert checked.evaluate("held", count=4, **FITS) == 8e9
    with pytest.raises(PlanError) as caught:
        checked.evaluate("held", count=5, **FITS)
    assert str(caught.value) == f"held: {MESSAGE}"
    for name in ("held_twice", "held_elsewhere"):
        assert checked.why(name, count=5, **FITS) == MESSAGE
    assert checked.evaluate("part", count=5, **FITS) == 1e9
    assert checked.evaluate("it_fits", count=5, **FITS) == 0.0
    assert checked.evaluate("it_fits", count=4, **FITS) == 1.0


def test_a_check_is_lazy_too(checked: Planner) -> None:
    """A result that the branch taken does not read may fail its check."""
    assert checked.evaluate("held_or_not", count=5, **FITS) == 0.0
    assert checked.why("held_or_not", count=5, flag=1, **FITS) == MESSAGE


def test_checks_in_ranges(checked: Planner) -> None:
    """Only the element whose check fails is an error; the reason is its own."""
    given = FITS | {"count": [4, 5, 1, 6]}
    found = checked.evaluate("held", **given)
    assert [f"{v:.0f}" for v in found] == ["8000000000", "nan", "2000000000", "nan"]
    assert checked.why("held", **given) == ["", MESSAGE, "", MESSAGE.replace("5 parts", "6 parts")]
    found = checked.evaluate("held_or_not", **given, flag=[0, 0, 1, 1])
    assert [f"{v:.0f}" for v in found] == ["0", "0", "2000000000", "nan"]


def test_a_check_under_other_inputs_is_made_there(checked: Planner) -> None:
    """At count 1 the result fits, at the replaced count it does not."""
    assert checked.evaluate("held", **FITS) == 2e9
    assert checked.why("held_elsewhere", **FITS) == MESSAGE


def test_a_check_that_cannot_be_calculated_is_an_error(checked: Planner) -> None:
    """It is not taken for passed."""
    assert checked.why("rated", rate=0) == "rate_is_sane: divides by zero: `rate` is 0"
    assert checked.why("rated", rate=[0, 1, 0, 1]) == [
        "rate_is_sane: divides by zero: `rate` is 0", "", "rate_is_sane: divides by zero: `rate` is 0", "",
    ]  # fmt: skip


def test_a_warning_is_told_and_stops_nothing(checked: Planner) -> None:
    """The result stands; `explain` tells the warning with its numbers."""
    given = FITS | {"size": 1e6, "count": 11}
    assert checked.evaluate("held", **given) == 11e6
    assert checked.explain("held", **given)[1] == ["count 11 is large"]
    assert checked.explain("held_twice", **given)[1] == ["count 11 is large"]
    assert checked.explain("held", **(given | {"count": 10}))[1] == []
    assert checked.evaluate("held", **(given | {"count": [11, 12, 13]})).tolist() == [11e6, 12e6, 13e6]


def test_a_pinned_result_is_not_checked(checked: Planner) -> None:
    """Who gives the number answers for it; a pinned check is the way to overrule it."""
    assert checked.evaluate("held_twice", held=3, count=5, **FITS) == 6.0
    assert checked.evaluate("held", it_fits=1, count=5, **FITS) == 10e9
    assert checked.why("held", it_fits=0, count=1, **FITS) != ""


# ---- what the graph says of itself


def test_what_is_surely_read(checked: Planner) -> None:
    """Names in one branch only are not sure; checks of a sure node are."""
    found = graph(checked, "held_or_not")
    assert found.surely("held_or_not") == {"held_or_not", "flag"}
    assert found.surely("held") == {"held", "size", "count", "it_fits", "room", "share"}


def test_the_kinds_of_nodes(checked: Planner) -> None:
    """Leaves are given, inner nodes are calculated; messages know the keys of their words."""
    found = graph(checked, "held")
    assert {k for k, n in found.nodes.items() if isinstance(n, Leaf)} == {"size", "count", "room", "share"}
    assert found.messages == {
        "it_fits": {w: w for w in ("size", "room", "share", "count", "network")},
        "count_is_small": {"count": "count"},
    }
    assert found.outputs == ("held",)
