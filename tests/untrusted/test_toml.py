"""TOML texts of strangers: proposals, recipes, settings, tables of records and of texts are refused in words."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.hostile import answered, anything, damaged, quoted, refused, storable, toml_of, tried
from tokensheet import languages, planner, proposal, recipe, settings, untrusted
from tokensheet.cli.compare import of_proposal
from tokensheet.tables import plugin

ROOT = Path(__file__).parents[2]
PLANNER = planner()
PROPOSAL = """
title = "Fuzz"
customer = "Somebody"
valid_until = 2027-01-31
template = "one-page"
results = ["decode_latency", "tokens_per_dollar"]

[workload]
model = "llama-2-70b"
context = 4096
gpus = 8

[assumptions]
electricity_price = 0.2

[reasons]
electricity_price = "their tariff"

[[candidates]]
name = "cheap"
gpu = "rtx-4090"
batch = 4

[[candidates]]
name = "fast"
gpu = "h100-sxm-80gb"
batch = "max"
"""
SETTINGS = """
plugins = ["mine.py", "~/other.py"]
catalogs = ["gpus.csv"]
disable = ["acme-gpus"]
allow = ["acme"]
prefer = { h100-sxm-80gb = "acme_gpus" }
profile = "ideal"
"""
RECORDS = """
[[accelerators]]
id = "acme-one"
name = "Acme One"
vendor = "Acme"
memory_bytes = 96e9
memory_bandwidth = 4e12
peak_flops_bf16 = 1e15
link = "pcie5-x16"
source = "datasheet"

[[profiles]]
id = "mine"
source = "measured"
[profiles.values]
bandwidth_efficiency = 0.7

[[prices]]
id = "acme-rent"
"""
TEXTS = 'language = "de"\nfont = "Arial"\n[texts]\n"no answer" = "keine Antwort"\n"{check}: no" = "{check}: nein"\n'
RECIPES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "templates").glob("*.toml"))]

Reader = Callable[[str, Path], Any]
READERS: dict[str, tuple[Reader, list[str]]] = {
    "proposal": (lambda text, folder: proposal.read(put(folder, "p.toml", text), PLANNER), [PROPOSAL]),
    "recipe": (lambda text, folder: recipe.parse(text, PLANNER, "recipe"), RECIPES),
    "settings": (lambda text, folder: settings.read(put(folder, "s.toml", text)), [SETTINGS]),
    "records": (lambda text, folder: plugin(put(folder, "r.toml", text)), [RECORDS]),
    "texts": (lambda text, folder: languages.read_table(put(folder, "t.toml", text)), [TEXTS]),
}


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(storable(text))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("toml")


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@tried(20)
@pytest.mark.slow
def test_damaged_texts_are_read_or_refused(name: str, folder: Path, data: st.DataObject) -> None:
    reader, texts = READERS[name]
    answered(lambda: reader(data.draw(damaged(texts)), folder))


KEYS = {
    "proposal": (
        "title",
        "date",
        "template",
        "language",
        "workload",
        "assumptions",
        "reasons",
        "results",
        "candidates",
    ),
    "recipe": (
        "title",
        "results",
        "sheets",
        "sweep",
        "checks",
        "series",
        "charts",
        "prose",
        "language",
        "texts",
        "look",
    ),
    "settings": ("plugins", "catalogs", "disable", "allow", "prefer", "profile"),
    "records": ("accelerators", "links", "systems", "models", "formats", "profiles", "prices"),
    "texts": ("language", "font", "texts"),
}


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@tried(20)
@pytest.mark.slow
def test_values_of_any_kind_are_read_or_refused(name: str, folder: Path, data: st.DataObject) -> None:
    keys = st.one_of(st.sampled_from(KEYS[name]), st.text(max_size=5))
    values = data.draw(
        st.dictionaries(keys, st.one_of(anything, st.lists(records())), min_size=1, max_size=5)
    )
    text = "".join(f"{quoted(key)} = {toml_of(value)}\n" for key, value in values.items())
    answered(lambda: READERS[name][0](text, folder))


NAMES = (
    "id",
    "name",
    "source",
    "gpu",
    "model",
    "batch",
    "context",
    "profile",
    "title",
    "kind",
    "rows",
    "values",
    "over",
)


def records() -> st.SearchStrategy[dict[str, Any]]:
    """Tables with keys that some reader knows."""
    return st.dictionaries(st.sampled_from(NAMES), anything, max_size=5)


@given(
    given=st.dictionaries(
        st.sampled_from(
            sorted({*PLANNER.registry.roles, *(n for n in PLANNER.registry.nodes if "." not in n)})
        ),
        st.one_of(
            st.integers(-3, 10**9), st.floats(-1, 1e12), st.sampled_from(("max", "h100-sxm-80gb", "bf16"))
        ),
        max_size=4,
    )
)
@tried(12)
def test_a_proposal_that_is_read_has_an_answer_or_a_reason(given: dict[str, Any]) -> None:
    """Every input and assumption at odd values: what is accepted can be calculated."""
    more = "".join(
        f"{key} = {toml_of(value)}\n" for key, value in given.items() if f"{key} =" not in PROPOSAL
    )
    text = PROPOSAL.replace("[assumptions]\n", f"[assumptions]\n{more}")
    answered(lambda: of_proposal(proposal.parse(text, PLANNER), PLANNER))


MANY = 30_000
HOSTILE: dict[str, tuple[str, str]] = {
    "lists without end": ("x = " + "[" * 100_000, "nested deeper than 40 levels"),
    "tables without end": ("x = " + "{a=" * 100_000, "nested deeper than 40 levels"),
    "deeper than the bound": ("x = " + "[" * 50 + "]" * 50, "nested deeper than 40 levels"),
    "a key of many parts": ("a" + ".a" * 400_000 + " = 1", "line 1: a key has more than 16 parts"),
    "quoted parts": ("\n" + r'"\"".' * 100_000 + "a = 1", "line 2: a key has more than 16 parts"),
    "a heading of many parts": ("[a" + " . 'a'" * 300_000 + "]", "line 1: a key has more than 16 parts"),
    "parts behind a quoted backslash": (
        r"x = {b = '\',a" + ".a" * 400_000 + " = 1}",
        "line 1: a key has more than 16",
    ),
    "a megabyte of quotes with backslashes": (r'x = "' + r"\"" * 500_000, "Unterminated string"),
    "the same in a comment": ("# " + r"\"" * 500_000 + "\nx", "at end of document"),
    "digits": ("x = " + "9" * 5000, "a whole number in it has thousands of digits"),
    "a large number": ("x = " + "9" * 400, "a whole number in it is above 1e300"),
    "a large number in hexadecimal": ("x = 0x" + "f" * 400_000, "a whole number in it is above 1e300"),
}


@pytest.mark.parametrize("text, words", HOSTILE.values(), ids=HOSTILE)
def test_what_would_take_hours_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        untrusted.toml(text)
    assert words in str(caught.value)


PIECES = (
    r"\"", '"', "'", "\\", ".", " ", "\t", '"\\', '\\\\"', "\"'", "a. ", '"a" .', "'a", "\"'\\", "-", r"\'", r'x\"', '" .', 'a."',
    "a.'", '."', r'"\".', "\t.", "a" + ".a" * 15 + " ", '"a"' + '."a"' * 15 + " ", "'a'." * 16, "word", r"\a", "a\\", "#", "[", "{a=",
    r"\u0041", "\n", '"""', "'''", "=",
)  # fmt: skip
BEFORE = ("", "# ", 'x = "', 'x = """', "x = '", "x = '''", '\\"', "[", "x = {")


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.slow
def test_the_search_for_long_keys_grows_with_the_text_only(before: str) -> None:
    """8 times the text is 8 times the work, nowhere near 64 times."""

    def work(text: str) -> float:
        times = []
        for _ in range(3):
            begun = time.thread_time()
            untrusted._LONG_KEY.search(text)
            times.append(time.thread_time() - begun)
        return min(times)

    for piece in PIECES:
        body = piece * 32_000
        assert work(before + body[:32_000]) < 24 * work(before + body[:4_000]) + 0.002, piece


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.slow
def test_long_runs_of_any_piece_are_read_or_refused(before: str) -> None:
    """By the whole reader; what grew with the square of the text would take minutes here."""
    for piece in PIECES:
        with suppress(ValueError):
            untrusted.toml(before + piece * (100_000 // len(piece)))


INSIDE = ("a", ".", " ", "'", r"\"", r"\\", r"\t", r"\u0041", "\t", "=", "#")
PARTS = st.one_of(
    st.text("ab_-1", min_size=1, max_size=3),
    st.lists(st.sampled_from(INSIDE), max_size=5).map(lambda inside: f'"{"".join(inside)}"'),
    st.text('a. "\\\t=#', max_size=5).map(lambda inside: f"'{inside}'"),
)
DOTS = st.sampled_from((".", " .", ". ", "\t. \t"))
PLACES = (
    "{} = 1", "\n {} = 1", "[{}]", "[[ {} ]]", "x = {{ {} = 1 }}", "x = {{ y = '\\', {} = 1 }}", 'x = "\\\\" # "\n{} = 1',
    'y = ["""\\\\""", {{{} = 1}}]', "x = '''\n\\'''\n{} = 1",
)  # fmt: skip


@given(
    parts=st.lists(PARTS, min_size=15, max_size=19),
    dots=st.lists(DOTS, min_size=18, max_size=18),
    place=st.sampled_from(PLACES),
)
@tried(100)
@pytest.mark.slow
def test_every_long_key_is_found(parts: list[str], dots: list[str], place: str) -> None:
    """Bare or quoted, wherever a key may stand; what is within the bound is read."""
    key = parts[0] + "".join(dot + part for dot, part in zip(dots, parts[1:], strict=False))
    text = place.format(key)
    if len(parts) <= untrusted.MOST_KEY_PARTS:
        untrusted.toml(text)
    else:
        with pytest.raises(ValueError, match="a key has more than 16 parts"):
            untrusted.toml(text)


def test_the_number_of_values_is_bounded() -> None:
    untrusted.check({"x": [0] * 400_000, "y": {}})
    with pytest.raises(ValueError, match="it holds more than 500,000 values"):
        untrusted.check({"x": [[0] * 300_000, [0] * 300_000]})


def test_long_keys_within_the_bound_are_read() -> None:
    assert untrusted.toml("a.b.c.d = 'a.b.c.d.e.f.g.h.i.j'") == {
        "a": {"b": {"c": {"d": "a.b.c.d.e.f.g.h.i.j"}}}
    }


@pytest.mark.parametrize("name", READERS)
def test_every_reader_of_toml_has_the_bounds(name: str, folder: Path) -> None:
    refused(lambda: READERS[name][0](HOSTILE["lists without end"][0], folder), "nested deeper than 40 levels")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("proposal", "title = 'a'\n[workload]\n" + "\n".join(f"unknown{i} = 1" for i in range(MANY))),
        ("proposal", "title = 'a'\n[reasons]\n" + "\n".join(f"unknown{i} = 'a'" for i in range(MANY))),
        ("proposal", "\n".join(f"unknown{i} = 1" for i in range(MANY))),
        ("recipe", "title = 'a'\n" + "\n".join(f"unknown{i} = 1" for i in range(MANY))),
        ("settings", "\n".join(f"unknown{i} = 1" for i in range(MANY))),
        ("records", "[[models]]\nid = '3'\n" * MANY),
        ("texts", "language = 'de'\n[texts]\n" + "\n".join(f"'{i} {{a}}' = 'a'" for i in range(MANY))),
    ],
)
@pytest.mark.slow
def test_of_thousands_of_mistakes_fifty_are_told(name: str, text: str, folder: Path) -> None:
    refused(lambda: READERS[name][0](text, folder), "more than 50 problems; the first are")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "proposal",
            PROPOSAL.replace('["decode_latency", ', '["decode_latency", [1], {a = 1}, '),
            "results.1",
        ),
        ("proposal", PROPOSAL.replace('"one-page"', "[1]"), "template: "),
        ("proposal", PROPOSAL.replace('"one-page"', '"../one-page"'), "no recipe is called ../one-page"),
        ("proposal", PROPOSAL.replace("Somebody", "a" * 32_001), "at most 32000 characters"),
        (
            "proposal",
            PROPOSAL.replace('["decode', '["decode_latency"' + ', "decode_latency"' * 1001 + ', "decode'),
            "1000",
        ),
        ("proposal", "#" * 1_000_001, "larger than 1,000,000 bytes; a proposal is a page of text"),
        ("recipe", 'title = "a"\n[look]\nbrand = "../secret.xlsx"', "look.brand"),
        ("settings", 'plugins = ["~nobody-of-this-name/a.py"]', "nobody has this home folder"),
        ("settings", "#" * 1_000_001, "larger than 1,000,000 bytes"),
        ("texts", "#" * 1_000_001, "larger than 1,000,000 bytes"),
        ("records", "#" * 20_000_001, "larger than 20,000,000 bytes"),
    ],
)
def test_what_must_not_pass_is_told(name: str, text: str, words: str, folder: Path) -> None:
    refused(lambda: READERS[name][0](text, folder), words)
