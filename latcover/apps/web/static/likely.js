// How likely each part is on each cell, among all solutions: maps, and the exact numbers.

import { save } from "./dom.js";
import { host as api } from "./host.js";
import { Choice } from "./panels.js";
import { html, render, useEffect, useMemo, useState } from "./preact.js";
import { plain } from "./saving.js";

/** @import { ProbabilityMap } from "./server_types.js" */

export class Likely {
  constructor() {
    /** @type {string | null} */
    this.run = null;
    this.element = document.createElement("section");
    this.element.setAttribute("aria-label", "How likely");
    this.element.hidden = true;
  }

  clear() {
    this.run = null;
    this.element.hidden = true;
    render(null, this.element);
  }

  /** Show the answer of a run that has ended. @param {string} run @param {string} name of the puzzle */
  async follow(run, name) {
    this.run = run;
    const { maps, placements } = await api.answer(run);
    if (run !== this.run || !maps.length) return;
    render(html`<${Maps} key=${run} maps=${maps} placements=${placements} name=${plain(name)} />`, this.element);
    this.element.hidden = false;
  }
}

/** @param {{ maps: ProbabilityMap[], placements: string | null, name: string }} shown */
function Maps({ maps, placements, name }) {
  const [k, look] = useState(0);
  const { part, title, svg, rows } = maps[k];
  const picture = useMemo(() => new Blob([svg], { type: "image/svg+xml" }), [svg]);
  const address = useMemo(() => URL.createObjectURL(picture), [picture]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const savePicture = () => save(picture, `${name}-likely${part === null ? "" : `-${plain(part)}`}.svg`);
  const saveAll = () => save(new Blob([placements ?? ""], { type: "application/jsonl" }), `${name}-placements.jsonl`);
  return html`<div class="row browse">
      <h3>How likely</h3>
      ${
        maps.length > 1 &&
        html`<${Choice}
          label="part"
          value=${String(k)}
          choose=${(/** @type {string} */ value) => look(Number(value))}
          options=${maps.map(({ part: own }, n) => [String(n), own ?? "all parts"])}
        />`
      }
    </div>
    <p class="hint">The darker a cell, the more solutions have the part there; a white cell has it in none.</p>
    <div class="scroll"><img class="solution" src=${address} alt=${title} /></div>
    <details class="expert">
      <summary>Exact numbers</summary>
      <div class="listing">
        <table>
          <thead>
            <tr>
              <th scope="col">${part === null ? "part" : "cell"}</th>
              <th scope="col">of all</th>
              <th scope="col">solutions</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ([what, share, many]) =>
                html`<tr>
                  <th scope="row">${what}</th>
                  <td>${share}</td>
                  <td>${many}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
    <div class="row">
      <button type="button" onClick=${savePicture}>Save this picture (SVG)</button>
      ${
        placements !== null &&
        html`<button type="button" onClick=${saveAll}>Save the number of each placement (JSON lines)</button>`
      }
    </div>`;
}
