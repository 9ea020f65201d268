// A search for all solutions, as the page sees it: what it has found, how far it is, and how it ended.

import { wasm } from "./engine_room.js";
import { FoundSolutions } from "./found.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { SearchMessage, SymmetryData } from "./play_types.js" */

const MOST_SHOWN = 10_000; // solutions that are handed over to be shown; the others are counted

export class Search {
  /** @type {number} */
  different;
  /** @type {number} */ total;
  /** @type {{ share: number; branches: number; seconds: number; }} */ progress;
  /** @type {string} */ ended;
  /** @type {string} */ fault;

  /**
   * `puzzle` is a PlayPuzzle, `tell(search)` is called when there is something new.
   * @param {PlayPuzzle} puzzle @param {SymmetryData} symmetry @param {(search: Search) => void} tell
   */
  constructor(puzzle, symmetry, tell) {
    this.puzzle = puzzle;
    this.symmetry = symmetry;
    this.tell = tell;
    this.under = symmetry.under;
    /** @type {Worker | null} */
    this.worker = null;
    this.found = new FoundSolutions(puzzle);
    this.clear();
  }

  clear() {
    this.different = this.total = 0;
    this.progress = { share: 0, branches: 0, seconds: 0 };
    this.ended = ""; // "complete", "stopped" or "failed"
    this.fault = "";
    this.found.clear();
  }

  get running() {
    return this.worker !== null;
  }

  get complete() {
    return this.ended === "complete";
  }

  /**
   * Search from the beginning: everything, or until there are so many solutions, or the time is up.
   * @param {{ limit?: number | null, seconds?: number | null }} [limits]
   */
  run({ limit = null, seconds = null } = {}) {
    this.clear();
    const { Engine, EngineError, searching } = globalThis.latcover;
    const text = `"use strict";\n${EngineError}\n${Engine}\n${searching}`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (event) => this.take({ fault: event.message || "the search did not start" });
    const { cover, judged } = this.puzzle;
    this.worker.postMessage({
      bytes: wasm(),
      cover,
      judged,
      symmetry: this.symmetry,
      most: MOST_SHOWN,
      limit,
      seconds,
    });
    this.tell(this);
  }

  /** @param {SearchMessage} message */
  take({ different, total, progress, shown = [], orbits = [], answer, fault }) {
    shown.forEach((options, k) => this.found.add(options, orbits[k]));
    this.different = different ?? this.different;
    this.total = total ?? this.total;
    this.progress = progress ?? this.progress;
    if (answer) {
      this.progress = { share: 1, branches: answer.branches, seconds: answer.search_seconds };
      this.end(answer.stop === "exhausted" ? "complete" : "stopped");
    } else if (fault) {
      this.fault = fault;
      this.end("failed");
    } else {
      this.tell(this);
    }
  }

  /** Stop before the end. */
  stop() {
    if (this.running) {
      this.end("stopped");
    }
  }

  /** @param {string} how */
  end(how) {
    this.worker?.terminate();
    this.worker = null;
    this.ended = how;
    this.tell(this);
  }
}
