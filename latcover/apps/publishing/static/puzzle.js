// The page of a puzzle: its tabs, each made when it is first opened.

import { markSolved } from "./album.js";
import { ApartTab } from "./apart_tab.js";
import { dom } from "./dom.js";
import { LazyEngine } from "./engine_room.js";
import { nextPuzzle } from "./next_puzzle.js";
import { play } from "./play.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { SolveTab } from "./solve_tab.js";
import { Tabs } from "./tabs.js";

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const data = globalThis.latcoverPuzzle;
const puzzle = new PlayPuzzle(data.puzzle);
/** @type {Record<string, any>} */
const made = {};

/** @type {Record<string, (element: HTMLElement) => unknown>} */
const MAKERS = {
  /** @param {HTMLElement} element */
  play: (element) => {
    const host = dom("div", { class: "game" });
    element.append(host);
    host.addEventListener("solved", () => markSolved(location.pathname));
    return play(host, data.puzzle, new LazyEngine(), data.symmetry, () => nextPuzzle(data.puzzle.digest));
  },
  /** @param {HTMLElement} element */
  solve: (element) => new SolveTab(element, puzzle, data),
  /** @param {HTMLElement} element */
  apart: (element) => new ApartTab(element, puzzle, data, new LazyEngine(), () => made.solve),
  about: () => true,
};

/** Say what went wrong: nothing here may fail in silence. @param {any} error */
function fail(error) {
  const fault = byId("fault");
  fault.textContent = `This page has an error: ${error?.message ?? error}`;
  fault.hidden = false;
}

addEventListener("error", ({ error, message }) => fail(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => fail(reason));

// Another page may show one tab alone, in a frame: puzzles/soma.html?only=play
const only = new URLSearchParams(location.search).get("only");
if (only && document.getElementById(`tab-${only}`)) {
  document.documentElement.dataset.only = only;
  history.replaceState(null, "", `#${only}`);
}

new Tabs(byId("tabs"), (name) => {
  made[name] ??= MAKERS[name](byId(name));
  made[name].opened?.();
});
