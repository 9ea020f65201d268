// The first page of a site: the field that finds puzzles.

import { button } from "./dom.js";

const search = document.getElementById("search");

if (search) {
  const found = document.getElementById("found");
  const cards = Array.from(document.querySelectorAll(".cards > li"), (shown) => ({
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
    for (const shelf of document.querySelectorAll(".shelf")) {
      shelf.hidden = !shelf.querySelector("li:not([hidden])");
    }
    const all = button("Show all", () => {
      search.value = "";
      filter();
      search.focus();
    });
    const words = count === 1 ? "1 puzzle found." : `${count} puzzles found.`;
    found.replaceChildren(...(wanted.length ? [count ? words : "No puzzle here is called like this. ", ...(count ? [] : [all])] : []));
  };
  search.addEventListener("input", filter);
  if (search.value) {
    filter(); // the browser has filled it in again
  }
}
