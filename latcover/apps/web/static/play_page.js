// The page "Play", for what is drawn: its data are made when it is opened, and again after a change.

import { where } from "./address.js";
import { dom, fill } from "./dom.js";
import { LazyEngine } from "./engine_room.js";
import { Fault } from "./faults.js";
import { host } from "./host.js";

/** @import { Model } from "./model.js" */

const PLACING = "Placing the parts …";

export class PlayPage {
  text = ""; // of the puzzle that is played
  turn = 0;
  engine = new LazyEngine();
  /** @type {{ dispose: () => void } | null} */ game = null;

  /** @param {Model} model @param {HTMLElement} element */
  constructor(model, element) {
    this.model = model;
    this.element = element;
  }

  /** The page is open. */
  async show() {
    const turn = (this.turn += 1);
    const subject = this.model.subject();
    const text = JSON.stringify(subject);
    if (text === this.text) return;
    this.clear();
    const said = dom("p", { class: "hint", role: "status" }, PLACING);
    fill(this.element, said);
    const tell = (/** @type {number} */ share) => (said.textContent = `${PLACING} ${Math.floor(100 * share)} %`);
    const { faults } = await this.model.judged();
    if (turn !== this.turn) return; // another page was opened meanwhile
    if (faults.length) return this.refuse(faults);
    try {
      const [{ data }, { play }] = await Promise.all([
        host.playable(subject, "all", tell),
        import("./play.js"),
        host.engineReady(),
      ]); // what draws in space is large, so it is loaded on demand
      if (turn !== this.turn) return;
      const place = dom("div", { class: "game", "data-own": String(Boolean(where().place.design)) });
      fill(this.element, place);
      this.game = play(place, data.puzzle, this.engine, data.symmetry);
      this.text = text;
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.refuse([fault.message]);
    }
  }

  /** @param {string[]} faults */
  refuse(faults) {
    const rows = faults.map((fault) => dom("li", {}, fault));
    fill(
      this.element,
      dom("p", { class: "headline" }, "This puzzle is not finished."),
      dom("ul", { class: "faults" }, rows),
    );
  }

  clear() {
    this.text = "";
    this.engine.close();
    this.game?.dispose();
    this.game = null;
    fill(this.element);
  }
}
