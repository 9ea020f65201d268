// What panels are made of: labelled fields, lists, folds. `h(Field, { … })` is checked by tsc, which cannot look into html`…`.

import { Away } from "./faults.js";
import { host } from "./host.js";
import { h, html, render, useEffect, useLayoutEffect, useRef, useState } from "./preact.js";

/** @import { Shown } from "./preact.js" */

/** @typedef {{ target: HTMLInputElement }} OfInput */

/** A labelled control. @param {{ label: string, hint?: string, hidden?: boolean, children?: Shown }} shown */
export function Field({ label, hint, hidden = false, children }) {
  return html`<label class="field" title=${hint} hidden=${hidden}><span>${label}</span>${children}</label>`;
}

/** The same around a control. @param {string} label @param {Shown} control @param {string} [hint] */
export const labelled = (label, control, hint) => html`<${Field} label=${label} hint=${hint}>${control}<//>`;

/** @param {Shown} words @param {() => unknown} act @param {Record<string, unknown>} [more] */
export const button = (words, act, more) =>
  html`<button type="button" onClick=${() => act()} ...${more}>${words}</button>`;

/**
 * A labelled input: `put` hears of every change, `own` are its attributes.
 * @param {{ label: string, value: string, put: (value: string) => void, hint?: string, hidden?: boolean, [own: string]: unknown }} shown
 */
export function Entry({ label, hint, hidden, put, ...own }) {
  const input = html`<input ...${own} onInput=${(/** @type {any} */ event) => put(event.target.value)} />`;
  return html`<${Field} label=${label} hint=${hint} hidden=${hidden}>${input}<//>`;
}

/** The same for a whole number. @param {Parameters<typeof Entry>[0]} shown */
export const Amount = (shown) => Entry({ type: "number", class: "short", min: 1, ...shown });

/**
 * A select of options [value, words], with a label or with an aria-label.
 * @param {{ label?: string, value?: string, choose: (value: string) => unknown, options: string[][], hint?: string, aria?: string, hidden?: boolean, id?: string }} shown
 */
export function Choice({ label, value, choose, options, hint, aria, hidden, id }) {
  const chosen = (/** @type {{ target: HTMLSelectElement }} */ { target }) => choose(target.value);
  const select = html`<select id=${id} value=${value} aria-label=${aria} onChange=${chosen}>
    ${options.map(([name, words = name]) => html`<option value=${name}>${words}</option>`)}
  </select>`;
  return label === undefined ? select : html`<${Field} label=${label} hint=${hint} hidden=${hidden}>${select}<//>`;
}

/**
 * A text that is taken when it is left. If it is `wrong`, the browser says so, and it stays as it is until the value changes.
 * Whatever is drawn meanwhile leaves alone what is being typed.
 * @param {{ label?: string, value: string, set: (text: string) => unknown, wrong?: (text: string) => string, area?: boolean, hint?: string } & Record<string, unknown>} shown
 */
export function Line({ label, value, set, wrong, area = false, hint, ...more }) {
  const [typed, type] = useState(/** @type {{ text: string, of: string } | null} */ (null));
  /** @param {OfInput} event */
  const input = ({ target }) => {
    target.setCustomValidity("");
    type({ text: target.value, of: value });
  };
  /** @param {OfInput} event */
  const take = ({ target }) => {
    target.setCustomValidity(wrong?.(target.value) ?? "");
    if (!target.reportValidity()) return;
    type(null);
    set(target.value);
  };
  const text = typed?.of === value ? typed.text : value;
  const line = html`<${area ? "textarea" : "input"} ...${more} value=${text} onInput=${input} onChange=${take} />`;
  return label === undefined ? line : labelled(label, line, hint);
}

/**
 * A whole number within bounds; null if it is empty. The browser rejects other input.
 * @param {{ label: string, value: number | null | undefined, bounds: { min?: number, max?: number }, set: (value: number | null) => unknown, placeholder?: string, hint?: string }} shown
 */
export function Whole({ value, bounds, set, ...more }) {
  const take = (/** @type {string} */ text) => set(text === "" ? null : Number(text));
  return h(Line, { type: "number", step: 1, class: "short", ...bounds, value: `${value ?? ""}`, set: take, ...more });
}

/** @param {{ label: string, on: boolean, set: (on: boolean) => unknown }} shown */
export function Tick({ label, on, set }) {
  const change = (/** @type {OfInput} */ { target }) => set(target.checked);
  return html`<label class="tick"
    ><input type="checkbox" checked=${on} onChange=${change} /><span>${label}</span></label
  >`;
}

/**
 * A name that must differ from those that are taken; else it stays as it was.
 * @param {{ label: string, name: string, taken: string[], set: (name: string) => unknown }} shown
 */
export function Name({ label, name, taken, set }) {
  /** @param {string} text */
  const take = (text) => text.trim() && !taken.includes(text.trim()) && set(text.trim());
  return h(Line, { "aria-label": label, size: 10, maxlength: 200, value: name, set: take });
}

/** @param {string} word @param {string[]} taken */
export function freeWord(word, taken) {
  for (let k = 1; ; k += 1) if (!taken.includes(`${word}${k}`)) return `${word}${k}`;
}

/** A small square of a colour. @param {string} rgb @param {string} [title] */
export const swatch = (rgb, title) => html`<span class="swatch" title=${title} style=${{ backgroundColor: rgb }} />`;

/**
 * Rows that are removed and added; a new one gets the focus. `named` says what a row is, for its button.
 * @template Item
 * @typedef {{ items: Item[], row: (item: Item, k: number) => Shown, remove: (k: number) => unknown, words: string, add: () => unknown, named?: (item: Item) => string, more?: Shown }} Rows
 */

/** @template Item @param {Rows<Item>} shown */
export const list = (shown) => h(List, /** @type {Rows<any>} */ (shown));

/** @param {Rows<any>} shown */
function List({ items, row, remove, words, add, named, more }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const isNew = useRef(false);
  useLayoutEffect(() => {
    if (isNew.current)
      /** @type {HTMLInputElement | undefined} */ (
        [...(place.current?.querySelectorAll(":scope > .row") ?? [])]
          .at(items.length - 1)
          ?.querySelector("input:not([type=color])")
      )?.select();
    isNew.current = false;
  });
  const begin = () => {
    isNew.current = true;
    add();
  };
  return html`<div class="list" ref=${place}>
    ${items.map(
      (item, k) =>
        html`<div class="row">
          ${row(item, k)}
          ${button("Remove", () => remove(k), { class: "danger", "aria-label": named && `Remove ${named(item)}` })}
        </div>`,
    )}
    ${more ? html`<div class="row">${button(words, begin)} ${more}</div>` : button(words, begin)}
  </div>`;
}

/**
 * A panel that folds: `said` tells on its head what is in it.
 * @param {{ id: string, title: string, said: Shown, content: () => Shown }} shown
 */
export function Fold({ id, title, said, content }) {
  const [open, show] = useState(false);
  const toggle = (/** @type {{ target: HTMLDetailsElement }} */ { target }) => show(target.open);
  return html`<details class="fold" id=${id} onToggle=${toggle}>
    <summary><strong>${title}</strong><span class="said">${said}</span></summary>
    ${open && html`<div class="body">${content()}</div>`}
  </details>`;
}

/** What is wrong, in words. @param {{ fault: { message: string, complaints?: string[] } }} shown */
export function Complaints({ fault: { message, complaints = [] } }) {
  if (complaints.length < 2) return html`<p>${message}</p>`;
  return html`<p>${complaints.length} things are wrong:</p>
    <ul>
      ${complaints.map((text) => html`<li>${text}</li>`)}
    </ul>`;
}

/** A section within a panel that folds. @param {{ title: string, open: boolean, content: () => Shown }} shown */
export function Inner({ title, open, content }) {
  const [isOpen, show] = useState(open);
  return html`<div class="inner">
    ${button(title, () => show(!isOpen), { class: "link", "aria-expanded": String(isOpen) })}
    ${isOpen && html`<div>${content()}</div>`}
  </div>`;
}

/**
 * A table of names against names, with a check box where `has(a, b)` is true; `look(name)` is the colour of a name.
 * @param {{ title: string, rows: string[], columns?: string[], look: (name: string) => string, label: (a: string, b: string) => string, has?: (a: string, b: string) => boolean, on: (a: string, b: string) => boolean, set: (a: string, b: string, on: boolean) => unknown }} shown
 */
export function Pairs({ title, rows, columns = rows, look, label, has = () => true, on, set }) {
  /** @param {string} a @param {string} b */
  const box = (a, b) =>
    html`<input
      type="checkbox"
      checked=${on(a, b)}
      aria-label=${label(a, b)}
      onChange=${(/** @type {OfInput} */ { target }) => set(a, b, target.checked)}
    />`;
  return html`<div class="scroll">
    <table class="pairs">
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${columns.map((b) => html`<th scope="col">${swatch(look(b))}${b}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (a) =>
            html`<tr>
              <th scope="row">${swatch(look(a))}${a}</th>
              ${columns.map((b) => html`<td>${has(a, b) && box(a, b)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Elements that are made elsewhere. @param {{ nodes: Node[], class?: string, title?: string }} shown */
export function Held({ nodes, class: name = "mini", title }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const there = place.current?.childNodes;
    if (there?.length !== nodes.length || nodes.some((node, k) => node !== there[k]))
      place.current?.replaceChildren(...nodes); // only then: a node that is moved loses the focus
  });
  return html`<span class=${name} title=${title} ref=${place} />`;
}

/** An element that shows a panel of the open puzzle, and follows it. @param {EventTarget & { isPuzzle: boolean }} model @param {() => Shown} panel */
export function following(model, panel) {
  const element = document.createElement("div");
  const draw = () => render(model.isPuzzle && panel(), element);
  for (const what of ["loaded", "changed", "checked"]) model.addEventListener(what, draw);
  return element;
}

/**
 * What went wrong; that the server does not answer is said until it does.
 * @param {{ fault: { message: string, complaints?: string[] } | null | undefined }} shown
 */
export function Faults({ fault }) {
  const [over, end] = useState(/** @type {unknown} */ (null));
  useEffect(() => (fault instanceof Away ? host.server.whenBack(() => end(fault)) : undefined), [fault]);
  if (!fault || fault === over) return null;
  return html`<div class="faults" role="alert">${h(Complaints, { fault })}</div>`;
}

/**
 * A button below which its content opens, until one presses elsewhere or Escape.
 * @param {{ words: string, children?: Shown }} shown
 */
export function Menu({ words, children }) {
  const place = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    // Not at pointerdown: the page may become shorter, and what is pressed would slip away below the pointer.
    const shut = (/** @type {MouseEvent} */ event) => {
      if (place.current && !event.composedPath().includes(place.current)) place.current.open = false;
    };
    document.addEventListener("click", shut);
    return () => document.removeEventListener("click", shut);
  }, []);
  /** @param {KeyboardEvent} event */
  const key = ({ key: name }) => {
    if (name !== "Escape" || !place.current?.open) return;
    place.current.open = false;
    place.current.querySelector("summary")?.focus();
  };
  return html`<details class="more" ref=${place} onKeyDown=${key}>
    <summary class="button">${words}</summary>
    <div class="menu">${children}</div>
  </details>`;
}
