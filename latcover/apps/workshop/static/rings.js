// Rings of corners: what is left of them where cells meet, and the areas they bound. As latcover/show/drawing/shapes has it.
//
// A ring is a list of numbers of corners, with the area on its left; the last corner is joined to the first.

import { cross, dot, length, minus, times } from "./vectors.js";

/** @typedef {number[]} Ring */

const STRAIGHT = 1e-6; // the sine of the turn below which three corners lie on a line
const SAME_PLANE = 1e-4;

/**
 * The distinct points, and the number of each point among them: coordinates that differ by less than a tolerance become
 * equal.
 * @param {number[][]} points @param {number} tolerance @returns {{ points: number[][], index: number[] }}
 */
export function weld(points, tolerance) {
  const snapped = points.map((point) => [...point]);
  for (let axis = 0; axis < (points[0]?.length ?? 0); axis += 1) {
    const order = points.map((_, k) => k).sort((a, b) => points[a][axis] - points[b][axis]);
    let [last, value] = [-Infinity, 0];
    for (const k of order) {
      if (points[k][axis] - last > tolerance) value = points[k][axis];
      last = points[k][axis];
      snapped[k][axis] = value + 0;
    }
  }
  /** @type {Map<string, number>} */ const known = new Map();
  const distinct = /** @type {number[][]} */ ([]);
  const index = snapped.map((point) => {
    const key = point.join();
    if (!known.has(key)) known.set(key, distinct.push(point) - 1);
    return /** @type {number} */ (known.get(key));
  });
  return { points: distinct, index };
}

/** The directed sides of a ring. @param {Ring} ring @returns {[number, number][]} */
export const sidesOf = (ring) => ring.map((a, k) => [a, ring[(k + 1) % ring.length]]);

/**
 * Rings whose sides are split at all corners that lie on them, so that sides that meet are equal.
 * @param {Ring[]} rings @param {number[][]} points @param {number} tolerance @returns {Ring[]}
 */
export function splitAtCorners(rings, points, tolerance) {
  const used = [...new Set(rings.flat())];
  return rings.map((ring) =>
    sidesOf(ring).flatMap(([a, b]) => {
      const along = points[b].map((x, k) => x - points[a][k]);
      const size = Math.hypot(...along);
      const within = used.flatMap((corner) => {
        const from = points[corner].map((x, k) => x - points[a][k]);
        const at = from.reduce((sum, x, k) => sum + x * along[k], 0) / size;
        const off = Math.hypot(...from.map((x, k) => x - (at * along[k]) / size));
        return at > tolerance && at < size - tolerance && off < tolerance ? [{ corner, at }] : [];
      });
      return [a, ...within.sort((one, other) => one.at - other.at).map(({ corner }) => corner)];
    }),
  );
}

/** The sides of rings without those between two rings, which run in opposite directions. @param {Ring[]} rings */
export function outerSides(rings) {
  /** @type {Map<string, [number, number][]>} */
  const left = new Map();
  for (const [a, b] of rings.flatMap(sidesOf)) {
    const opposite = left.get(`${b} ${a}`);
    if (opposite?.length) opposite.pop();
    else left.set(`${a} ${b}`, [...(left.get(`${a} ${b}`) ?? []), [a, b]]);
  }
  return [...left.values()].flat();
}

/**
 * Sides joined to rings. Where areas touch in a corner, the sharpest left turn keeps them apart.
 * @param {[number, number][]} sides @param {number[][]} points in a plane @returns {Ring[]}
 */
export function traced(sides, points) {
  /** @type {Map<number, number[]>} */
  const leaving = new Map();
  for (const [a, b] of sides) leaving.set(a, [...(leaving.get(a) ?? []), b]);
  const rings = [];
  for (const [start, first] of sides) {
    if (!leaving.get(start)?.includes(first)) continue;
    const ring = [start];
    let [before, here] = [start, first];
    for (let ways = leaving.get(here); ways?.length; ways = leaving.get(here)) {
      const turns = ways.map((end) => (ways.length > 1 ? rightTurn(points, before, here, end) : 0));
      const [following] = ways.splice(turns.indexOf(Math.min(...turns)), 1);
      if (here === start && following === first) break;
      ring.push(here);
      [before, here] = [here, following];
    }
    rings.push(ring);
  }
  return rings;
}

/**
 * The angle of the right turn at a corner, from 0 (straight back) to a full one.
 * @param {number[][]} points @param {number} before @param {number} here @param {number} end
 */
function rightTurn(points, before, here, end) {
  const [[a, b], [x, y]] = [before, end].map((one) => [0, 1].map((k) => points[one][k] - points[here][k]));
  return (2 * Math.PI - Math.atan2(a * y - b * x, a * x + b * y)) % (2 * Math.PI);
}

/** Twice the area of a ring of points in a plane; positive if it runs anticlockwise. @param {number[][]} ring */
export function signedArea(ring) {
  return ring.reduce((sum, [x, y], k) => {
    const [u, v] = ring[(k + 1) % ring.length];
    return sum + x * v - y * u;
  }, 0);
}

/**
 * The areas that rings of cells cover: of each its outer ring and its holes, without corners within straight sides.
 * @param {Ring[]} rings @param {number[][]} points in a plane @returns {number[][][][]}
 */
export function areasOf(rings, points) {
  const loops = traced(outerSides(rings), points).map((ring) => straightened(ring.map((corner) => points[corner])));
  const outer = loops.filter((loop) => signedArea(loop) > 0);
  const areas = outer.map((loop) => [loop]);
  for (const hole of loops.filter((loop) => signedArea(loop) < 0)) {
    const middle = [0, 1].map((k) => (hole[0][k] + hole[1][k]) / 2); // of a side: holes may share corners with outer rings
    const around = areas.filter(([loop]) => contains(loop, middle));
    around.sort(([one], [other]) => signedArea(one) - signedArea(other));
    around[0]?.push(hole);
  }
  return areas;
}

/** @param {number[][]} ring */
function straightened(ring) {
  const n = ring.length;
  return ring.filter((here, k) => {
    const [before, after] = [ring[(k + n - 1) % n], ring[(k + 1) % n]];
    const [a, b] = [here[0] - before[0], here[1] - before[1]];
    const [x, y] = [after[0] - here[0], after[1] - here[1]];
    return Math.abs(a * y - b * x) > STRAIGHT * Math.hypot(a, b) * Math.hypot(x, y) || a * x + b * y <= 0;
  });
}

/**
 * Whether a ring goes around a point, by its crossings to the right of it.
 * @param {number[][]} ring @param {number[]} point
 */
function contains(ring, [x, y]) {
  return ring.reduce((inside, [ax, ay], k) => {
    const [bx, by] = ring[(k + 1) % ring.length];
    const crosses = ay > y !== by > y && ax + ((y - ay) * (bx - ax)) / (by - ay) > x;
    return crosses ? !inside : inside;
  }, false);
}

/** The faces of cells that no opposite face of another cell covers. @param {Ring[]} rings @returns {Ring[]} */
export function outerFaces(rings) {
  /** @type {Map<string, Ring>} */
  const left = new Map();
  rings.forEach((ring, k) => {
    const key = [...ring].sort((a, b) => a - b).join();
    const other = left.get(key);
    if (other && isOpposite(ring, other)) left.delete(key);
    else left.set(other ? `${key};${k}` : key, ring);
  });
  return [...left.values()];
}

/** @param {Ring} ring @param {Ring} other */
function isOpposite(ring, other) {
  const back = new Set(sidesOf(other).map(([a, b]) => `${b} ${a}`));
  return sidesOf(ring).every(([a, b]) => back.has(`${a} ${b}`));
}

/**
 * Faces of a body in which those are joined that share a side, lie in one plane and face the same way: of each its rings,
 * the outer one first.
 * @param {Ring[]} faces @param {number[][]} points in space @returns {Ring[][]}
 */
export function joinedFaces(faces, points) {
  const size = Math.max(...[0, 1, 2].map((k) => spread(points.map((point) => point[k]))), 1e-300);
  const planes = faces.map((ring) => {
    const unit = normalOf(ring, points);
    return [...unit, dot(unit, minus(points[ring[0]], points[0])) / size];
  });
  const { index } = weld(planes, SAME_PLANE);
  /** @type {Map<string, number>} */ const across = new Map();
  faces.forEach((ring, k) => sidesOf(ring).forEach(([a, b]) => across.set(`${index[k]} ${a} ${b}`, k)));
  const seen = new Set();
  return faces.flatMap((_, start) => {
    if (seen.has(start)) return [];
    const members = [start];
    seen.add(start);
    for (const k of members)
      for (const [a, b] of sidesOf(faces[k])) {
        const other = across.get(`${index[k]} ${b} ${a}`);
        if (other === undefined || seen.has(other)) continue;
        seen.add(other);
        members.push(other);
      }
    const axes = axesAcross(/** @type {number[]} */ (planes[start]).slice(0, 3));
    const flat = points.map((point) => axes.map((axis) => dot(axis, point)));
    const area = (/** @type {Ring} */ ring) => signedArea(ring.map((corner) => flat[corner]));
    const loops = traced(outerSides(members.map((k) => faces[k])), flat);
    return [loops.sort((one, other) => area(other) - area(one))];
  });
}

/** @param {number[]} values */
const spread = (values) => Math.max(...values) - Math.min(...values);

/** The unit normal of a flat ring, by Newell's sum. @param {Ring} ring @param {number[][]} points */
function normalOf(ring, points) {
  const from = points[ring[0]];
  const sum = sidesOf(ring).reduce(
    (total, [a, b]) => {
      const part = cross(minus(points[a], from), minus(points[b], from));
      return total.map((x, k) => x + part[k]);
    },
    [0, 0, 0],
  );
  return times(1 / Math.max(length(sum), 1e-300), sum);
}

/** Two unit vectors across a unit vector; the three are right-handed. @param {number[]} unit */
function axesAcross(unit) {
  const least = [0, 1, 2].reduce((best, axis) => (Math.abs(unit[axis]) < Math.abs(unit[best]) ? axis : best));
  const first = cross(
    [0, 1, 2].map((axis) => Number(axis === least)),
    unit,
  );
  const one = times(1 / length(first), first);
  return [one, cross(unit, one)];
}
