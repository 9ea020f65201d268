// Draws cells from the drawing data of a lattice (latcover/apps/web/editor_data.py, lattice_data), for any lattice.

import { svg } from "./dom.js";

/** @import { Cell, Lattice, PictureBox } from "./web_types.js" */
/** @import { Attributes } from "./dom.js" */

/** @param {Cell} cell @returns {string} */
export const keyOf = (cell) => cell.join(",");

/** The centre of a cell: [x, y, z], y upwards. @param {Lattice} lattice @param {Cell} cell @returns {number[]} */
export function centre(lattice, [node, ...coordinates]) {
  const at = [...lattice.nodes[node].position];
  coordinates.forEach((x, axis) => lattice.basis[axis].forEach((step, k) => (at[k] += x * step)));
  return [at[0], at[1] ?? 0, at[2] ?? 0];
}

/**
 * The point [x, y, z] at coordinates, which need not be integers.
 * @param {Lattice} lattice @param {number[]} coordinates @returns {number[]}
 */
export function pointAt(lattice, coordinates) {
  const at = [0, 0, 0];
  coordinates.forEach((x, axis) => lattice.basis[axis].forEach((step, k) => (at[k] += x * step)));
  return at;
}

const inverses = new WeakMap();

/** The coordinates of a point. @param {Lattice} lattice @param {number[]} vector @returns {number[]} */
export function coordinatesOf(lattice, [x, y = 0, z = 0]) {
  if (!inverses.has(lattice)) inverses.set(lattice, inverseOf(lattice.basis));
  return inverses.get(lattice).map((/** @type {number[]} */ [a, b, c]) => a * x + b * y + c * z);
}

/**
 * The inverse of a basis, which is completed to three dimensions by perpendicular vectors.
 * @param {number[][]} basis @returns {number[][]}
 */
function inverseOf(basis) {
  const [a, b = a[0] || !a[1] ? [0, 1] : [1, 0], c = [0, 0, 1]] = basis;
  const rows = [a, b, c].map(([x, y = 0, z = 0]) => [x, y, z]);
  const products = [0, 1, 2].map((k) => cross(rows[(k + 1) % 3], rows[(k + 2) % 3]));
  const volume = dot(rows[0], products[0]);
  return products.slice(0, basis.length).map((row) => row.map((value) => value / volume));
}

/** @param {number[]} a @param {number[]} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {number[]} a @param {number[]} b */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/**
 * The layers of cells: of each its height and its cells, lowest first; a flat lattice has one. Every layer has the same
 * `box`, the one around all cells: so that pictures of the layers align.
 * @param {Lattice} lattice @param {Cell[]} cells
 */
export function layersOf(lattice, cells) {
  const box = boxOf(lattice, cells);
  if (!lattice.space) return [{ height: 0, cells, box }];
  /** @type {Map<number, { height: number, cells: Cell[], box: PictureBox }>} */ const byHeight = new Map();
  for (const cell of cells) {
    const height = Math.round(centre(lattice, cell)[2] * 1000) / 1000;
    const layer = byHeight.get(height) ?? { height, cells: [], box };
    layer.cells.push(cell);
    byHeight.set(height, layer);
  }
  return [...byHeight.values()].sort((a, b) => a.height - b.height);
}

/**
 * The shape of a cell, as an SVG element without colours.
 * @param {Lattice} lattice @param {Cell} cell @param {Attributes} [attributes]
 */
export function shape(lattice, cell, attributes = {}) {
  const node = lattice.nodes[cell[0]];
  const [x, y] = centre(lattice, cell);
  if (node.radius) return svg("circle", { cx: round(x), cy: round(-y), r: round(node.radius * 0.96), ...attributes });
  return svg("path", { d: outline(lattice, cell), "fill-rule": "evenodd", ...attributes });
}

/** The outline of a cell, as the data of an SVG path. @param {Lattice} lattice @param {Cell} cell */
export function outline(lattice, cell) {
  const node = lattice.nodes[cell[0]];
  const [x, y] = centre(lattice, cell);
  if (node.radius) {
    const r = round(node.radius * 0.96);
    return `M${round(x - r)} ${round(-y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
  return (node.rings ?? [])
    .map((ring) => `M${ring.map(([a, b]) => `${round(x + a)} ${round(-y - b)}`).join("L")}Z`)
    .join("");
}

/** @param {number} value */
export const round = (value) => Math.round(value * 1e4) / 1e4;

/**
 * The box around cells: {x, y, width, height} in the picture's coordinates.
 * @param {Lattice} lattice @param {Cell[]} cells @returns {PictureBox}
 */
export function boxOf(lattice, cells) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const cell of cells) {
    const [x, y] = centre(lattice, cell);
    const node = lattice.nodes[cell[0]];
    const corners = node.radius
      ? [
          [node.radius, node.radius],
          [-node.radius, -node.radius],
        ]
      : (node.rings ?? []).flat();
    for (const [a, b] of corners) {
      left = Math.min(left, x + a);
      right = Math.max(right, x + a);
      top = Math.min(top, -y - b);
      bottom = Math.max(bottom, -y - b);
    }
  }
  if (left > right) return { x: 0, y: 0, width: 1, height: 1 };
  const margin = 0.06 * lattice.size;
  return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}

/**
 * The attributes of a picture of a box, at a number of pixels per size of a cell.
 * @param {Lattice} lattice @param {PictureBox} box @param {number} pixels
 */
export function frameOf(lattice, box, pixels) {
  const scale = pixels / lattice.size;
  return {
    viewBox: `${round(box.x)} ${round(box.y)} ${round(box.width)} ${round(box.height)}`,
    width: Math.ceil(box.width * scale),
    height: Math.ceil(box.height * scale),
  };
}

/**
 * All cells of a box of coordinates, every node of each unit.
 * @param {Lattice} lattice @param {number[]} low @param {number[]} high @returns {Cell[]}
 */
export function cellsOfBox(lattice, low, high) {
  /** @type {number[][]} */
  let rows = [[]];
  low.forEach((first, axis) => {
    const next = [];
    for (const row of rows) for (let x = first; x <= high[axis]; x += 1) next.push([...row, x]);
    rows = next;
  });
  return rows.flatMap((row) => lattice.nodes.map((_, node) => [node, ...row]));
}

/** The least and greatest coordinates of cells along each axis. @param {Lattice} lattice @param {Cell[]} cells */
export function reach(lattice, cells) {
  const low = Array(lattice.dimension).fill(Infinity);
  const high = Array(lattice.dimension).fill(-Infinity);
  for (const [, ...coordinates] of cells) {
    coordinates.forEach((x, axis) => {
      low[axis] = Math.min(low[axis], x);
      high[axis] = Math.max(high[axis], x);
    });
  }
  return cells.length ? { low, high } : { low: low.map(() => 0), high: high.map(() => 0) };
}

/**
 * A cell in words: its coordinates, and its node where there are several.
 * @param {Lattice} lattice @param {Cell} cell
 */
export function words(lattice, [node, ...coordinates]) {
  return coordinates.join(", ") + (lattice.nodes.length > 1 ? ` ${lattice.nodes[node].name}` : "");
}
