// What something was before each change, so that changes can be taken back and made again.

const MOST = 100; // states that are kept

export class History {
  /** A state is a text. */
  constructor(state) {
    this.first = state;
    this.states = [state];
    this.at = 0;
  }

  /** Another state after this one; what was taken back is forgotten. */
  add(state) {
    if (state === this.states[this.at]) return;
    this.states.splice(this.at + 1, Infinity, state);
    if (this.states.length > MOST) this.states.shift();
    this.at = this.states.length - 1;
  }

  isFirst() {
    return this.states[this.at] === this.first;
  }

  /** Whether there is a state so many steps on; back where `by` is negative. */
  can(by) {
    return this.at + by in this.states;
  }

  step(by) {
    this.at += by;
    return this.states[this.at];
  }
}
