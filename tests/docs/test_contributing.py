"""CONTRIBUTING.md names places that are there, and its search finds what a new kind of attention touches."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ENGINE = ROOT / "addin" / "tokensheet"


def named() -> list[str]:
    """Modules and folders in backquotes, without what stands for any name."""
    return [name for name in re.findall(r"`([\w./-]+(?:\.py|/))`", TEXT) if not name.startswith("make")]


def test_every_place_is_there() -> None:
    inside = (ROOT, ENGINE, *(ENGINE / part for part in ("schema", "config_import", "cli")))
    assert len(named()) > 30
    assert [name for name in named() if not any((folder / name).exists() for folder in inside)] == []


def test_links_into_the_page_lead_somewhere() -> None:
    titles = [title.lower().replace(" ", "-") for title in re.findall(r"^## (.+)$", TEXT, re.M)]
    assert [anchor for anchor in re.findall(r"\]\(#([^)]+)\)", TEXT) if anchor not in titles] == []


def test_the_search_for_attention_finds_every_formula_that_reads_full_layers() -> None:
    """A formula of full layers alone would be missed by a new kind, unless it holds for any share of the cache."""
    searched = re.search(r'git grep -lE "(.+?)" plugins', TEXT)
    assert searched
    found = {p.stem for p in formulas() if re.search(searched[1], p.read_text(encoding="utf-8"))}
    full = {
        p.stem for p in formulas() if re.search(r"full_(kv_elements|attention_macs)", p.read_text("utf-8"))
    }
    assert full - found <= {"slots"}, "a prefix is held in full and latent layers only"


def formulas() -> list[Path]:
    return sorted((ROOT / "plugins" / "tokensheet_inference").glob("*.py"))
