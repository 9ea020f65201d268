// Rules on parts that no item of the cover problem says: whether options that are chosen together keep them. The data are
// `judged` of latcover.apps.publishing.puzzle_data.

import { unpacked } from "./packing.js";

/** @import { JudgedRule } from "./play_types.js" */

/** Whether certain cells of options hang together. */
export class RuleJudge {
  /** @param {JudgedRule} data */
  constructor({ words, sizes, cells, pairs }) {
    this.words = words;
    const [all, ends] = [unpacked(cells), unpacked(sizes)];
    let from = 0;
    this.cellsOf = Array.from(ends, (size) => all.subarray(from, (from += size)));
    /** @type {Map<number, number[]>} */
    this.around = new Map();
    const touching = unpacked(pairs);
    for (let k = 0; k < touching.length; k += 2) {
      this.join(touching[k], touching[k + 1]);
      this.join(touching[k + 1], touching[k]);
    }
  }

  /** @param {number} cell @param {number} other */
  join(cell, other) {
    const known = this.around.get(cell);
    if (known) {
      known.push(other);
    } else {
      this.around.set(cell, [other]);
    }
  }

  /** @param {ArrayLike<number>} options */
  keeps(options) {
    const left = new Set(Array.from(options).flatMap((option) => Array.from(this.cellsOf[option])));
    const front = [...left].slice(0, 1);
    for (let cell = front.pop(); cell !== undefined; cell = front.pop()) {
      if (left.delete(cell)) {
        front.push(...(this.around.get(cell) ?? []));
      }
    }
    return left.size === 0;
  }
}
