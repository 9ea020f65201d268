"""One palette for every picture: sober colours that colour-blind people can tell apart too.

Twelve wanted colours (blue, gold, brick, green, plum, sky …) were moved a little, by a search over quiet colours of
OKLCH, for the greatest least distance in CIELAB as seen by people with normal sight, deuteranopia, protanopia and
tritanopia (simulated as Machado, Oliveira and Fernandes 2009 do, severity 1). The colours of the second dozen are then
as far from the others as possible. All of them stand out on white and on the ground of dark pages. A test checks this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import hypot

from latcover.model.colour_names import named

RGB = tuple[int, int, int]

COLOURS: tuple[RGB, ...] = (
    (83, 133, 216),
    (251, 211, 99),
    (143, 58, 24),
    (160, 198, 120),
    (103, 59, 133),
    (149, 211, 254),
    (199, 117, 34),
    (42, 94, 77),
    (237, 156, 181),
    (230, 232, 194),
    (112, 114, 139),
    (160, 135, 107),
    (149, 173, 249),
    (101, 144, 135),
    (191, 131, 80),
    (199, 162, 207),
    (113, 106, 63),
    (69, 91, 177),
    (204, 244, 164),
    (191, 193, 156),
    (128, 236, 241),
    (198, 167, 80),
    (154, 134, 192),
    (145, 91, 0),
)
PAPER: RGB = (244, 244, 240)  # for what has no colour
BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)
COPIES = (1.0, 1.4, 0.82, 1.65)  # brightness of a part's copies, which all have the part's hue
PATTERNS = 12
DARK = 0.06  # of luminance: dark lines cannot be seen on colours that are darker
ALIKE = 20.0  # in CIELAB: colours of cells differ by more, as long as the palette has such colours
LEVELS = (0, 95, 135, 175, 215, 255)  # of the colour cube of a terminal with 256 colours


def colour(number: int, copy: int = 1) -> RGB:
    """The colour of part *number*. Colours repeat after `COLOURS`; then `pattern` distinguishes the parts.

    Copies, counted from 1, have lighter and darker shades of it.
    """
    return copies_of(COLOURS[number % len(COLOURS)], copy) if number >= 0 else PAPER


def copies_of(rgb: RGB, copy: int) -> RGB:
    """The shade of a part's colour that a copy has, counted from 1."""
    return shaded(rgb, COPIES[(copy - 1) % len(COPIES)])


def cell_colours(names: Sequence[str]) -> tuple[RGB, ...]:
    """The colours of a puzzle's cells, by their names. The empty name stands for no colour, and gives `PAPER`.

    A name such as "black" or "dark red" gives this colour. Any other name gives the palette's colour of its number, or
    the next one that is not too similar to the colours before.
    """
    found = _chosen([name or None for name in names], -1)
    return tuple(PAPER if rgb is None else rgb for rgb in found)


def part_colours(names: Sequence[str]) -> tuple[RGB, ...]:
    """The colours of a puzzle's parts. *names* are those that the puzzle names, "" for a part without one.

    A part without one has the palette's colour of its number, as long as no named colour is similar to it.
    """
    if not any(names):
        return tuple(COLOURS[number % len(COLOURS)] for number in range(len(names)))
    return tuple(rgb or PAPER for rgb in _chosen(names, 0))


def _chosen(names: Sequence[str | None], first: int) -> list[RGB | None]:
    """A colour for each name; those that name none get one of the palette's, by their number. None stays None."""
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


def pattern(number: int) -> int:
    """The pattern that part *number* always has: 0 (none) until the colours repeat."""
    return number // len(COLOURS) % PATTERNS if number >= 0 else 0


def own_pattern(number: int) -> int:
    """The pattern of part *number* if the user wants patterns: consecutive parts have different ones."""
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
    """As the web writes it: #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def luminance(rgb: RGB) -> float:
    """Relative luminance, from 0 to 1 (WCAG 2)."""
    red, green, blue = linear(rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def is_dark(rgb: RGB) -> bool:
    """Whether a dark line can hardly be seen on *rgb*."""
    return luminance(rgb) < DARK


def in_space(rgb: RGB) -> RGB:
    """*rgb* for solids. Dark colours become lighter, because light and shade cannot be seen on black."""
    return shaded(rgb, 1.16) if is_dark(rgb) else rgb


def ink(rgb: RGB) -> RGB:
    """Black or white, whichever stands out more on *rgb*."""
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
    """*rgb* on a terminal with 256 colours: the nearest of its colour cube and its greys."""
    return min(range(16, 256), key=lambda code: distance(terminal_rgb(code), rgb))


def terminal_rgb(code: int) -> RGB:
    """What a terminal shows for one of its colours from 16 on."""
    if code >= 232:
        grey = 8 + 10 * (code - 232)
        return grey, grey, grey
    red, rest = divmod(code - 16, 36)
    return LEVELS[red], LEVELS[rest // 6], LEVELS[rest % 6]


def painted(text: str, rgb: RGB) -> str:
    """*text* on a terminal, with the background *rgb*, as closely as a terminal of 256 colours has it."""
    background = terminal_number(rgb)
    foreground = 16 if ink(terminal_rgb(background)) == BLACK else 231
    return f"\x1b[48;5;{background};38;5;{foreground}m{text}\x1b[0m"
