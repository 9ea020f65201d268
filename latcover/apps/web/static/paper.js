// Prints solutions as PDF: building instructions and posters.

import { BOUNDS } from "./bounds.js";
import { dom } from "./dom.js";
import { choice, field } from "./elements.js";

/** @import { Sheet } from "./server_types.js" */

const WORDS = {
  instructions: "building instructions",
  one: "a poster of this solution",
  all: "a poster of all solutions",
};
const HINTS = {
  instructions: "A cover, the parts, and a picture of each step in the order of assembly.",
  one: "This solution, seen from a corner and layer by layer.",
  all: "All solutions that were found, numbered.",
};

export class OnPaper {
  /**
   * `save(form, sheet, one)`: of the solution that is shown, or of all.
   *
   * @param {string[]} papers
   * @param {(form: string, sheet: Sheet, one: boolean) => unknown} save
   */
  constructor(papers, save) {
    const hint = dom("p", { class: "hint" });
    const what = choice(
      Object.entries(WORDS),
      "instructions",
      (name) => (hint.textContent = HINTS[/** @type {keyof typeof HINTS} */ (name)]),
    );
    const title = dom("input", { maxlength: 200, placeholder: "the puzzle's title", size: 18 });
    const paper = choice(
      papers.map((name) => [name]),
      "A4",
    );
    const way = choice([["", "as it fits"], ["upright"], ["landscape"]], "");
    const columns = dom("input", { type: "number", ...BOUNDS.sheet.columns, class: "short", placeholder: "automatic" });
    hint.textContent = HINTS.instructions;
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      const words = title.value.trim();
      const sheet = {
        paper: paper.value,
        ...(way.value ? { landscape: way.value === "landscape" } : {}),
        ...(words ? { title: words } : {}),
        ...(columns.value ? { columns: Number(columns.value) } : {}),
      };
      save(what.value === "instructions" ? "instructions" : "poster", sheet, what.value !== "all");
    };
    this.element = dom(
      "form",
      { class: "on-paper", "aria-label": "Save for paper", onsubmit: submit },
      dom(
        "div",
        { class: "row" },
        field("document", what),
        field("title", title),
        field("paper", paper),
        field("orientation", way),
        field("pictures per row", columns),
        dom("button", {}, "Save as PDF"),
      ),
      hint,
    );
  }
}
