// A modal question.

import { button } from "./panels.js";
import { html, render } from "./preact.js";

/** @import { Shown } from "./preact.js" */

/** A modal dialog that shows something, until it is closed or somebody goes back. @param {{ class?: string, label: string }} named */
export function openDialog({ class: name = "", label }) {
  const dialog = document.createElement("dialog");
  dialog.className = name;
  dialog.setAttribute("aria-label", label);
  const leave = () => dialog.close("");
  window.addEventListener("popstate", leave);
  dialog.addEventListener("close", () => {
    window.removeEventListener("popstate", leave);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask a question. Returns a promise of the chosen value of *answers*, each [value, text], or "" if the dialog is closed,
 * which Back does too. *Fields* are shown between the question and the answers.
 * @param {string} question @param {[value: string, words: Shown][]} answers @param {Shown} [fields] @returns {Promise<string>}
 */
export function ask(question, answers, fields) {
  const dialog = openDialog({ label: question });
  const choices = answers.map(([value, words]) => button(words, () => dialog.close(value), { value }));
  render(
    html`<p>${question}</p>
      ${fields}
      <div class="row">${choices}</div>`,
    dialog,
  );
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue)));
}

/** Ask whether to do something, in these words. @param {string} question @param {string} words @param {Shown} [fields] */
export async function confirmed(question, words, fields) {
  /** @type {[string, string][]} */
  const answers = [
    ["yes", words],
    ["", "Cancel"],
  ];
  return Boolean(await ask(question, answers, fields));
}
