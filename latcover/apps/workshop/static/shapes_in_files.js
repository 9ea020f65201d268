// Cells as puzzle files have them: a box, a drawing or a list (docs/reference/puzzle-files.md).

import { anchorOrder } from "./orientations.js";

/** @import { Cell } from "./web_types.js" */
/** @import { WorkshopLattice } from "./workshop_types.js" */

export const WAYS = ["box", "art", "layers", "cells"];
const [CELL, NONE, OPTIONAL] = ["X#", "._ ", "+"];
const SPARSE = 6; // if a drawing has more places than this for each cell, a list of cells reads better
const MOST_CELLS = 100_000;

/** What is wrong with a file, in words for its reader. */
export class FileFault extends Error {}

/**
 * The cells of a table, and which of them may stay empty.
 *
 * @param {WorkshopLattice} lattice
 * @param {Record<string, any>} table
 * @param {string} what
 * @returns {{ cells: Cell[], optional: boolean[] }}
 */
export function cellsIn(lattice, table, what) {
  const ways = WAYS.filter((way) => way in table);
  if (ways.length !== 1) throw new FileFault(`${what} must have exactly one of ${WAYS.join(", ")}`);
  const [way] = ways;
  const found =
    way === "box" ? boxed(lattice, table.box, what) : way === "cells" ? listed(lattice, table.cells, what) : null;
  const { cells, optional } = found ? { cells: found, optional: [] } : drawn(lattice, way, table[way], what);
  if (!cells.length) throw new FileFault(`${what} has no cells`);
  if (cells.length > MOST_CELLS) throw new FileFault(`${what} has more than ${MOST_CELLS.toLocaleString("en")} cells`);
  if (new Set(cells.map((cell) => cell.join())).size < cells.length) throw new FileFault(`${what} has a cell twice`);
  return { cells, optional };
}

/**
 * The cells of a region without its holes, and which of them may stay empty.
 *
 * @param {WorkshopLattice} lattice
 * @param {Record<string, any>} table
 * @returns {{ cells: Cell[], optional: boolean[] }}
 */
export function regionIn(lattice, table) {
  const { cells, optional } = cellsIn(lattice, table, "the region");
  const left = new Map(cells.map((cell, k) => [cell.join(), k]));
  const what = "a hole of the region";
  for (const hole of [table.minus ?? []].flat()) {
    const { at = lattice.basis.map(() => 0) } = hole;
    if (!Array.isArray(at) || at.length !== lattice.basis.length || !at.every(Number.isInteger))
      throw new FileFault(`${what}: at must be ${lattice.basis.length} whole numbers`);
    for (const [node, ...x] of cellsIn(lattice, hole, what).cells)
      if (!left.delete([node, ...x.map((value, axis) => value + at[axis])].join()))
        throw new FileFault(`${what} has a cell that the region has not`);
  }
  if (!left.size) throw new FileFault("the region has no cells");
  const kept = [...left.values()];
  return { cells: kept.map((k) => cells[k]), optional: kept.map((k) => optional[k]) };
}

/**
 * @param {WorkshopLattice} lattice
 * @param {any} sizes
 * @param {string} what
 * @returns {Cell[]}
 */
function boxed({ basis, nodes }, sizes, what) {
  const sound =
    Array.isArray(sizes) && sizes.length === basis.length && sizes.every((n) => Number.isInteger(n) && n > 0);
  if (!sound) throw new FileFault(`${what}: box must be ${basis.length} whole numbers from 1`);
  if (sizes.reduce((product, n) => product * n, nodes.length) > MOST_CELLS)
    throw new FileFault(`${what} has more than ${MOST_CELLS.toLocaleString("en")} cells`);
  let units = /** @type {number[][]} */ ([[]]);
  for (const size of sizes) units = units.flatMap((unit) => Array.from({ length: size }, (_, x) => [...unit, x]));
  return units.flatMap((unit) => nodes.map((_, node) => [node, ...unit]));
}

/**
 * @param {WorkshopLattice} lattice
 * @param {any} rows
 * @param {string} what
 * @returns {Cell[]}
 */
export function listed({ basis, nodes }, rows, what) {
  if (!Array.isArray(rows)) throw new FileFault(`${what}: cells must be a list of cells`);
  return rows.map((row) => {
    const axes = basis.length;
    const coordinates = Array.isArray(row) ? row.slice(0, axes) : [];
    const node = nodes.length > 1 && Array.isArray(row) ? nodes.findIndex(({ name }) => name === row[axes]) : 0;
    const whole = coordinates.length === axes && coordinates.every((x) => Number.isInteger(x) && Math.abs(x) <= 1e6);
    if (!whole || node < 0 || row.length !== axes + Number(nodes.length > 1)) {
      const names = nodes.length > 1 ? ` and one of the names ${nodes.map(({ name }) => name).join(", ")}` : "";
      throw new FileFault(`${what}: ${JSON.stringify(row)} is no cell; write ${axes} whole numbers${names}`);
    }
    return [node, ...coordinates];
  });
}

/**
 * @param {WorkshopLattice} lattice
 * @param {string} way
 * @param {any} given
 * @param {string} what
 */
function drawn({ basis, nodes }, way, given, what) {
  const axes = way === "art" ? 2 : 3; // a drawing of one layer lies at the bottom
  if (nodes.length > 1 || ![axes, 3].includes(basis.length))
    throw new FileFault(
      `${what}: ${way} draws cells of lattices with one kind of cell and ${axes} axes; list the cells`,
    );
  const [cells, optional] = [/** @type {Cell[]} */ ([]), /** @type {boolean[]} */ ([])];
  const layers = way === "art" ? [given] : Array.isArray(given) ? given : [];
  layers.forEach((layer, z) => {
    const rows = typeof layer === "string" ? layer.replace(/^\n/, "").replace(/\n$/, "").split("\n") : layer;
    if (!Array.isArray(rows) || !rows.every((row) => typeof row === "string"))
      throw new FileFault(`${what}: ${way} must be rows of text`);
    rows.forEach((row, x) =>
      [...row].forEach((sign, y) => {
        if (NONE.includes(sign)) return;
        if (!CELL.includes(sign) && sign !== OPTIONAL)
          throw new FileFault(`${what}: the drawing has the character ${JSON.stringify(sign)}; X is a cell, . is none`);
        cells.push(basis.length === 3 ? [0, x, y, z] : [0, x, y]);
        optional.push(sign === OPTIONAL);
      }),
    );
  });
  return { cells, optional };
}

/**
 * Cells as a table, moved to the origin: `optional` says which of them may stay empty.
 *
 * @param {WorkshopLattice} lattice
 * @param {Cell[]} given
 * @param {boolean[]} [optional]
 * @returns {Record<string, any>}
 */
export function cellsAsTable(lattice, given, optional = []) {
  const low = lattice.basis.map((_, axis) => given.reduce((least, cell) => Math.min(least, cell[axis + 1]), Infinity));
  const compare = anchorOrder(low.map((_, axis) => axis));
  const rows = given.map(([node, ...x], k) => ({
    cell: [node, ...x.map((value, a) => value - low[a])],
    free: optional[k],
  }));
  rows.sort((one, other) => compare(one.cell, other.cell));
  const sizes = low.map((_, axis) => rows.reduce((most, { cell }) => Math.max(most, cell[axis + 1] + 1), 0));
  const room = sizes.reduce((product, size) => product * size, lattice.nodes.length);
  const free = rows.filter((row) => row.free && !lattice.nodes[row.cell[0]].secondary).map(({ cell }) => cell);
  const draws = lattice.nodes.length === 1 && [2, 3].includes(sizes.length);
  if (rows.length === room && !free.length && (!draws || room > 8)) return { box: sizes };
  if (draws && room <= SPARSE * rows.length + SPARSE) {
    const layers = drawing(rows, sizes);
    return sizes.length === 2 ? { art: layers[0] } : { layers };
  }
  const written = (/** @type {Cell} */ [node, ...x]) =>
    lattice.nodes.length > 1 ? [...x, lattice.nodes[node].name] : x;
  return {
    cells: rows.map(({ cell }) => written(cell)),
    ...(free.length ? { optional: free.map(written) } : {}),
  };
}

/**
 * @param {{ cell: Cell, free: boolean }[]} rows
 * @param {number[]} sizes
 */
function drawing(rows, [height, width, depth = 1]) {
  const layers = Array.from({ length: depth }, () => Array.from({ length: height }, () => Array(width).fill(".")));
  for (const { cell, free } of rows) layers[cell[3] ?? 0][cell[1]][cell[2]] = free ? OPTIONAL : CELL[0];
  return layers.map((layer) => layer.map((row) => row.join("")));
}
