"""A careless plugin is one sentence, and everything else works: the whole program, one small plugin a case."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.tools.plugins import Site, planner, plugin
from tokensheet import plugins as loading
from tokensheet.cli.commands import tokensheet
from tokensheet.errors import PluginError
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.plugin import Assumption, Input, formula, hookimpl
from tokensheet.plugins import load

ANSWER = '=KV_BYTES("llama-2-70b",1024)'
NUMBER = "335544320\n"

HEAD = "from tokensheet.plugin import Accelerator, Assumption, formula, hookimpl\n"
GPU = """
def gpu(id, **more):
    fields = dict(id=id, vendor="Acme", memory_bytes=96e9, memory_bandwidth=4e12, peak_flops_bf16=1e15,
                  link="pcie5-x16", source="invented")
    return Accelerator(**{**fields, **more})

@hookimpl
def tokensheet_accelerators():
    return [gpu("acme-x1")]
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    for name in ("TOKENSHEET_DISABLE", "TOKENSHEET_NO_PLUGINS", "TOKENSHEET_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    return Site(tmp_path, monkeypatch)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(tokensheet, list(arguments))


def record(fields: str) -> str:
    return HEAD + GPU.replace('gpu("acme-x1")', f'gpu("acme-x1", {fields})')


TWO = """
@hookimpl
def tokensheet_formulas():
    return [Assumption("{name}", "usd/hour", "a fee", "a test", 1), fee]

@formula(unit="{unit}", source="a test", replaces="cost_per_hour")
def fee({name}):
    "The fee."
    return {body}
"""

CASES: dict[str, tuple[str, str]] = {
    "a module is missing": (
        "import nonexistent_mod_xyz",
        "not loaded: No module named 'nonexistent_mod_xyz'",
    ),
    "it exits at import": ("import sys; sys.exit(3)", "not loaded: SystemExit: 3"),
    "a hook raises": (
        HEAD + "@hookimpl\ndef tokensheet_accelerators():\n    return 1 / 0\n",
        "tokensheet_accelerators failed: ZeroDivisionError: division by zero",
    ),
    "a hook's name is misspelt": (
        HEAD + "@hookimpl\ndef tokensheet_accelerator():\n    return []\n",
        "unknown hook tokensheet_accelerator; nearest are tokensheet_accelerators, ",
    ),
    "a hook takes an argument that there is not": (
        HEAD + "@hookimpl\ndef tokensheet_accelerators(context):\n    return []\n",
        "Plugin 'extra' for hook 'tokensheet_accelerators' hookimpl definition: tokensheet_accelerators(context) ",
    ),
    "a hook gives nothing": (
        HEAD + "@hookimpl\ndef tokensheet_accelerators():\n    pass\n",
        "tokensheet_accelerators gave NoneType; return a list",
    ),
    "a wrapper forgets to return": (
        HEAD + "@hookimpl(wrapper=True)\ndef tokensheet_accelerators():\n    yield\n",
        "hook tokensheet_accelerators is a wrapper; offer a list instead",
    ),
    "it was written for other hooks": (
        "TOKENSHEET_API = 2\n" + HEAD + GPU,
        "needs API 2, this is API 1: update one of the two",
    ),
    "GB for bytes": (
        record("memory_bytes=80"),
        "memory_bytes is 80 byte, below 1e9; give bytes: did you mean 80e9?",
    ),
    "TFLOP/s for FLOP/s": (
        record("peak_flops_bf16=1979"),
        "peak_flops_bf16 is 1979 flop/second, below 1e9; ",
    ),
    "NaN": (
        record("memory_bandwidth=float('nan')"),
        "memory_bandwidth is nan; leave it out where the fact is not",
    ),
    "a negative price": (record("gpu_price=-1"), "gpu_price is -1 usd; it must not be negative"),
    "text for a number": (
        record("memory_bandwidth='3,35'"),
        "memory_bandwidth is text '3,35'; give a plain number",
    ),
    "mappings for records": (
        HEAD + "@hookimpl\ndef tokensheet_accelerators():\n    return [{'name': 'X1', 'memory': 80}]\n",
        "tokensheet_accelerators gave {'name': 'X1', 'memory': 80}; each item is a Accelerator",
    ),
    "a name that is a cell": (
        HEAD + TWO.format(name="tp8", unit="usd/hour", body="tp8"),
        "name tp8 looks like cell TP8",
    ),
    "a replacement of another unit": (
        HEAD + TWO.format(name="fee_rate", unit="usd", body="1"),
        "fee is usd, but cost_per_hour, which it replaces, is usd/hour",
    ),
}


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if i < 4 else pytest.mark.slow) for i, case in enumerate(CASES)]
)
@pytest.mark.slow
def test_the_rest_works_and_one_line_says_why(site: Site, case: str) -> None:
    """Plugin, distribution, version, hook and reason on standard error; exit 1 only under --strict."""
    text, reason = CASES[case]
    site.add("bad-hw", text, version="0.3")
    site.add("fine-hw", HEAD + GPU.replace("acme-x1", "fine-x1"), name="fine")
    listed = call("plugins")
    assert listed.exit_code == 0, listed.output
    lines = [x for x in listed.stderr.splitlines() if x.startswith("plugin extra (bad-hw 0.3): ")]
    assert reason in lines[0]
    (shown,) = [x for x in listed.stdout.splitlines() if x.startswith("extra ")]
    assert shown.split()[1:4] == ["bad-hw", "0.3", "failed"]
    assert reason[:40] in shown
    assert call("eval", ANSWER).stdout == NUMBER
    assert call("eval", '=TS_SPEC("fine-x1","memory_bytes")').stdout == "96000000000\n"
    assert call("--strict", "plugins").exit_code == 1
    without = call("--strict", "--disable", "bad-hw", "eval", ANSWER)
    assert (without.exit_code, without.stdout, without.stderr) == (0, NUMBER, "")


def test_all_problems_of_one_record_are_one_message(site: Site) -> None:
    """Not the first one only."""
    text = record("memory_bytes=80, memory_bandwidth='3,35', peak_flops_bf16=1979, gpu_price=-1")
    site.add("bad-hw", text)
    told = call("plugins").stderr
    for field in (
        "memory_bytes is 80",
        "memory_bandwidth is text",
        "peak_flops_bf16 is 1979",
        "gpu_price is -1",
    ):
        assert field in told


def test_a_failed_cost_formula_is_an_error_and_no_sum_without_it(site: Site) -> None:
    """What needs it says whose it is; what does not need it answers."""
    site.add(
        "bad-cost", HEAD + TWO.format(name="fee_rate", unit="usd/hour", body="fee_rate + gpus"), version="0.3"
    )
    for cell in (
        '=COST_PER_HOUR("h100-sxm-80gb",8)',
        '=TOKENS_PER_DOLLAR("llama-2-70b","h100-sxm-80gb",8,COST_PER_HOUR("h100-sxm-80gb",8),4096)',
    ):
        answer = call("eval", cell)
        assert answer.exit_code == 1
        assert "plugin extra (bad-cost 0.3): " in answer.stdout
    assert call("eval", ANSWER).stdout == NUMBER


@pytest.mark.slow
def test_the_about_sheet_lists_a_failed_plugin(site: Site, tmp_path: Path) -> None:
    """Whoever gets the workbook sees what was missing when it was made."""
    site.add("bad-hw", "import nonexistent_mod_xyz", version="0.3")
    proposal = Path(__file__).parents[2] / "workbooks" / "llama-2-70b-4090-or-h100.toml"
    assert call("export", str(proposal), "-o", str(tmp_path)).exit_code == 0
    text = (tmp_path / f"{proposal.stem}.txt").read_text(encoding="utf-8")
    assert "bad-hw 0.3, failed: not loaded: No module named 'nonexistent_mod_xyz'" in text


@pytest.mark.slow
def test_two_plugins_with_one_record_are_a_clash_that_the_settings_settle(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A built-in record is not changed without a word; both are had by their qualified names."""
    site.add("acme", HEAD + GPU.replace("acme-x1", "h100-sxm-80gb"), name="acme")
    answer = call("eval", '=TS_SPEC("h100-sxm-80gb","memory_bytes")')
    assert "offered by acme (acme 1.0) and by hardware (tokensheet " in answer.stdout
    assert call("eval", '=TS_SPEC("acme:h100-sxm-80gb","memory_bytes")').stdout == "96000000000\n"
    assert call("--strict", "plugins").exit_code == 1
    settings = tmp_path / "tokensheet.toml"
    settings.write_text('prefer = { h100-sxm-80gb = "acme" }')
    monkeypatch.setenv("TOKENSHEET_CONFIG", str(settings))
    assert call("eval", '=TS_SPEC("h100-sxm-80gb","memory_bytes")').stdout == "96000000000\n"
    assert call("eval", '=TS_SPEC("h100-sxm-80gb","memory_bytes","plugin")').stdout == "acme (acme 1.0)\n"
    assert call("--strict", "plugins").exit_code == 0


def test_two_distributions_that_own_one_file_are_told(site: Site) -> None:
    """Removing one would break the other."""
    for name in ("x-hw-a", "x-hw-b"):
        site.add(name, "", name=name)
        info = site.folder / f"{name.replace('-', '_')}-1.0.dist-info"
        (info / "RECORD").write_text("x_plugins/__init__.py,,\n")
    (site.folder / "x_plugins").mkdir()
    (site.folder / "x_plugins" / "__init__.py").touch()  # Python 3.12 and later leave out what is not there
    told = call("plugins").stderr
    assert "warning: x-hw-a and x-hw-b both own x_plugins/__init__.py; removing one breaks the other" in told


def test_unknown_names_to_disable(site: Site) -> None:
    """Both the plugin's and the distribution's name work; a name that is neither is an error."""
    site.add("acme-gpus", HEAD + GPU, name="gpus")
    for name in ("gpus", "acme-gpus"):
        assert "acme-x1" not in call("--disable", name, "catalog", "list", "accelerators").stdout
    with pytest.raises(PluginError, match="cannot disable acme: nothing is called so; known is acme-gpus"):
        CliRunner().invoke(tokensheet, ["--disable", "acme", "plugins"], catch_exceptions=False)


def test_built_in_plugins_only(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way out when an installed plugin makes trouble."""
    site.add("bad-hw", "import nonexistent_mod_xyz")
    monkeypatch.setenv("TOKENSHEET_NO_PLUGINS", "1")
    done = call("--strict", "plugins")
    assert done.exit_code == 0
    assert "disabled" in done.stdout
    assert "TOKENSHEET_NO_PLUGINS is set" in done.stdout


# ---- order, and nothing


def one(name: str, value: str) -> Any:
    """A plugin with a formula of this name."""

    @formula(unit="1", source="a test")
    def first():
        """One."""
        return 1

    @formula(unit="1", source="a test")
    def second():
        """Two."""
        return 2

    from dataclasses import replace

    return plugin(replace(first if value == "first" else second, name=name))


@pytest.mark.parametrize("order", [("base", "a", "b"), ("base", "b", "a"), ("b", "a", "base")])
def test_no_order_of_installation_changes_an_answer(order: tuple[str, ...]) -> None:
    """Two formulas of one name are an error in any order, that names both."""
    made = planner(*order, a=one("answer", "first"), b=one("answer", "second"))
    with pytest.raises(PluginError, match="formula answer is offered by a and by b"):
        made.evaluate("answer")


@pytest.mark.parametrize(("who", "wanted"), [("a", 1.0), ("b", 2.0)])
def test_a_choice_settles_a_clash_of_formulas(who: str, wanted: float) -> None:
    """The settings name the plugin."""
    from tests.tools.plugins import DEFAULT
    from tokensheet.settings import Settings

    modules = [("base", plugin(DEFAULT)), ("a", one("answer", "first")), ("b", one("answer", "second"))]
    made = Planner(load(disable=["tokensheet"], modules=modules), Settings(prefer={"answer": who}))
    assert made.registry.problems == []
    assert made.evaluate("answer") == wanted


def test_a_choice_of_the_built_in_formula_refuses_a_replacement(site: Site) -> None:
    """And a choice of the replacement makes its absence an error instead of another number."""
    from tokensheet.settings import Settings

    site.add("acme", HEAD + TWO.format(name="fee_rate", unit="usd/hour", body="7 * fee_rate"), name="acme")
    question = {"gpu": "h100-sxm-80gb", "gpus": 8}
    plain = Planner(settings=Settings(disable=("acme",))).evaluate("cost_per_hour", **question)
    assert Planner(settings=Settings()).evaluate("cost_per_hour", **question) == 7
    built_in = Planner(settings=Settings(prefer={"cost_per_hour": "costs"}))
    assert built_in.evaluate("cost_per_hour", **question) == plain
    missing = Planner(settings=Settings(prefer={"cost_per_hour": "acme"}, disable=("acme",)))
    with pytest.raises(PluginError, match="cost_per_hour is to be that of acme, which does not offer it"):
        missing.evaluate("cost_per_hour", **question)
    assert (
        Planner(settings=Settings(prefer={"cost_per_hour": "acme"})).evaluate("cost_per_hour", **question)
        == 7
    )


def test_zero_is_a_result() -> None:
    """A free tier costs 0; that is an answer like any other."""

    @formula(unit="usd/hour", source="a test", replaces="paid")
    def free(hours):
        """Nothing."""
        return 0 * hours

    @formula(unit="usd/hour", source="a test")
    def paid(hours):
        """Something."""
        return 3 * hours

    base = plugin(paid, Input("hours", "usd/hour", "a number", 1))
    made = planner(a=base, b=plugin(free))
    assert made.evaluate("paid") == 0


def test_a_name_that_differs_in_case_only_is_refused() -> None:
    """Excel tells no capitals apart; lower case alone is taken, so that no two names can differ so."""
    made = planner(
        a=plugin(Assumption("fee", "1", "a fee", "a test", 1), Assumption("Fee", "1", "x", "a test", 1))
    )
    (line,) = made.registry.problems
    assert line == "plugin a: name 'Fee' must be lower case letters, digits and _, beginning with a letter"


def test_a_private_name_belongs_to_its_plugin() -> None:
    """Two plugins may both have a `_fee`."""

    def fee(value: float, name: str) -> Any:
        @formula(unit="1", source="a test")
        def first(_fee):
            """A fee."""
            return _fee

        from dataclasses import replace

        return plugin(Assumption("_fee", "1", "a fee", "a test", value), replace(first, name=name))

    made = planner(a=fee(1, "one"), b=fee(2, "two"))
    assert (made.evaluate("one"), made.evaluate("two")) == (1, 2)


# ---- cost of looking for plugins


def test_a_thousand_calls_look_for_plugins_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scanning reads a file of every installed distribution: once a process, however many planners are made."""
    scans: list[str] = []
    real = loading.entry_points

    def counted(**group: str) -> Any:
        scans.append(group["group"])
        return real(**group)

    monkeypatch.setattr(loading, "entry_points", counted)
    loading._scanned.cache_clear()
    functions = Functions(Planner())
    for i in range(1000):
        functions.call("KV_BYTES", ["llama-2-70b", 1000 + i])
    for _ in range(3):
        Planner()
    assert scans == ["tokensheet"]


def test_importing_looks_for_no_plugins() -> None:
    """`import tokensheet` must be quick in programs that never ask it anything."""
    code = (
        "import importlib.metadata as m\n"
        "def no(group): assert group != 'tokensheet'; return []\n"
        "m.entry_points = no\n"
        "import tokensheet, tokensheet.plugins, tokensheet.planning\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_hook_is_called_by_the_program_only() -> None:
    """An author's function stays a function: no argument, its list as it is."""

    @hookimpl
    def tokensheet_formulas() -> list[Any]:
        return [1]

    assert tokensheet_formulas() == [1]
