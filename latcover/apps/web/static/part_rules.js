// Rules on the parts of a solution, as `--rule` has them on the command line. They belong to the puzzle and its file. The
// server says which rules there are, and what each is about: see latcover/core/model/rules/rule_forms.py.

import { dom } from "./dom.js";
import { choice, field, whole } from "./elements.js";
import { entriesOf, tidy } from "./fields.js";
import { Fold, tick, unfolded } from "./fold.js";

/** @import { Model } from "./model.js" */
/** @import { RuleField, RuleForm, RuleValues, ShownRule } from "./web_types.js" */

const MOST_CHOICES = 20; // longer ranges of numbers are typed
/** The labels of fields that all rules may have. @type {Record<string, string>} */
const LABELS = { parts: "only some parts", colour: "only cells of the colour" };
/** @type {Record<string, RuleField["takes"]>} */
const TAKES = { boolean: "yes or no", integer: "number" };

export class PartRules extends Fold {
  /** @param {Model} model @param {RuleForm[]} forms */
  constructor(model, forms) {
    super(model, "Rules on parts", "part-rules");
    this.forms = forms.map((form) => ({ ...form, fields: fieldsOf(form) }));
    model.addEventListener("loaded", () => {
      this.element.hidden = !model.isPuzzle;
      this.draw();
    });
  }

  said() {
    const { rules } = this.model.fields;
    const words = this.forms.flatMap((form) =>
      form.several
        ? entriesOf(rules, form.name).map((values) => inWords(form, values))
        : valueOf(rules, form).map((value) => (form.fields.length ? `${form.about}: ${value}` : form.about)),
    );
    return words.join("; ") || "none";
  }

  content() {
    const { rules } = this.model.fields;
    const switches = this.forms.filter(({ fields }) => !fields.length);
    const single = this.forms.filter(({ fields, several }) => fields.length && !several);
    const several = this.forms.filter((form) => form.several);
    const row = (/** @type {(HTMLElement | null)[]} */ ...content) => dom("div", { class: "row" }, content);
    return [
      dom("p", { class: "hint" }, "Only solutions that keep these rules count. The rules are saved with the puzzle."),
      row(
        ...switches.map(({ name, about }) =>
          tick(about, Boolean(rules[name]), (on) => this.set({ [name]: on || undefined })),
        ),
      ),
      ...single.map(({ name, about, fields: [own] }) =>
        row(this.control(own, rules[name], (value) => this.set({ [name]: value }, own.takes === "parts"), about)),
      ),
      ...several.flatMap((form) => entriesOf(rules, form.name).map((values, k) => this.entry(form, values, k))),
      row(
        ...several.map((form) =>
          dom(
            "button",
            { type: "button", onclick: () => this.add(form) },
            form.about[0].toUpperCase() + form.about.slice(1),
          ),
        ),
      ),
    ];
  }

  /**
   * The controls of a rule that a puzzle can have several times.
   * @param {ShownRule} form @param {RuleValues} values @param {number} k
   */
  entry(form, values, k) {
    const put = (/** @type {RuleValues | null} */ changed) => {
      const rest = [...entriesOf(this.model.fields.rules, form.name)];
      rest.splice(k, 1, ...(changed ? [tidy(changed)] : []));
      this.set({ [form.name]: rest }, true);
    };
    const control = (/** @type {RuleField} */ own) =>
      this.control(
        own,
        values[own.name],
        (value) => put({ ...values, [own.name]: value }),
        own.label,
        `${form.name} ${k}`,
      );
    return dom(
      "fieldset",
      {},
      dom("legend", {}, inWords(form, values)),
      dom(
        "div",
        { class: "row" },
        form.fields.filter(({ takes }) => takes !== "parts").map(control),
        dom("button", { type: "button", class: "danger", onclick: () => put(null) }, "Remove the rule"),
      ),
      form.fields.filter(({ takes }) => takes === "parts").map(control),
    );
  }

  /**
   * The control of a field; undefined is what it has by default.
   * @param {RuleField} own @param {any} value @param {(value: any) => void} put @param {string} label
   * @param {string} [key] what of the panel stays unfolded
   */
  control(own, value, put, label, key = own.name) {
    const { parts, fields } = this.model;
    if (own.takes === "yes or no") return tick(label, Boolean(value), (on) => put(on || undefined));
    if (own.takes === "parts") {
      const without = (/** @type {string} */ name) =>
        (value ?? []).filter((/** @type {string} */ other) => other !== name);
      const boxes = () =>
        dom(
          "div",
          { class: "row" },
          parts.map(({ name }) =>
            tick(name, Boolean(value?.includes(name)), (on) => put(on ? [...without(name), name] : without(name))),
          ),
        );
      return unfolded(label, this.shown.get(key) ?? Boolean(value), boxes, (now) => this.shown.set(key, now));
    }
    if (own.takes === "colour") {
      const named = fields.colours.slice(1).map((/** @type {string} */ name) => [name, name]);
      return named.length
        ? field(
            label,
            choice([["", "any"], ...named], value ?? "", (name) => put(name || undefined)),
          )
        : null;
    }
    if (own.takes === "number") {
      const { least, most } = own;
      const few = least !== null && most !== null && most - least < MOST_CHOICES && own.first !== null;
      const numbers = few ? Array.from({ length: most - least + 1 }, (_, n) => `${n + least}`) : [];
      return field(
        label,
        few
          ? choice(
              numbers.map((n) => [n, n]),
              `${value}`,
              (n) => put(Number(n)),
            )
          : whole(value ?? null, { min: least ?? undefined, max: most ?? undefined }, "any", (n) =>
              put(n ?? undefined),
            ),
      );
    }
    /** @type {HTMLInputElement} */
    const input = dom("input", { value: value ?? "", maxlength: 200, onchange: () => put(input.value || undefined) });
    return field(label, input);
  }

  /** @param {ShownRule} form */
  add({ name, fields }) {
    const needed = fields.filter(({ first }) => first !== null).map((own) => [own.name, own.first]);
    this.set({ [name]: [...entriesOf(this.model.fields.rules, name), Object.fromEntries(needed)] }, true);
  }

  /** Change rules; undefined removes one. @param {Record<string, any>} changed */
  set(changed, again = false) {
    const { fields } = this.model;
    fields.rules = tidy({ ...fields.rules, ...changed });
    this.changed(again);
  }
}

/** The fields of a rule, from their JSON Schemas. @param {RuleForm} form @returns {RuleField[]} */
function fieldsOf({ fields, required }) {
  return Object.entries(fields).map(([name, { type, title, minimum = null, maximum = null, examples = [] }]) => ({
    name,
    label: title ?? LABELS[name] ?? name.replaceAll("_", " "),
    takes: name === "parts" || name === "colour" ? name : (TAKES[type] ?? "text"),
    least: minimum,
    most: maximum,
    first: required.includes(name) ? (examples[0] ?? null) : null,
  }));
}

/**
 * The value of a rule that a puzzle can have once; none if it does not have it.
 * @param {Record<string, any>} rules @param {ShownRule} form
 */
const valueOf = (rules, { name }) => (rules[name] === undefined || rules[name] === false ? [] : [rules[name]]);

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
