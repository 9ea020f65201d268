// The check of every cover before it is shown. It knows nothing of the search or of symmetry: it counts.

/** @import { Cover } from "./play_types.js" */

export class Checker {
  /** `cover` is the whole cover problem of a PlayPuzzle. @param {Cover} cover */
  constructor(cover) {
    this.cover = cover;
    this.times = new Int32Array(cover.low.length);
    this.shown = new Int32Array(cover.low.length);
  }

  /** All faults of a set of options as a solution; none for a right one. @param {Int32Array} options */
  faults(options) {
    const { starts, items, low, high, colours } = this.cover;
    const { times, shown } = this;
    const found = [];
    times.fill(0);
    if (new Set(options).size !== options.length) {
      found.push("an option is chosen twice");
    }
    for (const option of options) {
      if (!(option >= 0 && option + 1 < starts.length)) {
        return [...found, `there is no option ${option}`];
      }
      for (let k = starts[option]; k < starts[option + 1]; k += 1) {
        const [item, colour] = [items[k], colours ? colours[k] : 0];
        if (times[item] && colour !== shown[item]) {
          found.push(`item ${item} is held in two colours`);
        }
        times[item] += times[item] && colour ? 0 : 1; // together in one colour they count once
        shown[item] = colour;
      }
    }
    for (let item = 0; item < low.length; item += 1) {
      if (times[item] < low[item] || times[item] > high[item]) {
        found.push(`item ${item} is held ${times[item]} times, not ${low[item]} to ${high[item]}`);
      }
    }
    return found;
  }
}
