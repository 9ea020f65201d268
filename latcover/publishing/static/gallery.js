// The first page of a site: the field that finds puzzles.

import { button } from "./dom.js";

const search = /** @type {HTMLInputElement | null} */ (document.getElementById("search"));

if (search) {
  const found = document.getElementById("found");
  /** @type {NodeListOf<HTMLElement>} */
  const shelves = document.querySelectorAll(".shelf");
  /** @type {NodeListOf<HTMLElement>} */
  const entries = document.querySelectorAll(".cards > li");
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
