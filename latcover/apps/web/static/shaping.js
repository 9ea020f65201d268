// Edits the shape of a region or a part: layers, a 3D view, and tools that move or change the whole shape.

import { dom, fill } from "./dom.js";
import { choice, field, number } from "./elements.js";
import { layerOf } from "./field.js";
import { cellsOfBox, keyOf } from "./geometry.js";
import { Grid } from "./grid.js";
import { TOOLS } from "./hands.js";
import { copyIcon, mirrorIcon, shiftIcon, toolIcon, turnIcon } from "./icons.js";
import { back, groupAbout, image, lift, middleOf, moved, shifted } from "./motions.js";
import { homeIn } from "./period.js";

/** @import { SpaceEditor } from "./space_editor.js" */
/** @import { Cell, Entry, Filling, Lattice, Motion, ShapeOptions } from "./web_types.js" */
/** @import { MotionData } from "./server_types.js" */
/** @import { Child } from "./dom.js" */

const MOST = 20000; // cells of a box
const unfolded = { region: false, part: false }; // where tools are open; they are made on demand, because there are many
/** @type {{ shaping: Shaping } | null} */
let open = null; // the shape shown in 3D, one at a time, because browsers limit WebGL contexts
let inSpace = true; // whether shapes in space are seen in 3D: the button of any of them says it for all

/**
 * An editable shape. Takes the options of a grid, and `solid`: the look of filled cells in 3D, look(entry) =>
 * {fill, faint}; `tinted`: whether filled cells can differ, so that painting makes sense; `still`: why cells cannot be
 * moved, if they cannot; `moving(image)` is told where a tool takes each cell, before it does. changed() is called after
 * every change, once for each use of a tool.
 */
export class Shaping {
  /** @type {SpaceEditor | null} */
  view;
  /** @type {HTMLButtonElement} */ switch;
  /** @type {Motion[]} */
  generators; // of the symmetry used for drawing

  /** @param {ShapeOptions} how */
  constructor(how) {
    this.lattice = how.lattice;
    this.chosen = how.chosen;
    this.name = how.name;
    this.regional = how.regional ?? false;
    this.tinted = how.tinted ?? false;
    this.still = how.still;
    this.look = how.look;
    this.solid = how.solid;
    this.paint = how.paint;
    this.same = how.same;
    this.moving = how.moving;
    this.changed = how.changed;
    this.period = how.period ?? this.lattice.basis.map(() => 0);
    this.round = this.period.some(Boolean);
    this.homeOf = homeIn(this.period);
    /** @type {Motion[] | null} */
    this.images = null; // of a change, when drawing with symmetry
    this.grid = new Grid({
      ...how,
      put: (cell, entry) => this.put(cell, entry),
      replace: (entries) => this.replace(entries),
      changed: () => this.settle(),
      extras: () => (this.round ? [] : [1, -1].map((by) => this.copyButton(by))),
    });
    this.grid.tellSelection = () => this.drawSelection();
    this.place = dom("div", { class: "in-space", hidden: true });
    this.spaceTools = dom("span", {}); // what a click does in 3D
    this.deeds = dom("span", { class: "deeds", role: "group", "aria-label": "The selected cells" });
    this.grid.window.append(this.deeds); // upon the canvas, which must not move when they appear
    this.element = dom(
      "div",
      { class: "shaping" },
      this.heads(),
      dom("div", { class: "both" }, this.place, this.grid.element),
    );
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

  refocus() {
    this.grid.refocus();
  }

  // Changes

  /**
   * Fill or empty a cell, and its images when drawing with symmetry.
   * @param {Cell} cell @param {Filling | null} entry
   */
  put(cell, entry) {
    const touched = new Map(
      [cell, ...(this.images ?? []).map((motion) => image(motion, cell))].map((one) => {
        const home = this.home(one);
        return [keyOf(home), home];
      }),
    );
    for (const [key, one] of touched) {
      if (entry) this.chosen.set(key, { ...entry, cell: one });
      else this.chosen.delete(key);
    }
    this.grid.kept.used = true;
    this.grid.update(touched.values());
    this.view?.draw();
  }

  /** The same cell within the region where axes wrap around. @param {Cell} cell */
  home(cell) {
    return this.homeOf(cell);
  }

  /** Finish a change. */
  settle() {
    this.changed();
  }

  /** Finish a change that was not made in the layers. */
  done() {
    this.settle();
  }

  /** Replace all entries, as one step that can be undone. @param {Entry[]} entries */
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

  /** @param {Motion} motion */
  move(motion) {
    const entries = this.entries();
    const cells = moved(
      this.lattice,
      motion,
      entries.map((entry) => entry.cell),
    );
    if (entries.length) {
      const [, ...first] = image(motion, entries[0].cell);
      const step = first.map((x, axis) => cells[0][axis + 1] - x);
      this.moving?.((cell) => shifted(image(motion, cell), step));
    }
    this.replace(entries.map((entry, k) => ({ ...entry, cell: cells[k] })));
    this.grid.comprise();
  }

  /** @param {number[]} step */
  shift(step) {
    this.moving?.((cell) => shifted(cell, step));
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
    const paint = this.paint();
    const cells = cellsOfBox(
      this.lattice,
      lengths.map(() => 0),
      lengths.map((length) => length - 1),
    );
    this.replace(
      cells.map((cell) => ({
        ...paint,
        cell,
        optional: this.regional ? paint.optional || Boolean(nodes[cell[0]].secondary) : paint.optional,
      })),
    );
    this.grid.comprise();
    return "";
  }

  // The tools

  /** The bar above the shape: the view button, and the collapsible tools. */
  heads() {
    const kind = this.regional ? "region" : "part";
    const bar = dom("div", { class: "tools", role: "group", "aria-label": `Tools for ${this.name}` });
    /** @param {boolean} open */
    const show = (open) => {
      unfolded[kind] = open;
      if (open && !bar.childElementCount) fill(bar, this.tools());
      bar.hidden = !open;
      unfold.setAttribute("aria-expanded", String(open));
    };
    const unfold = dom("button", { type: "button", class: "view", onclick: () => show(Boolean(bar.hidden)) }, "Tools");
    show(unfolded[kind]);
    return dom(
      "div",
      { class: "heads" },
      this.hands(),
      this.windowButtons(),
      this.spaceTools,
      this.lattice.space ? this.spaceButton() : null,
      unfold,
      bar,
    );
  }

  /** What the pointer does. */
  hands() {
    const buttons = TOOLS.map(([name, text, about]) => {
      const choose = () => {
        this.grid.hands.tool = name;
        this.grid.picture.dataset.tool = name;
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.tool === name));
        if (name !== "select") this.grid.unselect();
        this.drawSelection();
      };
      const pressed = String(name === this.grid.hands.tool);
      const words = { title: `${text} (${about})`, "aria-label": text };
      return dom(
        "button",
        { type: "button", class: "icon view", "data-tool": name, "aria-pressed": pressed, ...words, onclick: choose },
        toolIcon(name),
      );
    });
    return dom("span", { class: "group", role: "group", "aria-label": "What the pointer does" }, buttons);
  }

  windowButtons() {
    /** @param {string} name @param {string} words @param {() => unknown} act */
    const button = (name, words, act) => this.iconButton(toolIcon(name), words, act);
    return dom(
      "span",
      { class: "group", role: "group", "aria-label": "View" },
      button("less", "zoom out (−)", () => this.zoom(1 / 1.4)),
      button("more", "zoom in (+)", () => this.zoom(1.4)),
      button("fit", "show all (0)", () => (this.grid.fit(), this.view?.home())),
    );
  }

  /** @param {number} factor */
  zoom(factor) {
    if (this.view) this.view.eye?.zoom(factor);
    else this.grid.zoom(factor);
  }

  /** What can be done with the selection. */
  drawSelection() {
    const { hands, selected } = this.grid;
    /** @param {string} text @param {string} keys @param {() => unknown} act */
    const button = (text, keys, act) =>
      dom("button", { type: "button", title: keys, onclick: () => (act(), this.grid.refocus()) }, text);
    const some = selected.size > 0 && !this.still;
    fill(
      this.deeds,
      some ? button("Copy", "Ctrl+C", () => hands.copy()) : null,
      hands.canPaste && !this.still && hands.tool === "select" ? button("Paste", "Ctrl+V", () => hands.paste()) : null,
      some ? button("Remove", "Delete", () => hands.remove()) : null,
    );
  }

  tools() {
    const { lattice } = this;
    /** @type {[string, HTMLElement[]][]} */ const groups = [];
    if (!this.round && !this.still) {
      const main = lattice.moves.filter((motion) => motion.main);
      groups.push(["Turn", main.filter(({ kind }) => kind === "turn").flatMap((motion) => this.turnButtons(motion))]);
      groups.push(["Mirror", main.filter(({ kind }) => kind !== "turn").map((motion) => this.motionButton(motion))]);
    }
    if (!this.still) {
      const ways = lattice.basis.flatMap((row, axis) =>
        [1, -1].map((sign) => ({ axis, sign, way: [0, 1, 2].map((k) => sign * (row[k] ?? 0)) })),
      );
      groups.push(["Shift", ways.map((way) => this.shiftButton(way))]);
    }
    const others = this.round || this.still ? [] : lattice.moves.filter((motion) => !motion.main);
    const buttons = groups
      .filter(([, all]) => all.length)
      .map(([words, all]) =>
        dom(
          "span",
          { class: "group", role: "group", "aria-label": words },
          dom("span", { class: "name", "aria-hidden": "true" }, words),
          all,
        ),
      );
    return [
      ...buttons,
      others.length ? this.moreMotions(others) : null,
      this.round ? null : this.symmetry(),
      this.still ? dom("p", { class: "hint" }, this.still) : null,
      this.regional ? null : this.plainTools(),
    ];
  }

  /** Tools that every shape has. */
  plainTools() {
    return dom(
      "span",
      { class: "group" },
      this.boxTool(),
      dom("button", { type: "button", onclick: () => this.replace([]) }, "Clear"),
    );
  }

  /** @param {Child} picture @param {string} words @param {() => unknown} act */
  iconButton(picture, words, act) {
    return dom("button", { type: "button", class: "icon", title: words, "aria-label": words, onclick: act }, picture);
  }

  /** @param {MotionData} motion */
  turnButtons(motion) {
    const { space } = this.lattice;
    const half = isOwnBack(motion);
    return (half ? [true] : [true, false]).map((left) =>
      this.iconButton(
        turnIcon(space, motion.axis, left),
        half ? motion.name : `${motion.name}, to the ${left ? "left" : "right"}`,
        () => this.move(left ? motion : back(motion)),
      ),
    );
  }

  /** @param {MotionData} motion */
  motionButton(motion) {
    if (motion.kind === "mirror")
      return this.iconButton(mirrorIcon(this.lattice.space, motion.axis), motion.name, () => this.move(motion));
    return dom("button", { type: "button", onclick: () => this.move(motion) }, motion.name);
  }

  /** @param {{ axis: number, sign: number, way: number[] }} how */
  shiftButton({ axis, sign, way }) {
    const step = this.lattice.basis.map((_, k) => (k === axis ? sign : 0));
    return this.iconButton(shiftIcon(this.lattice.space, way), `shift by ${step.join(", ")}`, () => this.shift(step));
  }

  /** @param {number} by */
  copyButton(by) {
    const words = `copy this layer to the one ${by > 0 ? "above" : "below"}`;
    return this.iconButton(copyIcon(by > 0), words, () => this.copyLayer(by));
  }

  /** The other motions, by name. @param {MotionData[]} others */
  moreMotions(others) {
    const options = [["", "another motion…"], ...others.map(({ name }, k) => [String(k), name])];
    const select = choice(options, "", (value) => {
      if (value) this.move(others[Number(value)]);
      select.value = "";
    });
    select.setAttribute("aria-label", "another motion");
    return select;
  }

  /** Choose the symmetry for drawing: each change is then made at all images. */
  symmetry() {
    const { moves } = this.lattice;
    const main = moves.filter((motion) => motion.main);
    const rest = moves.filter((motion) => !motion.main);
    /** @type {[string, Motion[]][]} */
    const sets = [
      ["none", []],
      ...main.map((motion) => /** @type {[string, Motion[]]} */ ([motion.name, [motion]])),
      ["all turns", moves.filter(({ kind }) => kind === "turn")],
      ["all rotations and reflections", moves.filter(({ kind }) => kind !== "other")],
      ...rest.map((motion) => /** @type {[string, Motion[]]} */ ([motion.name, [motion]])),
    ];
    this.generators = [];
    const select = choice(
      sets.map(([name], k) => [String(k), name]),
      "0",
      (value) => {
        this.generators = sets[Number(value)][1];
        const fits = this.centre();
        if (!fits) select.value = "0";
        select.setCustomValidity(fits ? "" : "this lattice has no centre near the middle for this symmetry");
        select.reportValidity();
        this.grid.redraw();
      },
    );
    return field("draw with symmetry", select, "each change is repeated at all images around the cross");
  }

  /** Find the centre of the symmetry. Returns whether there is one. */
  centre() {
    const about = this.generators?.length
      ? groupAbout(
          this.lattice,
          this.generators,
          middleOf(
            this.lattice,
            this.entries().map((entry) => entry.cell),
          ),
        )
      : null;
    const fits = Boolean(about) || !this.generators?.length;
    if (!fits) this.generators = [];
    this.images = about?.motions ?? null;
    this.grid.about = about;
    return fits;
  }

  /** The tool that makes a box; not if the region wraps around, because the file then sets the lengths. */
  boxTool() {
    if (this.round) return null;
    const sizes = dom("input", {
      class: "short",
      placeholder: this.lattice.basis.map(() => 4).join(" "),
      "aria-label": "lengths of the box",
    });
    const make = () => {
      const fault = this.makeBox(
        sizes.value
          .split(/[\s,x×]+/)
          .filter(Boolean)
          .map((word) => (/^\d+$/.test(word) ? Number(word) : NaN)),
      );
      sizes.setCustomValidity(fault);
      sizes.reportValidity();
    };
    sizes.addEventListener("input", () => sizes.setCustomValidity(""));
    sizes.addEventListener("keydown", (event) => event.key === "Enter" && make());
    return dom("span", { class: "pair" }, sizes, dom("button", { type: "button", onclick: make }, "Make it a box"));
  }

  // In space

  spaceButton() {
    const toggle = () => {
      this.grid.kept.used = false; // the canvas gets another size: show all
      inSpace = !this.view;
      return this.view ? this.hideSpace() : this.showSpace();
    };
    this.switch = dom(
      "button",
      { type: "button", class: "view", "aria-pressed": "false", onclick: toggle },
      "In space",
    );
    return this.switch;
  }

  /** Show the shape in 3D; the large 3D code is loaded on demand. */
  async showSpace() {
    if (open?.shaping !== this) open?.shaping.hideSpace();
    this.view?.dispose(); // the same shape before the redraw
    const mine = (open = { shaping: this });
    this.place.hidden = false;
    this.switch?.setAttribute("aria-pressed", "true");
    const { SpaceEditor } = await import("./space_editor.js");
    if (open !== mine) return;
    this.view = new SpaceEditor(this, (this.grid.kept.space ??= {}));
    fill(this.place, this.view.element);
    fill(this.spaceTools, this.view.tools);
    this.view.begin();
  }

  hideSpace() {
    this.view?.dispose();
    this.view = null;
    if (open?.shaping === this) open = null;
    this.place.hidden = true;
    fill(this.place);
    fill(this.spaceTools);
    this.switch?.setAttribute("aria-pressed", "false");
  }
}

/** Whether a motion done twice moves nothing: then left and right are the same. @param {Motion} motion */
function isOwnBack(motion) {
  return back(motion) === motion;
}
