// Vectors of three numbers.

/** @import { Point } from "./types.js" */

export const AXES = [0, 1, 2];

/** @param {Point} a @param {Point} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Point} a @param {Point} b @returns {Point} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Point} a @param {Point} b @returns {Point} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {number} factor @param {Point} a @returns {Point} */
export const times = (factor, a) => [factor * a[0], factor * a[1], factor * a[2]];
/** @param {Point} a */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
/** In the same direction, of length 1, in any dimension; nothing stays nothing. @param {Point} a @returns {Point} */
export const unit = (a) => a.map((value) => value / (Math.hypot(...a) || 1));
/** @param {Point} a @param {Point} b @returns {Point} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** The vector from coordinates in steps along the rows of a basis. @param {number[]} steps @param {number[][]} basis */
export function cartesian(steps, basis) {
  return AXES.map((axis) => steps.reduce((sum, count, k) => sum + count * basis[k][axis], 0));
}

/** The mean of some points. @param {Point[]} points @returns {Point} */
export function mean(points) {
  return times(1 / points.length, points.reduce(plus, [0, 0, 0]));
}

/** Numbers with so many digits after the point; no −0. @param {number[]} values @param {number} [digits] */
export function rounded(values, digits = 4) {
  return values.map((value) => Math.round(value * 10 ** digits) / 10 ** digits + 0);
}
