// The tab that takes a solution apart: the engine finds the moves, they are checked, and the viewer plays them.

import { button, dom } from "./dom.js";
import { filmOf } from "./film_making.js";
import { replayFaults } from "./replay.js";
import { unpack } from "./source.js";
import { mount } from "./viewer.js";

const MOST_POSITIONS = 3_000_000; // to examine

export class ApartTab {
  /** `solving()` gives the tab that solves, or undefined while nobody has opened it. */
  constructor(element, play, { apart, stored }, engine, solving) {
    Object.assign(this, { play, apart, stored, engine, solving });
    this.viewer = null;
    this.start = button("Take it apart", () => this.begin(), { class: "main" });
    this.end = button("Stop", () => engine.stop(), { hidden: "" });
    this.which = dom("p", { class: "hint" });
    this.words = dom("p", { class: "headline", role: "status" });
    this.picture = dom("div", { class: "space", hidden: "" });
    element.append(this.which, dom("div", { class: "row" }, this.start, this.end), this.words, this.picture);
  }

  /** The tab is open: another solution may have been chosen. */
  opened() {
    const { shown, search } = this.solving() ?? {};
    const k = shown?.k ?? (search?.found.count ? 0 : null);
    this.k = k;
    this.start.disabled = k === null && !this.stored;
    this.which.textContent = k !== null
      ? `Solution ${k + 1}, which the tab Solve shows.`
      : this.stored
        ? "No solution was found here yet. This shows one that came with the page, and how it comes apart."
        : "Find a solution first, in the tab Solve.";
  }

  async begin() {
    if (this.k === null) {
      this.show(unpack(this.stored));
      return;
    }
    const { found } = this.solving().search;
    const options = Array.from(found.covers[this.k]);
    this.start.hidden = true;
    this.end.hidden = false;
    this.end.focus();
    this.tell("Looking for moves …");
    try {
      const plan = await this.engine.takeApart(this.apart.geometry, { pieces: options, states: MOST_POSITIONS }, {
        onProgress: ({ states }) => this.tell(`Looking for moves … ${states.toLocaleString("en")} positions`),
      });
      const faults = plan.stop === "cancelled" ? [] : replayFaults(this.apart, this.play, options, plan);
      if (faults.length) {
        this.tell(`The plan fails its check: ${faults[0]}.`);
      } else {
        this.tell("");
        await this.film(found, plan.stop === "cancelled" && !plan.separations ? null : plan, options);
      }
    } catch (error) {
      this.tell(`This solution could not be taken apart: ${error.message}`);
    }
    this.end.hidden = true;
    this.start.hidden = false;
  }

  async film(found, plan, options) {
    if (!plan) {
      this.tell("Stopped before an answer was known.");
      return;
    }
    const solution = await found.solution(this.k);
    const film = filmOf(this.apart, this.play, options, plan);
    this.show({ puzzle: found.puzzle, parts: found.parts, count: 1, solution: async () => ({ ...solution, film }) });
  }

  show(source) {
    this.viewer?.dispose();
    this.picture.hidden = false;
    this.viewer = mount(this.picture, source, { heading: "h3" });
  }

  tell(words) {
    this.words.textContent = words;
  }
}
