"""Finding and loading plugins: a broken one is one line, and the rest works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.plugins import Site, plugin, registry
from tokensheet.errors import PluginError
from tokensheet.plugin import Formula, formula, hookimpl
from tokensheet.plugins import HOOKS, Plugins, load

BUILT_IN = ["classics", "costs", "hardware", "inference", "models"]

GOOD = """
from tokensheet.plugin import formula, hookimpl

@formula(unit="1", source="a test")
def {name}():
    "A number."
    return 7

@hookimpl
def tokensheet_formulas():
    return [{name}]
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.delenv("TOKENSHEET_DISABLE", raising=False)
    monkeypatch.delenv("TOKENSHEET_NO_PLUGINS", raising=False)
    return Site(tmp_path, monkeypatch)


def states(plugins: Plugins) -> dict[str, tuple[str, str, str, str]]:
    """Name → distribution, version, state, reason; the built-in plugins left out."""
    return {
        i.name: (i.distribution, i.version, i.state, i.reason)
        for i in plugins.infos
        if i.distribution != "tokensheet"
    }


def test_the_built_in_plugins_come_through_the_same_door() -> None:
    """Hardware, models, inference, costs and classics are entry points like any other, and sound."""
    found = [i for i in load().infos if i.distribution == "tokensheet"]
    assert [(i.name, i.state) for i in found] == [(name, "loaded") for name in BUILT_IN]


def test_the_hooks_are_these() -> None:
    """A hook more or less is a change of the interface."""
    kinds = "accelerators formats formulas links models prices profiles systems templates texts"
    assert [f"tokensheet_{kind}" for kind in kinds.split()] == list(HOOKS)


def test_an_installed_distribution_is_found(site: Site) -> None:
    """An entry point of the group `tokensheet` is all it takes."""
    site.add("fake-plan", GOOD.format(name="seven"), name="fake", version="2.1")
    plugins = load()
    assert states(plugins) == {"fake": ("fake-plan", "2.1", "loaded", "")}
    assert [f.plugin.name for f in plugins.found("tokensheet_formulas")] == ["costs", "fake", "inference"]
    owner = next(i.owner for i in plugins.infos if i.name == "fake")
    assert str(owner) == "fake (fake-plan 2.1)"


BROKEN: dict[str, tuple[str, str]] = {
    "raises": ("raise ValueError('no licence\\nfound')", "not loaded: ValueError: no licence found"),
    "raises without words": ("raise RuntimeError", "not loaded: RuntimeError"),
    "exits": ("import sys\nsys.exit(3)", "not loaded: SystemExit: 3"),
    "lacks a package": ("import no_such_package", "not loaded: No module named 'no_such_package'"),
    "lacks a name": (
        "from tokensheet.plugin import formulae",
        "not loaded: cannot import name 'formulae' from 'tokensheet.plugin'",
    ),
    "is no Python": ("def f(:\n", "not loaded: SyntaxError: invalid syntax"),
    "needs another API": ("TOKENSHEET_API = 2", "needs API 2, this is API 1: update one of the two"),
    "misspelt hook": (
        "from tokensheet.plugin import hookimpl\n@hookimpl\ndef tokensheet_formula():\n    return []",
        "unknown hook tokensheet_formula; nearest are tokensheet_formulas, ",
    ),
    "one good and one misspelt hook": (
        GOOD.format(name="seven") + "\n@hookimpl\ndef tokensheet_gpus():\n    return []",
        "unknown hook tokensheet_gpus; nearest are tokensheet_",
    ),
    "wrapper": (
        "from tokensheet.plugin import hookimpl\n"
        "@hookimpl(wrapper=True)\ndef tokensheet_formulas():\n    return (yield)",
        "hook tokensheet_formulas is a wrapper; offer a list instead",
    ),
    "old wrapper": (
        "from tokensheet.plugin import hookimpl\n@hookimpl(hookwrapper=True)\ndef tokensheet_formulas():\n    yield",
        "hook tokensheet_formulas is a wrapper; offer a list instead",
    ),
    "a good hook before one with an argument": (
        "from tokensheet.plugin import hookimpl\n@hookimpl\ndef tokensheet_formulas():\n    return []\n"
        "@hookimpl\ndef tokensheet_models(registry):\n    return []",
        "Plugin 'extra' for hook 'tokensheet_models' hookimpl definition: tokensheet_models(registry) ",
    ),
    "hook with an argument": (
        GOOD.format(name="seven").replace("tokensheet_formulas()", "tokensheet_formulas(registry)"),
        "Plugin 'extra' for hook 'tokensheet_formulas' hookimpl definition: tokensheet_formulas(registry) "
        "Argument(s) {'registry'} are declared in the hookimpl but can not be found in the hookspec",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_plugin_is_one_line_and_breaks_nothing_else(site: Site, case: str) -> None:
    """The reason names the distribution and its version; the plugin offers nothing, all others everything."""
    text, reason = BROKEN[case]
    site.add("fake-plan", text)
    site.add("fine-plan", GOOD.format(name="fine"), name="fine")
    plugins = load()
    found = states(plugins)
    assert found["fine"] == ("fine-plan", "1.0", "loaded", "")
    assert found["extra"][:3] == ("fake-plan", "1.0", "failed")
    assert found["extra"][3].startswith(reason)
    assert "\n" not in found["extra"][3]
    assert [i.line for i in plugins.failed] == [f"plugin extra (fake-plan 1.0): {found['extra'][3]}"]
    assert [f.plugin.name for f in plugins.found("tokensheet_formulas")] == ["costs", "fine", "inference"]


def test_an_entry_point_without_its_object(site: Site) -> None:
    """An entry point may name an object in a module; when it is not there, that is the plugin's failure."""
    site.add("fake-plan", "", points={"extra": "{module}:missing"})
    assert states(load())["extra"][2:][0] == "failed"
    assert "has no attribute 'missing'" in states(load())["extra"][3]


def test_control_c_at_import_ends_the_program(site: Site) -> None:
    """The person at the keyboard is no plugin."""
    site.add("fake-plan", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load()


def test_two_distributions_with_one_entry_point_name_both_load(site: Site) -> None:
    """They are told apart by their distribution, whichever was installed first."""
    site.add("plan-b", GOOD.format(name="second"), name="extra")
    site.add("plan-a", GOOD.format(name="first"), name="extra", version="3.0")
    plugins = load()
    assert states(plugins) == {
        "plan-a:extra": ("plan-a", "3.0", "loaded", ""),
        "plan-b:extra": ("plan-b", "1.0", "loaded", ""),
    }
    names = [f.plugin.name for f in plugins.found("tokensheet_formulas")]
    assert names == ["costs", "inference", "plan-a:extra", "plan-b:extra"]


@pytest.mark.parametrize("word", ["extra", "fake-plan"])
@pytest.mark.parametrize("by", ["argument", "environment"])
def test_a_plugin_is_switched_off_by_its_own_or_its_distributions_name(
    site: Site, monkeypatch: pytest.MonkeyPatch, word: str, by: str
) -> None:
    """Neither is imported then."""
    site.add("fake-plan", "raise ValueError('must not be imported')")
    if by == "environment":
        monkeypatch.setenv("TOKENSHEET_DISABLE", f" {word}, ")
    found = load(disable=[word] if by == "argument" else [])
    assert states(found) == {"extra": ("fake-plan", "1.0", "disabled", "")}
    assert found.failed == []


def test_both_names_of_a_distribution_are_switched_off(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dist:name` switches off one of two plugins with the same name, the bare name both."""
    for distribution in ("plan-a", "plan-b"):
        site.add(distribution, GOOD.format(name="one"), name="extra")
    assert [v[2] for v in states(load(disable=["plan-a:extra"])).values()] == ["disabled", "loaded"]
    assert [v[2] for v in states(load(disable=["extra"])).values()] == ["disabled", "disabled"]
    monkeypatch.setenv("TOKENSHEET_DISABLE", "plan-b,plan-a")
    assert [v[2] for v in states(load()).values()] == ["disabled", "disabled"]


def test_a_built_in_plugin_is_switched_off_like_any_other() -> None:
    """Disabling `tokensheet` leaves nothing of the built-in plugins."""
    assert {i.name: i.state for i in load(disable=["costs"]).infos}["costs"] == "disabled"
    assert {i.state for i in load(disable=["tokensheet"]).infos if i.distribution == "tokensheet"} == {
        "disabled"
    }


def test_an_unknown_name_to_disable_is_an_error(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that switches off nothing would leave a person in the belief that it did."""
    site.add("fake-plan", "")
    with pytest.raises(PluginError) as caught:
        load(disable=["cost"])
    assert str(caught.value) == "cannot disable cost: nothing is called so; known is costs"
    monkeypatch.setenv("TOKENSHEET_DISABLE", "extra nobody")
    with pytest.raises(PluginError, match="cannot disable nobody: nothing is called so; known are"):
        load()


def test_no_plugins_but_the_built_in_ones(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """TOKENSHEET_NO_PLUGINS leaves everybody else out without importing them."""
    site.add("fake-plan", "raise ValueError('must not be imported')")
    monkeypatch.setenv("TOKENSHEET_NO_PLUGINS", "1")
    found = load()
    assert states(found) == {"extra": ("fake-plan", "1.0", "disabled", "TOKENSHEET_NO_PLUGINS is set")}
    assert [i.name for i in found.infos if i.state == "loaded"] == BUILT_IN


def test_a_file_is_a_plugin_without_packaging(tmp_path: Path) -> None:
    """A first try needs no distribution."""
    path = tmp_path / "mine.py"
    path.write_text(GOOD.format(name="mine"))
    found = load(files=[path]).infos[-1]
    assert (found.name, found.distribution, found.state) == ("mine", "mine.py", "loaded")
    missing = load(files=[tmp_path / "gone.py"]).infos[-1]
    assert missing.state == "failed"
    assert f"{tmp_path / 'gone.py'} is not a Python file" in missing.reason


def test_a_name_that_is_taken_is_the_second_plugins_failure() -> None:
    """The first keeps its name and what it offers."""
    plugins = load(modules=[("costs", plugin())])
    assert [(i.distribution, i.state) for i in plugins.infos if i.name == "costs"] == [
        ("tokensheet", "loaded"),
        ("", "failed"),
    ]
    owners = {f.plugin.owner.distribution for f in plugins.found("tokensheet_formulas")}
    assert owners == {"tokensheet"}


def test_found_is_in_the_order_of_names(site: Site) -> None:
    """Neither installation nor registration decides who comes first."""
    modules: list[tuple[str, Any]] = [("zeta", plugin(formulas=[])), ("alpha", plugin(formulas=[]))]
    wanted = ["alpha", "costs", "inference", "zeta"]
    for order in (modules, modules[::-1]):
        found = load(modules=order).found("tokensheet_formulas")
        assert [f.plugin.name for f in found] == wanted


# ---- what a hook may do wrong when it is called


@formula(unit="1", source="a test")
def sound():
    """A number."""
    return 1


def interrupted() -> list[Formula]:
    raise KeyboardInterrupt


def leaving() -> list[Formula]:
    raise SystemExit("enough")


def failing() -> list[Formula]:
    raise KeyError("gpus")


CALLS: dict[str, tuple[Any, str]] = {
    "raises": (failing, "tokensheet_formulas failed: KeyError: 'gpus'"),
    "exits": (leaving, "tokensheet_formulas failed: SystemExit: enough"),
    "gives nothing": (lambda: None, "tokensheet_formulas gave NoneType; return a list"),
    "gives one": (lambda: sound, "tokensheet_formulas gave Formula; return a list"),
    "gives a generator": (lambda: (f for f in [sound]), "tokensheet_formulas gave generator; return a list"),
    "gives a mapping": (lambda: {"sound": sound}, "tokensheet_formulas gave dict; return a list"),
    "gives text": (lambda: "sound", "tokensheet_formulas gave str; return a list"),
    "gives another item": (
        lambda: [sound, 4],
        "tokensheet_formulas gave 4; each item is a "
        "Formula or Input or Assumption or Role or Verdict or Alias or SearchPart",
    ),
    "gives a bare function": (
        lambda: [len],
        "tokensheet_formulas gave <built-in function len>; each item is a "
        "Formula or Input or Assumption or Role or Verdict or Alias or SearchPart",
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_hook_that_fails_is_one_line(case: str) -> None:
    """Another plugin's formulas are there all the same; so are the right items of a list."""
    call, reason = CALLS[case]

    @formula(unit="1", source="a test")
    def other():
        """Another number."""
        return 2

    found = registry(bad=plugin(formulas=call), good=plugin(other))
    assert found.problems == [f"plugin bad: {reason}"]
    assert {i.name: i.state for i in found.plugins.infos if not i.distribution} == {
        "base": "loaded",
        "bad": "failed",
        "good": "loaded",
    }
    assert sorted(found.formulas()) == (["other", "sound"] if case == "gives another item" else ["other"])


def test_control_c_in_a_hook_ends_the_program() -> None:
    """It is never taken for a plugin's failure."""
    with pytest.raises(KeyboardInterrupt):
        registry(bad=plugin(formulas=interrupted))


def test_a_record_that_is_no_record_is_one_line() -> None:
    """Bad data is named with its fields, and the other records of the catalogue stay."""
    from tokensheet.plugin import Profile

    def profiles() -> list[Profile]:
        return [Profile(id="Bad Id", values={"a": float("nan")}, fitted_to="", source="")]

    found = registry(bad=plugin(profiles=profiles))
    assert found.record("profile", "default").id == "default"
    (line,) = found.problems
    assert line.startswith("plugin bad: tokensheet_profiles: Profile: ")
    assert "id 'Bad Id' must be lower case" in line
    assert "\n" not in line


def test_the_marker_is_pluggys_own() -> None:
    """`hookimpl` marks a function and changes nothing else."""

    @hookimpl
    def tokensheet_formulas() -> list[Formula]:
        return [sound]

    assert tokensheet_formulas() == [sound]
