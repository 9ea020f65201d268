// The page "Compare": runs several methods on the puzzle, each in its own process.

import { kindsOf } from "./kinds.js";
import { dom, fill } from "./dom.js";
import { choice, field, number, seconds, showFault } from "./elements.js";
import { host as api } from "./host.js";
import { RunPanel } from "./run.js";

/** @import { Job, Standing } from "./web_types.js" */
/** @import { Catalogue, CompareAnswer } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const USUAL = ["BT", "MC", "MC+SZ", "bitset"];

export class Compare {
  /** @type {HTMLInputElement} */
  more;
  /** @type {HTMLInputElement} */ each;
  /** @type {HTMLSelectElement} */ symmetry;

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
    this.result = dom("div", { class: "result" });
    this.draw();
    model.addEventListener("loaded", () => {
      this.panel.leave();
      fill(this.result);
    });
  }

  draw() {
    this.boxes = this.about.methods.map((name) =>
      dom("input", { type: "checkbox", value: name, checked: USUAL.includes(name) }),
    );
    this.more = dom("input", { placeholder: "sat:solver=minisat22", size: 30, maxlength: 400 });
    this.each = dom("input", { type: "number", min: 1, max: this.about.seconds, value: 10, class: "short" });
    this.symmetry = choice(
      [
        ["all", "rotations and reflections"],
        ["rotations", "rotations"],
        ["none", "none"],
      ],
      "all",
    );
    fill(
      this.element,
      kindsOf("compare"),
      dom(
        "fieldset",
        {},
        dom("legend", {}, "Methods"),
        dom(
          "div",
          { class: "row" },
          this.boxes.map((box) => dom("label", { class: "radio" }, box, box.value)),
        ),
      ),
      dom(
        "p",
        { class: "hint" },
        "BT: direct backtracking. MC: dancing links. SZ: fewest options first. ST: no islands that parts cannot fill (Barequet and Tal 2010).",
      ),
      dom(
        "div",
        { class: "row" },
        field("others", this.more),
        field("seconds per method", this.each),
        field("count as the same", this.symmetry),
      ),
      this.panel.element,
      this.result,
    );
  }

  job() {
    fill(this.result);
    const chosen = (this.boxes ?? []).filter((box) => box.checked).map((box) => box.value);
    const methods = [...chosen, this.more.value.trim()].filter(Boolean).join(",");
    return /** @type {Job} */ ({
      task: "compare",
      subject: this.model.subject(),
      methods,
      seconds_each: Number(this.each.value),
      symmetry: this.symmetry.value,
    });
  }

  /** @param {Standing} standing */
  async ended(standing) {
    if (!standing.answered) return;
    try {
      this.show(await api.answer(standing.id));
    } catch (fault) {
      showFault(this.panel.fault, fault);
    }
  }

  /** @param {CompareAnswer} comparison */
  show(comparison) {
    const heads = ["method", "how it ended", "different", "total", "branches", "search", "to first solution", "memory"];
    const most = Math.max(...comparison.methods.map((run) => run.answer?.seconds.search ?? 0), 1e-9);
    const rows = comparison.methods.map((run) => {
      const { answer } = run;
      const name = dom("th", { scope: "row" }, run.method);
      if (!answer) return dom("tr", {}, name, dom("td", { colspan: heads.length - 1 }, `${run.status}: ${run.reason}`));
      const bar = dom("meter", { max: most, value: answer.seconds.search, "aria-hidden": "true" });
      const cells = [
        run.status,
        known(answer.different, answer.different_is),
        known(answer.total, answer.total_is),
        number(answer.branches),
        [seconds(answer.seconds.search), bar],
        seconds(answer.seconds.first),
        answer.memory ? `${number(Math.round(answer.memory / 1e6))} MB` : "–",
      ];
      return dom(
        "tr",
        {},
        name,
        cells.map((cell) => dom("td", {}, cell)),
      );
    });
    fill(
      this.result,
      comparison.verdict.map((sentence, k) =>
        dom("p", { class: k ? "" : comparison.agree ? "good" : "fault" }, `${sentence}.`),
      ),
      dom(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Methods" },
        dom(
          "table",
          {},
          dom(
            "thead",
            {},
            dom(
              "tr",
              {},
              heads.map((text) => dom("th", { scope: "col" }, text)),
            ),
          ),
          dom("tbody", {}, rows),
        ),
      ),
      dom("p", { class: "hint" }, comparison.machine),
    );
  }
}

/**
 * A number of solutions, with its certainty if the search was cut short.
 * @param {string | number} value @param {string} certainty
 */
function known(value, certainty) {
  return certainty === "not known" ? certainty : `${certainty === "at least" ? "at least " : ""}${number(value)}`;
}
