// A modal question.

import { dom } from "./dom.js";

/** @import { Fields } from "./web_types.js" */
/** @import { Child } from "./dom.js" */

/**
 * Ask a question. Returns a promise of the chosen value of *answers*, each [value, text], or "" if the dialog is closed,
 * which Back does too. A text may be elements. *Fields* are shown between the question and the answers.
 * @param {string} question @param {[value: string, words: Child | Child[]][]} answers @param {...Child} fields
 */
export function ask(question, answers, ...fields) {
  const buttons = answers.map(([value, text]) =>
    dom("button", { type: "button", value, onclick: () => void dialog.close(value) }, text),
  );
  /** @type {HTMLDialogElement} */
  const dialog = dom(
    "dialog",
    { "aria-label": question },
    dom("p", {}, question),
    ...fields,
    dom("div", { class: "row" }, buttons),
  );
  document.body.append(dialog);
  dialog.showModal();
  const leave = () => dialog.close("");
  window.addEventListener("popstate", leave);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      window.removeEventListener("popstate", leave);
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
