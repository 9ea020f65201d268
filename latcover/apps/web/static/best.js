// The page "Best": the best solutions of the puzzle by an objective, or packings of its region that are no solutions;
// with what is proved of them, and pictures.

import { showQuery, where } from "./address.js";
import { Ahead } from "./ahead.js";
import { BOUNDS } from "./bounds.js";
import { host } from "./host.js";
import { Kinds } from "./kinds.js";
import { Amount, button, Choice, Field, Held } from "./panels.js";
import { html, render } from "./preact.js";
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
/** The questions: their words, the fields of each, and what it does. @type {Record<string, { words: string, fields: string[], about: string }>} */
const QUESTIONS = {
  best: {
    words: "the best solutions",
    fields: ["sense", "objective", "limit"],
    about: "Finds the best solutions instead of any, and proves that no others are better.",
  },
  pack: {
    words: "as many parts as fit",
    fields: ["part", "copies", "count"],
    about:
      "Packs the region as densely as it can be, where the parts need not fill it, and proves that no packing is denser.",
  },
  clumsy: {
    words: "few parts that leave no room for another",
    fields: ["part", "copies"],
    about: "Packs the region clumsily: as few parts as possible, such that no other fits on the cells that stay empty.",
  },
  exclude: {
    words: "few cells that keep parts out",
    fields: ["part", "onTheWay"],
    about: "Finds the fewest cells that must be forbidden so that none of the parts fits on the others.",
  },
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
const COUNTS = [["parts"], ["cells", "covered cells"]];
const NONE =
  "All solutions of this puzzle are equally good: it has no costs, and nothing else by which they differ is known here.";
const CHANGED = "The puzzle has changed since. Search again for the best of the current one.";

export class Best {
  /** What is asked. @type {Record<string, string>} */
  asked = { find: "best", sense: "minimize", objective: "", limit: "3", part: "", copies: "any", count: "parts" };
  onTheWay = false;
  /** @type {string | null} */ run = null;
  task = ""; // of this run
  searched = {};
  isStale = false; // whether the puzzle has changed since
  /** What is seen: a picture of the run. @type {{ at: number, words: string } | null} */ shown = null;
  /** @type {BestRow[]} */ rows = [];
  isProved = false;

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about */
  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    this.most = about.seconds;
    this.seconds = `${Math.min(60, about.seconds)}`;
    this.ahead = new Ahead(model);
    this.panel = new RunPanel({
      model,
      label: "Find the best",
      job: () => this.job(),
      told: (standing) => this.told(standing),
      ended: (standing) => this.ended(standing),
    });
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => {
      this.isStale = true;
      this.draw();
    });
    model.addEventListener("checked", () => this.draw());
    window.addEventListener("hashchange", () => this.read());
    this.draw();
  }

  /** Another puzzle: show what the address asks, and what this tab has found for it. */
  async reset() {
    const { model } = this;
    this.panel.leave();
    this.clear();
    this.draw();
    if (!model.isPuzzle) return;
    const { run, query } = keptOf(MEMORY, model.subject());
    this.take(new URLSearchParams(query));
    setTimeout(() => this.read()); // when the address is that of this puzzle
    if (!run) return;
    const { data } = model;
    const isThere = await host.standing(run).then(...[true, false].map((is) => () => is));
    if (!isThere || data !== model.data || this.panel.id) return;
    this.searched = model.subject();
    this.panel.attach(run);
  }

  clear() {
    this.run = this.shown = null;
    this.rows = [];
    this.isStale = false;
  }

  /** What may be chosen: [value, words]. @returns {Record<string, string[][]>} */
  get offered() {
    const { verdict, parts, isPuzzle } = this.model;
    return {
      find: Object.entries(QUESTIONS).map(([name, { words }]) => [name, words]),
      sense: SENSES,
      objective: (verdict?.objectives ?? []).map(({ name, words }) => [name, words]),
      part: [["", "all"], ...(isPuzzle ? parts : []).map(({ name }) => [name, name])],
      copies: COPIES,
      count: COUNTS,
    };
  }

  /** What was chosen, if it is offered; otherwise what is offered first. @param {string} name */
  value(name) {
    const known = this.offered[name]?.map(([value]) => value);
    return !known || known.includes(this.asked[name]) ? this.asked[name] : (known[0] ?? "");
  }

  /** Take over what the address asks: #best/treasure?maximize=gold&limit=3 */
  read() {
    const { page, query } = where();
    if (page !== "best" || !this.model.isPuzzle) return;
    this.take(query);
    this.put({});
  }

  /** Take over what is asked. @param {URLSearchParams} query */
  take(query) {
    const { asked } = this;
    if (query.size) asked.find = query.get("find") ?? "best";
    for (const name of ["part", "copies", "count"]) asked[name] = query.get(name) ?? asked[name];
    for (const [sense] of SENSES) if (query.has(sense)) Object.assign(asked, { sense, objective: query.get(sense) });
    const most = Math.floor(Number(query.get("limit")));
    if (most >= 1 && most <= BOUNDS.best.limit.max) asked.limit = `${most}`;
    this.draw();
  }

  /** What is asked, as the address has it. @returns {Record<string, string>} */
  query() {
    const [find, sense, part, copies, count] = ["find", "sense", "part", "copies", "count"].map((name) =>
      this.value(name),
    );
    if (find === "best") return { [sense]: this.value("objective"), limit: this.asked.limit };
    return {
      find,
      ...(part ? { part } : {}),
      ...(copies !== "any" && find !== "exclude" ? { copies } : {}),
      ...(count !== "parts" && find === "pack" ? { count } : {}),
    };
  }

  /** Write what is asked into the address, and show the fields for it. @param {Record<string, string>} values */
  put(values) {
    Object.assign(this.asked, values);
    showQuery("best", this.isNone ? {} : this.query());
    this.draw();
  }

  /** Whether it is asked for the best, and nothing says which are better. */
  get isNone() {
    return this.value("find") === "best" && !this.value("objective");
  }

  job() {
    const numbers = /** @type {NodeListOf<HTMLInputElement>} */ (this.element.querySelectorAll(".asked input"));
    if ([...numbers].some((input) => !input.closest("[hidden]") && !input.reportValidity()))
      throw new Error("the number of solutions and the time limit must be whole numbers");
    this.clear();
    this.draw();
    this.searched = this.model.subject();
    const seconds = this.seconds === "" ? null : Number(this.seconds);
    return /** @type {Job} */ ({ subject: this.searched, seconds, ...this.question() });
  }

  question() {
    const [find, part, copies] = ["find", "part", "copies"].map((name) => this.value(name));
    if (find === "best")
      return {
        task: "best",
        sense: this.value("sense"),
        objective: this.value("objective"),
        limit: Number(this.asked.limit) || 1,
      };
    const task = find === "exclude" ? "exclude" : "pack";
    const common = { task, parts: part ? [part] : [], backend: find === "exclude" && this.onTheWay ? "cpsat" : "" };
    if (find === "exclude") return common;
    const cells = find === "pack" && this.value("count") === "cells";
    return { ...common, clumsy: find === "clumsy", cells, once: copies === "once", own_counts: copies === "own" };
  }

  /** @param {Standing} standing */
  told({ id, kept, state, progress, task }) {
    if (this.run !== id) keepOf(MEMORY, /** @type {Subject} */ (this.searched), { run: id, query: this.query() });
    this.run = id;
    this.task = task;
    if (kept && state !== "ended") this.look(kept - 1, progress.known?.[0] ?? "");
  }

  /** Show a picture of the run. @param {number} at @param {string} words */
  look(at, words) {
    this.shown = { at, words };
    this.draw();
  }

  /** @param {Standing} standing */
  async ended({ id, answered, summary, kept, text }) {
    if (!answered) return;
    if (this.task !== "best") {
      if (kept) this.look(kept - 1, text ?? "");
      return;
    }
    try {
      const { best } = await host.answer(id);
      if (id !== this.run || !best.length) return;
      this.rows = best;
      this.isProved = Boolean(summary?.proved);
      this.look(best[0].at, best[0].words);
    } catch (fault) {
      this.panel.fail(fault);
    }
  }

  draw() {
    const { shown, isNone, run } = this;
    const { fields, about } = QUESTIONS[this.value("find")];
    const isShown = (/** @type {string} */ name) => !isNone && fields.includes(name);
    /** @param {string} name @param {string} label @param {boolean} [hidden] */
    const choice = (name, label, hidden = !isShown(name)) => {
      const choose = (/** @type {string} */ value) => this.put({ [name]: value });
      return Choice({ label, value: this.value(name), options: this.offered[name], hidden, choose });
    };
    const many = { label: "how many solutions", max: BOUNDS.best.limit.max, hidden: !isShown("limit") };
    const time = { label: "time limit (seconds)", max: this.most, hidden: isNone };
    render(
      html`<${Kinds} own="best" />
        <p class="hint">${about}</p>
        <div class="row asked">
          ${choice("find", "find", false)} ${choice("sense", "I want")} ${choice("objective", "of these")}
          ${Amount({ ...many, value: this.asked.limit, put: (limit) => this.put({ limit }) })}
          ${choice("part", "parts")} ${choice("copies", "each may be used")} ${choice("count", "count")}
          <${Field} label="show the best so far (slower)" hidden=${!isShown("onTheWay")}>
            <input
              type="checkbox"
              checked=${this.onTheWay}
              onChange=${(/** @type {any} */ event) => (this.onTheWay = event.target.checked)}
            />
          <//>
          ${Amount({ ...time, value: this.seconds, put: (seconds) => (this.seconds = seconds) })}
        </div>
        ${isNone && html`<p class="hint">${NONE}</p>`}
        <div hidden=${isNone}><${Held} class="" nodes=${[this.panel.element]} /></div>
        <p class="hint" role="status">${this.isStale && run ? CHANGED : ""}</p>
        ${
          shown && run
            ? html`<${Found} page=${this} run=${run} shown=${shown} />`
            : html`<${Held} class="" nodes=${[this.ahead.element]} />`
        }`,
      this.element,
    );
  }
}

/** The picture that is chosen, and the table of the best. @param {{ page: Best, run: string, shown: { at: number, words: string } }} shown */
function Found({ page, run, shown: { at, words } }) {
  const { rows, isProved, task } = page;
  const isSolution = task === "best";
  const picture = isSolution ? host.solutionPicture(run, at) : host.runPicture(run, at);
  return html`<section class="best" aria-label="The best">
    <figure>
      <img src=${picture} alt=${words} />
      <figcaption>${words}</figcaption>
      ${!isSolution && html`<a class="button" download="packing.svg" href=${picture}>Save this picture (SVG)</a>`}
    </figure>
    <div>
      ${
        rows.length > 0 &&
        html`<table>
          <caption class=${isProved ? "good" : "warning"}>
            ${isProved ? "Proved: no other solution is better" : "Not proved: others may be better"}
          </caption>
          <thead>
            <tr>
              <td></td>
              <th scope="col">value</th>
              <th scope="col">solution</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row, k) =>
                html`<tr key=${k}>
                  <th scope="row">${k + 1}</th>
                  <td>${row.words}</td>
                  <td>
                    ${button(
                      html`<img loading="lazy" alt=${row.words} src=${host.solutionPicture(run, row.at)} />`,
                      () => page.look(row.at, row.words),
                      { "aria-label": `Show solution ${k + 1}`, "aria-pressed": String(row.at === at) },
                    )}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>`
      }
    </div>
  </section>`;
}
