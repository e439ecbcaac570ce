"""The part that runs inside LibreOffice, over stand-ins for UNO: its process ends, starts again, or never starts."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tokensheet.calc import extension
from tokensheet.functions import Functions

KV_BYTES = 10737418240.0
QUESTION = ("KV_BYTES", ["llama-2-70b", 4096.0, 8.0])


class Helper:
    """UNO's register of components."""

    def addImplementation(self, *_: Any) -> None:
        """Nothing."""


class RefusalError(Exception):
    """UNO's IllegalArgumentException."""


@pytest.fixture
def component(functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The component as it lies in the extension, loaded outside LibreOffice."""
    for name in ("unohelper", "com", "com.sun", "com.sun.star", "com.sun.star.lang", "org", "org.tokensheet"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules["unohelper"].__dict__.update(Base=type("Base", (), {}), ImplementationHelper=Helper)
    sys.modules["com.sun.star.lang"].__dict__.update(IllegalArgumentException=RefusalError)
    sys.modules["org.tokensheet"].__dict__.update(XFunctions=type("XFunctions", (), {}))
    monkeypatch.delenv("TOKENSHEET_PYTHON", raising=False)
    for name, content in extension.contents(functions, sys.executable).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path / "pythonpath")
    monkeypatch.delitem(sys.modules, "tokensheet_process", raising=False)
    spec = importlib.util.spec_from_file_location("tokensheet_component", tmp_path / extension.COMPONENT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.process = sys.modules.pop("tokensheet_process")
    yield module
    if module.PYTHON.process:
        module.PYTHON._end(module.PYTHON.process)


def test_each_function_is_a_method(component: Any, functions: Functions) -> None:
    calc = component.Functions(None)
    assert calc.KV_BYTES("llama-2-70b", 4096.0, 8.0, None) == ((KV_BYTES,),)
    assert calc.TS_OPTIONS("tp", (4.0, "pp", 2.0)) == (("tp=4.0; pp=2.0",),)
    assert calc.WHY("kv_bytes", ()) == calc.WHY("kv_bytes", None)
    assert all(hasattr(calc, name) for name in functions.table)


@pytest.mark.slow
def test_a_process_that_ended_is_started_again(component: Any) -> None:
    """Nobody has to start LibreOffice anew because of it."""
    assert component.PYTHON.ask(*QUESTION) == [[KV_BYTES]]
    first = component.PYTHON.process
    first.kill()
    first.wait()
    assert component.PYTHON.ask(*QUESTION) == [[KV_BYTES]]
    assert component.PYTHON.process.pid != first.pid


def test_one_process_answers_everything(component: Any) -> None:
    component.PYTHON.ask(*QUESTION)
    first = component.PYTHON.process.pid
    for _ in range(100):
        component.PYTHON.ask(*QUESTION)
    assert component.PYTHON.process.pid == first


def test_a_python_that_never_answers_is_not_started_for_each_cell(
    component: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet with ten thousand cells would start ten thousand processes; after a while it is tried again."""
    broken = tmp_path / "python"
    broken.write_text(f"#!/bin/sh\necho x >> {tmp_path}/starts\necho 'no tokensheet here' >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("TOKENSHEET_PYTHON", str(broken))
    for _ in range(20):
        with pytest.raises(
            component.NoAnswerError, match=r"python ended: no tokensheet here; run 'tokensheet doctor'"
        ):
            component.PYTHON.ask(*QUESTION)
    assert (tmp_path / "starts").read_text() == "x\n"
    monkeypatch.setattr(component.process, "SECONDS_BETWEEN_STARTS", 0)
    monkeypatch.delenv("TOKENSHEET_PYTHON")
    assert component.PYTHON.ask(*QUESTION) == [[KV_BYTES]]


def test_why_python_does_not_answer(component: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENSHEET_PYTHON", "/gone/python")
    calc = component.Functions(None)
    with pytest.raises(RefusalError, match=r"/gone/python: No such file or directory; run 'tokensheet addin"):
        calc.KV_BYTES("llama-2-70b", 4096.0, None, None)
    ((reason,),) = calc.WHY("kv_bytes", ("llama-2-70b", 4096.0))
    assert reason.startswith("/gone/python: No such file")


def test_libreoffices_own_python_is_not_passed_on(component: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sets these for itself; another Python would not start with them."""
    monkeypatch.setenv("PYTHONHOME", "/opt/libreoffice")
    monkeypatch.setenv("PYTHONPATH", "/opt/libreoffice/program")
    assert component.PYTHON.ask(*QUESTION) == [[KV_BYTES]]


@pytest.mark.parametrize("code", ["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"])
def test_an_error_value_goes_both_ways(component: Any, code: str) -> None:
    number = component.to_calc({"error": code, "reason": "any"})
    assert math.isnan(number)
    assert component.to_python(((1.0, number), ("a", None))) == [[1.0, {"error": code}], ["a", None]]


def test_errors_of_another_kind_are_wrong_values(component: Any) -> None:
    assert component.code_of(component.error_value("#SPILL!")) == "#VALUE!"
    assert component.code_of(math.nan) == "#VALUE!"
