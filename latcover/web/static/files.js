// The page "Files": the puzzle in every form that latcover writes.

import * as api from "./api.js";
import { choice, el, field, fill, save, showFault } from "./elements.js";
import { plain } from "./editor.js";

export class Files {
  constructor(model, element, about) {
    Object.assign(this, { model, element });
    this.fault = el("div", { class: "faults", role: "alert", hidden: true });
    this.said = el("p", { class: "status", role: "status" });
    this.text = el("pre", { class: "listing", tabindex: "0", "aria-label": "The puzzle's file" });
    this.form = choice(about.forms.map((form) => [form.name, `${form.name}: ${form.about}`]), about.forms[0].name);
    this.own = el("section", {}, el("h3", {}, "The puzzle"),
      el("div", { class: "row" },
        el("button", { type: "button", onclick: () => this.saveToml() }, "Save as TOML"),
        el("button", { type: "button", onclick: () => this.do(() => this.savePicture()) }, "Save a picture of the region (SVG)")),
      this.text);
    fill(element, this.fault, this.said,
      el("section", {}, el("h3", {}, "As a problem for other programs"),
        el("div", { class: "row" }, field("form", this.form),
          el("button", { type: "button", onclick: () => this.do(() => this.saveForm()) }, "Save"))),
      this.own);
    model.addEventListener("loaded", () => this.show());
    model.addEventListener("checked", () => this.show());
  }

  show() {
    this.own.hidden = !this.model.isPuzzle;
    this.text.textContent = this.model.verdict.toml || "The puzzle cannot be written as it is.";
  }

  saveToml() {
    save(new Blob([this.model.verdict.toml], { type: "application/toml" }), `${plain(this.model.name)}.toml`);
  }

  async savePicture() {
    save(await api.regionPicture(this.model.subject()), `${plain(this.model.name)}.svg`);
  }

  async saveForm() {
    const { name, blob } = await api.exported(this.model.subject(), this.form.value);
    save(blob, name);
    return name;
  }

  async do(work) {
    showFault(this.fault, null);
    this.said.textContent = "writing";
    try {
      const name = await work();
      this.said.textContent = name ? `${name} was written.` : "";
    } catch (fault) {
      this.said.textContent = "";
      showFault(this.fault, fault);
    }
  }
}
