// Refusals, with messages for the user.

export class Fault extends Error {
  /** @param {string} message @param {string[]} [complaints] */
  constructor(message, complaints = []) {
    super(message);
    this.complaints = complaints;
  }
}

/** The server does not answer at all. */
export class Away extends Fault {}

/** The server is busy; retry after `wait` milliseconds. */
export class Busy extends Fault {
  /** @param {string} message @param {number} wait */
  constructor(message, wait) {
    super(message);
    this.wait = wait * (0.8 + 0.4 * Math.random()); // spreads the retries of pages that were refused together
  }
}
