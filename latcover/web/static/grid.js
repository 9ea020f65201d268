// A field of cells to be filled and emptied: by mouse, finger or keyboard. For regions and parts of any lattice.

import { el, fill } from "./elements.js";
import { canvas, cellsOfBox, centre, keyOf, layersOf, reach, shape, words } from "./geometry.js";

export const MOST = 6000; // cells that are shown at once

/**
 * A grid on `chosen`, a map from a cell's key to {cell, ...}.
 * look(entry) gives {fill, label, class} of a filled cell; paint() what a cell becomes that is filled now;
 * changed() is called after every change; `period` has the lengths of axes that close on themselves.
 */
export class Grid {
  constructor({ lattice, chosen, look, paint, same, changed, period, name, pixels = 34 }) {
    Object.assign(this, { lattice, chosen, look, paint, same, changed, name, pixels });
    this.period = period ?? lattice.basis.map(() => 0);
    this.room = 1;
    this.element = el("div", { class: "grid" });
    this.draw();
  }

  /** Show more cells around those that are filled. */
  widen() {
    this.room += 1;
    if (!this.draw()) {
      this.room -= 1;
      this.draw();
    }
  }

  /** The cells that can be filled; null where there are too many. */
  window() {
    const { low, high } = reach(this.lattice, [...this.chosen.values()].map((entry) => entry.cell));
    this.period.forEach((length, axis) => {
      low[axis] = length ? 0 : low[axis] - this.room;
      high[axis] = length ? length - 1 : high[axis] + this.room;
    });
    const many = low.reduce((n, first, axis) => n * (high[axis] - first + 1), this.lattice.nodes.length);
    return many > MOST ? null : cellsOfBox(this.lattice, low, high);
  }

  draw() {
    const cells = this.window();
    if (!cells) {
      fill(this.element, el("p", { class: "hint" }, "too many cells to be shown; edit the file instead"));
      return false;
    }
    this.shapes = new Map();
    const layers = layersOf(this.lattice, cells);
    const many = layers.length > 1;
    fill(this.element, layers.map(({ cells: members, box }, k) => this.layer(members, box, many ? `layer ${k + 1} of ${layers.length}${k ? "" : " (bottom)"}` : "")));
    this.first();
    return true;
  }

  layer(cells, box, caption) {
    const picture = canvas(this.lattice, box, this.pixels, {
      role: "group",
      "aria-label": `${this.name}${caption ? `, ${caption}` : ""}: arrows move, space fills or empties`,
    });
    for (const cell of cells) {
      const drawn = shape(this.lattice, cell, { role: "button", tabindex: "-1", class: "cell" });
      drawn.cell = cell;
      this.shapes.set(keyOf(cell), drawn);
      this.show(drawn);
      picture.append(drawn);
    }
    picture.addEventListener("pointerdown", (event) => this.pressed(event));
    picture.addEventListener("pointermove", (event) => this.moved(event));
    picture.addEventListener("click", (event) => event.target.cell && event.pointerType === "touch" && this.toggle(event.target));
    picture.addEventListener("keydown", (event) => this.key(event));
    return el("figure", {}, picture, caption ? el("figcaption", {}, caption) : null);
  }

  show(drawn) {
    const entry = this.chosen.get(keyOf(drawn.cell));
    const seen = entry ? this.look(entry) : { fill: "", label: "empty", class: "" };
    drawn.setAttribute("class", `cell ${entry ? "in" : "out"} ${seen.class ?? ""}`);
    drawn.setAttribute("fill", seen.fill || "var(--cell)");
    drawn.setAttribute("aria-pressed", entry ? "true" : "false");
    drawn.setAttribute("aria-label", `cell ${words(this.lattice, drawn.cell)}: ${seen.label}`);
  }

  /** Let the Tab key come to one cell: the one last used, else a filled one. */
  first() {
    const keys = [...this.shapes.keys()];
    const key = this.shapes.has(this.last) ? this.last : keys.find((k) => this.chosen.has(k)) ?? keys[0];
    this.shapes.get(key)?.setAttribute("tabindex", "0");
    this.last = key;
  }

  toggle(drawn) {
    const before = this.chosen.get(keyOf(drawn.cell));
    this.set(drawn, before && this.same(before) ? null : this.paint());
    this.changed();
  }

  set(drawn, entry) {
    const key = keyOf(drawn.cell);
    if (entry) this.chosen.set(key, { ...entry, cell: drawn.cell });
    else this.chosen.delete(key);
    this.show(drawn);
  }

  pressed(event) {
    const drawn = event.target;
    if (!drawn.cell || event.pointerType === "touch" || event.button !== 0) return;
    event.preventDefault();
    this.focus(drawn);
    const before = this.chosen.get(keyOf(drawn.cell));
    this.brush = { entry: before && this.same(before) ? null : this.paint() };
    this.set(drawn, this.brush.entry);
    const done = () => {
      this.brush = null;
      this.changed();
    };
    window.addEventListener("pointerup", done, { once: true });
  }

  moved(event) {
    if (this.brush && event.target.cell) this.set(event.target, this.brush.entry);
  }

  key(event) {
    const drawn = event.target;
    if (!drawn.cell) return;
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      this.toggle(drawn);
      return;
    }
    const to = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!to) return;
    event.preventDefault();
    const next = this.beside(drawn, to);
    if (next) this.focus(next);
  }

  /** The nearest cell of the same picture in a direction: what lies aside counts double. */
  beside(drawn, [dx, dy]) {
    const [x, y] = centre(this.lattice, drawn.cell);
    let best = null;
    let least = Infinity;
    for (const other of drawn.parentNode.children) {
      const [u, v] = centre(this.lattice, other.cell);
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (ahead > 1e-6 && aside <= ahead * 1.8 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
    }
    return best;
  }

  /** Put the focus back where it was, after drawing anew. */
  refocus() {
    this.shapes.get(this.last)?.focus();
  }

  focus(drawn) {
    this.shapes.get(this.last)?.setAttribute("tabindex", "-1");
    this.last = keyOf(drawn.cell);
    drawn.setAttribute("tabindex", "0");
    drawn.focus();
  }
}

/** A small picture of cells, each in the colour that `tint(cell)` gives: the layers side by side, all in one frame. */
export function thumbnail(lattice, cells, tint, pixels = 12) {
  return layersOf(lattice, cells).map(({ cells: members, box }) => {
    const picture = canvas(lattice, box, pixels, { "aria-hidden": "true", class: "thumbnail" });
    for (const cell of members) picture.append(shape(lattice, cell, { fill: tint(cell), stroke: "#333", "stroke-width": 0.04 * lattice.size }));
    return picture;
  });
}
