// Solutions that this page has found, as a source for the viewer (source.js says what a source is).

import { boxAround, cornersOf, middleOf } from "./boxes.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { Item, Solution } from "./types.js" */

const FULL = 1.6; // how far parts move when they are fully apart, as a share of their distance from the middle

export class FoundSolutions {
  /** `puzzle` is a PlayPuzzle. @param {PlayPuzzle} puzzle */
  constructor(puzzle) {
    this.play = puzzle;
    const { heights } = puzzle.puzzle;
    this.puzzle = { ...puzzle.puzzle, heights: heights.slice(0, 1) }; // shapes for play are not cut into layers
    this.parts = puzzle.parts;
    /** @type {Int32Array[]} */
    this.covers = []; // the options of each
    /** @type {number[]} */
    this.orbits = [];
  }

  clear() {
    this.covers = [];
    this.orbits = [];
  }

  get count() {
    return this.covers.length;
  }

  /** @param {Int32Array} options @param {number} orbit */
  add(options, orbit) {
    /** @param {number} option */
    const part = (option) => this.play.partOfOption(option);
    const placed = Array.from(options).filter((option) => part(option) >= 0);
    this.covers.push(Int32Array.from(placed.sort((a, b) => part(a) - part(b) || a - b)));
    this.orbits.push(orbit);
  }

  /** @param {number} k @returns {Promise<Solution>} */
  async solution(k) {
    return { number: k + 1, image: 1, orbit: this.orbits[k], items: this.items(k), disassembly: null };
  }

  /**
   * What is drawn: the options of a solution, and then the cells that stay empty.
   * @param {number} k @returns {Item[]}
   */
  items(k) {
    const { play } = this;
    const options = Array.from(this.covers[k]);
    const boxes = options.map((option) => boxOf(play, option));
    const middle = middleOf(boxAround(boxes));
    const placed = options.map((option, n) => ({
      part: play.partOfOption(option),
      at: play.placeOf(option),
      move: middleOf(boxes[n]).map((x, axis) => FULL * (x - middle[axis])),
      shape: play.shapes[play.optionShape[option]],
    }));
    const covered = new Set(options.flatMap((option) => play.cellsOf(option)));
    const empty = play.units.flatMap((at, cell) =>
      covered.has(cell) ? [] : [{ part: -1, at, move: [0, 0, 0], shape: play.shapes[play.cellShape[cell]] }],
    );
    return [...placed, ...empty];
  }
}

/** The box around an option's shape in its place. @param {PlayPuzzle} play @param {number} option */
export function boxOf(play, option) {
  const at = play.placeOf(option);
  const { points, radii } = cornersOf(play.shapes[play.optionShape[option]]);
  const ends = points.map((point, n) => [-radii[n], radii[n]].map((reach) => point.map((x, k) => at[k] + x + reach)));
  return boxAround(ends);
}
