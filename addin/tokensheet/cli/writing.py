"""Writes the files of commands: whole or not at all, and over a file with other content only by `--force`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click

from tokensheet.errors import ExportError

ANOTHER_FILE, ANOTHER_FOLDER = "another file with -o", "another folder with -o"
"""Where else a command would write, as its refusals say."""

LOCKS = ".~lock.{}#", "~${}"
"""What LibreOffice and Excel lay beside a file that they hold open."""

force_option = click.option("--force", is_flag=True, help="Write over a file that holds something else.")


def write_text(target: Path, text: str, *, force: bool, elsewhere: str = ANOTHER_FILE) -> None:
    """Writes a text in UTF-8, its line ends as they are; see `write_all`."""
    write_all({target: text.encode()}, force=force, elsewhere=elsewhere)


def write_folder(folder: Path, files: Mapping[str, bytes], *, force: bool) -> None:
    """Writes files by their paths in the folder that a command was given, and tells each; see `write_all`."""
    need_folder(folder, {Path(name).suffix for name in files})
    placed = {folder / name: data for name, data in files.items()}
    write_all(placed, force=force, elsewhere="another folder")
    for path in placed:
        click.echo(path)


def need_folder(folder: Path, endings: Iterable[str]) -> None:
    """Nothing, for a folder or where one can be made.

    Args:
        folder: what the person gave as one
        endings: of the files that are written into it

    Raises:
        ExportError: it is the name of a file.
    """
    if folder.suffix and folder.suffix.lower() in endings and not folder.is_dir():
        raise ExportError(
            f"{folder} is to be a folder, and looks like a file; give the folder, such as {folder.parent}"
        )


def write_all(
    files: Mapping[Path, bytes],
    *,
    force: bool,
    elsewhere: str = ANOTHER_FILE,
    ours: Callable[[Path], bool] | None = None,
) -> None:
    """Writes files, all or none of them (see `replace_files` for what may stand against it).

    Args:
        files: place → content
        force: writes over whatever file is there
        elsewhere: what else a person may choose, as it is typed
        ours: whether a file with other content is still as an export left it, so that it may be written over

    Raises:
        ExportError: one must not be written over (see `refuse`) or cannot be written; the others
            then are as they were too. Where one could not be put back, the error says so.
    """
    from tokensheet.whole_files import replace_files

    for target, data in files.items():
        refuse(target, data, force=force, elsewhere=elsewhere, ours=ours)
    try:
        replace_files(files)
    except OSError as error:
        raise _unusable(error, elsewhere) from error


def refuse(
    target: Path, data: bytes, *, force: bool, elsewhere: str, ours: Callable[[Path], bool] | None = None
) -> None:
    """Nothing, when a file may be written; the arguments are those of `write_all`.

    Raises:
        ExportError: it is open elsewhere or is no file, or it holds something else and `force` is not given.
    """
    try:
        if target.is_dir():  # `.` and `/` too, which have no name that a lock could have
            raise ExportError(f"{target} is a folder; choose {elsewhere}")
        names = {target, Path(os.path.realpath(target))} if target.is_symlink() else {target}
        locks = [name.with_name(mark.format(name.name)) for name in names for mark in LOCKS]
        if any(map(os.path.exists, locks)):  # a name that is too long for a lock is none
            raise ExportError(f"{target} is open in another program; close it or choose {elsewhere}")
        if not target.exists():
            return
        if not target.is_file():
            raise ExportError(f"{target} is no file; choose {elsewhere}")
        kept = not force and target.read_bytes() != data and not (ours and ours(target))
    except OSError as error:
        raise _unusable(error, elsewhere) from error
    if kept:
        found = "is not as an export left it" if ours else "holds something else"
        raise ExportError(f"{target} exists and {found}; add --force to replace it, or choose {elsewhere}")


def _unusable(error: OSError, elsewhere: str) -> ExportError:
    return ExportError(f"{error.filename}: {error.strerror or error}; choose {elsewhere}")
