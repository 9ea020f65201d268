// Which cells of a lattice lie in a window of the picture, at one height. The heights of its layers have numbers.

import { centre, coordinatesOf } from "./geometry.js";

/** @import { Cell, Lattice, PictureBox } from "./web_types.js" */

const NEAR = 1e-3; // heights and places are rounded

/**
 * How high layers lie: those of a unit, and how far apart units are.
 * @type {WeakMap<Lattice, { step: number, heights: number[] }>}
 */
const known = new WeakMap();

/** @param {Lattice} lattice */
function stairs(lattice) {
  let found = known.get(lattice);
  if (!found) {
    const step = lattice.basis.map((row) => Math.abs(row[2] ?? 0)).reduce(commonMeasure, 0) || 1;
    const within = lattice.nodes.map(({ position }) => (((position[2] ?? 0) % step) + step) % step);
    const whole = within.map((z) => (z > step - NEAR ? 0 : z)).sort((a, b) => a - b);
    found = { step, heights: whole.filter((z, k) => !k || z - whole[k - 1] > NEAR) };
    known.set(lattice, found);
  }
  return found;
}

/** The greatest length of which both are multiples. @param {number} a @param {number} b @returns {number} */
const commonMeasure = (a, b) => (b < NEAR ? a : commonMeasure(b, a - b * Math.floor(a / b + NEAR)));

/** The number of the layer of a cell; a flat lattice has layer 0 only. @param {Lattice} lattice @param {Cell} cell */
export function layerOf(lattice, cell) {
  if (!lattice.space) return 0;
  const { step, heights } = stairs(lattice);
  const z = centre(lattice, cell)[2];
  const unit = Math.floor(z / step + NEAR);
  const place = heights.findIndex((height) => Math.abs(z - unit * step - height) < 3 * NEAR);
  return unit * heights.length + Math.max(0, place);
}

/** @param {Lattice} lattice @param {number} layer */
function heightOf(lattice, layer) {
  if (!lattice.space) return 0;
  const { step, heights } = stairs(lattice);
  const unit = Math.floor(layer / heights.length);
  return unit * step + heights[layer - unit * heights.length];
}

/**
 * The cells of a layer whose centres lie in a window, y downwards, in the order of their coordinates; null if there are
 * more than `most`.
 * @param {Lattice} lattice @param {PictureBox} window @param {number} layer @param {number} most
 * @returns {Cell[] | null}
 */
export function cellsIn(lattice, { x: left, y: top, width, height: tall }, layer, most) {
  const { basis, nodes } = lattice;
  const height = heightOf(lattice, layer);
  const solved = lattice.space ? basis.reduce((best, row, k) => (steep(row) > steep(basis[best]) ? k : best), 0) : -1;
  const free = basis.map((_, axis) => axis).filter((axis) => axis !== solved);
  /** @type {Cell[]} */ const found = [];
  for (const [node, { position }] of nodes.entries()) {
    const corners = [0, 1, 2, 3].map((k) =>
      coordinatesOf(lattice, [
        left + (k & 1 ? width : 0) - (position[0] ?? 0),
        -top - (k & 2 ? tall : 0) - (position[1] ?? 0),
        height - (position[2] ?? 0),
      ]),
    );
    const from = free.map((axis) => Math.ceil(Math.min(...corners.map((row) => row[axis])) - NEAR));
    const to = free.map((axis) => Math.floor(Math.max(...corners.map((row) => row[axis])) + NEAR));
    if (from.reduce((n, first, k) => n * (to[k] - first + 1), 1) > 8 * most) return null;
    const at = [...from];
    for (let more = from.every((first, k) => first <= to[k]); more; more = next(at, from, to)) {
      const cell = [node, ...basis.map(() => 0)];
      free.forEach((axis, k) => (cell[axis + 1] = at[k]));
      if (solved >= 0) {
        const missing = (height - centre(lattice, cell)[2]) / basis[solved][2];
        if (Math.abs(missing - Math.round(missing)) > 3 * NEAR) continue;
        cell[solved + 1] = Math.round(missing);
      }
      const [x, y] = centre(lattice, cell);
      const outside = x < left - NEAR || x > left + width + NEAR || -y < top - NEAR || -y > top + tall + NEAR;
      if (!outside) found.push(cell);
    }
    if (found.length > most) return null;
  }
  return found.sort(inOrder);
}

/** @param {number[]} row */
const steep = (row) => Math.abs(row[2] ?? 0);

/**
 * Count up, as a mileage counter does. Returns false when it starts again.
 * @param {number[]} at @param {number[]} from @param {number[]} to
 */
function next(at, from, to) {
  for (let k = at.length - 1; k >= 0; k -= 1) {
    at[k] += 1;
    if (at[k] <= to[k]) return true;
    at[k] = from[k];
  }
  return false;
}

/** @param {Cell} a @param {Cell} b */
function inOrder(a, b) {
  for (let k = 1; k < a.length; k += 1) if (a[k] !== b[k]) return a[k] - b[k];
  return a[0] - b[0];
}
