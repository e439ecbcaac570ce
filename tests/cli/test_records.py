"""`tokensheet catalog list` and `show`: every number with unit, source and state, for people and programs."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from click.testing import CliRunner

from tokensheet import planner, schema
from tokensheet.cli.commands import tokensheet
from tokensheet.cli.records import COLUMNS, LEGEND, MARKS, record_table
from tokensheet.facts import entries


def told(*arguments: str) -> str:
    done = CliRunner().invoke(tokensheet, ["catalog", *arguments])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def line(text: str, id: str) -> list[str]:
    """Cells of the line of a record."""
    (found,) = [row for row in text.splitlines() if row.startswith(f"{id} ")]
    return found.split()


def test_doubtful_numbers_are_marked_in_lists() -> None:
    text = told("list", "gpus")
    sure = "h100-sxm-80gb 80 79.6475 3,350 989.4 989.4 1,979 700 "
    assert " ".join(line(text, "h100-sxm-80gb")).startswith(sure)
    assert line(text, "vr-rubin")[1:3] == ["288?", "22,000?"]
    assert "62.5~" in line(text, "a16")
    assert text.splitlines()[-1] == "~ derived from other numbers; ? unconfirmed"


def test_confirmed_numbers_alone_need_no_legend() -> None:
    chosen = [e for e in planner().registry.catalog("link") if e.record.id == "nvlink5"]
    assert record_table(planner(), "link", chosen).count("\n") == 1 + bool(chosen[0].record.states)
    assert record_table(planner(), "link", []) == "none"


def test_words_choose_what_is_listed() -> None:
    ids = [row.split()[0] for row in told("list", "models", "moe", "mla").splitlines()[1:-1]]
    assert {"deepseek-v3", "deepseek-v2-lite"} <= set(ids)
    assert not {"mixtral-8x7b", "llama-3.1-8b"} & set(ids)
    assert told("list", "models", "no-such-word") == "none\n"
    assert "KV_BYTES\n" in told("list", "functions", "kv")


def test_stale_prices_are_marked() -> None:
    """A price of January 2026 with a life of 90 days; a stale one can be searched for."""
    assert dt.date.today() > dt.date(2026, 4, 1)
    text = told("list", "prices", "lambda", "h100")
    assert "on demand !" in text
    assert text.splitlines()[-1].endswith("! price older than its stated life")
    assert "p003 " in told("list", "prices", "stale")
    shown = told("show", "p003")
    assert "  stale: older than its stated life" in shown.splitlines()
    assert "  valid_until: 2026-04-01" in shown.splitlines()


@pytest.mark.parametrize("kind", list(schema.KINDS))
def test_every_kind_lists_each_record_once_for_people_and_programs(kind: str) -> None:
    ids = [entry.record.id for entry in planner().registry.catalog(kind)]
    rows = told("list", f"{kind}s").splitlines()
    listed = [row.split()[0] for row in rows[1:] if row.split()[0] not in LEGEND]
    assert listed == ids
    found = json.loads(told("list", f"{kind}s", "--json"))
    assert [record["id"] for record in found] == ids
    for record in found:
        for number in record["numbers"].values():
            assert set(number) == {"value", "unit", "state", "source", "text"}
            assert number["unit"] and number["source"]
            assert number["state"] in MARKS


def test_columns_are_fields_of_their_kind() -> None:
    assert set(COLUMNS) == set(schema.KINDS)
    for kind, columns in COLUMNS.items():
        fields = {name for name, *_ in columns} - {"age_days"}
        assert fields <= set(schema.KINDS[kind].quantities())


def test_show_says_each_number_in_gb_and_gib_with_source_and_state() -> None:
    rows = {row.split()[0]: row for row in told("show", "h100-sxm-80gb").splitlines() if row.strip()}
    memory = rows["usable_memory_bytes"]
    assert memory.split()[1:3] == ["85520809984", "byte"]
    assert "85.5208 GB = 79.6475 GiB" in memory
    assert memory.rstrip().endswith("confirmed  nvidia-smi: 81559 MiB")
    assert "3,350 GB/s" in rows["memory_bandwidth"]
    assert "989.4 TFLOP/s" in rows["peak_flops_bf16"]
    assert "unconfirmed" in told("show", "vr-rubin")
    assert "link: nvlink4" in told("show", "h100-sxm-80gb")


def test_show_lists_a_bill_line_by_line() -> None:
    text = told("show", "li-8x4090-pcie")
    bill = [row for row in text.splitlines() if row.startswith("  bill: ")]
    system = entries(planner(), "li-8x4090-pcie")[0].record
    assert len(bill) == 3
    assert system.number("system_price") == 40_000


def test_show_as_json() -> None:
    (found,) = json.loads(told("show", "p003", "--json"))
    assert (found["kind"], found["stale"], found["texts"]["provider"]) == ("price", True, "Lambda")
    assert found["numbers"]["usd_per_gpu_hour"]["value"] == 3.99
    (device,) = json.loads(told("show", "h100-sxm-80gb", "--json"))
    assert device["stale"] is None


def test_an_id_that_is_not_there_lists_its_variants() -> None:
    done = CliRunner().invoke(tokensheet, ["catalog", "show", "h100"])
    assert done.exit_code == 1
    assert "h100-nvl-94gb, h100-pcie-80gb, h100-sxm-64gb, h100-sxm-80gb" in str(done.exception)


def test_without_a_kind_the_kinds_are_counted() -> None:
    rows = dict(row.split("  ") for row in told("list").splitlines())
    assert list(rows) == [*(f"{kind}s" for kind in schema.KINDS), "functions"]
    assert int(rows["accelerators"]) == len(told("list", "accelerators").splitlines()) - 2
    assert json.loads(told("list", "--json")) == {name: int(count) for name, count in rows.items()}


def test_a_number_that_stands_for_a_name_is_no_million() -> None:
    shown = told("show", "h100-sxm-80gb")
    assert [
        "stands for a name" in row for row in shown.splitlines() if "gpu_family" in row or "gpu_maker" in row
    ] == [True, True]
