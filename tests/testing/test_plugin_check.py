"""`check_plugin` passes what is sound and says of everything else what is wrong: it is no yes-man."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokensheet_costs
from tests.tools.plugins import plugin
from tokensheet.errors import TokensheetError
from tokensheet.plugin import Accelerator, Assumption, Formula, Input, Link, Model, check, formula
from tokensheet.testing import check_formula, check_plugin, proof_of
from tokensheet.testing.plugin_check import planner_with
from tokensheet.testing.spreadsheets import IRONCALC, LIBREOFFICE, installed, recalculated
from tokensheet.testing.words import in_words
from tokensheet.workbook.finish import CellError


def device(id: str = "acme-x1", **more: Any) -> Accelerator:
    fields = {
        "id": id,
        "vendor": "Acme",
        "memory_bytes": 96e9,
        "memory_bandwidth": 4e12,
        "source": "invented",
    }
    return Accelerator(**{**fields, **more})


@formula(unit="usd/hour", source="a test", cell="gpus, [options]", title="Fee")
def acme_fee(gpus, acme_rate):
    """A fee for each device."""
    whole = gpus * acme_rate
    return whole


def model(**more: Any) -> Model:
    fields = {
        "id": "acme-1b", "layers": 16, "d_model": 2048, "vocabulary": 32_000, "heads": 32, "kv_heads": 8,
        "head_size": 64, "mlp_width": 8192, "max_context": 8192, "source": "invented",
    }  # fmt: skip
    return Model(**{**fields, **more})


RATE = Assumption("acme_rate", "usd/hour", "a rate", "a test", 2)


def test_a_sound_plugin() -> None:
    """What was found is told, so that a test can see that something was."""
    found = check_plugin(plugin(device(link="pcie5-x16"), acme_fee, RATE))
    assert found.formulas == ("acme_fee",)
    assert found.records == (("accelerator", "acme-x1"),)
    assert found.compared > 40 * 2
    assert found.judges == (IRONCALC,)


@pytest.mark.slow
def test_a_built_in_plugin_is_checked_where_it_is() -> None:
    """An installed plugin is not loaded a second time beside itself."""
    planner, name = planner_with(tokensheet_costs)
    assert (name, planner.registry.problems) == ("costs", [])
    assert "cost_per_hour" in check_plugin(tokensheet_costs).formulas


@formula(unit="usd", source="a test")
def another_unit(gpus, acme_rate):
    """A fee."""
    return gpus * acme_rate


@formula(unit="usd/hour", source="a test")
def undocumented(acme_rate):
    return acme_rate


@formula(unit="usd/hour", source="")
def unsourced(acme_rate):
    """A fee."""
    return acme_rate


@formula(unit="usd/hour", source="a test", cell="[options]")
def lacking(gpus, acme_rate):
    """A fee."""
    return gpus * acme_rate


@formula(unit="usd/hour", source="a test", cell="gpus")
def closed(gpus, acme_rate):
    """A fee."""
    return gpus * acme_rate


@formula(unit="usd/hour", source="a test", cell="gpu, gadgets, [options]")
def misnamed(gpus, acme_rate):
    """A fee."""
    return gpus * acme_rate


@formula(unit="byte/second", source="a test", cell="[options]")
def without_record(memory_bandwidth):
    """A bandwidth."""
    return memory_bandwidth


@formula(unit="usd/hour", source="a test", cell="gpus, [options]", example_with={"acme_rat": 1})
def ill_shown(gpus, acme_rate):
    """A fee."""
    return gpus * acme_rate


@check(message="{nobody} is too much", source="a test")
def silent(acme_rate):
    """1 when the rate is small."""
    return acme_rate < acme_rate


UNSOUND: dict[str, tuple[Any, str]] = {
    "a wrong unit": (plugin(another_unit, RATE), "another_unit: the result is in usd/hour"),
    "no documentation": (plugin(undocumented, RATE), "undocumented: has no docstring"),
    "no source": (plugin(unsourced, RATE), "unsourced: has no source"),
    "an unknown name in a message": (plugin(silent, RATE), "nothing is called nobody"),
    "an argument is lacking": (plugin(lacking, RATE), "lacking: cell lacks gpus, which the formula reads"),
    "a record is lacking": (
        plugin(without_record),
        "without_record: cell lacks gpu, which the formula reads",
    ),
    "no options": (plugin(closed, RATE), "closed: cell lacks [options]; end it with [options]"),
    "an argument that nothing is called": (
        plugin(misnamed, RATE),
        "misnamed: cell names gadgets, which nothing",
    ),
    "an example that is an error": (
        plugin(ill_shown, RATE),
        'ill_shown: its example =ILL_SHOWN(8,"acme_rat=1") is an error: nothing is called acme_rat',
    ),
    "an alias of another": (plugin(device(aliases=("h100-sxm-80gb",))), "finds h100-sxm-80gb of hardware"),
    "a link that is not there": (
        plugin(device(link="wire")),
        "accelerator acme-x1: link: no link named 'wire'",
    ),
    "a published count that is far off": (
        plugin(model(published_parameters=1_300_000_000)),
        "model acme-1b: published_parameters is 1300000000, and its architecture gives",
    ),
    "an id that is there": (plugin(device("h100-sxm-80gb")), "accelerator h100-sxm-80gb is offered by"),
    "nothing": (plugin(formulas=[]), "it offers nothing; is @hookimpl missing above a hook?"),
    "a hook that raises": (plugin(models=lambda: 1 / 0), "tokensheet_models failed: ZeroDivisionError"),
    "a link without latency": (
        plugin(Link(id="wire", link_kind="scale-up", scope="node", bandwidth=900e9, source=" ")),
        "link wire: has no source",
    ),
}


@pytest.mark.parametrize("case", UNSOUND)
@pytest.mark.slow
def test_what_is_wrong_is_told(case: str) -> None:
    offered, wanted = UNSOUND[case]
    with pytest.raises(AssertionError) as caught:
        check_plugin(offered)
    assert wanted in str(caught.value)


@pytest.mark.slow
def test_a_table_of_texts_is_read(tmp_path: Path) -> None:
    """Words for what is said pass; slots that differ and words for what nobody says are told with their line."""
    table = tmp_path / "de.toml"
    sound = 'language = "de"\n[texts]\n"Fee" = "Gebühr"\n"Result" = "Ergebnis"\n"whole" = "ganz"\n'
    table.write_text(sound, encoding="utf-8")
    assert check_plugin(plugin(acme_fee, RATE, texts=[table])).formulas == ("acme_fee",)
    alone = tmp_path / "fr.toml"
    alone.write_text('language = "fr"\n[texts]\n"Result" = "Résultat"\n', encoding="utf-8")
    assert check_plugin(plugin(texts=[alone])).formulas == (), (
        "a plugin may bring a language and nothing else"
    )
    for line, wanted in (
        ('"Fees" = "x"', "de.toml: line 6: texts: no text says 'Fees'; nearest"),
        (
            '"{check}: no" = "x"',
            "de.toml: line 6: texts: 'x' has other slots than '{check}: no'; use {check}",
        ),
    ):
        table.write_text(f"{sound}{line}\n", encoding="utf-8")
        with pytest.raises(AssertionError) as caught:
            check_plugin(plugin(acme_fee, RATE, texts=[table]))
        assert wanted in str(caught.value)


def test_all_of_it_at_once() -> None:
    with pytest.raises(AssertionError) as caught:
        check_plugin(plugin(undocumented, unsourced, lacking, RATE))
    for name in ("undocumented", "unsourced", "lacking"):
        assert f"{name}: " in str(caught.value)


def test_a_function_that_is_not_its_tree_is_told() -> None:
    """As when a decorator changes what is called."""

    def added(gpus: float, acme_rate: float) -> float:
        """A fee for each device."""
        return gpus + acme_rate

    wrong = replace(acme_fee, function=added)
    wrong.__dict__["body"] = acme_fee.body
    with pytest.raises(AssertionError, match=r"acme_fee: tree .*, function "):
        check_plugin(plugin(wrong, RATE))


def test_the_golden_file(tmp_path: Path) -> None:
    """Not there, written, the same, another: a change of what formulas say is seen."""
    golden, offered = tmp_path / "formulas.txt", plugin(acme_fee, RATE)
    with pytest.raises(AssertionError, match=r"formulas\.txt was not there and is written now; look at it"):
        check_plugin(offered, golden=golden, judges=())
    assert golden.read_text() == (
        "acme_fee: Fee [usd/hour]\n"
        "  A fee for each device.\n"
        "  source: a test\n"
        "  cell: =ACME_FEE(gpus, [options])\n"
        "  whole = gpus × acme_rate\n"
        "  = whole\n"
    )
    check_plugin(offered, golden=golden, judges=())
    golden.write_text(golden.read_text().replace("×", "+"))
    with pytest.raises(
        AssertionError, match=r"(?s)-  whole = gpus \+ acme_rate\n\+  whole = gpus × acme_rate"
    ):
        check_plugin(offered, golden=golden, judges=())


def test_a_check_in_words() -> None:
    planner, _ = planner_with(plugin(RATE))
    assert "  refuses: " in in_words(planner, ["plan_fits"])
    assert "  warns: " in in_words(planner, ["context_is_trained"])


# ---- the judges


@formula(unit="1", source="a test")
def edges(context, batch):
    """Numbers that spreadsheets print in many ways, and errors."""
    tiny = batch / 1e20
    huge = batch * 1e20
    return tiny / context + huge


@pytest.mark.parametrize(
    "judge", [IRONCALC, pytest.param(LIBREOFFICE, marks=[pytest.mark.office, pytest.mark.slow])]
)
def test_a_judge_recalculates_every_cell_with_all_digits(judge: str) -> None:
    """What the file holds is wrong on purpose; numbers of all sizes and errors come back as they are."""
    assert judge in installed()
    planner, _ = planner_with(plugin(edges))
    proof = proof_of(planner, ["edges"])
    values = recalculated(proof.data, judge)["edges"]
    for i, inputs in enumerate(proof.sheets[0].samples, proof.first_row):
        assert values[f"C{i}"] == pytest.approx(inputs["batch"] / 1e20, rel=1e-13)
        assert values[f"D{i}"] == pytest.approx(inputs["batch"] * 1e20, rel=1e-13)
        assert isinstance(values[f"E{i}"], CellError) == (inputs["context"] == 0)


@pytest.mark.office
@pytest.mark.slow
def test_libreoffice_judges_a_plugin() -> None:
    assert check_plugin(plugin(acme_fee, RATE), judges=(LIBREOFFICE,)).judges == (LIBREOFFICE,)


def test_a_judge_that_is_not_there_is_told() -> None:
    with pytest.raises(
        TokensheetError, match="Abacus is not installed; install ironcalc with pip, or LibreOffice"
    ):
        recalculated(b"", "Abacus")


def test_a_formula_that_reads_what_is_broken_is_not_compared() -> None:
    """The reason is told once, where it is."""
    reads = replace(acme_fee, name="reads")
    with pytest.raises(AssertionError) as caught:
        check_plugin(plugin(reads, Input("acme_rate", "dollars", "a rate")))
    assert "unit 'dollars': 'dollars' is not a unit" in str(caught.value)
    assert "KeyError" not in str(caught.value)


def test_check_formula_still_checks_one() -> None:
    planner, _ = planner_with(plugin(acme_fee, RATE))
    assert isinstance(planner.registry.nodes["acme_fee"], Formula)
    assert check_formula(planner, "acme_fee").problems == []
