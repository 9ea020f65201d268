// Edits the shape of a region or a part: its layers, a view of it in space, and what moves or changes the whole shape.

import { dom, fill } from "./dom.js";
import { number } from "./elements.js";
import { layerOf } from "./field.js";
import { cellsOfBox, keyOf } from "./geometry.js";
import { Grid } from "./grid.js";
import { groupAbout, image, lift, middleOf, moved, shifted } from "./motions.js";
import { homeIn } from "./period.js";
import { render } from "./preact.js";
import { copyButtons, deeds } from "./shaping_tools.js";

/** @import { SpaceEditor } from "./space_editor.js" */
/** @import { Cell, Entry, Filling, Motion, ShapeOptions } from "./web_types.js" */

const MOST = 20000; // cells of a box
/** @type {Shaping | null} */
let open = null; // the shape shown in 3D, one at a time, because browsers limit WebGL contexts
let inSpace = true; // whether shapes in space are seen in 3D: the button of any of them says it for all

/**
 * An editable shape. Takes the options of a grid, and `solid`: the look of filled cells in 3D, look(entry) =>
 * {fill, faint}; `tinted`: whether filled cells can differ, so that painting makes sense; `moving(image)` is told where a
 * tool takes each cell, before it does. changed() is called after every change, once for each use of a tool.
 */
export class Shaping {
  /** @type {SpaceEditor | null} */
  view = null;
  /** @type {Motion[]} */
  generators = []; // of the symmetry used for drawing
  /** @type {Motion[] | null} */
  images = null; // of a change, when drawing with symmetry
  redraw = () => {}; // the tools, which set it

  /** @param {ShapeOptions} how */
  constructor(how) {
    this.how = how;
    this.lattice = how.lattice;
    this.chosen = how.chosen;
    this.changed = how.changed;
    const { period = this.lattice.basis.map(() => 0) } = how;
    this.round = period.some(Boolean);
    this.home = homeIn(period);
    this.grid = new Grid({
      ...how,
      put: (cell, entry) => this.put(cell, entry),
      replace: (entries) => this.replace(entries),
      extras: () => {
        const place = dom("span", { class: "group" });
        if (!this.round) render(copyButtons(this), place);
        return place;
      },
    });
    this.grid.tellSelection = () => this.drawSelection();
    this.place = dom("div", { class: "in-space", hidden: true });
    this.deeds = dom("span", { class: "deeds", role: "group", "aria-label": "The selected cells" });
    this.grid.window.append(this.deeds); // upon the canvas, which must not move when they appear
  }

  /** The shape has come into the page: a shape in space is shown in 3D, unless somebody wants the layers alone. */
  appear() {
    if (this.lattice.space && inSpace && !this.view) this.showSpace();
  }

  /** Show the shape after a change from elsewhere. */
  draw() {
    this.centre();
    this.grid.draw();
    this.view?.draw();
  }

  // Changes

  /**
   * Fill or empty a cell, and its images when drawing with symmetry.
   * @param {Cell} cell @param {Filling | null} entry
   */
  put(cell, entry) {
    const touched = [cell, ...(this.images ?? []).map((motion) => image(motion, cell))].map(this.home);
    for (const one of touched) {
      if (entry) this.chosen.set(keyOf(one), { ...entry, cell: one });
      else this.chosen.delete(keyOf(one));
    }
    this.grid.kept.used = true;
    this.grid.update(touched);
    this.view?.draw();
  }

  /** Replace all entries, as one step that can be undone. @param {Entry[]} entries */
  replace(entries) {
    this.chosen.clear();
    for (const entry of entries) {
      const cell = this.home(entry.cell);
      this.chosen.set(keyOf(cell), { ...entry, cell });
    }
    this.draw();
    this.changed();
  }

  entries() {
    return [...this.chosen.values()];
  }

  cells() {
    return this.entries().map(({ cell }) => cell);
  }

  /** @param {Motion} motion */
  move(motion) {
    const entries = this.entries();
    const cells = moved(this.lattice, motion, this.cells());
    if (entries.length) {
      const [, ...first] = image(motion, entries[0].cell);
      const step = first.map((x, axis) => cells[0][axis + 1] - x);
      this.how.moving?.((cell) => shifted(image(motion, cell), step));
    }
    this.replace(entries.map((entry, k) => ({ ...entry, cell: cells[k] })));
    this.grid.comprise();
  }

  /** @param {number[]} step */
  shift(step) {
    this.how.moving?.((cell) => shifted(cell, step));
    this.replace(this.entries().map((entry) => ({ ...entry, cell: shifted(entry.cell, step) })));
    this.grid.comprise();
  }

  /** Copy the filled cells of the layer to the one above or below, and show that. @param {number} by */
  copyLayer(by) {
    const step = (lift(this.lattice) ?? []).map((x) => by * x);
    const copied = this.grid.here().map((entry) => ({ ...entry, cell: shifted(entry.cell, step) }));
    this.replace([...this.entries(), ...copied]);
    if (copied.length) this.grid.turnTo(layerOf(this.lattice, copied[0].cell));
  }

  /** Make a box. Returns what is wrong with the lengths, or nothing. @param {number[]} lengths */
  makeBox(lengths) {
    const { basis, nodes } = this.lattice;
    if (lengths.length !== basis.length || !lengths.every((length) => length > 0))
      return `give ${basis.length} lengths, such as ${basis.map(() => 4).join(" ")}`;
    const many = lengths.reduce((n, length) => n * length, nodes.length);
    if (many > MOST) return `this box has ${number(many)} cells; at most ${number(MOST)} can be drawn here`;
    const paint = this.how.paint();
    const [low, high] = [lengths.map(() => 0), lengths.map((length) => length - 1)];
    const isFree = (/** @type {Cell} */ [node]) => paint.optional || (this.how.regional && nodes[node].secondary);
    const cells = cellsOfBox(this.lattice, low, high);
    this.replace(cells.map((cell) => ({ ...paint, cell, optional: Boolean(isFree(cell)) })));
    this.grid.comprise();
    return "";
  }

  /** Find the centre of the symmetry. Returns whether there is one. */
  centre() {
    const about = this.generators.length
      ? groupAbout(this.lattice, this.generators, middleOf(this.lattice, this.cells()))
      : null;
    const fits = Boolean(about) || !this.generators.length;
    if (!fits) this.generators = [];
    this.images = about?.motions ?? null;
    this.grid.about = about;
    return fits;
  }

  /** What can be done with the selection. */
  drawSelection() {
    render(deeds(this), this.deeds);
    this.redraw();
  }

  // In space

  toggleSpace() {
    this.grid.kept.used = false; // the canvas gets another size: show all
    inSpace = !this.view;
    return this.view ? this.hideSpace() : this.showSpace();
  }

  /** Show the shape in 3D; the large 3D code is loaded on demand. */
  async showSpace() {
    open?.hideSpace();
    open = this;
    this.place.hidden = false;
    const { SpaceEditor } = await import("./space_editor.js");
    if (open !== this || this.view) return;
    this.view = new SpaceEditor(this, (this.grid.kept.space ??= {}));
    fill(this.place, this.view.element);
    this.redraw();
    this.view.begin();
  }

  hideSpace() {
    this.view?.dispose();
    this.view = null;
    if (open === this) open = null;
    this.place.hidden = true;
    fill(this.place);
    this.redraw();
  }
}
