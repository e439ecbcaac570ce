"""`tokensheet validate` and `tokensheet calibrate` in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tokensheet.cli.commands import tokensheet

HEAD = "id,source,engine,engine_version,date,model,accelerator,gpus,tp,batch,input_tokens,output_tokens,metric,value_s"
ROWS = (
    "a,my cluster (rack 1),vllm,0.10.0,,llama-3.1-70b,h100-sxm-80gb,4,4,16,1000,500,tpot_s,0.0200",
    "b,my cluster (rack 2),vllm,0.10.0,,llama-3.1-70b,h100-sxm-80gb,4,4,1,1000,500,e2e_s,10.0",
    "c,a page,sglang,0.5.9,,llama-3.1-8b,h200-sxm-141gb,1,1,8,500,200,ttft_s,0.10",
    "d,a page,house,,,llama-3.1-8b,h200-sxm-141gb,1,1,8,500,200,tpot_s,0.01",
    "e,a page,vllm,0.10.0,,llama-99b,h200-sxm-141gb,1,1,8,500,200,tpot_s,0.01",
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text("\n".join((HEAD, *ROWS)), encoding="utf-8")
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(tokensheet, [str(w) for w in words])


def test_validate_as_json(table: Path) -> None:
    """Overall, by engine, source, profile, device and model: the same six numbers of each metric."""
    found = json.loads(run("validate", table, "--json").stdout)
    assert set(found) == {
        "overall", "by_engine", "by_source", "by_profile", "by_device", "by_model", "worst", "not_evaluated",
    }  # fmt: skip
    assert set(found["overall"]) == {"tpot_s", "e2e_s", "ttft_s"}
    assert set(found["overall"]["tpot_s"]) == {"n", "mdape", "mape", "bias", "within25", "cover80"}
    assert found["overall"]["tpot_s"]["n"] == 2
    assert set(found["by_engine"]) == {"vllm", "sglang", "house"}
    assert set(found["by_source"]) == {"my cluster", "a page"}
    assert set(found["by_profile"]) == {"vllm-2025", "sglang-2025", "default"}
    assert {w["id"] for w in found["worst"]} == {"a", "b", "c", "d"}
    assert all(w["low_s"] < w["predicted_s"] < w["high_s"] for w in found["worst"])
    (failed,) = found["not_evaluated"]
    assert failed["id"] == "e"
    assert failed["reason"].startswith("no model named 'llama-99b'")


def test_validate_as_text(table: Path) -> None:
    """Tables, the worst rows, what only the nearest profile answers, and rows without an answer."""
    result = run("validate", table, "--worst", "2")
    assert result.exit_code == 0
    text = result.stdout
    assert "house by default" in text
    assert text.count("measured 0.") + text.count("measured 1") == 2
    assert "1 rows without a prediction\n  e: no model named 'llama-99b'" in text
    for heading in ("by engine", "by source", "by profile", "by device", "by model"):
        assert f"\n{heading}\n" in text


def test_validate_with_one_profile(table: Path) -> None:
    """The datasheet's ideal is faster than all of them."""
    found = json.loads(run("validate", table, "--json", "--profile", "ideal").stdout)
    assert set(found["by_profile"]) == {"ideal"}
    assert found["overall"]["tpot_s"]["bias"] < -0.2


@pytest.mark.slow
def test_calibrate_writes_a_profile_that_loads(table: Path, tmp_path: Path) -> None:
    """Two rows of one engine: a factor; the file goes to --catalog and its profile answers in cells."""
    mine = tmp_path / "two.csv"
    mine.write_text("\n".join((HEAD, *ROWS[:2])), encoding="utf-8")
    output = tmp_path / "house.toml"
    result = run("calibrate", mine, "-o", output, "--id", "house-vllm")
    assert result.exit_code == 0, result.output
    assert "2 rows moved time_scale" in result.stderr
    cell = '=DECODE_LATENCY("llama-3.1-70b","h100-sxm-80gb",4,1250,16,"profile={}")'
    mine_value, base = (
        float(run("--catalog", output, "eval", cell.format(p)).stdout) for p in ("house-vllm", "vllm-2025")
    )
    scale = json.loads(
        next(line for line in output.read_text().splitlines() if line.startswith("time_scale")).split(" = ")[
            1
        ]
    )
    assert mine_value == pytest.approx(scale * base, rel=1e-9)
    again = json.loads(run("--catalog", output, "validate", mine, "--json").stdout)
    assert set(again["by_profile"]) == {"house-vllm"}


def test_calibrate_prints_without_an_output_and_is_the_same_every_time(table: Path, tmp_path: Path) -> None:
    """A profile as text."""
    mine = tmp_path / "four.csv"
    mine.write_text("\n".join((HEAD, *ROWS[:4])), encoding="utf-8")
    first, second = (run("calibrate", mine).stdout for _ in range(2))
    assert first == second
    assert first.count("[[profiles]]") == 3


def test_calibrate_writes_a_toml_file(tmp_path: Path) -> None:
    """A table takes profiles from no other."""
    mine = tmp_path / "one.csv"
    mine.write_text("\n".join((HEAD, ROWS[0])), encoding="utf-8")
    assert "a profile is a .toml file" in str(run("calibrate", mine, "-o", tmp_path / "x.csv").exception)


def test_calibrate_refuses_rows_that_it_cannot_evaluate(table: Path) -> None:
    """With their ids."""
    assert "e: no model named 'llama-99b'" in str(run("calibrate", table).exception)
