// Cells as pictures, from a lattice's drawing data (latcover/web/editor_data.py, lattice_data). No lattice is known here.

import { svg } from "./elements.js";

export const keyOf = (cell) => cell.join(",");

/** The centre of a cell: [x, y, z], y upwards. */
export function centre(lattice, [node, ...coordinates]) {
  const at = [...lattice.nodes[node].position];
  coordinates.forEach((x, axis) => lattice.basis[axis].forEach((step, k) => (at[k] += x * step)));
  return [at[0], at[1] ?? 0, at[2] ?? 0];
}

/**
 * The layers of cells: of each its height and its cells, lowest first; a flat lattice has one. Every layer has the same
 * `box`, the one around all cells: pictures of it show how the layers lie above each other.
 */
export function layersOf(lattice, cells) {
  const box = boxOf(lattice, cells);
  if (!lattice.space) return [{ height: 0, cells, box }];
  const byHeight = new Map();
  for (const cell of cells) {
    const height = Math.round(centre(lattice, cell)[2] * 1000) / 1000;
    if (!byHeight.has(height)) byHeight.set(height, { height, cells: [], box });
    byHeight.get(height).cells.push(cell);
  }
  return [...byHeight.values()].sort((a, b) => a.height - b.height);
}

/** The shape of a cell, as an SVG element without colours. */
export function shape(lattice, cell, attributes = {}) {
  const node = lattice.nodes[cell[0]];
  const [x, y] = centre(lattice, cell);
  if (node.radius) return svg("circle", { cx: round(x), cy: round(-y), r: round(node.radius * 0.96), ...attributes });
  const d = node.rings.map((ring) => `M${ring.map(([a, b]) => `${round(x + a)} ${round(-y - b)}`).join("L")}Z`).join("");
  return svg("path", { d, "fill-rule": "evenodd", ...attributes });
}

const round = (value) => Math.round(value * 1e4) / 1e4;

/** The box around cells: {x, y, width, height} in the picture's coordinates. */
export function boxOf(lattice, cells) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const cell of cells) {
    const [x, y] = centre(lattice, cell);
    const node = lattice.nodes[cell[0]];
    const corners = node.radius ? [[node.radius, node.radius], [-node.radius, -node.radius]] : node.rings.flat();
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

/** A picture of that box, so many pixels to a cell's size. */
export function canvas(lattice, box, pixels, attributes = {}) {
  const scale = pixels / lattice.size;
  return svg("svg", {
    viewBox: `${round(box.x)} ${round(box.y)} ${round(box.width)} ${round(box.height)}`,
    width: Math.ceil(box.width * scale),
    height: Math.ceil(box.height * scale),
    ...attributes,
  });
}

/** All cells of a box of coordinates, every node of each unit. */
export function cellsOfBox(lattice, low, high) {
  let rows = [[]];
  low.forEach((first, axis) => {
    const next = [];
    for (const row of rows) for (let x = first; x <= high[axis]; x += 1) next.push([...row, x]);
    rows = next;
  });
  return rows.flatMap((row) => lattice.nodes.map((_, node) => [node, ...row]));
}

/** The least and greatest coordinates of cells along each axis. */
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

/** A cell in words: its coordinates, and its node where there are several. */
export function words(lattice, [node, ...coordinates]) {
  return coordinates.join(", ") + (lattice.nodes.length > 1 ? ` ${lattice.nodes[node].name}` : "");
}
