// Where the groups of a film are set aside: around the middle of the picture, as the viewer sees it.

import { middleOf } from "./boxes.js";
import { minus, rounded } from "./vectors.js";

/** @import { Box, Point } from "./types.js" */

const WIDE = 1.5; // the width of a picture that has room at its sides, as a share of its height
const SIDEWARDS = 0.6; // how much longer a way to the wrong side counts
const GRID = 41; // places that are tried, along each axis

export class Parking {
  /**
   * @param {Box} busy
   * @param {Point} middle
   * @param {number} gap
   */
  constructor(busy, middle, gap) {
    this.busy = busy;
    this.middle = middle;
    this.gap = gap;
    /** @type {Map<string, Box>} */
    this.taken = new Map();
  }

  /**
   * How far a group that now fills `box` goes, along the axes of the view; `way` is where it comes from.
   *
   * @param {number[]} group
   * @param {Box} box
   * @param {Point} way
   */
  place(group, box, way) {
    const half = minus(box[1], box[0]).map((x) => x / 2);
    const taken = [this.busy, ...this.taken.values()];
    const room = [0, 1].map((k) => half[k] + this.gap);
    const low = [0, 1].map((k) => Math.min(...taken.map((one) => one[0][k])) - room[k]);
    const high = [0, 1].map((k) => Math.max(...taken.map((one) => one[1][k])) + room[k]);
    let [best, least] = [/** @type {Point} */ ([]), Infinity];
    const far = Math.hypot(way[0], way[1]);
    for (let i = 0; i < GRID; i += 1) {
      for (let j = 0; j < GRID; j += 1) {
        const place = [i, j].map((n, k) => low[k] + (n * (high[k] - low[k])) / (GRID - 1));
        const free = taken.every((one) =>
          [0, 1].some((k) => place[k] <= one[0][k] - room[k] + 1e-9 || place[k] >= one[1][k] + room[k] - 1e-9),
        );
        if (free) {
          const away = [(place[0] - this.middle[0]) / WIDE, place[1] - this.middle[1]];
          const distance = Math.hypot(...away);
          const along = far > 1e-9 ? (away[0] * way[0] + away[1] * way[1]) / (distance * far) : 0;
          const [cost] = rounded([distance * (1 + (SIDEWARDS * (1 - along)) / 2)], 6);
          [best, least] = cost < least ? [place, cost] : [best, least];
        }
      }
    }
    this.taken.set(
      group.join(),
      [0, 1].map((end) => [0, 1].map((k) => best[k] + (end ? half[k] : -half[k]))),
    );
    return minus([...best, this.middle[2] - half[2]], middleOf(box));
  }

  /**
   * A group goes to the middle.
   *
   * @param {number[]} group
   */
  fetch(group) {
    this.taken.delete(group.join());
  }
}
