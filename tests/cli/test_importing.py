"""`tokensheet catalog import`: what a configuration says, for people, for programs, and as a plugin."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tokensheet.cli import main
from tokensheet.cli.commands import tokensheet

CONFIGS = Path(__file__).parents[1] / "config_import" / "configs"
with (CONFIGS / "expected.csv").open(encoding="utf-8") as file:
    EXPECTED = {row["file"]: row for row in csv.DictReader(file)}
IMPORTED = [name for name, row in EXPECTED.items() if row["outcome"] == "imported"]
REFUSED = [name for name, row in EXPECTED.items() if row["outcome"] == "refused"]

TEXT = """
id name architecture path parameters active_parameters active_parameters_with_embedding
kv_bytes_per_token kv_bytes_per_token_16bit kv_bytes_per_token_16bit_by_layers window
state_bytes_per_sequence weights kv weight_bytes weight_bytes_16bit weight_groups
layers heads kv_heads head_size tied_embeddings max_context traits
decided assumptions questions not_modelled verified verified_by source
"""
KEYS = TEXT.split()
"""Stable: other programs rely on them."""


def called(*arguments: str | Path) -> Result:
    return CliRunner().invoke(tokensheet, [str(a) for a in arguments])


@pytest.mark.parametrize("name", IMPORTED)
@pytest.mark.slow
def test_every_file_as_json_and_as_a_plugin_that_answers(name: str, tmp_path: Path) -> None:
    """The keys are stable, and the written plugin gives the numbers that the import told."""
    plugin = tmp_path / "imported.py"
    done = called("catalog", "import", CONFIGS / name, "--json", "--id", "imported", "-o", plugin)
    assert (done.exit_code, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    row = EXPECTED[name]
    assert list(told) == KEYS
    assert told["parameters"] == int(row["parameters"])
    assert told["kv_bytes_per_token_16bit"] == int(row["cache_bytes_16_bit"])
    assert (told["weights"], told["kv"], told["verified"]) == (
        row["weights"],
        row["kv"],
        row["verified"] == "yes",
    )
    assert told["weight_bytes"] == pytest.approx(
        sum(group["parameters"] * group["bytes_per_weight"] for group in told["weight_groups"])
    )
    own = "NumberFormat" in plugin.read_text(encoding="utf-8")
    weights = "imported-weights" if own else told["weights"]
    assert own == (told["weights"] not in ("bf16", "fp16", "fp32"))
    cells = {
        f'=WEIGHT_BYTES("imported","weights={weights}")': told["weight_bytes"],
        f'=KV_BYTES_PER_TOKEN("imported","kv={told["kv"]}")': told["kv_bytes_per_token"],
        '=TS_SPEC("imported","parameters")': told["parameters"],
    }
    asked = CliRunner().invoke(
        tokensheet, ["--plugin", str(plugin), "--strict", "eval", "-"], input="\n".join(cells)
    )
    assert asked.exit_code == 0, asked.stderr
    assert [float(line) for line in asked.stdout.split()] == pytest.approx(list(cells.values()), rel=1e-12)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_imported_is_one_line_and_exit_1(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plugin = tmp_path / "imported.py"
    arguments = ["tokensheet", "catalog", "import", str(CONFIGS / name), "--json", "-o", str(plugin)]
    monkeypatch.setattr("sys.argv", arguments)
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr()
    assert (left.value.code, told.out, told.err.count("\n")) == (1, "", 1)
    assert told.err.startswith("tokensheet: ")
    assert EXPECTED[name]["says"] in told.err
    assert not plugin.exists()


def test_a_report_for_people() -> None:
    done = called("catalog", "import", CONFIGS / "29_qwen36_27b_mixed.json")
    lines = done.stdout.splitlines()
    assert lines[0] == "model 29-qwen36-27b-mixed"
    assert "  read at           text_config" in lines
    assert "  parameters        26,895,998,464" in lines
    assert "  KV bytes a token  65,536 in 16 bit, 32,768 in fp8; state 78,446,592 bytes a sequence" in lines
    assert "  weights           mixed: 20,124,987,904 bytes = 20.12 GB = 18.74 GiB" in lines
    assert lines[lines.index("not modelled:") + 1 :] == [
        "  - the vision tower",
        "  - layers for multi-token prediction",
    ]


REPORTS = [
    ("16_gemma4_26b_a4b.json", "(20,480 full + 204,800 window of the last 1,024 tokens)"),
    ("16_gemma4_26b_a4b.json", "checked           UNVERIFIED"),
    ("37_olmo2_7b_fp32.json", "524,288 in 16 bit, 1,048,576 in fp32"),
    ("37_olmo2_7b_fp32.json", "to be answered:\n  - the file says 32-bit floats"),
    ("27_minimax_m25.json", "assumed:\n  - dtype assumed bf16"),
    ("06_qwen3_32b_fp8_static_modelopt.json", "kv fp8: kv_cache_scheme of quantization_config"),
]


@pytest.mark.parametrize(("name", "says"), REPORTS)
def test_what_a_person_must_know_is_told(name: str, says: str) -> None:
    assert says in called("catalog", "import", CONFIGS / name).stdout


def test_a_folder_stands_for_the_file_and_names_the_record(tmp_path: Path) -> None:
    folder = tmp_path / "My Model-8B"
    folder.mkdir()
    (folder / "config.json").write_bytes((CONFIGS / "01_llama31_8b.json").read_bytes())
    told = json.loads(called("catalog", "import", folder, "--json").stdout)
    assert (told["id"], told["parameters"]) == ("my-model-8b", 8_030_261_248)


def test_an_imported_quantised_model_computes_in_its_units(tmp_path: Path) -> None:
    """The format of the checkpoint says which matrix units its weights use."""
    plugin = tmp_path / "quantised.py"
    called("catalog", "import", CONFIGS / "05_qwen3_32b_fp8_block.json", "--id", "q", "-o", plugin)
    asked = called("--plugin", plugin, "eval", '=TS_SPEC("q-weights","computes_fp8")')
    assert asked.stdout.strip() == "1"
