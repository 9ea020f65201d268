// Rules on the parts of a solution, as `--rule` has them on the command line. They belong to the puzzle and its file. The
// server says which rules there are, and what each is about: see latcover/core/model/rules/rule_forms.py.

import { entriesOf, tidy } from "./fields.js";
import { button, Choice, Fold, Inner, Line, Tick, Whole } from "./panels.js";
import { h, html } from "./preact.js";

/** @import { RuleForm } from "./server_types.js" */
/** @import { FileTable, RuleField, RuleValues, ShownRule } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const MOST_CHOICES = 20; // longer ranges of numbers are typed
/** The labels of fields that all rules may have. @type {Record<string, string>} */
const LABELS = { parts: "only some parts", colour: "only cells of the colour" };
/** @type {Record<string, RuleField["takes"]>} */
const TAKES = { boolean: "yes or no", integer: "number" };

/** @param {{ model: Model, forms: RuleForm[] }} shown */
export function PartRules({ model, forms: given }) {
  const { rules } = model.fields;
  /** @type {ShownRule[]} */ const forms = given.map((form) => ({ ...form, fields: fieldsOf(form) }));
  const several = forms.filter((form) => form.several);
  /** Change rules; undefined removes one. @param {FileTable} changed */
  const set = (changed) => {
    model.fields.rules = tidy({ ...rules, ...changed });
    model.refresh();
  };
  /** @param {ShownRule} form */
  const add = ({ name, fields }) => {
    const needed = fields.filter(({ first }) => first !== null).map((own) => [own.name, own.first]);
    set({ [name]: [...entriesOf(rules, name), Object.fromEntries(needed)] });
  };
  /** The controls of a rule that a puzzle can have several times. @param {ShownRule} form @param {RuleValues} values @param {number} k */
  const entry = (form, values, k) => {
    const all = entriesOf(rules, form.name);
    const control = (/** @type {RuleField} */ own) =>
      h(Control, {
        ...{ model, own, label: own.label, value: values[own.name] },
        put: (value) => set({ [form.name]: all.with(k, tidy({ ...values, [own.name]: value })) }),
      });
    return html`<fieldset>
      <legend>${inWords(form, values)}</legend>
      <div class="row">
        ${form.fields.filter(({ takes }) => takes !== "parts").map(control)}
        ${button("Remove the rule", () => set({ [form.name]: all.toSpliced(k, 1) }), { class: "danger" })}
      </div>
      ${form.fields.filter(({ takes }) => takes === "parts").map(control)}
    </fieldset>`;
  };
  const said = forms.flatMap((form) => {
    if (form.several) return entriesOf(rules, form.name).map((values) => inWords(form, values));
    const value = rules[form.name];
    if (value === undefined || value === false) return [];
    return form.fields.length ? `${form.about}: ${value}` : form.about;
  });
  const content = () =>
    html`<p class="hint">Only solutions that keep these rules count. The rules are saved with the puzzle.</p>
      <div class="row">
        ${forms
          .filter(({ fields }) => !fields.length)
          .map(({ name, about }) =>
            h(Tick, { label: about, on: Boolean(rules[name]), set: (on) => set({ [name]: on || undefined }) }),
          )}
      </div>
      ${forms
        .filter((form) => form.fields.length && !form.several)
        .map(({ name, about, fields: [own] }) => {
          const put = (/** @type {unknown} */ value) => set({ [name]: value });
          return html`<div class="row">${h(Control, { model, own, value: rules[name], put, label: about })}</div>`;
        })}
      ${several.flatMap((form) => entriesOf(rules, form.name).map((values, k) => entry(form, values, k)))}
      <div class="row">
        ${several.map((form) => button(form.about[0].toUpperCase() + form.about.slice(1), () => add(form)))}
      </div>`;
  return h(Fold, { id: "part-rules", title: "Rules on parts", said: said.join("; ") || "none", content });
}

/**
 * The control of a field; undefined is what it has by default.
 * @param {{ model: Model, own: RuleField, value: any, put: (value: any) => void, label: string }} shown
 */
function Control({ model: { parts, fields }, own, value, put, label }) {
  if (own.takes === "yes or no") return h(Tick, { label, on: Boolean(value), set: (on) => put(on || undefined) });
  if (own.takes === "parts") {
    /** @type {string[]} */ const chosen = value ?? [];
    /** @param {string} name @param {boolean} on */
    const choose = (name, on) => put([...chosen.filter((other) => other !== name), ...(on ? [name] : [])]);
    const ticks = () =>
      parts.map(({ name }) => h(Tick, { label: name, on: chosen.includes(name), set: (on) => choose(name, on) }));
    return h(Inner, { title: label, open: Boolean(value), content: () => html`<div class="row">${ticks()}</div>` });
  }
  if (own.takes === "colour") {
    const names = fields.colours.slice(1).map((name) => [name]);
    const choose = (/** @type {string} */ name) => put(name || undefined);
    return names.length && h(Choice, { label, options: [["", "any"], ...names], value: value ?? "", choose });
  }
  if (own.takes === "text")
    return h(Line, { label, value: value ?? "", maxlength: 200, set: (text) => put(text || undefined) });
  const { least, most } = own;
  if (least === null || most === null || most - least >= MOST_CHOICES || own.first === null) {
    const bounds = { min: least ?? undefined, max: most ?? undefined };
    return h(Whole, { label, value, bounds, placeholder: "any", set: (n) => put(n ?? undefined) });
  }
  const options = Array.from({ length: most - least + 1 }, (_, n) => [`${n + least}`]);
  return h(Choice, { label, options, value: `${value}`, choose: (n) => put(Number(n)) });
}

/** The fields of a rule, from their JSON Schemas. @param {RuleForm} form @returns {RuleField[]} */
function fieldsOf({ fields, required }) {
  return Object.entries(fields).map(([name, schema]) => {
    const { type, title, minimum = null, maximum = null, examples = [] } = /** @type {FileTable} */ (schema);
    return {
      name,
      label: title ?? LABELS[name] ?? name.replaceAll("_", " "),
      takes: name === "parts" || name === "colour" ? name : (TAKES[type] ?? "text"),
      least: minimum,
      most: maximum,
      first: required.includes(name) ? (examples[0] ?? null) : null,
    };
  });
}

/** @param {ShownRule} form @param {RuleValues} values */
function inWords({ about, fields }, values) {
  const said = fields
    .filter(({ name }) => values[name] !== undefined)
    .map(({ name, label, takes }) => {
      if (takes === "parts") return values[name].join(", ");
      if (takes === "number") return `${values[name]} ${label}`;
      return takes === "yes or no" ? label : `${label} ${values[name]}`;
    });
  return said.length ? `${about}: ${said.join("; ")}` : about;
}
