// The tab that takes a solution apart: the engine finds the moves, they are checked, and the viewer plays them. It begins as
// soon as it is opened, and finds a solution itself if there is none yet.

import { finish } from "./advice.js";
import { disassemblyOf } from "./disassembly.js";
import { button, dom } from "./dom.js";
import { FoundSolutions } from "./found.js";
import { Position } from "./position.js";
import { replayFaults } from "./replay.js";
import { unpack } from "./source.js";
import { mount } from "./viewer.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { AnyEngine, ApartData, PageData } from "./play_types.js" */
/** @import { Plan } from "../../../../backends/wasm/engine_types.js" */
/** @import { SolveTab } from "./solve_tab.js" */
/** @import { Source } from "./types.js" */
/** @import { Viewer } from "./viewer.js" */

/**
 * A solution of those found, and how it comes apart.
 *
 * @typedef {{ k: number, cover: Int32Array, options: number[], apart: ApartData, plan: Plan }} Taken
 */

const MOST_POSITIONS = 3_000_000; // to examine

export class ApartTab {
  /**
   * `solving()` gives the tab that solves, or undefined while nobody has opened it.
   * @param {HTMLElement} element @param {PlayPuzzle} play @param {PageData} data @param {AnyEngine} engine
   * @param {() => SolveTab | undefined} solving
   */
  constructor(element, play, { apart, stored, among, turning, turns }, engine, solving) {
    this.play = play;
    this.apart = apart;
    this.engine = engine;
    this.solving = solving;
    this.own = new FoundSolutions(play); // what this tab has found itself
    this.stored = stored?.disassemblies ? stored : null;
    this.among = among;
    this.turning = turning; // the engine looks for slides alone
    this.turns = turns;
    /** @type {Viewer | null} */
    this.viewer = null;
    /** @type {number | null} */
    this.k = null; // the solution to take apart; null is the one that came with the page
    this.begun = ""; // which solution was taken apart without being asked
    this.start = button("Take it apart", () => this.begin(), { class: "main" });
    this.plan = button("Show the plan with turns", () => this.showStored(), { hidden: "" });
    this.further = button("Find the deepest", () => this.seek(), { hidden: "" });
    this.stopped = false;
    this.end = button("Stop", () => ((this.stopped = true), engine.stop()), { hidden: "" });
    this.which = dom("p", { class: "hint" });
    this.words = dom("p", { class: "headline", role: "status" });
    this.picture = dom("div", { class: "space", hidden: "" });
    element.append(
      this.which,
      dom("div", { class: "row" }, this.start, this.plan, this.further, this.end),
      this.words,
      this.picture,
    );
  }

  /** What the tab that solves has found; otherwise what this one has. */
  get found() {
    const found = this.solving()?.search.found;
    return found?.count ? found : this.own;
  }

  /** The tab is open: another solution may have been chosen, and is taken apart at once. */
  opened() {
    if (!this.end.hidden) {
      return;
    }
    this.choose(this.solving()?.shown?.k ?? (this.found.count ? 0 : null));
    const which = this.k === null ? "stored" : `${this.found.covers[this.k]}`;
    if (this.begun === which) {
      return;
    }
    this.begun = which;
    const { k } = this;
    if (this.turns || (k === null && this.stored)) {
      this.showStored(false);
    } else if (k !== null) {
      this.work(() => this.filmOf(k), false);
    } else if (this.apart) {
      this.findOne();
    }
    this.choose(k);
  }

  /** Find a solution, and take it apart. */
  findOne() {
    this.work(async () => {
      this.tell("Looking for a solution …");
      const { options, known } = await finish(this.engine, new Position(this.play));
      if (this.stopped || !options) {
        this.tell(
          known && !options ? "There is no solution." : "No solution was found here: find one first, in the Solve tab.",
        );
        return;
      }
      this.own.add(Int32Array.from(options), 1);
      this.k = 0;
      this.begun = `${this.own.covers[0]}`;
      await this.filmOf(0);
    }, false);
  }

  /** @param {number | null} k */
  choose(k) {
    this.k = this.apart ? k : null;
    const busy = !this.end.hidden;
    this.start.disabled = this.k === null && !this.stored;
    const which = this.k === null ? "stored" : `${this.found.covers[this.k]}`;
    const isSeen = this.begun === which && !this.turns; // it has begun by itself
    this.start.hidden = busy || isSeen || (this.k === null && this.turns > 0);
    this.start.textContent = this.k !== null && this.turning ? "Take it apart by slides alone" : "Take it apart";
    this.plan.hidden = busy || !this.turns;
    this.further.hidden = busy || !this.apart || this.found.count < 2;
    this.which.textContent = `${this.described()}${this.turning ? ` ${this.whoTurns()}` : ""}`;
  }

  /** Which solution is to be taken apart. */
  described() {
    if (this.k !== null) {
      return this.found === this.own
        ? "This solution was found here; the Solve tab finds all."
        : `Solution ${this.k + 1} of those found in the Solve tab.`;
    }
    return this.stored
      ? `${this.apart ? "No solution has been found here yet. This one" : "The solution"} came with the page${this.among ? `: ${this.among}` : ""}.`
      : "Find a solution first, in the Solve tab.";
  }

  /** Who looked for turns: only the program that made the page. */
  whoTurns() {
    const made = this.turns
      ? `The plan that came with the page has ${this.turns === 1 ? "a turn" : `${this.turns} turns`}`
      : "The parts of this puzzle may turn";
    return this.apart ? `${made}; the page itself looks for slides alone.` : `${made}; no part is lifted off.`;
  }

  begin() {
    const { k } = this;
    if (k === null) {
      this.showStored();
      return;
    }
    this.work(() => this.filmOf(k));
  }

  /** Take a solution apart, and show how. @param {number} k */
  async filmOf(k) {
    const taken = await this.takeApart(k, "Looking for moves …");
    if (taken) {
      await this.film(taken);
    }
    this.tell(taken ? "" : "Stopped before the answer was known.");
  }

  /**
   * Show how the solution that came with the page comes apart.
   * @param {boolean} [asked] whether somebody has pressed a button, who then goes on in the picture
   */
  showStored(asked = true) {
    if (this.stored) {
      this.tell("");
      this.show(unpack(this.stored));
      if (asked) {
        this.viewer?.focus();
      }
    }
  }

  /** Take all solutions apart that were found, and show the first with the greatest level. */
  seek() {
    this.work(async () => {
      /** @type {Taken | null} */
      let hardest = null;
      let [examined, apart] = [0, 0];
      for (; examined < this.found.count; examined += 1) {
        const best = hardest ? `, deepest so far: level ${hardest.plan.level.join(".")}` : "";
        const taken = await this.takeApart(examined, `Solution ${examined + 1} of ${this.found.count}${best}`);
        if (!taken) {
          break;
        }
        if (taken.plan.result === "apart") {
          apart += 1;
          hardest = hardest && !isHarder(taken.plan.level, hardest.plan.level) ? hardest : taken;
        }
      }
      if (hardest) {
        this.choose(hardest.k);
        await this.film(hardest);
      }
      const last = hardest ? " This is the deepest." : "";
      const how = this.turning ? " by slides alone" : "";
      this.tell(`${examined} of ${this.found.count} solutions examined, ${apart} known to come apart${how}.${last}`);
    });
  }

  /**
   * Do something that takes time, and that can be stopped.
   * @param {() => unknown} act @param {boolean} [asked] whether somebody has pressed a button
   */
  async work(act, asked = true) {
    this.stopped = false;
    this.start.hidden = this.plan.hidden = this.further.hidden = true;
    this.end.hidden = false;
    if (asked) {
      this.end.focus();
    }
    try {
      await act();
    } catch (error) {
      this.tell(`This solution could not be taken apart: ${error.message}`);
    }
    const focused = document.activeElement === this.end;
    this.end.hidden = true;
    this.choose(this.k);
    if (focused) {
      (this.viewer ?? this.start).focus(); // the viewer has keys
    }
  }

  /**
   * How a solution comes apart, checked; null if this was stopped. The words say what is being done.
   * @param {number} k @param {string} words @returns {Promise<Taken | null>}
   */
  async takeApart(k, words) {
    const { apart } = this;
    const cover = this.found.covers[k];
    const options = Array.from(cover);
    this.tell(words);
    if (this.stopped || !apart) {
      return null;
    }
    const plan = await this.engine.takeApart(
      apart.geometry,
      { pieces: options, states: MOST_POSITIONS },
      { onProgress: ({ states }) => this.tell(`${words}, ${states.toLocaleString("en")} positions`) },
    );
    if (plan.stop === "cancelled") {
      return null;
    }
    const faults = replayFaults(apart, this.play, options, plan);
    if (faults.length) {
      throw new Error(`the plan fails its check: ${faults[0]}`);
    }
    return { k, cover, options, apart, plan };
  }

  /** Show how a solution comes apart. @param {Taken} taken */
  async film({ k, cover, options, apart, plan }) {
    const { puzzle, parts, covers } = this.found;
    if (covers[k] !== cover) {
      throw new Error("the Solve tab has begun another search");
    }
    const solution = await this.found.solution(k);
    const disassembly = disassemblyOf(apart, this.play, options, plan, this.turning);
    this.show({ puzzle, parts, count: 1, solution: async () => ({ ...solution, disassembly }) });
  }

  /** @param {Source} source */
  show(source) {
    this.viewer?.dispose();
    this.picture.hidden = false;
    this.viewer = mount(this.picture, source, { heading: "h3", plays: true });
    this.picture.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} words */
  tell(words) {
    this.words.textContent = words;
  }
}

/**
 * Whether a level is greater than another one: its first number counts, then its second, and so on.
 * @param {number[]} level @param {number[]} other
 */
function isHarder(level, other) {
  const k = level.findIndex((moves, place) => moves !== other[place]);
  return k >= 0 && !(level[k] < other[k]);
}
