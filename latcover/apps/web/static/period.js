// How a region closes on itself: a length for each axis, 0 where it does not, or vectors, as in a puzzle file.

/** @import { Cell, Period } from "./web_types.js" */

/** The lengths of a period; null if it has vectors. @param {Period} period @returns {number[] | null} */
export const lengthsOf = (period) => (Array.isArray(period[0]) ? null : /** @type {number[]} */ (period));

/** The vectors of a period. @param {Period} period @returns {number[][]} */
function vectorsOf(period) {
  const lengths = lengthsOf(period);
  if (!lengths) return /** @type {number[][]} */ (period);
  return lengths.flatMap((length, axis) => (length ? [lengths.map((_, k) => (k === axis ? length : 0))] : []));
}

/** @param {number[][]} rows @returns {number} */
const determinant = (rows) =>
  rows.length
    ? rows[0].reduce(
        (sum, x, k) => sum + (k % 2 ? -x : x) * determinant(rows.slice(1).map((row) => row.filter((_, j) => j !== k))),
        0,
      )
    : 1;

/**
 * The sets of `many` of the axes 0 to n - 1, in order.
 * @param {number} many @param {number} n @param {number} [from] @returns {number[][]}
 */
function chosen(many, n, from = 0) {
  if (!many) return [[]];
  const found = [];
  for (let k = from; k < n; k++) for (const rest of chosen(many - 1, n, k + 1)) found.push([k, ...rest]);
  return found;
}

/** @param {number[]} axes @param {number[][]} vectors */
const on = (axes, vectors) => vectors.map((vector) => axes.map((axis) => vector[axis]));

/** The first axes on which vectors are independent; undefined if there are none. @param {number[][]} vectors */
function axesOf(vectors) {
  return chosen(vectors.length, vectors[0]?.length ?? 0).find((/** @type {number[]} */ axes) =>
    determinant(on(axes, vectors)),
  );
}

/** Whether no vector is a sum of multiples of the others. @param {number[][]} vectors */
export const areIndependent = (vectors) => !vectors.length || Boolean(axesOf(vectors));

/**
 * What takes a cell to its home: the same cell with coordinates between the vectors, which are independent.
 * @param {Period} period @returns {(cell: Cell) => Cell}
 */
export function homeIn(period) {
  const vectors = vectorsOf(period);
  if (!vectors.length) return (cell) => cell;
  const axes = axesOf(vectors) ?? [];
  const rows = on(axes, vectors);
  const whole = determinant(rows);
  return ([node, ...at]) => {
    const own = axes.map((/** @type {number} */ axis) => at[axis]);
    const times = vectors.map((_, k) => Math.floor(determinant(rows.map((row, j) => (j === k ? own : row))) / whole));
    return [
      node,
      ...at.map((/** @type {number} */ x, /** @type {number} */ axis) =>
        vectors.reduce((left, vector, k) => left - times[k] * vector[axis], x),
      ),
    ];
  };
}
