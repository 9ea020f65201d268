// Icons of the buttons that move a shape: each shows the axis, the mirror or the direction of the lattice.

import { cross, dot, round } from "./geometry.js";
import { project } from "./isometric.js";
import { html } from "./preact.js";
import { unit } from "./vectors.js";

/** @import { Shown } from "./preact.js" */

/** @param {number[]} a @param {number} by */
const scaled = (a, by) => a.map((value) => value * by);
/** @param {...number[]} all */
const sum = (...all) => [0, 1, 2].map((k) => all.reduce((n, a) => n + a[k], 0));

/** @param {...Shown} content */
const icon = (...content) =>
  html`<svg viewBox="-12 -12 24 24" width="24" height="24" aria-hidden="true" class="picture">${content}</svg>`;

/** @param {string} d @param {string} [name] */
const line = (d, name) => html`<path d=${d} class=${name} />`;

/** @param {boolean} space @returns {(point: number[]) => number[]} */
const screen = (space) => (space ? project : ([x, y]) => [x, -y]);
/** @param {number[][]} points */
const path = (points) => `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;

/**
 * The head of an arrow that ends at `tip` and comes from the side of `from`.
 * @param {number[]} tip @param {number[]} from @param {number} [size]
 */
function head(tip, from, size = 4) {
  const [x, y] = unit([tip[0] - from[0], tip[1] - from[1]]);
  /** @param {number} sign */
  const side = (sign) => [tip[0] - size * (x - sign * 0.6 * y), tip[1] - size * (y + sign * 0.6 * x)];
  return line(path([side(1), tip, side(-1)]));
}

/** Two unit vectors across an axis; the three are right-handed. @param {number[]} axis */
function across(axis) {
  const other = Math.abs(axis[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1];
  const first = unit(cross(other, axis));
  return [first, cross(axis, first)];
}

/**
 * An arrow around the axis: anticlockwise as seen against it, or clockwise.
 * @param {boolean} space @param {number[]} axis @param {boolean} left
 */
export function turnIcon(space, axis, left) {
  const show = screen(space);
  const [a, b] = across(axis);
  const radius = space ? 7.5 : 7;
  const start = Math.PI * (left ? -0.35 : 1.35);
  const points = Array.from({ length: 33 }, (_, k) => {
    const angle = start + (left ? 1 : -1) * (k / 32) * Math.PI * 1.7;
    return show(sum(scaled(a, radius * Math.cos(angle)), scaled(b, radius * Math.sin(angle))));
  });
  const rod = space ? line(path([show(scaled(axis, -11)), show(scaled(axis, 11))]), "faint") : null;
  return icon(rod, line(path(points)), head(points[points.length - 1], points[points.length - 4]));
}

/** A mirror, and an arrow through it. @param {boolean} space @param {number[]} axis */
export function mirrorIcon(space, axis) {
  const show = screen(space);
  const way = [show(scaled(axis, -10)), show(scaled(axis, 10))];
  const [a, b] = across(axis);
  /** @param {number} s @param {number} t */
  const corner = (s, t) => show(sum(scaled(a, 7 * s), scaled(b, 7 * t)));
  const plane = space
    ? line(`${path([corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)])}Z`, "plane")
    : line(path([dot(a, a) ? show(scaled(flatSide(axis), 10)) : [0, 0], show(scaled(flatSide(axis), -10))]), "dashed");
  return icon(plane, line(path(way)), head(way[0], way[1], 3.5), head(way[1], way[0], 3.5));
}

/** @param {number[]} how */
const flatSide = ([x, y]) => [-y, x, 0];

/** An arrow in a direction. @param {boolean} space @param {number[]} way */
export function shiftIcon(space, way) {
  const [x, y] = unit(screen(space)(way));
  const [from, to] = [
    [-8 * x, -8 * y],
    [8 * x, 8 * y],
  ];
  return icon(line(path([from, to])), head(to, from));
}

/** Layers, one of which is copied to the one above or below. @param {boolean} up */
export function copyIcon(up) {
  /** @param {number} y */
  const sheet = (y) => `M-8 ${y}L0 ${y - 4}L8 ${y}L0 ${y + 4}Z`;
  const [tail, tip] = up ? [4, -6] : [-4, 6];
  return icon(line(sheet(up ? 6 : -6), "plane"), line(`M0 ${tail}V${tip}`), head([0, tip], [0, tail]));
}

const TOOL_PATHS = {
  draw: "M-7 7L-6 3L4 -7L7 -4L-3 6Z M1.5 -4.5L4.5 -1.5",
  box: "M-7 -6H7V6H-7Z M-7 0H7M0 -6V6",
  hand: "M0 -8V8M-8 0H8M-2.5 -5.5L0 -8L2.5 -5.5M-2.5 5.5L0 8L2.5 5.5M-5.5 -2.5L-8 0L-5.5 2.5M5.5 -2.5L8 0L5.5 2.5",
  less: "M-6 0H6",
  more: "M-6 0H6M0 -6V6",
  fit: "M-8 -3V-8H-3M3 -8H8V-3M8 3V8H3M-3 8H-8V3",
};

/** A tool of the canvas. @param {string} name */
export function toolIcon(name) {
  if (name === "select") return icon(line("M-7 -7H7V7H-7Z", "dashed"));
  return icon(line(TOOL_PATHS[/** @type {keyof typeof TOOL_PATHS} */ (name)]));
}
