"""One palette for all pictures: muted colours that colour-blind people can also tell apart.

The first twelve colours (blue, gold, brick, green, plum, sky …) were adjusted by a search over muted colours of OKLCH
that maximised the least distance in CIELAB, as seen with normal sight, deuteranopia, protanopia and tritanopia
(simulated as in Machado, Oliveira and Fernandes 2009, severity 1). The second dozen is as far from the others as
possible. All colours contrast with white and with the background of dark pages. A test checks this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import hypot

from latcover.core.model.colour_names import named

RGB = tuple[int, int, int]


def _colours(written: str) -> tuple[RGB, ...]:
    return tuple((red, green, blue) for red, green, blue in map(bytes.fromhex, written.split()))


COLOURS = _colours(
    "5385d8 fbd363 8f3a18 a0c678 673b85 95d3fe c77522 2a5e4d ed9cb5 e6e8c2 70728b a0876b"
    " 95adf9 659087 bf8350 c7a2cf 716a3f 455bb1 ccf4a4 bfc19c 80ecf1 c6a750 9a86c0 915b00"
)
HEAT = _colours("ffffff 9dbdf0 3a68b8 12294f")
PAPER: RGB = (244, 244, 240)  # for items without a colour
BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)
COPIES = (1.0, 1.4, 0.82, 1.65)  # the brightness of a part's copies
# The path of each pattern on its tile, and the angle of its rotation. The first pattern is empty.
MARKS: tuple[tuple[str, int], ...] = (
    ("", 0),
    ("M0 4H8", 45),
    ("M0 4H8", 0),
    ("M0 4H8M4 0V8", 0),
    ("M3 3h2v2h-2z", 0),
    ("M0 4H8", 135),
    ("M0 4H8", 90),
    ("M0 4H8M4 0V8", 45),
    ("M0 2H8M0 4H8", 45),
    ("M0 4H4", 0),
    ("M0 2H8M0 4H8", 135),
    ("M2 6L4 2L6 6", 0),
)
PATTERNS = len(MARKS)
DARK = 0.06  # luminance: dark lines are invisible on darker colours
ALIKE = 20.0  # in CIELAB: colours of cells differ by more if the palette allows
LEVELS = (0, 95, 135, 175, 215, 255)  # of the colour cube of a terminal with 256 colours


def colour(number: int, copy: int = 1) -> RGB:
    """The colour of part *number*, in the shade of *copy*, from 1. `pattern` tells parts with equal colours apart."""
    return copies_of(COLOURS[number % len(COLOURS)], copy) if number >= 0 else PAPER


def copies_of(rgb: RGB, copy: int) -> RGB:
    """The shade of a part's colour for *copy*, from 1."""
    return shaded(rgb, COPIES[(copy - 1) % len(COPIES)])


def cell_colours(names: Sequence[str]) -> tuple[RGB, ...]:
    """The colours of a puzzle's cells, by their names; `PAPER` for the empty name.

    Names such as "black" and "dark red" give these colours. Any other name gives the palette's colour of its number, or
    the next one that is not too similar to earlier colours.
    """
    return tuple(rgb or PAPER for rgb in _chosen([name or None for name in names], -1))


def part_colours(names: Sequence[str]) -> tuple[RGB, ...]:
    """The colours of a puzzle's parts. *names* are the colours that the puzzle gives, "" for none.

    A part without a name has the palette's colour of its number, unless a named colour is similar.
    """
    if not any(names):
        return tuple(COLOURS[number % len(COLOURS)] for number in range(len(names)))
    return tuple(rgb or PAPER for rgb in _chosen(names, 0))


def _chosen(names: Sequence[str | None], first: int) -> list[RGB | None]:
    """A colour for each name: the named one, or the palette's by its number. None stays None."""
    known = [None if name is None else named(name) for name in names]
    taken = [rgb for rgb in known if rgb is not None]
    found: list[RGB | None] = []
    for number, (name, rgb) in enumerate(zip(names, known, strict=True), first):
        if rgb is None and name is not None:
            turns = [*COLOURS[number % len(COLOURS) :], *COLOURS[: number % len(COLOURS)]]
            rgb = next((each for each in turns if all(distance(each, other) > ALIKE for other in taken)), turns[0])
            taken.append(rgb)
        found.append(rgb)
    return found


def heat(share: float) -> RGB:
    """White for 0, then a blue that gets darker up to 1, fast at first; the same for colour-blind people."""
    at = share**0.5 * (len(HEAT) - 1)
    low, high = HEAT[int(at)], HEAT[min(int(at) + 1, len(HEAT) - 1)]
    return _rgb(a + (b - a) * (at - int(at)) for a, b in zip(low, high, strict=True))


def pattern(number: int) -> int:
    """The pattern of part *number*: 0 (none) until the colours repeat."""
    return number // len(COLOURS) % PATTERNS if number >= 0 else 0


def own_pattern(number: int) -> int:
    """The pattern of part *number* if the user wants patterns; those of consecutive parts differ."""
    return (number + number // PATTERNS) % PATTERNS if number >= 0 else 0


def shaded(rgb: RGB, brightness: float) -> RGB:
    """*rgb* darker (below 1), or mixed with white (above 1, up to 2)."""
    if brightness <= 1:
        return _rgb(channel * max(0.0, brightness) for channel in rgb)
    return _rgb(channel + (255 - channel) * min(1.0, brightness - 1) for channel in rgb)


def _rgb(channels: Iterable[float]) -> RGB:
    red, green, blue = (round(channel) for channel in channels)
    return red, green, blue


def hexadecimal(rgb: RGB) -> str:
    """The colour as #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def luminance(rgb: RGB) -> float:
    """Relative luminance, from 0 to 1 (WCAG 2)."""
    red, green, blue = linear(rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def is_dark(rgb: RGB) -> bool:
    """Whether dark lines are hard to see on *rgb*."""
    return luminance(rgb) < DARK


def in_space(rgb: RGB) -> RGB:
    """*rgb* for solids; dark colours become lighter, since shading is invisible on black."""
    return shaded(rgb, 1.16) if is_dark(rgb) else rgb


def ink(rgb: RGB) -> RGB:
    """Black or white, whichever contrasts more with *rgb*."""
    here = luminance(rgb) + 0.05
    return BLACK if here / 0.05 >= 1.05 / here else WHITE


def linear(rgb: RGB) -> tuple[float, float, float]:
    """sRGB without its gamma, each channel from 0 to 1."""
    red, green, blue = (c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb)
    return red, green, blue


def lab_of_linear(channels: tuple[float, float, float]) -> tuple[float, float, float]:
    """CIELAB (D65) of linear sRGB."""
    red, green, blue = channels
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: RGB, other: RGB) -> float:
    """The distance in CIELAB."""
    (a, b, c), (d, e, f) = (lab_of_linear(linear(rgb)) for rgb in (one, other))
    return hypot(a - d, b - e, c - f)


@cache
def terminal_number(rgb: RGB) -> int:
    """The nearest colour to *rgb* among the colour cube and the greys of a terminal with 256 colours."""
    return min(range(16, 256), key=lambda code: distance(terminal_rgb(code), rgb))


def terminal_rgb(code: int) -> RGB:
    """The colour that a terminal shows for *code*, from 16."""
    if code >= 232:
        grey = 8 + 10 * (code - 232)
        return grey, grey, grey
    red, rest = divmod(code - 16, 36)
    return LEVELS[red], LEVELS[rest // 6], LEVELS[rest % 6]


def painted(text: str, rgb: RGB) -> str:
    """*text* on a terminal of 256 colours, with the background nearest to *rgb*."""
    background = terminal_number(rgb)
    foreground = 16 if ink(terminal_rgb(background)) == BLACK else 231
    return f"\x1b[48;5;{background};38;5;{foreground}m{text}\x1b[0m"
