"""The terminal: one answer a line with all digits, or the error value, a tab and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tokensheet.cli.commands import tokensheet


def invoke(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(tokensheet, arguments, input=stdin)


def test_a_number_is_printed_with_all_its_digits() -> None:
    result = invoke("eval", '=1/3+KV_BYTES("llama-2-70b",4096,8)')
    assert (result.stdout, result.exit_code) == ("10737418240.333334\n", 0)


def test_a_failure_is_its_error_value_a_tab_and_the_reason() -> None:
    result = invoke("eval", '=KV_BYTES("llama-2-70b",-1)')
    assert result.stdout == "#VALUE!\tKV_BYTES: context is -1; it must be at least 0\n"
    assert result.exit_code == 1


def test_standard_input_gives_one_result_a_line() -> None:
    result = invoke("eval", "-", stdin='=1+1\n\n=1/0\n="a b"\n={1,2}\n=)\n')
    assert result.stdout.splitlines() == [
        "2",
        "",
        "#DIV/0!\tdivision by zero",
        "a b",
        "{1,2}",
        "#NAME?\tcannot read ')' at character 1",
    ]
    assert result.exit_code == 0


@pytest.mark.parametrize(("command", "text"), [("eval", "KV_BYTES"), ("explain", "=kv_bytes")])
def test_a_name_alone_is_told_its_arguments(command: str, text: str) -> None:
    result = invoke(command, text)
    told = result.stdout + str(result.exception)
    assert "KV_BYTES is a function; give its arguments: =KV_BYTES(model, context, [batch], [options])" in told


def test_a_mark_before_the_first_line_is_no_part_of_it() -> None:
    assert invoke("eval", "-", stdin="\ufeff=1+1\r\n=2\r\n").stdout == "2\n2\n"


def test_explain_ends_with_the_answer() -> None:
    result = invoke("explain", '=KV_BYTES("llama-2-70b",4096,8)')
    lines = result.stdout.splitlines()
    assert lines[-1] == "10737418240"
    assert any(
        line.startswith("kv_bytes = batch × kv_bytes_per_sequence = 10737418240  byte") for line in lines
    )
    assert any("full_kv_elements = model llama-2-70b" in line for line in lines)


def test_explain_says_where_a_failure_comes_from() -> None:
    result = invoke("explain", '=DECODE_LATENCY("llama-2-70b","rtx-4090",1,4096)')
    assert "does not fit on 1 × rtx-4090" in result.stdout
    assert result.exit_code == 1


def test_a_plugin_that_cannot_be_imported_is_one_line_and_breaks_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise RuntimeError('boom')\n")
    result = invoke("--plugin", str(broken), "eval", "=1+1")
    assert result.stdout == "2\n"
    assert "broken" in result.stderr and "RuntimeError: boom" in result.stderr
    assert "Traceback" not in result.stderr
    assert invoke("--plugin", str(broken), "--strict", "eval", "=1+1").exit_code == 1


NAMED = {
    "accelerator": """Accelerator(id="x", vendor="x", source="x", memory_bytes=1e10, memory_bandwidth=1e12,
        link="wire", bridge_link="none", host_link="pcie5-x16")""",
    "system": 'System(id="x", source="x", accelerator="wire", devices_per_node=8, outside_link="none")',
    "price": 'Price(id="x", source="x", price_kind="spot", item="x", usd_per_gpu_hour=1, accelerator="wire")',
}
UNKNOWN = {
    "accelerator": [
        "accelerator x: link: no link named 'wire'",
        "accelerator x: bridge_link: no link named 'none'",
    ],
    "system": [
        "system x: accelerator: no accelerator named 'wire'",
        "system x: outside_link: no link named 'none'",
    ],
    "price": ["price x: accelerator: no accelerator named 'wire'"],
}


@pytest.mark.parametrize("kind", NAMED)
def test_strict_finds_ids_that_a_record_names_and_nobody_offers(kind: str, tmp_path: Path) -> None:
    """One line each; what is offered is not told, and without --strict nothing is, as no call may need it."""
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from tokensheet.plugin import Accelerator, Price, System, hookimpl\n\n\n@hookimpl\n"
        f"def tokensheet_{kind}s():\n    return [{NAMED[kind]}]\n"
    )
    strict = invoke("--plugin", str(mine), "--strict", "plugins")
    lines = strict.stderr.splitlines()
    assert strict.exit_code == 1 and len(lines) == len(UNKNOWN[kind]), strict.stderr
    for line, wanted in zip(lines, UNKNOWN[kind], strict=True):
        assert line.startswith("plugin mine") and wanted in line
    assert invoke("--plugin", str(mine), "plugins").exit_code == 0


def test_all_records_that_come_along_name_records_that_are_there() -> None:
    assert invoke("--strict", "plugins").stderr == ""


@pytest.mark.parametrize(
    "command", ["eval", "explain", "export", "plugins", "functions", "optimize", "catalog"]
)
def test_each_command_has_help(command: str) -> None:
    result = invoke(command, "--help")
    assert result.exit_code == 0
    assert "Usage: " in result.stdout


def test_a_hook_that_fails_when_asked_is_told_and_strict_stops(tmp_path: Path) -> None:
    late = tmp_path / "late.py"
    late.write_text(
        "from tokensheet.plugin import hookimpl\n\n\n@hookimpl\ndef tokensheet_models():\n"
        "    raise ValueError('no\\nmodels')\n"
    )
    result = invoke("--plugin", str(late), "eval", '=KV_BYTES("llama-2-70b",1)')
    assert result.stdout == "327680\n"
    assert len(result.stderr.splitlines()) == 1 and "ValueError: no models" in result.stderr
    assert invoke("--plugin", str(late), "--strict", "eval", "=1").exit_code == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('=TOKENS_PER_DOLLAR("llama-2-70b","a100-sxm-80gb",8,,4096)', "cost_per_hour is not given"),
        (
            '=TOKENS_PER_DOLLAR("llama-2-70b","a100-sxm-80gb",8,-2,4096)',
            "cost_per_hour is -2; it must be at least 0",
        ),
        ('=COST_PER_HOUR("h100-sxm-80gb",8,"gpu_price=-5")', "gpu_price is -5; it must be at least 0"),
        ('=KV_BYTES("llama-2-70b",1,1,"tp=-3")', "tp is -3; it must be at least 0"),
        ('=KV_BYTES("llama-2-70b",1,1,"weigths=fp8")', "nothing is called weigths; nearest"),
        ('=KV_BYTES("llama-2-70b",1,1,"profil=ideal")', "profile"),
    ],
)
def test_bad_input_never_becomes_a_number(text: str, words: str) -> None:
    result = invoke("eval", text)
    assert result.stdout.startswith("#VALUE!\t")
    assert words in result.stdout
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "name",
    ["rtx-4090", "RTX 4090", "NVIDIA GeForce RTX 4090", "GeForce RTX 4090", "nvidia rtx-4090", "Rtx_4090"],
)
def test_ids_are_matched_without_case_spaces_and_vendor(name: str) -> None:
    assert invoke("eval", f'=TS_SPEC("{name}","memory_bytes")').stdout == "24000000000\n"
