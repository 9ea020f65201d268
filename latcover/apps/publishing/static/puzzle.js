// The page of a puzzle: its tabs, each made when it is first opened.

import { markSolved } from "./album.js";
import { Apart } from "./apart.js";
import { dom } from "./dom.js";
import { LazyEngine } from "./engine_room.js";
import { Exhibit, exhibitHost } from "./exhibit.js";
import { answerBy } from "./host.js";
import { nextPuzzle } from "./next_puzzle.js";
import { play } from "./play.js";
import { Solve } from "./solve.js";
import { Tabs } from "./tabs.js";

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const data = globalThis.latcoverPuzzle;
const pages = ["play", "solve", "apart"].filter((page) => document.getElementById(page));

/** Say what went wrong: nothing here may fail in silence. @param {any} error */
function fail(error) {
  const fault = byId("fault");
  fault.textContent = `This page has an error: ${error?.message ?? error}`;
  fault.hidden = false;
}

addEventListener("error", ({ error, message }) => fail(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => fail(reason));
answerBy(exhibitHost(data, pages));

const exhibit = new Exhibit(data);
const solve = new Solve(exhibit, byId("solve"));
/** @type {Record<string, { show?: () => unknown }>} */
const shown = { solve };
if (pages.includes("apart")) shown.apart = new Apart(exhibit, byId("apart"), solve);
let isPlayed = false;
shown.play = {
  show() {
    if (isPlayed) return;
    isPlayed = true;
    const place = dom("div", { class: "game" });
    byId("play").append(place);
    place.addEventListener("solved", () => markSolved(location.pathname));
    play(place, data.puzzle, new LazyEngine(), data.symmetry, () => nextPuzzle(data.puzzle.digest));
  },
};
for (const what of ["loaded", "settled"]) exhibit.tell(what);

// Another page may show one tab alone, in a frame: puzzles/soma.html?only=play
const only = new URLSearchParams(location.search).get("only");
if (only && document.getElementById(`tab-${only}`)) {
  document.documentElement.dataset.only = only;
  history.replaceState(null, "", `#${only}`);
}

const tabs = new Tabs(byId("tabs"), (name) => shown[name]?.show?.());
document.addEventListener("turn", (event) => tabs.choose(/** @type {CustomEvent} */ (event).detail));
