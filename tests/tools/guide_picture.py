"""Makes `docs/guide/functions.png`: the functions in the cells of a real LibreOffice.

Run as `python -m tests.tools.guide_picture`; needs LibreOffice and pdftoppm.
"""

from __future__ import annotations

import subprocess
import tempfile
import zipfile
from pathlib import Path

import tokensheet
from tests.tools.office import Office
from tokensheet.calc import extension
from tokensheet.functions import Functions

PICTURE = Path(__file__).parents[2] / "docs" / "guide" / "functions.png"
INPUTS: dict[str, float | str] = {
    "A1": "model", "B1": "llama-3.1-70b", "A2": "gpu", "B2": "h100-sxm-80gb", "A3": "gpus", "B3": 8,
    "A4": "context", "B4": 4096, "A5": "batch", "B5": 16, "A6": "options", "B6": "weights=fp8",
    "A8": "result", "B8": "what stands in the cell", "C8": "what it shows",
}  # fmt: skip
FORMULAS = {
    "KV bytes": "=KV_BYTES(B1,B4,B5)",
    "fits": "=FITS(B1,B2,B3,B4,B5,B6)",
    "step, s": "=DECODE_LATENCY(B1,B2,B3,B4,B5,B6)",
    "tokens/s": "=TOKENS_PER_SECOND(B1,B2,B3,B4,B5,B6)",
    "max batch": "=MAX_BATCH(B1,B2,B3,B4,B6)",
    "tokens/USD": "=TOKENS_PER_DOLLAR(B1,B2,B3,20,B4,B5,B6)",
    "one 4090": '=TOKENS_PER_SECOND(B1,"rtx-4090",1,B4,B5)',
    "a sum": "=SUM(C12,C15)",
}
WHY = '=WHY("tokens_per_second",B1,"rtx-4090",1,B4,B5)'


def main() -> None:
    """Types the formulas, prints the sheet, keeps the first page without its margins."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = extension.build(Functions(tokensheet.planner()), folder)
        with zipfile.ZipFile(built) as package:
            package.extractall(folder / "extensions" / "tokensheet")
        office = Office(extensions=folder / "extensions")
        values, typed = dict(INPUTS), {}
        for row, (label, text) in enumerate(FORMULAS.items(), 9):
            values |= {f"A{row}": label, f"B{row}": f" {text}"}
            typed[f"C{row}"] = text
        last = 9 + len(FORMULAS)
        values |= {f"A{last}": "why", f"B{last}": f" {WHY}"}
        typed[f"A{last + 1}"] = WHY
        try:
            office.typed(typed, values, store=folder / "sheet.pdf", fit="B")
        finally:
            office.close()
        page = folder / "sheet"
        crop = ("-x", "80", "-y", "112", "-W", "700", "-H", "375")
        subprocess.run(
            ["pdftoppm", "-r", "110", "-png", "-singlefile", *crop, f"{page}.pdf", page], check=True
        )
        PICTURE.write_bytes(page.with_suffix(".png").read_bytes())


if __name__ == "__main__":
    main()
