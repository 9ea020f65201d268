// Small pictures of shapes.

import { svg } from "./dom.js";
import { boxOf, frameOf, shape } from "./geometry.js";
import { scaleFor, solidPicture } from "./isometric.js";

/** @import { Cell, Lattice } from "./web_types.js" */

/**
 * The size of a cell, in pixels, in small pictures of several shapes, so that the largest shape stays small.
 * @param {Lattice} lattice @param {Cell[][]} shapes
 */
export function thumbnailScale(lattice, shapes) {
  if (lattice.space) return scaleFor(lattice, shapes);
  const longest = shapes
    .map((cells) => boxOf(lattice, cells))
    .map(({ width, height }) => Math.max(width, height) / lattice.size);
  return Math.min(28, 60 / Math.max(1, ...longest));
}

/**
 * A small picture of cells, each in the colour that `tint(cell)` gives; cells in space are seen from a corner.
 * @param {Lattice} lattice @param {Cell[]} cells @param {(cell: Cell) => string} tint @param {number} [pixels]
 */
export function thumbnail(lattice, cells, tint, pixels = 12) {
  if (lattice.space) return [solidPicture(lattice, cells, tint, pixels)];
  const frame = frameOf(lattice, boxOf(lattice, cells), pixels);
  const edge = { stroke: "#333", "stroke-width": 0.04 * lattice.size };
  const drawn = cells.map((cell) => shape(lattice, cell, { fill: tint(cell), ...edge }));
  return [svg("svg", { ...frame, "aria-hidden": "true", class: "thumbnail" }, drawn)];
}
