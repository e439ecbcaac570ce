"""Records from CSV and TOML: the same checks as in code, all problems at once, and no damage by Excel."""

from __future__ import annotations

import csv
import io
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.tools.office import require
from tokensheet.cli.commands import tokensheet
from tokensheet.errors import RecordError
from tokensheet.planning import Planner
from tokensheet.schema import KINDS
from tokensheet.settings import Settings
from tokensheet.tables import heading, plugin, rows
from tokensheet.tables.cells import CellError, Column
from tokensheet.tables.damage import number_problem, text_problem
from tokensheet.tables.scales import SCALES, scale

GPUS = """kind,id,name,vendor,memory_bytes [GB],memory_bandwidth [TB/s],peak_flops_bf16 [TFLOP/s],gpu_price,aliases,link,source
accelerator,acme-x1,Acme X1 96 GB,Acme,96,3.35,989.4,20000,x1|the one,pcie5-x16,data sheet of May
"""


def table(folder: Path, data: str | bytes, name: str = "gpus.csv") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def records(path: Path) -> list[Any]:
    """All records of a table, by its hooks."""
    offered = plugin(path)
    return [record for hook in vars(offered).values() for record in hook()]


def problems(path: Path) -> list[str]:
    with pytest.raises(RecordError) as caught:
        plugin(path)
    text = str(caught.value)
    head, *lines = text.split("\n")
    return [line.removeprefix("  - ") for line in lines] or [head.removeprefix(f"{path.name}: ")]


# ---- what comes in


def test_a_field_that_two_cells_of_a_row_give_is_refused(tmp_path: Path) -> None:
    """Under headings that differ by unit or letters; a table may have both columns when each row fills one."""
    head = "id,name,vendor,memory_bytes [GB],memory_bytes [GiB],Memory_Bytes,memory_bandwidth,peak_flops_bf16,link,source\n"
    rest = "3e12,1e15,pcie5-x16,data sheet\n"
    assert problems(table(tmp_path, f"{head}a,A,Acme,80,80,,{rest}b,B,Acme,,,8e10,{rest}", "gpus.csv")) == [
        "row 2 (a): memory_bytes is given twice, by memory_bytes [GB] and memory_bytes [GiB]; leave one empty"
    ]
    one, other = records(table(tmp_path, f"{head}a,A,Acme,,80,,{rest}b,B,Acme,,,8e10,{rest}"))
    assert (one.memory_bytes, other.memory_bytes) == (80 * 2**30, 8e10)


def test_a_row_is_a_record_like_one_in_code(tmp_path: Path) -> None:
    """Units in headings are exact: 3.35 TB/s is 3.35e12 to the last bit."""
    (gpu,) = records(table(tmp_path, GPUS))
    assert (gpu.kind, gpu.id, gpu.vendor, gpu.aliases) == (
        "accelerator",
        "acme-x1",
        "Acme",
        ("x1", "the one"),
    )
    assert (gpu.memory_bytes, gpu.memory_bandwidth, gpu.peak_flops_bf16) == (96e9, 3.35e12, 989.4e12)
    assert gpu.source == "data sheet of May"


FORMS: dict[str, Callable[[str], bytes]] = {
    "plain": str.encode,
    "byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "line ends of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "semicolons and decimal commas": lambda text: (
        text.replace(",", ";").replace("3.35", "3,35").replace("989.4", "989,4").encode()
    ),
    "semicolons said by Excel": lambda text: ("sep=;\r\n" + text.replace(",", ";")).encode(),
    "tabs in UTF-16": lambda text: text.replace(",", "\t").encode("utf-16"),
    "every cell in quotes": lambda text: re.sub(r"[^,\n]+", lambda m: f'"{m[0]}"', text).encode(),
    "empty rows and columns": lambda text: text.replace("\n", ",,\n").encode() + b",,,,,,,,,,,\n,,,\n",
    "comments": lambda text: text.encode() + b"# checked in May,,,\n",
    "spaces": lambda text: text.replace(",", " , ").encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_in_which_spreadsheets_save(tmp_path: Path, form: str) -> None:
    """Encodings, separators and decimal signs of Excel's languages give the same record."""
    (wanted,) = records(table(tmp_path, GPUS))
    (found,) = records(table(tmp_path, FORMS[form](GPUS), "other.csv"))
    assert found == wanted


def test_the_files_name_says_the_kind(tmp_path: Path) -> None:
    """Then no column is needed; gpus are accelerators."""
    text = (
        "id,bandwidth [GB/s],latency [us],scope,link_kind,source\nacme-wire,50,2.5,node,scale-up,data sheet\n"
    )
    (link,) = records(table(tmp_path, text, "acme-links.csv"))
    assert (link.kind, link.bandwidth, link.latency) == ("link", 50e9, 2.5e-6)
    without = GPUS.replace("kind,", "").replace("accelerator,", "")
    assert records(table(tmp_path, without, "my gpus.csv")) == records(table(tmp_path, GPUS))


def test_a_model_and_a_price(tmp_path: Path) -> None:
    """Whole numbers, flags, dates that Excel leaves alone, sources of single fields."""
    text = (
        "kind,id,layers,d_model,vocabulary,heads,kv_heads,mlp_width,tied_embeddings,sources.layers,price_kind,item,"
        "as_of,usd_per_gpu_hour,source\n"
        "model,acme-8b,32,4096,128256,32,8,14336,0,config.json,,,,,acme\n"
        "price,acme-x1-rent,,,,,,,,,on_demand,Acme X1,20260131,2.5,acme\n"
    )
    model, price = records(table(tmp_path, text, "mixed.csv"))
    assert model.parameters == pytest.approx(8.03e9, rel=0.01)
    assert (model.tied_embeddings, model.sources) == (False, {"layers": "config.json"})
    assert (price.as_of.isoformat(), price.usd_per_gpu_hour) == ("2026-01-31", 2.5)


def test_toml(tmp_path: Path) -> None:
    """Nested parts too, which do not fit in a cell."""
    text = """
[[accelerators]]
id = "acme-x1"
vendor = "Acme"
memory_bytes = 96e9
memory_bandwidth = 3.35e12
source = "data sheet"

[[models]]
id = "acme-8b"
layers = 32
d_model = 4096
vocabulary = 128256
heads = 32
kv_heads = 8
attention_groups = [{ layers = 8, window = true, kv_heads = 4 }]
window_layers = 8
window = 1024
mlp_width = 14336
source = "config.json"
"""
    gpu, model = records(table(tmp_path, text, "acme.toml"))
    assert (gpu.id, model.attention_groups[0].kv_heads) == ("acme-x1", 4)


def test_a_table_is_a_plugin(tmp_path: Path) -> None:
    """Its name is the file's, its version what it holds; its records are chosen, shown and disabled like any."""
    path = table(tmp_path, GPUS)
    planner = Planner(settings=Settings(catalogs=(path,)))
    assert planner.registry.problems == []
    entry = planner.registry.catalog("accelerator").find("the one")
    assert (entry.record.id, str(entry.owner)[:15]) == ("acme-x1", "gpus (gpus.csv ")
    seconds = planner.evaluate("decode_latency", model="llama-2-7b", gpu="x1", gpus=1, context=1024)
    assert 13e9 / 3.35e12 < seconds < 0.02
    left_out = Planner(settings=Settings(catalogs=(path,), disable=("gpus",)))
    assert "acme-x1" not in left_out.registry.catalog("accelerator").entries


def test_on_the_command_line(tmp_path: Path) -> None:
    """`--catalog` before any command; a table with a mistake is told and the rest works."""
    good = table(tmp_path, GPUS)
    asked = ["eval", '=TS_SPEC("acme-x1","memory_bandwidth")']
    done = CliRunner().invoke(tokensheet, ["--catalog", str(good), *asked])
    assert (done.exit_code, done.output) == (0, "3350000000000\n")
    bad = table(tmp_path, GPUS.replace("96,3.35", "-1,3.35"), "bad.csv")
    done = CliRunner().invoke(tokensheet, ["--catalog", str(bad), "eval", '=KV_BYTES("llama-2-70b",1024)'])
    assert done.exit_code == 0
    assert "plugin bad (bad.csv " in done.stderr
    assert "row 2 (acme-x1): memory_bytes is -1000000000 byte" in done.stderr
    assert done.stdout == "335544320\n"
    done = CliRunner().invoke(tokensheet, ["--strict", "--catalog", str(bad), "eval", "=1"])
    assert done.exit_code == 1


# ---- what is refused


def row(**cells: str) -> str:
    """The table above with some cells changed."""
    names = GPUS.split("\n")[0].split(",")
    values = dict(zip(names, GPUS.split("\n")[1].split(","), strict=True))
    out = io.StringIO()
    writer = csv.writer(out)
    for name, value in cells.items():
        values[next(n for n in names if n.partition(" ")[0] == name)] = value
    writer.writerows([names, list(values.values())])
    return out.getvalue()


CELLS: dict[str, tuple[dict[str, str], str]] = {
    "decimal comma": (
        {"memory_bandwidth": "3,35"},
        "memory_bandwidth is '3,35' with a decimal comma; write 3.35, or separate the columns by semicolons",
    ),
    "thousands": (
        {"gpu_price": "20,000"},
        "gpu_price is '20,000', which may be grouped by thousands; write it without groups",
    ),
    "a unit in the cell": (
        {"memory_bytes": "96 GB"},
        "memory_bytes is '96 GB'; write a plain number such as 3.35 or 3.35e12, without a unit",
    ),
    "money": (
        {"gpu_price": "$3"},
        "gpu_price is '$3'; write a plain number such as 3.35 or 3.35e12, without a unit",
    ),
    "not known": ({"gpu_price": "NaN"}, "gpu_price is 'NaN'; write a plain number"),
    "negative": ({"gpu_price": "-1"}, "gpu_price is -1 usd; it must not be negative"),
    "GB for bytes": ({"memory_bytes": "0.00000008"}, "memory_bytes is 80 byte, below 1e9; give bytes"),
    "TFLOP/s for FLOP/s": ({"peak_flops_bf16": "1e-9"}, "peak_flops_bf16 is 1000 flop/second, below 1e9"),
    "digits lost in Excel": (
        {"gpu_price": "1.41558E+11"},
        "gpu_price 1.41558E+11 has the six digits that Excel saves of a long number",
    ),
    "narrow column": (
        {"gpu_price": "######"},
        "gpu_price ###### is what Excel saves of a column that is too narrow",
    ),
    "id as number": ({"id": "1e5"}, "id '1e5' Excel takes for a number or has made of another text"),
    "id as number, after Excel": ({"id": "1.00E+05"}, "id '1.00E+05' Excel takes for a number"),
    "id as date": ({"id": "3-4"}, "id '3-4' Excel takes for a date or has made of another text"),
    "id as date, after Excel": ({"id": "04-Mar"}, "id '04-Mar' Excel takes for a date"),
    "id as truth": ({"id": "true"}, "id 'true' Excel takes for a truth value"),
    "a formula": ({"name": "=1+1"}, "name '=1+1' begins with =, which Excel takes for a formula"),
    "an alias": ({"aliases": "3/4"}, "aliases '3/4' Excel takes for a date"),
    "a month": ({"source": "May 2026"}, "source 'May 2026' Excel takes for a date"),
    "no source": ({"source": ""}, "source: Field required"),
    "capitals": ({"id": "Acme-X1"}, "id: id 'Acme-X1' must be lower case"),
}


@pytest.mark.parametrize("case", CELLS)
def test_a_cell_that_is_refused(tmp_path: Path, case: str) -> None:
    """Row, record, field, what was met and what to do; nothing else is told of it."""
    cells, wanted = CELLS[case]
    (problem,) = problems(table(tmp_path, row(**cells)))
    where = f"row 2 ({cells.get('id', 'acme-x1')}): "
    assert problem.removeprefix(where).removeprefix("row 2: ").startswith(wanted)


def test_in_a_file_with_semicolons_a_point_and_three_digits_may_be_thousands(tmp_path: Path) -> None:
    """1.500 is 1500 in one language and 1.5 in another: it is not guessed."""
    text = row(gpu_price="1.500").replace(",", ";")
    assert problems(table(tmp_path, text)) == [
        "row 2 (acme-x1): gpu_price is '1.500', which may be grouped by thousands; write it without groups"
    ]
    text = row(gpu_price="1,5").replace('"1,5"', "1§5").replace(",", ";").replace("§", ",")
    assert records(table(tmp_path, text))[0].gpu_price == 1.5


def test_all_problems_of_all_rows_are_told_at_once(tmp_path: Path) -> None:
    """As many as there are, each with its row as the spreadsheet numbers it."""
    lines = GPUS.splitlines()
    text = "\n".join(
        [
            lines[0],
            lines[1],
            "",
            lines[1].replace("acme-x1", "acme-x2").replace("96,3.35", "-1,abc"),
            lines[1],
            lines[1].replace("accelerator", "gadget"),
            lines[1].replace("acme-x1", "acme-x3") + ",spare",
        ]
    )
    assert problems(table(tmp_path, text)) == [
        "row 4 (acme-x2): memory_bandwidth is 'abc'; write a plain number such as 3.35 or 3.35e12, without a unit",
        "row 4 (acme-x2): memory_bytes is -1000000000 byte; it must not be negative",
        "row 5 (acme-x1): accelerator acme-x1 stands in row 2 too",
        "row 6: kind is 'gadget'; write one of accelerator, link, system, model, format, profile, price",
        "row 7 (acme-x3): 'spare' stands in a column without a heading",
    ]


FILES: dict[str, tuple[str, str | bytes, str]] = {
    "unknown column": (
        "gpus.csv",
        "id,memory_byte,source\n",
        "column memory_byte is no field of a accelerator; nearest are memory_bytes",
    ),
    "unknown unit": (
        "gpus.csv",
        "id,memory_bytes [GBytes],source\n",
        "column memory_bytes [GBytes] unit GBytes is",
    ),
    "another unit": (
        "gpus.csv",
        "id,memory_bytes [GB/s],source\n",
        "column memory_bytes [GB/s] is in byte; GB/s is another kind of unit",
    ),
    "unit of a text": ("gpus.csv", "id,name [GB]\n", "column name [GB] has a unit but is no number"),
    "nested": (
        "models.csv",
        "id,attention_groups\n",
        "column attention_groups does not fit in a cell; write",
    ),
    "column twice": ("gpus.csv", "id,id\n", "column id stands twice"),
    "no kind": ("mine.csv", "id,name\n", "what it holds is not said; add a column kind"),
    "empty": ("gpus.csv", "\n\n", "the table is empty; its first row names the columns"),
    "no rows": ("gpus.csv", "id,source\n", "it holds no records"),
    "another encoding": (
        "gpus.csv",
        "id,name\na,é\n".encode("cp1252"),
        "row 2 is not UTF-8; save the table as",
    ),
    "another suffix": ("gpus.xlsx", b"PK", ".xlsx: a table is a .csv or a .toml file"),
    "no TOML": ("acme.toml", "id = acme", "Invalid value (at line 1, column 6)"),
    "one bracket": (
        "acme.toml",
        "[accelerators]\nid = 'a'",
        "accelerators: write [[accelerators]] with two brackets",
    ),
    "unknown table": (
        "acme.toml",
        "[[gpus]]\nid = 'a'",
        "gpus: unknown table; known are accelerators, formats",
    ),
    "unknown field": (
        "acme.toml",
        "[[links]]\nid = 'a'\nspeed = 1",
        "links 1 (a): speed: Extra inputs are not permitted",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_refused(tmp_path: Path, case: str) -> None:
    """One sentence, and what to do."""
    name, data, wanted = FILES[case]
    found = problems(table(tmp_path, data, name))
    assert any(problem.replace("link 1", "links 1").startswith(wanted) for problem in found), found


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert problems(tmp_path / "gone.csv") == [
        "No such file or directory; give the path of a .csv or .toml file"
    ]


# ---- units of headings


@pytest.mark.parametrize(
    ("text", "factor", "unit"),
    [
        ("GB", 1e9, "byte"),
        ("GiB", 2**30, "byte"),
        ("TB/s", 1e12, "byte/second"),
        ("TFLOP/s", 1e12, "flop/second"),
        ("us", 1e-6, "second"),
        ("kW", 1e3, "watt"),
        ("billion", 1e9, "1"),
        ("usd/hour", 1, "usd/hour"),
    ],
)
def test_units(text: str, factor: float, unit: str) -> None:
    """GB is 10^9, GiB is 2^30; the unit must be that of the field."""
    found = scale(text)
    assert float(found.factor) == factor
    assert str(found.unit) == unit


def test_no_unit_is_two() -> None:
    """A list that holds only what it means: no kiloseconds, no millibytes."""
    assert {"ks", "Gs", "mB", "uFLOP"}.isdisjoint(SCALES)


# ---- what Excel does to a file, and what it does not


SHOWN_DIGITS = 1e-9
"""What Excel shows of a number, and therefore saves: at least nine digits."""

SURVIVES = [
    "llama-2-70b",
    "h100-sxm-80gb",
    "x1",
    "data sheet, page 2",
    "1-year reserved",
    "e5",
    "q4_k_m",
    "à la carte",
]
DAMAGED = [
    "1e5",
    "3-4",
    "3/4",
    "1.5",
    "007",
    "12:30",
    "may-5",
    "jan 2026",
    "5 May",
    "TRUE",
    "=a",
    "+a",
    "@a",
    "-a",
    "50%",
]


@pytest.mark.parametrize("text", SURVIVES)
def test_texts_that_excel_leaves_alone(text: str) -> None:
    assert text_problem(text) is None


@pytest.mark.parametrize("text", DAMAGED)
def test_texts_that_excel_changes(text: str) -> None:
    assert text_problem(text) is not None


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "profile"])
@pytest.mark.slow
def test_a_table_to_start_from_comes_back_as_it_was(kind: str, tmp_path: Path) -> None:
    """Written, opened and saved by a spreadsheet, read: the same records, for those that fit in cells."""
    planner = Planner(settings=Settings())
    names = [column.name for column in heading(kind)]
    fitting = []
    for entry in planner.registry.catalog(kind):
        try:
            text = rows(kind, [entry.record])
        except ValueError:
            continue
        path = tmp_path / f"{kind}s.csv"
        path.write_bytes(as_excel_saves(text).encode("utf-8"))
        stated = {
            n for n in type(entry.record).model_fields if getattr(entry.record, n) not in (None, "", (), {})
        }
        if stated - {*names, "notes", "sources", "states"}:
            continue
        try:
            (found,) = records(path)
        except RecordError as error:
            pytest.fail(f"{entry.record.id}: {error}")
        for name in names:
            there, back = getattr(entry.record, name), getattr(found, name)
            same = there == back or (isinstance(there, (int, float)) and abs(back / there - 1) < SHOWN_DIGITS)
            assert same, (entry.record.id, name, there, back)
        fitting.append(entry.record.id)
    assert len(fitting) >= 5


def as_excel_saves(text: str) -> str:
    """What Excel makes of a CSV file that is opened and saved: each cell as it is shown."""
    assert text.startswith("\ufeff"), "without the mark Excel takes UTF-8 for another encoding"
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for cells in csv.reader(io.StringIO(text[1:], newline="")):
        writer.writerow([shown(cell) for cell in cells])
    return "\ufeff" + out.getvalue()


def shown(cell: str) -> str:
    """A cell in the format `General`: eleven characters of a number, then powers of ten with six digits."""
    if not re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", cell):
        assert text_problem(cell) is None if cell else True, f"{cell!r} would be changed"
        return cell
    value = float(cell)
    if value == 0 or 1e-9 <= abs(value) < 1e11:
        digits = 11 - len(str(int(abs(value)))) - 1
        plain = f"{value:.{max(0, digits)}f}"
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    digits, power = f"{value:.5E}".split("E")
    return f"{digits.rstrip('0').rstrip('.')}E{power}"


def test_excels_model_of_itself_damages_what_is_refused() -> None:
    """The stand-in for Excel is no yes-man."""
    assert shown("141557760000") == "1.41558E+11"
    assert number_problem(shown("141557760000")) is not None
    assert shown("0.1234567890123") == "0.123456789"
    assert shown("3.35e12") == "3.35E+12"


@pytest.mark.office
@pytest.mark.slow
def test_libreoffice_opens_and_saves_it_without_damage(tmp_path: Path) -> None:
    """A real spreadsheet program, with its own guesses about what a cell is."""
    require()
    planner = Planner(settings=Settings())
    chosen = [
        planner.registry.record("accelerator", i) for i in ("rtx-4090", "h100-sxm-80gb", "a100-sxm-80gb")
    ]
    path = tmp_path / "gpus.csv"
    path.write_bytes(rows("accelerator", chosen).encode())
    out, home = tmp_path / "out", (tmp_path / "home").as_uri()
    command = [
        "soffice",
        f"-env:UserInstallation={home}",
        "--headless",
        "--convert-to",
        "csv",
        "--outdir",
        str(out),
    ]
    subprocess.run([*command, str(path)], check=True, capture_output=True, timeout=120)
    assert [r.model_dump(exclude={"notes", "sources", "states"}) for r in records(out / "gpus.csv")] == [
        r.model_dump(exclude={"notes", "sources", "states"}) for r in records(path)
    ]


def test_the_command_that_writes_a_table(tmp_path: Path) -> None:
    """Columns with units and the rows asked for; what is there is not written over."""
    path = tmp_path / "mine.csv"
    done = CliRunner().invoke(tokensheet, ["catalog", "table", "accelerators", "rtx-4090", "-o", str(path)])
    assert done.exit_code == 0, done.output
    lines = path.read_bytes().decode("utf-8-sig").split("\r\n")
    assert lines[0].startswith("kind,id,source,vendor,memory_bytes [GB],memory_bandwidth [GB/s],")
    assert lines[1].startswith("accelerator,my-rtx-4090,")
    done = CliRunner().invoke(tokensheet, ["--strict", "--catalog", str(path), "plugins"])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(tokensheet, ["catalog", "table", "accelerators", "-o", str(path)])
    assert "exists and holds something else; add --force" in str(done.exception)


def test_a_model_copied_to_a_table_has_no_column_that_follows_from_others() -> None:
    """Whoever changes `layers` need not know that `full_layers` followed."""
    record = Planner(settings=Settings()).registry.record("model", "llama-2-70b")
    names = next(csv.reader(io.StringIO(rows("model", [record])[1:])))
    assert "layers" in names
    assert {"full_layers", "moe_layers", "experts", "window"}.isdisjoint(names)


def test_what_does_not_fit_in_a_cell_is_refused_and_not_dropped() -> None:
    """A row without its groups of layers would be another model."""
    registry = Planner(settings=Settings()).registry
    grouped = next(e.record for e in registry.catalog("model") if getattr(e.record, "attention_groups", ()))
    with pytest.raises(ValueError, match=r"attention_groups.* does not fit in a cell; write it in TOML"):
        rows("model", [grouped])


def test_a_number_is_not_read_as_another_kind() -> None:
    with pytest.raises(CellError, match="write 1 or 0"):
        Column(("x",), "flag").value("maybe", False)
    with pytest.raises(CellError, match="write a date as 20260131"):
        Column(("x",), "date").value("1/2/2026", False)
    with pytest.raises(CellError, match="write a date as 20260131"):
        Column(("x",), "date").value("20260231", False)
