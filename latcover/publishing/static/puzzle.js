// The page of a puzzle: its tabs, each made when it is first opened.

import { ApartTab } from "./apart_tab.js";
import { dom } from "./dom.js";
import { LazyEngine } from "./engine_room.js";
import { play } from "./play.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { SolveTab } from "./solve_tab.js";
import { Tabs } from "./tabs.js";

const data = globalThis.latcoverPuzzle;
const puzzle = new PlayPuzzle(data.puzzle);
const made = {};

const MAKERS = {
  play: (element) => {
    const host = dom("div", { class: "game" });
    element.append(host);
    return play(host, data.puzzle, new LazyEngine());
  },
  solve: (element) => new SolveTab(element, puzzle, data),
  apart: (element) => new ApartTab(element, puzzle, data, new LazyEngine(), () => made.solve),
  about: () => true,
};

/** Say what went wrong: nothing here may fail in silence. */
function fail(error) {
  const fault = document.getElementById("fault");
  fault.textContent = `Something went wrong in this page: ${error?.message ?? error}`;
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

new Tabs(document.getElementById("tabs"), (name) => {
  made[name] ??= MAKERS[name](document.getElementById(name));
  made[name].opened?.();
});
