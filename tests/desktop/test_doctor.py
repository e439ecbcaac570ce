"""Each fault that keeps functions from answering, planted in a healthy machine: told, with what mends it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.desktop.conftest import HEALTHY, PYTHON, XLWINGS, Planted
from tokensheet.cli.doctor import doctor
from tokensheet.desktop import conf
from tokensheet.desktop.excel import ADDIN, CONF, EXCEL, POLICY
from tokensheet.desktop.findings import ERROR, INFO, WARNING

SECURITY = r"\Security"
ZONE = f"{ADDIN}:Zone.Identifier"
FOLDERS = r"Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders"


def test_a_healthy_machine_has_nothing_to_tell(planted: Planted) -> None:
    """A check that is never content would be switched off in the head of the reader."""
    report = planted.report()
    assert report.findings == [] and not report.failed
    assert report.facts["Excel starts"] == PYTHON


def missing_package(p: Planted) -> None:
    p.here["packages"]["pydantic"] = ""


def failed_plugin(p: Planted) -> None:
    p.here["problems"] = ["plugin acme 1.0: ImportError: no module named acme_core"]


def shared_files(p: Planted) -> None:
    p.here["shared"] = [
        "a and b both own x/__init__.py; removing one breaks the other: rename the package of one"
    ]


def plugin_from_two(p: Planted) -> None:
    p.here["plugins"] += [
        {"name": f"{d}:gpus", "distribution": d, "version": "1", "state": "loaded"} for d in ("acme", "bcme")
    ]
    p.answers[PYTHON] = p.here


def other_version(p: Planted) -> None:
    p.answers[PYTHON] = {**p.answers[PYTHON], "version": "0.0.1"}


def plugin_elsewhere(p: Planted) -> None:
    p.here["plugins"].append({"name": "acme", "distribution": "acme-gpus", "version": "1", "state": "loaded"})


def not_in_excel(p: Planted) -> None:
    p.answers[PYTHON] = {"failed": "ModuleNotFoundError: No module named 'tokensheet'"}


def without_pywin32(p: Planted) -> None:
    p.answers[PYTHON]["packages"]["pywin32"] = ""  # type: ignore[index]


def upgraded_xlwings(p: Planted) -> None:
    p.answers[PYTHON]["packages"]["xlwings"] = "0.37.9"  # type: ignore[index]
    p.put(r"C:\py\venv\xlwings64-0.37.9.dll")


def library_gone(p: Planted) -> None:
    p.remove(rf"C:\py\venv\xlwings64-{XLWINGS}.dll")
    p.put(r"C:\py\venv\xlwings64-0.30.1.dll")


def new_function(p: Planted) -> None:
    p.answers[PYTHON] = {**p.answers[PYTHON], "functions": [*p.here["functions"], "ACME_BYTES"]}


def function_gone(p: Planted) -> None:
    p.answers[PYTHON] = {
        **p.answers[PYTHON],
        "functions": [f for f in p.here["functions"] if f != "KV_BYTES"],
    }


def conda(p: Planted) -> None:
    p.settings(INTERPRETER_WIN=None, **{"CONDA PATH": r"C:\conda", "CONDA ENV": "plan"})


def conda_without_environment(p: Planted) -> None:
    conda(p)
    p.put(r"C:\conda\condabin\conda.bat")


def of_conda(p: Planted) -> None:
    p.put(r"C:\py\venv\conda-meta\history")


def blamed(p: Planted) -> None:
    path = r"c:\users\ann\appdata\roaming\microsoft\excel\xlstart\tokensheet.xlam"
    p.registry(EXCEL + r"\Resiliency\DisabledItems", **{"1A2B3C": b"\0\0\x10\0" + path.encode("utf-16-le")})


def marked(p: Planted) -> None:
    p.put(ZONE, "[ZoneTransfer]\nZoneId=3\n")


def marked_and_blocked(p: Planted) -> None:
    marked(p)
    p.registry(POLICY + SECURITY, blockcontentexecutionfrominternet=1)


def onedrive_python(p: Planted) -> None:
    path = r"C:\Users\ann\OneDrive\py\Scripts\python.exe"
    p.put(path)
    p.put(rf"C:\Users\ann\OneDrive\py\xlwings64-{XLWINGS}.dll")
    p.settings(INTERPRETER_WIN=path)
    p.answers[path] = p.answers[PYTHON]


def documents(p: Planted) -> None:
    p.registry(FOLDERS, Personal=r"%USERPROFILE%\OneDrive\Documents")
    p.settings(ADD_WORKBOOK_TO_PYTHONPATH=None)


def shadowed(p: Planted) -> None:
    p.put(r"C:\plans\tokensheet.py")
    p.settings(PYTHONPATH=r"C:\other;C:\plans")


def letters(p: Planted) -> None:
    p.put("%USERPROFILE%\\.tokensheet\\tokensheet.conf", b'"INTERPRETER_WIN","C:\\\x81\x8d\\python.exe"\n')


def no_extension_python(p: Planted) -> None:
    p.environment["TOKENSHEET_PYTHON"] = r"C:\gone\python.exe"


def new_version(p: Planted) -> None:
    p.here["version"] = "9.9.9"
    p.answers[PYTHON] = p.here


FAULTS: list[tuple[Callable[[Planted], object], str, str, str, str]] = [
    # fault, check, level, in the text, in what mends it
    (missing_package, "package-missing", ERROR, "this Python has no pydantic", f"{PYTHON} -m pip install pydantic"),
    (failed_plugin, "plugin-problem", ERROR, "plugin acme 1.0: ImportError", "tokensheet plugins"),
    (shared_files, "duplicate-files", WARNING, "both own x/__init__.py; removing one", ""),
    (plugin_from_two, "plugin-twice", WARNING, "plugin gpus comes from acme and bcme", "disable = [...]"),
    (lambda p: p.environment.update(PYTHONPATH=r"C:\x"), "python-variable", WARNING, r"PYTHONPATH is C:\x", "unset"),
    (lambda p: p.remove(PYTHON), "interpreter-missing", ERROR, f"{PYTHON} is not there", "addin install excel"),
    (lambda p: p.settings(INTERPRETER_WIN=None), "interpreter-unknown", WARNING, "'pythonw' from the search path",
     "INTERPRETER_WIN"),
    (lambda p: p.settings(INTERPRETER_WIN=r"C:\Users\ann\AppData\Local\Microsoft\WindowsApps\python.exe"),
     "interpreter-store", ERROR, "Microsoft Store's stub", "addin install"),
    (not_in_excel, "interpreter-fails", ERROR, "No module named 'tokensheet'", "-m pip install tokensheet[excel]"),
    (without_pywin32, "excel-package-missing", ERROR, "the Python of Excel has no pywin32", "tokensheet[excel]"),
    (other_version, "version-differs", WARNING, "Excel uses tokensheet 0.0.1", "pip install tokensheet=="),
    (plugin_elsewhere, "plugin-not-in-excel", WARNING, "plugin acme is here and not in", "pip install acme-gpus"),
    (library_gone, "library-missing", ERROR, f"xlwings64-{XLWINGS}.dll is neither beside", "--force-reinstall"),
    (conda, "conda-missing", ERROR, r"C:\conda\condabin\conda.bat is not there", "conda's folder"),
    (conda_without_environment, "interpreter-missing", ERROR, r"the environment C:\conda\envs\plan", "install"),
    (lambda p: p.remove(ADDIN), "addin-missing", ERROR, r"XLSTART\tokensheet.xlam is not there", "addin install excel"),
    (lambda p: p.put(ADDIN, "no workbook"), "addin-broken", ERROR, "is no add-in of this program", "addin install"),
    (upgraded_xlwings, "addin-version", ERROR, f"built for xlwings {XLWINGS}, the Python of Excel has 0.37.9",
     "addin install"),
    (new_function, "addin-functions", WARNING, "ACME_BYTES: not in the add-in", "addin install"),
    (function_gone, "addin-functions", WARNING, "KV_BYTES: in the add-in and answered by nobody", "addin install"),
    (lambda p: p.registry(EXCEL + r"\Options", OPEN1=r'/R "C:\dl\tokensheet.xlam"'), "addin-twice", WARNING,
     r"listed as C:\dl", "untick"),
    (lambda p: p.registry(EXCEL + r"\Add-in Manager", **{r"C:\dl\tokensheet.xlam": ""}), "addin-twice", WARNING,
     r"listed as c:\dl", "untick"),
    (onedrive_python, "onedrive", WARNING, "the Python of Excel lies in OneDrive", "Always keep"),
    (blamed, "disabled", ERROR, "Excel has disabled the add-in", "Disabled Items"),
    (lambda p: p.registry(POLICY + r"\Resiliency\AddinList", **{"tokensheet.xlam": "0"}), "disabled", ERROR,
     "AddinList", "Disabled Items"),
    (lambda p: p.registry(EXCEL + SECURITY, VBAWarnings=4), "macros-off", ERROR, "VBAWarnings is 4", "Macro Settings"),
    (lambda p: p.registry(POLICY + SECURITY, vbawarnings=4), "macros-off", ERROR, "Policies", "administrator"),
    (lambda p: p.registry(EXCEL + SECURITY, VBAWarnings=3), "macros-signed", ERROR, "only signed", "Macro Settings"),
    (lambda p: p.registry(EXCEL + SECURITY, AccessVBOM=0), "no-project-access", INFO, "this add-in does not", ""),
    (lambda p: p.registry(POLICY + SECURITY, RequireAddinSig=1), "addins-signed", ERROR, "signed", "administrator"),
    (lambda p: p.registry(POLICY + r"\Security\Trusted Locations", AllLocationsDisabled=1), "no-trusted-locations",
     WARNING, "AllLocationsDisabled", "administrator"),
    (lambda p: p.environment.update(APPDATA=r"\\files\ann\AppData"), "network-location", WARNING, r"\\files\ann",
     "administrator"),
    (marked, "marked", ERROR, "marked as from the internet", "Unblock-File"),
    (marked_and_blocked, "internet-macros-blocked", ERROR, "a policy blocks macros", "addin install"),
    (lambda p: p.settings(INTERPRETER_WIN=None, **{"UDF MODULES": None, "ADD_WORKBOOK_TO_PYTHONPATH": None}),
     "settings-missing", ERROR, r"C:\Users\ann\.tokensheet\tokensheet.conf is not there", "addin install"),
    (lambda p: p.settings(UDF_MODULES="x"), "key-spelling", ERROR, "UDF_MODULES is not read", "UDF MODULES"),
    (lambda p: p.settings(CONDA_ENV="x"), "key-spelling", ERROR, "CONDA_ENV is not read", "CONDA ENV"),
    (lambda p: p.settings(**{"INTERPRETER WIN": "x"}), "key-spelling", ERROR, "INTERPRETER WIN", "INTERPRETER_WIN"),
    (lambda p: p.settings(INTERPRETOR_WIN="x"), "key-unknown", WARNING, "INTERPRETOR_WIN", "INTERPRETER_WIN"),
    (lambda p: p.settings(**{"DEBUG UDFS": "Faux"}), "switch", ERROR, 'DEBUG UDFS is "Faux"', "write False"),
    (lambda p: p.settings(**{"SHOW CONSOLE": "WAHR"}), "switch", ERROR, "only True and False", "write True"),
    (lambda p: p.settings(**{"USE UDF SERVER": "maybe"}), "switch", ERROR, '"maybe"', "write True or False"),
    (lambda p: p.settings(**{"DEBUG UDFS": "True"}), "debug", ERROR, "wait for a debugger", "False"),
    (lambda p: p.settings(**{"SHOW CONSOLE": "True"}), "console", INFO, "black window", ""),
    (lambda p: p.settings(**{"UDF MODULES": "mine"}), "modules", WARNING, "does not name tokensheet.udf", "install"),
    (shadowed, "shadow", ERROR, r"C:\plans\tokensheet.py hides", "rename"),
    (documents, "documents-redirected", WARNING, "Documents lies in OneDrive", "ADD_WORKBOOK_TO_PYTHONPATH to False"),
    (lambda p: p.settings(ADD_WORKBOOK_TO_PYTHONPATH=None), "workbook-folder", INFO, "workbook's folder", "False"),
    (letters, "characters", ERROR, "code page cp1252", "plain letters"),
    (no_extension_python, "extension-python", ERROR, r"C:\gone\python.exe", "addin install libreoffice"),
    (of_conda, "conda-not-activated", WARNING, "of a conda environment that is not activated", "made by venv"),
    (lambda p: p.processes.update({12: "python.exe -B -c import xlwings; xlwings.serve('{1}')", 7: "python x.py"}),
     "server-running", INFO, "Excel's Python runs (process 12)", "Task Manager"),
    (lambda p: p.put(r"%APPDATA%\Microsoft\Excel\XLSTART\tokensheet.conf", p.machine.file(CONF).read_bytes()),
     "settings-in-startup", WARNING, "Excel opens every file", r".tokensheet\tokensheet.conf"),
    (new_version, "extension-old", WARNING, "is of version 0.", "addin install libreoffice"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "check", "level", "text", "mend"),
    FAULTS,
    ids=[f"{i:02}-{f[1]}" for i, f in enumerate(FAULTS, 1)],
)
@pytest.mark.slow
def test_a_planted_fault_is_told(
    planted: Planted, fault: Callable[[Planted], object], check: str, level: str, text: str, mend: str
) -> None:
    """By its name, at its level, with the place and the one line that mends it."""
    fault(planted)
    if check == "settings-missing":
        planted.put(r"%USERPROFILE%\.tokensheet\tokensheet.conf", "")
    found = planted.findings()
    assert check in found, list(found)
    finding = found[check]
    assert finding.level == level
    assert text in finding.text and mend in finding.mend
    assert "\n" not in finding.line
    assert planted.report().failed == any(f.level == ERROR for f in found.values())


HARMLESS: list[Callable[[Planted], object]] = [
    lambda p: p.put(ZONE, "[ZoneTransfer]\nZoneId=1\n"),
    lambda p: p.registry(POLICY + SECURITY, blockcontentexecutionfrominternet=1),
    lambda p: p.registry(EXCEL + SECURITY, VBAWarnings=1),
    lambda p: p.registry(EXCEL + r"\Options", OPEN=r'/R "C:\dl\solver.xlam"'),
    lambda p: p.registry(EXCEL + r"\Resiliency\DisabledItems", x=r"c:\dl\solver.xlam".encode("utf-16-le")),
    lambda p: p.registry(FOLDERS, Personal=r"%USERPROFILE%\OneDrive\Documents"),
    lambda p: p.settings(PYTHONPATH=r"C:\other", LICENSE_KEY="", **{"TEMP DIR": r"C:\t"}),
    lambda p: p.settings(**{"USE UDF SERVER": "false", "DEBUG UDFS": ""}),
]


@pytest.mark.parametrize("change", HARMLESS)
def test_what_does_no_harm_is_not_told(planted: Planted, change: Callable[[Planted], object]) -> None:
    change(planted)
    assert planted.findings() == {}


def test_an_add_in_of_an_administrator(planted: Planted, built: bytes) -> None:
    """In a trusted folder and on Excel's list, not in the person's start folder; its faults are told as well."""
    planted.remove(ADDIN)
    place = r"C:\Program Files\Tokensheet\addin\tokensheet.xlam"
    planted.registry(EXCEL + r"\Options", OPEN=f'/R "{place}"')
    assert planted.findings()["addin-missing"].text == f"{place} is not there"
    planted.put(place, built)
    report = planted.report()
    assert report.findings == [] and report.facts["add-in"] == place
    beside = r"C:\Program Files\Tokensheet\addin\tokensheet.conf"
    other = r"C:\Program Files\Tokensheet\Scripts\pythonw.exe"
    planted.put(beside, conf.written({**HEALTHY, conf.INTERPRETER: other}))
    assert planted.findings()["interpreter-missing"].text == f"{other} is not there"
    planted.machine.file(beside).unlink()
    planted.put(f"{place}:Zone.Identifier", "[ZoneTransfer]\nZoneId=3\n")
    assert place in planted.findings()["marked"].text


def test_a_policy_is_stronger_than_the_persons_choice(planted: Planted) -> None:
    planted.registry(EXCEL + SECURITY, VBAWarnings=1)
    planted.registry(POLICY + SECURITY, VBAWarnings=3)
    assert "Policies" in planted.findings()["macros-signed"].text


def test_the_first_line_of_a_key_holds(planted: Planted) -> None:
    """As VBA reads the file."""
    planted.put(
        r"%USERPROFILE%\.tokensheet\tokensheet.conf",
        f'"INTERPRETER_WIN","{PYTHON}"\n"interpreter_win","C:\\gone.exe"\n'
        '"UDF MODULES","tokensheet.udf.functions"\n"ADD_WORKBOOK_TO_PYTHONPATH","False"\n',
    )
    assert planted.findings() == {}


def test_a_conda_environment_that_is_whole(planted: Planted) -> None:
    conda(planted)
    home = r"C:\conda\envs\plan"
    for path in (r"C:\conda\condabin\conda.bat", rf"{home}\python.exe", rf"{home}\xlwings64-{XLWINGS}.dll"):
        planted.put(path)
    planted.answers[rf"{home}\python.exe"] = planted.answers[PYTHON]
    assert planted.findings() == {}


def test_errors_come_first_and_each_once(planted: Planted) -> None:
    planted.settings(**{"SHOW CONSOLE": "True", "DEBUG UDFS": "True", "UDF MODULES": "x"})
    levels = [finding.level for finding in planted.report().findings]
    assert levels == [ERROR, WARNING, INFO]


def test_elsewhere_only_python_and_libreoffice_are_looked_at(planted: Planted) -> None:
    planted.system = "linux"
    planted.remove(ADDIN)
    assert set(planted.findings()) == {"extension-missing"}


def test_the_command_ends_with_1_on_an_error(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tokensheet.desktop.machine.this_machine", lambda: planted.machine)
    monkeypatch.setattr("tokensheet.desktop.inside.seen", lambda: planted.here)
    good = CliRunner().invoke(doctor)
    assert good.exit_code == 0 and good.output.endswith("nothing stands in the way\n")
    planted.remove(ADDIN)
    bad = CliRunner().invoke(doctor)
    assert bad.exit_code == 1 and "\nerror: " in bad.output
    told = json.loads(CliRunner().invoke(doctor, ["--json"]).output)
    assert told["findings"] == [
        {
            "check": "addin-missing",
            "level": "error",
            "text": r"C:\Users\ann\AppData\Roaming\Microsoft\Excel\XLSTART\tokensheet.xlam is not there",
            "mend": "run 'tokensheet addin install excel'",
        }
    ]
    assert told["facts"]["interpreter"] == PYTHON
