"""Advice about options of the command line, in the words of the app. Rooms below the app give advice for both.

`tests/apps/web/test_app_words.py` finds every message that may reach a page, and holds that none names such an option.
"""

from __future__ import annotations

import re

WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (
            r"; raise (?:the bound|it) with --max-\w+",
            "; the server takes no more, but latcover on the command line does",
        ),
        (
            r"(?:allow more with --memory, or )?(?:draw|pick) (\w+)(?: at random)? with --search sample",
            r"pick \1 at random",
        ),
        (r"; allow more with --memory(?: or --disk)?", "; the server has no more memory for it"),
        (r"; give --holes (\S+) or more", r"; allow \1 empty cells or more"),
        (r"\. Give --holes N, so that", ". Allow empty cells inside, so that"),
        (r", or leave --keep-outside out", ", or let cells at the outside change too"),
        (r"; leave out --one-order, or --turns", "; ask for one order, or for turns, but not for both"),
        (r"; leave --turns out", "; let them slide"),
        (r"; with --hard they grow", "; if you aim for a long search, they grow"),
        (r"; leave --limit and --max-branches out", "; leave the limits out"),
        (r"; leave --search and --samples out", "; examine all of them"),
        (
            r"--search climb goes (.*); take --search sample for many",
            r"improving sets goes \1; take a random sample for many",
        ),
        (
            r"--samples and --max-branches (.*); leave --search all out",
            r"the number of sets and the limit \1; examine a sample",
        ),
        (r"; --in-plane asks whether they come apart within it", ""),
        (r"; choose one that comes apart with --solution N", "; choose one that comes apart"),
        (r"; choose one with --(?:problem|goal)", "; choose one above the pages"),
        (r" Choose one with --goal", " Choose one above the pages"),
        (r"--given is about one puzzle; choose a goal with --goal", "conditions are about one puzzle; choose a goal"),
        (r", or is imported with --lattice", ""),
        (r"; give a --limit, or add rules", "; set the solution limit, or add rules"),
        (r"--parts says", "the number of parts says"),
        (r"; take --search all", "; examine all of them"),
        (r"; --problem takes one", "; open one by itself"),
        (r"; write a puzzle: latcover import .*", "; draw one in the app, and add these parts to it"),
        (r", as `latcover pieces [^`]*` numbers them", ""),
        (r", or count them: `latcover sequence`", ""),
        (r"`latcover list` names the", "the page Start shows the"),
        (r"; `latcover show --output` makes pictures and models", "; the page Solve saves pictures and models"),
        (r"; to write a file of this name, give --output \S+", ""),
        (r" \(and (\S+) more; `latcover check` lists them all\)", r" (and \1 more)"),
        (r"; leave --backend and its options out", "; choose no backend"),
        (r"count by enumeration \(--method enumeration\)", "find solutions instead of counting them"),
        (r" \(--limit 1\)", "; set the solution limit to 1"),
        (
            r"compare --symmetry all; if (.*), compare --symmetry rotations",
            r"count images as the same; if \1, count rotations only",
        ),
        (r"let --symmetry make the problem smaller", "count images as the same"),
        (r"; name two shapes, or ask for --galvagni or --symmetric N", "; name two shapes"),
        (r"; leave --lattice out", ""),
        (r"more --time\b", "it more time"),
        (r"(another|other) --method", r"\1 method"),
    )
)


def in_app_words(text: str) -> str:
    """The same message with advice that can be followed in the app."""
    for pattern, words in WORDS:
        text = pattern.sub(words, text)
    return text
