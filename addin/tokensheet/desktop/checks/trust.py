"""What Excel's trust settings and an administrator's policies allow."""

from __future__ import annotations

from collections.abc import Iterator

from tokensheet.desktop.excel import EXCEL, FILE, POLICY, SECURITY, Excel
from tokensheet.desktop.findings import ERROR, INFO, INSTALL, WARNING, Finding
from tokensheet.desktop.machine import USER

ASK_ADMINISTRATOR = "ask the administrator for the trusted location of docs/guide/administrators.md"
LOCATIONS = r"\Security\Trusted Locations"
DISABLED = r"\Resiliency\DisabledItems"
MACRO_SETTINGS = "File > Options > Trust Center > Macro Settings"


def checks(excel: Excel) -> Iterator[Finding]:
    """Everything that keeps a good add-in from running."""
    yield from macros(excel)
    yield from policies(excel)
    yield from marked(excel)
    yield from disabled(excel)


def macros(excel: Excel) -> Iterator[Finding]:
    """The macro setting, and access to the VBA project, which only xlwings' own import needs."""
    value, place = excel.setting(SECURITY, "VBAWarnings")
    mend = ASK_ADMINISTRATOR if POLICY in place else f"choose another setting in {MACRO_SETTINGS}"
    if value == 4:
        yield Finding(
            "macros-off", ERROR, rf"macros are off without notice (VBAWarnings is 4 in {place})", mend
        )
    if value == 3:
        yield Finding("macros-signed", ERROR, rf"only signed macros run (VBAWarnings is 3 in {place})", mend)
    value, place = excel.setting(SECURITY, "AccessVBOM")
    if value != 1:
        yield Finding(
            "no-project-access",
            INFO,
            "Excel does not trust access to the VBA project: only xlwings' 'Import Functions' needs it, this add-in does not",
        )


def policies(excel: Excel) -> Iterator[Finding]:
    """An administrator's rules."""
    values = excel.machine.registry.values(USER, POLICY + SECURITY)
    if values.get("blockcontentexecutionfrominternet") == 1 and excel.is_marked:
        yield Finding(
            "internet-macros-blocked",
            ERROR,
            rf"a policy blocks macros of files from the internet ({USER}\{POLICY}{SECURITY})",
            INSTALL,
        )
    if excel.setting(SECURITY, "RequireAddinSig")[0] == 1:
        yield Finding(
            "addins-signed", ERROR, "add-ins must be signed (RequireAddinSig is 1)", ASK_ADMINISTRATOR
        )
    if excel.setting(LOCATIONS, "AllLocationsDisabled")[0] == 1:
        yield Finding(
            "no-trusted-locations",
            WARNING,
            "trusted locations are off (AllLocationsDisabled is 1): the add-in runs only as the macro settings allow",
            ASK_ADMINISTRATOR,
        )
    place = excel.addin_path
    network = excel.setting(LOCATIONS, "AllowNetworkLocations")[0] == 1
    if place.startswith("\\\\") and not network:
        yield Finding(
            "network-location",
            WARNING,
            f"{place} is on the network, where trusted locations are not allowed (AllowNetworkLocations)",
            ASK_ADMINISTRATOR,
        )


def marked(excel: Excel) -> Iterator[Finding]:
    """The mark of the web: Excel opens the file without its macros and offers no button."""
    if excel.is_marked:
        path = excel.addin_path
        yield Finding(
            "marked", ERROR, f"{path} is marked as from the internet", f"Unblock-File '{path}', or {INSTALL}"
        )


def disabled(excel: Excel) -> Iterator[Finding]:
    """Excel keeps a list of what it blames for a crash."""
    for place in (EXCEL + DISABLED, POLICY + r"\Resiliency\AddinList"):
        for name, data in excel.machine.registry.values(USER, place).items():
            text = data.decode("utf-16-le", "ignore") if isinstance(data, bytes) else f"{name} {data}"
            blamed = isinstance(data, bytes) or str(data) == "0"
            if FILE in text.lower() and blamed:
                yield Finding(
                    "disabled",
                    ERROR,
                    rf"Excel has disabled the add-in ({USER}\{place})",
                    "enable it in File > Options > Add-ins > Manage: Disabled Items",
                )
