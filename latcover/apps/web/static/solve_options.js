// What a search may be asked besides all solutions: a task, a backend and its options, limits, and rules on parts.

import { BOUNDS } from "./bounds.js";
import { host } from "./host.js";
import { Likely } from "./likely.js";
import { PartRules } from "./part_rules.js";
import { Amount, button, Choice, Field, following, Held, Menu } from "./panels.js";
import { h, html } from "./preact.js";

/** @import { Catalogue, OfferedBackend, SolverOption } from "./server_types.js" */
/** @import { Model } from "./model.js" */
/** @import { Solve } from "./solve.js" */

const TASKS = [
  ["solve", "find solutions"],
  ["count", "only count them"],
  ["groups", "one of each group: blocks turned in place"],
];
/** @type {Record<string, string>} */
const SAME = { all: "rotations and reflections", rotations: "rotations", none: "none: list all" };
const DRAWN = 50; // solutions that a run draws at random: the button shows one after the other

export class SolveOptions {
  task = "solve";
  backend = "auto";
  /** @type {Record<string, string>} */ values = {}; // of the backend's options
  symmetry = "all";
  limit = "";

  /** A host without backends offers only what counts as the same. @param {Model} model @param {Partial<Catalogue>} about */
  constructor(model, { backends, seconds = 0, part_rules: rules }) {
    this.model = model;
    this.backends = backends?.filter(({ usable }) => usable);
    this.most = seconds;
    this.seconds = `${Math.min(60, seconds)}`;
    this.likely = new Likely();
    this.rules = rules ? [following(model, () => h(PartRules, { model, forms: rules }))] : null;
  }

  /** Take over the task of an earlier search. @param {string} task */
  take(task) {
    if (task === "solve" || task === "count") this.task = task;
  }

  asked() {
    const { task, backend, values, symmetry, limit, seconds } = this;
    return { task, backend, values, symmetry, limit, seconds };
  }

  /** @param {Record<string, any>} more */
  job({ task = this.task }) {
    const { seconds, symmetry, limit, backend, values, menuElement } = this;
    const invalid = [...(menuElement?.querySelectorAll("input") ?? [])].some(({ validity }) => validity.badInput);
    if (invalid) throw new Error("the solution limit and the time limit must be numbers or empty");
    if (menuElement && !this.page?.panel.isQuiet) menuElement.open = false;
    if (!this.backends) return { task, symmetry };
    const job = { task, seconds: seconds === "" ? null : Number(seconds) };
    if (task === "sample") return { ...job, number: DRAWN, seed: Math.floor(Math.random() * 2 ** 48) };
    if (task === "probabilities") return job;
    return {
      ...job,
      ...(task === "groups" ? { task: "solve", group: "blocks" } : {}),
      backend,
      options: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")),
      symmetry,
      limit: limit === "" ? null : Number(limit),
    };
  }

  get menuElement() {
    return /** @type {HTMLDetailsElement | null | undefined} */ (
      this.page?.panel.element.querySelector("details.more")
    );
  }

  clear() {
    this.likely.clear();
  }

  /** Show the answer of a run that has told how likely parts are. @param {string} run */
  follow(run) {
    return this.likely.follow(run, this.model.name);
  }

  below() {
    return html`<${Held} class="" nodes=${[this.likely.element]} />`;
  }

  /** @param {Solve} page */
  menu(page) {
    this.page = page;
    return html`<${Menu} words="Options"><${Form} options=${this} page=${page} /><//>`;
  }
}

/** @param {{ options: SolveOptions, page: Solve }} shown */
function Form({ options, page }) {
  const { backends, model, rules } = options;
  const chosen = backends?.find(({ name }) => name === options.backend);
  /** @param {Partial<SolveOptions>} values */
  const put = (values) => {
    Object.assign(options, values);
    page.chosen();
  };
  const names = host.knows.symmetries.map((name) => [name, SAME[name]]);
  const { symmetry, task, backend, limit, seconds, most } = options;
  const same = Choice({
    label: "count as the same",
    value: symmetry,
    options: names,
    choose: (own) => put({ symmetry: own }),
  });
  if (!backends) return html`<div class="form"><div class="row">${same}</div></div>`;
  const known = backends.map(({ name }) => [name, name]);
  const some = { label: "solution limit", placeholder: "all", ...BOUNDS.solve.limit };
  /** @param {string} words @param {string} wanted */
  const other = (words, wanted) =>
    button(words, () => page.panel.resting || page.panel.press({ task: wanted }), {
      "aria-disabled": String(page.panel.resting),
    });
  return html`<div class="form">
    <div class="row">
      ${Choice({ label: "task", value: task, options: TASKS, choose: (own) => put({ task: own }) })}
      ${Choice({ label: "backend", value: backend, options: known, choose: (own) => put({ backend: own, values: {} }) })}
      ${same} ${Amount({ ...some, value: limit, put: (own) => put({ limit: own }) })}
      ${Amount({ label: "time limit (seconds)", max: most, value: seconds, put: (own) => put({ seconds: own }) })}
    </div>
    <p class="hint">${chosen?.about}</p>
    ${chosen && chosen.options.length > 0 && html`<${Expert} key=${chosen.name} backend=${chosen} values=${options.values} />`}
    ${rules && html`<${Held} class="" nodes=${rules} />`}
    <div class="row">
      ${other("Random solution", "sample")} ${model.isPuzzle && other("How likely?", "probabilities")}
    </div>
  </div>`;
}

/** @param {{ backend: OfferedBackend, values: Record<string, string> }} shown */
function Expert({ backend, values }) {
  return html`<details class="expert">
    <summary>Of this backend</summary>
    <div class="row">
      ${backend.options.map(
        (option) =>
          html`<${Field} label=${option.name} hint=${option.takes}
            ><${Control} option=${option} values=${values}
          /><//>`,
      )}
    </div>
  </details>`;
}

/** A control for an option of the backend, by the description of its values. @param {{ option: SolverOption, values: Record<string, string> }} shown */
function Control({ option: { name, takes, default: usual }, values }) {
  /** @param {any} event */
  const set = ({ target }) => (values[name] = target.value.trim());
  const words = takes === "true or false" ? ["true", "false"] : takes.includes(" or ") ? [] : takes.split(", ");
  if (words.length < 2) return html`<input class="short" placeholder=${usual ?? "usual"} onChange=${set} />`;
  return html`<select onChange=${set}>
    <option value="">default (${String(usual)})</option>
    ${words.map((word) => html`<option value=${word}>${word}</option>`)}
  </select>`;
}
