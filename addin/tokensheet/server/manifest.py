"""What tells Excel where the add-in is: Microsoft's unified manifest (JSON) and the older one (XML).

Excel on the web takes both; Excel on a Mac takes only the older one.
"""

from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from typing import Any

from tokensheet.server import icons, older_manifest
from tokensheet.server.limits import ServerError
from tokensheet.version import __version__

SCHEMA = "1.30"
NAME, TITLE = "Tokensheet", "Tokensheet: functions that plan LLM inference"
TEXT = "Functions in cells that plan LLM inference: memory, time, throughput and cost."
PANE, SCRIPT, METADATA, ABOUT = "taskpane.html", "functions.js", "functions.json", "about.html"
NAMESPACE = re.compile(r"[A-Za-z][A-Za-z0-9._]{0,31}")
FUNCTIONS_SET, RUNTIME_SET = ("CustomFunctionsRuntime", "1.3"), ("SharedRuntime", "1.1")
"""What Excel must have: the addresses of arguments (for `=WHY(B2)`), a pane in one runtime with the functions."""


def identity(url: str) -> str:
    """Id of the add-in: the same for the same address, another for another."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{url}/tokensheet"))


def version() -> str:
    """Version as Microsoft wants it, three numbers."""
    numbers = [*map(int, re.findall(r"\d+", __version__)), 0, 0, 0][:3]
    return ".".join(map(str, numbers))


def checked(namespace: str) -> str:
    """A namespace that Excel takes.

    Raises:
        ServerError: it does not.
    """
    if namespace and not NAMESPACE.fullmatch(namespace):
        raise ServerError(f"namespace {namespace!r:.40}: give 1 to 32 letters, digits, . and _")
    return namespace.upper()


def unified(url: str, namespace: str = "") -> dict[str, Any]:
    """The manifest in JSON.

    Args:
        url: origin of the server
        namespace: stands before each function with a dot; empty for none
    """
    functions: dict[str, Any] = {"metadataUrl": f"{url}/{METADATA}"}
    if namespace:
        functions["namespace"] = {"id": namespace, "name": namespace}
    images = [{"size": size, "url": f"{url}/icon-{size}.png"} for size in (16, 32, 80)]
    button = {
        "id": "TokensheetButton",
        "type": "button",
        "label": NAME,
        "icons": images,
        "supertip": {"title": NAME, "description": TEXT},
        "actionId": "ShowTaskpane",
    }
    group = {"id": "TokensheetGroup", "label": NAME, "icons": images, "controls": [button]}
    return {
        "$schema": f"https://developer.microsoft.com/json-schemas/teams/v{SCHEMA}/MicrosoftTeams.schema.json",
        "manifestVersion": SCHEMA,
        "version": version(),
        "id": identity(url),
        "name": {"short": NAME, "full": TITLE},
        "description": {"short": TEXT, "full": TEXT},
        "developer": {
            "name": NAME,
            "websiteUrl": f"{url}/{ABOUT}",
            "privacyUrl": f"{url}/{ABOUT}",
            "termsOfUseUrl": f"{url}/{ABOUT}",
        },
        "icons": {"outline": "outline.png", "color": "color.png"},
        "accentColor": "#217346",
        "localizationInfo": {"defaultLanguageTag": "en-us"},
        "validDomains": [url.partition("://")[2]],
        "authorization": {
            "permissions": {"resourceSpecific": [{"name": "Document.ReadWrite.User", "type": "Delegated"}]}
        },
        "extensions": [
            {
                "requirements": {
                    "scopes": ["workbook"],
                    "capabilities": [
                        {"name": name, "minVersion": least} for name, least in (RUNTIME_SET, FUNCTIONS_SET)
                    ],
                },
                "runtimes": [
                    {
                        "id": "SharedRuntime",
                        "type": "general",
                        "lifetime": "long",
                        "code": {"page": f"{url}/{PANE}", "script": f"{url}/{SCRIPT}"},
                        "actions": [{"id": "ShowTaskpane", "type": "openPage", "view": "homeview"}],
                        "customFunctions": functions,
                    }
                ],
                "ribbons": [
                    {"contexts": ["default"], "tabs": [{"builtInTabId": "TabHome", "groups": [group]}]}
                ],
            }
        ],
    }


def _told(url: str) -> older_manifest.Told:
    return older_manifest.Told(
        url=url,
        id=identity(url),
        version=f"{version()}.0",
        name=NAME,
        text=TEXT,
        about=f"{url}/{ABOUT}",
        pane=f"{url}/{PANE}",
        script=f"{url}/{SCRIPT}",
        metadata=f"{url}/{METADATA}",
        sets=(RUNTIME_SET, FUNCTIONS_SET),
    )


def files(url: str, namespace: str = "") -> dict[str, bytes]:
    """All files for an administrator: both manifests, and the package that Microsoft 365 takes."""
    text = json.dumps(unified(url, namespace), indent=2) + "\n"
    parts = {
        "manifest.json": text.encode(),
        "color.png": icons.icon(192),
        "outline.png": icons.outline(),
    }
    return {
        **parts,
        "tokensheet.zip": zipped(parts),
        "manifest.xml": older_manifest.text(_told(url), namespace).encode(),
    }


def zipped(parts: dict[str, bytes]) -> bytes:
    """Files in one; the same bytes each time."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return package.getvalue()
