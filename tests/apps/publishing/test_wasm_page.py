"""The engine in a page without a server: a worker from the page's own code searches, is ended at once, and goes on."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from benchmarks.wasm import as_arrays
from latcover.backends.wasm import module, script
from latcover.core.encoding.prepared import prepare
from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load
from latcover.lab.assembly.geometry import sliding_data
from latcover.lab.assembly.taking_apart import disassemble
from tests import web_browser as app

browser, tab = app.browser, app.tab


@pytest.mark.long
def test_a_page_from_a_file_searches_and_takes_apart(tab: Any, tmp_path: Path) -> None:
    soma = load("soma")
    solution = next(iter(solutions(soma)))
    given = {
        "soma": as_arrays(prepare(soma).problem),
        "bedlam": as_arrays(prepare(load("bedlam")).problem),
        "geometry": sliding_data(soma, solution.placements),
        "bytes": b64encode(module()).decode(),
    }
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><script>{script()}</script><script>const given = {json.dumps(given)};</script>")
    tab.goto(page.as_uri())
    told = tab.evaluate(
        """async () => {
            const { Engine, EngineWorker, EngineError } = globalThis.latcover;
            const bytes = Uint8Array.from(atob(given.bytes), (letter) => letter.charCodeAt(0));
            const engine = new EngineWorker(bytes);
            const into = (list) => ({ onCovers: (covers) => void list.push(...covers.map((cover) => [...cover])) });
            const found = [];
            const all = engine.search(given.soma, {}, into(found));
            const plan = engine.takeApart(given.geometry); // waits for the search
            const answer = await all;
            const here = [];
            (await Engine.load(bytes)).search(given.soma, {}, into(here));
            const same = JSON.stringify(found) === JSON.stringify(here);
            // A search of many seconds is ended by its first report.
            const cut = await engine.search(given.bedlam, {}, { onProgress: () => engine.stop() });
            const refused = await engine.search({ ...given.soma, items: [7] }).catch((error) => error);
            const again = await engine.search(given.soma, { counts: true });
            engine.close();
            const closed = await engine.search(given.soma).catch((error) => error);
            return {
                answer, cut, again, same, plan: await plan, n: found.length,
                refused: refused instanceof EngineError && refused.message,
                closed: closed instanceof EngineError && closed.message,
            };
        }"""
    )
    assert (told["answer"]["stop"], told["answer"]["covers"], told["n"]) == ("exhausted", 240, 240)
    assert told["same"]  # on the page itself and in its worker
    plan = disassemble(solution).as_json()
    of_turns = {"turning", "turns", "needed_play", "bounds", "tight", "certain_at"}  # the engine only slides
    assert told["plan"] == {key: value for key, value in plan.items() if key not in of_turns}
    assert told["cut"]["stop"] == "cancelled"
    assert told["cut"]["branches"] > 0
    assert told["refused"] == "option_starts must begin with 0 and end with the length of option_items"
    assert (told["again"]["stop"], told["again"]["covers"]) == ("exhausted", 240)
    assert told["closed"] == "the engine was closed"
