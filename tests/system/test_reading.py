"""Files that are read are regular, and of a bounded size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from latcover.system.reading import NotRegularError, TooLongError, content_of, holds, opened
from tests.processes import posix_only


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100)
    assert content_of(tmp_path / "a", 100) == b"x" * 100
    with pytest.raises(TooLongError, match="it is larger than 99 bytes"):
        content_of(tmp_path / "a", 99)


@posix_only
def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    os.truncate(tmp_path / "a", 1 << 40)
    with pytest.raises(TooLongError):
        content_of(tmp_path / "a", 1000)


@posix_only
@pytest.mark.parametrize("name", ["pipe", "device", "/dev/null", "."])
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    with pytest.raises((NotRegularError, IsADirectoryError)):
        opened(tmp_path / name)


@posix_only
def test_a_file_that_is_replaced_by_a_pipe_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr("latcover.system.reading.require_regular", lambda _: None)
    with pytest.raises(NotRegularError):
        opened(tmp_path / "pipe")


def test_whether_a_file_holds_a_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert [holds(tmp_path / "a", content) for content in (b"abc", b"abd", b"ab")] == [True, False, False]
    assert not holds(tmp_path / "none", b"")
    assert not holds(tmp_path, b"")
