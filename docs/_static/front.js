// The front page: the poster becomes the puzzle that it shows. Nothing of the puzzle is loaded before somebody asks.
// A narrow screen follows the link instead, and has the puzzle on a page of its own: there a finger that plays would
// get caught between the puzzle and the page around it.

"use strict";

(() => {
  /** @type {HTMLElement | null} */
  const poster = document.querySelector(".poster");
  const roomy = matchMedia("(min-width: 46rem) and (min-height: 34rem)");

  /** @param {HTMLElement} poster */
  function bringToLife(poster) {
    const live = document.createElement("iframe");
    live.title = poster.querySelector("img")?.alt ?? "";
    live.addEventListener("load", () => {
      poster.hidden = true;
      live.classList.add("ready");
      live.focus({ preventScroll: true });
    });
    poster.classList.add("waiting");
    live.src = poster.dataset.live ?? "";
    poster.after(live);
  }

  poster?.addEventListener("click", (event) => {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!elsewhere && roomy.matches) {
      event.preventDefault();
      if (!poster.classList.contains("waiting")) {
        bringToLife(poster);
      }
    }
  });
})();
