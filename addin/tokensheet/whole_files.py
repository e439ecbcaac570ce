"""Writes files whole or not at all: no half of one is ever seen, and no temporary one stays behind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Writes all under temporary names beside their places, then renames them; folders are made where needed.

    Raises:
        OSError: one cannot be written, whose place is its `filename`; until the first is renamed, none has changed.
    """
    for target in files:
        target.parent.mkdir(parents=True, exist_ok=True)
    made: dict[Path, Path] = {}
    target = Path()
    try:
        for target, data in files.items():
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem[:40]}-")
            made[target] = Path(name)
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(name, 0o644)  # else its maker alone could read it
        for target, temporary in made.items():
            os.replace(temporary, target)
    except OSError as error:
        error.filename, error.filename2 = str(target), None  # not the temporary name, which nobody knows
        raise
    finally:
        for temporary in made.values():
            temporary.unlink(missing_ok=True)
