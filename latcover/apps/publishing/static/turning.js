// How a part is turned in the hand: which of its turns comes nearest to what the player wants.

import { dot, unit } from "./vectors.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { Point } from "./types.js" */

const NEAR = 1e-3;
const AROUND = 0.98; // radians: a turn about an axis within this angle is about the wanted axis
const REACH = 1.35; // radians: beyond this angle no turn is meant

/**
 * The way round that a part comes to by a turn about `axis` ([x, y, z], anticlockwise as seen from its tip), by the
 * smallest angle; the same way if it has no such turn.
 * @param {PlayPuzzle} puzzle @param {number} part @param {number} way @param {Point} axis
 */
export function turned(puzzle, part, way, axis) {
  const n = puzzle.orientations(part);
  const { turns, to } = puzzle.parts[part];
  /** @type {{ to: number, angle: number, off: number }[]} */ const found = [];
  turns.forEach((turn, k) => {
    const rotation = rotationOf(puzzle.turns[turn]);
    if (rotation) {
      // A half-turn goes about its axis either way.
      const cosine = dot(rotation.axis, unit(axis));
      const off = Math.acos(Math.min(1, rotation.angle > Math.PI - NEAR ? Math.abs(cosine) : cosine));
      if (off < REACH && to[k * n + way] !== way) {
        found.push({ to: to[k * n + way], angle: rotation.angle, off });
      }
    }
  });
  const meant = found.filter(({ off }) => off < AROUND);
  const [best] = (meant.length ? meant : found).sort(
    (a, b) => (meant.length ? Math.round((a.angle - b.angle) / NEAR) : 0) || a.off - b.off || a.angle - b.angle,
  );
  return best?.to ?? way;
}

/**
 * The way round in a mirror whose face looks along `axis`, as nearly as the part's reflections allow.
 * @param {PlayPuzzle} puzzle @param {number} part @param {number} way @param {Point} axis
 */
export function flipped(puzzle, part, way, axis) {
  const n = puzzle.orientations(part);
  const { turns, to } = puzzle.parts[part];
  const wanted = unit(axis);
  let best = { to: way, off: Infinity };
  turns.forEach((turn, k) => {
    const matrix = puzzle.turns[turn];
    if (determinant(matrix) < 0) {
      // A mirror turns its axis round, and has the trace 1 in space; what else reflects also turns.
      const image = times(matrix, wanted);
      const off = Math.hypot(...image.map((value, i) => value + wanted[i])) + Math.abs(trace(matrix) - 1);
      if (off < best.off - NEAR && to[k * n + way] !== way) {
        best = { to: to[k * n + way], off };
      }
    }
  });
  return best.to;
}

/**
 * Whether a part has any reflection, or any turn but the trivial one.
 * @param {PlayPuzzle} puzzle @param {number} part
 */
export function can(puzzle, part) {
  const matrices = Array.from(puzzle.parts[part].turns, (turn) => puzzle.turns[turn]);
  const several = puzzle.orientations(part) > 1;
  return {
    turn: several && matrices.some((matrix) => determinant(matrix) > 0),
    flip: several && matrices.some((matrix) => determinant(matrix) < 0),
  };
}

/**
 * Whether turns, tips, rolls and flips lead to each way round; on a distorted lattice they may not.
 * @param {PlayPuzzle} puzzle @param {number} part
 */
export function reachesAll(puzzle, part) {
  const n = puzzle.orientations(part);
  const axes =
    puzzle.dimension === 2
      ? [[0, 0, -1]]
      : [
          [0, 0, -1],
          [1, 0, 0],
          [0, 1, 0],
        ];
  const seen = new Set([0]);
  for (const way of seen) {
    seen.add(flipped(puzzle, part, way, [1, 0, 0]));
    axes.forEach((axis) => seen.add(turned(puzzle, part, way, axis)));
  }
  return seen.size === n;
}

/** The axis and the angle (above 0, up to pi) of a rotation; null for a reflection. @param {number[]} matrix */
function rotationOf(matrix) {
  if (determinant(matrix) < 0) {
    return null;
  }
  const angle = Math.acos(Math.max(-1, Math.min(1, (trace(matrix) - 1) / 2)));
  const skew = [matrix[7] - matrix[5], matrix[2] - matrix[6], matrix[3] - matrix[1]];
  if (Math.hypot(...skew) > NEAR) {
    return { axis: unit(skew), angle };
  }
  // A half-turn about a is 2 a aᵀ − 1, so its longest column and that of the unit matrix add up to a multiple of a.
  const columns = [0, 1, 2].map((k) => [0, 1, 2].map((row) => matrix[3 * row + k] + (row === k ? 1 : 0)));
  const longest = columns.reduce((a, b) => (Math.hypot(...b) > Math.hypot(...a) ? b : a));
  return { axis: unit(longest), angle: Math.PI };
}

/** @param {number[]} vector */
function determinant([a, b, c, d, e, f, g, h, i]) {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

/** @param {number[]} matrix */
function trace(matrix) {
  return matrix[0] + matrix[4] + matrix[8];
}

/** @param {number[]} matrix @param {Point} point */
function times(matrix, [x, y, z]) {
  return [0, 3, 6].map((k) => matrix[k] * x + matrix[k + 1] * y + matrix[k + 2] * z);
}
