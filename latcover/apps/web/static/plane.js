// The page "Plane": somebody draws a shape, and sees whether it tiles the plane. It needs no puzzle.

import { PLANE } from "./address.js";
import { keyOf } from "./geometry.js";
import { Grid } from "./grid.js";
import { host as api } from "./host.js";
import { askLattice } from "./lattice_choice.js";
import { blank } from "./model.js";
import { button, Faults, Held, labelled } from "./panels.js";
import { h, html, render } from "./preact.js";
import { RunPanel } from "./run.js";

/** @import { Cell, Entry, Job, Lattice, Standing } from "./web_types.js" */

const PAUSE = 400; // milliseconds after a change until the server is asked
const SECONDS = 120;
const FIRST = "square";
const TILING =
  "One period stands in full colours, the rest is paler. Each class of tiles has its colour, and each way to turn it a shade.";
const CORONAS = "Each corona has a colour, from the middle outwards.";

export class Plane {
  name = FIRST; // of the lattice
  oneSided = false;
  /** @type {Map<string, Entry>} */ chosen = new Map();
  /** @type {Lattice | undefined} */ lattice;
  /** @type {Grid | undefined} */ grid;
  /** @type {Error | null} */ fault = null;
  /** The newest picture of the run, and what is said of it. @type {{ picture: string, stage: string, lines: string[] } | null} */
  found = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;

  /** @param {HTMLElement} element @param {{ lattices: { name: string, title: string, plane: boolean }[] }} about */
  constructor(element, about) {
    this.element = element;
    this.lattices = about.lattices.filter(({ plane }) => plane);
    this.panel = new RunPanel({
      model: /** @type {any} */ (new EventTarget()),
      label: "Search again",
      job: () => this.job(),
      told: (standing) => this.told(standing),
      words: {
        going: ({ stage }) => `${stage} …`,
        ending: ({ fault, text }) => (fault ? [] : [(text ?? "").split("\n")[0].replace(": ", " ")]),
      },
    });
  }

  draw() {
    const { name, grid, chosen, found } = this;
    const lattice = [html`<img src=${api.latticePicture(name)} alt="" width="30" height="24" />`, `on ${name} …`];
    const side = (/** @type {any} */ event) => {
      this.oneSided = event.target.checked;
      this.changed();
    };
    const sided = html`<input type="checkbox" checked=${this.oneSided} onChange=${side} />`;
    render(
      html`<h2>Does it tile the plane?</h2>
        <p class="hint">Draw a shape: click cells, or draw across them. The answer follows by itself.</p>
        <div class="plane">
          <section aria-label="The shape">
            <div class="row">
              ${button(lattice, () => this.choose(), { class: "lattice" })}
              ${labelled("do not turn over", sided, "copies may be rotated, but not reflected")}
              ${button("Clear", () => this.take(name, []))}
            </div>
            ${h(Faults, { fault: this.fault })} ${h(Held, { class: "drawn", nodes: grid ? [grid.element] : [] })}
          </section>
          <section aria-label="What it does">
            <p class="hint" hidden=${chosen.size > 0}>
              What the shape does appears here: a tiling, or how often it can be surrounded.
            </p>
            <div hidden=${!chosen.size}>${h(Held, { class: "", nodes: [this.panel.element] })}</div>
            ${
              found &&
              html`<figure class="found">
                <img src=${found.picture} alt=${found.stage} />
                <p class="hint">${found.lines.map((line) => html`<span>${line}</span>`)}</p>
                <a class="button" download="plane.svg" href=${found.picture}>Save the picture</a>
              </figure>`
            }
          </section>
        </div>`,
      this.element,
    );
  }

  /** Show what the address says: #plane, or #plane/kite/0,0,0 1,0,0 */
  show() {
    const [, name = "", cells = ""] = location.hash.slice(1).split("/").map(decodeURIComponent);
    const shape = cells.split(" ").filter((word) => /^-?\d{1,6}(,-?\d{1,6}){2}$/.test(word));
    const known = this.lattices.some((lattice) => lattice.name === name) ? name : FIRST;
    if (this.lattice?.name === known && (this.address() === location.hash || !name)) return;
    this.take(
      known,
      shape.map((word) => word.split(",").map(Number)),
    );
  }

  async choose() {
    const name = await askLattice(this.lattices);
    if (name) await this.take(name, []);
  }

  /** Stop looking: another page is shown. */
  hide() {
    clearTimeout(this.timer);
    this.panel.leave();
  }

  /** Take a lattice, and cells of it. @param {string} name @param {Cell[]} cells */
  async take(name, cells) {
    this.name = name;
    this.fault = null;
    this.draw();
    try {
      if (this.lattice?.name !== name) this.lattice = (await blank(name, 2, "shape")).lattice;
    } catch (fault) {
      this.fault = fault;
      this.draw();
      return;
    }
    const lattice = /** @type {Lattice} */ (this.lattice);
    const known = cells.filter(([node]) => node >= 0 && node < lattice.nodes.length);
    this.chosen = new Map(known.map((cell) => [keyOf(cell), { cell, colour: 0, optional: false }]));
    this.grid = new Grid({
      lattice,
      chosen: this.chosen,
      look: () => ({ fill: "var(--filled)", label: "filled" }),
      paint: () => ({ colour: 0, optional: false }),
      same: () => true,
      changed: () => this.changed(),
      name: "shape",
    });
    this.changed();
  }

  /** Ask anew, a moment after the last change. */
  changed() {
    clearTimeout(this.timer);
    this.panel.leave();
    this.found = null;
    this.draw();
    if (this.element.hidden) return; // another page was opened meanwhile
    history.replaceState(history.state, "", this.address());
    if (this.chosen.size) this.timer = setTimeout(() => this.panel.start(), PAUSE);
  }

  address() {
    const cells = [...this.chosen.keys()].sort().join(" ");
    return `#${[PLANE, this.lattice?.name ?? FIRST, ...(cells ? [cells] : [])].map(encodeURIComponent).join("/")}`;
  }

  job() {
    const cells = [...this.chosen.values()].map(({ cell }) => cell);
    const { name: lattice, oneSided } = this;
    return /** @type {Job} */ ({ task: "plane", lattice, cells, one_sided: oneSided, seconds: SECONDS });
  }

  /** @param {Standing} standing */
  told({ id, kept, stage, text, summary }) {
    if (!kept) return;
    const picture = api.runPicture(id, kept - 1);
    const lines = [...(text ?? "").split("\n").slice(1), summary?.tiling ? TILING : CORONAS];
    this.found = { picture, stage: picture === this.found?.picture ? this.found.stage : stage, lines };
    this.draw();
  }
}
