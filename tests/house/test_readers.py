"""Every file that a user names is opened by one owner, which takes regular files alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.test_rooms import modules

READS = {"read_text", "read_bytes", "open", "connect", "fromfile", "loadtxt", "memmap"}
OWNER = "latcover.system.reading"
OTHERS = {  # and what they open
    "latcover.apps.cli.main": "the null device, to write",
    "latcover.apps.cli.shared.help_table": "what is shipped",
    "latcover.apps.web.app": "what is shipped",
    "latcover.apps.web.catalogue": "what is shipped",
    "latcover.backends.wasm": "what is shipped",
    "latcover.backends.wasm.make": "the sources of the module",
    "latcover.core.cover.ledger": "a ledger that was read before, to write",
    "latcover.apps.cli.commands.serve_command": "the browser",
    "latcover.files.formats.burrtools.tree": "the bytes of a source",
    "latcover.files.formats.cover_problems.linear": "what is shipped",
    "latcover.files.formats.cover_problems.npz": "the bytes of a source",
    "latcover.files.formats.puzzlecad.scad": "what is shipped",
    "latcover.files.formats.shelves": "what is shipped",
    "latcover.files.formats.source": "what is shipped",
    "latcover.lab.asking.proof_child": "the clauses of its parent, and its own output",
    "latcover.lab.exploring.records": "a file of records that was read before",
    "latcover.lab.runs.opening": "a regular file, by SQLite; it is looked at before",
    "latcover.lab.runs.run_file": "a new file, to write",
    "latcover.lab.runs.run_tables": "what is shipped; and a database in memory",
    "latcover.show.drawing.space.linking": "what is shipped",
    "latcover.system.extras": "the metadata of what is installed",
    "latcover.system.files": "what is written",
    "latcover.system.machine": "files of the system",
    "latcover.system.processes": "files of the system",
    "latcover.system.streams": "what is written",
}


def _calls(tree: ast.AST) -> Iterator[str]:
    """The calls that may open a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in READS:
                yield f"{name} in line {node.lineno}"


def test_files_are_opened_by_their_owner_alone() -> None:
    found = {name: [*_calls(ast.parse(path.read_bytes()))] for name, path in modules().items() if name != OWNER}
    opening = {name: calls for name, calls in found.items() if calls}
    unknown = {name: calls for name, calls in opening.items() if name not in OTHERS}
    assert not unknown, f"{unknown}: take latcover.system.reading, or say here what is opened"
    gone = OTHERS.keys() - opening.keys()
    assert not gone, f"{gone} open nothing any more"
