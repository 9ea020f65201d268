// The page "Best": the best solutions of the puzzle by an objective, what is proved of them, and a picture of each.

import * as api from "./api.js";
import { showQuery, where } from "./address.js";
import { dom, fill } from "./dom.js";
import { choice, field, showFault } from "./elements.js";
import { RunPanel } from "./run.js";
import { keepOf, keptOf } from "./tab_memory.js";

/** @import { Standing } from "./web_types.js" */

/**
 * One of the best: its value in words, and the number of its picture.
 *
 * @typedef {{ words: string, at: number }} BestRow
 */

const MEMORY = "latcover.best.";
const MOST = 20; // solutions side by side: MOST_BEST of the server
const SENSES = [
  ["minimize", "as few as possible"],
  ["maximize", "as many as possible"],
];

export class Best {
  /** @type {string | null} */
  run = null;
  searched = {};

  constructor(model, element, about) {
    this.model = model;
    this.objective = choice([], "", () => this.asked());
    this.sense = choice(SENSES, "minimize", () => this.asked());
    const whole = (value, max) => dom("input", { type: "number", min: 1, max, value, class: "short" });
    this.limit = whole(3, MOST);
    this.limit.addEventListener("change", () => this.asked());
    this.time = whole(Math.min(60, about.seconds), about.seconds);
    this.panel = new RunPanel({
      model,
      label: "Find the best",
      job: () => this.job(),
      told: (standing) => this.told(standing),
      ended: (standing) => this.ended(standing),
    });
    this.none = dom(
      "p",
      { class: "hint" },
      "All solutions of this puzzle are equally good: it has no costs, and nothing else by which they differ is known here.",
    );
    this.form = dom(
      "div",
      { class: "row" },
      field("I want", this.sense),
      field("of these", this.objective),
      field("how many solutions", this.limit),
      field("time limit (seconds)", this.time),
    );
    this.picture = dom("img", { alt: "" });
    this.caption = dom("figcaption", {});
    this.table = dom("div", {});
    this.note = dom("p", { class: "hint", role: "status" });
    this.found = dom(
      "section",
      { class: "best", "aria-label": "The best", hidden: true },
      dom("figure", {}, this.picture, this.caption),
      this.table,
    );
    fill(
      element,
      dom("p", { class: "hint" }, "Finds the best solutions instead of any, and proves that no others are better."),
      this.form,
      this.none,
      this.panel.element,
      this.note,
      this.found,
    );
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => {
      if (this.run)
        this.note.textContent = "The puzzle has changed since. Search again for the best of the current one.";
    });
    model.addEventListener("checked", () => this.offer(this.objective.value));
    window.addEventListener("hashchange", () => this.read());
  }

  /** Another puzzle: show what the address asks, and what this tab has found for it. */
  async reset() {
    const { model } = this;
    this.panel.leave();
    this.clear();
    if (!model.isPuzzle) return;
    const kept = keptOf(MEMORY, model.subject());
    for (const control of [this.sense, this.limit])
      control.value = kept[control === this.limit ? "limit" : "sense"] ?? control.value;
    this.offer(kept.objective ?? "");
    setTimeout(() => this.read()); // when the address is that of this puzzle
    if (!kept.run) return;
    const { data } = model;
    const isThere = await api.standing(kept.run).then(
      () => true,
      () => false,
    );
    if (!isThere || data !== model.data || this.panel.id) return;
    this.searched = model.subject();
    this.panel.attach(kept.run);
  }

  clear() {
    this.run = null;
    this.note.textContent = "";
    this.found.hidden = true;
    fill(this.table);
  }

  /**
   * Offer the objectives that the puzzle has, one of them chosen.
   *
   * @param {string} chosen
   */
  offer(chosen) {
    const offered = this.model.verdict.objectives ?? [];
    const had = [...this.objective.options].map(({ value }) => value).join();
    if (offered.length && had !== offered.map(({ name }) => name).join())
      fill(
        this.objective,
        offered.map(({ name, words }) => dom("option", { value: name }, words)),
      );
    if (offered.some(({ name }) => name === chosen)) this.objective.value = chosen;
    this.none.hidden = offered.length > 0;
    this.form.hidden = this.panel.element.hidden = offered.length === 0;
  }

  /** Take over what the address asks: #best/treasure?maximize=gold&limit=3 */
  read() {
    const { page, query } = where();
    if (page !== "best" || !this.model.data) return;
    for (const [sense] of SENSES) {
      const name = query.get(sense);
      if (name === null || ![...this.objective.options].some(({ value }) => value === name)) continue;
      this.sense.value = sense;
      this.objective.value = name;
    }
    const limit = Number(query.get("limit"));
    if (limit >= 1 && limit <= MOST) this.limit.value = `${Math.floor(limit)}`;
    this.asked();
  }

  /** Write what is asked into the address. */
  asked() {
    const { sense, objective, limit } = this;
    showQuery("best", objective.value ? { [sense.value]: objective.value, limit: limit.value } : {});
  }

  job() {
    if ([this.limit, this.time].some((input) => !input.reportValidity()))
      throw new Error("the number of solutions and the time limit must be whole numbers");
    this.clear();
    this.searched = this.model.subject();
    return {
      task: "best",
      subject: this.searched,
      sense: this.sense.value,
      objective: this.objective.value,
      limit: Number(this.limit.value) || 1,
      seconds: this.time.value === "" ? null : Number(this.time.value),
    };
  }

  /** @param {Standing} standing */
  told({ id, kept, state, progress }) {
    if (this.run !== id) {
      const [objective, sense, limit] = [this.objective, this.sense, this.limit].map(({ value }) => value);
      keepOf(MEMORY, this.searched, { run: id, objective, sense, limit });
    }
    this.run = id;
    if (kept && state !== "ended") this.show(kept - 1, progress.known?.[0] ?? "");
  }

  /**
   * Show a solution of the run.
   *
   * @param {number} at
   * @param {string} words
   */
  show(at, words) {
    this.found.hidden = false;
    const picture = api.solutionPicture(/** @type {string} */ (this.run), at);
    if (!this.picture.src.endsWith(picture)) this.picture.src = picture;
    this.picture.alt = this.caption.textContent = words;
  }

  /** @param {Standing} standing */
  async ended({ id, answered, summary }) {
    if (!answered) return;
    try {
      const { best } = await api.answer(id);
      if (id === this.run && best.length) this.list(best, summary?.proved);
    } catch (fault) {
      showFault(this.panel.fault, /** @type {Error} */ (fault));
    }
  }

  /**
   * The table of the best.
   *
   * @param {BestRow[]} best
   * @param {boolean} proved
   */
  list(best, proved) {
    const buttons = best.map(({ words, at }, k) =>
      dom(
        "button",
        { type: "button", "aria-label": `Show solution ${k + 1}`, onclick: () => look(k) },
        dom("img", { loading: "lazy", alt: words, src: api.solutionPicture(/** @type {string} */ (this.run), at) }),
      ),
    );
    const look = (/** @type {number} */ k) => {
      this.show(best[k].at, best[k].words);
      buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === k)));
    };
    const rows = best.map(({ words }, k) =>
      dom("tr", {}, dom("th", { scope: "row" }, k + 1), dom("td", {}, words), dom("td", {}, buttons[k])),
    );
    const heads = ["", "value", "solution"].map((words) =>
      dom(words ? "th" : "td", words ? { scope: "col" } : {}, words),
    );
    const caption = proved ? "Proved: no other solution is better" : "Not proved: others may be better";
    fill(
      this.table,
      dom(
        "table",
        {},
        dom("caption", { class: proved ? "good" : "warning" }, caption),
        dom("thead", {}, dom("tr", {}, heads)),
        dom("tbody", {}, rows),
      ),
    );
    look(0);
  }
}
