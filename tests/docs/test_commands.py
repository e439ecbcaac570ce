"""Every command that a page shows: the program takes it, and those of the README and the guides are run."""

from __future__ import annotations

import re
from pathlib import Path

import click
import openpyxl
import pytest
from click.testing import CliRunner, Result
from openpyxl.styles import Font, NamedStyle

from tests.tools.pages import Call, blocks, calls
from tokensheet.cli.commands import tokensheet

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
RUN_PAGES = [ROOT / "README.md", *sorted((DOCS / "guide").glob("*.md"))]
SHOWN = {str(call): call for page in PAGES for call in calls(page)}

FILLED: dict[str, str] = {
    "tokensheet explain '=…'": "explain '=KV_BYTES(\"llama-2-70b\",4096,8)'",
    "tokensheet eval '…'": "eval '=1'",
    "tokensheet --plugin power.py optimize --goal power --max-power 5000 …": (
        "--plugin power.py optimize --goal power --max-power 5000 --model llama-3.1-70b --context 4096"
    ),
    "tokensheet catalog list KIND [WORDS]": "catalog list models llama",
    "tokensheet catalog show ID": "catalog show llama-2-70b",
    "tokensheet --plugin FILE catalog show ID": "--plugin power.py catalog show llama-2-70b",
}
"""Calls with places that a reader fills in → what stands there."""

KV = "10737418240\n"
EXPORT = "workbooks/llama-2-70b-4090-or-h100.toml"
WRITTEN = "written: workbooks/llama-2-70b-4090-or-h100.xlsx"
RUN: dict[str, tuple[str, str]] = {
    "tokensheet functions latency": ("", "\nDECODE_LATENCY(model, gpu, gpus, context"),
    "tokensheet catalog list models llama": ("", "\nllama-2-70b "),
    'tokensheet eval "=KV_BYTES(""llama-2-70b"",4096,8)"': ("", KV),
    """'=KV_BYTES("llama-2-70b",4096,8)' | tokensheet eval -""": ('=KV_BYTES("llama-2-70b",4096,8)\n', KV),
    "tokensheet eval '=KV_BYTES(\"llama-2-70b\",4096,8)'": ("", KV),
    "tokensheet eval -": ('=KV_BYTES("llama-2-70b",4096,8)\n=1+1\n', f"{KV}2\n"),
    "type cells.txt | tokensheet eval -": ("=1\n=TS_VERSION()\n", "1\ntokensheet "),
    'tokensheet eval "=TS_VERSION()"': ("", "tokensheet "),
    "tokensheet explain '=…'": ("", "\nkv_bytes = "),
    "tokensheet new-plugin acme-gpus": ("", "written: acme-gpus/pyproject.toml"),
    "tokensheet plugins": ("", "\ninference "),
    "tokensheet texts de -o de.toml": ("", ""),
    "tokensheet server token > tokens": ("", "\n"),
    "tokensheet server manifest addin --url https://planning.example:8443": ("", "addin/manifest.json\n"),
    "tokensheet optimize --help": ("", "--min-tokens-per-second"),
    "tokensheet optimize --model llama-3.1-70b --context 4096 --max-latency 0.05 --min-tokens-per-second 5000": (
        "",
        "\nout:\n  ",
    ),
    "tokensheet --plugin power.py optimize --goal power --max-power 5000 …": ("", ": least power a token\n"),
}  # fmt: skip
"""Calls of the README and the guides → what is typed into them, and words of their answers."""

SLOW: dict[str, tuple[str, str]] = {
    f"tokensheet export {EXPORT}": ("", WRITTEN),
    f"tokensheet export --lambda {EXPORT}": ("", WRITTEN),
    f"tokensheet export --language zh {EXPORT}": ("", WRITTEN),
    f"tokensheet export --brand acme.xlsx {EXPORT}": ("", WRITTEN),
    "tokensheet addin build FOLDER": ("", "tokensheet.oxt\n"),
    "tokensheet reference --html reference.html": ("", "written: reference.html"),
    "tokensheet optimize --model llama-3.1-70b --prompt 2048 --output 256 --request-rate 20 --target-ttft 1 "
    "--target-tpot 0.04 --formats bf16,fp8": ("", "\nout:\n  "),
}
"""The same, of those that take a second or more."""

ELSEWHERE: dict[str, str] = {
    "tokensheet addin install excel": "desktop/test_install.py",
    "tokensheet addin install libreoffice": "desktop/test_install.py",
    "tokensheet addin remove excel": "desktop/test_install.py",
    "tokensheet addin remove libreoffice": "desktop/test_install.py",
    "tokensheet addin status": "desktop/test_install.py",
    'tokensheet addin fleet FOLDER --at "C:\\Program Files\\Tokensheet"': "desktop/test_fleet.py",
    'tokensheet addin fleet FOLDER --at "C:\\Program Files\\Tokensheet-0.2"': "desktop/test_fleet.py",
    "tokensheet doctor": "desktop/test_doctor.py",
    "tokensheet doctor --json": "desktop/test_doctor.py",
    "tokensheet server run": "server/test_server.py",
    "tokensheet server run --through xlwings": "server/test_office.py",
    "tokensheet server run --host 0.0.0.0 --url https://planning.example:8443 --token-file tokens "
    "--certificate chain.pem --key key.pem": "server/test_office.py",
    "tokensheet export PROPOSAL.toml": "docs/test_guide.py",
    "tokensheet export plan.toml": "docs/test_guide.py",
    "tokensheet read customer.xlsx --proposal plan.toml -o plan-2.toml": "docs/test_guide.py",
    "tokensheet diff plan.toml plan-2.toml": "docs/test_guide.py",
    "tokensheet export plan-2.toml": "docs/test_guide.py",
}
"""Calls that need a machine of their own, never end, or follow one another → the test that makes them."""


def named(call: Call) -> click.Command | None:
    """The command or group whose bare name a text mentions; None where something is called."""
    command: click.Command = tokensheet
    for word in call.words():
        found = command.commands.get(word) if isinstance(command, click.Group) else None
        if found is None:
            return None
        command = found
    needed = any(p.required for p in command.params) or command.name == "optimize"
    return command if needed or isinstance(command, click.Group) else None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the calls name."""
    (tmp_path / "workbooks").mkdir()
    for proposal in (ROOT / "workbooks").glob("*.toml"):
        (tmp_path / "workbooks" / proposal.name).write_bytes(proposal.read_bytes())
    for name, page, word in (
        ("power.py", "guide/optimize.md", "power_per_token"),
        ("acme.py", "../README.md", "acme-one"),
    ):
        (text,) = [b.text for b in blocks(DOCS / page) if b.language == "python" and word in b.text]
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in ("brand.xlsx", "acme.xlsx"):
        book = openpyxl.Workbook()
        book.add_named_style(NamedStyle("Title", font=Font(name="Georgia", color="FF8800")))
        book.save(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(shown: str) -> Result:
    typed, _ = {**RUN, **SLOW}.get(shown, ("", ""))
    return CliRunner().invoke(tokensheet, SHOWN[shown].words(FILLED.get(shown, "")), input=typed)


@pytest.mark.parametrize("shown", SHOWN)
def test_the_program_takes_it(shown: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its command, options and arguments; what they would do is left out."""
    for name in ("mine.py", "my_model.py"):
        (folder / name).write_text("", encoding="utf-8")
    if named(SHOWN[shown]) is None:
        without_doing(tokensheet, monkeypatch)
        done = made(shown)
        assert done.exit_code == 0, done.output


def without_doing(group: click.Group, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in group.commands.values():
        if isinstance(command, click.Group):
            without_doing(command, monkeypatch)
        else:
            monkeypatch.setattr(command, "callback", lambda *_, **__: None)


@pytest.mark.parametrize(
    "shown", [*RUN, *(pytest.param(shown, marks=pytest.mark.slow) for shown in SLOW)], ids=str
)
def test_it_answers(shown: str, folder: Path) -> None:
    done = made(shown)
    assert done.exit_code == 0, done.output
    assert {**RUN, **SLOW}[shown][1] in done.stdout
    written = re.search(r"(?:-o|--html|new-plugin|manifest|build) (\S+)", shown)
    assert not written or (folder / written[1]).exists()


@pytest.mark.parametrize("option", re.findall(r"`(--(?!help)[^`]+)`", PAGES[0].read_text(encoding="utf-8")))
def test_options_of_an_export_that_the_readme_names(
    option: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guides show each in a call, which is run."""
    assert any(shown.startswith(f"tokensheet export {option.split()[0]} ") for shown in SLOW)
    without_doing(tokensheet, monkeypatch)
    done = CliRunner().invoke(tokensheet, ["export", *option.split(), EXPORT])
    assert done.exit_code == 0, done.output


def test_a_wrong_option_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """What reads the calls is no yes-man."""
    without_doing(tokensheet, monkeypatch)
    assert CliRunner().invoke(tokensheet, Call("", "optimize --model x --fastest").words()).exit_code == 2
    assert named(Call("", "optimise")) is None and named(Call("", "server fly")) is None
    assert named(Call("", "server")) and named(Call("", "export"))


def test_every_call_of_the_readme_and_the_guides_is_run_or_has_its_test() -> None:
    """Those with an answer below them are compared with it by test_readme.py. Quotes of Windows say the same."""
    shown = {told(call) for page in RUN_PAGES for call in calls(page) if named(call) is None}
    answered = re.findall(r"^\$ tokensheet (.+)$", PAGES[0].read_text(encoding="utf-8"), re.M)
    known = {told(SHOWN[call]) for call in (*RUN, *SLOW, *ELSEWHERE)}
    assert shown - known - {told(Call("", rest)) for rest in answered} == set()
    assert known - shown == set()
    assert [file for file in ELSEWHERE.values() if not (ROOT / "tests" / file).exists()] == []


def told(call: Call) -> tuple[str, ...]:
    return (call.typed, *call.words())
