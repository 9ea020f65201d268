// The history of a file, for undo and redo.
//
// Each state is a list of texts (see whole.js); states share the texts that did not change.

/** @import { KeptSteps } from "./web_types.js" */

const MOST = 100; // steps that are kept
const ROOM = 12e6; // characters in total: very large puzzles keep fewer steps

export class History {
  /** @param {string[]} whole */
  constructor(whole) {
    this.states = [whole];
    this.at = 0;
    this.began = 0; // the number of the first stored state, counted from when the file was first opened
  }

  /**
   * Restore a stored history: `whole` is its last state, or follows it.
   * @param {KeptSteps | null | undefined} kept @param {string[]} whole
   */
  static resumed(kept, whole) {
    const history = new History(whole);
    if (!kept?.states.length) return history;
    history.states = kept.states;
    history.at = Math.min(kept.at, kept.states.length - 1);
    history.began = kept.began;
    const found = kept.states.findLastIndex((state) => same(state, whole));
    if (same(kept.states[history.at], whole)) return history;
    if (found >= 0) history.at = found;
    else history.add(whole);
    return history;
  }

  /**
   * Add a state after the current one; undone states are dropped. Returns whether the state is new.
   * @param {string[]} whole
   */
  add(whole) {
    if (same(whole, this.states[this.at])) return false;
    this.states.splice(this.at + 1, Infinity, whole);
    const size = whole.reduce((sum, text) => sum + text.length, 0);
    while (this.states.length > Math.max(2, Math.min(MOST, ROOM / size))) {
      this.states.shift();
      this.began += 1;
    }
    this.at = this.states.length - 1;
    return true;
  }

  get now() {
    return this.states[this.at];
  }

  /** Whether there is a state `by` steps ahead, or back if `by` is negative. @param {number} by */
  can(by) {
    return this.at + by in this.states;
  }

  /** Move to that state. @param {number} by */
  beyond(by) {
    return this.states[this.at + by];
  }

  /** @param {number} by */
  step(by) {
    this.at += by;
    return this.now;
  }
}

/** @param {string[]} one @param {string[]} other */
export const same = (one, other) => one.length === other.length && one.every((text, k) => text === other[k]);
