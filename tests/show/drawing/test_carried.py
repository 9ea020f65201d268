"""Words that carry a puzzle in an address, as the pages make and read them."""

from __future__ import annotations

import json
import subprocess
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from benchmarks.wasm import node
from latcover.files.formats.library import load
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.show.drawing.space.linking import linked
from tests.javascript import needs_node

ASKED = """
const [texts, words] = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const told = (work) => work.catch((fault) => `${fault.constructor.name}: ${fault.message}`);
Promise.all([
    Promise.all(texts.map((text) => told(module_carried.wordOf(text)))),
    Promise.all(words.map((word) => told(module_carried.textOf(word)))),
]).then((answer) => process.stdout.write(JSON.stringify(answer)));
"""


def word_of(text: str) -> str:
    return urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def told(texts: list[str], words: list[str]) -> list[list[str]]:
    """The words of texts, and the texts of words; or what is wrong."""
    script = f"{linked('carried')}\n{ASKED}"
    command, given = [str(node()), "-e", script], json.dumps([texts, words])
    ran = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True)
    found: list[list[str]] = json.loads(ran.stdout)
    return found


@needs_node
def test_words_carry_texts_and_what_is_wrong_with_others_is_said() -> None:
    texts = [puzzle_as_toml([load("soma")]), "ä → 𝄞\n", ""]
    good = [word_of(text) for text in texts]
    bad = [good[0][:-4], good[0][:20] + "-" + good[0][21:], good[0] + "=", "A" * 9000, word_of(" " * 3_000_000)]
    words, found = told(texts, good + bad)
    assert [zlib.decompress(urlsafe_b64decode(word + "==")).decode() for word in words] == texts
    assert found[:3] == texts
    assert [answer.partition(" ")[0] for answer in found[3:]] == ["CarryingFault:"] * len(bad)
    assert ["damaged" in answer for answer in found[3:]] == [True, True, True, False, False]


@needs_node
def test_a_puzzle_that_is_too_large_is_named_so() -> None:
    dust = "".join(f"{k * 7919 % 99991} " for k in range(9000))
    assert "too large for a link" in told([dust], [])[0][0]
