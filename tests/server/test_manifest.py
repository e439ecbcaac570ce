"""The files that tell Excel where the server is."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tokensheet.cli.server import server as command
from tokensheet.functions import Functions
from tokensheet.server import icons, manifest
from tokensheet.server.limits import Limits, ServerError
from tokensheet.server.running import pages

URL = "https://planning.example:8443"

# Microsoft's schemas want the parts of an element in this order, each at most once where not marked.
ORDER = {
    "OfficeApp": (
        "Id",
        "Version",
        "ProviderName",
        "DefaultLocale",
        "DisplayName",
        "Description",
        "IconUrl",
        "HighResolutionIconUrl",
        "SupportUrl",
        "AppDomains",
        "Hosts",
        "Requirements",
        "DefaultSettings",
        "Permissions",
        "VersionOverrides",
    ),
    "VersionOverrides": ("Description", "Requirements", "Hosts", "Resources"),
    "Host": ("Runtimes", "AllFormFactors", "DesktopFormFactor"),
    "DesktopFormFactor": ("GetStarted", "FunctionFile", "ExtensionPoint"),
    "Group": ("Label", "Icon", "Control"),
    "Control": ("Label", "Supertip", "Icon", "Action"),
    "Supertip": ("Title", "Description"),
    "Action": ("TaskpaneId", "SourceLocation", "Title"),
    "Resources": ("Images", "Urls", "ShortStrings", "LongStrings"),
}
FUNCTIONS_ORDER = ("Script", "Page", "Metadata", "Namespace")


def tag(element: ElementTree.Element) -> str:
    return element.tag.partition("}")[2]


def parsed(namespace: str = "") -> ElementTree.Element:
    return ElementTree.fromstring(manifest.files(URL, namespace)["manifest.xml"])


def wrong_order(root: ElementTree.Element) -> list[str]:
    """Elements whose parts are not in Microsoft's order."""
    found = []
    for element in root.iter():
        names = [tag(part) for part in element]
        kind = str(element.get("{http://www.w3.org/2001/XMLSchema-instance}type"))
        order = FUNCTIONS_ORDER if kind == "CustomFunctions" else ORDER.get(tag(element))
        if order and [name for name in order if name in names] != names:
            found.append(f"{tag(element)}: {names}")
    return found


@pytest.mark.parametrize("namespace", ["", "TS"])
def test_elements_come_in_microsofts_order(namespace: str) -> None:
    assert wrong_order(parsed(namespace)) == []


def test_the_test_of_the_order_can_fail() -> None:
    root = parsed()
    (control,) = [e for e in root.iter() if tag(e) == "Control"]
    control.insert(0, control[-1])
    assert [text.split(":")[0] for text in wrong_order(root)] == ["Control"]


def test_every_resource_is_there_and_short_enough() -> None:
    root = parsed("TS")
    known = {e.get("id"): str(e.get("DefaultValue")) for e in root.iter() if e.get("id") in _ids(root)}
    used = {str(e.get("resid")) for e in root.iter() if e.get("resid")}
    assert used == known.keys()
    assert all(len(name) <= 32 for name in used)
    for element in root.iter():
        limit = {"ShortStrings": 125, "LongStrings": 250}.get(tag(element), 2048)
        assert all(len(str(part.get("DefaultValue", ""))) <= limit for part in element)


def _ids(root: ElementTree.Element) -> set[str]:
    (resources,) = [e for e in root.iter() if tag(e) == "Resources"]
    return {str(e.get("id")) for e in resources.iter() if e.get("id")}


def test_both_name_files_that_the_server_has(functions: Functions) -> None:
    served = pages(functions, Limits())
    files = manifest.files(URL)
    for text in (files["manifest.json"].decode(), files["manifest.xml"].decode()):
        named = {part.split('"')[0].split("<")[0] for part in text.split(f"{URL}/")[1:]}
        assert named and named <= served.keys()


def test_both_are_about_the_same_add_in() -> None:
    told = json.loads(manifest.files(URL)["manifest.json"])
    root = parsed()
    by_tag = {tag(e): e for e in root}
    assert by_tag["Id"].text == told["id"] and by_tag["Version"].text == f"{told['version']}.0"
    sets = {e.get("Name"): e.get("MinVersion") for e in root.iter() if tag(e) == "Set"}
    (extension,) = told["extensions"]
    assert sets == {c["name"]: c["minVersion"] for c in extension["requirements"]["capabilities"]}
    (runtime,) = extension["runtimes"]
    assert runtime["lifetime"] == "long" and runtime["customFunctions"]["metadataUrl"].startswith(URL)


def test_functions_have_their_own_names_unless_a_namespace_is_asked_for() -> None:
    """`=KV_BYTES(…)` as everywhere; with a namespace `=TS.KV_BYTES(…)`."""
    plain = json.loads(manifest.files(URL)["manifest.json"])
    spaced = json.loads(manifest.files(URL, "TS")["manifest.json"])
    functions = [m["extensions"][0]["runtimes"][0]["customFunctions"] for m in (plain, spaced)]
    assert "namespace" not in functions[0] and functions[1]["namespace"] == {"id": "TS", "name": "TS"}
    assert not [e for e in parsed().iter() if tag(e) == "Namespace"]
    assert [e for e in parsed("TS").iter() if tag(e) == "Namespace"]


def test_the_same_address_gives_the_same_bytes_and_another_another_id() -> None:
    assert manifest.files(URL, "TS") == manifest.files(URL, "TS")
    assert manifest.identity(URL) != manifest.identity("https://planning.example")


def test_texts_keep_to_microsofts_limits() -> None:
    told = manifest.unified(URL)
    assert len(told["name"]["short"]) <= 30 and len(told["name"]["full"]) <= 100
    assert len(told["description"]["short"]) <= 80


def test_the_package_holds_manifest_and_icons() -> None:
    files = manifest.files(URL)
    with zipfile.ZipFile(io.BytesIO(files["tokensheet.zip"])) as package:
        assert sorted(package.namelist()) == ["color.png", "manifest.json", "outline.png"]
        assert package.read("manifest.json") == files["manifest.json"]


@pytest.mark.parametrize("namespace", ["1A", "A B", "Ä", "A" * 33, "A-B"])
def test_a_namespace_that_excel_does_not_take(namespace: str) -> None:
    with pytest.raises(ServerError, match="namespace"):
        manifest.checked(namespace)


@pytest.mark.parametrize("size", [*icons.SIZES, 192])
def test_icons_are_pictures(size: int) -> None:
    for found in (icons.icon(size), icons.outline(size)):
        assert found.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", found[16:24]) == (size, size)
        start = found.index(b"IDAT")
        (length,) = struct.unpack(">I", found[start - 4 : start])
        pixels = zlib.decompress(found[start + 4 : start + 4 + length])
        assert len(pixels) == size * (4 * size + 1)
        assert bytes(icons.WHITE) in pixels


def test_the_command_writes_the_files(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["manifest", str(tmp_path / "new"), "--url", f"{URL}/"])
    assert done.exit_code == 0, done.output
    assert sorted(Path(line).name for line in done.output.splitlines()) == [
        "color.png",
        "manifest.json",
        "manifest.xml",
        "outline.png",
        "tokensheet.zip",
    ]
    assert (tmp_path / "new" / "manifest.xml").read_bytes() == manifest.files(URL)["manifest.xml"]


@pytest.mark.parametrize("url", ["http://localhost:8443", "planning.example", "https://a.example/path"])
def test_an_address_that_excel_does_not_load_from(tmp_path: Path, url: str) -> None:
    done = CliRunner().invoke(command, ["manifest", str(tmp_path), "--url", url])
    assert isinstance(done.exception, ServerError) and "--url" in str(done.exception)
    assert not list(tmp_path.iterdir())
