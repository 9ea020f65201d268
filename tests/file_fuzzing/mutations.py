"""Changing files at random, whatever they hold: bits and bytes, numbers and words, lines and blocks of lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

MOST_BYTES = 60_000  # of what comes of a mutation: longer files cost time and reach no more
Change = Callable[[Random, bytes, Sequence[bytes]], bytes]

NUMBERS = (
    *(b"0", b"-1", b"1", b"2", b"3", b"-0", b"00", b"1.5", b"1e6", b"255", b"1000", b"65536", b"1000000", b"1_000"),
    *(b"2147483647", b"2147483648", b"-2147483648", b"-2147483649", b"4294967295", b"4294967296", b"1073741824"),
    *(b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"18446744073709551616"),
    *(b"1e309", b"-1e309", b"1e-320", b"nan", b"inf", b"-inf", b"NaN", b"Infinity", b"0x7fffffff", b"0.1"),
    *(b"1" + b"0" * 400, b"9" * 5000, b"\xd9\xa1", b"\xc2\xb2", b"1979-05-27", b"true"),
)
ODD = (
    *(b"\x00", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"\xf0\x9f\xa7\xa9", b"\xc3"),
    *(b"\r", b"\r\n", b"\n", b"\n\n", b"\t", b" ", b"\x0b", b"\x0c", b"\x1b[2J", b"\x7f", b"\xe2\x80\xa8", b"\xc2\x85"),
    *(b'"', b"'", b'"""', b"\\", b"#", b"|", b":", b"=", b",", b".", b";", b"%", b"&", b"&#0;", b"&amp;", b"<", b">"),
    *(b"[", b"]", b"{", b"}", b"[[", b"]]", b"(", b")", b"+", b"_", b"-", b"*", b"X", b"x1", b"~", b"s ", b"v ", b"c "),
)
_NUMBER = re.compile(rb"[-+]?\d[\d.]*")
_WORD = re.compile(rb"[A-Za-z_][\w-]*")
_QUOTED = re.compile(rb'"[^"\n]*"')


def changed(random: Random, content: bytes, others: Sequence[bytes], changes: Sequence[Change] = ()) -> bytes:
    """*content* after one to a few changes; *others* are files that pieces may come from."""
    known = changes or CHANGES
    for _ in range(_few(random)):
        content = random.choice(known)(random, content, others)[:MOST_BYTES]
    return content


def _few(random: Random) -> int:
    return 1 if random.random() < 0.6 else random.randint(2, 5)


def _span(random: Random, content: bytes, most: int = 64) -> tuple[int, int]:
    start = random.randint(0, len(content))
    return start, min(len(content), start + random.randint(1, most))


def _flip(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    if not content:
        return content
    found = bytearray(content)
    found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found)


def _overwrite(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(random, content, 8)
    return content[:start] + random.randbytes(end - start) + content[end:]


def _insert(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + random.choice(ODD) * random.choice((1, 1, 1, 2, 3, 40)) + content[at:]


def _delete(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(random, content)
    return content[:start] + content[end:]


def _repeat(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(random, content)
    return content[:start] + content[start:end] * random.choice((2, 2, 3, 10, 500)) + content[end:]


def _truncate(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] if random.random() < 0.7 else content[at:]


def _splice(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    return content[: random.randint(0, len(content))] + other[random.randint(0, len(other)) :]


def _swapped(pattern: re.Pattern[bytes], random: Random, content: bytes, into: bytes) -> bytes:
    """Put *into* in place of one match, or of all that are equal to it."""
    found = list(pattern.finditer(content))
    if not found:
        return content
    match = random.choice(found)
    if random.random() < 0.1 and match[0]:
        return content.replace(match[0], into)
    return content[: match.start()] + into + content[match.end() :]


def _number(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    return _swapped(_NUMBER, random, content, random.choice(NUMBERS))


def _near_number(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"-?\d{1,9}", content))
    if not found:
        return content
    match = random.choice(found)
    near = int(match[0]) + random.choice((-2, -1, 1, 2))
    return content[: match.start()] + str(near).encode() + content[match.end() :]


def _word(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """Another word in place of one: from this file, or from another."""
    words = _WORD.findall(content if random.random() < 0.5 else random.choice(others)[:MOST_BYTES])
    return _swapped(_WORD, random, content, random.choice(words)) if words else content


def _quoted(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
    texts = _QUOTED.findall(content if random.random() < 0.5 else random.choice(others)[:MOST_BYTES])
    texts += [b'""', b'" "', b'"' + random.choice(ODD) + b'"', b'"' + b"long" * 100 + b'"', b"0", b"[]", b"{}"]
    return _swapped(_QUOTED, random, content, random.choice(texts))


def _lines(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """Some lines deleted, doubled, moved elsewhere, or taken from another file."""
    lines = content.split(b"\n")
    start = random.randrange(len(lines))
    end = min(len(lines), start + random.choice((1, 1, 1, 2, 4, 8)))
    block, rest = lines[start:end], lines[:start] + lines[end:]
    at = random.randint(0, len(rest))
    kind = random.randrange(5)
    if kind == 1:
        return b"\n".join(lines[:end] + block * random.choice((1, 1, 2, 300)) + lines[end:])
    if kind == 2:
        return b"\n".join(rest[:at] + block + rest[at:])
    if kind == 3:
        block = random.choice(random.choice(others)[:MOST_BYTES].split(b"\n\n")).split(b"\n")
        return b"\n".join(lines[:start] + block + lines[start:])
    if kind == 4:
        joint = random.choice((b"", b" ", b"\r\n"))
        return b"\n".join(lines[:start]) + b"\n" + joint.join(block) + b"\n" + b"\n".join(lines[end:])
    return b"\n".join(rest)


def _nest(random: Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """Brackets within brackets, closed or not."""
    at = random.randint(0, len(content))
    depth = random.choice((3, 100, 2000))
    opening, closing = random.choice(((b"[", b"]"), (b"{", b"}"), (b"<a>", b"</a>"), (b"(", b")"), (b'{"a":', b"}")))
    inner = opening * depth + random.choice((b"", closing * depth))
    return content[:at] + inner + content[at:]


CHANGES: tuple[Change, ...] = (
    *(_flip, _overwrite, _insert, _insert, _delete, _repeat, _truncate, _splice),
    *(_number, _number, _near_number, _near_number, _word, _word, _quoted, _lines, _lines, _nest),
)
RAW: tuple[Change, ...] = (_flip, _flip, _overwrite, _overwrite, _insert, _delete, _repeat, _truncate, _splice)
