// Orientations: the distinct images of a part under its motions, moved so that the least cell, the anchor, lies in the
// unit at the origin. As latcover/core/model/orientation.py makes them, in the same order.

import { image } from "./motions.js";
import { entry } from "./tables.js";

/** @import { Cell } from "./web_types.js" */
/** @import { Moved, Orientation, Sided, WorkshopLattice } from "./workshop_types.js" */

/**
 * The numbers of the motions that words stand for, the identity first: breadth-first over the generators.
 * @param {WorkshopLattice} lattice @param {string | string[]} words @returns {number[]}
 */
export function motionsFor({ group }, words) {
  if (words === "fixed") return [0];
  if (words === "rotations") return group.rotations;
  if (words === "reflections") return group.motions.map((_, k) => k);
  const tables = [words].flat().map((name) => entry(group.generators, name) ?? []);
  if (tables.some((table) => !table.length)) throw new Error(`this lattice has no motion ${[words].flat().join(", ")}`);
  const found = [0];
  const seen = new Set(found);
  for (const element of found)
    for (const then of tables)
      if (!seen.has(then[element])) {
        seen.add(then[element]);
        found.push(then[element]);
      }
  return found;
}

/** Compares cells by the axes, slowest first, and then by node. @param {number[]} axes */
export function anchorOrder(axes) {
  return (/** @type {Cell} */ one, /** @type {Cell} */ other) => {
    for (const axis of axes) if (one[axis + 1] !== other[axis + 1]) return one[axis + 1] - other[axis + 1];
    return one[0] - other[0];
  };
}

/**
 * The image of a shape under a motion: in anchor order, the anchor in the unit at the origin.
 * @param {WorkshopLattice} lattice @param {number} number @param {Sided} shape @param {number[]} axes @returns {Moved}
 */
export function moved(lattice, number, { cells, colours = [], sides = [] }, axes) {
  const compare = anchorOrder(axes);
  const motion = lattice.group.motions[number];
  const images = cells.map((cell, k) => ({ cell: image(motion, cell), k }));
  images.sort((one, other) => compare(one.cell, other.cell));
  const [, ...from] = images[0].cell;
  const home = images.map(({ cell: [node, ...x] }) => [node, ...x.map((value, axis) => value - from[axis])]);
  const order = images.map(({ k }) => k);
  const tints = order.map((k) => colours[k] ?? 0);
  const borne = sides.map(([k, edge, value]) => [order.indexOf(k), motion.edges[edge], value]);
  borne.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const more = tints.some(Boolean) || borne.length ? ` | ${tints} | ${borne.join(" ")}` : "";
  return { cells: home, colours: tints, sides: borne, order, key: home.join(" ") + more };
}

/**
 * The distinct orientations of a shape under motions, each with the first motion that makes it.
 * @param {WorkshopLattice} lattice @param {Sided} shape @param {number[]} motions @param {number[]} axes
 * @returns {Orientation[]}
 */
export function orientationsOf(lattice, shape, motions, axes) {
  /** @type {Map<string, Orientation>} */
  const found = new Map();
  for (const motion of motions) {
    const one = moved(lattice, motion, shape, axes);
    if (!found.has(one.key)) found.set(one.key, { ...one, motion });
  }
  return [...found.values()];
}
