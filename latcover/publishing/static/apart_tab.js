// The tab that takes a solution apart: the engine finds the moves, they are checked, and the viewer plays them.

import { disassemblyOf } from "./disassembly.js";
import { button, dom } from "./dom.js";
import { Found } from "./found.js";
import { replayFaults } from "./replay.js";
import { unpack } from "./source.js";
import { mount } from "./viewer.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { AnyEngine, PageData } from "./play_types.js" */
/** @import { SolveTab } from "./solve_tab.js" */
/** @import { Source } from "./types.js" */
/** @import { Viewer } from "./viewer.js" */

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
  constructor(element, play, { apart, stored }, engine, solving) {
    this.play = play;
    this.apart = apart;
    this.engine = engine;
    this.solving = solving;
    this.nothing = new Found(play);
    this.stored = stored?.disassemblies ? stored : null;
    /** @type {Viewer | null} */
    this.viewer = null;
    /** @type {number | null} */
    this.k = null; // the solution to take apart; null is the one that came with the page
    this.start = button("Take it apart", () => this.begin(), { class: "main" });
    this.further = button("Find one that comes apart", () => this.seek(), { hidden: "" });
    this.end = button("Stop", () => engine.stop(), { hidden: "" });
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
    this.further.hidden = this.found.count < 2;
    this.which.textContent =
      k !== null
        ? `Solution ${k + 1} of those found in the Solve tab.`
        : this.stored
          ? "No solution has been found here yet. This one came with the page."
          : "Find a solution first, in the Solve tab.";
  }

  begin() {
    const { k, stored } = this;
    if (k !== null) {
      this.work(() => this.takeApart(k));
    } else if (stored) {
      this.show(unpack(stored));
    }
  }

  /** Try the solutions after this one, and then those before it, until one comes apart. */
  seek() {
    const { found, k } = this;
    this.work(async () => {
      let result = "stuck";
      for (let n = 1; n <= found.count && result !== "apart" && result !== "stopped"; n += 1) {
        const next = ((k ?? 0) + n) % found.count;
        this.choose(next);
        result = await this.takeApart(next);
      }
      if (result !== "apart" && result !== "stopped") {
        this.tell(`None of the ${found.count.toLocaleString("en")} solutions found is known to come apart.`);
      }
    });
  }

  /**
   * Do something that takes time, and that can be stopped.
   *
   * @param {() => unknown} act
   */
  async work(act) {
    const focused = [this.start, this.further].find((one) => one === document.activeElement) ?? this.start;
    this.start.hidden = this.further.hidden = true;
    this.end.hidden = false;
    this.end.focus();
    try {
      await act();
    } catch (error) {
      this.tell(`This solution could not be taken apart: ${error.message}`);
    }
    this.end.hidden = true;
    this.start.hidden = false;
    this.choose(this.k);
    focused.focus();
  }

  /**
   * Take a solution apart, and show it. Returns the result of the plan, "stopped", or "wrong".
   *
   * @param {number} k
   */
  async takeApart(k) {
    const { found } = this;
    const options = Array.from(found.covers[k]);
    this.tell("Looking for moves …");
    const plan = await this.engine.takeApart(
      this.apart.geometry,
      { pieces: options, states: MOST_POSITIONS },
      {
        onProgress: ({ states }) => this.tell(`Looking for moves … ${states.toLocaleString("en")} positions`),
      },
    );
    if (plan.stop === "cancelled") {
      this.tell("Stopped before the answer was known.");
      return "stopped";
    }
    const faults = replayFaults(this.apart, this.play, options, plan);
    if (faults.length) {
      this.tell(`The plan fails its check: ${faults[0]}.`);
      return "wrong";
    }
    this.tell("");
    const solution = await found.solution(k);
    const disassembly = disassemblyOf(this.apart, this.play, options, plan);
    this.show({
      puzzle: found.puzzle,
      parts: found.parts,
      count: 1,
      solution: async () => ({ ...solution, disassembly }),
    });
    return plan.result;
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
