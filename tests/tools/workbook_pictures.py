"""Makes the pictures of the README, `docs/pictures/*.png`: sheets of exported workbooks as LibreOffice prints them.

Run as `python -m tests.tools.workbook_pictures`; needs LibreOffice and poppler's programs.
"""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.tools import stored
from tests.tools.guide_picture import with_values
from tests.tools.office import Office

ROOT = Path(__file__).parents[2]
PICTURES_FOLDER = ROOT / "docs" / "pictures"


@dataclass(frozen=True)
class Picture:
    """One picture: the workbook, the sheet, which of its pages, and the part of the page in pixels."""

    workbook: str
    sheet: str
    crop: tuple[int, int, int, int]
    """From the left, from the top, width and height."""
    page: int = 1
    dpi: int = 110


PICTURES = {
    "summary": Picture("llama-2-70b-4090-or-h100", "Summary", (45, 55, 740, 815)),
    "fleet": Picture("chat-fleet-owned-or-rented", "Series", (45, 55, 630, 565), page=2),
}


def shown(picture: Picture) -> dict[str, object]:
    """Values of the sheet that a picture shows, as the workbook stores them."""
    return dict(stored.values(ROOT / "workbooks" / f"{picture.workbook}.xlsx")[picture.sheet])


def page_of(pdf: Path, sheet: str) -> int:
    """The first page whose footer names a sheet."""
    count = 1
    while True:
        found = subprocess.run(
            ["pdftotext", "-f", str(count), "-l", str(count), "-layout", pdf, "-"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        lines = [line.strip() for line in found.splitlines() if line.strip()]
        if lines and lines[-1].startswith(f"{sheet}  "):
            return count
        count += 1


def main() -> None:
    """Prints each workbook, keeps the part of the page."""
    office = Office()
    PICTURES_FOLDER.mkdir(exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as name:
            for title, picture in PICTURES.items():
                pdf = Path(name) / f"{picture.workbook}.pdf"
                if not pdf.exists():
                    office.recalculated(ROOT / "workbooks" / f"{picture.workbook}.xlsx", pdf)
                page = str(page_of(pdf, picture.sheet) + picture.page - 1)
                left = ("-x", "-y", "-W", "-H")
                crop = [part for pair in zip(left, map(str, picture.crop), strict=True) for part in pair]
                made = Path(name) / title
                resolution = ("-r", str(picture.dpi))
                pages = ("-f", page, "-l", page)
                subprocess.run(
                    ["pdftoppm", *resolution, *pages, "-png", "-singlefile", *crop, pdf, made], check=True
                )
                png = with_values(made.with_suffix(".png").read_bytes(), shown(picture))
                (PICTURES_FOLDER / f"{title}.png").write_bytes(png)
    finally:
        office.close()


if __name__ == "__main__":
    main()
