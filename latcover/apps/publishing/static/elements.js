// Small helpers for elements, and for words on the page.

import { dom, fill } from "./dom.js";
import { Away } from "./faults.js";
import { host } from "./host.js";

/**
 * A labelled control: the label's text, then the control.
 * @param {string} text @param {HTMLElement} control @param {string} [hint]
 */
export function field(text, control, hint) {
  const label = dom("label", { class: "field" }, dom("span", {}, text), control);
  if (hint) label.title = hint;
  return label;
}

/**
 * A select with options [value, text], one chosen.
 * @param {any[][]} options @param {any} chosen @param {(value: string) => unknown} [onchange]
 */
export function choice(options, chosen, onchange) {
  /** @type {HTMLSelectElement} */
  const select = dom("select", { onchange: () => onchange?.(select.value) });
  for (const [value, text] of options) {
    select.append(dom("option", { value, selected: value === chosen }, text ?? value));
  }
  return select;
}

/**
 * A button below which its content opens, until one presses elsewhere or Escape.
 * @param {string} words @param {import("./dom.js").Child[]} content
 */
export function menu(words, ...content) {
  const button = dom("summary", { class: "button" }, words);
  const element = dom("details", { class: "more" }, button, dom("div", { class: "menu" }, ...content));
  // Not at pointerdown: the page may become shorter, and what is pressed would slip away below the pointer.
  document.addEventListener("click", (event) => {
    if (!event.composedPath().includes(element)) element.open = false;
  });
  element.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !element.open) return;
    element.open = false;
    button.focus();
  });
  return element;
}

/** A number as people read it. @param {number | string | null | undefined} value */
export function number(value) {
  return value === null || value === undefined ? "–" : Number(value).toLocaleString("en-US");
}

/**
 * A number and what it counts: "1 solution", "2 solutions".
 * @param {number} value @param {string} one @param {string} [many]
 */
export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** Seconds as people read them. @param {number | null | undefined} value */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  return value < 1 ? `${(1000 * value).toFixed(value < 0.01 ? 2 : 0)} ms` : `${value.toFixed(1)} s`;
}

/**
 * Show an error in an element that screen readers announce; no fault clears it. That the server does not answer is shown
 * until it does.
 * @param {HTMLElement} element @param {{ message: string, complaints?: string[] } | null | undefined} fault
 */
export function showFault(element, fault) {
  if (!fault) {
    element.hidden = true;
    fill(element);
    return;
  }
  const complaints = fault.complaints ?? [];
  const more =
    complaints.length > 1
      ? dom(
          "ul",
          {},
          complaints.map((text) => dom("li", {}, text)),
        )
      : null;
  fill(element, dom("p", {}, complaints.length > 1 ? `${complaints.length} things are wrong:` : fault.message), more);
  element.hidden = false;
  const [shown] = element.children;
  if (fault instanceof Away) host.server.whenBack(() => element.contains(shown) && showFault(element, null));
}

/** Let the browser save a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = dom("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
