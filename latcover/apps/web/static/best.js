// The page "Best": the best solutions of the puzzle by an objective, or packings of its region that are no solutions;
// with what is proved of them, and pictures.

import { showQuery, where } from "./address.js";
import { Ahead } from "./ahead.js";
import { BOUNDS } from "./bounds.js";
import { kindsOf } from "./kinds.js";
import { dom, fill } from "./dom.js";
import { choice, field, showFault } from "./elements.js";
import { host as api } from "./host.js";
import { RunPanel } from "./run.js";
import { keepOf, keptOf } from "./tab_memory.js";

/** @import { Job, Standing, Subject } from "./web_types.js" */
/** @import { Catalogue } from "./server_types.js" */
/** @import { Model } from "./model.js" */

/**
 * One of the best: its value in words, and the number of its picture.
 *
 * @typedef {{ words: string, at: number }} BestRow
 */

const MEMORY = "latcover.best.";
const QUESTIONS = [
  ["best", "the best solutions"],
  ["pack", "as many parts as fit"],
  ["clumsy", "few parts that leave no room for another"],
  ["exclude", "few cells that keep parts out"],
];
/** @type {Record<string, string>} */
const ABOUT = {
  best: "Finds the best solutions instead of any, and proves that no others are better.",
  pack: "Packs the region as densely as it can be, where the parts need not fill it, and proves that no packing is denser.",
  clumsy: "Packs the region clumsily: as few parts as possible, such that no other fits on the cells that stay empty.",
  exclude: "Finds the fewest cells that must be forbidden so that none of the parts fits on the others.",
};
const SENSES = [
  ["minimize", "as few as possible"],
  ["maximize", "as many as possible"],
];
const COPIES = [
  ["any", "any number of times"],
  ["once", "once at most"],
  ["own", "as the puzzle says"],
];

export class Best {
  /** @type {string | null} */
  run = null;
  task = ""; // of this run
  searched = {};

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about */
  constructor(model, element, about) {
    this.model = model;
    const asks = () => this.asked();
    this.find = choice(QUESTIONS, "best", asks);
    this.sense = choice(SENSES, "minimize", asks);
    this.objective = choice([], "", asks);
    /** @param {number} value @param {number} max */
    const whole = (value, max) => dom("input", { type: "number", min: 1, max, value, class: "short", onchange: asks });
    this.limit = whole(3, BOUNDS.best.limit.max);
    this.part = choice([], "", asks);
    this.copies = choice(COPIES, "any", asks);
    this.count = choice([["parts"], ["cells", "covered cells"]], "parts", asks);
    this.onTheWay = dom("input", { type: "checkbox" });
    this.time = whole(Math.min(60, about.seconds), about.seconds);
    this.panel = new RunPanel({
      model,
      label: "Find the best",
      job: () => this.job(),
      told: (standing) => this.told(standing),
      ended: (standing) => this.ended(standing),
    });
    this.about = dom("p", { class: "hint" });
    this.none = dom(
      "p",
      { class: "hint" },
      "All solutions of this puzzle are equally good: it has no costs, and nothing else by which they differ is known here.",
    );
    const ofSolutions = [
      field("I want", this.sense),
      field("of these", this.objective),
      field("how many solutions", this.limit),
    ];
    const way = field("show the best so far (slower)", this.onTheWay);
    const [part, copies, count] = [
      field("parts", this.part),
      field("each may be used", this.copies),
      field("count", this.count),
    ];
    /** The fields of each question. @type {Record<string, HTMLElement[]>} */
    this.fields = {
      best: ofSolutions,
      pack: [part, copies, count],
      clumsy: [part, copies],
      exclude: [part, way],
    };
    const all = [...ofSolutions, part, copies, count, way];
    this.timing = field("time limit (seconds)", this.time);
    this.form = dom("div", { class: "row asked" }, field("find", this.find), all, this.timing);
    this.ahead = new Ahead(model);
    this.picture = dom("img", { alt: "" });
    this.caption = dom("figcaption", {});
    this.save = dom("a", { class: "button", download: "packing.svg", hidden: true }, "Save this picture (SVG)");
    this.table = dom("div", {});
    this.note = dom("p", { class: "hint", role: "status" });
    this.found = dom(
      "section",
      { class: "best", "aria-label": "The best", hidden: true },
      dom("figure", {}, this.picture, this.caption, this.save),
      this.table,
    );
    fill(
      element,
      kindsOf("best"),
      this.about,
      this.form,
      this.none,
      this.panel.element,
      this.note,
      this.found,
      this.ahead.element,
    );
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => {
      if (this.run)
        this.note.textContent = "The puzzle has changed since. Search again for the best of the current one.";
    });
    model.addEventListener("checked", () => this.offer());
    window.addEventListener("hashchange", () => this.read());
  }

  /** Another puzzle: show what the address asks, and what this tab has found for it. */
  async reset() {
    const { model } = this;
    this.panel.leave();
    this.clear();
    if (!model.isPuzzle) return;
    const { run, query } = keptOf(MEMORY, model.subject());
    this.offer();
    this.take(new URLSearchParams(query));
    setTimeout(() => this.read()); // when the address is that of this puzzle
    if (!run) return;
    const { data } = model;
    const isThere = await api.standing(run).then(
      () => true,
      () => false,
    );
    if (!isThere || data !== model.data || this.panel.id) return;
    this.searched = model.subject();
    this.panel.attach(run);
  }

  clear() {
    this.run = null;
    this.note.textContent = "";
    this.found.hidden = true;
    this.ahead.element.hidden = false;
    fill(this.table);
  }

  /** Offer the objectives and the parts that the puzzle has. */
  offer() {
    const offer = (/** @type {HTMLSelectElement} */ select, /** @type {string[][]} */ options) => {
      const chosen = select.value;
      if ([...select.options].map(({ value, text }) => value + text).join() === options.flat().join("")) return;
      fill(
        select,
        options.map(([value, text]) => dom("option", { value, selected: value === chosen }, text)),
      );
    };
    const { objectives = [] } = this.model.verdict;
    offer(
      this.objective,
      objectives.map(({ name, words }) => [name, words]),
    );
    offer(this.part, [["", "all"], ...this.model.parts.map(({ name }) => [name, name])]);
    this.fit();
  }

  /** Take over what the address asks: #best/treasure?maximize=gold&limit=3 */
  read() {
    const { page, query } = where();
    if (page !== "best" || !this.model.isPuzzle) return;
    this.take(query);
    this.asked();
  }

  /** Take over what is asked. @param {URLSearchParams} query */
  take(query) {
    const { find, part, copies, count, sense, objective, limit } = this;
    const set = (/** @type {HTMLSelectElement} */ select, /** @type {string | null} */ value) => {
      if ([...select.options].some((option) => option.value === value)) select.value = `${value}`;
    };
    if (query.size) set(find, query.get("find") ?? "best");
    for (const [name, select] of Object.entries({ part, copies, count })) set(select, query.get(name));
    for (const [name] of SENSES) {
      if (!query.has(name)) continue;
      sense.value = name;
      set(objective, query.get(name));
    }
    const most = Math.floor(Number(query.get("limit")));
    if (most >= 1 && most <= BOUNDS.best.limit.max) limit.value = `${most}`;
    this.fit();
  }

  /** What is asked, as the address has it. */
  query() {
    const { find, part, copies, count, sense, objective, limit } = this;
    if (find.value === "best") return { [sense.value]: objective.value, limit: limit.value };
    /** @type {Record<string, string>} */ const query = { find: find.value };
    if (part.value) query.part = part.value;
    if (copies.value !== "any" && find.value !== "exclude") query.copies = copies.value;
    if (count.value !== "parts" && find.value === "pack") query.count = count.value;
    return query;
  }

  /** Write what is asked into the address, and show the fields for it. */
  asked() {
    showQuery("best", this.isNone ? {} : this.query());
    this.fit();
  }

  /** Whether it is asked for the best, and nothing says which are better. */
  get isNone() {
    return this.find.value === "best" && !this.objective.value;
  }

  /** Show the fields of the question. */
  fit() {
    const { isNone } = this;
    const find = this.find.value;
    this.about.textContent = ABOUT[find];
    for (const element of Object.values(this.fields).flat())
      element.hidden = isNone || !this.fields[find].includes(element);
    this.none.hidden = !isNone;
    this.panel.element.hidden = this.timing.hidden = isNone;
  }

  job() {
    if ([this.limit, this.time].some((input) => !input.reportValidity()))
      throw new Error("the number of solutions and the time limit must be whole numbers");
    this.clear();
    this.searched = this.model.subject();
    const seconds = this.time.value === "" ? null : Number(this.time.value);
    return /** @type {Job} */ ({ subject: this.searched, seconds, ...this.question() });
  }

  question() {
    const { find, sense, objective, limit, part, copies, count } = this;
    if (find.value === "best")
      return { task: "best", sense: sense.value, objective: objective.value, limit: Number(limit.value) || 1 };
    const common = {
      task: find.value === "exclude" ? "exclude" : "pack",
      parts: part.value ? [part.value] : [],
      backend: find.value === "exclude" && this.onTheWay.checked ? "cpsat" : "",
    };
    if (find.value === "exclude") return common;
    return {
      ...common,
      clumsy: find.value === "clumsy",
      cells: find.value === "pack" && count.value === "cells",
      once: copies.value === "once",
      own_counts: copies.value === "own",
    };
  }

  /** @param {Standing} standing */
  told({ id, kept, state, progress, task }) {
    if (this.run !== id) keepOf(MEMORY, /** @type {Subject} */ (this.searched), { run: id, query: this.query() });
    this.run = id;
    this.task = task;
    if (kept && state !== "ended") this.show(kept - 1, progress.known?.[0] ?? "");
  }

  /** Show a picture of the run. @param {number} at @param {string} words */
  show(at, words) {
    const isSolution = this.task === "best";
    this.found.hidden = false;
    this.ahead.element.hidden = true;
    const picture = (isSolution ? api.solutionPicture : api.runPicture)(/** @type {string} */ (this.run), at);
    if (!this.picture.src.endsWith(picture)) this.picture.src = picture;
    this.picture.alt = this.caption.textContent = words;
    this.save.hidden = isSolution;
    this.save.href = picture;
  }

  /** @param {Standing} standing */
  async ended({ id, answered, summary, kept, text }) {
    if (!answered) return;
    if (this.task !== "best") {
      if (kept) this.show(kept - 1, text ?? "");
      return;
    }
    try {
      const { best } = await api.answer(id);
      if (id === this.run && best.length) this.list(best, Boolean(summary?.proved));
    } catch (fault) {
      showFault(this.panel.fault, /** @type {Error} */ (fault));
    }
  }

  /** The table of the best. @param {BestRow[]} best @param {boolean} proved */
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
