// A canvas on which the user fills and empties cells of any lattice, a layer at a time. The field has no edge: it shows
// whatever cells lie in the window, and only the user moves the window. By mouse, touch or keyboard.

import { dom, fill, svg } from "./dom.js";
import { cellsIn, layerOf } from "./field.js";
import { boxOf, centre, keyOf, outline, round, shape, words } from "./geometry.js";
import { Hands } from "./hands.js";
import { homeIn } from "./period.js";
import { Viewport } from "./viewport.js";

/** @typedef {SVGElement & { cell: Cell, state?: string }} Drawn */
/** @import { Cell, Entry, Filling, GridOptions } from "./web_types.js" */

const MOST = 3000; // cells that are drawn at once
const NEAR = 1e-3;

/**
 * A canvas on `chosen`, a map from a cell's key to {cell, ...}.
 * look(entry) gives {fill, label, class} of a filled cell; paint() what a cell becomes that is filled now; same(entry)
 * whether it is that already; put(cell, entry or null) fills a cell or empties it; replace(entries) replaces all; changed()
 * is called when a change is done. `period` says how the region closes on itself. `kept` keeps the window and the layer for
 * the next canvas of the same shape. `pixels` is the usual size of a cell. extras() gives more buttons for a layer.
 */
export class Grid extends Viewport {
  /** @type {Map<string, Drawn>} */
  shapes = new Map();
  /** @type {string | undefined} */ last;
  /** @type {{ motions: any[], centre: number[] } | null} */
  about = null; // the symmetry used for drawing
  /** @type {(() => void) | undefined} */
  tellSelection; // called when the selection changes
  /** @type {Cell[]} */ previewed = [];
  /** @type {Set<string>} */ selected = new Set();

  /** @param {GridOptions} how */
  constructor({
    lattice,
    chosen,
    look,
    paint,
    same,
    put,
    replace,
    changed,
    period,
    name,
    kept = {},
    pixels = 40,
    extras,
  }) {
    super({ lattice, chosen, kept, pixels });
    this.look = look;
    this.paint = paint;
    this.same = same;
    this.changed = changed;
    this.name = name;
    this.extras = extras;
    this.replace = /** @type {(entries: Entry[]) => void} */ (replace);
    this.put = put ?? ((cell, entry) => this.putAlone(cell, entry));
    const closed = period ?? lattice.basis.map(() => 0);
    this.home = homeIn(closed);
    this.round = closed.some(Boolean);
    this.shadow = svg("path", { class: "shadow", "fill-rule": "evenodd" });
    this.marks = svg("path", { class: "marks" });
    this.preview = svg("path", { class: "preview" });
    this.cross = svg("path", { class: "centre" });
    this.cells = svg("g", {});
    this.picture = svg("svg", { role: "group" }, this.cells, this.shadow, this.marks, this.preview, this.cross);
    this.window = dom("div", { class: "field-of-cells" }, this.picture);
    this.slider = dom("input", { type: "range", step: 1, "aria-label": `layer of ${name}` });
    this.slider.addEventListener("input", () => this.turnTo(Number(this.slider.value)));
    this.caption = dom("span", { class: "caption", role: "status" });
    this.storeys = dom("div", { class: "storeys", hidden: !lattice.space });
    this.element = dom("div", { class: "grid" }, this.window, this.storeys);
    this.hands = new Hands(this);
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.layer = kept.layer ?? this.lowest();
    new ResizeObserver(({ 0: { target } }) => this.resized(target.clientWidth, target.clientHeight)).observe(
      this.window,
    );
    this.drawStoreys();
    if (kept.size) this.draw(); // otherwise it is drawn as soon as its size is known
  }

  lowest() {
    return Math.min(...this.entries().map(({ cell }) => layerOf(this.lattice, cell)), this.chosen.size ? Infinity : 0);
  }

  /** The filled cells of this layer. */
  here() {
    return this.entries().filter(({ cell }) => layerOf(this.lattice, cell) === this.layer);
  }

  // What is drawn

  /** Draw everything after a change from elsewhere. The window stays, unless all of the shape is outside. */
  draw() {
    const { box } = this;
    const all = boxOf(
      this.lattice,
      this.entries().map((entry) => entry.cell),
    );
    const seen = all.x < box.x + box.width && all.x + all.width > box.x;
    if (this.chosen.size && !(seen && all.y < box.y + box.height && all.y + all.height > box.y))
      this.box = this.wanted();
    this.unselect();
    const filled = this.entries().map(({ cell }) => layerOf(this.lattice, cell));
    if (filled.length) this.layer = Math.min(Math.max(this.layer, Math.min(...filled) - 1), Math.max(...filled) + 1);
    while (!this.redraw()) this.box = this.around([box.x + box.width / 2, box.y + box.height / 2], 1.25 * this.scale);
    if (this.lattice.space) this.tellStorey();
  }

  /** Draw the window. Returns whether it has few enough cells for that. */
  redraw() {
    const { lattice, box, layer } = this;
    const rim = 0.6 * lattice.size; // cells that reach into the window
    const seen = { x: box.x - rim, y: box.y - rim, width: box.width + 2 * rim, height: box.height + 2 * rim };
    const found = cellsIn(lattice, seen, layer, MOST);
    if (!found) return false;
    const cells = this.round ? found.filter((cell) => keyOf(this.home(cell)) === keyOf(cell)) : found;
    const inside = this.picture.contains(document.activeElement);
    const old = this.shapes;
    this.shapes = new Map();
    for (const cell of cells) {
      const key = keyOf(cell);
      const drawn =
        /** @type {Drawn} */ (old.get(key)) ?? shape(lattice, cell, { role: "button", tabindex: "-1", class: "cell" });
      drawn.cell = cell;
      drawn.setAttribute("tabindex", "-1");
      this.shapes.set(key, drawn);
      this.dress(drawn);
    }
    this.picture.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map(round).join(" "));
    this.picture.setAttribute(
      "aria-label",
      `${this.name}${lattice.space ? `, layer ${layer}` : ""}: arrows move, space fills or empties`,
    );
    if (old.size !== this.shapes.size || cells.some((cell) => !old.has(keyOf(cell))))
      this.cells.replaceChildren(...this.shapes.values());
    this.first();
    this.cast();
    this.drawMarks();
    if (inside) this.refocus();
    return true;
  }

  /** Show the filled cells of the layer below as a shadow, and the centre of symmetry. */
  cast() {
    const below = this.lattice.space
      ? this.entries().filter(({ cell }) => layerOf(this.lattice, cell) === this.layer - 1)
      : [];
    this.shadow.setAttribute("d", this.outlines(below.map((entry) => entry.cell)));
    const arm = 0.22 * this.lattice.size;
    const [x, y] = this.about?.centre ?? [];
    this.cross.setAttribute("d", this.about ? `M${x - arm} ${-y}H${x + arm}M${x} ${-y - arm}V${-y + arm}` : "");
  }

  /** @param {Cell[]} cells */
  outlines(cells) {
    return cells.map((cell) => outline(this.lattice, cell)).join("");
  }

  /** Show what is selected, and where it would go. */
  drawMarks() {
    this.marks.setAttribute("d", this.outlines(this.selection().map((entry) => entry.cell)));
    this.preview.setAttribute("d", this.outlines(this.previewed));
  }

  /** Redraw cells that were filled or emptied. @param {Iterable<Cell>} cells */
  update(cells) {
    for (const cell of cells) {
      const drawn = this.shapes.get(keyOf(cell));
      if (drawn) this.dress(drawn);
    }
    if (this.lattice.space) {
      this.cast();
      this.tellStorey();
    }
  }

  /** @param {Drawn} drawn */
  dress(drawn) {
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

  // Layers

  drawStoreys() {
    /** @param {number} by @param {string} text @param {string} label */
    const step = (by, text, label) =>
      dom(
        "button",
        { type: "button", title: label, "aria-label": label, onclick: () => this.turnTo(this.layer + by) },
        text,
      );
    fill(
      this.storeys,
      step(-1, "▾", "layer below"),
      this.slider,
      step(1, "▴", "layer above"),
      this.caption,
      this.extras?.() ?? [],
    );
    if (this.lattice.space) this.tellStorey();
  }

  /** @param {number} layer */
  turnTo(layer) {
    this.layer = this.kept.layer = layer;
    this.unselect();
    this.redraw();
    this.tellStorey();
  }

  /** The slider reaches from an empty layer below the shape to one above it. */
  tellStorey() {
    const filled = this.entries().map(({ cell }) => layerOf(this.lattice, cell));
    const [low, high] = filled.length ? [Math.min(...filled), Math.max(...filled)] : [this.layer, this.layer];
    this.slider.min = `${Math.min(low - 1, this.layer)}`;
    this.slider.max = `${Math.max(high + 1, this.layer)}`;
    this.slider.value = `${this.layer}`;
    const place = this.layer - low + 1;
    const text =
      this.layer < low
        ? "below the shape"
        : this.layer > high
          ? "above the shape"
          : `layer ${place} of ${high - low + 1}`;
    if (this.caption.textContent !== text) this.caption.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  // The selection

  selection() {
    return [...this.selected].flatMap((key) => this.chosen.get(key) ?? []);
  }

  /** @param {Cell[]} cells */
  select(cells) {
    this.selected = new Set(cells.map(keyOf).filter((key) => this.chosen.has(key)));
    this.drawMarks();
    this.tellSelection?.();
  }

  unselect() {
    this.previewed = [];
    if (this.selected.size) this.select([]);
  }

  /** @param {Cell[]} cells */
  hint(cells) {
    this.previewed = cells;
    this.drawMarks();
  }

  // What is done

  /** Make one cell reachable by Tab: the last one used, or else a filled one. */
  first() {
    const keys = [...this.shapes.keys()];
    const key = this.shapes.has(this.last ?? "") ? this.last : (keys.find((k) => this.chosen.has(k)) ?? keys[0]);
    this.shapes.get(key ?? "")?.setAttribute("tabindex", "0");
    this.last = key;
  }

  /** @param {Drawn} drawn */
  toggle(drawn) {
    const before = this.chosen.get(keyOf(drawn.cell));
    this.put(drawn.cell, before && this.same(before) ? null : this.paint());
    this.changed();
  }

  /** @param {Cell} cell @param {Filling | null} entry */
  putAlone(cell, entry) {
    this.kept.used = true;
    if (entry) this.chosen.set(keyOf(cell), { ...entry, cell });
    else this.chosen.delete(keyOf(cell));
    this.update([cell]);
  }

  /** @param {KeyboardEvent & { target: any }} event */
  key(event) {
    if (this.hands.key(event)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const { cell } = event.target;
    const to = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    /** @type {Record<string, () => unknown>} */
    const deeds = {
      " ": () => cell && this.toggle(event.target),
      Enter: () => cell && this.toggle(event.target),
      "+": () => this.zoom(1.2),
      "=": () => this.zoom(1.2),
      "-": () => this.zoom(1 / 1.2),
      0: () => this.fit(),
      PageUp: () => this.lattice.space && this.turnTo(this.layer + 1),
      PageDown: () => this.lattice.space && this.turnTo(this.layer - 1),
    };
    if (!to && !deeds[event.key]) return undefined;
    event.preventDefault();
    event.stopPropagation();
    if (!to) return deeds[event.key]();
    if (event.shiftKey) return this.pan(-to[0] * this.pixels, to[1] * this.pixels);
    return this.step(event.target, to);
  }

  /** Move the focus, and the window with it. @param {Drawn} drawn @param {number[]} to */
  step(drawn, to) {
    const next = drawn.cell && this.beside(drawn, to);
    if (!next) return;
    this.reveal(next.cell);
    this.focus(/** @type {Drawn} */ (this.shapes.get(keyOf(next.cell))));
  }

  /**
   * The nearest cell in a direction: sideways distance counts double.
   * @param {Drawn} drawn @param {number[]} options
   */
  beside(drawn, [dx, dy]) {
    const [x, y] = centre(this.lattice, drawn.cell);
    let [best, least] = [/** @type {any} */ (null), Infinity];
    for (const other of this.shapes.values()) {
      const [u, v] = centre(this.lattice, /** @type {Cell} */ (other.cell));
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (ahead > NEAR && aside <= ahead * 1.8 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
    }
    return best;
  }

  /** Restore the focus after a redraw. */
  refocus() {
    this.shapes.get(this.last ?? "")?.focus({ preventScroll: true });
  }

  /** @param {Drawn} drawn */
  focus(drawn) {
    this.shapes.get(this.last ?? "")?.setAttribute("tabindex", "-1");
    this.last = keyOf(drawn.cell);
    drawn.setAttribute("tabindex", "0");
    drawn.focus({ preventScroll: true });
  }
}
