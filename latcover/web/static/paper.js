// What is printed of solutions, as PDF: building instructions, and posters.

import { choice, el, field } from "./elements.js";

const WORDS = { instructions: "building instructions", one: "a poster of this solution", all: "a poster of all solutions" };
const HINTS = {
  instructions: "A cover, the parts, and a picture of each step in the order of assembly.",
  one: "This solution, from a corner and layer by layer.",
  all: "All solutions that were found, with their numbers.",
};

export class OnPaper {
  /** `save(form, sheet, one)`: of the solution that is shown, or of all. */
  constructor(papers, save) {
    const hint = el("p", { class: "hint" });
    const what = choice(Object.entries(WORDS), "instructions", (name) => (hint.textContent = HINTS[name]));
    const title = el("input", { maxlength: 200, placeholder: "the puzzle's", size: 18 });
    const paper = choice(papers.map((name) => [name]), "A4");
    const way = choice([["upright"], ["landscape"]], "upright");
    const columns = el("input", { type: "number", min: 1, max: 500, class: "short", placeholder: "what fits" });
    hint.textContent = HINTS.instructions;
    const submit = (event) => {
      event.preventDefault();
      const [words, wide] = [title.value.trim(), way.value === "landscape"];
      const sheet = { paper: paper.value, landscape: wide, ...(words ? { title: words } : {}), ...(columns.value ? { columns: Number(columns.value) } : {}) };
      save(what.value === "instructions" ? "instructions" : "poster", sheet, what.value !== "all");
    };
    this.element = el("form", { class: "on-paper", "aria-label": "On paper", onsubmit: submit },
      el("div", { class: "row" }, field("on paper", what), field("title", title), field("paper", paper), field("orientation", way), field("pictures side by side", columns),
        el("button", {}, "Save for paper (PDF)")),
      hint);
  }
}
