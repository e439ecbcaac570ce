"""Writes files whole or not at all: no half of one is ever seen, and no temporary one stays behind."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Writes all under temporary names beside their places, then renames these one after the other.

    Folders are made where needed. A symbolic link stays, and what it points to is replaced. A file that is replaced
    keeps its permissions, a new one has those that the person's `umask` leaves. When one rename fails, those before it
    are undone; only a program that is ended by force between two renames leaves the first files new, the others old.

    Raises:
        OSError: one cannot be written, whose place is its `filename`. All is as it was; where an old file could
            not be put back, the error says under which name it lies.
    """
    places = _places(files)
    made: dict[Path, Path] = {}
    old: dict[Path, Path | None] = {}
    done: list[Path] = []
    with _folders(files):
        try:
            for target, data in files.items():
                with _told(target):
                    made[target] = _written(places[target], data)
            for target in list(files)[:-1]:  # after the last rename nothing can fail
                with _told(target):
                    old[target] = _aside(places[target])
            for target in files:
                with _told(target):
                    os.replace(made[target], places[target])
                done.append(target)
        except BaseException as error:
            for target in reversed(done):
                if target in old:
                    _put_back(places[target], old.pop(target), error)
            raise
        finally:
            for temporary in filter(None, (*made.values(), *old.values())):
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)


def new_files(files: Mapping[Path, bytes]) -> None:
    """Writes files like `replace_files`, but never over one: each name is first taken by an empty file of ours.

    Raises:
        FileExistsError: a name is taken already, its `filename`; nothing was written.
        OSError: one cannot be written; nothing was.
    """
    taken: list[Path] = []
    with _folders(files):
        try:
            for target in files:
                with target.open("xb"):
                    taken.append(target)
            replace_files(files)
        except BaseException:
            for target in taken:
                with suppress(OSError):
                    target.unlink(missing_ok=True)
            raise


def _places(files: Iterable[Path]) -> dict[Path, Path]:
    """Where each file really lies: at the end of its link."""
    places: dict[Path, Path] = {}
    for target in files:
        place = Path(os.path.realpath(target)) if target.is_symlink() else target
        if place in places.values():
            raise OSError(errno.EEXIST, "is the same file as another that would be written", str(target))
        places[target] = place
    return places


@contextmanager
def _folders(files: Iterable[Path]) -> Iterator[None]:
    """The folders of the files; those that were made are taken away again when nothing is written."""
    made: list[Path] = []
    try:
        for folder in dict.fromkeys(file.parent for file in files):
            made += [each for each in reversed((folder, *folder.parents)) if not each.exists()]
            folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


@contextmanager
def _told(target: Path) -> Iterator[None]:
    """Failures name the file, and not the temporary one, which nobody knows."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(target), None
        raise


def _beside(place: Path) -> Path:
    return place.with_name(f".{place.stem[:40]}-{secrets.token_hex(4)}")


def _written(place: Path, data: bytes) -> Path:
    """A temporary file with the content, and with the permissions of what is at the place."""
    try:
        mode: int | None = stat.S_IMODE(place.stat().st_mode)
    except FileNotFoundError:
        mode = None
    if mode is not None and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    temporary = _beside(place)
    try:
        with open(
            temporary, "xb", opener=lambda name, flags: os.open(name, flags, 0o666 if mode is None else mode)
        ) as stream:
            stream.write(data)
        if mode is not None and stat.S_IMODE(temporary.stat().st_mode) != mode:
            temporary.chmod(mode)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _aside(place: Path) -> Path | None:
    """A second name of what is at the place, or a copy where a file has one name only; None where there is nothing."""
    if not place.exists():
        return None
    kept = _beside(place)
    try:
        os.link(place, kept)
    except OSError:
        try:
            shutil.copy2(place, kept)
        except BaseException:
            kept.unlink(missing_ok=True)
            raise
    return kept


def _put_back(place: Path, kept: Path | None, error: BaseException) -> None:
    """What was at the place before; where that fails, `error` says so."""
    try:
        if kept is None:
            place.unlink(missing_ok=True)
        else:
            os.replace(kept, place)
    except OSError:
        lost = f"{place} is new already" + (f", and the old one is {kept}" if kept else "")
        if isinstance(error, OSError):
            error.strerror = f"{error.strerror or error}; {lost}"
        else:
            error.add_note(lost)
