// A part of the editor that is folded away until somebody wants it.

import { el, fill } from "./elements.js";

/** A panel has `said()`, a word or two for its heading, and `content()`, its elements. */
export class Fold {
  constructor(model, title, name) {
    this.model = model;
    this.shown = new Map(); // what is unfolded within, by its title
    this.about = el("span", { class: "said" });
    this.body = el("div", { class: "body" });
    this.element = el("details", { class: "fold", id: name }, el("summary", {}, el("strong", {}, title), this.about), this.body);
    this.element.addEventListener("toggle", () => this.draw());
    for (const what of ["restored", "refreshed"]) model.addEventListener(what, () => (model.origin === this ? this.tell() : this.draw()));
    for (const what of ["painted", "checked"]) model.addEventListener(what, () => (this.element.contains(document.activeElement) ? this.tell() : this.draw()));
  }

  draw() {
    if (!this.model.isPuzzle) return;
    fill(this.body, this.element.open ? this.content() : []);
    this.tell();
  }

  tell() {
    if (this.model.isPuzzle) fill(this.about, this.said());
  }

  /** Something unfolded within; it stays as it is when the panel is drawn anew. */
  unfolded(title, open, content) {
    return unfolded(title, this.shown.get(title) ?? open, content, (now) => this.shown.set(title, now));
  }

  /** Something was changed here: all else is drawn anew, and this too where `again` is true. */
  changed(again = false) {
    this.model.refresh(this);
    if (again) this.draw();
  }
}

/** Something small that is unfolded within a panel: `content()` gives its elements when it is opened. */
export function unfolded(title, open, content, tell = () => {}) {
  const body = el("div", {});
  const button = el("button", { type: "button", class: "link", onclick: () => {
    const wanted = body.childElementCount === 0;
    show(wanted);
    tell(wanted);
  } }, title);
  const show = (wanted) => {
    button.setAttribute("aria-expanded", wanted);
    fill(body, wanted ? content() : []);
  };
  show(open);
  return el("div", { class: "inner" }, button, body);
}

/** A check box with its words. */
export function tick(text, checked, onchange) {
  const box = el("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return el("label", { class: "tick" }, box, el("span", {}, text));
}

/** A field for a name that must differ from others; it comes back to what it was where it may not be. */
export function nameField(label, name, taken, onchange) {
  const input = el("input", { value: name, maxlength: 200, size: 10, "aria-label": label });
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

export function freeWord(word, taken) {
  for (let k = 1; ; k += 1) if (!taken.includes(`${word}${k}`)) return `${word}${k}`;
}

/** A small square of a colour. The page's policy allows no styles in attributes. */
export function swatch(rgb, title) {
  const square = el("span", { class: "swatch", title });
  square.style.backgroundColor = rgb;
  return square;
}
