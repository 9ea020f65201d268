// Lattices as pictures: the usual ones with common words, and all of them in a dialog.

import { ask } from "./ask.js";
import { dom, svg } from "./dom.js";
import { host as api } from "./host.js";
import { html } from "./preact.js";

/** @import { Shown } from "./preact.js" */

/** The words for a lattice, and the lines of its picture. @type {[lattice: string, words: string, lines: string][]} */
const USUAL = [
  ["square", "squares", "M-9 -9H9V9H-9ZM0 -9V9M-9 0H9"],
  ["triangular", "triangles", "M0 -9L10 8H-10ZM-5 -0.5H5L0 8Z"],
  ["hexagonal", "hexagons", "M-5 -9L0 -6V0L-5 3L-10 0V-6ZM5 -9L10 -6V0L5 3L0 0V-6ZM0 0L5 3V8L0 11L-5 8V3Z"],
  ["cubic", "cubes", "M0 -10L9 -5V5L0 10L-9 5V-5ZM0 0L9 -5M0 0L-9 -5M0 0V10"],
  [
    "fcc",
    "balls",
    "M-9.5 4.5a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0M0.1 4.5a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0M-4.7 -3.8a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0",
  ],
];

/**
 * What a lattice is made of, in the fewest words: as on the page Start, or as its title begins.
 * @param {{ name: string, title: string }} lattice
 */
export function wordsOf({ name, title }) {
  return USUAL.find(([usual]) => usual === name)?.[1] ?? (title.split(/[:(,]/)[0].trim() || name);
}

/**
 * A button for each usual lattice among `names`; begin(lattice) is called with its name.
 * @param {string[]} names @param {(lattice: string) => unknown} begin
 */
export function latticeButtons(names, begin) {
  const there = USUAL.filter(([lattice]) => names.includes(lattice));
  /** @param {string[]} how */
  const button = ([lattice, words, lines]) =>
    dom(
      "button",
      { type: "button", class: "lattice-button", onclick: () => begin(lattice) },
      svg("svg", { viewBox: "-12 -12 24 24", width: 36, height: 36, "aria-hidden": "true" }, svg("path", { d: lines })),
      words,
    );
  return dom("div", { class: "lattice-buttons", role: "group", "aria-label": "Draw a puzzle of" }, there.map(button));
}

/**
 * Ask for one of the shipped lattices, by their pictures. Returns a promise of its name, or of "".
 * @param {{ name: string, title: string }[]} lattices @returns {Promise<string>}
 */
export function askLattice(lattices) {
  /** @type {[string, Shown][]} */
  const pictures = lattices.map(({ name, title }) => [
    name,
    [
      html`<img src=${api.latticePicture(name)} alt="" width="88" height="72" />`,
      html`<span title=${title}>${wordsOf({ name, title })}</span>`,
    ],
  ]);
  return ask("What should it be made of?", [...pictures, ["", "Cancel"]]);
}
