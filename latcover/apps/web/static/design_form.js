// A form built from field data (see design_ways.js). Its values are those of its controls.

import { BOUNDS } from "./bounds.js";
import { host } from "./host.js";
import { html } from "./preact.js";

/** @import { FormContext, FormField, FormValues } from "./web_types.js" */
/** @import { WAYS } from "./design_ways.js" */

/** @typedef {typeof WAYS[number]} Way */

/** A property of a field, which may depend on the puzzle. @param {any} said @param {FormContext} at */
const given = (said, at) => (typeof said === "function" ? said(at) : said);

/** The values that a way begins with. @param {Way} way @param {FormContext} at @returns {FormValues} */
export const usualOf = ({ fields }, at) =>
  Object.fromEntries(fields.map(({ name, usual }) => [name, given(usual, at)]));

/** Whether a field applies to the values of the others, and the host knows it. @param {Way} way @param {FormField} field @param {FormValues} values @param {FormContext} at */
function applies({ name: way }, { name, when }, values, at) {
  const known = host.ways?.[way];
  return (!known || known.includes(name)) && (!when || Boolean(when(values, at)));
}

/** The values of all fields; those that do not apply have their defaults. @param {Way} way @param {FormValues} values @param {FormContext} at */
export function askedOf(way, values, at) {
  const others = usualOf(way, at);
  const fields = way.fields;
  return Object.fromEntries(
    fields.map((field) => [field.name, (applies(way, field, values, at) ? values : others)[field.name]]),
  );
}

/**
 * Whether all fields are valid; otherwise the browser reports the error, and folded fields are opened.
 * @param {HTMLElement} element
 */
export function isValid(element) {
  const wrong = [...element.querySelectorAll("input")].find((one) => !one.closest("[hidden]") && !one.checkValidity());
  const fold = wrong?.closest("details");
  if (fold) fold.open = true;
  wrong?.reportValidity();
  return !wrong;
}

/** @param {{ way: Way, values: FormValues, at: FormContext, put: (name: string, value: string | boolean) => void }} shown */
export function Form({ way, values, at, put }) {
  const fields = way.fields.filter(({ name }) => !host.ways || host.ways[way.name].includes(name));
  /** @param {boolean} expert */
  const shown = (expert) =>
    html`<div class="fields">
      ${fields
        .filter((field) => Boolean(field.expert) === expert)
        .map(
          (field) =>
            html`<${Field}
              key=${field.name}
              way=${way.name}
              field=${field}
              value=${values[field.name]}
              at=${at}
              hidden=${!applies(way, field, values, at)}
              put=${(/** @type {string | boolean} */ value) => put(field.name, value)}
            />`,
        )}
    </div>`;
  return html`<div class="form">
    ${shown(false)}
    ${
      fields.some(({ expert }) => expert) &&
      html`<details class="more">
        <summary>More options</summary>
        ${shown(true)}
      </details>`
    }
  </div>`;
}

/** @param {{ way: string, field: FormField, value: any, at: FormContext, hidden: boolean, put: (value: string | boolean) => void }} shown */
function Field({ way, field, value, at, hidden, put }) {
  const { name, label, kind, help, options, min, max, step, placeholder } = field;
  const bounds = /** @type {Record<string, Record<string, { min?: number, max?: number }>>} */ (BOUNDS)[way]?.[name];
  const words = help && html`<span class="help">${help}</span>`;
  /** @param {any} event */
  const read = ({ target }) => put(target.value);
  if (kind === "flag")
    return html`<label class="check" hidden=${hidden}>
      <input type="checkbox" checked=${value} onChange=${(/** @type {any} */ event) => put(event.target.checked)} />
      <span>${label}${words}</span>
    </label>`;
  return html`<label class="field" hidden=${hidden}>
    <span>${label}</span>
    ${
      kind === "choice"
        ? html`<select value=${value} onChange=${read}>
            ${given(options, at).map((/** @type {string[]} */ [key, text]) => html`<option value=${key}>${text}</option>`)}
          </select>`
        : html`<input
            type=${kind}
            class="short"
            name=${name}
            min=${min ?? bounds?.min}
            max=${given(max, at) ?? bounds?.max}
            step=${step}
            placeholder=${placeholder}
            value=${value}
            onInput=${read}
          />`
    }
    ${words}
  </label>`;
}
