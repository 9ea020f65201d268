// What a player has done: the placed copies, and the way back and forth. It is kept in the browser if that allows it.

import { keep, keptData } from "./kept.js";
import { copiesOf } from "./play_puzzle.js";
import { Position } from "./position.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { PlacedCopy } from "./play_types.js" */

const MOST_KEPT = 500; // steps back

export class Game {
  /** `changed` is called after every change. @param {PlayPuzzle} puzzle @param {() => void} changed */
  constructor(puzzle, changed) {
    this.puzzle = puzzle;
    this.changed = changed;
    this.name = `latcover.play.${puzzle.digest}`;
    /** @type {PlacedCopy[]} */
    this.placed = [];
    /** @type {PlacedCopy[][]} */
    this.back = []; // what was placed before each step
    /** @type {PlacedCopy[][]} */
    this.forth = []; // what was placed after each step that was taken back
    this.moves = 0;
    this.seconds = 0;
    this.helped = 0; // hints
    this.restore();
  }

  /** The position of what is placed; `without` names a copy that is in the hand. @param {PlacedCopy | null} without */
  position(without = null) {
    return new Position(
      this.puzzle,
      this.placed.filter((one) => one !== without).map(({ option }) => option),
    );
  }

  get solved() {
    return this.position().solved;
  }

  /** How many copies of a part are not placed. @param {number} part */
  left(part) {
    return (
      this.puzzle.parts[part].high -
      this.placed.filter(({ option }) => this.puzzle.partOfOption(option) === part).length
    );
  }

  /** The first copy of a part that is not placed. @param {number} part */
  freeCopy(part) {
    const used = this.placed.filter(({ option }) => this.puzzle.partOfOption(option) === part).map(({ copy }) => copy);
    let copy = 0;
    while (used.includes(copy)) {
      copy += 1;
    }
    return copy;
  }

  /** @param {number} option */
  at(option) {
    return this.placed.find((one) => one.option === option) ?? null;
  }

  /**
   * Place an option; `from` is the placed copy that moves there, or null if it comes from the tray.
   * @param {number} option @param {PlacedCopy | null} [from]
   */
  put(option, from = null) {
    const copy = from ? from.copy : this.freeCopy(this.puzzle.partOfOption(option));
    if (from?.option !== option) {
      this.moves += 1;
      this.step([...this.placed.filter((one) => one !== from), { option, copy }]);
    }
  }

  /** Put a placed copy back into the tray. @param {PlacedCopy} one */
  remove(one) {
    this.moves += 1;
    this.step(this.placed.filter((other) => other !== one));
  }

  /** Lay options on the board in place of all that is there. @param {number[]} options */
  lay(options) {
    this.step(copiesOf(this.puzzle, options).map(({ option, copy }) => ({ option, copy })));
  }

  clear() {
    if (this.placed.length) {
      this.moves = 0;
      this.seconds = 0;
      this.helped = 0;
      this.step([]);
    }
  }

  /** @param {PlacedCopy[]} placed */
  step(placed) {
    this.back.push(this.placed);
    this.back.splice(0, this.back.length - MOST_KEPT);
    this.forth = [];
    this.set(placed);
  }

  undo() {
    if (this.back.length) {
      this.forth.push(this.placed);
      this.set(this.back.pop() ?? []);
    }
  }

  redo() {
    if (this.forth.length) {
      this.back.push(this.placed);
      this.set(this.forth.pop() ?? []);
    }
  }

  /** @param {PlacedCopy[]} placed */
  set(placed) {
    this.placed = placed;
    this.keep();
    this.changed();
  }

  keep() {
    const { moves, seconds, helped } = this;
    const placed = this.placed.map(({ option, copy }) => [option, copy]);
    keep(this.name, JSON.stringify({ placed, moves, seconds, helped }));
  }

  /** Take up what was kept, if it can stand: another program may have written it. */
  restore() {
    try {
      const { placed, moves, seconds, helped } = keptData(this.name);
      const found = new Position(this.puzzle);
      const copies = new Set();
      for (const [option, copy] of placed ?? []) {
        const part = Number.isInteger(option) ? this.puzzle.partOfOption(option) : -1;
        const name = `${part} ${copy}`;
        if (
          !(part >= 0) ||
          !(Number.isInteger(copy) && copy >= 0 && copy < this.puzzle.parts[part].high) ||
          copies.has(name) ||
          !found.allows(option)
        ) {
          return;
        }
        copies.add(name);
        found.add(option);
      }
      this.placed = (placed ?? []).map((/** @type {[number, number]} */ [option, copy]) => ({ option, copy }));
      [this.moves, this.seconds, this.helped] = [moves, seconds, helped].map((value) =>
        value >= 0 ? Number(value) : 0,
      );
    } catch {
      // another program has written something else there
    }
  }
}
