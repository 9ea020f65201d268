// A collapsible panel of the editor.

import { dom, fill } from "./dom.js";

/** @import { Child } from "./dom.js" */
/** @import { Model } from "./model.js" */

/** Each panel defines `said()` and `content()`. */
export class Fold {
  /** @param {Model} model @param {string} title @param {string} name */
  constructor(model, title, name) {
    this.model = model;
    this.shown = new Map(); // its open inner sections, by title
    this.about = dom("span", { class: "said" });
    this.body = dom("div", { class: "body" });
    this.element = dom(
      "details",
      { class: "fold", id: name },
      dom("summary", {}, dom("strong", {}, title), this.about),
      this.body,
    );
    this.element.addEventListener("toggle", () => this.draw());
    for (const what of ["restored", "refreshed"])
      model.addEventListener(what, () => (model.origin === this ? this.tell() : this.draw()));
    for (const what of ["painted", "checked"])
      model.addEventListener(what, () => (this.element.contains(document.activeElement) ? this.tell() : this.draw()));
  }

  /** A short summary for the heading. @returns {Child | Child[]} */
  said() {
    return "";
  }

  /** The elements of the panel. @returns {Child | Child[]} */
  content() {
    return [];
  }

  draw() {
    if (!this.model.isPuzzle) return;
    fill(this.body, this.element.open ? this.content() : []);
    this.tell();
  }

  tell() {
    if (this.model.isPuzzle) fill(this.about, this.said());
  }

  /**
   * An inner section; it stays open or closed when the panel is redrawn.
   * @param {string} title @param {boolean} open @param {() => Child | Child[]} content
   */
  unfolded(title, open, content) {
    return unfolded(title, this.shown.get(title) ?? open, content, (now) => this.shown.set(title, now));
  }

  /** Note a change made here: all other views are redrawn, and this one if `again` is true. */
  changed(again = false) {
    this.model.refresh(this);
    if (again) this.draw();
  }
}

/**
 * A collapsible section within a panel: `content()` makes its elements when it is opened.
 * @param {string} title @param {boolean} open @param {() => Child | Child[]} content
 * @param {(open: boolean) => unknown} [tell]
 */
export function unfolded(title, open, content, tell = () => {}) {
  const body = dom("div", {});
  const button = dom(
    "button",
    {
      type: "button",
      class: "link",
      onclick: () => {
        const wanted = body.childElementCount === 0;
        show(wanted);
        tell(wanted);
      },
    },
    title,
  );
  /** @param {boolean} wanted */
  const show = (wanted) => {
    button.setAttribute("aria-expanded", String(wanted));
    fill(body, wanted ? content() : []);
  };
  show(open);
  return dom("div", { class: "inner" }, button, body);
}

/**
 * A check box with its label.
 * @param {string} text @param {boolean} checked @param {(on: boolean) => unknown} onchange
 */
export function tick(text, checked, onchange) {
  /** @type {HTMLInputElement} */
  const box = dom("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return dom("label", { class: "tick" }, box, dom("span", {}, text));
}

/**
 * A field for a name that must differ from others; an invalid name is reverted.
 * @param {string} label @param {string} name @param {() => string[]} taken @param {(name: string) => unknown} onchange
 */
export function nameField(label, name, taken, onchange) {
  const input = dom("input", { value: name, maxlength: 200, size: 10, "aria-label": label });
  input.addEventListener("change", () => {
    const wanted = input.value.trim();
    if (wanted && wanted !== name && !taken().includes(wanted)) {
      name = wanted;
      onchange(name);
    }
    input.value = name;
  });
  return input;
}

/** @param {string} word @param {string[]} taken */
export function freeWord(word, taken) {
  for (let k = 1; ; k += 1) if (!taken.includes(`${word}${k}`)) return `${word}${k}`;
}

/**
 * A small square of a colour. The page's policy allows no styles in attributes.
 * @param {string} rgb @param {string} [title]
 */
export function swatch(rgb, title) {
  const square = dom("span", { class: "swatch", title });
  square.style.backgroundColor = rgb;
  return square;
}

/**
 * A table of names against names, with a check box where `has(a, b)` is true; `look(name)` is the colour of a name.
 * @param {{ title: string, rows: string[], columns?: string[], look: (name: string) => any, label: (a: string, b: string) => string, has: (a: string, b: string) => boolean, checked: (a: string, b: string) => boolean, onchange: (a: string, b: string, on: boolean) => unknown, }} how
 */
export function pairTable({ title, rows, columns = rows, look, label, has, checked, onchange }) {
  /** @param {string} name */
  const head = (name) => [swatch(look(name)), name];
  /** @param {string} a @param {string} b */
  const box = (a, b) => {
    /** @type {HTMLInputElement} */
    const input = dom("input", {
      type: "checkbox",
      checked: checked(a, b),
      "aria-label": label(a, b),
      onchange: () => onchange(a, b, input.checked),
    });
    return input;
  };
  const top = columns.map((name) => dom("th", { scope: "col" }, head(name)));
  const body = rows.map((a) =>
    dom(
      "tr",
      {},
      dom("th", { scope: "row" }, head(a)),
      columns.map((b) => dom("td", {}, has(a, b) ? box(a, b) : null)),
    ),
  );
  const table = [
    dom("caption", {}, title),
    dom("thead", {}, dom("tr", {}, dom("td", {}), top)),
    dom("tbody", {}, body),
  ];
  return dom("div", { class: "scroll" }, dom("table", { class: "pairs" }, table));
}
