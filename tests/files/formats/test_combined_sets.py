"""Several sets in one puzzle, sets that need no file, and numbers of copies of a set as a whole."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import latcover
from latcover.core.model.rules.copies import NO_BOUND, CopiesTogether
from latcover.core.model.rules.rule import rules_of
from latcover.errors import PuzzleError, PuzzleFileError, TooLargeError
from latcover.files.formats.library import load_set, loads
from latcover.files.formats.named_shapes import names_shapes, set_named, shape_named
from latcover.files.formats.puzzle_files.part_names import sized
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.ready_sets import WORDS, offered, ready_called, ready_set
from tests.command_line import run

HEAD = 'name = "p"\nlattice = "square"\n[region]\nbox = [10, 10]\n'
FILLER = '[[parts]]\nname = "filler"\ncount = "unlimited"\ncells = [[0, 0]]\n'


def puzzle_of(*tables: str, head: str = HEAD, filler: str = FILLER) -> latcover.Puzzle:
    return loads(head + "".join(f"[[parts]]\n{table}\n" for table in tables) + filler)


def names_of(*tables: str, head: str = HEAD, filler: str = FILLER) -> list[str]:
    return [part.name for part in puzzle_of(*tables, head=head, filler=filler).parts if part.name != "filler"]


def test_names_in_common_get_sizes() -> None:
    assert names_of('set = "pentominoes"', 'set = "tetrominoes"') == (
        ["F", "I5", "L5", "N", "P", "T5", "U", "V", "W", "X", "Y", "Z", "I4", "L4", "O", "S", "T4"]
    )
    three = names_of('set = "trominoes"', 'set = "tetrominoes"', 'set = "pentominoes"\nonly = ["I", "V"]')
    assert three == ["I3", "V3", "I4", "L", "O", "S", "T", "I5", "V5"]


def test_mirror_images_and_one_sided_sets_get_sizes_too() -> None:
    found = names_of(
        'set = "pentominoes"\none_sided = true\nonly = ["L", "L\'"]', 'set = "tetrominoes"\none_sided = true'
    )
    assert found == ["L5", "L'", "L4", "J", "I", "O", "S", "Z", "T"] or set(found) == {
        "L5", "L'", "I", "L4", "J", "O", "S", "Z", "T",
    }  # fmt: skip
    assert sized("F'", 5) == "F5'"
    assert sized("17", 8) == "8-17"
    assert sized("high 4", 6) == "6-high 4"
    later = names_of('set = "pentominoes"\nonly = ["F", "I"]', 'set = "tetrominoes"', 'mirror_of = "F"')
    assert "F'" in later
    with pytest.raises(PuzzleFileError, match="no part 'I' comes before this one"):
        names_of('set = "pentominoes"', 'set = "tetrominoes"', 'mirror_of = "I"')


def test_a_prefix_comes_before_names() -> None:
    found = names_of('set = "pentominoes"\nonly = ["I", "X"]', 'set = "tetrominoes"\nprefix = "4-"')
    assert found == ["I", "X", "4-I", "4-L", "4-O", "4-S", "4-T"]


@pytest.mark.parametrize(
    ("tables", "fault"),
    [
        (
            ('set = "pentominoes"\nonly = ["I"]', 'set = "pentominoes"\nonly = ["I"]'),
            "the set 'pentominoes' has a part 'I', and another table that takes it has one too; put a prefix before "
            'the names of the set: prefix = "p-"',
        ),
        (
            ('name = "I"\ncells = [[0, 0], [0, 1]]', 'set = "tetrominoes"'),
            "the set 'tetrominoes' has a part 'I', and the puzzle itself has one too",
        ),
        (
            ('name = "I5"\ncells = [[0, 0], [0, 1]]', 'set = "tetrominoes"', 'set = "pentominoes"'),
            "the set 'pentominoes' has a part 'I', and the set 'tetrominoes' has one too",
        ),
        (('name = "I"\ncells = [[0, 0]]', 'name = "I"\ncells = [[0, 0]]'), "a second part is named 'I'"),
        (('set = "polyominoes:4-3"',), "polyominoes:4-3 ends before it begins; write polyominoes:3-4"),
        (('set = "polyominoes:1-12"',), "polyominoes:1-12 holds more than 5,000 shapes; take fewer cells"),
        (('set = "polyhexes:3"',), "the set 'polyhexes:3' is of the lattice 'hexagonal', and this puzzle of 'square'"),
        (('set = "polyominoes"',), "say how many cells the shapes have, as in polyominoes:1-4 or polyominoes:4"),
        (('set = "polyominose:3"',), "did you mean 'polyominoes'"),
        (('set = "polyominoes:3"\nonly = ["I"]',), "the set 'polyominoes:3' has no part 'I'"),
        (('set = "pentominoes"\nchoose = 0',), 'from 1 to 1,000,000, "any", or { min = 3, max = 5 }'),
        (('set = "pentominoes"\nchoose = { most = 3 }',), 'must be a whole number from 1 to 1,000,000, "any"'),
        (('set = "pentominoes"\nchoose = { min = 4, max = 3 }',), "has min = 4, above max = 3"),
        (('set = "pentominoes"\nchoose = 3\ncount = 2',), "cannot be combined with choose; max = n lets each part"),
        (('set = "pentominoes"\nchoose = 13',), "the volume cannot fit"),
        (('set = "pentominoes"\nprefix = "\\u0007"',), "must not hold control characters"),
    ],
)  # fmt: skip
def test_faults_are_told(tables: tuple[str, ...], fault: str) -> None:
    with pytest.raises(PuzzleFileError) as told:
        puzzle_of(*tables)
    assert fault in str(told.value), str(told.value)


def test_puzzles_of_one_file_share_sets() -> None:
    text = (
        'name = "f"\nlattice = "square"\n[[parts]]\nset = "pentominoes"\nonly = ["I"]\n'
        '[[puzzles]]\nname = "a"\nregion = { box = [1, 9] }\n[[puzzles.parts]]\nset = "tetrominoes"\nonly = ["I"]\n'
        '[[puzzles]]\nname = "b"\nregion = { box = [1, 5] }\n'
    )
    a, b = (loads(text, problem=name) for name in "ab")
    assert [part.name for part in a.parts] == ["I5", "I4"]
    assert [part.name for part in b.parts] == ["I"]
    assert latcover.count(a).total == 2


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("polyominoes:1-6", [1, 1, 2, 5, 12, 35]),
        ("polyiamonds:1-6", [1, 1, 1, 3, 4, 12]),
        ("polyhexes:1-5", [1, 1, 3, 7, 22]),
        ("polycubes:1-5", [1, 1, 2, 8, 29]),
        ("polysticks:1-4", [1, 2, 5, 16]),
        ("polyaboloes:1-4", [1, 3, 4, 14]),
        ("kite:1-4", [1, 2, 4, 10]),
        ("polyominoes:5", [12]),
    ],
)
def test_ready_sets_hold_all_shapes(name: str, sizes: list[int]) -> None:
    """The published numbers: OEIS A000105, A000577, A000228, A000162, A019988, A006074, A057786."""
    found = load_set(name)
    per_cell = 2 if name.startswith("polyaboloes") else 1
    lattice = found.lattice
    many = Counter(sum(not lattice.nodes[n].secondary for n in part.cells[:, 0].tolist()) for part in found.parts)
    assert list(many.values()) == sizes
    assert {*many} == {k * per_cell for k in range(max(many) // per_cell - len(sizes) + 1, max(many) // per_cell + 1)}
    assert len({part.name for part in found.parts}) == len(found.parts)
    assert [part.number for part in found.parts] == list(range(len(found.parts)))


def test_ready_sets_have_the_usual_letters_with_their_size() -> None:
    usual = [part.name for part in load_set("polyominoes:1-4").parts]
    assert usual == ["I1", "I2", "I3", "V3", "I4", "L4", "O4", "S4", "T4"]
    both = [part.name for part in load_set("polyominoes:4", one_sided=True).parts]
    assert both == ["I4", "L4", "J4", "O4", "S4", "Z4", "T4"]
    assert {"F5", "5-L1", "5-J1"} <= {part.name for part in load_set("polycubes:5").parts}
    assert [part.name for part in load_set("polyominoes:7").parts][:2] == ["7-1", "7-2"]


def test_ready_sets_serve_wherever_a_set_is_named() -> None:
    assert names_shapes("polyominoes:1-5")
    assert names_shapes("polyominoes:1-5:F5")
    assert not names_shapes("dominoes-square:5")
    assert shape_named("polyominoes:1-5:F5").size == 5
    assert len(set_named("polyominoes:5").parts) == len(latcover.pieces("polyominoes:5").parts) == 12
    assert ready_called("square:3") is not None
    assert ready_called("nowhere:3") is None
    assert {each.word for each in offered()} == {*WORDS}
    listed = run("list", "sets").stdout
    assert "polyominoes:M-N" in listed
    assert "polyaboloes:M-N  all shapes of M to N half squares" in " ".join(listed.split()).replace(
        "polyaboloes:M-N ", "polyaboloes:M-N  "
    )
    shown = run("show", "polyominoes:1-2", "--no-color").stdout
    assert "I1" in shown
    with pytest.raises(TooLargeError, match="polyominoes:1-40 holds more than 5,000 shapes"):
        ready_set("polyominoes:1-40")
    with pytest.raises(PuzzleError, match="say how many cells the shapes have"):
        load_set("polycubes")


def test_flat_shapes_in_space_and_both_hands() -> None:
    head = 'name = "p"\nlattice = "cubic"\n[region]\nbox = [4, 4, 4]\n'
    filler = FILLER.replace("[[0, 0]]", "[[0, 0, 0]]")
    assert names_of('set = "polyominoes:3"', head=head, filler=filler) == ["I3", "V3"]
    eight = names_of('set = "polycubes:4"', head=head, filler=filler)
    assert len(eight) == 8
    free = names_of('set = "polycubes:4"\ntransformations = "reflections"', head=head, filler=filler)
    assert len(free) == 7  # of the two hands of the screw one
    assert len(names_of('set = "polyominoes:4"\none_sided = true')) == 7
    turned = puzzle_of('set = "polyominoes:4"\none_sided = true').parts[0]
    assert all(motion.proper for motion in turned.transformations)


def test_choices_of_a_set_as_a_whole() -> None:
    def chosen(table: str) -> tuple[list[tuple[int, int | None]], list[tuple[int, int]]]:
        puzzle = puzzle_of(f'set = "tetrominoes"\n{table}')
        rules = [rule for rule in rules_of(puzzle) if isinstance(rule, CopiesTogether)]
        assert all(rule.parts == ("I", "L", "O", "S", "T") for rule in rules)
        return [(part.low, part.high) for part in puzzle.parts[:1]], [(rule.min, rule.max) for rule in rules]

    assert chosen("choose = 3") == ([(0, 1)], [(3, 3)])
    assert chosen('choose = "any"') == ([(0, 1)], [])
    assert chosen("choose = { min = 2 }") == ([(0, 1)], [(2, NO_BOUND)])
    assert chosen("choose = { min = 1, max = 2 }") == ([(0, 1)], [(1, 2)])
    assert chosen("choose = 4\nmax = 2") == ([(0, 2)], [(4, 4)])
    assert chosen('choose = 4\ncount = "unlimited"') == ([(0, None)], [(4, 4)])
    assert chosen('count = "unlimited"') == ([(0, None)], [])


def test_chosen_parts_are_counted_and_written() -> None:
    """Of the pentominoes five that fill a square of five by five: 107 ways, as every pentomino has five cells."""
    head = HEAD.replace("[10, 10]", "[5, 5]")
    puzzle = puzzle_of('set = "pentominoes"\nchoose = 5', head=head, filler="")
    assert latcover.count(puzzle).different == 107
    again = loads(puzzle_as_toml([puzzle]))
    assert rules_of(again) == rules_of(puzzle)
    with pytest.raises(PuzzleFileError, match="with so many copies as the rule 'copies' asks for together"):
        puzzle_of('set = "pentominoes"\nchoose = 4', head=head, filler="")
    mixed = puzzle_of(
        'set = "pentominoes"\nchoose = { max = 3 }', 'set = "tetrominoes"\nchoose = { min = 4 }', head=head, filler=""
    )
    listed = list(latcover.solutions(mixed, choices=latcover.Choices("none")))
    assert listed
    for solution in listed:
        sizes = Counter(len(placed.cells) for placed in solution.placements)
        assert sizes[5] <= 3
        assert sizes[4] >= 4


def test_confined_sets(tmp_path: Path) -> None:
    puzzle = puzzle_of(
        'set = "tetrominoes"\nonly = ["O"]\nwithin = { box = [2, 3], at = [4, 4] }\nkeep_off = [{ cells = [[4, 4]] }]'
    )
    ways = {
        placed.cells
        for s in latcover.solutions(replace_region(puzzle))
        for placed in s.placements
        if placed.part == "O"
    }
    assert ways == {((0, 4, 5), (0, 4, 6), (0, 5, 5), (0, 5, 6))}
    text = puzzle_as_toml([puzzle])
    assert "[parts.within]" in text
    assert "[parts.keep_off]" in text
    path = tmp_path / "set.toml"
    path.write_text('lattice = "square"\n[[parts]]\nname = "a"\ncells = [[0, 0]]\nwithin = { box = [1, 1] }\n')
    with pytest.raises(PuzzleFileError, match="names cells of a region, and a set has none"):
        load_set(str(path))


def replace_region(puzzle: latcover.Puzzle) -> latcover.Puzzle:
    """The puzzle on a smaller region, which is listed at once."""
    from msgspec.structs import replace

    cells = [(x, y) for x in range(4, 6) for y in range(4, 7)]
    return replace(puzzle, region=latcover.Region(cells, lattice=puzzle.lattice))
