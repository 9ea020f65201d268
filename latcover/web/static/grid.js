// A grid of cells that the user fills and empties, layer by layer, by mouse, touch or keyboard. For any lattice.

import { dom, fill, svg } from "./dom.js";
import {
  boxOf,
  canvas,
  cellsOfBox,
  centre,
  coordinatesOf,
  keyOf,
  layersOf,
  outline,
  reach,
  shape,
  words,
} from "./geometry.js";
import { scaleFor, solidPicture } from "./isometric.js";
import { homeIn, vectorsOf } from "./period.js";

/** @import { Lattice } from "./web_types.js" */

export const MOST = 6000; // cells that are shown at once
const NEAR = 1e-3; // heights and places are rounded

/**
 * A grid on `chosen`, a map from a cell's key to {cell, ...}.
 * look(entry) gives {fill, label, class} of a filled cell; paint() what a cell becomes that is filled now; same(entry)
 * whether it is that already; put(cell, entry or null) fills a cell or empties it; changed() is called when a change is
 * done. `period` says how the region closes on itself. copy(cells, by), if given, copies a layer up or down.
 */
export class Grid {
  /** @type {any[]} */
  shadows;
  /** @type {string} */
  last;
  /** @type {number[][] | null} */
  grown;
  /** @type {number[][] | null} */
  box;

  /** @param {Record<string, any>} how */
  constructor({ lattice, chosen, look, paint, same, put, changed, copy, period, name, pixels = 34 }) {
    this.lattice = lattice;
    this.chosen = chosen;
    this.look = look;
    this.paint = paint;
    this.same = same;
    this.changed = changed;
    this.copy = copy;
    this.name = name;
    this.pixels = pixels;
    this.put = put ?? ((cell, entry) => this.putAlone(cell, entry));
    this.period = period ?? lattice.basis.map(() => 0);
    this.room = 1;
    this.extra = [0, 0]; // empty layers that the user added, below and above
    this.shapes = new Map();
    this.centre = null; // of the symmetry used for drawing
    this.element = dom("div", { class: "grid" });
    for (const [name, act] of [
      ["pointerdown", "pressed"],
      ["pointermove", "moved"],
      ["click", "clicked"],
      ["keydown", "key"],
    ]) {
      this.element.addEventListener(name, (event) => this[act](event));
    }
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
    const cells = [...this.chosen.values()].map((entry) => entry.cell);
    return this.period.some(Boolean) ? this.unrolled(cells) : this.frame(cells);
  }

  /** Where axes close on themselves: all units along these, and some beside the others. */
  unrolled(cells) {
    const { low, high } = reach(this.lattice, cells);
    const [vectors, home] = [vectorsOf(this.period), homeIn(this.period)];
    const closed = vectors.length === low.length;
    for (const axis in low) {
      const ways = vectors.map((vector) => vector[axis]);
      const [least, most] = [0, 0].map((_, k) =>
        ways.reduce((sum, x) => sum + (k ? Math.max(x, 0) : Math.min(x, 0)), 0),
      );
      const straight = closed || vectors.some((vector) => vector[axis] && vector.filter(Boolean).length === 1);
      low[axis] = straight ? least : Math.min(least, low[axis] - this.room);
      high[axis] = straight ? most : Math.max(most, high[axis] + this.room);
    }
    this.box = null;
    const area = low.reduce((n, first, axis) => n * (high[axis] - first + 1), 1);
    if (area > 50 * MOST) return null;
    const homes = cellsOfBox(this.lattice, low, high).filter((cell) => keyOf(home(cell)) === keyOf(cell));
    return homes.length > MOST ? null : homes;
  }

  /** All cells of an upright box around the filled ones, on their layers. */
  frame(cells) {
    const { lattice } = this;
    const points = (cells.length ? cells : lattice.nodes.map((_, node) => [node, ...lattice.basis.map(() => 0)])).map(
      (cell) => centre(lattice, cell),
    );
    const margin = this.room * pitchOf(lattice) + NEAR;
    const box = [0, 1, 2].map((k) => [Math.min(...points.map((p) => p[k])), Math.max(...points.map((p) => p[k]))]);
    for (const k of [0, 1]) {
      const [least, most] = this.grown?.[k] ?? [Infinity, -Infinity];
      box[k] = [Math.min(box[k][0] - margin, least), Math.max(box[k][1] + margin, most)];
    }
    const more = Math.max(...this.extra);
    const rise = more ? Math.max(...lattice.basis.map((row) => Math.abs(row[2]))) * more + lattice.size : 0;
    const tall = [box[2][0] - rise, box[2][1] + rise];
    const found = within(lattice, [box[0], box[1], tall]);
    if (!found) return null;
    this.box = box;
    if (!lattice.space) return found.map(([cell]) => cell);
    const levels = [...new Set(found.map(([, z]) => level(z)))].sort((a, b) => a - b);
    const [first, last] = box[2].map((z) => levels.findIndex((other) => Math.abs(other - z) < 2 * NEAR));
    const shown = new Set(levels.slice(Math.max(0, first - this.extra[0]), last + 1 + this.extra[1]));
    const left = found.filter(([, z]) => shown.has(level(z))).map(([cell]) => cell);
    return left.length > MOST ? null : left;
  }

  /** Redraw everything after a change from elsewhere. */
  draw() {
    this.grown = null;
    return this.redraw();
  }

  redraw() {
    const cells = this.window();
    const inside = this.element.contains(document.activeElement);
    const old = this.shapes;
    this.shapes = new Map();
    this.shadows = [];
    if (!cells) {
      fill(this.element, dom("p", { class: "hint" }, "too many cells to show; edit the file instead"));
      return false;
    }
    const layers = layersOf(this.lattice, cells);
    const many = layers.length > 1;
    const figures = layers.map(({ cells: members, box }, k) =>
      this.layer(
        members,
        box,
        many ? `layer ${k + 1} of ${layers.length}${k ? "" : " (bottom)"}` : "",
        layers[k - 1]?.cells,
        old,
      ),
    );
    const open = this.lattice.space && !this.period.some(Boolean);
    fill(this.element, open ? this.adder(0) : null, figures, open ? this.adder(1) : null);
    this.first();
    this.cast();
    if (inside) this.refocus();
    return true;
  }

  /** A slim button that adds an empty layer. */
  adder(side) {
    const words = `add a layer ${side ? "above" : "below"}`;
    const add = () => {
      this.extra[side] += 1;
      if (!this.redraw()) {
        this.extra[side] -= 1;
        this.redraw();
      }
      /** @type {HTMLElement} */ (this.element.querySelector(`.adder.${side ? "above" : "below"}`))?.focus();
    };
    return dom(
      "button",
      { type: "button", class: `adder ${side ? "above" : "below"}`, title: words, "aria-label": words, onclick: add },
      "+",
    );
  }

  layer(cells, box, caption, below, old) {
    const picture = canvas(this.lattice, box, this.pixels, {
      role: "group",
      class: below ? "over" : null,
      "aria-label": `${this.name}${caption ? `, ${caption}` : ""}: arrows move, space fills or empties`,
    });
    if (below) {
      const shadow = svg("path", { class: "shadow", "fill-rule": "evenodd" });
      this.shadows.push({ shadow, below });
      picture.append(shadow);
    }
    for (const cell of cells) {
      const key = keyOf(cell);
      const drawn = old.get(key) ?? shape(this.lattice, cell, { role: "button", tabindex: "-1", class: "cell" });
      drawn.cell = cell;
      drawn.setAttribute("tabindex", "-1");
      this.shapes.set(key, drawn);
      this.show(drawn);
      picture.append(drawn);
    }
    if (this.centre) picture.append(this.cross());
    const tools = this.copy ? [-1, 1].map((by) => this.copy(cells, by)) : [];
    return dom(
      "figure",
      {},
      picture,
      caption || tools.length ? dom("figcaption", {}, caption ? dom("span", {}, caption) : null, tools) : null,
    );
  }

  /** Mark the centre of the symmetry used for drawing. */
  cross() {
    const [x, y] = this.centre;
    const arm = 0.22 * this.lattice.size;
    return svg("path", { class: "centre", d: `M${x - arm} ${-y}H${x + arm}M${x} ${-y - arm}V${-y + arm}` });
  }

  /** Show on each layer the filled cells of the layer below as a shadow. */
  cast() {
    for (const { shadow, below } of this.shadows) {
      const filled = below.filter((cell) => this.chosen.has(keyOf(cell)));
      shadow.setAttribute("d", filled.map((cell) => outline(this.lattice, cell)).join(""));
    }
  }

  /** Redraw cells that were filled or emptied; grow the grid if they are at its edge. */
  update(cells) {
    for (const cell of cells) {
      const drawn = this.shapes.get(keyOf(cell));
      if (drawn) this.show(drawn);
    }
    this.cast();
  }

  /** Grow the grid where cells at its edge are filled. */
  grow() {
    if (this.period.some(Boolean) || !this.box) return;
    const cells = [...this.chosen.values()].map((entry) => entry.cell);
    const margin = this.room * pitchOf(this.lattice) + NEAR;
    const hidden = cells.some((cell) => !this.shapes.has(keyOf(cell)));
    const [[left, right], [front, back]] = this.box;
    const near = cells.some((cell) => {
      const [x, y] = centre(this.lattice, cell);
      return (
        x - margin < left - NEAR || x + margin > right + NEAR || y - margin < front - NEAR || y + margin > back + NEAR
      );
    });
    if (!hidden && !near) return;
    this.grown = this.box;
    if (!this.redraw()) this.draw();
  }

  show(drawn) {
    const entry = this.chosen.get(keyOf(drawn.cell));
    const seen = entry ? this.look(entry) : { fill: "", label: "empty", class: "" };
    const state = `${entry ? "in" : "out"} ${seen.class ?? ""} ${seen.fill} ${seen.label}`;
    if (drawn.state === state) return;
    drawn.state = state;
    drawn.setAttribute("class", `cell ${entry ? "in" : "out"} ${seen.class ?? ""}`);
    drawn.setAttribute("fill", seen.fill || "var(--cell)");
    drawn.setAttribute("aria-pressed", entry ? "true" : "false");
    drawn.setAttribute("aria-label", `cell ${words(this.lattice, drawn.cell)}: ${seen.label}`);
  }

  /** Make one cell reachable by Tab: the last one used, or else a filled one. */
  first() {
    const keys = [...this.shapes.keys()];
    const key = this.shapes.has(this.last) ? this.last : (keys.find((k) => this.chosen.has(k)) ?? keys[0]);
    this.shapes.get(key)?.setAttribute("tabindex", "0");
    this.last = key;
  }

  toggle(drawn) {
    const before = this.chosen.get(keyOf(drawn.cell));
    this.put(drawn.cell, before && this.same(before) ? null : this.paint());
    this.done();
  }

  done() {
    this.grow();
    this.changed();
  }

  putAlone(cell, entry) {
    if (entry) this.chosen.set(keyOf(cell), { ...entry, cell });
    else this.chosen.delete(keyOf(cell));
    this.update([cell]);
  }

  clicked(event) {
    if (event.target.cell && event.pointerType === "touch") this.toggle(event.target);
  }

  pressed(event) {
    const drawn = event.target;
    if (!drawn.cell || event.pointerType === "touch" || event.button !== 0) return;
    event.preventDefault();
    this.focus(drawn);
    const before = this.chosen.get(keyOf(drawn.cell));
    this.brush = { entry: before && this.same(before) ? null : this.paint() };
    this.put(drawn.cell, this.brush.entry);
    const done = () => {
      this.brush = null;
      this.done();
    };
    window.addEventListener("pointerup", done, { once: true });
  }

  moved(event) {
    if (this.brush && event.target.cell) this.put(event.target.cell, this.brush.entry);
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

  /** The nearest cell of the same picture in a direction: sideways distance counts double. */
  beside(drawn, [dx, dy]) {
    const [x, y] = centre(this.lattice, drawn.cell);
    let best = null;
    let least = Infinity;
    for (const other of drawn.parentNode.children) {
      if (!other.cell) continue;
      const [u, v] = centre(this.lattice, other.cell);
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (ahead > 1e-6 && aside <= ahead * 1.8 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
    }
    return best;
  }

  /** Restore the focus after a redraw. */
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

const level = (z) => Math.round(z / NEAR) * NEAR;

const pitches = new WeakMap();

/** How far around a cell more cells are shown: its neighbours, the cells in line with them, and the nearest of its layer. */
function pitchOf(lattice) {
  if (!pitches.has(lattice)) {
    const around = cellsOfBox(
      lattice,
      lattice.basis.map(() => -1),
      lattice.basis.map(() => 1),
    ).map((cell) => centre(lattice, cell));
    const far = lattice.nodes.flatMap(({ beside = [] }, node) => {
      const [x, y, z] = centre(lattice, [node, ...lattice.basis.map(() => 0)]);
      const aside = (/** @type {number[]} */ [u, v]) => Math.hypot(u - x, v - y);
      const level = around
        .filter(([, , height]) => Math.abs(height - z) < NEAR)
        .map(aside)
        .filter((away) => away > NEAR);
      return [...beside.map((cell) => aside(centre(lattice, cell))), ...(level.length ? [Math.min(...level)] : [])];
    });
    pitches.set(lattice, Math.max(0.87 * lattice.size, ...far));
  }
  return pitches.get(lattice);
}

/**
 * The cells whose centres lie in a box, and how high these lie; null if there are far too many.
 *
 * @param {Lattice} lattice
 * @param {number[][]} box
 */
function within(lattice, [[left, right], [front, back], [low, high]]) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? right : left, k & 2 ? back : front, k & 4 ? high : low]);
  const found = [];
  lattice.nodes.forEach(({ position }, node) => {
    const places = corners.map((corner) =>
      coordinatesOf(
        lattice,
        corner.map((x, k) => x - (position[k] ?? 0)),
      ),
    );
    const from = lattice.basis.map((_, axis) => Math.floor(Math.min(...places.map((row) => row[axis])) - NEAR));
    const to = lattice.basis.map((_, axis) => Math.ceil(Math.max(...places.map((row) => row[axis])) + NEAR));
    const many = from.reduce((n, first, axis) => n * (to[axis] - first + 1), lattice.nodes.length);
    if (many > 20 * MOST) return found.push(null);
    for (const [, ...coordinates] of cellsOfBox({ ...lattice, nodes: lattice.nodes.slice(0, 1) }, from, to)) {
      const cell = [node, ...coordinates];
      const [x, y, z] = centre(lattice, cell);
      if (x >= left && x <= right && y >= front && y <= back && z >= low - NEAR && z <= high + NEAR)
        found.push([cell, z]);
    }
  });
  if (found.includes(null) || found.length > 4 * MOST || (!lattice.space && found.length > MOST)) return null;
  const order = lattice.basis.map((_, axis) => axis + 1);
  const rank = ([a], [b]) => order.reduce((sign, k) => sign || a[k] - b[k], 0) || a[0] - b[0];
  return found.sort(rank);
}

/** The size of a cell, in pixels, in small pictures of several shapes, so that the largest shape stays small. */
export function thumbnailScale(lattice, shapes) {
  if (lattice.space) return scaleFor(lattice, shapes);
  const longest = shapes
    .map((cells) => boxOf(lattice, cells))
    .map(({ width, height }) => Math.max(width, height) / lattice.size);
  return Math.min(28, Math.max(12, 60 / Math.max(1, ...longest)));
}

/** A small picture of cells, each in the colour that `tint(cell)` gives; cells in space are seen from a corner. */
export function thumbnail(lattice, cells, tint, pixels = 12) {
  if (lattice.space) return [solidPicture(lattice, cells, tint, pixels)];
  const picture = canvas(lattice, boxOf(lattice, cells), pixels, { "aria-hidden": "true", class: "thumbnail" });
  for (const cell of cells)
    picture.append(shape(lattice, cell, { fill: tint(cell), stroke: "#333", "stroke-width": 0.04 * lattice.size }));
  return [picture];
}
