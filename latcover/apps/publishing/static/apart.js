// The page "Take apart": the chosen solution is taken apart, and the viewer plays it. It begins at once.

import { Ahead } from "./ahead.js";
import { host } from "./host.js";
import { Faults, Held } from "./panels.js";
import { html, render } from "./preact.js";
import { RunPanel } from "./run.js";

/** @import { Job, Standing } from "./web_types.js" */
/** @import { Source } from "./types.js" */
/** @import { Viewer } from "./viewer.js" */
/** @import { Solve, Solved } from "./solve.js" */

const NONE = "No solution was found here: find one first, on the page Solve.";

/** The solution of a run that is taken apart; all that are kept if it is null. @typedef {{ run: string, solution: number | null }} Wanted */

export class Apart {
  /** @type {Viewer | null} */ viewer = null;
  /** @type {Wanted | null} */ found = null; // a solution that this page has looked for
  /** @type {any} */ fault = null;
  asked = ""; // what was asked last
  which = "";
  isShown = false; // whether there is a picture

  /** @param {Solved} model @param {HTMLElement} element @param {Solve} solve */
  constructor(model, element, solve) {
    this.model = model;
    this.solve = solve;
    this.ahead = new Ahead(model);
    this.picture = document.createElement("div");
    this.picture.className = "space";
    this.panel = new RunPanel({
      model,
      label: host.stored?.turning && host.stored.slides ? "Take apart by slides alone" : "Take apart",
      job: (more) => this.job(more),
      others: () => this.others(),
      spared: (more) => this.showsStored(more),
      ended: (standing) => this.ended(standing),
    });
    element.replaceChildren(this.panel.element, (this.below = document.createElement("div")));
    model.addEventListener("loaded", () => this.forget());
    this.draw();
  }

  /** @returns {[string, Record<string, any>][]} */
  others() {
    const isSeveral = this.chosen() && this.solve.kept > 1 && this.model.lattice.space;
    return [
      ...(host.stored?.turns ? [/** @type {any} */ (["Show the plan with turns", { stored: true }])] : []),
      ...(isSeveral ? [/** @type {any} */ (["Find the deepest", { solution: null }])] : []),
    ];
  }

  forget() {
    this.panel.leave();
    this.clear();
    this.found = null;
    this.asked = this.which = "";
    this.draw();
  }

  clear() {
    this.viewer?.dispose();
    this.viewer = this.fault = null;
    this.isShown = false;
  }

  /** The solution that the page Solve shows, if it is one of the puzzle as it is now. @returns {Wanted | null} */
  chosen() {
    const { run, current, isStale, kept } = this.solve;
    return run && kept && !isStale ? { run, solution: current } : null;
  }

  /** The page is open: take apart what is chosen, unless that was done. */
  show() {
    const { stored } = host;
    this.panel.draw();
    const asked = JSON.stringify([this.chosen(), this.model.subject()]);
    if (asked === this.asked) return;
    this.forget();
    this.asked = asked;
    if (stored?.comesApart && (stored.turns || !this.chosen())) this.showStored(false);
    else this.panel.start();
  }

  /** Whether the plan was asked for that came with the page. @param {Record<string, any>} more */
  showsStored({ stored }) {
    const isAsked = Boolean(stored || (host.stored && !host.stored.slides));
    if (isAsked) this.showStored(true);
    return isAsked;
  }

  /** @param {boolean} isAsked whether somebody has pressed a button, who then goes on in the picture */
  async showStored(isAsked) {
    const stored = /** @type {NonNullable<typeof host.stored>} */ (host.stored);
    this.panel.leave();
    this.which = stored.about(Boolean(this.chosen()));
    await this.play(stored.source());
    if (isAsked) this.viewer?.focus();
  }

  /** @param {Record<string, any>} more */
  job({ solution }) {
    this.fault = null;
    const target = this.chosen() ?? this.found;
    if (target)
      return /** @type {Job} */ ({ task: "apart", ...target, ...(solution === undefined ? {} : { solution }) });
    this.which = "No solution is chosen on the page Solve, so one is looked for.";
    this.draw();
    const job = { task: "solve", subject: this.model.subject(), backend: "auto", ...host.firstSearch };
    return /** @type {Job} */ (job);
  }

  /** @param {Standing} standing */
  async ended({ id, task, found, answered, summary }) {
    if (task === "solve") {
      if (found) this.found = { run: id, solution: found > 1 ? null : 0 };
      this.which = found > 1 ? `The deepest of the first ${found} solutions is played.` : found ? "" : NONE;
      if (summary?.complete && !found) this.which = ""; // there is none, as the panel says
      this.draw();
      if (found) await this.panel.start();
    }
    if (task !== "apart" || !answered) return;
    try {
      const film = await host.film(id);
      if (id !== this.panel.id) return;
      if (this.chosen()) this.which = `Solution ${(summary?.place ?? 0) + 1} of those on the page Solve.`;
      await this.play(film);
      const focused = document.activeElement;
      if (focused === document.body || this.panel.element.contains(focused)) this.viewer?.focus(); // for its keys
    } catch (fault) {
      this.fault = fault;
      this.draw();
    }
  }

  /** Play how a solution comes apart. @param {Source} source */
  async play(source) {
    const { mount } = await import("./viewer.js"); // large, so loaded on demand
    this.clear();
    this.isShown = true;
    this.draw();
    this.viewer = mount(this.picture, source, { heading: "h3", chooser: false, plays: true });
    await this.viewer.begun;
  }

  draw() {
    render(
      html`<p class="hint">${this.which}</p>
        <${Faults} fault=${this.fault} />
        <${Held} class="" nodes=${[this.isShown ? this.picture : this.ahead.element]} />`,
      this.below,
    );
  }
}
