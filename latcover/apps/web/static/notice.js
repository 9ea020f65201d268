// A line at the bottom of the page that says what was done, and offers to undo it.

import { dom, fill } from "./dom.js";

const SHOWN = 15000; // milliseconds

const element = dom("div", { class: "notice", role: "status" });
let timer = 0;

/**
 * Say that something was done. Pressing "Undo" within some seconds calls `undo`; `after` is called if nobody does.
 * @param {string} text @param {() => void} undo @param {() => void} [after]
 */
export function undoable(text, undo, after = () => {}) {
  clearTimeout(timer);
  pending();
  pending = after;
  const close = () => {
    clearTimeout(timer);
    pending = () => {};
    fill(element);
  };
  const take = () => {
    close();
    undo();
  };
  timer = setTimeout(() => {
    pending();
    close();
  }, SHOWN);
  document.body.append(element);
  fill(element, dom("span", {}, text), dom("button", { type: "button", onclick: take }, "Undo"));
}

let pending = () => {};
