"""Ledgers: the files of results that come one by one; made, changed, and gone on with."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

from latcover.apps.cli.commands.atlas_command import _kept, _known
from latcover.apps.cli.main import app
from latcover.core.cover.ledger import ledger_kind
from latcover.files.formats.named_shapes import shape_named, shapes_named
from latcover.lab.asking.best import BestRequest, best
from latcover.lab.designing.region_names import region_named
from latcover.lab.exploring.common_table import pairs
from latcover.lab.exploring.exploring_requests import (
    AtlasRequest,
    CommonRequest,
    ExcludeRequest,
    MultiplesRequest,
    PackRequest,
    PairsRequest,
)
from latcover.lab.exploring.multiples import multiples
from latcover.lab.exploring.packing import exclude, pack, region_to_pack
from latcover.lab.plane.plane_family import Classification, FamilyRequest
from tests.file_fuzzing.mutations import changed
from tests.file_fuzzing.trees import Pool
from tests.ledgers import records_in, with_seals

MULTIPLES = "regions.run"  # the name that such a file has in its folder


def _packed(path: Path) -> object:
    return pack(region_to_pack([shape_named("trominoes:I")], region_named("square:3x3").cells), PackRequest(), run=path)


def _excluded(path: Path) -> object:
    region = region_to_pack([shape_named("trominoes:I")], region_named("square:3x3").cells)
    return exclude(region, ExcludeRequest(), run=path)


def _best(path: Path) -> object:
    return best("fig4-3x3", BestRequest(objective="border", sense="maximize"), run=path)


def _pairs(path: Path) -> object:
    request = PairsRequest(common=CommonRequest(effort=5.0, most=6), processes=1)
    return pairs(shapes_named("trominoes"), None, request, run=path)


def _plane(path: Path) -> object:
    return [*Classification(FamilyRequest(lattice="square", cells=2, processes=1), path)]


def _atlas(path: Path) -> object:
    shape = shape_named("trominoes:I")
    with _kept(path, AtlasRequest(size=3, rectangles_only=True), [[shape]]) as ledger:
        return [json.dumps(entry.data) for entry in _known(ledger)]


def _multiples(path: Path) -> object:
    """The file has its name in a folder, beside others; they are as the seed has left them."""
    folder, others = path.parent / "multiples" / path.name, path.parent / "multiples-of-seed"
    shutil.rmtree(folder, ignore_errors=True)
    if path.exists():
        shutil.copytree(others, folder)
        (folder / MULTIPLES).write_bytes(path.read_bytes())
        return multiples(shape_named("trominoes:I"), MultiplesRequest(copies=2), folder=folder)
    return multiples(shape_named("trominoes:I"), MultiplesRequest(copies=2), folder=others)


ASKED: dict[str, tuple[Callable[[Path], object], ...]] = {
    "optimum": (_packed, _excluded, _best),
    "pairs": (_pairs,),
    "plane": (_plane,),
    "atlas": (_atlas,),
    "multiples": (_multiples,),
}
DESIGNS = (
    ("design", "cut", "cubic:2x2x2", "--parts", "2", "--walks", "1"),
    ("design", "regions", "example-2x2"),
)


def made(folder: Path) -> list[bytes]:
    """One ledger of each kind, as the commands leave them."""
    found = []
    for asks in ASKED.values():
        for ask in asks:
            path = folder / "seed.run"
            path.unlink(missing_ok=True)
            if ask is _atlas:
                _called("atlas", "trominoes:I", "--size", "3", "--rectangles-only", "--run", str(path))
            else:
                ask(path)
            path = folder / "multiples-of-seed" / MULTIPLES if ask is _multiples else path
            found.append(path.read_bytes())
    for words in DESIGNS:
        path = folder / "design.run"
        path.unlink(missing_ok=True)
        _called(*words, "--run", str(path))
        found.append(path.read_bytes())
    return found


def gone_on_with(path: Path) -> object:
    """Ask again what the file may be of, as the commands do."""
    content, kind = path.read_bytes(), ledger_kind(path)
    if kind == "design":
        return _called("runs", "status", str(path), "--json")
    asks = ASKED.get(str(kind), (_packed,))
    which = b'"minimize"' in content, b"border" in content
    return asks[-1 if which[1] else which[0] % len(asks)](path)


def use(_: object, path: Path) -> None:
    """What users do with a design: go on with it."""
    if ledger_kind(path) == "design":
        _called("runs", "resume", str(path), "--time", "0.2")


def _called(*words: str) -> str:
    """What a command prints; its errors are raised."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        app(list(words), standalone_mode=False)
    return out.getvalue()


def resealed(pool: Pool) -> Callable[[Random, bytes, Sequence[bytes]], bytes]:
    """A change of a ledger: its bytes as they are, or what its lines say, with seals that are right again."""

    def change(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
        if random.random() < 0.3:
            return changed(random, content, others)
        first, *records = content.splitlines()[0], *records_in(content)
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            _rewrite(random, records, pool, others)
        return with_seals(first, records)

    return change


def _rewrite(random: Random, records: list[bytes], pool: Pool, others: Sequence[bytes]) -> None:
    at, kind = random.randrange(len(records)), random.randrange(6)
    if kind == 0:
        records.insert(at, random.choice(records))
    elif kind == 1 and len(records) > 1:
        del records[at]
    elif kind == 2:
        records[at] = random.choice(records_in(random.choice(others)))
    elif kind == 3:
        records[at] = changed(random, records[at], records).replace(b"\n", b" ")
    else:
        own: Any = Pool.of([_parsed(record) for record in records], pool.odd, json.dumps)
        records[at] = own.changed(random).replace(b"\n", b" ")
    if not records:
        records.append(b"{}")


def _parsed(record: bytes) -> Any:
    try:
        return json.loads(record)
    except (ValueError, RecursionError):
        return {"record": record.decode("latin-1")}
