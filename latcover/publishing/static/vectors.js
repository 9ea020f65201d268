// Vectors of three numbers.

export const AXES = [0, 1, 2];

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (factor, a) => [factor * a[0], factor * a[1], factor * a[2]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** The vector from coordinates in steps along the rows of a basis. */
export function cartesian(steps, basis) {
  return AXES.map((axis) => steps.reduce((sum, count, k) => sum + count * basis[k][axis], 0));
}

/** The mean of some points. */
export function mean(points) {
  return times(1 / points.length, points.reduce(plus, [0, 0, 0]));
}
