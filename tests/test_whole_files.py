"""Files are written whole, all or none, with the permissions and links that were there."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.platforms import WINDOWS, on_unix
from tokensheet.whole_files import new_files, replace_files

Writer = Callable[[dict[Path, bytes]], None]
WRITERS: tuple[Writer, ...] = (replace_files, new_files)
CALLS = {
    replace_files: ("open", "stat", "link", "copy", "replace"),
    new_files: ("claim", "open", "stat", "replace"),
}
"""Steps of each at which something may fail."""


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b"/" for p in sorted(folder.rglob("*"))
    }


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=(0o022, 0o077, 0o002), ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@on_unix
@pytest.mark.parametrize("write", WRITERS)
def test_a_new_file_has_what_the_umask_leaves(write: Writer, tmp_path: Path, umask: int) -> None:
    """As any file that the person makes; and no other file stays beside it."""
    files = {tmp_path / "new" / "a.xlsx": b"a", tmp_path / "new" / "b": b""}
    write(files)
    assert everything(tmp_path) == {"new": b"/", "new/a.xlsx": b"a", "new/b": b""}
    assert {mode(path) for path in files} == {0o666 & ~umask}


@on_unix
@pytest.mark.parametrize("kept", [0o600, 0o644, 0o664, 0o755])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path, umask: int, kept: int) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"old")
        (tmp_path / name).chmod(kept)
    replace_files({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert everything(tmp_path) == {"a": b"new", "b": b"new"}
    assert {mode(tmp_path / name) for name in ("a", "b")} == {kept}


@on_unix
def test_nobody_else_sees_the_content_of_a_private_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even while it is written: the temporary file is made with the permissions of the old one."""
    private, made = tmp_path / "a", []
    private.write_bytes(b"old")
    private.chmod(0o600)
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, flags, mode: made.append(mode) or real(path, flags, mode))
    replace_files({private: b"new"})
    assert made == [0o600]


def test_a_file_that_must_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renaming asks for the folder's permissions only; a write-protected file stays."""
    file = tmp_path / "a"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, how: path != file)  # as root everything may be written
    with pytest.raises(PermissionError) as told:
        replace_files({tmp_path / "first": b"new", file: b"new"})
    assert told.value.filename == str(file)
    assert everything(tmp_path) == {"a": b"old"}


@on_unix
@pytest.mark.parametrize("content", [b"old", None], ids=["a file", "nothing yet"])
def test_a_link_keeps_pointing(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    file, link, other = tmp_path / "far" / "a.txt", tmp_path / "near" / "b.txt", tmp_path / "near" / "c.txt"
    if content is not None:
        file.write_bytes(content)
    link.symlink_to(Path("..") / "far" / "a.txt")
    replace_files({link: b"new", other: b"new"})
    assert link.is_symlink() and os.readlink(link) == "../far/a.txt"
    assert file.read_bytes() == b"new" and not file.is_symlink()
    assert len(everything(tmp_path)) == 5


@on_unix
def test_links_that_lead_nowhere_are_told(tmp_path: Path) -> None:
    ring, away, twin = tmp_path / "ring", tmp_path / "away", tmp_path / "twin"
    ring.symlink_to(ring)
    away.symlink_to(tmp_path / "gone" / "a")
    twin.symlink_to(tmp_path / "a")
    for files, named in (({ring: b""}, ring), ({away: b""}, away), ({tmp_path / "a": b"", twin: b""}, twin)):
        with pytest.raises(OSError) as told:
            replace_files(files)
        assert told.value.filename == str(named)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["away", "ring", "twin"]


def failing(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], at: int, error: BaseException) -> None:
    """The `at`-th of all calls that change or look at files fails, and none after it."""
    count = iter(range(at, -1, -1))

    def broken(real: Any) -> Any:
        def call(*given: Any, **more: Any) -> Any:
            if next(count, None) == 0:
                raise error
            return real(*given, **more)

        return call

    for name in names:
        owner, attribute = {"claim": (Path, "open"), "copy": (__import__("shutil"), "copy2")}.get(
            name, (os, name)
        )
        monkeypatch.setattr(owner, attribute, broken(getattr(owner, attribute)))


ERRORS = OSError(28, "No space left on device"), KeyboardInterrupt()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("hard_links", [True, False])
@pytest.mark.parametrize("write", WRITERS)
def test_whatever_fails_all_is_as_it_was(
    write: Writer, hard_links: bool, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step fails once, the third rename of three too: files, permissions, folders; no temporary file stays."""
    old = {} if write is new_files else {"a.xlsx": b"old a", "b.txt": b"old b"}
    for name, data in old.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o640)
    files = {tmp_path / name: b"new" for name in ("a.xlsx", "new/deep/c", "b.txt", "d")}
    if not hard_links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError(1, "no links")))
    steps = 0
    while True:
        with monkeypatch.context() as patched:
            names = tuple(n for n in CALLS[write] if hard_links or n != "link")
            failing(patched, names, steps, error)
            try:
                write(files)
                done = True
            except (OSError, KeyboardInterrupt) as told:
                done = False
                assert told is error
        if done:
            break
        assert everything(tmp_path) == old, steps
        assert {mode(tmp_path / name) for name in old} <= {0o640}
        steps += 1
    assert steps > 10
    assert {path: path.read_bytes() for path in files} == files


def test_the_place_is_told_and_not_the_temporary_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when Excel or Windows holds the second file: the first is as it was."""
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").write_bytes(b"old")
    real = os.replace

    def held(source: Path, target: Path) -> None:
        if target.name == "b":
            raise PermissionError(13, "in use", str(source), None, str(target))
        real(source, target)

    monkeypatch.setattr(os, "replace", held)
    with pytest.raises(PermissionError) as told:
        replace_files({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert (told.value.filename, told.value.filename2) == (str(tmp_path / "b"), None)
    assert everything(tmp_path) == {"a": b"old", "b": b"old"}


def test_what_cannot_be_put_back_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost: the old file lies under the name that is told."""
    (tmp_path / "a").write_bytes(b"old")
    real, calls = os.replace, iter((True, False, False))

    def once(source: Path, target: Path) -> None:
        if not next(calls):
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(OSError, match=r"Input/output error; .*a is new already, and the old one is ") as told:
        replace_files({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    kept = Path(str(told.value.strerror).rpartition(" is ")[2])
    assert kept.read_bytes() == b"old"
    assert len(everything(tmp_path)) == 2


def test_new_files_replace_nothing(tmp_path: Path) -> None:
    """Neither a file, a folder nor a link that leads nowhere, whichever of the names is taken."""
    for taken in ("a", "b"):
        for make in (Path.touch, Path.mkdir, *([] if WINDOWS else [lambda path: path.symlink_to("nowhere")])):
            folder = tmp_path / f"{taken}-{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            make(folder / taken)
            with pytest.raises(FileExistsError) as told:
                new_files({folder / "a": b"new", folder / "b": b"new"})
            assert told.value.filename == str(folder / taken)
            assert [p.name for p in folder.iterdir()] == [taken]


def test_of_two_that_write_at_once_one_wins(tmp_path: Path) -> None:
    """With both its files."""
    for round in range(20):
        files = [tmp_path / f"{round}.{end}" for end in ("toml", "xlsx")]
        start = threading.Barrier(4)
        won: list[bytes] = []

        def one(mark: bytes, files: list[Path] = files, start: Any = start, won: list[bytes] = won) -> None:
            start.wait()
            try:
                new_files(dict.fromkeys(files, mark))
            except FileExistsError:
                return
            won.append(mark)

        threads = [threading.Thread(target=one, args=(mark,)) for mark in (b"1", b"2", b"3", b"4")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1
        assert [file.read_bytes() for file in files] == [won[0], won[0]]
