// What the pointer and the keys do on a canvas of cells (grid.js): draw, fill a rectangle, select and move, pan and zoom.

import { layerOf } from "./field.js";
import { centre, keyOf } from "./geometry.js";
import { lift, shifted } from "./motions.js";

/** @import { Cell, Deed, Entry, Lattice } from "./web_types.js" */
/** @import { Drawn, Grid } from "./grid.js" */

export const TOOLS = [
  ["draw", "Draw", "click or drag: fills or empties cells"],
  ["box", "Rectangle", "drag: fills or empties all cells of a rectangle"],
  ["select", "Select", "drag: selects cells; drag the selection to move it"],
  ["hand", "Move view", "drag: moves the view; so does the middle button, and two fingers"],
];
const SAMPLE = 5; // pixels between the points of a quick stroke
const SLACK = 0.3; // of a cell: centres that far beside a rectangle are still in it
const NOTCH = 0.0016; // how much a pixel of the wheel zooms

/** The cells that were copied last, of a shape on this lattice. @type {{ lattice: Lattice, entries: Entry[], layer: number } | null} */
let clipboard = null;

export class Hands {
  /** @type {Map<number, number[]>} */
  fingers = new Map(); // where each pointer is
  /** @type {Deed | null} */
  deed = null; // what the pointer is doing: {move(cell, event), end(), cancel()}
  tool = "draw";

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    /** @param {string} name @param {(event: any) => unknown} act @param {AddEventListenerOptions} [more] */
    const on = (name, act, more = {}) => grid.picture.addEventListener(name, act, more);
    on("pointerdown", (event) => this.pressed(event));
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("contextmenu", (event) => event.pointerType !== "mouse" && event.preventDefault());
  }

  /** The drawn cell under the pointer. @param {number} x @param {number} y */
  cellAt(x, y) {
    const found = /** @type {any} */ (document.elementFromPoint(x, y));
    return found?.cell && this.grid.picture.contains(found) ? found : null;
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const box = this.grid.picture.getBoundingClientRect();
    if (event.shiftKey) this.grid.pan(-event.deltaX || -event.deltaY, 0);
    else
      this.grid.zoom(Math.exp(-event.deltaY * NOTCH * (event.deltaMode ? 20 : 1)), [
        event.clientX - box.left,
        event.clientY - box.top,
      ]);
  }

  /** @param {PointerEvent & { target: any }} event */
  pressed(event) {
    if (event.button > 1) return;
    event.preventDefault();
    if (!this.fingers.size) this.follow();
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size > 1) {
      this.deed?.cancel?.();
      this.deed = this.pinching();
      return;
    }
    const drawn = this.cellAt(event.clientX, event.clientY);
    if (drawn) this.grid.focus(drawn);
    const pans = event.button === 1 || this.tool === "hand" || !drawn;
    this.deed = pans
      ? this.panning()
      : this.tool === "draw"
        ? this.stroke(drawn)
        : this.tool === "box"
          ? this.boxing(drawn)
          : this.selecting(drawn);
  }

  /** Follow the pointers until all are up. */
  follow() {
    const stop = new AbortController();
    const { signal } = stop;
    /** @param {PointerEvent} event @param {() => unknown} act */
    const last = (event, act) => {
      if (!this.fingers.has(event.pointerId)) return;
      act();
      this.fingers.delete(event.pointerId);
      this.deed = null;
      if (!this.fingers.size) stop.abort();
    };
    window.addEventListener("pointermove", (event) => this.moved(event), { signal });
    window.addEventListener("pointerup", (event) => last(event, () => this.deed?.end?.()), { signal });
    window.addEventListener("pointercancel", (event) => last(event, () => this.deed?.cancel?.()), { signal });
  }

  /** @param {PointerEvent & { target: any }} event */
  moved(event) {
    const from = this.fingers.get(event.pointerId);
    if (!from || !this.deed) return;
    const to = [event.clientX, event.clientY];
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.fingers.set(event.pointerId, to);
    this.deed.move(from, to, others[0]);
  }

  // What a pointer can do

  /** @returns {Deed} */
  panning() {
    return { move: ([x, y], [u, v]) => this.grid.pan(u - x, v - y) };
  }

  /** Two fingers: the points below them stay below them. @returns {Deed} */
  pinching() {
    const { grid } = this;
    return {
      move: (from, to, other) => {
        if (!other) return;
        const box = grid.picture.getBoundingClientRect();
        /** @param {number[]} how */
        const away = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
        grid.zoom(away(to) / away(from), [(to[0] + other[0]) / 2 - box.left, (to[1] + other[1]) / 2 - box.top]);
        grid.pan((to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
      },
    };
  }

  /** Fill or empty cell after cell. @param {Drawn} drawn @returns {Deed} */
  stroke(drawn) {
    const { grid } = this;
    const first = grid.chosen.get(keyOf(drawn.cell));
    const entry = first && grid.same(first) ? null : grid.paint();
    const before = new Map(grid.chosen);
    grid.put(drawn.cell, entry);
    return {
      move: ([x, y], [u, v]) => {
        const many = Math.ceil(Math.hypot(u - x, v - y) / SAMPLE);
        for (let k = 1; k <= many; k += 1) {
          const next = this.cellAt(x + ((u - x) * k) / many, y + ((v - y) * k) / many);
          if (next) grid.put(next.cell, entry);
        }
      },
      end: () => grid.changed(),
      cancel: () => {
        grid.chosen.clear();
        for (const [key, one] of before) grid.chosen.set(key, one);
        grid.redraw();
      },
    };
  }

  /** The cells between two, as a rectangle of the picture. @param {Cell} one @param {Cell} other */
  between(one, other) {
    const { lattice, shapes } = this.grid;
    const ends = [one, other].map((cell) => centre(lattice, cell));
    const slack = SLACK * lattice.size;
    const [low, high] = [Math.min, Math.max].map((pick) => [0, 1].map((k) => pick(ends[0][k], ends[1][k])));
    return [...shapes.values()].flatMap(({ cell }) => {
      const at = centre(lattice, /** @type {Cell} */ (cell));
      return [0, 1].every((k) => at[k] > low[k] - slack && at[k] < high[k] + slack) ? [/** @type {Cell} */ (cell)] : [];
    });
  }

  /** @param {Drawn} drawn @returns {Deed} */
  boxing(drawn) {
    const { grid } = this;
    const first = grid.chosen.get(keyOf(drawn.cell));
    const entry = first && grid.same(first) ? null : grid.paint();
    let cells = [drawn.cell];
    grid.hint(cells);
    return {
      move: (_, [x, y]) => {
        const now = this.cellAt(x, y);
        if (now) grid.hint((cells = this.between(drawn.cell, now.cell)));
      },
      end: () => {
        grid.hint([]);
        for (const cell of cells) grid.put(cell, entry);
        grid.changed();
      },
      cancel: () => grid.hint([]),
    };
  }

  /** @param {Drawn} drawn @returns {Deed} */
  selecting(drawn) {
    const { grid } = this;
    if (grid.selected.has(keyOf(drawn.cell))) return this.carrying(drawn);
    grid.select([drawn.cell]);
    return {
      move: (_, [x, y]) => {
        const now = this.cellAt(x, y);
        if (now) grid.select(this.between(drawn.cell, now.cell));
      },
    };
  }

  /** Drag the selection by steps of the lattice. @param {Drawn} drawn @returns {Deed} */
  carrying(drawn) {
    const { grid } = this;
    const [node, ...from] = drawn.cell;
    let step = from.map(() => 0);
    return {
      move: (_, [x, y]) => {
        const to = this.cellAt(x, y)?.cell;
        if (!to || to[0] !== node) return;
        step = from.map((value, k) => to[k + 1] - value);
        grid.hint(grid.selection().map(({ cell }) => shifted(cell, step)));
      },
      end: () => {
        grid.hint([]);
        if (step.some(Boolean)) this.move(step);
      },
      cancel: () => grid.hint([]),
    };
  }

  // The selection

  /** Move the selected cells by a step; they replace what is there. @param {number[]} step */
  move(step) {
    const { grid } = this;
    const chosen = grid.selection();
    const left = grid.entries().filter(({ cell }) => !grid.selected.has(keyOf(cell)));
    this.insert(
      left,
      chosen.map((entry) => ({ ...entry, cell: shifted(entry.cell, step) })),
    );
  }

  /** @param {Entry[]} left @param {Entry[]} entries */
  insert(left, entries) {
    this.grid.replace([...left, ...entries]);
    this.grid.select(entries.map(({ cell }) => this.grid.home(cell)));
  }

  copy() {
    const { grid } = this;
    const entries = grid.selected.size ? grid.selection() : grid.here();
    if (entries.length) clipboard = { lattice: grid.lattice, entries, layer: grid.layer };
    grid.tellSelection?.();
  }

  remove() {
    const { grid } = this;
    grid.replace(grid.entries().filter(({ cell }) => !grid.selected.has(keyOf(cell))));
  }

  get canPaste() {
    return clipboard?.lattice === this.grid.lattice;
  }

  /** Insert the copied cells where they were, on this layer; beside that if they are all there already. */
  paste() {
    const { grid } = this;
    if (!clipboard || !this.canPaste) return;
    const up = lift(grid.lattice) ?? [];
    const layers = up.length ? layerOf(grid.lattice, [0, ...up]) - layerOf(grid.lattice, [0, ...up.map(() => 0)]) : 1;
    const rise = Math.round((grid.layer - clipboard.layer) / layers);
    let step = grid.lattice.basis.map((_, k) => rise * (up[k] ?? 0));
    const placed = () => clipboard?.entries.map((entry) => ({ ...entry, cell: shifted(entry.cell, step) })) ?? [];
    while (placed().every(({ cell }) => grid.chosen.has(keyOf(grid.home(cell)))))
      step = step.map((x, k) => (k ? x : x + 1));
    const keys = new Set(placed().map(({ cell }) => keyOf(grid.home(cell))));
    this.insert(
      grid.entries().filter(({ cell }) => !keys.has(keyOf(cell))),
      placed(),
    );
  }

  /** Keys for the selection. Returns whether it was one. @param {KeyboardEvent & { target: any }} event */
  key(event) {
    const { grid } = this;
    const letter = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      /** @type {Record<string, () => void>} */
      const deed = {
        c: () => this.copy(),
        v: () => this.paste(),
        a: () => grid.select(grid.here().map(({ cell }) => cell)),
      };
      const cut = () => (this.copy(), this.remove());
      const act = letter === "x" && grid.selected.size ? cut : deed[letter];
      act?.();
      return Boolean(act);
    }
    if (!grid.selected.size || !["delete", "backspace", "escape"].includes(letter)) return false;
    if (letter === "escape") grid.unselect();
    else this.remove();
    return true;
  }
}
