// Where pieces are while they slide and turn.

import { AXES, dot, minus, plus, times } from "./vectors.js";

/** @import { Point, Pose, Turn } from "./types.js" */

const RADIAN = Math.PI / 180;

export const WORLD = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** @type {Pose} */
export const REST = { turn: WORLD, shift: [0, 0, 0] };

/**
 * Where a pose takes a point.
 *
 * @param {Pose} pose
 * @param {Point} point
 * @returns {Point}
 */
export const placed = ({ turn, shift }, point) => plus(turnedPoint(turn, point), shift);

/**
 * A pose moved straight on.
 *
 * @param {Pose} pose
 * @param {Point} by
 * @returns {Pose}
 */
export const slid = ({ turn, shift }, by) => ({ turn, shift: plus(shift, by) });

/**
 * The pose of what a turn has taken from `pose` on a share of its path.
 *
 * @param {Pose} pose
 * @param {Turn} turn
 * @param {number} share
 * @returns {Pose}
 */
export function turned(pose, { axis, middle, path }, share) {
  const [degrees, ...by] = onPath(path, share);
  const rotation = rotationAbout(axis, degrees * RADIAN);
  return {
    turn: rotation.map((row) => AXES.map((column) => dot(row, /** @type {Point} */ (pose.turn.map((r) => r[column]))))),
    shift: plus(plus(turnedPoint(rotation, minus(pose.shift, middle)), middle), /** @type {Point} */ (by)),
  };
}

/**
 * The row of a path after a share of it: an angle and a displacement. Pieces turn evenly, and shift when they do not.
 *
 * @param {number[][]} path
 * @param {number} share
 */
export function onPath(path, share) {
  const ways = path.slice(1).map((row, k) => {
    const [angle, ...by] = row.map((x, column) => x - path[k][column]);
    return Math.abs(angle) * RADIAN + Math.hypot(...by);
  });
  let left = share * ways.reduce((sum, way) => sum + way, 0);
  for (let k = 0; k < ways.length; k++) {
    if (left <= ways[k] && k + 1 < path.length) {
      const part = ways[k] ? left / ways[k] : 0;
      return path[k].map((x, column) => x + part * (path[k + 1][column] - x));
    }
    left -= ways[k];
  }
  return path[path.length - 1];
}

/**
 * The directions of axes before a turn: the axes of a view, seen by what has turned.
 *
 * @param {Point[]} axes
 * @param {number[][]} turn
 * @returns {Point[]}
 */
export const turnedBack = (axes, turn) =>
  axes.map(
    (axis) => /** @type {Point} */ (AXES.map((column) => AXES.reduce((sum, k) => sum + axis[k] * turn[k][column], 0))),
  );

/**
 * @param {number[][]} turn
 * @param {Point} point
 * @returns {Point}
 */
function turnedPoint(turn, point) {
  return /** @type {Point} */ (turn.map((row) => dot(/** @type {Point} */ (row), point)));
}

/**
 * @param {Point} axis
 * @param {number} angle
 */
function rotationAbout([x, y, z], angle) {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const along = times(1 - cosine, [x, y, z]);
  return [
    [cosine + along[0] * x, along[0] * y - sine * z, along[0] * z + sine * y],
    [along[1] * x + sine * z, cosine + along[1] * y, along[1] * z - sine * x],
    [along[2] * x - sine * y, along[2] * y + sine * x, cosine + along[2] * z],
  ];
}
