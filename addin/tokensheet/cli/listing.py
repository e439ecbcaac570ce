"""Tables for the terminal. Plain text, so that other programs can read it."""

from __future__ import annotations

from collections.abc import Sequence


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their widest cell; nothing is cut."""
    widths = [max(len(str(r[i])) for r in [titles, *rows]) for i in range(len(titles))]
    lines = [
        "  ".join(str(c).ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
        for row in [titles, *rows]
    ]
    return "\n".join(lines)
