// Shapes of cells for the viewer and the boards, from the drawings of a lattice's cells: the data of
// latcover.show.drawing.space.shape_data.

import { keyOf } from "./geometry.js";
import { ink } from "./colours.js";
import { inSpace } from "./looks.js";
import { areasOf, joinedFaces, outerFaces, splitAtCorners, weld } from "./rings.js";

/** @import { Cell } from "./web_types.js" */
/** @import { Geometry, Shape } from "./types.js" */
/** @import { WorkshopLattice } from "./workshop_types.js" */

const WELD = 1e-5; // of the size of a cell: corners closer than this are one
const DIGITS = 5;
const [SHARE, RISE] = [0.62, 0.02]; // of a mark in space: its size, as a share of its face, and how far it stands out
const [WEDGE, NEAR_BORDER, SIGN] = [0.5, 0.34, 1.25]; // of a flat mark and its letter: side_marks.py
const NECK = 0.5; // the radius of the neck between two balls, as a share of the smaller one's

/** Numbers rounded as in all shapes. @param {number[]} values */
export const digits = (values) => values.map((value) => Math.round(value * 10 ** DIGITS) / 10 ** DIGITS + 0);

/**
 * Where the unit of a cell stands, in the coordinates of pictures.
 * @param {WorkshopLattice} lattice @param {Cell} cell
 */
export function unitOf({ drawing }, [, ...x]) {
  return Array.from({ length: drawing.dimension }, (_, k) =>
    x.reduce((sum, step, axis) => sum + step * drawing.basis[axis][k], 0),
  );
}

/** The centre of a cell, in the coordinates of pictures. @param {WorkshopLattice} lattice @param {Cell} cell */
export function centreOf(lattice, cell) {
  return unitOf(lattice, cell).map((x, k) => x + lattice.drawing.positions[cell[0]][k]);
}

/** The corners of many cells, welded, and the rings of each cell. */
class Corners {
  /** @param {WorkshopLattice} lattice @param {Cell[]} cells */
  constructor(lattice, cells) {
    this.lattice = lattice;
    this.tolerance = WELD * lattice.drawing.size;
    /** @type {Map<string, number>} */
    this.start = new Map();
    const drawn = cells.flatMap((cell, k) => {
      const centre = centreOf(lattice, cell);
      const corners = lattice.drawing.nodes[cell[0]].corners;
      return corners.map((corner) => ({ k, at: corner.map((x, axis) => x + centre[axis]) }));
    });
    drawn.forEach(({ k }, place) => {
      const key = keyOf(cells[k]);
      if (!this.start.has(key)) this.start.set(key, place);
    });
    const { points, index } = weld(
      drawn.map(({ at }) => at),
      this.tolerance,
    );
    this.points = points;
    this.index = index;
  }

  /** @param {Cell} cell */
  rings(cell) {
    const start = this.start.get(keyOf(cell)) ?? 0;
    return this.lattice.drawing.nodes[cell[0]].rings.map((ring) => ring.map((corner) => this.index[start + corner]));
  }

  /** @param {Cell[]} cells */
  joined(cells) {
    const rings = cells.flatMap((cell) => this.rings(cell));
    return this.lattice.drawing.partly ? splitAtCorners(rings, this.points, this.tolerance) : rings;
  }
}

/**
 * The cells beside one, across its half-edges.
 * @param {WorkshopLattice} lattice @param {Cell} cell @returns {Cell[]}
 */
export function besideOf(lattice, [node, ...x]) {
  return lattice.edges
    .filter((edge) => edge.node === node)
    .map(({ target, step }) => [target, ...step.map((by, axis) => x[axis] + by)]);
}

/**
 * The secondary cells at which several of some cells meet without covering them: a stick that bends there is drawn as one.
 * @param {WorkshopLattice} lattice @param {Cell[]} cells @returns {{ cell: Cell, around: Cell[] }[]}
 */
function bridges(lattice, cells) {
  if (lattice.drawing.dimension === 3 || !lattice.nodes.some(({ secondary }) => secondary)) return [];
  const own = new Set(cells.map(keyOf));
  /** @type {Map<string, { cell: Cell, around: Cell[] }>} */ const found = new Map();
  for (const cell of cells)
    for (const there of besideOf(lattice, cell)) {
      const key = keyOf(there);
      if (!lattice.nodes[there[0]].secondary || own.has(key)) continue;
      if (!found.has(key)) found.set(key, { cell: there, around: [] });
      found.get(key)?.around.push(cell);
    }
  return [...found.values()].filter(({ around }) => around.length > 1);
}

/**
 * The geometry of cells, relative to the origin.
 * @param {WorkshopLattice} lattice @param {Cell[]} cells @returns {Geometry}
 */
export function geometryOfCells(lattice, cells) {
  const { dimension } = lattice.drawing;
  const across = bridges(lattice, cells);
  const corners = new Corners(lattice, [...cells, ...across.map(({ cell }) => cell)]);
  const { points } = corners;
  const rings = corners.joined(cells);
  for (const { cell, around } of across) {
    const touched = new Set(around.flatMap((other) => corners.rings(other).flat()));
    const within = corners.rings(cell).map((ring) => ring.filter((corner) => touched.has(corner)));
    rings.push(...within.filter((ring) => ring.length > 2));
  }
  /** @type {Geometry} */ const data = {};
  if (rings.length && dimension === 2)
    data.outlines = areasOf(rings, points).map((area) => area.map((ring) => digits(ring.flat())));
  if (rings.length && dimension === 3) {
    const left = outerFaces(rings);
    const used = [...new Set(left.flat())].sort((a, b) => a - b);
    const number = new Map(used.map((corner, k) => [corner, k]));
    const own = used.map((corner) => points[corner]);
    const faces = left.map((ring) => ring.map((corner) => number.get(corner) ?? 0));
    data.solid = { vertices: digits(own.flat()), faces: joinedFaces(faces, own) };
  }
  return { ...data, ...ballsOf(lattice, cells) };
}

/**
 * The areas of each colour of a shape: all of it, or those of its cells.
 * @param {WorkshopLattice} lattice @param {Cell[]} cells @param {(string | null)[]} tints
 */
function patchesOf(lattice, cells, tints) {
  const colours = [...new Set(tints)];
  if (colours.length === 1) return colours[0] ? [{ colour: inSpace(colours[0]) }] : [];
  const whole = new Corners(lattice, cells);
  const outer = new Set(outerFaces(whole.joined(cells)).map((ring) => [...ring].sort((a, b) => a - b).join()));
  return colours.map((colour) => {
    const own = cells.filter((_, k) => tints[k] === colour);
    const shade = { colour: colour && inSpace(colour) };
    const balls = cells.flatMap(([node], k) => (tints[k] === colour && lattice.drawing.nodes[node].radius ? [k] : []));
    if (balls.length) return { ...shade, balls };
    if (lattice.drawing.dimension === 2) return { ...shade, outlines: geometryOfCells(lattice, own).outlines };
    const faces = whole.joined(own).filter((ring) => outer.has([...ring].sort((a, b) => a - b).join()));
    const used = [...new Set(faces.flat())];
    const points = used.map((corner) => whole.points[corner]);
    const rings = faces.map((ring) => ring.map((corner) => used.indexOf(corner)));
    return { ...shade, solid: { vertices: digits(points.flat()), faces: joinedFaces(rings, points) } };
  });
}

/** @typedef {{ rgb: string[], signs: string[] }} ValueLooks of the values of sides; a sign is "" where the colour says it */

/** @typedef {NonNullable<Geometry["marks"]>} Marks */

/**
 * The marks of a side of a solid that bears a value: a smaller copy of its face.
 * @param {WorkshopLattice} lattice @param {Cell} cell @param {number} label @param {string} colour @returns {Marks}
 */
function platesOf(lattice, cell, label, colour) {
  const { target, step } = lattice.edges[label];
  const beyond = [target, ...step.map((by, axis) => cell[axis + 1] + by)];
  const corners = new Corners(lattice, [cell, beyond]);
  const nameOf = (/** @type {number[]} */ ring) => [...ring].sort((a, b) => a - b).join();
  const shared = new Set(corners.rings(beyond).map(nameOf));
  const middle = centreOf(lattice, cell);
  return corners.rings(cell).flatMap((ring) => {
    if (!shared.has(nameOf(ring))) return [];
    const points = ring.map((corner) => corners.points[corner]);
    const mean = middle.map((_, axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    const plate = points.map((point) =>
      point.map((x, axis) => mean[axis] + SHARE * (x - mean[axis]) + RISE * (mean[axis] - middle[axis])),
    );
    return [{ colour, solid: { vertices: digits(plate.flat()), faces: [[plate.map((_, j) => j)]] } }];
  });
}

/**
 * The same of a flat cell: a strip, or a wedge if all its sides bear values (`isWhole`), with a letter.
 * @param {WorkshopLattice} lattice @param {Cell} cell @param {number} label @param {boolean} isWhole
 * @param {{ rgb: string, sign: string }} look @returns {Marks}
 */
function stripsOf(lattice, cell, label, isWhole, { rgb, sign }) {
  const { ring } = lattice.edges[label];
  if (!ring) return [];
  const middle = centreOf(lattice, cell);
  const at = (/** @type {number[]} */ point) => point.map((x, axis) => x + middle[axis]);
  const inner = isWhole ? [[0, 0]] : ring.slice(2);
  const mean = (/** @type {number[][]} */ ends) =>
    [0, 1].map((axis) => ends.reduce((sum, p) => sum + p[axis], 0) / ends.length);
  const outer = mean(ring.slice(0, 2));
  const reach = 1 - Math.hypot(...mean(inner)) / Math.hypot(...outer);
  const [along, height] = reach < WEDGE ? [reach / 2, reach] : [NEAR_BORDER, NEAR_BORDER];
  const place = at(outer.map((x) => x * (1 - along)));
  const [x, y, size] = digits([...place, SIGN * height * Math.hypot(...outer)]);
  const area = { colour: inSpace(rgb), outlines: [[digits([...ring.slice(0, 2), ...inner].map(at).flat())]] };
  return [sign ? { ...area, sign: [sign, x, y, size, ink(rgb)] } : area];
}

/**
 * The marks at sides that bear values.
 * @param {WorkshopLattice} lattice @param {Cell[]} cells @param {number[][]} sides @param {ValueLooks} looks @returns {Marks}
 */
function marksOf(lattice, cells, sides, { rgb, signs }) {
  return sides.flatMap(([k, label, value]) => {
    if (lattice.drawing.dimension === 3) return platesOf(lattice, cells[k], label, inSpace(rgb[value]));
    const around = lattice.edges.filter(({ node }) => node === cells[k][0]).length;
    const isWhole = sides.filter(([other]) => other === k).length === around;
    return stripsOf(lattice, cells[k], label, isWhole, { rgb: rgb[value], sign: signs[value] });
  });
}

/** @param {WorkshopLattice} lattice @param {Cell[]} cells @returns {Geometry} */
function ballsOf(lattice, cells) {
  const round = cells.filter(([node]) => lattice.drawing.nodes[node].radius > 0);
  if (!round.length) return {};
  const radius = (/** @type {number} */ k) => lattice.drawing.nodes[round[k][0]].radius;
  const number = new Map(round.map((cell, k) => [keyOf(cell), k]));
  const pairs = round.flatMap((cell, k) => {
    const beside = besideOf(lattice, cell).map((there) => number.get(keyOf(there)) ?? -1);
    return [...new Set(beside)].filter((other) => other > k).map((other) => [k, other]);
  });
  pairs.sort(([a, b], [c, d]) => a - c || b - d);
  const balls = round.flatMap((cell, k) => {
    const [x, y, z = 0] = centreOf(lattice, cell);
    return digits([x, y, z, radius(k)]);
  });
  const necks = pairs.flatMap(([a, b]) => [a, b, ...digits([NECK * Math.min(radius(a), radius(b))])]);
  return necks.length ? { balls, necks } : { balls };
}

/** Makes each shape once. */
export class ShapeShelf {
  /** @param {WorkshopLattice} lattice @param {ValueLooks} looks */
  constructor(lattice, looks = { rgb: [], signs: [] }) {
    this.lattice = lattice;
    this.looks = looks;
    /** @type {Shape[]} */
    this.shapes = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
  }

  /**
   * The number of the shape of some cells, which stands at the unit of the least of them, by node first.
   * @param {Cell[]} cells @param {(string | null)[]} [tints] @param {number[][]} [sides] as in an orientation
   */
  place(cells, tints = [], sides = []) {
    const [, ...from] = cells[leastOf(cells)];
    const moved = cells.map(([node, ...x], k) => ({ cell: [node, ...x.map((value, axis) => value - from[axis])], k }));
    moved.sort((one, other) => byNode(one.cell, other.cell));
    const home = moved.map(({ cell }) => cell);
    const own = moved.map(({ k }) => tints[k] ?? null);
    const borne = sides.map(([k, edge, value]) => [moved.findIndex((one) => one.k === k), edge, value]);
    const isPlain = !own.some(Boolean) && !borne.length;
    const key = isPlain ? home.join(" ") : `${home.join(" ")} | ${own} | ${borne.join(" ")}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const shape = { id: `${this.lattice.name}: ${key}`, ...geometryOfCells(this.lattice, home) };
    const patches = patchesOf(this.lattice, home, own);
    const marks = marksOf(this.lattice, home, borne, this.looks);
    const number =
      this.shapes.push({ ...shape, ...(patches.length ? { patches } : {}), ...(marks.length ? { marks } : {}) }) - 1;
    this.numbers.set(key, number);
    return number;
  }
}

/** Compares cells by node, and then by their coordinates. @param {Cell} one @param {Cell} other */
export function byNode(one, other) {
  const at = one.findIndex((x, k) => x !== other[k]);
  return at < 0 ? 0 : one[at] - other[at];
}

/** The index of the least of some cells, by node first. @param {Cell[]} cells */
export function leastOf(cells) {
  return cells.reduce((least, cell, k) => (byNode(cell, cells[least]) < 0 ? k : least), 0);
}
