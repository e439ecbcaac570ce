"""The older manifest, in XML: the one that Excel on a Mac takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from xml.sax.saxutils import escape, quoteattr

TEMPLATE = "older_manifest.xml"
SIZES = (16, 32, 80)


@dataclass(frozen=True)
class Told:
    """What a manifest says: who the add-in is, where its files are, and what Excel must have."""

    url: str
    id: str
    version: str
    name: str
    text: str
    about: str
    pane: str
    script: str
    metadata: str
    sets: tuple[tuple[str, str], ...]


def text(told: Told, namespace: str = "") -> str:
    """The manifest; the elements of each part come in the order that Microsoft's schema has.

    Args:
        told: what it says
        namespace: stands before each function with a dot; empty for none
    """
    short = {"Group.Label": told.name, "Button.Label": told.name}
    if namespace:
        short["Functions.Namespace"] = namespace
    urls = {
        "Functions.Script.Url": told.script,
        "Functions.Metadata.Url": told.metadata,
        "Taskpane.Url": told.pane,
    }
    template = files("tokensheet.server").joinpath(TEMPLATE).read_text(encoding="utf-8")
    return template.format(
        id=told.id,
        version=told.version,
        name=escape(told.name),
        text=quoteattr(told.text),
        icon=quoteattr(f"{told.url}/icon-32.png"),
        large=quoteattr(f"{told.url}/icon-64.png"),
        about=quoteattr(told.about),
        url=escape(told.url),
        sets="".join(f'<Set Name="{name}" MinVersion="{least}"/>' for name, least in told.sets),
        pane=quoteattr(told.pane),
        named='<Namespace resid="Functions.Namespace"/>' if namespace else "",
        pictures="".join(f'<bt:Image size="{size}" resid="Icon.{size}"/>' for size in SIZES),
        images=resources("Image", {f"Icon.{size}": f"{told.url}/icon-{size}.png" for size in SIZES}),
        urls=resources("Url", urls),
        short=resources("String", short),
        long=resources("String", {"Button.Text": told.text}),
    )


def resources(kind: str, values: Mapping[str, str]) -> str:
    """Texts and addresses that the rest of a manifest names by id."""
    return "".join(
        f"<bt:{kind} id={quoteattr(name)} DefaultValue={quoteattr(value)}/>" for name, value in values.items()
    )
