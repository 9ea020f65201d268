// The tray: a button for each part, with its picture as it lies in the hand, and how many copies are left.

import { dom } from "./dom.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { Board } from "./play_types.js" */

export class Tray {
  /**
   * `board` draws the portraits; `choose(part)` is called when a part is chosen by keyboard.
   * @param {PlayPuzzle} puzzle @param {Board} board @param {(part: number) => void} choose
   */
  constructor(puzzle, board, choose) {
    this.puzzle = puzzle;
    this.board = board;
    const shapes = puzzle.parts.flatMap((_, part) =>
      [...Array(puzzle.orientations(part)).keys()].map((way) => puzzle.shapeOf(part, way)),
    );
    this.reach = board.greatestReach(shapes);
    this.rows = puzzle.parts.map((_, part) => this.row(part, choose));
    this.drawn = puzzle.parts.map(() => "");
    this.element = dom(
      "div",
      { class: "tray", role: "group", "aria-label": "Parts" },
      ...this.rows.map(({ button }) => button),
    );
  }

  /** @param {number} part @param {(part: number) => void} choose */
  row(part, choose) {
    const portrait = dom("span", { class: "portrait", "aria-hidden": "true" });
    const name = dom("span", { class: "name" }, this.puzzle.parts[part].name);
    const count = dom("span", { class: "count" });
    const button = dom("button", { type: "button", class: "part", "data-part": `${part}` }, portrait, name, count);
    button.addEventListener("click", (event) => {
      if (event.detail === 0) {
        choose(part); // by keyboard; carrying.js hears the pointer
      }
    });
    return { button, portrait, count };
  }

  /**
   * Show how many copies of each part are left, each `ways[part]` round; the part `held` is in the hand.
   * @param {number[]} left @param {number[]} ways @param {number[]} copies @param {number | null} held
   */
  update(left, ways, copies, held) {
    this.rows.forEach(({ button, portrait, count }, part) => {
      const { high } = this.puzzle.parts[part];
      const used = left[part] < 1 && part !== held;
      count.textContent = high > 1 ? `×${left[part]}` : used ? "✓" : "";
      button.classList.toggle("used", used);
      button.classList.toggle("held", part === held);
      button.setAttribute("aria-pressed", `${part === held}`);
      button.setAttribute("aria-label", `${this.puzzle.parts[part].name}, ${left[part]} left`);
      this.draw(part, ways[part], copies[part], portrait);
    });
  }

  /** @param {number} part @param {number} way @param {number} copy @param {HTMLElement} portrait */
  draw(part, way, copy, portrait) {
    const { colours } = this.puzzle.parts[part];
    const shape = this.puzzle.shapeOf(part, way);
    const key = `${shape.id} ${copy % colours.length}`;
    if (this.drawn[part] !== key) {
      this.drawn[part] = key;
      this.board.portrait(portrait, shape, colours[copy % colours.length], this.reach, part, copy);
    }
  }

  /** Draw all pictures again: the ground has changed. */
  repaint() {
    this.drawn.fill("");
  }
}
