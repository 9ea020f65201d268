// A question that must be answered before anything else happens.

import { el } from "./elements.js";

/**
 * Ask, and promise the value of the answer that was chosen of [value, text]; "" where the question was closed, which Back
 * does too. *Fields* stand between the question and the answers.
 */
export function ask(question, answers, ...fields) {
  const buttons = answers.map(([value, text]) => el("button", { type: "button", onclick: () => dialog.close(value) }, text));
  const dialog = el("dialog", { "aria-label": question }, el("p", {}, question), ...fields, el("div", { class: "row" }, buttons));
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
