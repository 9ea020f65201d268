// Motions of a lattice in integers, so that they are exact on any lattice. A motion is {nodes, matrix, shifts}: it takes
// the cell (u, x) to (nodes[u], matrix x + shifts[u]). The server lists them (latcover/apps/web/shaping_data.py).

import { centre, coordinatesOf, pointAt, reach } from "./geometry.js";

/** @import { Cell, Lattice, Motion } from "./web_types.js" */

const PARTS = 24; // divisions of a unit at which centres of symmetry may lie, counted from the first node
const NEAR = 1e-3; // the server rounds positions
const MOST = 400; // motions of a group

/** @param {number[][]} matrix @param {number[]} x @returns {number[]} */
const times = (matrix, x) => matrix.map((row) => row.reduce((sum, value, k) => sum + value * x[k], 0));
/** @param {number[]} a @param {number[]} b @returns {number[]} */
const plus = (a, b) => a.map((value, k) => value + b[k]);
/** @param {number[]} a @param {number[]} b @returns {number[]} */
const minus = (a, b) => a.map((value, k) => value - b[k]);

/** @param {Motion} motion @param {Cell} cell @returns {Cell} */
export function image({ nodes, matrix, shifts }, [node, ...x]) {
  return [nodes[node], ...plus(times(matrix, x), shifts[node])];
}

/** The motion that does `first`, then `last`. @param {Motion} last @param {Motion} first @returns {Motion} */
export function after(last, first) {
  const columns = first.matrix[0].map((_, k) =>
    times(
      last.matrix,
      first.matrix.map((row) => row[k]),
    ),
  );
  return {
    nodes: first.nodes.map((node) => last.nodes[node]),
    matrix: columns[0].map((_, k) => columns.map((column) => column[k])),
    shifts: first.shifts.map((shift, u) => plus(times(last.matrix, shift), last.shifts[first.nodes[u]])),
  };
}

/** The inverse of a motion, up to a shift. @param {Motion} motion @returns {Motion} */
export function back(motion) {
  let last = motion;
  for (let k = 0; k < MOST; k += 1) {
    const next = after(motion, last);
    if (isIdentity(next)) return last;
    last = next;
  }
  return motion; // a motion of the lattice has a small order
}

/** @param {Motion} motion */
function isIdentity({ nodes, matrix }) {
  return (
    nodes.every((node, k) => node === k) && matrix.every((row, i) => row.every((value, j) => value === Number(i === j)))
  );
}

/** @param {Cell} cell @param {number[]} step @returns {Cell} */
export const shifted = ([node, ...x], step) => [node, ...plus(x, step)];

/**
 * Images of cells whose least coordinates are those of the cells: steps that add up to a full turn lead back.
 * @param {Lattice} lattice @param {Motion} motion @param {Cell[]} cells @returns {Cell[]}
 */
export function moved(lattice, motion, cells) {
  const images = cells.map((cell) => image(motion, cell));
  const step = minus(reach(lattice, cells).low, reach(lattice, images).low);
  return images.map((cell) => shifted(cell, step));
}

/** The shortest step of the lattice that leads to a higher layer. @param {Lattice} lattice */
export function lift(lattice) {
  let [best, least] = [/** @type {number[] | null} */ (null), Infinity];
  const steps = lattice.basis.reduce(
    (rows) => rows.flatMap((row) => [-2, -1, 0, 1, 2].map((x) => [...row, x])),
    /** @type {number[][]} */ ([[]]),
  );
  for (const step of steps) {
    const [x, y, z] = pointAt(lattice, step);
    const length = z > NEAR ? z * 1e3 + Math.hypot(x, y) + 1e-6 * Math.hypot(...step) : Infinity;
    if (length < least) [best, least] = [step, length];
  }
  return best;
}

/**
 * The group that motions generate about the common centre nearest to the point `middle`:
 * {centre, motions}; null if there is none near.
 * @param {Lattice} lattice @param {Motion[]} generators @param {number[]} middle
 */
export function groupAbout(lattice, generators, middle) {
  const places = lattice.nodes.map((node) => coordinatesOf(lattice, node.position));
  const offsets = generators.map(({ nodes, matrix, shifts }) =>
    minus(plus(places[nodes[0]], shifts[0]), times(matrix, places[0])),
  );
  /** @param {number} k @param {number[]} at */
  const stepTo = (k, at) => minus(minus(at, times(generators[k].matrix, at)), offsets[k]);
  /** @param {number[]} at */
  const fits = (at) => generators.every((_, k) => stepTo(k, at).every((x) => Math.abs(x - Math.round(x)) < NEAR));
  const from = minus(coordinatesOf(lattice, middle), places[0]).map((x) => Math.round(x * PARTS));
  const range = Array.from({ length: 2 * PARTS + 1 }, (_, k) => (k % 2 ? -1 : 1) * Math.ceil(k / 2)); // the nearest first
  let [best, least] = [/** @type {number[] | null} */ (null), Infinity];
  for (const a of range)
    for (const b of from.length > 1 ? range : [0])
      for (const c of from.length > 2 ? range : [0]) {
        const at = from.map((x, k) => places[0][k] + (x + [a, b, c][k]) / PARTS);
        const away = Math.hypot(...minus(pointAt(lattice, at), middle));
        if (away < least - NEAR && fits(at)) [best, least] = [at, away];
      }
  if (!best) return null;
  const about = generators.map((motion, k) => {
    const step = stepTo(k, best).map(Math.round);
    return { ...motion, shifts: motion.shifts.map((shift) => plus(shift, step)) };
  });
  return { centre: pointAt(lattice, best), motions: closed(about) };
}

/** All products of motions. @param {Motion[]} generators */
function closed(generators) {
  /** @param {Motion} motion */
  const name = ({ nodes, matrix, shifts }) => JSON.stringify([nodes, matrix, shifts]);
  const known = new Map(generators.map((motion) => [name(motion), motion]));
  for (const motion of known.values()) {
    for (const generator of generators) {
      const next = after(generator, motion);
      if (known.size < MOST) known.set(name(next), known.get(name(next)) ?? next);
    }
  }
  return [...known.values()];
}

/** The middle of the box around the centres of cells. @param {Lattice} lattice @param {Cell[]} cells */
export function middleOf(lattice, cells) {
  const points = cells.map((cell) => centre(lattice, cell));
  return [0, 1, 2].map((k) =>
    points.length ? (Math.min(...points.map((p) => p[k])) + Math.max(...points.map((p) => p[k]))) / 2 : 0,
  );
}
