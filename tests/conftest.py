"""Fixtures that all tests share: a real LibreOffice, and golden files."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.tools.office import Office, OfficeError, require
from tests.tools.release import built
from tests.tools.sharing import ByFile

GOLDEN = Path(__file__).parent / "golden"
SKIP_OFFICE = "TOKENSHEET_SKIP_OFFICE"

used_key = pytest.StashKey[set[str]]()
unused_key = pytest.StashKey[list[str]]()


class Golden(Protocol):
    """Compares text with a file."""

    def __call__(self, name: str, text: str) -> None:
        """Fail unless `tests/golden/<name>` holds exactly `text`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite golden files and generated pages from what the code says",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[used_key] = set()
    os.environ.setdefault("TOKENSHEET_CONFIG", os.devnull)  # no test sees the settings of a person


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for the office carries its marker, so that `-m "not office"` is complete; all of them are slow."""
    for item in items:
        if "office" in getattr(item, "fixturenames", ()):
            item.add_marker("office")
        if item.get_closest_marker("office"):
            item.add_marker("slow")
    # A slow file that came last would keep one worker busy while the others have nothing left.
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def office() -> Iterator[Office]:
    """One LibreOffice for the whole run; without LibreOffice the test fails, it does not skip."""
    try:
        require()
    except OfficeError as problem:
        if os.environ.get(SKIP_OFFICE) == "1":
            pytest.skip(f"NOT VERIFIED IN A REAL SPREADSHEET: {problem}")
        pytest.fail(f"{problem}; or set {SKIP_OFFICE}=1 to leave these tests out", pytrace=False)
    running = Office()
    yield running
    running.close()


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the project; tests/tools/sharing.py keeps those that ask for it together, so that it is built once."""
    return built(GOLDEN.parents[1], tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare text with `tests/golden/<name>`; `--update-golden` rewrites the file instead."""
    update = request.config.getoption("--update-golden")
    used = request.config.stash[used_key]

    def compare(name: str, text: str) -> None:
        used.add(name)
        path = GOLDEN / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        if not path.exists():
            pytest.fail(f"no golden file {name}; look at the text, then run make goldens", pytrace=False)
        wanted = path.read_text(encoding="utf-8")
        if text != wanted:
            lines = difflib.unified_diff(
                wanted.splitlines(), text.splitlines(), f"tests/golden/{name}", "now", lineterm="", n=1
            )
            change = "\n".join(lines) or "only line ends differ"
            pytest.fail(f"{change}\n\nif this is meant, run make goldens", pytrace=False)

    return compare


# Golden files that no test asked for: known only after a complete run, and with xdist only to the
# controlling process, which collects what each worker used.


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    used = config.stash[used_key]
    if hasattr(config, "workeroutput"):
        config.workeroutput["golden"] = sorted(used)
        return
    if exitstatus == 0 and _complete(config):
        there = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()}
        config.stash[unused_key] = sorted(there - used)
        if config.stash[unused_key]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[used_key].update(getattr(node, "workeroutput", {}).get("golden", ()))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for name in config.stash.get(unused_key, []):
        terminalreporter.write_line(f"FAILED: no test uses tests/golden/{name}; delete it", red=True)


def _complete(config: pytest.Config) -> bool:
    """Whether every test was asked for: no path, no -k, -m, --lf, and no office left out."""
    chosen = ("keyword", "markexpr", "lf", "collectonly", "deselect", "ignore", "ignore_glob")
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return (
        whole and not any(config.getoption(name, None) for name in chosen) and SKIP_OFFICE not in os.environ
    )
