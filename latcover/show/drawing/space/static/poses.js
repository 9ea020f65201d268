// Where pieces are while they slide and turn.

import { AXES, dot, minus, plus, times } from "./vectors.js";

/** @import { Point, Pose, Turn } from "./types.js" */

const RADIAN = Math.PI / 180;
const STILL = 1e-6; // a way that is none
const PUSH = 20; // before others turn, a small shift takes as long as one that is so much longer, so that one sees it

export const WORLD = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** @type {Pose} */
export const REST = { turn: WORLD, shift: [0, 0, 0] };

/** Where a pose takes a point. @param {Pose} pose @param {Point} point @returns {Point} */
export const placed = ({ turn, shift }, point) => plus(turnedPoint(turn, point), shift);

/** A pose moved straight on. @param {Pose} pose @param {Point} by @returns {Pose} */
export const slid = (pose, by) => ({ ...pose, shift: plus(pose.shift, by) });

/**
 * A pose at another scale, about a point.
 * @param {Pose} pose @param {number} scale how much larger than before @param {Point} about @returns {Pose}
 */
export const scaled = ({ turn, shift, scale: before = 1 }, scale, about) => ({
  turn,
  shift: plus(about, times(scale, minus(shift, about))),
  scale: scale * before,
});

/**
 * The pose of what a turn has taken from `pose` along a path, at a moment of that turn.
 * @param {Pose} pose @param {Turn} turn @param {Moment} moment @param {number[][]} [path]
 * @param {number} [larger] how much larger than true it is shown @returns {Pose}
 */
export function turned(pose, { axis, middle, path: usual }, moment, path = usual, larger = 1) {
  const [degrees, x, y, z, ...tilt] = onPath(path, moment).map((value) => larger * value);
  const rotation = product(rotationBy(tilt), rotationAbout(axis, degrees * RADIAN));
  return {
    turn: product(rotation, pose.turn),
    shift: plus(plus(turnedPoint(rotation, minus(pose.shift, middle)), middle), [x, y, z]),
  };
}

/**
 * A moment of a turn: after the row `k` of each of its paths, and a share of the way to the next row.
 *
 * @typedef {{ k: number, part: number }} Moment
 */

/**
 * The moment after a share of a turn, the same for all its paths: each stretch between two rows takes as long as its
 * longest way, of whichever piece.
 * @param {Turn} turn @param {number} share @returns {Moment}
 */
export function momentOf({ path, giving = [] }, share) {
  const ways = path.slice(1).map((row, k) => {
    const own = wayOf(path[k], row);
    const others = giving.map((one) => wayOf(one.path[k], one.path[k + 1]));
    return Math.max(own, ...others.map((way) => (own > STILL ? way : PUSH * way)));
  });
  let left = share * ways.reduce((sum, way) => sum + way, 0);
  for (let k = 0; k < ways.length; k++) {
    if (left <= ways[k]) {
      return { k, part: ways[k] ? left / ways[k] : 0 };
    }
    left -= ways[k];
  }
  return { k: path.length - 1, part: 0 };
}

/**
 * How far it is between two rows: pieces turn evenly, and shift when they do not.
 * @param {number[]} from @param {number[]} to
 */
function wayOf(from, to) {
  const [angle, x, y, z, ...tilt] = from.map((before, column) => to[column] - before);
  return (Math.abs(angle) + Math.hypot(...tilt)) * RADIAN + Math.hypot(x, y, z);
}

/**
 * The row of a path at a moment: an angle, a displacement, and a tilt if it has any.
 * @param {number[][]} path @param {Moment} moment
 */
export function onPath(path, { k, part }) {
  const [from, to] = [path[k], path[Math.min(k + 1, path.length - 1)]];
  return from.map((x, column) => x + part * (to[column] - x));
}

/** The end of a turn. @param {Turn} turn @returns {Moment} */
export const endOf = ({ path }) => ({ k: path.length - 1, part: 0 });

/**
 * How far a path leads from rest at most: its shift, or the way of a point at distance 1 from the axis.
 * @param {number[][]} path
 */
export const reachOf = (path) =>
  Math.max(
    ...path.map(([angle, x, y, z, ...tilt]) => Math.max(Math.hypot(x, y, z), Math.hypot(angle, ...tilt) * RADIAN)),
  );

/**
 * The directions of axes before a turn: the axes of a view, seen by what has turned.
 * @param {Point[]} axes @param {number[][]} turn @returns {Point[]}
 */
export const turnedBack = (axes, turn) =>
  axes.map(
    (axis) => /** @type {Point} */ (AXES.map((column) => AXES.reduce((sum, k) => sum + axis[k] * turn[k][column], 0))),
  );

/** @param {number[][]} turn @param {Point} point @returns {Point} */
function turnedPoint(turn, point) {
  return /** @type {Point} */ (turn.map((row) => dot(/** @type {Point} */ (row), point)));
}

/** The rotation by the second, then by the first. @param {number[][]} first @param {number[][]} second */
const product = (first, second) =>
  first.map((row) =>
    AXES.map((column) => dot(/** @type {Point} */ (row), /** @type {Point} */ (second.map((r) => r[column])))),
  );

/** The rotation about a vector by its length in degrees; none without a vector. @param {number[]} vector */
function rotationBy(vector) {
  const degrees = Math.hypot(...vector);
  return degrees ? rotationAbout(times(1 / degrees, /** @type {Point} */ (vector)), degrees * RADIAN) : WORLD;
}

/** @param {Point} axis @param {number} angle */
function rotationAbout([x, y, z], angle) {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const along = times(1 - cosine, [x, y, z]);
  return [
    [cosine + along[0] * x, along[0] * y - sine * z, along[0] * z + sine * y],
    [along[1] * x + sine * z, cosine + along[1] * y, along[1] * z - sine * x],
    [along[2] * x - sine * y, along[2] * y + sine * x, cosine + along[2] * z],
  ];
}
