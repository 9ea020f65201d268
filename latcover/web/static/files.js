// The page "Files": the puzzle in every form that latcover writes.

import * as api from "./api.js";
import { choice, el, field, fill, measures, save, showFault } from "./elements.js";
import { plain, saveBurrTools, saveToml, take } from "./saving.js";

export class Files {
  constructor(model, element, about) {
    Object.assign(this, { model, element });
    this.fault = el("div", { class: "faults", role: "alert", hidden: true });
    this.said = el("p", { class: "status", role: "status" });
    this.text = el("pre", { class: "listing", tabindex: "0", "aria-label": "The puzzle's file" });
    this.form = choice(about.forms.map((form) => [form.name, `${form.name}: ${form.about}`]), about.forms[0].name);
    this.own = el("section", {}, el("h3", {}, "The puzzle"),
      el("div", { class: "row" },
        el("button", { type: "button", onclick: () => this.do(() => saveToml(model)) }, "Save as TOML"),
        el("button", { type: "button", onclick: () => this.do(() => saveBurrTools(model)) }, "Save as BurrTools file (.xmpuzzle)"),
        el("button", { type: "button", onclick: () => this.do(() => this.savePicture()) }, "Save a picture of the region (SVG)")),
      this.text);
    this.model3d = choice(about.models.map((form) => [form.name, form.about]), about.models[0].name, (form) => this.measures.choose(form));
    this.measures = measures();
    this.print = el("section", {}, el("h3", {}, "All parts, to print"),
      el("div", { class: "row" }, field("kind of model", this.model3d), this.measures.element,
        el("button", { type: "button", onclick: () => this.do(() => this.saveParts()) }, "Save the parts")),
      el("p", { class: "hint" }, "Every copy of every part, side by side. Solutions are saved on the page Solve."));
    fill(element, this.fault, this.said,
      el("section", {}, el("h3", {}, "As a problem for other programs"),
        el("div", { class: "row" }, field("form", this.form),
          el("button", { type: "button", onclick: () => this.do(() => this.saveForm()) }, "Save"))),
      this.print, this.own);
    model.addEventListener("loaded", () => this.show());
    model.addEventListener("checked", () => this.show());
  }

  show() {
    this.own.hidden = this.print.hidden = !this.model.isPuzzle;
    const several = this.model.isPuzzle && this.model.whole.problems.length > 1;
    const words = several ? "# The file holds several problems. This is the one that is open, alone.\n" : "";
    this.text.textContent = this.model.verdict.toml ? words + this.model.verdict.toml : api.server.away ? "The server does not answer: this is shown when it is back." : "The puzzle cannot be written as it is.";
  }

  async savePicture() {
    save(await api.regionPicture(this.model.subject()), `${plain(this.model.name)}.svg`);
  }

  async saveForm() {
    return take(await api.exported({ subject: this.model.subject(), form: this.form.value }));
  }

  async saveParts() {
    const form = this.model3d.value;
    return take(await api.exported({ subject: this.model.subject(), form, measures: this.measures.values() }));
  }

  async do(work) {
    showFault(this.fault, null);
    this.said.textContent = "writing";
    try {
      this.said.textContent = (await work()) ?? "";
    } catch (fault) {
      this.said.textContent = "";
      showFault(this.fault, fault);
    }
  }
}
