// The tabs of a published page, for what is drawn: play, solve and take apart. Their data are made when one of them is opened,
// and again after a change.

import { where } from "./address.js";
import { dom, fill } from "./dom.js";
import { choice, field } from "./elements.js";
import { LazyEngine } from "./engine_room.js";
import { Fault } from "./faults.js";
import { host } from "./host.js";
import { PlayPuzzle } from "./play_puzzle.js";

/** @import { Model } from "./model.js" */
/** @import { PageData } from "./play_types.js" */

const SAME = [
  ["all", "if rotated or reflected"],
  ["none", "never: count all"],
];

const PLACING = "Placing the parts …";

export class MadeTabs {
  /**
   * @param {Model} model
   * @param {Record<string, HTMLElement>} elements by the names of the tabs: some of play, solve, apart
   */
  constructor(model, elements) {
    this.model = model;
    this.elements = elements;
    /** @type {"all" | "none"} */
    this.under = "all"; // the symmetries under which solutions are the same
    this.text = ""; // of the puzzle that is made
    /** @type {PageData | null} */
    this.data = null;
    /** @type {PlayPuzzle | null} */
    this.puzzle = null;
    /** @type {Record<string, any>} */
    this.made = {};
    /** @type {LazyEngine[]} */
    this.engines = [];
  }

  /** A tab is shown: make what it needs. `name` is "play", "solve" or "apart". @param {string} name */
  async open(name) {
    const element = this.elements[name];
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const text = JSON.stringify([this.model.subject(), this.under]);
    if (text !== this.text) {
      this.clear();
      const said = dom("p", { class: "hint", role: "status" }, PLACING);
      fill(element, said);
      const words = await this.make((share) => (said.textContent = `${PLACING} ${Math.floor(100 * share)} %`));
      if (turn !== this.turn) return; // another tab was opened meanwhile
      if (words.length) {
        fill(element, unfinished(words));
        return;
      }
      this.text = text;
      fill(element);
    }
    this.made[name] ??= await this.maker(name, element); // what draws in space is large, so it is loaded on demand
    this.made[name].opened?.();
  }

  /**
   * Make the data of the puzzle as it is drawn now. Returns why that cannot be done, in words.
   * @param {(share: number) => void} tell how far it is @returns {Promise<string[]>}
   */
  async make(tell) {
    const { faults } = await this.model.judged();
    if (faults.length) return faults;
    try {
      const [{ data }] = await Promise.all([host.playable(this.model.subject(), this.under, tell), host.engineReady()]);
      this.data = data;
      this.puzzle = new PlayPuzzle(data.puzzle);
      return [];
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return [fault.message];
    }
  }

  /** Stop and remove all that was made. */
  clear() {
    this.text = "";
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

  /** @param {string} name @param {HTMLElement} element */
  async maker(name, element) {
    const data = /** @type {PageData} */ (this.data);
    const puzzle = /** @type {PlayPuzzle} */ (this.puzzle);
    if (name === "play") {
      const place = dom("div", { class: "game", "data-own": String(Boolean(where().place.design)) });
      fill(element, place);
      const { play } = await import("./play.js");
      return play(place, puzzle, this.engine(), data.symmetry);
    }
    if (name === "solve") {
      const again = (/** @type {any} */ under) => {
        this.under = under;
        return this.open("solve").then(() => element.querySelector("select")?.focus());
      };
      fill(element, dom("div", { class: "row" }, field("two solutions are the same", choice(SAME, this.under, again))));
      const { SolveTab } = await import("./solve_tab.js");
      return new SolveTab(element, puzzle, data);
    }
    if (!data.apart) {
      const words =
        "Here parts are not taken apart: in the plane they are lifted off, and not every lattice has slides.";
      fill(element, dom("p", { class: "hint" }, words));
      return {};
    }
    fill(element);
    const { ApartTab } = await import("./apart_tab.js");
    return new ApartTab(element, puzzle, data, this.engine(), () => this.made.solve);
  }
}

/** @param {string[]} faults */
const unfinished = (faults) => [
  dom("p", { class: "headline" }, "This puzzle is not finished."),
  dom(
    "ul",
    { class: "faults" },
    faults.map((fault) => dom("li", {}, fault)),
  ),
];
