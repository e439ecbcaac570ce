"""Reading a table of measured times: what it may leave out, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokensheet.errors import RecordError
from tokensheet.validation import read

HEAD = "engine,model,accelerator,batch,input_tokens,output_tokens,metric,value_s"


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_only_what_is_needed(tmp_path: Path) -> None:
    """One device, 16 bit, an empty cache; the row's place is its id."""
    (row,) = read(written(tmp_path, f"{HEAD}\nvllm,llama-3.1-8b,h100-sxm-80gb,4,100,50,tpot_s,0.01\n"))
    assert (row.id, row.gpus, row.tp, row.pp, row.weights, row.kv, row.depth) == (
        "row 2",
        1,
        1,
        1,
        "bf16",
        "bf16",
        0,
    )
    assert (row.batch, row.prompt, row.output, row.metric, row.value) == (4, 100, 50, "tpot_s", 0.01)


def test_devices_follow_from_degrees_and_degrees_from_devices(tmp_path: Path) -> None:
    """tp 4 on nothing stated is four devices; eight devices with nothing stated are tp 8."""
    text = f"{HEAD},gpus,tp\nvllm,m,a,1,1,1,tpot_s,1,,4\nvllm,m,a,1,1,1,tpot_s,1,8,\n"
    rows = read(written(tmp_path, text))
    assert [(r.gpus, r.tp) for r in rows] == [(4, 4), (8, 8)]


def test_what_an_engine_does_by_itself_counts_as_not_stated(tmp_path: Path) -> None:
    """pp 0, and a cache whose format is `auto`."""
    text = f"{HEAD},pp,kv\nvllm,m,a,1,1,1,tpot_s,1,0,auto\nvllm,m,a,1,1,1,tpot_s,1,,\n"
    rows = read(written(tmp_path, text))
    assert [(r.pp, r.kv) for r in rows] == [(1, "bf16")] * 2


@pytest.mark.parametrize("note", ["definition not stated", "tokens / time", "tokens/whole time"])
def test_notes_say_when_a_rate_is_of_the_whole_time(tmp_path: Path, note: str) -> None:
    """Tables that divide all tokens by all time are told by their notes."""
    (row,) = read(written(tmp_path, f"{HEAD},notes\nvllm,m,a,1,1,1,tpot_s,1,{note}\n"))
    assert row.whole_time


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (",m,a,1,1,1,tpot_s,1", "row 2: engine is empty"),
        ("vllm,m,a,many,1,1,tpot_s,1", "row 2: batch is 'many'; give a number"),
        ("vllm,m,a,1,1,1,speed,1", "row 2: metric is 'speed'; it must be tpot_s, e2e_s, ttft_s"),
        ("vllm,m,a,1,1,1,tpot_s,0", "row 2: value_s is 0; it must be above 0"),
        ("vllm,m,a,1,1,1,tpot_s,-3", "row 2: value_s is -3; it must be above 0"),
        ("vllm,m,a,1,-1,1,tpot_s,1", "row 2: input_tokens is -1; it must be at least 0"),
        ("vllm,m,a,1,1,1,tpot_s,nan", "row 2: value_s is nan; it must be above 0"),
    ],
)
def test_mistakes_are_told_with_their_row(tmp_path: Path, line: str, problem: str) -> None:
    """One line a mistake."""
    with pytest.raises(RecordError) as caught:
        read(written(tmp_path, f"{HEAD}\n{line}\n"))
    assert str(caught.value) == f"mine.csv: {problem}"


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """A table is mended in one go."""
    with pytest.raises(RecordError) as caught:
        read(written(tmp_path, f"{HEAD}\nvllm,m,a,x,1,1,tpot_s,1\nvllm,m,a,1,1,1,no,1\n"))
    assert str(caught.value).startswith("mine.csv: 2 problems\n")


def test_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    """And says which are missing."""
    with pytest.raises(
        RecordError, match=r"mine.csv: no column batch, input_tokens, output_tokens, metric, value_s"
    ):
        read(written(tmp_path, "engine,model,accelerator\nvllm,m,a\n"))


def test_an_empty_table_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    """Nothing to validate is no success."""
    with pytest.raises(RecordError, match="it holds no measurements"):
        read(written(tmp_path, f"{HEAD}\n"))
    with pytest.raises(RecordError, match=r"give the path of a \.csv file"):
        read(tmp_path / "none.csv")
