// The page "Plane": somebody draws a shape, and sees whether it tiles the plane. It needs no puzzle.

import { PLANE } from "./address.js";
import { dom, fill } from "./dom.js";
import { field, showFault } from "./elements.js";
import { keyOf } from "./geometry.js";
import { Grid } from "./grid.js";
import { host as api } from "./host.js";
import { askLattice } from "./lattice_choice.js";
import { blank } from "./model.js";
import { RunPanel } from "./run.js";

/** @import { Cell, Entry, Job, Lattice, Standing } from "./web_types.js" */

const PAUSE = 400; // milliseconds after a change until the server is asked
const SECONDS = 120;
const FIRST = "square";

export class Plane {
  /** @type {Map<string, Entry>} */
  chosen = new Map();
  /** @type {Lattice | undefined} */ lattice;
  /** @type {Grid | undefined} */ grid;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;
  pictured = 0; // how many pictures of the run there were

  /** @param {HTMLElement} element @param {{ lattices: { name: string, title: string, plane: boolean }[] }} about */
  constructor(element, about) {
    this.element = element;
    this.lattices = about.lattices.filter(({ plane }) => plane);
    this.name = FIRST;
    this.select = dom("button", { type: "button", class: "lattice", onclick: () => this.choose() });
    this.sided = dom("input", { type: "checkbox", onchange: () => this.changed() });
    this.place = dom("div", { class: "drawn" });
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
    this.fault = dom("div", { class: "faults", role: "alert", hidden: true });
    this.picture = dom("img", { alt: "" });
    this.more = dom("p", { class: "hint" });
    this.save = dom("a", { class: "button", download: "plane.svg" }, "Save the picture");
    this.ahead = dom(
      "p",
      { class: "hint" },
      "What the shape does appears here: a tiling, or how often it can be surrounded.",
    );
    this.found = dom("figure", { class: "found", hidden: true }, this.picture, this.more, this.save);
    fill(
      element,
      dom("h2", {}, "Does it tile the plane?"),
      dom("p", { class: "hint" }, "Draw a shape: click cells, or draw across them. The answer follows by itself."),
      dom(
        "div",
        { class: "plane" },
        dom(
          "section",
          { "aria-label": "The shape" },
          dom(
            "div",
            { class: "row" },
            this.select,
            field("do not turn over", this.sided, "copies may be rotated, but not reflected"),
            dom("button", { type: "button", onclick: () => this.take(this.name, []) }, "Clear"),
          ),
          this.fault,
          this.place,
        ),
        dom("section", { "aria-label": "What it does" }, this.ahead, this.panel.element, this.found),
      ),
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
    showFault(this.fault, null);
    this.name = name;
    fill(this.select, dom("img", { src: api.latticePicture(name), alt: "", width: 30, height: 24 }), `on ${name} …`);
    try {
      if (this.lattice?.name !== name) this.lattice = (await blank(name, 2, "shape")).lattice;
    } catch (fault) {
      showFault(this.fault, /** @type {Error} */ (fault));
      return;
    }
    const { nodes } = /** @type {Lattice} */ (this.lattice);
    const known = cells.filter(([node]) => node >= 0 && node < nodes.length);
    this.chosen = new Map(known.map((cell) => [keyOf(cell), { cell, colour: 0, optional: false }]));
    this.grid = new Grid({
      lattice: /** @type {Lattice} */ (this.lattice),
      chosen: this.chosen,
      look: () => ({ fill: "var(--filled)", label: "filled" }),
      paint: () => ({ colour: 0, optional: false }),
      same: () => true,
      changed: () => this.changed(),
      name: "shape",
    });
    fill(this.place, this.grid.element);
    this.changed();
  }

  /** Ask anew, a moment after the last change. */
  changed() {
    clearTimeout(this.timer);
    this.panel.leave();
    this.found.hidden = true;
    this.panel.element.hidden = this.chosen.size === 0;
    this.ahead.hidden = this.chosen.size > 0;
    if (this.element.hidden) return; // another page was opened meanwhile
    history.replaceState(history.state, "", this.address());
    if (this.chosen.size) this.timer = setTimeout(() => this.panel.start(), PAUSE);
  }

  address() {
    const cells = [...this.chosen.keys()].sort().join(" ");
    return `#${[PLANE, this.lattice?.name ?? FIRST, ...(cells ? [cells] : [])].map(encodeURIComponent).join("/")}`;
  }

  job() {
    this.pictured = 0;
    const cells = [...this.chosen.values()].map(({ cell }) => cell);
    return /** @type {Job} */ ({
      task: "plane",
      lattice: this.name,
      cells,
      one_sided: this.sided.checked,
      seconds: SECONDS,
    });
  }

  /** @param {Standing} standing */
  told({ id, kept, stage, text, summary }) {
    if (kept > this.pictured) {
      this.pictured = kept;
      this.picture.src = this.save.href = api.runPicture(id, kept - 1);
      this.picture.alt = stage;
      this.found.hidden = false;
    }
    const lines = (text ?? "").split("\n").slice(1);
    const colours = summary?.tiling
      ? "One period stands in full colours, the rest is paler. Each class of tiles has its colour, and each way to turn it a shade."
      : "Each corona has a colour, from the middle outwards.";
    fill(
      this.more,
      [...lines, colours].map((line) => dom("span", {}, line)),
    );
  }
}
