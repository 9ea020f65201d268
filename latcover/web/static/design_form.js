// A form made of fields that are data (see design_ways.js). It knows what its controls hold.

import { choice, el, fill } from "./elements.js";

export class Form {
  /** `at` is what fields depend on; `changed(values)` is called when somebody has changed something. */
  constructor(fields, at, changed) {
    Object.assign(this, { fields, at, changed });
    this.controls = new Map(fields.map((field) => [field.name, this.control(field)]));
    const labels = new Map(fields.map((field) => [field, this.labelled(field)]));
    const shown = (expert) => fields.filter((field) => Boolean(field.expert) === expert).map((field) => labels.get(field));
    this.more = el("details", { class: "more" }, el("summary", {}, "More options"), el("div", { class: "fields" }, shown(true)));
    this.element = el("div", { class: "form" }, el("div", { class: "fields" }, shown(false)), fields.some((field) => field.expert) ? this.more : null);
    this.labels = labels;
    this.see();
  }

  control({ name, kind, usual, options, min, max, placeholder }) {
    const onchange = () => {
      this.see();
      this.changed(this.values());
    };
    if (kind === "choice") return choice(this.given(options), this.given(usual), onchange);
    if (kind === "flag") return el("input", { type: "checkbox", checked: usual, onchange });
    return el("input", { type: kind, min, max: this.given(max), value: this.given(usual), placeholder, class: "short", name, onchange });
  }

  /** What a field says, where that depends on the puzzle. */
  given(said) {
    return typeof said === "function" ? said(this.at) : said;
  }

  labelled({ name, label, kind, help }) {
    const control = this.controls.get(name);
    if (kind === "flag") return el("label", { class: "check" }, control, el("span", {}, label, help ? el("span", { class: "help" }, help) : null));
    return el("label", { class: "field" }, el("span", {}, label), control, help ? el("span", { class: "help" }, help) : null);
  }

  /** Show the fields that matter, as the others are filled in. */
  see() {
    const values = this.values();
    for (const field of this.fields) this.labels.get(field).hidden = Boolean(field.when && !field.when(values, this.at));
  }

  values() {
    return Object.fromEntries(this.fields.map(({ name, kind }) => {
      const control = this.controls.get(name);
      return [name, kind === "flag" ? control.checked : control.value];
    }));
  }

  /** What is asked for: fields that are not shown have their usual values. */
  asked() {
    const values = this.values();
    for (const field of this.fields) {
      if (field.when && !field.when(values, this.at)) values[field.name] = this.given(field.usual);
    }
    return values;
  }

  restore(values) {
    for (const { name, kind } of this.fields) {
      if (!(name in values)) continue;
      const control = this.controls.get(name);
      if (kind === "flag") control.checked = values[name];
      else control.value = values[name];
      if (kind === "choice" && control.selectedIndex < 0) control.selectedIndex = 0;
    }
    this.see();
  }

  /** Whether the browser finds nothing wrong; if it does, it says so, and opens what is folded away. */
  valid() {
    const wrong = [...this.controls.values()].find((control) => !control.closest("[hidden]") && !control.checkValidity());
    if (!wrong) return true;
    if (this.more.contains(wrong)) this.more.open = true;
    wrong.reportValidity();
    return false;
  }
}
