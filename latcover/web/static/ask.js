// A question that must be answered before anything else happens.

import { el } from "./elements.js";

/** Ask, and promise the value of the answer that was chosen of [value, text]; "" where the question was closed. */
export function ask(question, answers) {
  const buttons = answers.map(([value, text]) => el("button", { type: "button", onclick: () => dialog.close(value) }, text));
  const dialog = el("dialog", { "aria-label": question }, el("p", {}, question), el("div", { class: "row" }, buttons));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
