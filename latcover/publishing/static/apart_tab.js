// The tab that takes a solution apart: the engine finds the moves, they are checked, and the viewer plays them.

import { disassemblyOf } from "./disassembly.js";
import { button, dom } from "./dom.js";
import { FoundSolutions } from "./found.js";
import { replayFaults } from "./replay.js";
import { unpack } from "./source.js";
import { mount } from "./viewer.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { AnyEngine, PageData } from "./play_types.js" */
/** @import { Plan } from "../../../backends/wasm/engine_types.js" */
/** @import { SolveTab } from "./solve_tab.js" */
/** @import { Source } from "./types.js" */
/** @import { Viewer } from "./viewer.js" */

/**
 * A solution of those found, and how it comes apart.
 *
 * @typedef {{ k: number, cover: Int32Array, plan: Plan }} Taken
 */

const MOST_POSITIONS = 3_000_000; // to examine

export class ApartTab {
  /**
   * `solving()` gives the tab that solves, or undefined while nobody has opened it.
   *
   * @param {HTMLElement} element
   * @param {PlayPuzzle} play
   * @param {PageData} data
   * @param {AnyEngine} engine
   * @param {() => SolveTab | undefined} solving
   */
  constructor(element, play, { apart, stored, among }, engine, solving) {
    this.play = play;
    this.apart = apart;
    this.engine = engine;
    this.solving = solving;
    this.nothing = new FoundSolutions(play);
    this.stored = stored?.disassemblies ? stored : null;
    this.among = among;
    /** @type {Viewer | null} */
    this.viewer = null;
    /** @type {number | null} */
    this.k = null; // the solution to take apart; null is the one that came with the page
    this.start = button("Take it apart", () => this.begin(), { class: "main" });
    this.further = button("Find the hardest", () => this.seek(), { hidden: "" });
    this.stopped = false;
    this.end = button("Stop", () => ((this.stopped = true), engine.stop()), { hidden: "" });
    this.which = dom("p", { class: "hint" });
    this.words = dom("p", { class: "headline", role: "status" });
    this.picture = dom("div", { class: "space", hidden: "" });
    element.append(
      this.which,
      dom("div", { class: "row" }, this.start, this.further, this.end),
      this.words,
      this.picture,
    );
  }

  /** What the tab that solves has found; nothing before somebody has opened it. */
  get found() {
    return this.solving()?.search.found ?? this.nothing;
  }

  /** The tab is open: another solution may have been chosen. */
  opened() {
    if (this.end.hidden) {
      this.choose(this.solving()?.shown?.k ?? (this.found.count ? 0 : null));
    }
  }

  /** @param {number | null} k */
  choose(k) {
    this.k = k;
    this.start.disabled = k === null && !this.stored;
    this.further.hidden = this.found.count < 2 || !this.end.hidden;
    this.which.textContent =
      k !== null
        ? `Solution ${k + 1} of those found in the Solve tab.`
        : this.stored
          ? `No solution has been found here yet. This one came with the page${this.among ? `: ${this.among}` : ""}.`
          : "Find a solution first, in the Solve tab.";
  }

  begin() {
    const { k, stored } = this;
    if (k !== null) {
      this.work(async () => {
        const taken = await this.takeApart(k, "Looking for moves …");
        if (taken) {
          await this.film(taken);
        }
        this.tell(taken ? "" : "Stopped before the answer was known.");
      });
    } else if (stored) {
      this.show(unpack(stored));
      this.viewer?.focus();
    }
  }

  /** Take all solutions apart that were found, and show the first with the greatest level. */
  seek() {
    this.work(async () => {
      /** @type {Taken | null} */
      let hardest = null;
      let [examined, apart] = [0, 0];
      for (; examined < this.found.count; examined += 1) {
        const best = hardest ? `, hardest so far: level ${hardest.plan.level.join(".")}` : "";
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
      const last = hardest ? " This is the hardest." : "";
      this.tell(`${examined} of ${this.found.count} solutions examined, ${apart} known to come apart.${last}`);
    });
  }

  /**
   * Do something that takes time, and that can be stopped.
   *
   * @param {() => unknown} act
   */
  async work(act) {
    this.stopped = false;
    this.start.hidden = this.further.hidden = true;
    this.end.hidden = false;
    this.end.focus();
    try {
      await act();
    } catch (error) {
      this.tell(`This solution could not be taken apart: ${error.message}`);
    }
    const focused = document.activeElement === this.end;
    this.start.hidden = false;
    this.end.hidden = true;
    this.choose(this.k);
    if (focused) {
      (this.viewer ?? this.start).focus(); // the viewer has keys
    }
  }

  /**
   * How a solution comes apart, checked; null if this was stopped. The words say what is being done.
   *
   * @param {number} k
   * @param {string} words
   * @returns {Promise<Taken | null>}
   */
  async takeApart(k, words) {
    const cover = this.found.covers[k];
    const options = Array.from(cover);
    this.tell(words);
    if (this.stopped) {
      return null;
    }
    const plan = await this.engine.takeApart(
      this.apart.geometry,
      { pieces: options, states: MOST_POSITIONS },
      { onProgress: ({ states }) => this.tell(`${words}, ${states.toLocaleString("en")} positions`) },
    );
    if (plan.stop === "cancelled") {
      return null;
    }
    const faults = replayFaults(this.apart, this.play, options, plan);
    if (faults.length) {
      throw new Error(`the plan fails its check: ${faults[0]}`);
    }
    return { k, cover, plan };
  }

  /**
   * Show how a solution comes apart.
   *
   * @param {Taken} taken
   */
  async film({ k, cover, plan }) {
    const { puzzle, parts, covers } = this.found;
    if (covers[k] !== cover) {
      throw new Error("the Solve tab has begun another search");
    }
    const solution = await this.found.solution(k);
    const disassembly = disassemblyOf(this.apart, this.play, Array.from(cover), plan);
    this.show({ puzzle, parts, count: 1, solution: async () => ({ ...solution, disassembly }) });
  }

  /** @param {Source} source */
  show(source) {
    this.viewer?.dispose();
    this.picture.hidden = false;
    this.viewer = mount(this.picture, source, { heading: "h3" });
    this.picture.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} words */
  tell(words) {
    this.words.textContent = words;
  }
}

/**
 * Whether a level is greater than another one: its first number counts, then its second, and so on.
 *
 * @param {number[]} level
 * @param {number[]} other
 */
function isHarder(level, other) {
  const k = level.findIndex((moves, place) => moves !== other[place]);
  return k >= 0 && !(level[k] < other[k]);
}
