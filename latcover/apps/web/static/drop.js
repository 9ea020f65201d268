// Opens files that are dropped anywhere on the page.

import { dom } from "./dom.js";

/**
 * `take(files)` opens the file of a puzzle, with the files that it refers to.
 * @param {(files: File[]) => unknown} take
 */
export function acceptDrops(take) {
  const hint = dom("div", { class: "dropping", hidden: true }, "Drop the file to open it");
  document.body.append(hint);
  /** @param {DragEvent} event */
  const holdsFile = (event) => event.dataTransfer?.types.includes("Files") && !document.querySelector("dialog[open]");
  let depth = 0; // elements that the pointer has entered and not left
  /** @param {number} by */
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
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) take(files);
  });
}
