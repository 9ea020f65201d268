// The page "Files": saves the puzzle in every file format that latcover writes.

import { dom, fill } from "./dom.js";
import { choice, field, measures, save, showFault } from "./elements.js";
import { host as api } from "./host.js";
import { plain, saveBurrTools, saveSite, saveToml, take } from "./saving.js";

/** @import { Catalogue } from "./server_types.js" */
/** @import { Model } from "./model.js" */

export class Files {
  /**
   * @param {Model} model
   * @param {HTMLElement} element
   * @param {Catalogue} about
   */
  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    this.fault = dom("div", { class: "faults", role: "alert", hidden: true });
    this.said = dom("p", { class: "status", role: "status" });
    this.text = dom("pre", { class: "listing", tabindex: "0", "aria-label": "The puzzle's file" });
    this.form = choice(
      about.forms.map((form) => [form.name, `${form.name}: ${form.about}`]),
      about.forms[0].name,
    );
    this.own = dom(
      "section",
      {},
      dom("h3", {}, "The puzzle"),
      dom(
        "div",
        { class: "row" },
        dom("button", { type: "button", onclick: () => this.do(() => saveToml(model)) }, "Save as TOML"),
        dom(
          "button",
          { type: "button", onclick: () => this.do(() => saveBurrTools(model)) },
          "Save as BurrTools file (.xmpuzzle)",
        ),
        dom(
          "button",
          { type: "button", onclick: () => this.do(() => this.savePicture()) },
          "Save a picture of the region (SVG)",
        ),
      ),
      dom(
        "div",
        { class: "row" },
        dom("button", { type: "button", onclick: () => this.do(() => saveSite(model)) }, "Publish as a web site (ZIP)"),
      ),
      dom(
        "p",
        { class: "hint" },
        "The site lets everybody play the puzzle, solve it and take it apart, even offline. Unpack it and open index.html, or put it on any web server.",
      ),
    );
    this.model3d = choice(
      about.models.map((form) => [form.name, form.about]),
      about.models[0].name,
    );
    this.measures = measures();
    this.print = dom(
      "section",
      {},
      dom("h3", {}, "Parts for 3D printing"),
      dom(
        "div",
        { class: "row" },
        field("model file", this.model3d),
        this.measures.element,
        dom("button", { type: "button", onclick: () => this.do(() => this.saveParts()) }, "Save parts"),
      ),
      dom("p", { class: "hint" }, "Every copy of every part, side by side. Solutions are saved on the Solve page."),
    );
    const others = dom(
      "section",
      {},
      dom("h3", {}, "For other programs"),
      dom(
        "div",
        { class: "row" },
        field("format", this.form),
        dom("button", { type: "button", onclick: () => this.do(() => this.saveForm()) }, "Save"),
      ),
    );
    this.listing = dom("section", {}, dom("h3", {}, "The text of its file"), this.text);
    fill(element, this.fault, this.said, this.own, this.print, others, this.listing);
    model.addEventListener("loaded", () => this.show());
    model.addEventListener("checked", () => this.show());
  }

  show() {
    this.own.hidden = this.print.hidden = this.listing.hidden = !this.model.isPuzzle;
    const several = this.model.isPuzzle && this.model.whole.problems.length > 1;
    const words = several ? "# The file holds several problems. This is only the one that is open.\n" : "";
    this.text.textContent = this.model.verdict.toml
      ? words + this.model.verdict.toml
      : api.server.away
        ? "The server does not answer. The file is shown here when it is back."
        : "The puzzle cannot be saved in its current state.";
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

  /** @param {() => unknown} work */
  async do(work) {
    showFault(this.fault, null);
    this.said.textContent = "writing";
    try {
      this.said.textContent = /** @type {string | undefined} */ (await work()) ?? "";
    } catch (fault) {
      this.said.textContent = "";
      showFault(this.fault, fault);
    }
  }
}
