// Some options of a cover problem, chosen together: what may join them, what they lack, and what is left to search.
//
// Rules of a puzzle are items with bounds, or with colours that must agree; few are judged when all items are held. So
// nothing here knows a single rule.

/** @import { PlayPuzzle } from "./play_puzzle.js" */

export class Position {
  /** `options`, chosen so far, must not exclude each other. @param {PlayPuzzle} puzzle @param {number[]} [options] */
  constructor(puzzle, options = []) {
    this.puzzle = puzzle;
    this.cover = puzzle.cover;
    /** @type {number[]} */
    this.options = [];
    this.used = new Int32Array(this.cover.low.length); // how often each item is held
    this.colour = new Int32Array(this.cover.low.length); // in which colour; 0 is none
    for (const option of options) {
      this.add(option);
    }
  }

  /** @param {number} option */
  add(option) {
    this.options.push(option);
    this.eachItem(option, (item, colour) => {
      this.used[item] += 1;
      this.colour[item] = colour;
    });
  }

  /** @param {number} option @param {(item: number, colour: number) => void} act */
  eachItem(option, act) {
    const { starts, items, colours } = this.cover;
    for (let k = starts[option]; k < starts[option + 1]; k += 1) {
      act(items[k], colours ? colours[k] : 0);
    }
  }

  /** The first item that keeps an option from joining, or -1. @param {number} option */
  obstacle(option) {
    const { starts, items, colours, high } = this.cover;
    for (let k = starts[option]; k < starts[option + 1]; k += 1) {
      const item = items[k];
      const colour = colours ? colours[k] : 0;
      const shared = colour > 0 && this.colour[item] === colour;
      if (this.used[item] >= high[item] && !shared) {
        return item;
      }
    }
    return -1;
  }

  /** @param {number} option */
  allows(option) {
    return this.obstacle(option) < 0;
  }

  /** The chosen options that hold an item. @param {number} item */
  holders(item) {
    return this.options.filter((option) => this.puzzle.itemsOf(option).includes(item));
  }

  /**
   * Why an option may not join, in words; "" if it may. `nameOf(option)` names what stands there.
   * @param {number} option @param {(option: number) => string} nameOf
   */
  reason(option, nameOf) {
    const { nCells, nParts } = this.cover;
    const item = this.obstacle(option);
    if (item < 0) {
      return "";
    }
    if (item >= nCells && item < nCells + nParts) {
      return "No copy is left.";
    }
    const others = this.holders(item).map(nameOf).join(", ") || "what is there";
    const words = item < nCells ? "cell" : this.puzzle.itemWords[item - nCells - nParts];
    return {
      cell: `${others} is in the way.`,
      sides: `Its sides do not match ${others}.`,
      colours: `It may not touch ${others}.`,
      alike: `Cells there must have one colour, and ${others} has another.`,
      rule: `A rule keeps it away from ${others}.`,
    }[words];
  }

  /** This position with every cell left empty that nothing covers, as far as the problem has options for that. */
  filled() {
    const full = new Position(this.puzzle, this.options);
    for (const option of this.puzzle.fillers) {
      if (full.allows(option)) {
        full.add(option);
      }
    }
    return full;
  }

  /** Whether every item is held as often as it must be. */
  get full() {
    const { low } = this.cover;
    return this.filled().used.every((times, item) => times >= low[item]);
  }

  /** Whether this is a solution: it is full, and breaks no other rule. */
  get solved() {
    return this.full && !this.puzzle.broken(this.options).length;
  }

  /** The options that may join. */
  free() {
    const found = [];
    for (let option = 0; option + 1 < this.cover.starts.length; option += 1) {
      if (this.allows(option)) {
        found.push(option);
      }
    }
    return found;
  }

  /**
   * What is left to find: a problem as engine.js takes it, and `options`, the number that each of its options has here.
   * Its covers are those that complete this position.
   */
  rest() {
    const { starts: from, items: held, colours: shown, low, high, nCells, nParts } = this.cover;
    const options = this.free();
    // An item that is held in a colour has no room, but options that agree with it are left. They need it no more.
    const kept = Array.from(low, (_, item) => item).filter((item) => this.used[item] < high[item]);
    const number = new Int32Array(low.length).fill(-1);
    kept.forEach((item, k) => {
      number[item] = k;
    });
    const most = options.reduce((sum, option) => sum + from[option + 1] - from[option], 0);
    const starts = new Int32Array(options.length + 1);
    const items = new Int32Array(most);
    const colours = new Int32Array(shown ? most : 0);
    let end = 0;
    options.forEach((option, n) => {
      for (let k = from[option]; k < from[option + 1]; k += 1) {
        if (number[held[k]] >= 0) {
          if (shown) colours[end] = shown[k];
          items[end++] = number[held[k]];
        }
      }
      starts[n + 1] = end;
    });
    const problem = {
      starts,
      items: items.subarray(0, end),
      low: kept.map((item) => Math.max(0, low[item] - this.used[item])),
      high: kept.map((item) => high[item] - this.used[item]),
      n_cells: kept.filter((item) => item < nCells).length,
      n_parts: kept.filter((item) => item >= nCells && item < nCells + nParts).length,
      ...(shown ? { colours: colours.subarray(0, end) } : {}),
    };
    return { problem, options };
  }
}
