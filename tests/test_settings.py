"""Settings of a person: where they stand, what may stand in them, and every mistake told with its mending."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tools.plugins import DEFAULT, plugin
from tokensheet import settings
from tokensheet.errors import SettingsError, TokensheetError
from tokensheet.planning import Planner
from tokensheet.plugin import Profile
from tokensheet.plugins import load
from tokensheet.settings import Settings


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TOKENSHEET_CONFIG", "TOKENSHEET_PLUGINS", "TOKENSHEET_CATALOGS"):
        monkeypatch.delenv(name, raising=False)


def written(folder: Path, text: str) -> Path:
    file = folder / "tokensheet.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_all_keys(tmp_path: Path) -> None:
    """Paths are relative to the file, `~` is the person's folder."""
    file = written(
        tmp_path,
        'plugins = ["mine.py", "~/other.py"]\ncatalogs = ["tables/gpus.csv"]\ndisable = ["acme-gpus"]\n'
        'profile = "ideal"\n[prefer]\nh100-sxm-80gb = "acme_gpus"\n',
    )
    assert settings.read(file) == Settings(
        plugins=(tmp_path / "mine.py", Path("~/other.py").expanduser()),
        catalogs=(tmp_path / "tables" / "gpus.csv",),
        disable=("acme-gpus",),
        prefer={"h100-sxm-80gb": "acme_gpus"},
        profile="ideal",
    )


def test_an_empty_file_and_one_that_a_windows_editor_marked(tmp_path: Path) -> None:
    """A byte-order mark is no mistake."""
    assert settings.read(written(tmp_path, "")) == Settings()
    assert settings.read(written(tmp_path, '\ufeffprofile = "ideal"')).profile == "ideal"


MISTAKES = {
    'plugin = ["mine.py"]': "unknown key plugin; nearest is plugins",
    'plugins = "mine.py"': 'write it as plugins = ["mine.py"]',
    'allow = "acme"': 'write it as allow = ["acme-gpus"]',
    "disable = [1]": 'write it as disable = ["acme-gpus"]',
    'prefer = ["acme"]': 'write it as prefer = { h100-sxm-80gb = "acme_gpus" }',
    "prefer = { h100 = 1 }": 'write it as prefer = { h100-sxm-80gb = "acme_gpus" }',
    'profile = ""': 'write it as profile = "ideal"',
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_says_how_to_write_it(tmp_path: Path, text: str) -> None:
    """With the file, so that a person knows where to look."""
    file = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        settings.read(file)
    assert str(caught.value) == f"{file}: {MISTAKES[text]}"


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Not the first one only."""
    with pytest.raises(SettingsError, match=r"2 problems\n  - unknown key plugin.*\n  - write it as profile"):
        settings.read(written(tmp_path, "plugin = []\nprofile = 1"))


def test_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"tokensheet\.toml: .*line 1"):
        settings.read(written(tmp_path, "profile = ideal"))


def test_where_the_file_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the system's folder for settings; TOKENSHEET_CONFIG names another, and then it must be there."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    assert settings.path().parts[-2:] == ("tokensheet", "tokensheet.toml")
    monkeypatch.setenv("TOKENSHEET_CONFIG", str(tmp_path / "gone.toml"))
    with pytest.raises(SettingsError, match=r"gone\.toml: .*mend or unset TOKENSHEET_CONFIG"):
        settings.found()


def test_the_environment_adds_files_and_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several are separated as in PATH; one that stands in the file too is taken once."""
    monkeypatch.setenv("TOKENSHEET_CONFIG", str(written(tmp_path, 'plugins = ["a.py"]')))
    monkeypatch.setenv(
        "TOKENSHEET_PLUGINS", os.pathsep.join([str(tmp_path / "a.py"), str(tmp_path / "b.py")])
    )
    monkeypatch.setenv("TOKENSHEET_CATALOGS", str(tmp_path / "c.csv"))
    found = settings.found()
    assert found.plugins == (tmp_path / "a.py", tmp_path / "b.py")
    assert found.catalogs == (tmp_path / "c.csv",)


def test_a_profile_of_the_settings_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that names a profile takes that one."""
    question = {"gpu": "h100-sxm-80gb"}
    asked = Planner(settings=Settings()).evaluate("ridge_batch", **question, profile="ideal")
    monkeypatch.setenv("TOKENSHEET_CONFIG", str(written(tmp_path, 'profile = "ideal"')))
    planner = Planner()
    assert planner.evaluate("ridge_batch", **question) == asked
    assert planner.evaluate("ridge_batch", **question, profile="default") != asked


def test_a_plugin_file_of_the_settings_is_there_for_every_front_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The add-in for Excel asks the same planner."""
    file = tmp_path / "mine.py"
    file.write_text(
        "from tokensheet.plugin import formula, hookimpl\n"
        '@formula(unit="1", source="a test", cell="batch")\ndef twice(batch):\n    "Twice."\n    return 2 * batch\n'
        "@hookimpl\ndef tokensheet_formulas():\n    return [twice]\n"
    )
    monkeypatch.setenv("TOKENSHEET_PLUGINS", str(file))
    assert Planner().evaluate("twice", batch=3) == 6
    assert Planner.of(disable=["mine"]).registry.problems == []


NOTHING = "from tokensheet.plugin import hookimpl\n@hookimpl\ndef tokensheet_links():\n    return []\n"
"""A plugin with a hook that offers nothing."""


def test_only_allowed_plugins_are_loaded(tmp_path: Path) -> None:
    """An administrator names them; the program's own are always there, the others are listed with the reason."""
    for name in ("mine", "other"):
        (tmp_path / f"{name}.py").write_text(NOTHING)
    file = written(tmp_path, 'plugins = ["mine.py", "other.py"]\nallow = ["mine"]')
    states = {
        info.name: (info.state, info.reason)
        for info in Planner(settings=settings.read(file)).registry.plugins.infos
    }
    assert states["mine"] == ("loaded", "")
    assert states["other"] == ("disabled", "the settings do not allow it")
    assert states["inference"][0] == "loaded"


def test_an_empty_list_allows_no_other_plugin(tmp_path: Path) -> None:
    """Without the key all are allowed."""
    (tmp_path / "mine.py").write_text(NOTHING)
    for text, state in (("allow = []", "disabled"), ("", "loaded")):
        read = settings.read(written(tmp_path, f'plugins = ["mine.py"]\n{text}'))
        infos = Planner(settings=read).registry.plugins.infos
        assert {i.name: i.state for i in infos}["mine"] == state


# ---- a choice between plugins


def device(id: str, bandwidth: float) -> Profile:
    return Profile(id=id, values={"x": bandwidth}, fitted_to="nothing", source="a test")


def chosen(prefer: dict[str, str], *order: str) -> Planner:
    """Two plugins that offer the record `twin`, with a choice."""
    offers = {
        "base": plugin(DEFAULT),
        "a": plugin(device("twin", 1), device("single", 1)),
        "b": plugin(device("twin", 2)),
    }
    modules = [(name, offers[name]) for name in order or offers]
    return Planner(load(disable=["tokensheet"], modules=modules), Settings(prefer=prefer))


@pytest.mark.parametrize("order", [("base", "a", "b"), ("b", "a", "base")])
@pytest.mark.parametrize("who", ["a", "b"])
def test_a_choice_settles_a_clash_of_records(who: str, order: tuple[str, ...]) -> None:
    """Whatever was installed first; the other one is still there under `plugin:id`."""
    registry = chosen({"twin": who}, *order).registry
    assert registry.catalog("profile").find("twin").owner.plugin == who
    assert registry.catalog("profile").find("a:twin").owner.plugin == "a"
    assert registry.catalog("profile").find("b:twin").owner.plugin == "b"
    assert registry.problems == []


def test_without_a_choice_a_clash_is_an_error() -> None:
    with pytest.raises(
        TokensheetError, match=r"profile twin is offered by a and by b; write a:twin or b:twin"
    ):
        chosen({}).registry.record("profile", "twin")


def test_a_chosen_plugin_that_does_not_offer_the_record_is_an_error() -> None:
    """Another plugin's numbers never take the place of those that were chosen."""
    registry = chosen({"single": "b"}).registry
    with pytest.raises(
        TokensheetError, match=r"profile single is to be that of b, which does not offer it; .* to a"
    ):
        registry.record("profile", "single")
    assert registry.record("profile", "a:single").id == "single"


def test_a_choice_of_a_plugin_that_is_not_there_is_told() -> None:
    (problem, *_) = chosen({"twin": "zz"}).registry.problems
    assert problem.startswith("settings: twin is to be that of zz: no such plugin; known are a, b, ")
