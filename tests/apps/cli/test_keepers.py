"""Everything that keeps answers refuses another question, in one sentence that names what differs.

`KEEPERS` holds every command with ``--run`` or ``--folder``, and `ASKS` every request whose answers are kept.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer.main
from msgspec import Struct
from msgspec.structs import force_setattr

import latcover
from latcover.apps.cli.main import app
from latcover.core.cover.events import Events
from latcover.core.cover.ledger import Ledger, ledger_kind
from latcover.core.cover.question import Method, Question
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.count import CountRequest
from latcover.core.solving.solve import SolveRequest
from latcover.errors import RunFileError
from latcover.files.formats.library import load
from latcover.files.formats.named_shapes import shape_named, shapes_named
from latcover.lab.asking.assemble import AssembleRequest
from latcover.lab.asking.best import BestRequest, best
from latcover.lab.designing.cuts import Cutter, grower
from latcover.lab.designing.design_requests import CutRequest, DesignRegionsRequest, DesignSetsRequest, GrowRequest
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
from latcover.lab.runs import count_file, design_run, recipe
from latcover.lab.runs.assembling import assemble_in_file
from latcover.lab.runs.cluster.cluster_messages import PackedRun, RefusedError
from latcover.lab.runs.control import search_in_file
from latcover.lab.runs.count_file import is_count
from latcover.lab.runs.design_run import DesignRecipe, open_design
from latcover.lab.runs.recipe import Recipe, StoredFile, stored_file
from tests.command_line import DONE, FAILED, LIMIT, Result, run
from tests.ledgers import accidents

ROOT = Path(latcover.__file__).parent
SHIPPED = Path(__file__).parents[3] / "lattices"
STRAIGHT = "[[1, 0], [0, 1]]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"
SLANTED = "[[1, 1], [1, -1]]", "[[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]]"
FLAT = 'lattice = "own2.toml"\nregion = { box = [2, 4] }\nparts = '
FILES = {
    "flat": f'{FLAT}[{{ name = "L", art = ["X.", "X.", "XX"], count = 2 }}]\n',
    "tiles": f'{FLAT}[{{ name = "D", box = [1, 2], count = "unlimited" }}]\n',
    "family": f'{FLAT}[{{ set = "shapes.toml", min = 0, max = 2 }}]\n',
    "solid": 'lattice = "own3.toml"\nregion = { box = [2, 2, 2] }\n'
    'parts = [{ name = "A", box = [1, 2, 2] }, { name = "C", box = [1, 1, 2], count = 2 }]\n',
}
SHAPES = """parts = [{ name = "I", box = [1, 4] }, { name = "O", box = [2, 2] },
    { name = "L", art = ["XX", "X.", "X."] }]
"""
KEEPERS: dict[str, tuple[str, ...]] = {
    "solve": ("solve", "flat.toml", "--run"),
    "solve --best": ("solve", "flat.toml", "--best", "minimize", "crossroads", "--run"),
    "count": ("count", "tiles.toml", "--run"),
    "count by listing": ("count", "flat.toml", "--run"),
    "apart": ("apart", "solid.toml", "--run"),
    "design sets": ("design", "sets", "family.toml", "--run"),
    "design regions": ("design", "regions", "flat.toml", "--among", "flat.toml", "--run"),
    "design cut": ("design", "cut", "own3.toml:2x2x2", "--parts", "2", "--walks", "1", "--run"),
    "design grow": ("design", "grow", "solid.toml", "--walks", "1", "--run"),
    "atlas": ("atlas", "XX", "--lattice", "own2.toml", "--size", "2", "--rectangles-only", "--run"),
    "common": ("common", "shipped.toml", "--pairs", "--each", "5", "--max-area", "4", "--workers", "1", "--run"),
    "multiples": ("multiples", "XX", "3", "--lattice", "own2.toml", "--folder"),
    "pack": ("pack", "XXX", "--lattice", "own2.toml", "--region", "own2.toml:4x4", "--run"),
    "exclude": ("exclude", "XXX", "--lattice", "own2.toml", "--region", "own2.toml:3x3", "--run"),
    "plane": ("plane", "own2.toml", "--cells", "2", "--run"),
}
LEDGERS = sorted(KEEPERS.keys() - {"solve", "count", "count by listing", "apart"})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_lattices(STRAIGHT)
    for name, text in FILES.items():
        Path(f"{name}.toml").write_text(f'name = "{name}"\n{text}')
    for name, lattice in (("shapes", "own2.toml"), ("shipped", "square")):
        Path(f"{name}.toml").write_text(f'name = "{name}"\nlattice = "{lattice}"\n{SHAPES}')
    return tmp_path


def write_lattices(slides: tuple[str, str]) -> None:
    for shipped, own, words in zip(("square", "cubic"), ("own2", "own3"), slides, strict=True):
        text = (SHIPPED / f"{shipped}.toml").read_text()
        Path(f"{own}.toml").write_text(text.replace(f'name = "{shipped}"', f'name = "{own}"\nslides = {words}'))


def kept(keeper: str, *more: str) -> Result:
    *words, option = KEEPERS[keeper]
    return run(*words, *more, option, "kept")


def contents() -> dict[Path, bytes]:
    """What is kept, without the sessions of runs, which are no results."""
    every = [Path("kept")] if Path("kept").is_file() else sorted(Path("kept").rglob("*"))
    return {path: path.read_bytes() for path in every if path.is_file()}


def refused(done: Result, what: str) -> None:
    assert done.returncode == FAILED, done.stdout + done.stderr
    assert "holds an answer to another question: " in done.stderr
    assert what in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("keeper", KEEPERS)
def test_what_is_kept_is_of_one_lattice_and_one_version(
    here: Path, keeper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept(keeper)
    assert first.returncode in (DONE, LIMIT), first.stderr
    assert kept(keeper).returncode == first.returncode
    before = contents()
    if keeper == "common":  # its lattice is shipped
        Path("shipped.toml").write_text(Path("shipped.toml").read_text().replace("[2, 2]", "[2, 1]"))
        refused(kept(keeper), "another shapes")
    else:
        write_lattices(SLANTED)
        dimension = 3 if {"solid.toml", "own3.toml:2x2x2"} & {*KEEPERS[keeper]} else 2
        refused(kept(keeper), f"the lattice 'own{dimension}' has changed since: its slides")
    assert contents().keys() >= before.keys()
    write_lattices(STRAIGHT)
    Path("shipped.toml").write_text(f'name = "shipped"\nlattice = "square"\n{SHAPES}')
    monkeypatch.setattr("latcover.core.cover.question.this_version", lambda: "0.2.9")
    refused(kept(keeper), ", and this is 0.2.9; choose another file")
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert kept(keeper).returncode == first.returncode


@pytest.mark.parametrize("keeper", LEDGERS)
def test_a_ledger_that_was_changed_is_refused(here: Path, keeper: str) -> None:
    kept(keeper)
    path = here / "kept" / "regions.run" if keeper == "multiples" else here / "kept"
    kind, good = ledger_kind(path), path.read_bytes()
    assert kind
    assert len(Ledger(path, kind).records) >= 1
    for what, content in accidents(good).items():
        path.write_bytes(content)
        with pytest.raises(RunFileError, match=r"damaged|not a file that|holds what .* keeps"):
            print(what, Ledger(path, kind).records)
    lines = good.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], *lines[3:]]) if len(lines) > 3 else b"".join([*lines, lines[-1]]))
    done = kept(keeper)
    assert (done.returncode, "is damaged: line" in done.stderr) == (FAILED, True), done.stdout
    path.write_bytes(good + b"torn")
    assert kept(keeper).returncode in (DONE, LIMIT)
    assert path.read_bytes().startswith(good)


@pytest.mark.parametrize(
    ("first", "then", "what"),
    [
        (("--rule", "connected=L"), ("--rule", "separate=L"), "the rules connected=L, not separate=L"),
        ((), ("--given", "L@0,0"), "the given none, not L@"),
        ((), ("--symmetry", "none"), "the symmetry all, not none"),
    ],
)
def test_options_of_a_search(here: Path, first: Sequence[str], then: Sequence[str], what: str) -> None:
    for keeper in ("solve", "solve --best", "apart") if then[0] != "--given" else ("solve",):
        name = "C" if keeper == "apart" else "L"
        kept(keeper, *[word.replace("=L", f"={name}") for word in first])
        done = kept(keeper, *[word.replace("=L", f"={name}") for word in then])
        refused(done, what.replace("=L", f"={name}"))
        Path("kept").unlink()


def test_rules_that_are_edited_in_the_file(here: Path) -> None:
    for keeper, name in (("solve", "flat"), ("count", "tiles"), ("design sets", "family")):
        path = Path(f"{name}.toml")
        kept(keeper)
        text = path.read_text()
        path.write_text(f"{text}[rules]\nno_crossroads = true\n")
        refused(kept(keeper), "of parts of its rules (none, not NoCrossroads)")
        path.write_text(f"title = 'not asked'\n{text}")
        assert kept(keeper).returncode == DONE
        path.write_text(text)
        Path("kept").unlink()


def test_an_atlas_is_of_shapes_not_of_names(here: Path) -> None:
    words = ("atlas", "shapes.toml:O", "--lattice", "own2.toml", "--size", "4", "--rectangles-only", "--run", "kept")
    assert "order: 1 (2x2)" in run(*words).stdout
    path = Path("shapes.toml")
    path.write_text(path.read_text().replace('"O", box = [2, 2]', '"O", art = ["XX", "X."]'))
    assert "order: 2 (2x3)" in run(*words).stdout


def test_slides_that_change_change_no_stored_disassembly(here: Path) -> None:
    """In both directions: what came apart by slides that are there no more, and what was stuck without others."""
    for one, other in ((STRAIGHT, SLANTED), (SLANTED, STRAIGHT)):
        write_lattices(one)
        kept("apart")
        write_lattices(other)
        refused(kept("apart"), "its slides")
        Path("kept").unlink()


# ---- that the tables are complete


def commands_that_keep() -> Iterator[str]:
    root: Any = typer.main.get_command(app)
    for name, command in root.commands.items():
        for own, inner in getattr(command, "commands", {"": command}).items():
            if {"--run", "--folder"} & {option for parameter in inner.params for option in parameter.opts}:
                yield f"{name} {own}".strip()


def _called_or_derived(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        yield from (base.id for base in node.bases if isinstance(base, ast.Name))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield node.func.id
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        yield f"{node.func.value.id}.{node.func.attr}"


def test_every_command_that_keeps_is_here() -> None:
    assert {*commands_that_keep()} == {name.partition(" --")[0].partition(" by")[0] for name in KEEPERS}


def test_every_file_that_is_kept_has_a_question_and_is_here() -> None:
    """Whoever makes a question, or a ledger, is known to this table, and asked below."""
    made = {"Question.of": set[str](), "question_of_search": set[str](), "Ledger": set[str]()}
    for path in ROOT.rglob("*.py"):
        text = path.read_text("utf-8")
        if any(name in text for name in made):  # all others need not be parsed
            for node in ast.walk(ast.parse(text)):
                for name in made.keys() & {*_called_or_derived(node)}:
                    made[name].add(path.stem)
    assert made["Question.of"] == {
        "search_question",
        "cuts",
        "design_run",
        "packing",
        "multiples",
        "common_table",
        "plane_family",
    } | {"atlas_command"}
    assert made["question_of_search"] == {"recipe", "assembling", "best"}
    assert made["Ledger"] == {"kept_optimum", "design_run", "records", "common_table", "plane_family", "atlas_command"}


# ---- every field of every request

Ask = Callable[[Any, Path], object]


def _run(request: Any, path: Path) -> object:
    source = stored_file("fig4-3x3")
    return search_in_file(path, source, Recipe(request, "fig4-3x3", source).prepared(), request)


def _assemble(request: Any, path: Path) -> object:
    source = stored_file("burr-dubois")
    prepared: Any = Recipe(SolveRequest(), "burr-dubois", source).prepared()
    return assemble_in_file(path, source, prepared, request, Events(), bounds=Bounds())


def _cluster(request: Any, path: Path) -> object:
    """The worker has the question of another writer; it reads the puzzle anew."""
    what = Recipe(request, "fig4-3x3", stored_file("fig4-3x3"))
    if not path.exists():
        path.write_bytes(msgspec.msgpack.encode(what.question(what.prepared())))
    question = msgspec.msgpack.decode(path.read_bytes(), type=Question)
    return PackedRun.searcher(PackedRun.of(path, what, question, keeps_solutions=True).content)


def _design(request: Any, path: Path) -> object:
    puzzle, made = load("fig4-3x3"), DesignRecipe(request=request)
    with open_design(path, "x", StoredFile("x.toml", b"", ""), made, made.question(puzzle)):
        return None


def _cut(request: Any, path: Path) -> object:
    grows = isinstance(request, GrowRequest)
    cutter = grower(load("burr-dubois"), "x", request) if grows else Cutter(region_named("cubic:2x2x2"), request)
    made = DesignRecipe(request=request)
    with open_design(path, "x", StoredFile("x.toml", b"", ""), made, cutter.question()):
        return None


def _atlas(request: Any, path: Path) -> object:
    from latcover.apps.cli.commands.atlas_command import _kept

    with _kept(path, request, [[shape_named("trominoes:I")]]):
        return None


def _packed(function: Callable[..., object]) -> Ask:
    region = region_to_pack([shape_named("trominoes:I")], region_named("square:3x3").cells)
    return lambda request, path: function(region, request, run=path)


def _multiples(request: Any, path: Path) -> object:
    return multiples(shape_named("trominoes:I"), request, folder=path)


def _pairs(request: Any, path: Path) -> object:
    return pairs(shapes_named("trominoes"), None, request, run=path)


def _plane(request: Any, path: Path) -> object:
    return [*Classification(request, path)]


QUICK = CommonRequest(effort=5.0, most=6)
ASKS: dict[str, tuple[Struct, Ask]] = {
    "solve": (SolveRequest(), _run),
    "count": (CountRequest(method="enumeration"), _run),
    "count by the frontier": (CountRequest(method="frontier"), _run),
    "assemble": (AssembleRequest(), _assemble),
    "best": (
        BestRequest(objective="gold", sense="maximize", branches=100),
        lambda request, path: best("treasure", request, run=path),
    ),
    "pack": (PackRequest(), _packed(pack)),
    "exclude": (ExcludeRequest(), _packed(exclude)),
    "multiples": (MultiplesRequest(copies=2), _multiples),
    "pairs": (PairsRequest(common=QUICK, processes=1), _pairs),
    "plane": (FamilyRequest(lattice="square", cells=2, processes=1), _plane),
    "atlas": (AtlasRequest(), _atlas),
    "sets": (DesignSetsRequest(), _design),
    "regions": (DesignRegionsRequest(), _design),
    "cut": (CutRequest(parts=2), _cut),
    "grow": (GrowRequest(), _cut),
    "cluster": (SolveRequest(), _cluster),
}


def with_type(kind: type[Struct], changed: str, to: Any) -> type[Struct]:
    """The same struct, one field of which has another type."""
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        default = {"default": field.default, "default_factory": field.default_factory}
        given = () if field.required else (msgspec.field(**default),)  # type: ignore[call-overload]
        fields.append((field.name, to if field.name == changed else field.type, *given))
    return msgspec.defstruct(kind.__name__, fields, frozen=True)


def with_a_field(request: Struct, value: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same request with one more field; files of runs are told of its type."""
    kind = type(request)
    more = msgspec.defstruct(kind.__name__, [("novel", int, 0)], bases=(kind,), frozen=True, kw_only=True)
    if kind in recipe.REQUESTS.values():
        monkeypatch.setitem(recipe.REQUESTS, "count" if kind is CountRequest else "solve", more)
    monkeypatch.setattr(count_file, "_Head", with_type(count_file._Head, "request", more))
    monkeypatch.setattr(design_run, "_About", with_type(design_run._About, "recipe", Any))
    return more(**{name: getattr(request, name) for name in kind.__struct_fields__}, novel=value)


@pytest.mark.parametrize("name", ASKS)
def test_a_field_that_is_added_to_a_request_is_part_of_its_question(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, ask = ASKS[name]
    for _ in range(2):
        ask(with_a_field(request, 1, monkeypatch), tmp_path / "kept")
    with pytest.raises((RunFileError, RefusedError), match="another question: the novel 1, not 2"):
        ask(with_a_field(request, 2, monkeypatch), tmp_path / "kept")


@pytest.mark.parametrize("name", ASKS)
def test_each_field_of_a_request_is_part_of_its_question_unless_it_says_that_it_is_not(name: str) -> None:
    request, _ = ASKS[name]
    kind = type(request)
    beside = kind.BESIDE_THE_QUESTION  # type: ignore[attr-defined]
    assert beside <= {*kind.__struct_fields__}
    asked = Question.of(Method("x"), request)
    for field in kind.__struct_fields__:
        other = msgspec.structs.replace(request)
        force_setattr(other, field, "changed")
        difference = Question.of(Method("x"), other).difference(asked)
        assert (difference == "") is (field in beside), (field, difference)
        assert field in beside or field.replace("_", " ") in difference


BESIDE: dict[str, dict[str, Any]] = {
    "solve": {"anyway": True, "limit": 1, "seconds": 9.0, "images": True},
    "count": {"anyway": True, "seconds": 9.0, "method": "auto", "memory": 100, "disk": 1},
    "count by the frontier": {"anyway": True, "seconds": 9.0, "memory": 100, "disk": 1},
    "assemble": {"anyway": True, "limit": 1, "seconds": 9.0, "images": True, "states": 10**6, "threads": 1},
    "best": {"anyway": True, "branches": 200, "seconds": 9.0, "backend": "dlx", "options": {"threads": 1}},
    "pack": {"seconds": 9.0, "backend": "dlx"},
    "exclude": {"seconds": 9.0, "backend": "dlx"},
    "multiples": {"seconds": 9.0, "copies": 3, "memory": 1, "keep": 1, "check": 0},
    "pairs": {"seconds": 9.0, "processes": 2},
    "plane": {"seconds": 9.0, "processes": 2, "most": 100},
    "atlas": {"seconds": 9.0},
    "sets": {"at_least": 2, "at_most": 3, "sort": "level", "seed": 5, "threads": 1, "memory": 5, "search": "climb"},
    "regions": {"at_least": 2, "symmetric": 2, "search": "sample", "samples": 4, "in_plane": True, "keep": 2},
    "cut": {"first": 4, "walks": 2, "limit": 1, "keep": 3, "seconds": 2.0, "threads": 1},
    "grow": {"first": 4, "walks": 2, "limit": 1, "keep": 3, "seconds": 2.0, "threads": 1},
    "cluster": {"anyway": True, "limit": 1, "seconds": 9.0, "images": True},
}


@pytest.mark.parametrize("name", ASKS)
def test_fields_that_change_no_answer_may_change(name: str, tmp_path: Path) -> None:
    request, ask = ASKS[name]
    ask(request, tmp_path / "kept")
    for field, value in BESIDE[name].items():
        assert field in type(request).BESIDE_THE_QUESTION  # type: ignore[attr-defined]
        if field != "options":
            ask(msgspec.structs.replace(request, **{field: value}), tmp_path / "kept")


def test_kinds_of_files_are_told_apart(here: Path) -> None:
    for keeper in ("solve", "count", "plane"):
        kept(keeper)
        Path("kept").rename(keeper)
    assert is_count(Path("count"))
    for keeper in KEEPERS.keys() - {"multiples"}:
        for other in {"solve", "count", "plane"} - {keeper.partition(" ")[0]}:
            *words, option = KEEPERS[keeper]
            done = run(*words, option, other)
            assert done.returncode == FAILED, (keeper, other, done.stdout)
            assert len(done.stderr.strip().splitlines()) == 1
