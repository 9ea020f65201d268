// Small pictures of solids, seen from the initial direction of the 3D viewer.

import { svg } from "./dom.js";
import { centre, cross, dot, keyOf, round } from "./geometry.js";
import { shifted } from "./motions.js";
import { unit } from "./vectors.js";

/** @import { Cell, Lattice } from "./web_types.js" */

const TOWARDS = unit([0.62, -1, 0.72]); // as in eye.js
const RIGHT = unit(cross([0, 0, 1], TOWARDS));
const UP = cross(TOWARDS, RIGHT);
const LIGHT = unit([0.15, -0.45, 1]);
const LINE = "#2b2f36";
const PALE = "#8d96a3"; // lines on cells that are as dark as the usual lines

/** The position of a point in the picture, y downwards. @param {number[]} point */
export const project = (point) => [dot(point, RIGHT), -dot(point, UP)];

const known = new WeakMap();

/**
 * The visible faces of each node's cell: their points in the picture, relative to the centre, and their brightness.
 * @param {Lattice} lattice
 */
function facesOf(lattice) {
  if (!known.has(lattice))
    known.set(
      lattice,
      lattice.nodes.map((node) =>
        (node.faces ?? []).flatMap((face, k) => {
          const points = face.map((v) => (node.vertices ?? [])[v]);
          const normal = normalOf(points);
          if (dot(normal, TOWARDS) < 1e-6) return [];
          return [
            {
              points: points.map(project),
              across: node.across?.[k],
              bright: 0.62 + 0.42 * Math.max(0, dot(normal, LIGHT)),
            },
          ];
        }),
      ),
    );
  return known.get(lattice);
}

/** The unit normal of a flat ring of points (Newell's sum). @param {number[][]} points */
export function normalOf(points) {
  const sum = [0, 0, 0];
  points.forEach((p, k) => {
    const product = cross(p, points[(k + 1) % points.length]);
    sum.forEach((_, j) => (sum[j] += product[j]));
  });
  return unit(sum);
}

/**
 * The size of cells at which the largest of several shapes fits into a number of pixels.
 * @param {Lattice} lattice @param {Cell[][]} shapes @param {number} [most]
 */
export function scaleFor(lattice, shapes, most = 84) {
  const widest = Math.max(
    1,
    ...shapes.map((cells) => {
      const { width, height } = frame(
        lattice,
        cells.map((cell) => project(centre(lattice, cell))),
      );
      return Math.max(width, 1.5 * height) / lattice.size;
    }),
  );
  return Math.min(15, most / widest);
}

/** @param {Lattice} lattice @param {number[][]} points */
function frame(lattice, points) {
  const [xs, ys] = [0, 1].map((k) => points.map((p) => p[k]));
  const margin = 0.9 * lattice.size;
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return points.length
    ? { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y }
    : { x: 0, y: 0, width: 1, height: 1 };
}

/**
 * A shaded picture of cells in space, each in the colour that `tint(cell)` gives; `pixels` for the size of a cell.
 * @param {Lattice} lattice @param {Cell[]} cells @param {(cell: Cell) => string} tint @param {number} pixels
 */
export function solidPicture(lattice, cells, tint, pixels) {
  const faces = facesOf(lattice);
  const held = new Set(cells.map(keyOf));
  const placed = cells.map((cell) => ({ cell, at: centre(lattice, cell) }));
  placed.sort((a, b) => dot(a.at, TOWARDS) - dot(b.at, TOWARDS)); // near cells cover far ones
  const shapes = [];
  /** @type {number[][]} */ const seen = [];
  const width = 0.045 * lattice.size;
  for (const { cell, at } of placed) {
    const [x, y] = project(at);
    const { radius } = lattice.nodes[cell[0]];
    const colour = tint(cell);
    const stroke = isDark(colour) ? PALE : LINE;
    if (radius) {
      seen.push([x - radius, y - radius], [x + radius, y + radius]);
      shapes.push(
        svg("circle", {
          cx: round(x),
          cy: round(y),
          r: round(radius),
          fill: shade(colour, 0.84),
          stroke,
          "stroke-width": width,
        }),
        svg("circle", {
          cx: round(x - 0.2 * radius),
          cy: round(y - 0.26 * radius),
          r: round(0.56 * radius),
          fill: shade(colour, 1.02),
        }),
        svg("circle", {
          cx: round(x - 0.3 * radius),
          cy: round(y - 0.38 * radius),
          r: round(0.2 * radius),
          fill: "#fff",
          "fill-opacity": 0.55,
        }),
      );
      continue;
    }
    for (const { points, across, bright } of faces[cell[0]]) {
      if (across && held.has(keyOf(shifted(across, cell.slice(1))))) continue;
      const corners = points.map((/** @type {number[]} */ [a, b]) => [x + a, y + b]);
      seen.push(...corners);
      const d = `M${corners.map((/** @type {number[]} */ [a, b]) => `${round(a)} ${round(b)}`).join("L")}Z`;
      shapes.push(
        svg("path", { d, fill: shade(colour, bright), stroke, "stroke-width": width, "stroke-linejoin": "round" }),
      );
    }
  }
  const [xs, ys] = [0, 1].map((k) => seen.map((p) => p[k]));
  const [left, top] = seen.length ? [Math.min(...xs) - width, Math.min(...ys) - width] : [0, 0];
  const [wide, high] = seen.length ? [Math.max(...xs) + width - left, Math.max(...ys) + width - top] : [1, 1];
  const scale = pixels / lattice.size;
  return svg(
    "svg",
    {
      viewBox: [left, top, wide, high].map(round).join(" "),
      width: Math.ceil(wide * scale),
      height: Math.ceil(high * scale),
      "aria-hidden": "true",
      class: "solid",
    },
    shapes,
  );
}

/** Whether dark lines are invisible on a colour "#rrggbb". @param {string} colour */
export function isDark(colour) {
  return /^#[0-9a-f]{6}$/i.test(colour) && [1, 3, 5].every((k) => parseInt(colour.slice(k, k + 2), 16) < 0x50);
}

/**
 * A colour "#rrggbb", made brighter or darker; other formats stay unchanged.
 * @param {string} colour @param {number} share
 */
function shade(colour, share) {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return colour;
  const mixed = [1, 3, 5].map((k) => {
    const value = parseInt(colour.slice(k, k + 2), 16);
    return Math.round(share > 1 ? value + (255 - value) * (share - 1) * 2 : value * share);
  });
  return `rgb(${mixed.map((value) => Math.min(255, value)).join(" ")})`;
}
