// Shaping a region or a part: its layers, the same in space, and tools that move and change all of it at once.

import { choice, el, field, fill, number } from "./elements.js";
import { cellsOfBox, keyOf } from "./geometry.js";
import { Grid, MOST } from "./grid.js";
import { copyIcon, mirrorIcon, shiftIcon, turnIcon } from "./icons.js";
import { back, groupAbout, image, lift, middleOf, moved, shifted } from "./motions.js";

const narrow = () => matchMedia("(max-width: 36rem)").matches;
const unfolded = { region: false, part: false }; // where tools are shown; they are made only then, as there are many
let open = null; // {name, view}: the shape that is seen in space, one at a time, since browsers bear few such pictures

/**
 * A shape that can be edited. Takes what a grid takes, and `solid`: how filled cells look in space, look(entry) =>
 * {fill, faint}; `tinted`: whether filled cells differ, so that there is something to paint; `still`: why cells cannot be
 * moved, if they cannot; `moving(image)` is told where a tool takes each cell, before it does. changed() is called after
 * every change, once for each use of a tool.
 */
export class Shaping {
  constructor(how) {
    Object.assign(this, how);
    this.period = how.period ?? this.lattice.basis.map(() => 0);
    this.round = this.period.some(Boolean);
    this.images = null; // of a change, where one draws symmetrically
    this.grid = new Grid({
      ...how,
      put: (cell, entry) => this.put(cell, entry),
      changed: () => this.settle(),
      copy: this.lattice.space && !this.round ? (cells, by) => this.copyButton(cells, by) : null,
    });
    this.place = el("div", { class: "in-space", hidden: true });
    this.element = el("div", { class: "shaping" },
      this.heads(),
      el("div", { class: "both" }, this.place, this.grid.element)); // what grows stands last, so that the other stays put
    if (open?.name === how.name && this.lattice.space) this.showSpace(); // it was drawn anew
  }

  /** Show the shape after a change from elsewhere. */
  draw() {
    this.centre();
    this.grid.draw();
    this.view?.draw();
  }

  refocus() {
    this.grid.refocus();
  }

  widen() {
    this.grid.widen();
  }

  // Changes

  /** Fill a cell, or empty it; and its images, where one draws symmetrically. */
  put(cell, entry) {
    const touched = new Map([cell, ...(this.images ?? []).map((motion) => image(motion, cell))].map((one) => {
      const home = this.home(one);
      return [keyOf(home), home];
    }));
    for (const [key, one] of touched) {
      if (entry) this.chosen.set(key, { ...entry, cell: one });
      else this.chosen.delete(key);
    }
    this.grid.update(touched.values());
    this.view?.draw();
  }

  /** The cell that is meant where axes close on themselves. */
  home([node, ...x]) {
    return [node, ...x.map((value, axis) => (this.period[axis] ? ((value % this.period[axis]) + this.period[axis]) % this.period[axis] : value))];
  }

  /** A change is done. */
  settle() {
    this.changed();
  }

  /** The same for changes that were not made in the layers. */
  done() {
    this.grid.grow();
    this.settle();
  }

  /** Put entries in place of all; one step that can be taken back. */
  replace(entries) {
    this.chosen.clear();
    for (const entry of entries) {
      const cell = this.home(entry.cell);
      this.chosen.set(keyOf(cell), { ...entry, cell });
    }
    this.draw();
    this.settle();
  }

  entries() {
    return [...this.chosen.values()];
  }

  move(motion) {
    const entries = this.entries();
    const cells = moved(this.lattice, motion, entries.map((entry) => entry.cell));
    if (entries.length) {
      const [, ...first] = image(motion, entries[0].cell);
      const step = first.map((x, axis) => cells[0][axis + 1] - x);
      this.moving?.((cell) => shifted(image(motion, cell), step));
    }
    this.replace(entries.map((entry, k) => ({ ...entry, cell: cells[k] })));
  }

  shift(step) {
    this.moving?.((cell) => shifted(cell, step));
    this.replace(this.entries().map((entry) => ({ ...entry, cell: shifted(entry.cell, step) })));
  }

  /** Copy what is filled of a layer to the one above or below. */
  copyLayer(cells, by) {
    const step = lift(this.lattice).map((x) => by * x);
    const copied = cells.map((cell) => this.chosen.get(keyOf(cell))).filter(Boolean);
    this.replace([...this.entries(), ...copied.map((entry) => ({ ...entry, cell: shifted(entry.cell, step) }))]);
  }

  /** Says what is wrong with the lengths; nothing where the box was made. */
  makeBox(lengths) {
    const { basis, nodes } = this.lattice;
    if (lengths.length !== basis.length || !lengths.every((length) => length > 0)) return `give ${basis.length} lengths, such as ${basis.map(() => 4).join(" ")}`;
    const most = lengths.reduce((n, length) => n * (length + 2), nodes.length); // with the room around it
    if (most > MOST) return `this box is too large to be shown here; ${number(MOST)} cells can be, with those around it`;
    const paint = this.paint();
    const cells = cellsOfBox(this.lattice, lengths.map(() => 0), lengths.map((length) => length - 1));
    this.grid.room = 1;
    this.replace(cells.map((cell) => ({ ...paint, cell, optional: this.regional ? paint.optional || Boolean(nodes[cell[0]].secondary) : paint.optional })));
    return "";
  }

  // The tools

  /** What stands above the shape: how to see it, and its tools, which can be folded away. */
  heads() {
    const kind = this.regional ? "region" : "part";
    const bar = el("div", { class: "tools", role: "group", "aria-label": `Tools for ${this.name}` });
    const show = (open) => {
      unfolded[kind] = open;
      if (open && !bar.childElementCount) fill(bar, this.tools());
      bar.hidden = !open;
      unfold.setAttribute("aria-expanded", String(open));
    };
    const unfold = el("button", { type: "button", class: "view", onclick: () => show(bar.hidden) }, "Tools");
    show(unfolded[kind]);
    return el("div", { class: "heads" }, this.lattice.space ? this.spaceButton() : null, unfold, this.regional && !narrow() ? this.plainTools() : null, bar);
  }

  tools() {
    const { lattice } = this;
    const groups = [];
    if (!this.round && !this.still) {
      const main = lattice.moves.filter((motion) => motion.main);
      groups.push(["Turn", main.filter(({ kind }) => kind === "turn").flatMap((motion) => this.turnButtons(motion))]);
      groups.push(["Mirror", main.filter(({ kind }) => kind !== "turn").map((motion) => this.motionButton(motion))]);
    }
    if (!this.still) {
      const ways = lattice.basis.flatMap((row, axis) => [1, -1].map((sign) => ({ axis, sign, way: [0, 1, 2].map((k) => sign * (row[k] ?? 0)) })));
      groups.push(["Shift", ways.map((way) => this.shiftButton(way))]);
    }
    const others = this.round || this.still ? [] : lattice.moves.filter((motion) => !motion.main);
    const buttons = groups.filter(([, all]) => all.length).map(([words, all]) =>
      el("span", { class: "group", role: "group", "aria-label": words }, el("span", { class: "name", "aria-hidden": "true" }, words), all));
    return [
      ...buttons,
      others.length ? this.moreMotions(others) : null,
      this.round ? null : this.symmetry(),
      this.still ? el("p", { class: "hint" }, this.still) : null,
      this.regional && !narrow() ? null : this.plainTools(),
    ];
  }

  /** Tools that every shape has. */
  plainTools() {
    return el("span", { class: "group" }, this.boxTool(), el("button", { type: "button", onclick: () => this.widen() }, "More room"),
      el("button", { type: "button", onclick: () => this.replace([]) }, "Clear"));
  }

  iconButton(picture, words, act) {
    return el("button", { type: "button", class: "icon", title: words, "aria-label": words, onclick: act }, picture);
  }

  turnButtons(motion) {
    const { space } = this.lattice;
    const half = isOwnBack(motion);
    return (half ? [true] : [true, false]).map((left) => this.iconButton(turnIcon(space, motion.axis, left),
      half ? motion.name : `${motion.name}, to the ${left ? "left" : "right"}`, () => this.move(left ? motion : back(motion))));
  }

  motionButton(motion) {
    if (motion.kind === "mirror") return this.iconButton(mirrorIcon(this.lattice.space, motion.axis), motion.name, () => this.move(motion));
    return el("button", { type: "button", onclick: () => this.move(motion) }, motion.name);
  }

  shiftButton({ axis, sign, way }) {
    const step = this.lattice.basis.map((_, k) => (k === axis ? sign : 0));
    return this.iconButton(shiftIcon(this.lattice.space, way), `shift by ${step.join(", ")}`, () => this.shift(step));
  }

  copyButton(cells, by) {
    const words = `copy this layer to the one ${by > 0 ? "above" : "below"}`;
    return this.iconButton(copyIcon(by > 0), words, () => this.copyLayer(cells, by));
  }

  /** The other motions, by name. */
  moreMotions(others) {
    const options = [["", "another motion…"], ...others.map(({ name }, k) => [String(k), name])];
    const select = choice(options, "", (value) => {
      if (value) this.move(others[Number(value)]);
      select.value = "";
    });
    select.setAttribute("aria-label", "another motion");
    return select;
  }

  /** A choice of the symmetry in which is drawn: each change is then made at all images. */
  symmetry() {
    const { moves } = this.lattice;
    const main = moves.filter((motion) => motion.main);
    const rest = moves.filter((motion) => !motion.main);
    const sets = [["none", []], ...main.map((motion) => [motion.name, [motion]]), ["all turns", moves.filter(({ kind }) => kind === "turn")],
      ["all turns and mirrors", moves.filter(({ kind }) => kind !== "other")], ...rest.map((motion) => [motion.name, [motion]])];
    this.generators = [];
    const select = choice(sets.map(([name], k) => [String(k), name]), "0", (value) => {
      this.generators = sets[Number(value)][1];
      const fits = this.centre();
      if (!fits) select.value = "0";
      select.setCustomValidity(fits ? "" : "this lattice has no centre near the middle for this symmetry");
      select.reportValidity();
      this.grid.redraw();
    });
    return field("draw with symmetry", select, "each change is made at all images about the cross");
  }

  /** Find the centre of the symmetry; says whether there is one. */
  centre() {
    const about = this.generators?.length ? groupAbout(this.lattice, this.generators, middleOf(this.lattice, this.entries().map((entry) => entry.cell))) : null;
    const fits = Boolean(about) || !this.generators?.length;
    if (!fits) this.generators = [];
    this.images = about?.motions ?? null;
    this.grid.centre = about?.centre ?? null;
    return fits;
  }

  /** Make it a box at once; not where it goes round, as its lengths are then those of the file. */
  boxTool() {
    if (this.round) return null;
    const sizes = el("input", { class: "short", placeholder: this.lattice.basis.map(() => 4).join(" "), "aria-label": "lengths of the box" });
    const make = () => {
      const fault = this.makeBox(sizes.value.split(/[\s,x×]+/).filter(Boolean).map((word) => (/^\d+$/.test(word) ? Number(word) : NaN)));
      sizes.setCustomValidity(fault);
      sizes.reportValidity();
    };
    sizes.addEventListener("input", () => sizes.setCustomValidity(""));
    sizes.addEventListener("keydown", (event) => event.key === "Enter" && make());
    return el("span", { class: "pair" }, sizes, el("button", { type: "button", onclick: make }, "Make it a box"));
  }

  // In space

  spaceButton() {
    const toggle = () => (this.view ? this.hideSpace() : this.showSpace());
    this.switch = el("button", { type: "button", class: "view", "aria-pressed": "false", onclick: toggle }, "In space");
    return this.switch;
  }

  /** Show the shape in space; what draws it is large, and comes when it is asked for. */
  async showSpace() {
    const seen = open;
    if (seen && seen.name !== this.name) seen.shaping.hideSpace();
    else seen?.shaping.view?.dispose(); // the same shape, as it was before it was drawn anew
    const same = seen?.name === this.name && seen.lattice === this.lattice;
    open = { ...(same ? seen : {}), name: this.name, lattice: this.lattice, shaping: this };
    const mine = open;
    this.place.hidden = false;
    this.switch?.setAttribute("aria-pressed", "true");
    const { SpaceEditor } = await import("./space_editor.js");
    if (open !== mine) return;
    this.view = new SpaceEditor(this, mine);
    fill(this.place, this.view.element);
    this.view.begin();
  }

  hideSpace() {
    this.view?.dispose();
    this.view = null;
    if (open?.shaping === this) open = null;
    this.place.hidden = true;
    fill(this.place);
    this.switch?.setAttribute("aria-pressed", "false");
  }
}

/** Whether a motion done twice moves nothing: then left and right are the same. */
function isOwnBack(motion) {
  return back(motion) === motion;
}
