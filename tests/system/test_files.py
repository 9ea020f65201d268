"""Files that are written whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from latcover.apps.web.downloads import plain
from latcover.errors import PuzzleError
from latcover.system import files
from latcover.system.files import unfinished, whole_file, write_whole
from tests.command_line import DONE, FAILED, run

FULL = Path("/dev/full")


def breaking() -> Iterator[bytes]:
    yield b"half"
    raise OSError(28, "No space left on device")


@pytest.fixture(params=["without a name", "with a name"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder; some systems cannot make files without names."""
    if request.param == "with a name":
        monkeypatch.delattr(files.os, "O_TMPFILE", raising=False)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_names_of_files_that_are_made(tmp_path: Path) -> None:
    """Nothing of a name leads out of a folder, letters stay as they are, and none is too long for a system."""
    assert files.plain_name("../Der Würfel: 3/3", "puzzle") == "Der-Würfel--3-3"
    assert files.plain_name("куб_2", "puzzle") == "куб_2"
    assert files.plain_name("../..\\\0\ud800", "puzzle") == "puzzle"
    long = files.plain_name("\U00020000" * 300, "puzzle")
    (tmp_path / f"{long}-12.toml").touch()
    assert plain("Würfel/3") == "W-rfel-3"


def test_a_whole_file_replaces_the_old_one_and_keeps_its_rights(folder: Path) -> None:
    path = folder / "x.svg"
    write_whole(path, [b"old"])
    path.chmod(0o600)
    write_whole(path, [b"ne", b"w"])
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(folder) == ["x.svg"]


@pytest.mark.parametrize("before", [None, b"good"])
def test_a_file_that_could_not_be_written_changes_nothing(folder: Path, before: bytes | None) -> None:
    path = folder / "x.svg"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(PuzzleError, match=r"cannot write .*x\.svg: No space left on device"):
        write_whole(path, breaking())
    with pytest.raises(ZeroDivisionError), whole_file(path) as file:
        file.write(bytes(1 // len(b"")))
    assert names(folder) == ([] if before is None else ["x.svg"])
    assert before is None or path.read_bytes() == before


def test_a_process_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    if not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without names")
    with unfinished(tmp_path / "x.svg") as made:
        made.file.write(b"half")
        made.file.flush()
        assert names(tmp_path) == []  # what a process that ends here would leave
        assert made.readable.read_bytes() == b"half"


def test_links_stay_links(folder: Path) -> None:
    (folder / "there").mkdir()
    (folder / "link").symlink_to("there/x.svg")
    write_whole(folder / "link", [b"new"])
    assert (folder / "link").is_symlink()
    assert (folder / "there" / "x.svg").read_bytes() == b"new"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_devices_are_written_through() -> None:
    with pytest.raises(PuzzleError, match="cannot write /dev/full: No space left on device"):
        write_whole(FULL, [b"x"])
    assert FULL.is_char_device()
    write_whole(Path(os.devnull), [b"x"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize("suffix", ["svg", "html", "txt", "stl", "3mf", "glb", "step"])
def test_no_picture_or_model_is_cut_short_by_a_full_disk(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    if suffix in ("stl", "3mf", "glb", "step"):
        pytest.importorskip("manifold3d")
        pytest.importorskip("trimesh")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"x.{suffix}"
    path.write_bytes(b"good")
    what = [] if suffix in ("svg", "html", "txt") else ["--part", "L"]
    command = ["show", "example-2x2", *what, "--output", path.name]
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, usual[1]))
    try:
        done = run(*command)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert done.returncode == FAILED
    assert f"cannot write {path.name}: File too large" in done.stderr
    assert path.read_bytes() == b"good"
    assert names(tmp_path) == [path.name]
    assert run(*command).returncode == DONE
    assert path.read_bytes() != b"good"
