// Prints solutions as PDF: building instructions and posters.

import { BOUNDS } from "./bounds.js";
import { Choice } from "./panels.js";
import { html, useState } from "./preact.js";

/** @import { Sheet } from "./server_types.js" */

/** What is printed, in words, and more about it. @type {Record<string, [words: string, about: string]>} */
const DOCUMENTS = {
  instructions: ["building instructions", "A cover, the parts, and a picture of each step in the order of assembly."],
  one: ["a poster of this solution", "This solution, seen from a corner and layer by layer."],
  all: ["a poster of all solutions", "All solutions that were found, numbered."],
};
const WAYS = [
  ["", "as it fits"],
  ["upright", "upright"],
  ["landscape", "landscape"],
];

/**
 * `save(form, sheet, one)`: of the solution that is shown, or of all.
 * @param {{ papers: string[], save: (form: string, sheet: Sheet, one: boolean) => unknown }} shown
 */
export function OnPaper({ papers, save }) {
  const [what, choose] = useState("instructions");
  const [paper, take] = useState("A4");
  const [way, lie] = useState("");
  /** @param {SubmitEvent & { target: any }} event */
  const submit = (event) => {
    event.preventDefault();
    const { title, columns } = event.target.elements;
    const sheet = {
      paper,
      ...(way ? { landscape: way === "landscape" } : {}),
      ...(title.value.trim() ? { title: title.value.trim() } : {}),
      ...(columns.value ? { columns: Number(columns.value) } : {}),
    };
    save(what === "instructions" ? "instructions" : "poster", sheet, what !== "all");
  };
  const { min, max } = BOUNDS.sheet.columns;
  return html`<form class="on-paper" aria-label="Save for paper" onSubmit=${submit}>
    <div class="row">
      <${Choice}
        label="document"
        value=${what}
        choose=${choose}
        options=${Object.entries(DOCUMENTS).map(([name, [words]]) => [name, words])}
      />
      <label class="field">
        <span>title</span>
        <input name="title" maxlength="200" placeholder="the puzzle's title" size="18" />
      </label>
      <${Choice} label="paper" value=${paper} choose=${take} options=${papers.map((name) => [name, name])} />
      <${Choice} label="orientation" value=${way} choose=${lie} options=${WAYS} />
      <label class="field">
        <span>pictures per row</span>
        <input name="columns" type="number" min=${min} max=${max} class="short" placeholder="automatic" />
      </label>
      <button>Save as PDF</button>
    </div>
    <p class="hint">${DOCUMENTS[what][1]}</p>
  </form>`;
}
