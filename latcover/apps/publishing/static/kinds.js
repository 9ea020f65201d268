// Pages that share a tab, and the choice between them at the head of each.

import { host } from "./host.js";
import { button } from "./panels.js";
import { html } from "./preact.js";

/** The pages of each tab. @type {Record<string, string[]>} */
export const PAGES_OF = {
  puzzle: ["puzzle"],
  play: ["play"],
  solve: ["solve", "best"],
  apart: ["apart"],
  design: ["design"],
  research: ["watch", "compare"],
};
/** @type {Record<string, string>} */
const WORDS = { solve: "All solutions", best: "The best", watch: "Watch step by step", compare: "Compare methods" };

/** @param {string} page */
export const tabOf = (page) => Object.keys(PAGES_OF).find((tab) => PAGES_OF[tab].includes(page)) ?? "puzzle";

/** Ask the program to turn to a page; shell.js hears it. @param {string} page */
export const turnTo = (page) => document.dispatchEvent(new CustomEvent("turn", { detail: page }));

/** The choice between the pages of a tab, as one of them shows it; nothing if there is no other. @param {{ own: string }} shown */
export function Kinds({ own }) {
  const pages = PAGES_OF[tabOf(own)].filter((page) => host.pages.includes(page));
  if (pages.length < 2) return null;
  return html`<span class="joined kinds" role="group" aria-label="What is asked">
    ${pages.map((page) =>
      button(WORDS[page], () => page !== own && turnTo(page), {
        class: "view",
        "data-page": page,
        "aria-pressed": String(page === own),
      }),
    )}
  </span>`;
}
