// A form built from field data (see design_ways.js). It reads the values of its controls.

import { dom, fill } from "./dom.js";
import { choice } from "./elements.js";

/** @import { FormContext, FormField, FormValues } from "./web_types.js" */

/** @typedef {any} Control */ // an input or a select

export class Form {
  /** @type {Map<string, Control>} */
  controls;
  /** @type {Map<FormField, HTMLElement>} */ labels;

  /**
   * `at` is the context of the fields; `changed(values)` is called after every change by the user.
   * @param {FormField[]} fields @param {FormContext} at @param {(values: FormValues) => unknown} changed
   * @param {Record<string, { min?: number, max?: number }>} bounds
   */
  constructor(fields, at, changed, bounds) {
    this.bounds = bounds;
    this.fields = fields;
    this.at = at;
    this.changed = changed;
    this.controls = new Map(fields.map((field) => [field.name, this.control(field)]));
    const labels = new Map(fields.map((field) => [field, this.labelled(field)]));
    /** @param {boolean} expert */
    const shown = (expert) =>
      fields.filter((field) => Boolean(field.expert) === expert).map((field) => labels.get(field));
    this.more = dom(
      "details",
      { class: "more" },
      dom("summary", {}, "More options"),
      dom("div", { class: "fields" }, shown(true)),
    );
    this.element = dom(
      "div",
      { class: "form" },
      dom("div", { class: "fields" }, shown(false)),
      fields.some((field) => field.expert) ? this.more : null,
    );
    this.labels = labels;
    this.see();
  }

  /** @param {FormField} how */
  control({ name, kind, usual, options, min, max, step, placeholder }) {
    const onchange = () => {
      this.see();
      this.changed(this.values());
    };
    if (kind === "choice") return choice(this.given(options), this.given(usual), onchange);
    if (kind === "flag") return dom("input", { type: "checkbox", checked: usual, onchange });
    return dom("input", {
      type: kind,
      min: min ?? this.bounds[name]?.min,
      max: this.given(max) ?? this.bounds[name]?.max,
      step,
      value: this.given(usual),
      placeholder,
      class: "short",
      name,
      onchange,
    });
  }

  /** A property of a field, which may depend on the puzzle. @param {any} said */
  given(said) {
    return typeof said === "function" ? said(this.at) : said;
  }

  /** @param {FormField} how */
  labelled({ name, label, kind, help }) {
    const control = this.controls.get(name);
    if (kind === "flag")
      return dom(
        "label",
        { class: "check" },
        control,
        dom("span", {}, label, help ? dom("span", { class: "help" }, help) : null),
      );
    return dom(
      "label",
      { class: "field" },
      dom("span", {}, label),
      control,
      help ? dom("span", { class: "help" }, help) : null,
    );
  }

  /** Show the fields that apply to the values of the others. */
  see() {
    const values = this.values();
    for (const field of this.fields)
      /** @type {HTMLElement} */ (this.labels.get(field)).hidden = Boolean(field.when && !field.when(values, this.at));
  }

  values() {
    return Object.fromEntries(
      this.fields.map(({ name, kind }) => {
        const control = this.controls.get(name);
        return [name, kind === "flag" ? control.checked : control.value];
      }),
    );
  }

  /** The values of all fields; hidden fields have their defaults. */
  asked() {
    const values = this.values();
    for (const field of this.fields) {
      if (field.when && !field.when(values, this.at)) values[field.name] = this.given(field.usual);
    }
    return values;
  }

  /** @param {FormValues} values */
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

  /** Whether all fields are valid; otherwise the browser reports the error, and folded fields are opened. */
  valid() {
    const wrong = [...this.controls.values()].find(
      (control) => !control.closest("[hidden]") && !control.checkValidity(),
    );
    if (!wrong) return true;
    if (this.more.contains(wrong)) this.more.open = true;
    wrong.reportValidity();
    return false;
  }
}
