"""Ledgers: what was lost, doubled, swapped or changed is seen, and what was torn is written anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from latcover.core.cover.ledger import Ledger, ledger_kind
from latcover.core.cover.question import Method, Question
from latcover.errors import DamagedRunError, RunFileError
from tests.ledgers import accidents, records_of, sealed


class Asked(Struct, frozen=True):
    sides: int = 3


def question(sides: int = 3) -> Question:
    return Question.of(Method("folding"), Asked(sides))


def opened(path: Path, sides: int = 3) -> Ledger:
    return Ledger(path, "fold", question(sides), {"paper": "red"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "fold.run"
    with opened(path) as ledger:
        for number in range(4):
            ledger.add({"number": number})
    return path


def test_what_was_added_is_there_again(path: Path) -> None:
    again = Ledger(path, "fold")
    assert [ledger.records for ledger in (again, opened(path))] == [[b'{"number":%d}' % k for k in range(4)]] * 2
    assert (again.about, again.question, again.is_ended) == ({"paper": "red"}, question(), False)
    assert ledger_kind(path) == "fold"
    with again:
        again.end()
        again.end()
    assert records_of(path)[-2:] == [b'{"number":3}', b'{"end":"all","records":4}']
    with opened(path) as more:
        assert more.is_ended
        more.add({"number": 4})
        assert not more.is_ended
    again = opened(path)
    assert (len(again.records), again.is_ended) == (5, False)
    with again:
        again.end()
    assert opened(path).is_ended


@pytest.mark.parametrize("ended", [False, True])
def test_every_accident_is_seen(path: Path, ended: bool) -> None:
    if ended:
        with opened(path) as ledger:
            ledger.end()
    good = path.read_bytes()
    made = accidents(good)
    assert len(made) > 25
    for content in made.values():
        path.write_bytes(content)
        with pytest.raises(RunFileError, match=r"^\S*fold.run: (is damaged: line \d|is not a file that fold)"):
            opened(path)
    for place in range(len(good) - 1):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        if good[place : place + 1] != b"\n" or place + 1 < len(good):
            with pytest.raises(RunFileError):
                opened(path)


def test_what_is_cut_off_at_any_byte_goes_on(path: Path) -> None:
    good = path.read_bytes()
    for end in range(len(good) + 1):
        path.write_bytes(good[:end])
        with opened(path) as ledger:
            held = len(ledger.records)
            assert held == max(0, good[:end].count(b"\n") - 2)
            for number in range(held, 4):
                ledger.add({"number": number})
        assert [json.loads(record) for record in records_of(path)[1:]] == [{"number": k} for k in range(4)]


def test_lines_of_another_ledger_of_the_same_question_do_not_fit(path: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "other.run") as other:
        for number in range(4):
            other.add({"number": number})
    mine, others = (each.read_bytes().splitlines(keepends=True) for each in (path, other.path))
    for k in range(2, 6):
        path.write_bytes(b"".join([*mine[:k], others[k], *mine[k + 1 :]]))
        with pytest.raises(DamagedRunError, match=f"line {k + 1} is not what was written"):
            opened(path)


def test_whoever_makes_new_seals_is_believed_only_as_to_what_nobody_can_check(path: Path) -> None:
    head, *records = records_of(path)
    sealed(path, [head, *records[:2], b'{"end":"all","records":3}'])
    with pytest.raises(DamagedRunError, match="it counts other records than the 2 before it"):
        opened(path)
    sealed(path, [head.replace(b'"paper"', b'"glass":1,"paper"'), *records])
    assert opened(path).about == {"glass": 1, "paper": "red"}
    for wrong in (b"{", b'{"question":{"facts":{}},"about":{},"key":1}', b"[" * 5000):
        sealed(path, [wrong])
        with pytest.raises(DamagedRunError, match="line 2 does not hold what belongs there"):
            Ledger(path, "fold")


def test_other_questions_and_other_files_are_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="another question: the sides 3, not 4; choose another file"):
        opened(path, 4)
    with pytest.raises(RunFileError, match="holds what fold keeps, not plane"):
        Ledger(path, "plane", question())
    with pytest.raises(RunFileError, match="holds nothing yet"):
        Ledger(tmp_path / "none", "fold")
    (tmp_path / "text").write_text("text")
    for odd in ("text", "."):
        with pytest.raises(RunFileError, match=r"not a file that fold|cannot be read"):
            opened(tmp_path / odd)
    assert ledger_kind(tmp_path / "none") is None


def test_two_do_not_write_at_once(path: Path) -> None:
    first, second, late = opened(path), opened(path), opened(path)
    with first:
        with pytest.raises(RunFileError, match="another process is at work with it"), second:
            pass
        first.add({"number": 4})
    with pytest.raises(RunFileError, match="another process wrote to it in the meantime"), late:
        pass
    assert len(opened(path).records) == 5


def test_a_full_disk_is_told_of(path: Path) -> None:
    class Full:
        def __init__(self, file: Any) -> None:
            self.file = file

        def write(self, content: bytes) -> int:
            if len(content) < 20:
                raise OSError(28, "No space left on device")
            return int(self.file.write(content[:20]))

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

    with opened(path) as ledger:
        ledger._file = Full(ledger._file)  # type: ignore[assignment]
        with pytest.raises(RunFileError, match="cannot be written: No space left"):
            ledger.add({"number": 4})
    assert path.read_bytes().count(b"\n") == 6
    assert len(opened(path).records) == 4
