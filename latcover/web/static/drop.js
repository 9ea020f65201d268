// A file that is dropped anywhere on the page is opened.

import { el } from "./elements.js";

/** `take(file)` opens a file. */
export function acceptDrops(take) {
  const hint = el("div", { class: "dropping", hidden: true }, "Drop the file to open it");
  document.body.append(hint);
  const holdsFile = (event) => event.dataTransfer?.types.includes("Files") && !document.querySelector("dialog[open]");
  let depth = 0; // elements that the pointer has entered and not left
  const over = (by) => {
    depth = by ? Math.max(0, depth + by) : 0;
    hint.hidden = depth === 0;
  };
  addEventListener("dragenter", (event) => holdsFile(event) && over(1));
  addEventListener("dragleave", (event) => holdsFile(event) && over(-1));
  addEventListener("dragover", (event) => holdsFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    over(0);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}
