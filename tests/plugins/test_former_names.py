"""A renamed node, option, role, function or record works under its former name, with a warning, for two minor versions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.tools.plugins import DEFAULT, planner, plugin
from tokensheet.cli.commands import tokensheet
from tokensheet.declare import Alias, Owner
from tokensheet.errors import ProposalError, RenamedWarning, UnknownNameError
from tokensheet.former import Former
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.plugin import Assumption, Constant, Input, Profile, Role, check, formula
from tokensheet.proposal import parse

LIMIT = Constant("LIMIT", 1000, "hour", "a limit")


@formula(unit="usd", source="a test", cell="hours, [options]")
def total_fee(hours, fee):
    """A fee for some hours."""
    return hours * fee


@check(message="hours {hours} are too many", source="a test")
def few_hours(hours):
    """1 when there are few hours."""
    return hours < LIMIT


RENAMED = plugin(
    total_fee,
    few_hours,
    Input("hours", "hour", "hours"),
    Assumption("fee", "usd/hour", "a fee", "a test", 2),
    Role("chosen", "profile", "a profile"),
    Alias("time", "hours", "0.4"),
    Alias("rate", "fee", "0.4"),
    Alias("whole_fee", "total_fee", "0.4"),
    Alias("picked", "chosen", "0.4"),
    Alias("standard", "default", "0.4", "profile"),
)


@pytest.fixture
def renamed() -> Planner:
    return planner(a=RENAMED)


def test_no_problem(renamed: Planner) -> None:
    assert renamed.registry.problems == []


def told(name: str, new: str, kind: str = "") -> str:
    return f"{kind}{name} is now {new} .since 0.4.; write {new}"


def test_a_former_node_in_python(renamed: Planner) -> None:
    """The same answer, and a warning that says what to write."""
    assert renamed.evaluate("total_fee", hours=3) == 6
    with pytest.warns(RenamedWarning, match=told("whole_fee", "total_fee")):
        assert renamed.evaluate("whole_fee", hours=3) == 6


def test_a_former_input_and_option(renamed: Planner) -> None:
    with pytest.warns(RenamedWarning) as warned:
        assert renamed.evaluate("total_fee", "rate=5", time=3) == 15
    assert sorted(str(w.message) for w in warned) == [
        "rate is now fee (since 0.4); write fee",
        "time is now hours (since 0.4); write hours",
    ]


def test_both_names_at_once_are_an_error(renamed: Planner) -> None:
    """Which of the two numbers is meant cannot be known."""
    with (
        pytest.warns(RenamedWarning),
        pytest.raises(
            UnknownNameError, match="hours is given twice, once under its former name; leave one out"
        ),
    ):
        renamed.evaluate("total_fee", time=3, hours=4)


def test_a_former_function_in_a_cell(renamed: Planner) -> None:
    """It answers, its description says what it is called now, and EXPLAIN warns."""
    functions = Functions(renamed)
    with pytest.warns(RenamedWarning, match=told("whole_fee", "total_fee")):
        assert functions.call("WHOLE_FEE", [3.0]) == 6
    assert functions.table["WHOLE_FEE"].text.startswith("Former name: whole_fee is now total_fee")
    with pytest.warns(RenamedWarning):
        rows = functions.call("EXPLAIN", ["total_fee", 3.0, "rate=5"])
    assert ["warning", "rate is now fee (since 0.4); write fee", "", "", "", ""] in rows


def test_a_former_record(renamed: Planner) -> None:
    """An id that other files still use."""
    with pytest.warns(RenamedWarning, match=told("standard", "default", "profile ")):
        assert renamed.registry.record("profile", "standard").id == "default"
    with pytest.warns(RenamedWarning):
        assert renamed.evaluate("total_fee", hours=3, profile="standard") == 6


def test_a_former_role(renamed: Planner) -> None:
    with pytest.warns(RenamedWarning, match=told("picked", "chosen")):
        assert renamed.evaluate("total_fee", hours=3, picked="default") == 6


def test_other_plugins_may_use_the_former_name() -> None:
    """Parameters, arguments of cells, checks, re-evaluations and profiles written for the version before."""
    from tokensheet.plugin import at

    @formula(unit="usd", source="a test", cell="time, [options]", checks=("brief",))
    def doubled(whole_fee, day=at("whole_fee", time="hours_of_a_day")):
        """Twice the fee, and a day's."""
        return 2 * whole_fee + day

    old = plugin(
        doubled,
        Assumption("hours_of_a_day", "hour", "hours", "a test", 24),
        Profile(id="dear", values={"rate": 10}, fitted_to="nothing", source="a test"),
    )
    brief = plugin(Alias("brief", "few_hours", "0.4"))
    with pytest.warns(RenamedWarning):
        made = planner(base=plugin(DEFAULT), a=RENAMED, b=old, c=brief)
        assert made.registry.problems == []
        assert made.evaluate("doubled", hours=1) == 2 * 2 + 48
        assert made.evaluate("doubled", hours=1, profile="dear") == 2 * 10 + 240
        with pytest.raises(Exception, match="hours 2000 are too many"):
            made.evaluate("doubled", hours=2000)


def test_a_proposal_under_former_names(renamed: Planner) -> None:
    """A file of last year still exports."""
    text = (
        'title = "x"\nresults = ["whole_fee"]\n[workload]\ntime = 3\n[assumptions]\nrate = 5\n'
        '[reasons]\nrate = "as before"\n[[candidates]]\nname = "one"\npicked = "default"\n'
    )
    with pytest.warns(RenamedWarning):
        proposal = parse(text, renamed)
    assert proposal.results == ("total_fee",)
    assert proposal.workload == {"hours": 3}
    assert proposal.assumptions == {"fee": 5}
    assert proposal.reasons == {"fee": "as before"}
    assert proposal.candidates[0].given == {"chosen": "default"}


VERSIONS = [
    ("0.4.0", True),
    ("0.5.9", True),
    ("0.6.0", False),
    ("1.0", False),
    ("0.3", True),
    ("1a2b3c4d", True),
]


@pytest.mark.parametrize(("version", "works"), VERSIONS)
def test_for_two_minor_versions(version: str, works: bool) -> None:
    """Then it is an error that says the new name; a file without a version keeps it."""
    former = Former(Alias("time", "hours", "0.4"), Owner("a", "plan-a", version))
    if works:
        with pytest.warns(RenamedWarning):
            assert former.new_name() == "hours"
    else:
        with pytest.raises(UnknownNameError, match=r"write hours; the old name worked until 0\.6"):
            former.new_name()


MISTAKES: dict[str, tuple[Any, str]] = {
    "no such node": (Alias("old", "hour", "0.4"), "nothing is called hour; nearest is hours"),
    "still there": (Alias("fee", "hours", "0.4"), "fee is there"),
    "no version": (Alias("old", "hours", "lately"), "since is 'lately'; write a version such as 0.4"),
    "a cell": (Alias("tp8", "hours", "0.4"), "name tp8 looks like cell TP8; choose a name such as tp8_value"),
    "no such kind": (Alias("old", "new", "0.4", "gadget"), "no kind named gadget; known are accelerator, "),
    "no such record": (Alias("old", "new", "0.4", "profile"), "no profile named new; known are default"),
    "record still there": (Alias("default", "default", "0.4", "profile"), "profile default is there"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told(case: str) -> None:
    """With the plugin and both names."""
    alias, reason = MISTAKES[case]
    made = planner(
        a=plugin(total_fee, Input("hours", "hour", "x", 1), Input("fee", "usd/hour", "x", 1), alias)
    )
    made.registry.catalog("profile")
    (line,) = made.registry.problems
    what = "id" if alias.kind in {"profile"} else "name"
    assert line.startswith(f"plugin a: former {what} {alias.old} of {alias.new}: {reason}")
    assert made.evaluate("total_fee") == 1


@pytest.mark.slow
def test_the_terminal_shows_a_warning_line(tmp_path: Path) -> None:
    """Under its own exit code and on standard error, so that scripts go on."""
    import subprocess
    import sys

    file = tmp_path / "mine.py"
    file.write_text(
        "from tokensheet.plugin import Alias, hookimpl\n"
        '@hookimpl\ndef tokensheet_formulas():\n    return [Alias("kv_size", "kv_bytes", "0.1")]\n'
    )
    code = "from tokensheet.cli import main; main()"
    command = [sys.executable, "-c", code, "--plugin", str(file), "eval", '=KV_SIZE("llama-2-70b",1024)']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "335544320\n")
    assert done.stderr == "tokensheet: warning: kv_size is now kv_bytes (since 0.1); write kv_bytes\n"
    listed = CliRunner().invoke(tokensheet, ["--plugin", str(file), "functions"])
    assert "Former name: kv_size is now kv_bytes" in listed.output


def test_the_plain_registry_knows_no_former_names() -> None:
    """Then nothing of this costs anything."""
    assert planner(a=plugin(replace(total_fee))).registry.former == {}


def test_a_proposal_that_gives_a_name_under_both_its_names(renamed: Planner) -> None:
    """Within a table and over two of them; all of it is told at once, with the lines."""
    text = (
        'title = "x"\nresults = ["whole_fee"]\n[workload]\ntime = 3\nhours = 4\n[assumptions]\nhours = 5\nrate = "a"\n'
        '[[candidates]]\nname = "one"\nfee = 1\nrate = 2\n'
    )
    with pytest.warns(RenamedWarning), pytest.raises(ProposalError) as caught:
        parse(text, renamed)
    assert str(caught.value).split("\n")[1:] == [
        "  - line 5: hours is given twice, once under its former name; leave one out",
        "  - line 12: fee is given twice, once under its former name; leave one out",
        '  - line 6: fee is "a"; give a number',
        "  - line 7: hours is given twice, in [workload] and [assumptions]; leave one out",
    ]
