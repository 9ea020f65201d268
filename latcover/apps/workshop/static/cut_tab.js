// The tab that cuts the region at random into parts, until a cut is found whose parts fit together in only one way.

import { Fault } from "./faults.js";
import * as api from "./page_api.js";
import { countSolutions, partsOf, randomCut } from "./cutting.js";
import { dom, fill } from "./dom.js";
import { counted } from "./elements.js";
import { LazyEngine } from "./engine_room.js";
import { keyOf } from "./geometry.js";
import { coloursOf } from "./looks.js";
import { pageData } from "./page_data.js";
import { DesignFault } from "./placing.js";
import { Whole } from "./panels.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { h, render } from "./preact.js";
import { replayFaults } from "./replay.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";

/** @import { Model } from "./model.js" */
/** @import { Design, WorkshopLattice } from "./workshop_types.js" */

const MOST_PARTS = 20;
const MOST_WAYS = 100; // in which the parts of a cut fit together: others are passed over
const LIKELY = 5; // cells of a part, if nobody says how many parts there are to be
const MOST_POSITIONS = 300_000; // when a cut is taken apart

/** A cut, and how many solutions its puzzle has. @typedef {{ design: Design, different: number }} Cut */

export class CutTab {
  /**
   * `taken()` is called when the parts of a cut were put into the puzzle.
   * @param {Model} model @param {HTMLElement} element @param {() => unknown} taken
   */
  constructor(model, element, taken) {
    this.model = model;
    this.taken = taken;
    this.many = 0;
    this.running = false;
    this.engine = new LazyEngine();
    /** @type {Cut | null} */
    this.best = null;
    this.words = dom("p", { class: "headline", role: "status" });
    this.figures = dom("p", { class: "figures" });
    this.start = dom("button", { type: "button", class: "main", onclick: () => this.begin() }, "Cut the region");
    this.end = dom("button", { type: "button", hidden: true, onclick: () => this.stop() }, "Stop");
    this.input = dom("span", {});
    this.shown = dom("div", {});
    model.addEventListener("loaded", () => this.clear());
    fill(
      element,
      dom(
        "p",
        { class: "hint" },
        "Cuts the region at random into connected parts, and counts in how many ways they fit together. It ends with a cut that has one ",
        "solution; in space only if that comes apart.",
      ),
      dom("div", { class: "row" }, this.input, this.start, this.end),
      this.words,
      this.figures,
      this.shown,
    );
  }

  /** The page is shown: the region may have changed. */
  show() {
    if (this.running) return;
    const cells = this.model.region.size;
    this.many ||= Math.max(2, Math.min(MOST_PARTS, Math.round(cells / LIKELY)));
    const set = (/** @type {number | null} */ value) => {
      this.many = value ?? this.many;
      this.show();
    };
    render(
      h(Whole, { label: "number of parts", value: this.many, bounds: { min: 2, max: MOST_PARTS }, set }),
      this.input,
    );
  }

  /** Another puzzle is open. */
  clear() {
    this.stop();
    this.best = null;
    this.many = 0;
    for (const element of [this.words, this.figures, this.shown]) fill(element);
  }

  /** Whether the parts of a cut fit together in only one way. */
  get isFound() {
    return this.best?.different === 1;
  }

  stop() {
    this.running = false;
    this.engine.close();
  }

  async begin() {
    const { design, lattice } = await api.open(this.model.subject());
    this.running = true;
    this.best = null;
    this.start.hidden = true;
    this.end.hidden = false;
    this.end.focus();
    fill(this.shown);
    this.tell("Cutting …", 0);
    let tried = 0;
    try {
      for (; this.running && !this.isFound; tried += 1) {
        await this.attempt(lattice, design);
        this.tell("Cutting …", tried + 1);
      }
    } catch (fault) {
      if (!(fault instanceof Fault || fault instanceof DesignFault)) throw fault;
      this.best = null;
      this.tell(fault.message, tried);
      return;
    } finally {
      const focused = document.activeElement === this.end;
      this.running = false;
      this.end.hidden = true;
      this.start.hidden = false;
      if (focused) this.start.focus();
    }
    this.tell(this.best ? "" : "Stopped before a cut was found.", tried);
    if (this.best) this.draw(lattice, this.best);
  }

  /**
   * One cut: it is kept if its parts fit together in fewer ways than those before.
   * @param {WorkshopLattice} lattice @param {Design} design
   */
  async attempt(lattice, design) {
    const { cells } = design.region;
    if (lattice.nodes.some(({ secondary }) => secondary))
      throw new Fault("Sticks are not cut here: their parts may cross. latcover on your machine cuts them.");
    if (this.many > cells.length) throw new Fault(`The region has fewer cells than ${counted(this.many, "part")}.`);
    const pieces = randomCut(lattice, cells, this.many, Math.random);
    if (!pieces) throw new Fault("The region lies in pieces that do not touch, so it is not cut into connected parts.");
    const region = { cells, optional: cells.map(() => false), max_empty: null };
    const { name, title } = design;
    const cut = { name, title, region, parts: partsOf(lattice, pieces) };
    const most = this.best ? this.best.different - 1 : MOST_WAYS;
    const told = await this.counted(() => countSolutions(lattice, cut, this.engine, most));
    if (!told || told.different > most) return;
    if (!told.found) throw new Error("the search does not find the cut itself");
    if (told.different === 1) {
      const all = await this.counted(() => countSolutions(lattice, cut, this.engine, told.total, "none"));
      if (!all) return;
      if (all.total !== told.total) throw new Error("two counts of a cut differ");
    }
    if (await this.counted(() => this.comesApart(lattice, cut, told.found)))
      this.best = { design: cut, different: told.different };
  }

  /**
   * What takes time in the engine; null if it was stopped meanwhile.
   * @template T @param {() => Promise<T>} work @returns {Promise<T | null>}
   */
  async counted(work) {
    try {
      const told = await work();
      return this.running ? told : null;
    } catch (error) {
      if (this.running) throw error;
      return null; // the engine was closed
    }
  }

  /**
   * Whether a solution comes apart, where parts slide; the plan is checked move by move.
   * @param {WorkshopLattice} lattice @param {Design} design @param {Int32Array | null} options
   */
  async comesApart(lattice, design, options) {
    if (!lattice.slides || !options) return true;
    const { puzzle, apart } = pageData(lattice, globalThis.latcoverWorkshop.looks, design);
    if (!apart) return true;
    const pieces = Array.from(options);
    const plan = await this.engine.takeApart(apart.geometry, { pieces, states: MOST_POSITIONS }, {});
    const [fault] = replayFaults(apart, new PlayPuzzle(puzzle), pieces, plan);
    if (fault) throw new Error(`a plan fails its check: ${fault}`);
    return plan.result === "apart";
  }

  /** @param {string} words @param {number} tried */
  tell(words, tried) {
    const { best } = this;
    const ways = best && (best.different === 1 ? "in only one way" : `in ${counted(best.different, "way")}`);
    this.words.textContent = words || `The parts of this cut fit together ${ways}.`;
    const least = this.running && best ? ` · fewest solutions so far: ${best.different}` : "";
    this.figures.textContent = tried ? `${counted(tried, "cut")} tried${least}` : "";
  }

  /** @param {WorkshopLattice} lattice @param {Cut} cut */
  draw(lattice, { design }) {
    const { parts } = design;
    const colours = coloursOf(globalThis.latcoverWorkshop.looks, parts);
    const scale = thumbnailScale(
      lattice,
      parts.map(({ cells }) => cells),
    );
    const pictures = parts.map(({ name, cells, low }, k) =>
      dom(
        "li",
        {},
        dom(
          "span",
          { class: "mini" },
          thumbnail(lattice, cells, () => colours[k], scale),
        ),
        dom("span", {}, low > 1 ? `${name} × ${low}` : name),
      ),
    );
    const take = dom("button", { type: "button", class: "main", onclick: () => this.take(design) }, "Take these parts");
    const hint = "They take the place of the parts of this puzzle; Undo brings these back.";
    fill(
      this.shown,
      dom("ul", { class: "cut" }, pictures),
      dom("div", { class: "row" }, take, dom("span", { class: "hint" }, hint)),
    );
  }

  /** @param {Design} design */
  take({ region, parts }) {
    const { model } = this;
    const cells = new Set(region.cells.map(keyOf));
    for (const entry of model.region.values()) entry.optional = entry.optional && !cells.has(keyOf(entry.cell));
    model.fields.maxEmpty = null;
    model.removed(() => true);
    for (const { name, cells: own, low, high } of parts) {
      const part = model.added();
      Object.assign(part, { name, low, high });
      part.cells = new Map(own.map((cell) => [keyOf(cell), { cell, colour: 0, optional: false }]));
    }
    model.refresh();
    this.taken();
  }
}
