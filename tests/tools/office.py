"""LibreOffice as the judge of workbooks: one hidden, persistent office that recalculates for real.

LibreOffice believes the values stored in a file. Everything here recalculates all formulas first,
so a wrong stored value cannot pass a test.

The office is driven by a helper process (`office_worker.py`), because its `uno` module belongs to
the system's Python and replaces `__import__` in whatever process loads it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from tokensheet.workbook.finish import CellError

INSTALL = (
    "install LibreOffice, for example: "
    "apt-get install --no-install-recommends libreoffice-calc python3-uno poppler-utils"
)
"""What a person without LibreOffice should do."""

DIST_PACKAGES = "/usr/lib/python3/dist-packages"
"""Where Debian and Ubuntu keep `uno`; appended last, so that it hides nothing."""

Value: TypeAlias = float | str
"""A cell's value: number, text, or `CellError`; TRUE is 1.0 and FALSE is 0.0 (Calc has no booleans).

An error without one counterpart in other programs is as Calc shows it: `CellError("Err:502")`."""

Values: TypeAlias = dict[str, dict[str, Value]]
"""Values by sheet title and address; empty cells are left out."""

Input: TypeAlias = tuple[str, str, float | str | None]
"""An input to set before the recalculation: sheet, address, value (None empties the cell)."""


class OfficeError(RuntimeError):
    """LibreOffice is missing, does not answer or refuses a file."""


class Office:
    """One headless LibreOffice, started when first used and again after a crash.

    Args:
        timeout: seconds that one request may take, start included
        extensions: a folder of unpacked extensions, each in a folder of its own
        environment: variables that the office sees, besides those of this process
    """

    def __init__(
        self,
        timeout: float = 120,
        extensions: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._timeout = timeout
        self._extensions = extensions
        self._more = dict(environment or {})
        self._folder = tempfile.TemporaryDirectory(prefix="tokensheet-office-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[str] | None = None
        self._starts = 0

    def values(self, path: Path | str, sets: Sequence[Input] = ()) -> Values:
        """Every cell of the workbook after setting inputs and recalculating all formulas."""
        with self._copy(path) as copy:
            answer = self._ask({"path": str(copy), "sets": [list(each) for each in sets]})
        return {sheet: {at: _value(raw) for at, raw in cells.items()} for sheet, cells in answer.items()}

    def states(self, path: Path | str, many: Sequence[Sequence[Input]]) -> list[Values]:
        """`values` for several settings of one workbook that is opened once; each starts from the file as it is.

        Sheets without a formula, such as the catalogue's, are left out.
        """
        with self._copy(path) as copy:
            answer = self._ask(
                {"path": str(copy), "states": [[list(each) for each in sets] for sets in many]}
            )
        return [
            {sheet: {at: _value(raw) for at, raw in cells.items()} for sheet, cells in state.items()}
            for state in answer["states"]
        ]

    def typed(
        self,
        formulas: Mapping[str, str],
        values: Mapping[str, float | str] | None = None,
        store: Path | None = None,
        fit: str = "",
    ) -> dict[str, Value]:
        """Every cell of a new sheet after formulas are typed into it; one over `A1:B4` is an array formula.

        Args:
            formulas: text by place, with commas between arguments
            values: numbers and texts of other cells, entered before
            store: file to write the sheet into instead of reading it; nothing is returned then
            fit: columns that are made as wide as their text
        """
        sets = [["Sheet1", place, value] for place, value in (values or {}).items()]
        request: dict[str, Any] = {"sets": sets, "typed": dict(formulas), "fit": list(fit)}
        answer = self._ask(request | ({"store": str(store)} if store else {}))
        return {at: _value(raw) for at, raw in answer.get("Sheet1", {}).items()}

    def seconds(self, path: Path | str) -> float:
        """How long LibreOffice takes to calculate every formula of a workbook again; opening it aside."""
        with self._copy(path) as copy:
            return float(self._ask({"path": str(copy), "time": True})["seconds"])

    def recalculated(self, path: Path | str, out: Path | str, sets: Sequence[Input] = ()) -> Path:
        """The workbook stored again by LibreOffice with its own values; the format is `out`'s suffix."""
        target = Path(out).resolve()
        with self._copy(path) as copy:
            made = copy.with_name("out" + target.suffix)
            self._ask({"path": str(copy), "sets": [list(each) for each in sets], "store": str(made)})
            shutil.move(made, target)
        return target

    def render(self, path: Path | str, outdir: Path | str, dpi: int = 80) -> list[Path]:
        """A picture of every printed page, in order."""
        folder = Path(outdir)
        folder.mkdir(parents=True, exist_ok=True)
        pages = self.recalculated(path, folder / f"{Path(path).stem}.pdf")
        stem = pages.with_suffix("")
        for old in folder.glob(f"{stem.name}-*.png"):
            old.unlink()
        try:
            subprocess.run(["pdftoppm", "-r", str(dpi), "-png", pages, stem], check=True, capture_output=True)
        except FileNotFoundError as problem:
            raise OfficeError(f"no pdftoppm; {INSTALL}") from problem
        return sorted(folder.glob(f"{stem.name}-*.png"), key=lambda page: int(page.stem.rpartition("-")[2]))

    def close(self) -> None:
        """End the office and remove its profile."""
        if self._process is not None:
            assert self._process.stdin
            with suppress(BrokenPipeError):
                self._process.stdin.close()  # the helper ends its office, then itself
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(15)
            self._kill()
        self._folder.cleanup()

    @contextmanager
    def _copy(self, path: Path | str) -> Iterator[Path]:
        """A copy in an own folder: a lock file left beside the original would stop LibreOffice."""
        with tempfile.TemporaryDirectory(dir=self._folder.name) as folder:
            copy = Path(folder) / f"book{Path(path).suffix}"
            shutil.copyfile(path, copy)
            yield copy

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        process = self._process or self._started()
        assert process.stdin and process.stdout
        watch = threading.Timer(self._timeout, self._kill)
        watch.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            watch.cancel()
        if not line:
            self._kill()
            raise OfficeError(f"LibreOffice crashed or took over {self._timeout:g} s: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        if "problem" in answer:
            raise OfficeError(answer["problem"])
        result: dict[str, Any] = answer["result"]
        return result

    def _started(self) -> subprocess.Popen[str]:
        soffice, python = require()
        self._starts += 1
        profile = Path(self._folder.name) / f"profile{self._starts}"
        with self._log().open("w") as log:
            self._process = subprocess.Popen(
                [
                    python,
                    str(Path(__file__).with_name("office_worker.py")),
                    soffice,
                    str(profile),
                    f"{self._timeout:g}",
                    str(self._extensions or ""),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
                env=_environment(python) | self._more,
                start_new_session=True,
            )
        return self._process

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # the helper's own group: it and its office
        process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(BrokenPipeError):
                if stream:
                    stream.close()

    def _log(self) -> Path:
        return Path(self._folder.name) / "log.txt"

    def _last_words(self) -> str:
        text = self._log().read_text(errors="replace") if self._log().exists() else ""
        return " | ".join(text.strip().splitlines()[-3:]) or "it said nothing"


def main() -> int:
    """Say what is missing on this machine; 0 when nothing is."""
    try:
        require()
        if shutil.which("pdftoppm") is None:
            raise OfficeError(f"no pdftoppm; {INSTALL}")
    except OfficeError as problem:
        print(f"{problem}; or set TOKENSHEET_SKIP_OFFICE=1 to leave these tests out", file=sys.stderr)
        return 1
    return 0


@cache
def require() -> tuple[str, str]:
    """The `soffice` program and a Python that can import its `uno`.

    Raises:
        OfficeError: one of them is missing; says how to install it.
    """
    soffice = shutil.which("soffice") or shutil.which("libreoffice")
    if soffice is None:
        raise OfficeError(f"no soffice on the path; {INSTALL}")
    beside = Path(soffice).resolve().with_name("python")  # LibreOffice's own builds bring one
    for python in (sys.executable, "/usr/bin/python3", str(beside), shutil.which("python3")):
        if python and Path(python).exists() and _imports_uno(python):
            return soffice, python
    raise OfficeError(f"no Python that can import uno; {INSTALL}")


def _imports_uno(python: str) -> bool:
    tried = subprocess.run(
        [python, "-c", "import uno; uno.getComponentContext()"],
        env=_environment(python),
        capture_output=True,
        timeout=60,
    )
    return tried.returncode == 0


def _environment(python: str) -> dict[str, str]:
    """The environment of the helper: plain locale, no leftovers of uno, the place of uno for a venv."""
    dropped = {"URE_BOOTSTRAP", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONWARNINGS"}
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    kept |= {"LC_ALL": "C.UTF-8", "SAL_USE_VCLPLUGIN": "svp"}
    if python == sys.executable and Path(DIST_PACKAGES, "uno.py").exists():
        kept["PYTHONPATH"] = DIST_PACKAGES
    return kept


def _value(raw: Any) -> Value:
    if isinstance(raw, dict):
        return CellError(raw["error"])
    return raw if isinstance(raw, str) else float(raw)


if __name__ == "__main__":
    sys.exit(main())
