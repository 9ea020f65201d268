// The page "Compare": several methods on the puzzle, each in a process of its own.

import * as api from "./api.js";
import { choice, el, field, fill, number, seconds, showFault } from "./elements.js";
import { RunPanel } from "./run.js";

const USUAL = ["BT", "MC", "MC+SZ", "bitset"];

export class Compare {
  constructor(model, element, about) {
    Object.assign(this, { model, element, about });
    this.panel = new RunPanel({ model, label: "Compare", job: () => this.job(), ended: (standing) => this.ended(standing) });
    this.result = el("div", { class: "result" });
    this.draw();
    model.addEventListener("loaded", () => {
      this.panel.leave();
      fill(this.result);
    });
  }

  draw() {
    this.boxes = this.about.methods.map((name) => el("input", { type: "checkbox", value: name, checked: USUAL.includes(name) }));
    this.more = el("input", { placeholder: "sat:solver=minisat22", size: 30, maxlength: 400 });
    this.each = el("input", { type: "number", min: 1, max: this.about.seconds, value: 10, class: "short" });
    this.symmetry = choice([["all", "rotations and reflections"], ["rotations", "rotations"], ["none", "none"]], "all");
    fill(this.element,
      el("fieldset", {}, el("legend", {}, "Methods"), el("div", { class: "row" },
        this.boxes.map((box) => el("label", { class: "radio" }, box, box.value)))),
      el("p", { class: "hint" }, "BT: the direct method, MC: dancing links; SZ: first what fits in the fewest ways, ST: no islands that no part can fill (Barequet and Tal 2010)."),
      el("div", { class: "row" }, field("others", this.more), field("seconds for each", this.each), field("count as the same", this.symmetry)),
      this.panel.element, this.result);
  }

  job() {
    fill(this.result);
    const chosen = this.boxes.filter((box) => box.checked).map((box) => box.value);
    const methods = [...chosen, this.more.value.trim()].filter(Boolean).join(",");
    const job = { task: "compare", subject: this.model.subject(), methods, seconds_each: Number(this.each.value), symmetry: this.symmetry.value };
    return job;
  }

  async ended(standing) {
    if (!standing.answered) return;
    try {
      this.show(await api.answer(standing.id));
    } catch (fault) {
      showFault(this.panel.fault, fault);
    }
  }

  show(comparison) {
    const heads = ["method", "how it ended", "different", "in all", "branches", "search", "to the first", "memory"];
    const most = Math.max(...comparison.methods.map((run) => run.answer?.seconds.search ?? 0), 1e-9);
    const rows = comparison.methods.map((run) => {
      const { answer } = run;
      const name = el("th", { scope: "row" }, run.method);
      if (!answer) return el("tr", {}, name, el("td", { colspan: heads.length - 1 }, `${run.status}: ${run.reason}`));
      const bar = el("meter", { max: most, value: answer.seconds.search, "aria-hidden": "true" });
      const cells = [run.status, known(answer.different, answer.different_is), known(answer.total, answer.total_is), number(answer.branches), [seconds(answer.seconds.search), bar],
        seconds(answer.seconds.first), answer.memory ? `${number(Math.round(answer.memory / 1e6))} MB` : "–"];
      return el("tr", {}, name, cells.map((cell) => el("td", {}, cell)));
    });
    fill(this.result,
      comparison.verdict.map((sentence, k) => el("p", { class: k ? "" : comparison.agree ? "good" : "fault" }, `${sentence}.`)),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Methods" },
        el("table", {}, el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows))),
      el("p", { class: "hint" }, comparison.machine));
  }
}

/** A number of solutions, with what a search that was cut short knows of it. */
function known(value, certainty) {
  return certainty === "not known" ? certainty : `${certainty === "at least" ? "at least " : ""}${number(value)}`;
}
