// A search for all solutions in the page: the engine searches, every cover is checked, and judged by symmetry.

import { faults } from "./checker.js";
import { Found } from "./found.js";
import { Judge, reduced } from "./judge.js";

export const MOST_SHOWN = 10_000; // solutions that are kept to be shown; the others are counted

export class Search {
  /** `puzzle` is a PlayPuzzle, `tell(search)` is called when there is something new. */
  constructor(puzzle, symmetry, engine, tell) {
    Object.assign(this, { puzzle, engine, tell, under: symmetry.under });
    this.judge = new Judge(symmetry);
    Object.assign(this, reduced(puzzle.cover, symmetry)); // problem, options
    this.found = new Found(puzzle);
    this.clear();
  }

  clear() {
    this.different = this.total = 0;
    this.progress = { share: 0, branches: 0, covers: 0, seconds: 0 };
    this.running = false;
    this.answer = null; // of the engine
    this.fault = "";
  }

  /** Search everything from the beginning. The promise is fulfilled when the search has ended, however it did. */
  async run() {
    this.clear();
    this.found.covers.length = this.found.orbits.length = 0;
    this.running = true;
    this.tell(this);
    try {
      this.answer = await this.engine.search(this.problem, {}, {
        onCovers: (covers) => this.take(covers),
        onProgress: (progress) => {
          this.progress = progress;
          this.tell(this);
        },
      });
      this.progress = { ...this.progress, branches: this.answer.branches, covers: this.answer.covers, seconds: this.answer.search_seconds };
    } catch (error) {
      this.fault = error.message;
    }
    this.running = false;
    this.tell(this);
  }

  take(covers) {
    if (this.fault) {
      return;
    }
    for (const cover of covers) {
      const options = Array.from(cover, (option) => this.options[option]);
      const wrong = faults(this.puzzle.cover, options);
      if (wrong.length) {
        this.fault = `a solution fails its check: ${wrong[0]}`;
        this.engine.stop();
        return;
      }
      const { keep, orbit } = this.judge.judge(options);
      if (keep) {
        this.different += 1;
        this.total += orbit;
        if (this.found.count < MOST_SHOWN) {
          this.found.add(options, orbit);
        }
      }
    }
    this.tell(this);
  }

  get complete() {
    return this.answer?.stop === "exhausted" && !this.fault;
  }

  stop() {
    this.engine.stop();
  }
}
