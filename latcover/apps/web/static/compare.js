// The page "Compare": runs several methods on the puzzle, each in its own process.

import { number, seconds } from "./elements.js";
import { host } from "./host.js";
import { Kinds } from "./kinds.js";
import { Amount, Choice, Entry, Held } from "./panels.js";
import { html, render } from "./preact.js";
import { RunPanel } from "./run.js";

/** @import { Job, Standing } from "./web_types.js" */
/** @import { Catalogue, CompareAnswer } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const USUAL = ["BT", "MC", "MC+SZ", "bitset"];
const SAME = [
  ["all", "rotations and reflections"],
  ["rotations", "rotations"],
  ["none", "none"],
];
const HEADS = ["method", "how it ended", "different", "total", "branches", "search", "to first solution", "memory"];

export class Compare {
  chosen = new Set(USUAL);
  others = "";
  each = "10"; // seconds
  symmetry = "all";
  /** @type {CompareAnswer | null} */ told = null;

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about */
  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    this.about = about;
    this.panel = new RunPanel({
      model,
      label: "Compare",
      job: () => this.job(),
      ended: (standing) => this.ended(standing),
    });
    model.addEventListener("loaded", () => {
      this.panel.leave();
      this.put({ told: null });
    });
    this.draw();
  }

  /** @param {Partial<Compare>} values */
  put(values) {
    Object.assign(this, values);
    this.draw();
  }

  job() {
    this.put({ told: null });
    const { chosen, others, each, symmetry } = this;
    const methods = [...this.about.methods.filter((name) => chosen.has(name)), others.trim()].filter(Boolean).join(",");
    const subject = this.model.subject();
    return /** @type {Job} */ ({ task: "compare", subject, methods, seconds_each: Number(each), symmetry });
  }

  /** @param {Standing} standing */
  async ended({ id, answered }) {
    if (!answered) return;
    try {
      this.put({ told: await host.answer(id) });
    } catch (fault) {
      this.panel.fail(fault);
    }
  }

  draw() {
    const { about, chosen } = this;
    const text = { placeholder: "sat:solver=minisat22", size: 30, maxlength: 400 };
    /** @param {string} name @param {boolean} on */
    const tick = (name, on) => (on ? chosen.add(name) : chosen.delete(name));
    render(
      html`<${Kinds} own="compare" />
        <fieldset>
          <legend>Methods</legend>
          <div class="row">
            ${about.methods.map(
              (name) =>
                html`<label class="radio"
                  ><input
                    type="checkbox"
                    value=${name}
                    checked=${chosen.has(name)}
                    onChange=${(/** @type {any} */ event) => tick(name, event.target.checked)}
                  />${name}</label
                >`,
            )}
          </div>
        </fieldset>
        <p class="hint">
          BT: direct backtracking. MC: dancing links. SZ: fewest options first. ST: no islands that parts cannot fill
          (Barequet and Tal 2010).
        </p>
        <div class="row">
          ${Entry({ ...text, label: "others", value: this.others, put: (others) => this.put({ others }) })}
          ${Amount({ label: "seconds per method", max: about.seconds, value: this.each, put: (each) => this.put({ each }) })}
          ${Choice({ label: "count as the same", value: this.symmetry, options: SAME, choose: (symmetry) => this.put({ symmetry }) })}
        </div>
        <${Held} class="" nodes=${[this.panel.element]} />
        <div class="result">${this.told && html`<${Result} told=${this.told} />`}</div>`,
      this.element,
    );
  }
}

/** @param {{ told: CompareAnswer }} shown */
function Result({ told }) {
  const most = Math.max(...told.methods.map((run) => run.answer?.seconds.search ?? 0), 1e-9);
  return html`${told.verdict.map(
      (sentence, k) => html`<p class=${k ? "" : told.agree ? "good" : "fault"}>${sentence}.</p>`,
    )}
    <div class="scroll" tabindex="0" role="region" aria-label="Methods">
      <table>
        <thead>
          <tr>
            ${HEADS.map((text) => html`<th scope="col">${text}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${told.methods.map((run) => html`<${Method} run=${run} most=${most} />`)}
        </tbody>
      </table>
    </div>
    <p class="hint">${told.machine}</p>`;
}

/** @param {{ run: CompareAnswer["methods"][number], most: number }} shown */
function Method({ run: { method, status, reason, answer }, most }) {
  const name = html`<th scope="row">${method}</th>`;
  if (!answer)
    return html`<tr>
      ${name}
      <td colspan=${HEADS.length - 1}>${status}: ${reason}</td>
    </tr>`;
  return html`<tr>
    ${name}
    <td>${status}</td>
    <td>${known(answer.different, answer.different_is)}</td>
    <td>${known(answer.total, answer.total_is)}</td>
    <td>${number(answer.branches)}</td>
    <td>${seconds(answer.seconds.search)}<meter max=${most} value=${answer.seconds.search} aria-hidden="true" /></td>
    <td>${seconds(answer.seconds.first)}</td>
    <td>${answer.memory ? `${number(Math.round(answer.memory / 1e6))} MB` : "–"}</td>
  </tr>`;
}

/**
 * A number of solutions, with its certainty if the search was cut short.
 * @param {string | number} value @param {string} certainty
 */
function known(value, certainty) {
  return certainty === "not known" ? certainty : `${certainty === "at least" ? "at least " : ""}${number(value)}`;
}
