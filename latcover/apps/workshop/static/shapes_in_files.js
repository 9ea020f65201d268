// Cells as puzzle files have them: a box, a drawing or a list (docs/reference/puzzle-files.md).

import { anchorOrder } from "./orientations.js";

/** @import { Cell } from "./web_types.js" */
/** @import { WorkshopLattice } from "./workshop_types.js" */

export const WAYS = ["box", "art", "layers", "cells"];
const [CELL, NONE, OPTIONAL] = ["X#", "._ ", "+"];
const SPARSE = 6; // if a drawing has more places than this for each cell, a list of cells reads better
const MOST_CELLS = 100_000;
const MOST_ROOM = 1 << 26; // places of the box around some cells, as latcover bounds it
const FARTHEST = 1_000_000; // a coordinate
const PLAIN = { signs: new Map(), names: [""] };

/** What is wrong with a file, in words for its reader. */
export class FileFault extends Error {}

/** Colours by their signs in drawings and by their names. @typedef {{ signs: Map<string, number>, names: string[] }} Paints */

/**
 * The cells of a table, their colours, and which of them may stay empty: some of a region's drawing.
 * @param {WorkshopLattice} lattice @param {Record<string, any>} table @param {string} what @param {Paints} [paints]
 * @param {boolean} [isRegion] @returns {{ cells: Cell[], colours: number[], optional: boolean[] }}
 */
export function cellsIn(lattice, table, what, paints = PLAIN, isRegion = false) {
  const ways = WAYS.filter((way) => way in table);
  if (ways.length !== 1) throw new FileFault(`${what} must have exactly one of ${WAYS.join(", ")}`);
  const [way] = ways;
  const found =
    way === "box" ? boxed(lattice, table.box, what) : way === "cells" ? listed(lattice, table.cells, what) : null;
  const { cells, optional, colours } = found
    ? { cells: found, optional: [], colours: coloursIn(table, found.length, what, paints) }
    : drawn(lattice, way, table[way], what, paints);
  if (!cells.length) throw new FileFault(`${what} has no cells`);
  if (cells.length > MOST_CELLS) throw new FileFault(tooLarge(what));
  if (new Set(cells.map((cell) => cell.join())).size < cells.length) throw new FileFault(`${what} has a cell twice`);
  if (!isRegion && optional.includes(true))
    throw new FileFault(`${what} has the character "+"; only cells of a region may stay empty`);
  const room = lattice.basis.reduce((product, _, axis) => {
    const [low, high] = [Math.min, Math.max].map((end) =>
      cells.reduce((x, cell) => end(x, cell[axis + 1]), cells[0][axis + 1]),
    );
    return product * (high - low + 1);
  }, 1);
  if (room > MOST_ROOM) throw new FileFault(`${what} has cells too far apart`);
  return { cells, optional, colours };
}

/**
 * The colours of listed cells. @param {Record<string, any>} table @param {number} many @param {string} what @param {Paints} paints
 */
function coloursIn(table, many, what, { names }) {
  const given = table.colours ?? [];
  if (given.length && (!("cells" in table) || given.length !== many))
    throw new FileFault(`${what}: colours must be one for each of its ${many} cells`);
  return Array.from({ length: many }, (_, k) => colourNumber(names, given[k] ?? "", what));
}

/** The number of a colour; 0 for "". @param {string[]} names @param {string} name @param {string} what */
export function colourNumber(names, name, what) {
  const found = names.indexOf(name);
  if (found < 0) throw new FileFault(`${what}: no colour is called ${JSON.stringify(name)}`);
  return found;
}

/**
 * The cells of a region without its holes, which of them may stay empty, and how many.
 * @param {WorkshopLattice} lattice @param {Record<string, any>} table @param {Paints} paints
 * @returns {{ cells: Cell[], colours: number[], optional: boolean[], max_empty: number | null }}
 */
export function regionIn(lattice, table, paints) {
  const { cells, optional, colours } = cellsIn(lattice, table, "the region", paints, true);
  const left = new Map(cells.map((cell, k) => [cell.join(), k]));
  const what = "a hole of the region";
  for (const hole of [table.minus ?? []].flat()) {
    for (const cell of groupIn(lattice, hole, what))
      if (!left.delete(cell.join())) throw new FileFault(`${what} has a cell that the region has not`);
  }
  if (!left.size) throw new FileFault("the region has no cells");
  const isAll = table.optional === "all";
  const free = new Set(
    listed(lattice, isAll ? [] : (table.optional ?? []), "optional cells of the region").map((cell) => cell.join()),
  );
  const other = [...free].find((cell) => !left.has(cell));
  if (other) throw new FileFault(`optional cells of the region: it has no cell ${other}`);
  const kept = [...left.entries()].map(([key, k]) => ({
    cell: cells[k],
    colour: colours[k],
    isMarked: isAll || Boolean(optional[k]) || free.has(key),
  }));
  const { max_empty = null } = table;
  const isAny = max_empty > 0 && !kept.some(({ isMarked }) => isMarked); // so many cells are left over, whichever they are
  return {
    cells: kept.map(({ cell }) => cell),
    colours: kept.map(({ colour }) => colour),
    optional: kept.map(({ cell, isMarked }) => isAny || isMarked || lattice.nodes[cell[0]].secondary),
    max_empty,
  };
}

/**
 * Some cells of a region, moved by `at`.
 * @param {WorkshopLattice} lattice @param {Record<string, any>} table @param {string} what @returns {Cell[]}
 */
export function groupIn(lattice, table, what) {
  const { at = lattice.basis.map(() => 0) } = table;
  if (at.length !== lattice.basis.length || !at.every(isNear))
    throw new FileFault(`${what}: at must be ${lattice.basis.length} whole numbers`);
  return cellsIn(lattice, table, what).cells.map(([node, ...x]) => [node, ...x.map((value, axis) => value + at[axis])]);
}

/** @param {string} what */
const tooLarge = (what) =>
  `${what} has more than ${MOST_CELLS.toLocaleString("en")} cells, more than this page can draw`;

/** @param {number} x */
const isNear = (x) => Number.isInteger(x) && Math.abs(x) <= FARTHEST;

/** @param {WorkshopLattice} lattice @param {any} sizes @param {string} what @returns {Cell[]} */
function boxed({ basis, nodes }, sizes, what) {
  const sound = sizes.length === basis.length && sizes.every((/** @type {number} */ n) => isNear(n) && n > 0);
  if (!sound) throw new FileFault(`${what}: box must be ${basis.length} whole numbers from 1`);
  if (sizes.reduce((/** @type {number} */ product, /** @type {number} */ n) => product * n, nodes.length) > MOST_CELLS)
    throw new FileFault(tooLarge(what));
  let units = /** @type {number[][]} */ ([[]]);
  for (const size of sizes) units = units.flatMap((unit) => Array.from({ length: size }, (_, x) => [...unit, x]));
  return units.flatMap((unit) => nodes.map((_, node) => [node, ...unit]));
}

/** @param {WorkshopLattice} lattice @param {any[][]} rows @param {string} what @returns {Cell[]} */
export function listed({ basis, nodes }, rows, what) {
  return rows.map((row) => {
    const axes = basis.length;
    const coordinates = row.slice(0, axes);
    const node = nodes.length > 1 ? nodes.findIndex(({ name }) => name === row[axes]) : 0;
    if (
      coordinates.length !== axes ||
      !coordinates.every(isNear) ||
      node < 0 ||
      row.length !== axes + Number(nodes.length > 1)
    ) {
      const names = nodes.length > 1 ? ` and one of the names ${nodes.map(({ name }) => name).join(", ")}` : "";
      throw new FileFault(`${what}: [${row.join(", ")}] is no cell; write ${axes} whole numbers${names}`);
    }
    return [node, ...coordinates];
  });
}

/** @param {WorkshopLattice} lattice @param {string} way @param {any} given @param {string} what @param {Paints} paints */
function drawn({ basis, nodes }, way, given, what, { signs }) {
  const axes = way === "art" ? 2 : 3; // a drawing of one layer lies at the bottom
  if (nodes.length > 1 || ![axes, 3].includes(basis.length))
    throw new FileFault(
      `${what}: ${way} draws cells of lattices with one kind of cell and ${axes} axes; list the cells`,
    );
  const [cells, optional] = [/** @type {Cell[]} */ ([]), /** @type {boolean[]} */ ([])];
  /** @type {number[]} */ const colours = [];
  /** @type {(string | string[])[]} */ const layers = way === "art" ? [given] : given;
  layers.forEach((layer, z) => {
    const rows = typeof layer === "string" ? layer.split("\n") : layer;
    rows.forEach((row, x) =>
      [...row].forEach((sign, y) => {
        if (NONE.includes(sign)) return;
        if (!CELL.includes(sign) && sign !== OPTIONAL && !signs.has(sign))
          throw new FileFault(`${what}: the drawing has the character ${JSON.stringify(sign)}; X is a cell, . is not`);
        cells.push(basis.length === 3 ? [0, x, y, z] : [0, x, y]);
        optional.push(sign === OPTIONAL);
        colours.push(signs.get(sign) ?? 0);
      }),
    );
  });
  return { cells, optional, colours };
}

/** A cell as files have it. @param {WorkshopLattice} lattice @param {Cell} cell */
export const writtenCell = ({ nodes }, [node, ...x]) => (nodes.length > 1 ? [...x, nodes[node].name] : x);

/** The least coordinates of cells. @param {WorkshopLattice} lattice @param {Cell[]} cells */
export const lowOf = ({ basis }, cells) =>
  basis.map((_, axis) => cells.reduce((least, cell) => Math.min(least, cell[axis + 1]), Infinity));

/**
 * Cells as a table: drawn where that reads well. `low`: where their drawing begins; `optional` says which of them may stay
 * empty; `colours` are numbers, and `paints` has their signs and names.
 * @param {WorkshopLattice} lattice @param {Cell[]} given @param {number[]} low
 * @param {{ optional?: boolean[], colours?: number[], paints?: Paints }} [more] @returns {Record<string, any>}
 */
export function cellsAsTable(lattice, given, low, { optional = [], colours = [], paints = PLAIN } = {}) {
  const compare = anchorOrder(low.map((_, axis) => axis));
  const rows = given.map(([node, ...x], k) => ({
    cell: /** @type {Cell} */ ([node, ...x.map((value, a) => value - low[a])]),
    free: Boolean(optional[k]) && !lattice.nodes[node].secondary,
    colour: colours[k] ?? 0,
  }));
  rows.sort((one, other) => compare(one.cell, other.cell));
  const sizes = low.map((_, axis) => rows.reduce((most, { cell }) => Math.max(most, cell[axis + 1] + 1), 0));
  const isHome = rows.every(({ cell }) => cell.every((x) => x >= 0));
  const room = sizes.reduce((product, size) => product * size, lattice.nodes.length);
  const free = rows.filter((row) => row.free).map(({ cell }) => cell);
  const isPlain = !rows.some(({ colour }) => colour);
  const draws = lattice.nodes.length === 1 && [2, 3].includes(sizes.length) && isHome;
  if (isHome && rows.length === room && !free.length && isPlain && (!draws || room > 8)) return { box: sizes };
  const signs = new Map([...paints.signs].map(([sign, colour]) => [colour, sign]));
  if (draws && room <= SPARSE * rows.length + SPARSE && !rows.some((row) => row.free && row.colour)) {
    const layers = drawing(rows, sizes, signs);
    return sizes.length === 2 ? { art: layers[0] } : { layers };
  }
  return {
    cells: rows.map(({ cell }) => writtenCell(lattice, cell)),
    ...(isPlain ? {} : { colours: rows.map(({ colour }) => paints.names[colour]) }),
    ...(free.length ? { optional: free.map((cell) => writtenCell(lattice, cell)) } : {}),
  };
}

/** @param {{ cell: Cell, free: boolean, colour: number }[]} rows @param {number[]} sizes @param {Map<number, string>} signs */
function drawing(rows, [height, width, depth = 1], signs) {
  const layers = Array.from({ length: depth }, () => Array.from({ length: height }, () => Array(width).fill(".")));
  for (const { cell, free, colour } of rows)
    layers[cell[3] ?? 0][cell[1]][cell[2]] = free ? OPTIONAL : (signs.get(colour) ?? CELL[0]);
  return layers.map((layer) => layer.map((row) => row.join("")));
}
