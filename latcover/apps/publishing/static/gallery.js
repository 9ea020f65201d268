// The first page of a site: marks on what was solved here, a puzzle of the day, and the field that finds puzzles.

import { clock, isMarked, keptOf } from "./album.js";
import { button, dom } from "./dom.js";

const FEWEST = 3; // puzzles, of which one is that of the day

/** @type {NodeListOf<HTMLElement>} */
const entries = document.querySelectorAll(".cards > li");
const solved = Array.from(entries, mark).filter(Boolean).length;
if (solved) {
  const words =
    solved === entries.length ? "You have solved them all." : `You have solved ${solved} of ${entries.length}.`;
  document.querySelector("main .hint")?.append(" ", dom("strong", { class: "good" }, words));
}
showToday();

/**
 * Mark a card whose puzzle was solved in this browser, and show its solution. Returns whether it was.
 * @param {HTMLElement} entry
 */
function mark(entry) {
  const { found, best } = keptOf(entry.dataset.digest ?? "");
  const card = /** @type {HTMLAnchorElement | null} */ (entry.querySelector("a.card"));
  if (!found.length && !(card && isMarked(new URL(card.href).pathname))) {
    return false;
  }
  const image = /** @type {HTMLImageElement} */ (entry.querySelector("img"));
  image.src = image.dataset.solved ?? image.src;
  const time = best === null ? "" : `, best time ${clock(best)}`;
  const words = found.length ? `${found.length} found${time}` : "solved";
  entry.querySelector("small")?.append(dom("span", { class: "good" }, `✓ ${words}`));
  return true;
}

/** A puzzle that is the same for everybody on this day: the one whose name and date give the least number. */
function showToday() {
  const able = Array.from(entries).filter((entry) => entry.dataset.unsolvable === undefined);
  if (able.length < FEWEST) {
    return;
  }
  const today = new Date();
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()].join("-");
  /** @param {HTMLElement} entry */
  const drawn = ({ dataset }) => numberOf(`${day} ${dataset.digest}`);
  const chosen = able.reduce((best, entry) => (drawn(entry) < drawn(best) ? entry : best));
  const card = /** @type {HTMLElement} */ (chosen.querySelector(".card")?.cloneNode(true));
  const section = dom(
    "section",
    { class: "today", "aria-label": "Puzzle of the day" },
    dom("h2", {}, "Puzzle of the day"),
    card,
  );
  document.querySelector("main > :is(.cards, .shelf)")?.before(section);
}

/** A number from a text, as good as drawn by chance. @param {string} text */
function numberOf(text) {
  let found = 0x811c9dc5;
  for (const letter of text) {
    found = Math.imul(found ^ letter.charCodeAt(0), 0x01000193);
  }
  return Math.imul(found ^ (found >>> 15), 0x2c1b3c6d) >>> 0;
}

const search = /** @type {HTMLInputElement | null} */ (document.getElementById("search"));

if (search) {
  const found = document.getElementById("found");
  /** @type {NodeListOf<HTMLElement>} */ const shelves = document.querySelectorAll(".shelf");
  const cards = Array.from(entries, (shown) => ({
    shown,
    words: `${shown.dataset.words} ${shown.textContent}`.toLowerCase(),
  }));
  const filter = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { shown, words } of cards) {
      shown.hidden = !wanted.every((word) => words.includes(word));
      count += shown.hidden ? 0 : 1;
    }
    for (const shelf of shelves) {
      shelf.hidden = !shelf.querySelector("li:not([hidden])");
    }
    const all = button("Show all", () => {
      search.value = "";
      filter();
      search.focus();
    });
    const words = count === 1 ? "1 puzzle found." : `${count} puzzles found.`;
    found?.replaceChildren(...(wanted.length ? [count ? words : "No puzzle matches. ", ...(count ? [] : [all])] : []));
  };
  search.addEventListener("input", filter);
  if (search.value) {
    filter(); // the browser has filled it in again
  }
}
