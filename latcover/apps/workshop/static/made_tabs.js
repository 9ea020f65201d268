// The tabs that play, solve and take apart what is drawn: those of a published page, on data that are made of the design when
// one of them is opened, and again after a change.

import * as api from "./page_api.js";
import { ApartTab } from "./apart_tab.js";
import { dom, fill } from "./dom.js";
import { choice, field } from "./elements.js";
import { LazyEngine } from "./engine_room.js";
import { pageData } from "./page_data.js";
import { DesignFault } from "./placing.js";
import { play } from "./play.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { SolveTab } from "./solve_tab.js";

/** @import { Model } from "./model.js" */
/** @import { PageData } from "./play_types.js" */
/** @import { Design, WorkshopLattice } from "./workshop_types.js" */

const SAME = [
  ["all", "if rotated or reflected"],
  ["none", "never: count all"],
];

export class MadeTabs {
  /**
   * @param {Model} model
   * @param {Record<string, HTMLElement>} elements by the names of the tabs: play, solve, apart
   */
  constructor(model, elements) {
    this.model = model;
    this.elements = elements;
    /** @type {"all" | "none"} */
    this.under = "all"; // the symmetries under which solutions are the same
    this.text = ""; // of the design that is made
    /** @type {PageData | null} */
    this.data = null;
    /** @type {PlayPuzzle | null} */
    this.puzzle = null;
    /** @type {Record<string, any>} */
    this.made = {};
    /** @type {LazyEngine[]} */
    this.engines = [];
  }

  /**
   * A tab is shown: make what it needs. `name` is "play", "solve" or "apart".
   *
   * @param {string} name
   */
  async open(name) {
    const element = this.elements[name];
    const turn = (this.turn = (this.turn ?? 0) + 1);
    await this.model.judged();
    const { design, lattice, faults } = await this.asked();
    if (turn !== this.turn) return; // another tab was opened meanwhile
    const text = JSON.stringify([design, lattice?.name, this.under, faults]);
    if (text !== this.text) {
      this.clear();
      this.text = text;
      if (!faults.length) this.make(lattice, design, faults);
    }
    if (!this.data) {
      const words = faults.length ? faults : ["This puzzle cannot be solved here."];
      fill(
        element,
        dom("p", { class: "headline" }, "This puzzle is not finished."),
        dom(
          "ul",
          { class: "faults" },
          words.map((/** @type {string} */ fault) => dom("li", {}, fault)),
        ),
      );
      this.text = "";
      return;
    }
    this.made[name] ??= this.maker(name, element);
    this.made[name].opened?.();
  }

  /** The design as it is drawn now, and what is wrong with it. @returns {Promise<Record<string, any>>} */
  async asked() {
    try {
      return await api.open(this.model.subject());
    } catch (fault) {
      return { faults: [fault.message] };
    }
  }

  /**
   * @param {WorkshopLattice} lattice
   * @param {Design} design
   * @param {string[]} faults
   */
  make(lattice, design, faults) {
    try {
      this.data = pageData(lattice, globalThis.latcoverWorkshop.looks, design, this.under);
      this.puzzle = new PlayPuzzle(this.data.puzzle);
    } catch (fault) {
      if (!(fault instanceof DesignFault)) throw fault;
      faults.push(fault.message);
    }
  }

  /** Stop and remove all that was made. */
  clear() {
    this.made.solve?.search.stop();
    for (const engine of this.engines) engine.close();
    this.made.play?.dispose();
    for (const tab of [this.made.solve, this.made.apart]) tab?.viewer?.dispose();
    for (const element of Object.values(this.elements)) fill(element);
    [this.made, this.engines, this.data] = [{}, [], null];
  }

  engine() {
    const engine = new LazyEngine();
    this.engines.push(engine);
    return engine;
  }

  /**
   * @param {string} name
   * @param {HTMLElement} element
   */
  maker(name, element) {
    const data = /** @type {PageData} */ (this.data);
    const puzzle = /** @type {PlayPuzzle} */ (this.puzzle);
    if (name === "play") {
      const host = dom("div", { class: "game" });
      fill(element, host);
      return play(host, data.puzzle, this.engine(), data.symmetry);
    }
    if (name === "solve") {
      const again = (/** @type {any} */ under) => {
        this.under = under;
        return this.open("solve").then(() => element.querySelector("select")?.focus());
      };
      fill(element, dom("div", { class: "row" }, field("two solutions are the same", choice(SAME, this.under, again))));
      return new SolveTab(element, puzzle, data);
    }
    if (!data.apart) {
      const words =
        "Here parts are not taken apart: in the plane they are lifted off, and not every lattice has slides.";
      fill(element, dom("p", { class: "hint" }, words));
      return {};
    }
    fill(element);
    return new ApartTab(element, puzzle, data, this.engine(), () => this.made.solve);
  }
}
