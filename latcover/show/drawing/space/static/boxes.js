// Boxes around shapes in space, each [low, high]: two opposite corners.

import { plus, times } from "./vectors.js";

/** @import { Box, Geometry, Point } from "./types.js" */

/**
 * The corners and balls of a shape: {points, radii}; the radius of a corner is 0.
 * @param {Geometry} geometry @returns {{ points: Point[], radii: number[] }}
 */
export function cornersOf({ outlines = [], solid = { vertices: [], faces: [] }, balls = [] }) {
  const points = [];
  const radii = [];
  for (const ring of outlines.flat()) {
    for (let k = 0; k < ring.length; k += 2) {
      points.push([ring[k], ring[k + 1], 0]);
      radii.push(0);
    }
  }
  for (let k = 0; k < solid.vertices.length; k += 3) {
    points.push(solid.vertices.slice(k, k + 3));
    radii.push(0);
  }
  for (let k = 0; k < balls.length; k += 4) {
    points.push(balls.slice(k, k + 3));
    radii.push(balls[k + 3]);
  }
  return { points, radii };
}

/** The smallest box around some boxes. @param {Box[]} boxes @returns {Box} */
export function boxAround(boxes) {
  return [Math.min, Math.max].map((most, end) =>
    boxes[0][end].map((_, axis) => most(...boxes.map((box) => box[end][axis]))),
  );
}

/** @param {Box} box @returns {Point} */
export function middleOf([low, high]) {
  return times(1 / 2, plus(low, high));
}
