// The board of a flat puzzle: the cells to fill, the parts in place and the one in the hand, as SVG.
//
// A board has
//   element            what is put into the page
//   show(view)         draw {placed, ghost, chosen, holes}: placed copies {option, copy, part}; the one in the hand {option, copy,
//                      part, good} or null; the placed copy that the keyboard has chosen, or null; cells that are marked
//   pieceAt(x, y)      the placed copy at a point of the window, "ghost", or null
//   project([x, y, z]) where a point is on the board: [x, y, depth], in pixels
//   unit, middle       the size of a cell in pixels; the middle of the region
//   axes()             right, up and towards the player, as directions in space
//   portrait(canvas…)  see the tray
//   miniature(place, options)   draw a small picture of a solution
//   picture()          a promise of an image (Blob)
//   hold(still)        whether the board keeps still while something is dragged; it means something in space only
//   turn([x, y]), zoom(sign), home()   change the view, in space only
//   dispose()

import { svg } from "./dom.js";
import { copiesOf } from "./play_puzzle.js";
import { boxOf, drawnShape } from "./shape_svg.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { BoardView, ShownCopy } from "./play_types.js" */
/** @import { Point, Shape } from "./types.js" */

const MARGIN = 0.45; // around the region, in cells
const LETTER = 0.38; // the size of letters, in cells
const BESIDE_MARKS = 0.2; // the same where the sides bear something

/**
 * What is drawn of a copy.
 *
 * @typedef {SVGGElement & { copy?: ShownCopy }} Drawn
 */

export class FlatBoard {
  /** @param {PlayPuzzle} puzzle */
  constructor(puzzle) {
    this.puzzle = puzzle;
    const { low, high } = puzzle.puzzle;
    this.middle = [0, 1, 2].map((axis) => (axis < 2 ? (low[axis] + (high[axis] ?? 0)) / 2 : 0));
    const margin = MARGIN * puzzle.size;
    this.box = [low[0] - margin, -high[1] - margin, high[0] - low[0] + 2 * margin, high[1] - low[1] + 2 * margin];
    this.layers = ["cells", "placed", "letters", "ghost"].map((name) => svg("g", { class: name }));
    this.element = svg("svg", { class: "board", viewBox: this.box.join(" ") }, ...this.layers);
    /** @type {Map<string, { drawn: Drawn, letter: SVGTextElement }>} */
    this.known = new Map(); // what is drawn, by its key
    this.drawCells();
  }

  drawCells() {
    const { puzzle } = this;
    puzzle.units.forEach((unit, cell) => {
      const drawn = drawnShape(puzzle.shapes[puzzle.cellShape[cell]], "var(--cell)");
      drawn.setAttribute("transform", `translate(${unit[0]} ${-unit[1]})`);
      drawn.classList.add("cell");
      drawn.classList.toggle("optional", Boolean(puzzle.optional[cell]));
      this.layers[0].append(drawn);
    });
  }

  /** @param {BoardView} view */
  show({ placed, ghost, chosen, holes }) {
    Array.from(this.layers[0].children, (drawn, cell) => drawn.classList.toggle("hole", holes.includes(cell)));
    const [, pieces, letters, above] = this.layers;
    const wanted = new Map(placed.map((one) => [`${one.option} ${one.copy}`, one]));
    for (const [key, { drawn, letter }] of this.known) {
      if (!wanted.has(key)) {
        drawn.remove();
        letter.remove();
        this.known.delete(key);
      }
    }
    for (const [key, one] of wanted) {
      if (!this.known.has(key)) {
        const drawn = /** @type {Drawn} */ (this.piece(one));
        drawn.classList.add("piece");
        const letter = this.letter(one);
        this.known.set(key, { drawn, letter });
        pieces.append(drawn);
        letters.append(letter);
      }
      const drawn = this.known.get(key)?.drawn;
      if (drawn) {
        drawn.copy = one;
        drawn.classList.toggle("chosen", chosen?.option === one.option);
      }
    }
    above.replaceChildren();
    if (ghost) {
      const drawn = this.piece(ghost);
      drawn.classList.add("held", ghost.good ? "good" : "bad");
      above.append(drawn, this.letter(ghost));
    }
  }

  /** @param {ShownCopy} shown */
  piece({ option, copy, part }) {
    const { colours } = this.puzzle.parts[part];
    const drawn = drawnShape(this.puzzle.shapes[this.puzzle.optionShape[option]], colours[copy % colours.length]);
    const [x, y] = this.puzzle.placeOf(option);
    drawn.setAttribute("transform", `translate(${x} ${-y})`);
    drawn.dataset.option = `${option}`;
    return drawn;
  }

  /** The letter of a copy, in that of its cells which is nearest to its middle. @param {ShownCopy} shown */
  letter({ option, copy, part }) {
    const { puzzle } = this;
    const [x, y] = puzzle.middleOf(option);
    /** @param {Point} point */
    const away = ([a, b]) => Math.hypot(a - x, b - y);
    const centres = puzzle.cellsOf(option).map((cell) => puzzle.centres[cell]);
    const [a, b] = centres.reduce((best, place) => (away(place) < away(best) - 1e-6 ? place : best));
    const { letters } = puzzle.parts[part];
    const size = (puzzle.shapes[puzzle.optionShape[option]].marks ? BESIDE_MARKS : LETTER) * puzzle.size;
    return svg("text", { x: a, y: -b, "font-size": size, dy: 0.36 * size }, letters[copy % letters.length]);
  }

  /** @param {number} x @param {number} y */
  pieceAt(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      const drawn = /** @type {Drawn | null} */ (
        this.element.contains(element) ? element.closest(".held, .piece") : null
      );
      if (drawn) {
        return drawn.matches(".held") ? "ghost" : (drawn.copy ?? null);
      }
    }
    return null;
  }

  /** @param {Point} point */
  project([x, y]) {
    const box = this.element.getBoundingClientRect();
    const [left, top, width, height] = this.box;
    const scale = Math.min(box.width / width, box.height / height);
    return [(x - left - width / 2) * scale + box.width / 2, (-y - top - height / 2) * scale + box.height / 2, 0];
  }

  get unit() {
    const [here, there] = [this.project([0, 0]), this.project([this.puzzle.size, 0])];
    return there[0] - here[0];
  }

  axes() {
    return { right: [1, 0, 0], up: [0, 1, 0], towards: [0, 0, 1] };
  }

  /** What nothing is behind. */
  wall() {
    return Infinity;
  }

  hold() {}

  // A flat board is seen from above, and whole.
  choose() {}
  turn() {}
  zoom() {}
  home() {}

  /**
   * A picture of a part for the tray; `reach` is the greatest extent of all parts.
   * @param {HTMLElement} place @param {Shape} shape @param {string} colour @param {number} reach
   */
  portrait(place, shape, colour, reach) {
    const [left, top, width, height] = boxOf(shape);
    const side = 1.06 * reach;
    const box = [left + width / 2 - side / 2, top + height / 2 - side / 2, side, side];
    place.replaceChildren(svg("svg", { viewBox: box.join(" "), "aria-hidden": "true" }, drawnShape(shape, colour)));
  }

  /** A small picture of a solution. @param {HTMLElement} place @param {number[]} options */
  miniature(place, options) {
    const [left, top, width, height] = this.box;
    const margin = MARGIN * this.puzzle.size;
    const box = [left + margin, top + margin, width - 2 * margin, height - 2 * margin];
    const drawn = copiesOf(this.puzzle, options).map((one) => this.piece(one));
    place.replaceChildren(svg("svg", { viewBox: box.join(" "), "aria-hidden": "true" }, ...drawn));
  }

  /** The greatest extent of any part, for portraits in one scale. @param {Shape[]} shapes */
  greatestReach(shapes) {
    return Math.max(...shapes.map((shape) => Math.max(...boxOf(shape).slice(2))));
  }

  dispose() {
    this.element.remove();
  }
}
