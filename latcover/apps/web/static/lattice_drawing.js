// Drawings of lattices, as files and in the plane: which cells of which units reach into a window, and where its grid lies.

import { Fault } from "./faults.js";
import { keep, keptData } from "./kept.js";
import { plain } from "./saving.js";

/** @import { Drawing, DrawnCell, FileTable, PictureBox } from "./web_types.js" */

const KEPT = "latcover.lattice";
const NEAR = 0.35; // of a grid step: how near a point snaps to a corner
const ROOM = 1.15; // margin around a unit and its neighbours
const MOST_SHOWN = 1500; // cells
const MOST_TRIED = 100000; // cells, of which those that reach into the window are shown
const HUES = [212, 38, 145, 0, 275, 185, 320, 95, 20, 240, 60, 165];

/** The drawing for the table of a lattice file, flat or of prisms. @param {FileTable} options */
export function fromTable({ name, title, basis, nodes, drawings }) {
  const solid = basis.length === 3;
  const flat = basis.slice(0, 2).map((/** @type {number[]} */ row) => row.slice(0, 2));
  const heights = new Set(Object.values(nodes).map((node) => node.height ?? 0));
  const [[, , a], [, , b], [c, d, height] = [0, 0, 0]] = basis;
  const upright = !solid || (![a, b, c, d].some(Boolean) && heights.size === 1 && heights.has(height));
  if (basis.length < 2 || !upright || Object.values(nodes).some((node) => !node.polygon || node.position?.[2])) {
    throw new Fault(
      "only flat lattices and layers of prisms can be drawn here; to start a puzzle on another lattice, open its file under “your file”",
    );
  }
  const cells = Object.entries(nodes).map(([own, { position = [0, 0], polygon }]) => ({
    name: own,
    corners: polygon.map((/** @type {number[]} */ corner) => plus(corner, position).map(round)),
  }));
  return {
    name: title ?? name,
    basis: flat,
    cells,
    gaps: drawings === "touch",
    height,
    grid: 6,
    snap: true,
  };
}

/**
 * The table of a lattice file. Corners stay as drawn; the server makes them relative to the middle of their cell.
 * @param {Drawing} options
 */
export function toTable({ name, basis, cells, gaps, height }) {
  const nodes = Object.fromEntries(
    cells.map(({ name: own, corners }) => [own, height ? { polygon: corners, height } : { polygon: corners }]),
  );
  /** @type {FileTable} */
  const table = {
    name: plain(name),
    title: name,
    basis: height ? [...basis.map((row) => [...row, 0]), [0, 0, height]] : basis,
    nodes,
  };
  if (gaps) table.drawings = "touch";
  if (height) table.part_transformations = "rotations";
  return table;
}

export function keptDrawing() {
  const found = keptData(KEPT);
  return found.basis?.length === 2 && Array.isArray(found.cells) ? found : null;
}

/** @param {Drawing} drawing */
export const keepDrawing = (drawing) => keep(KEPT, JSON.stringify(drawing));

/** @param {Drawing} how */
export function freeName({ cells }) {
  const taken = new Set(cells.map(({ name }) => name));
  for (let k = cells.length + 1; ; k += 1) if (!taken.has(`cell-${k}`)) return `cell-${k}`;
}

/**
 * A name for a cell that is valid in a file and not yet used.
 * @param {string} text @param {Drawing} drawing @param {DrawnCell} cell
 */
export function word(text, drawing, cell) {
  const wanted = text.trim().replace(/[\s,"]+/g, "-");
  return !wanted || drawing.cells.some((other) => other !== cell && other.name === wanted) ? cell.name : wanted;
}

// ---- geometry

/** @param {number} x */
const round = (x) => Math.round(x * 1e12) / 1e12 + 0;
/** @param {number} x */
export const shown = (x) => String(Number(x.toFixed(9)));
const plus = (/** @type {number[]} */ [x, y], /** @type {number[]} */ [u, v]) => [x + u, y + v];
/** @param {number[]} one @param {number[]} other */
export const same = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]) < 1e-7;
const area = (/** @type {number[][]} */ [[a, b], [c, d]]) => a * d - b * c;
const combined = (/** @type {number[][]} */ [u, v], /** @type {number} */ a, /** @type {number} */ b) => [
  a * u[0] + b * v[0],
  a * u[1] + b * v[1],
];
/** @param {number[][]} corners */
export const path = (corners) => `M${corners.map(([x, y]) => `${x} ${-y}`).join("L")}Z`;
/** @param {number} k */
export const colour = (k) => `hsl(${HUES[k % HUES.length]} 55% var(--lattice-light))`;

/**
 * A point as multiples of the vectors of a basis.
 * @param {number[][]} basis @param {number[]} point @returns {number[]}
 */
function inUnits(basis, [x, y]) {
  const [[a, b], [c, d]] = basis;
  const whole = area(basis) || 1;
  return [(x * d - y * c) / whole, (y * a - x * b) / whole];
}

/** Whether two points have the same position in their units. @param {Drawing} drawing @param {number[]} one @param {number[]} other */
export const areAlike = ({ basis }, one, other) =>
  inUnits(basis, [one[0] - other[0], one[1] - other[1]]).every((x) => Math.abs(x - Math.round(x)) < 1e-6);

/**
 * A point of a drawing, or the corner near it, of those that are shown and of a line, or else the nearest point of its grid.
 * @param {Drawing} drawing @param {PictureBox} box @param {number[][]} line @param {number[]} at
 */
export function snapped(drawing, box, line, at) {
  const { basis, grid, snap } = drawing;
  const reach = NEAR * Math.max(Math.sqrt(Math.abs(area(basis))) / grid, Math.min(box.width, box.height) / 40);
  const far = (/** @type {number[]} */ [x, y]) => Math.hypot(x - at[0], y - at[1]);
  const near = [...line, ...repeated(drawing, box).flatMap(({ corners }) => corners)].filter((one) => far(one) < reach);
  if (near.length) return [...near.reduce((best, one) => (far(one) < far(best) ? one : best))];
  if (!snap) return at.map(round);
  const [a, b] = inUnits(basis, at).map((x) => Math.round(x * grid) / grid);
  return combined(basis, a, b).map(round);
}

/** The drawing after a corner was moved, with all corners at the same place in their units. @param {Drawing} drawing @param {number[]} from @param {number[]} to */
export function withCornerMoved(drawing, from, to) {
  const by = [to[0] - from[0], to[1] - from[1]];
  /** @param {number[]} corner */
  const moved = (corner) => (areAlike(drawing, corner, from) ? plus(corner, by).map(round) : corner);
  return { ...drawing, cells: drawing.cells.map((cell) => ({ ...cell, corners: cell.corners.map(moved) })) };
}

/** The middle of the box around the cells of a unit, and its greatest side. @param {Drawing} options */
function extentOf({ basis, cells }) {
  const corners = cells.flatMap((cell) => cell.corners);
  const points = corners.length ? corners : [[0, 0], basis[0], basis[1], plus(basis[0], basis[1])];
  const ends = [0, 1].map((k) => [Math.min(...points.map((p) => p[k])), Math.max(...points.map((p) => p[k]))]);
  return {
    middle: ends.map(([low, high]) => (low + high) / 2),
    size: Math.max(...ends.map(([low, high]) => high - low)),
  };
}

/** The corners of a unit, placed around its cells. @param {Drawing} drawing */
export function outlineOf(drawing) {
  const { middle } = extentOf(drawing);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => plus(middle, combined(drawing.basis, x, y));
  return [at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)];
}

/**
 * What is shown: the unit, and about one more on each side; {x, y, width, height} with y downwards.
 * @param {Drawing} drawing @param {number} ratio
 */
export function windowOf(drawing, ratio) {
  const { middle, size } = extentOf(drawing);
  const least = size + ROOM * Math.sqrt(Math.abs(area(drawing.basis)) || 1);
  const [width, height] = ratio > 1 ? [least * ratio, least] : [least, least / ratio];
  return { x: middle[0] - width / 2, y: -middle[1] - height / 2, width, height };
}

/** Every cell that reaches into the window: {cell, home, corners}. @param {Drawing} options @param {PictureBox} box */
export function repeated({ basis, cells }, box) {
  const range = unitsOf(basis, box);
  const many = range?.reduce((n, [low, high]) => n * (high - low + 3), cells.length) ?? Infinity;
  if (!range || Math.abs(area(basis)) < 1e-9 || many > MOST_TRIED)
    return cells.map(({ corners }, cell) => ({ cell, home: true, corners }));
  /** @param {number[][]} corners */
  const inside = (corners) => {
    const [xs, ys] = [corners.map(([x]) => x - box.x), corners.map(([, y]) => -y - box.y)];
    const across = Math.max(...xs) > 0 && Math.min(...xs) < box.width;
    return across && Math.max(...ys) > 0 && Math.min(...ys) < box.height;
  };
  /** @type {{ cell: number, home: boolean, corners: number[][] }[]} */ const found = [];
  cells.forEach(({ corners }, cell) => {
    const [p, q] = inUnits(basis, corners[0]).map(Math.round);
    for (let i = range[0][0] - p - 1; i <= range[0][1] - p + 1; i += 1) {
      for (let j = range[1][0] - q - 1; j <= range[1][1] - q + 1; j += 1) {
        const moved = corners.map((corner) => plus(corner, combined(basis, i, j)));
        const home = i === 0 && j === 0;
        if (home || (found.length < MOST_SHOWN && inside(moved)))
          found.push({ cell, home, corners: home ? corners : moved });
      }
    }
  });
  return found;
}

/**
 * The least and most multiples of each vector within a window; null if there would be too many.
 * @param {number[][]} basis @param {PictureBox} options
 */
function unitsOf(basis, { x, y, width, height }) {
  const corners = [x, x + width].flatMap((u) => [-y, -y - height].map((v) => inUnits(basis, [u, v])));
  const range = [0, 1].map((k) => [
    Math.floor(Math.min(...corners.map((c) => c[k]))),
    Math.ceil(Math.max(...corners.map((c) => c[k]))),
  ]);
  return range.flat().every((n) => Math.abs(n) < MOST_TRIED) ? range : null;
}

/**
 * The points of the grid within a window; none if there would be too many.
 * @param {Drawing} options @param {PictureBox} box
 */
export function gridOf({ basis, grid }, box) {
  const range = unitsOf(basis, box);
  const many = range?.reduce((n, [low, high]) => n * (high - low + 1) * grid, 1) ?? Infinity;
  if (!range || many > 4000 || !area(basis)) return [];
  const found = [];
  for (let i = range[0][0] * grid; i <= range[0][1] * grid; i += 1) {
    for (let j = range[1][0] * grid; j <= range[1][1] * grid; j += 1) {
      const point = combined(basis, i / grid, j / grid);
      const [x, y] = [point[0] - box.x, -point[1] - box.y];
      if (x >= 0 && x <= box.width && y >= 0 && y <= box.height) found.push(point);
    }
  }
  return found;
}
