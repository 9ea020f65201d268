// What a file was before each change, so that changes can be taken back and made again.
//
// A file is kept as a list of texts (see whole.js): lists share the texts that no change has touched.

const MOST = 100; // steps that are kept
const ROOM = 12e6; // characters of them: of very large puzzles fewer steps are kept

export class History {
  constructor(whole) {
    this.states = [whole];
    this.at = 0;
    this.began = 0; // the number of the first state that is kept: states are counted from when the file was opened first
  }

  /** What was kept of a file, as it is now: `whole` is the last of it, or comes after it. */
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

  /** Another state after this one; what was taken back is forgotten. Says whether there is one. */
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

  /** Whether there is a state so many steps on; back where `by` is negative. */
  can(by) {
    return this.at + by in this.states;
  }

  /** That state. */
  beyond(by) {
    return this.states[this.at + by];
  }

  step(by) {
    this.at += by;
    return this.now;
  }
}

export const same = (one, other) => one.length === other.length && one.every((text, k) => text === other[k]);
