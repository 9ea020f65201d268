// The page "Take apart" of the app: the server takes the chosen solution apart, and the viewer plays it. It begins at once.

import { Ahead } from "./ahead.js";
import { dom, fill } from "./dom.js";
import { showFault } from "./elements.js";
import { host as api } from "./host.js";
import { RunPanel } from "./run.js";
import { unpack } from "./source.js";

/** @import { Job, Standing, Summary } from "./web_types.js" */
/** @import { Viewer } from "./viewer.js" */
/** @import { Model } from "./model.js" */
/** @import { Solve } from "./solve.js" */

const SOME = 30; // solutions that are looked for where none is chosen: the deepest of them is played

/** The solution of a run that is taken apart; all that are kept if it is null. @typedef {{ run: string, solution: number | null }} Wanted */

export class ApartPage {
  /** @type {Viewer | null} */
  viewer = null;

  /** @param {Model} model @param {HTMLElement} element @param {Solve} solve */
  constructor(model, element, solve) {
    this.model = model;
    this.solve = solve;
    this.asked = ""; // what was asked last
    /** @type {Wanted | null} */
    this.found = null; // a solution that this page has looked for
    this.panel = new RunPanel({
      model,
      label: "Take apart",
      job: (more) => this.job(more),
      others: [["Find the deepest", { solution: null }]],
      ended: (standing) => this.ended(standing),
    });
    const [, deepest] = this.panel.startButtons;
    deepest.hidden = true;
    this.deepest = deepest;
    this.which = dom("p", { class: "hint" });
    this.faults = dom("div", { class: "faults", role: "alert", hidden: true });
    this.picture = dom("div", { class: "space", hidden: true });
    fill(element, this.panel.element, this.which, this.faults, this.picture, new Ahead(model).element);
    model.addEventListener("loaded", () => this.forget());
  }

  forget() {
    this.panel.leave();
    this.viewer?.dispose();
    this.viewer = null;
    this.found = null;
    this.asked = this.which.textContent = "";
    this.picture.hidden = true;
  }

  /** The solution that the page Solve shows, if it is one of the puzzle as it is now. @returns {Wanted | null} */
  chosen() {
    const { run, current, isStale, kept } = this.solve;
    return run && kept && !isStale ? { run, solution: current } : null;
  }

  /** The page is open: take apart what is chosen, unless that was done. */
  show() {
    const { solve } = this;
    this.deepest.hidden = !this.chosen() || solve.kept < 2 || !this.model.lattice.space;
    const asked = JSON.stringify([this.chosen(), this.model.subject()]);
    if (asked === this.asked) return;
    this.forget();
    this.asked = asked;
    this.panel.start();
  }

  /** @param {Record<string, any>} more */
  job({ solution }) {
    showFault(this.faults, null);
    const target = this.chosen() ?? this.found;
    if (target)
      return /** @type {Job} */ ({ task: "apart", ...target, ...(solution === undefined ? {} : { solution }) });
    this.which.textContent = "No solution is chosen on the page Solve, so one is looked for.";
    return /** @type {Job} */ ({
      task: "solve",
      subject: this.model.subject(),
      backend: "auto",
      limit: SOME,
      seconds: null,
    });
  }

  /** @param {Standing} standing */
  async ended({ id, task, found, answered, summary }) {
    if (task === "solve" && found) {
      this.found = { run: id, solution: found > 1 ? null : 0 };
      this.which.textContent = found > 1 ? `The deepest of the first ${found} solutions is played.` : "";
      await this.panel.start();
      return;
    }
    if (task !== "apart" || !answered) return;
    const { place = 0 } = /** @type {Summary} */ (summary);
    try {
      const { scene } = await api.answer(id);
      if (id !== this.panel.id) return;
      await this.play(unpack(scene), place);
    } catch (fault) {
      showFault(this.faults, fault);
    }
  }

  /** Play how a solution comes apart. @param {any} source @param {number} place its number in the run, from 0 */
  async play(source, place) {
    const { mount } = await import("./viewer.js"); // large, so loaded on demand
    if (this.chosen()) this.which.textContent = `Solution ${place + 1} of those on the page Solve.`;
    this.viewer?.dispose();
    this.picture.hidden = false;
    this.viewer = mount(this.picture, source, { heading: "h3", chooser: false });
    await this.viewer?.begun;
    this.viewer?.play();
    const focused = /** @type {HTMLButtonElement} */ (document.activeElement);
    if ([document.body, ...this.panel.startButtons].includes(focused)) this.viewer?.focus(); // for its keys
  }
}
