"""CSV files of strangers: traces of requests, tables of measured times, tables of records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.hostile import answered, damaged, refused, storable, tried
from tokensheet import demand, planner, proposal, trace
from tokensheet.tables import plugin
from tokensheet.validation import evaluate, measurements

PLANNER = planner()
TRACE = (
    "Timestamp,prompt_tokens,output_tokens,cached\n2026-03-01 09:30:00+02:00,8,9,\n1772350300,100,20,50\n"
    "2026-03-01T09:00:00,200,30,0\n1772440000.5,5,0,1\n"
)
PLAN = """
[[candidates]]
name = "one"
model = "llama-2-70b"
gpu = "h100-sxm-80gb"
gpus = 8
context = 4096
"""
MEASURED = (
    "engine,engine_version,date,model,accelerator,gpus,tp,batch,input_tokens,output_tokens,metric,value_s,notes\n"
    "vllm,0.6.0,2024-09,llama-2-70b,a100-sxm-80gb,4,4,8,1024,128,tpot_s,0.03,\n"
    'sglang,,2025-05,"llama-3.1-8b",h100-sxm-80gb,,,1,128,,ttft_s,0.02,"tokens / whole time"\n'
    "unheard-of,,,llama-2-70b,mi300x,8,2,64,2048,256,e2e_s,9.5,\n"
)
GPUS = (
    "id,name,vendor,memory_bytes [GB],memory_bandwidth [TB/s],peak_flops_bf16 [TFLOP/s],link,source\n"
    "acme-one,Acme One,Acme,96,4,1000,pcie5-x16,datasheet\n"
)
PARTS = "sep=;\nkind;id;price_usd;date;source\nprice;acme-rent;3,50;20260131;page\nmodel;tiny;;;\n"

Reader = Callable[[Path], Any]
READERS: dict[str, tuple[Reader, list[str]]] = {
    "trace": (lambda path: demand.proposal_lines(trace.read(path)), [TRACE, TRACE.replace(",", "\t")]),
    "measured": (lambda path: evaluate(PLANNER, measurements.read(path), "auto"), [MEASURED]),
    "accelerators": (plugin, [GPUS, PARTS]),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("csv")


def put(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / f"{name}.csv"
    path.write_bytes(text if isinstance(text, bytes) else storable(text))
    return path


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@tried(40)
@pytest.mark.slow
def test_damaged_tables_are_read_or_refused(name: str, folder: Path, data: st.DataObject) -> None:
    reader, texts = READERS[name]
    answered(lambda: reader(put(folder, name, data.draw(damaged(texts)))))


@pytest.mark.parametrize("name", READERS)
@given(data=st.binary(max_size=200))
@tried(20)
@pytest.mark.slow
def test_bytes_are_refused(name: str, folder: Path, data: bytes) -> None:
    answered(lambda: READERS[name][0](put(folder, name, data)))


CELLS = st.one_of(
    st.sampled_from(
        ("", "0", "1", "2", "-1", "0.5", "1e-300", "1e300", "1e308", "1_000", "٣", "inf", "nan", "1e999")
    ),
    st.integers(-5, 10**12).map(str),
    st.floats().map(repr),
)


@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS), max_size=5))
@tried(60)
@pytest.mark.slow
def test_odd_numbers_of_a_trace_give_a_proposal_or_a_reason(rows: list[tuple[str, ...]]) -> None:
    lines = ["time,prompt,output,cached", *map(",".join, rows)]
    found = answered(lambda: trace.parse(iter(f"{line}\n" for line in lines)))
    if found is not None:
        text = "\n".join(['title = "Trace"', *demand.proposal_lines(found), PLAN])
        assert proposal.parse(text, PLANNER).common["prompt"] >= 1


@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=3))
@tried(30)
def test_odd_numbers_of_measurements_have_an_answer_or_a_reason(
    rows: list[tuple[str, ...]], folder: Path
) -> None:
    """What is accepted is evaluated; a row without a prediction says why."""
    head = "engine,model,accelerator,metric,batch,input_tokens,output_tokens,value_s,gpus"
    lines = [head, *(f"vllm,llama-2-70b,h100-sxm-80gb,tpot_s,{','.join(row)}" for row in rows)]
    found = answered(lambda: evaluate(PLANNER, measurements.read(put(folder, "m", "\n".join(lines))), "auto"))
    for each in found[0] if found else ():
        assert each.reason or each.value > 0


HOSTILE: dict[str, tuple[str, str, str]] = {
    "a cell of the trace": ("trace", "time,prompt,output\n0,1," + "1" * 9_000 + "\n", "must be 0 to"),
    "an open quote in the trace": ("trace", 'time,prompt,output\n0,"' + "1\n" * 200_000, "field larger than field limit"),
    "years in the trace": ("trace", "time,prompt,output\n0001-01-01,1,1\n9999-12-31,1,1\n", "spans"),
    "a cell of measurements": ("measured", f"{MEASURED}a,{'y' * 200_000}\n", "field larger than field limit"),
    "an open quote in measurements": ("measured", f'{MEASURED}"' + "a\n" * 200_000, "field larger than field limit"),
    "wrong rows of measurements": ("measured", MEASURED + "a,,,c,d,e\n" * 100_000, "more than 50 problems"),
    "columns of measurements": ("measured", f"{MEASURED}{',' * 100_000}\n", "has 100,001 cells; at most 1,000"),
    "a column twice": ("measured", MEASURED.replace("notes", "value_s"), "column value_s stands twice"),
    "a heading of spaces": ("accelerators", "id,a" + " " * 20_000 + "]\nx,1\n", "has 20,002 letters; it is no field"),
    "columns of records": ("accelerators", ",".join(f"c{i}" for i in range(200_000)), "has 200,000 cells"),
    "cells of a record": ("accelerators", GPUS + "x," * 200_000 + "\n", "has 200,001 cells"),
    "an open quote in records": ("accelerators", f'{GPUS}"' + "a\n" * 200_000, "field larger than field limit"),
    "wrong rows of records": ("accelerators", GPUS + "x,y,z,bad\n" * 100_000, "more than 50 problems"),
    "a long cell": ("accelerators", GPUS.replace("datasheet", "a" * 40_000), "a cell holds 32,767"),
    "an exponent": ("accelerators", GPUS.replace(",96,", ",1e999999999,"), "write a plain number"),
    "a large exponent": ("accelerators", GPUS.replace(",96,", ",1e9999,"), "not so far from 1"),
    "an exponent beyond all": ("accelerators", GPUS.replace(",96,", ",1e99999999999999999999999,"), "write a plain number"),
    "digits": ("accelerators", GPUS.replace(",96,", f",{'9' * 30_000},"), "has 30,000 letters"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "words"), HOSTILE.values(), ids=HOSTILE)
def test_what_would_take_hours_is_refused(name: str, text: str, words: str, folder: Path) -> None:
    refused(lambda: READERS[name][0](put(folder, name, text)), words)


def test_the_texts_that_are_damaged_are_whole_before(folder: Path) -> None:
    """Damage to a table that nobody reads anyway would prove nothing."""
    for name, (reader, texts) in READERS.items():
        assert reader(put(folder, name, texts[0]))
