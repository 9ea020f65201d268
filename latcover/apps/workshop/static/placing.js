// Placements: every way to put an orientation of a part into the region, sorted by part, orientation and anchor, as
// latcover/core/encoding/placement.py lists them; and the cover problem of a design, as latcover/core/encoding/encode.py makes it.

import { anchorOrder, motionsFor, orientationsOf } from "./orientations.js";
import { PlaceRules, ruleItems, shapeOf } from "./rule_items.js";
import { SideRules } from "./side_rules.js";

/** @import { Cell } from "./web_types.js" */
/** @import { Cover } from "./play_types.js" */
/** @import { Design, DesignPart, Orientation, WorkshopLattice } from "./workshop_types.js" */

export const MOST_PLACEMENTS = 200_000; // as in a published page: phones take more only slowly
const MOST_PLACES = 20_000_000; // of the box around the region

/** The design asks for more than a page can do, or for what cannot be. */
export class DesignFault extends Error {}

/** Finds the numbers of a region's cells. The cells are in anchor order: the longest axis is the slowest. */
export class Ground {
  /** @param {WorkshopLattice} lattice @param {Design["region"]} region @param {Map<string, number>} values of sides, by name */
  constructor(lattice, { cells, colours, optional, max_empty: most, sides = [], alike = [] }, values) {
    const axes = lattice.basis.map((_, axis) => axis);
    const along = (/** @type {number} */ axis) => cells.map((cell) => cell[axis + 1]);
    this.low = axes.map((axis) => along(axis).reduce((a, b) => Math.min(a, b)));
    this.sizes = axes.map((axis) => along(axis).reduce((a, b) => Math.max(a, b)) - this.low[axis] + 1);
    this.axes = axes.sort((a, b) => this.sizes[b] - this.sizes[a] || a - b);
    const compare = anchorOrder(this.axes);
    const order = cells.map((_, k) => k).sort((a, b) => compare(cells[a], cells[b]));
    this.cells = order.map((k) => cells[k]);
    this.colours = order.map((k) => colours?.[k] ?? 0);
    this.optional = order.map((k) => Boolean(optional?.[k]) || lattice.nodes[cells[k][0]].secondary);
    const free = this.cells.map(([node], k) => this.optional[k] && !lattice.nodes[node].secondary);
    const binds = most !== null && most !== undefined && most < free.filter(Boolean).length;
    this.bounded = free.map((one) => one && binds); // the cells of which so many may stay empty
    this.most = most ?? 0;
    const places = this.sizes.reduce((product, size) => product * size, lattice.nodes.length);
    if (places > MOST_PLACES) throw new DesignFault("The cells of the region lie too far apart for this page.");
    this.numbers = new Int32Array(places).fill(-1);
    this.cells.forEach((cell, k) => (this.numbers[this.placeOf(cell)] = k));
    this.sides = sides.flatMap(([cell, edge, value]) =>
      this.find(cell) < 0 ? [] : [{ cell: this.find(cell), edge, value: values.get(value) ?? 0 }],
    );
    this.alike = alike.map((group) => new Set(group.map((cell) => this.find(cell)).filter((number) => number >= 0)));
  }

  /** The place of a cell in the box around the region; -1 outside. @param {Cell} cell */
  placeOf(cell) {
    let place = cell[0];
    for (let axis = 0; axis < this.low.length; axis += 1) {
      const x = cell[axis + 1] - this.low[axis];
      if (x < 0 || x >= this.sizes[axis]) return -1;
      place = place * this.sizes[axis] + x;
    }
    return place;
  }

  /** The number of a cell; -1 outside the region. @param {Cell} cell */
  find(cell) {
    const place = this.placeOf(cell);
    return place < 0 ? -1 : this.numbers[place];
  }
}

/** All placements of a design's parts; the anchor comes first in each. */
export class Placements {
  /** @param {WorkshopLattice} lattice @param {Design} design @param {(share: number) => void} [tell] how far it is */
  constructor(lattice, { region, parts, colours = [""], rules = {}, sides = {}, unjudged = [] }, tell = () => {}) {
    if (unjudged.length)
      throw new DesignFault(
        `This page does not judge ${unjudged.join("; ")}. Save the puzzle: latcover on your machine solves it.`,
      );
    this.lattice = lattice;
    this.colours = colours;
    this.rules = rules;
    this.values = new SideRules(sides);
    this.ground = new Ground(lattice, region, this.values.numbers);
    this.judge = new PlaceRules(this);
    /** @type {(DesignPart & { most: number, allowed: number[], shape: Required<import("./workshop_types.js").Sided> })[]} */
    this.parts = parts.map((part) => ({
      ...part,
      most: Math.min(part.high ?? Infinity, Math.floor(region.cells.length / part.cells.length)),
      allowed: motionsFor(lattice, part.motions),
      shape: shapeOf(part, this.values.numbers),
    }));
    /** @type {Orientation[]} */
    this.orientations = [];
    this.first = [0]; // the first orientation of each part, and how many there are
    /** @type {number[]} */
    this.orientation = []; // of each placement
    /** @type {number[]} */
    this.partOf = [];
    /** @type {Int32Array[]} */
    this.rows = []; // the numbers of each placement's cells, in the order of its orientation
    const at = this.ground.cells.map((_, k) => k);
    this.atNode = lattice.nodes.map((_, node) => at.filter((k) => this.ground.cells[k][0] === node));
    this.parts.forEach((part, number) => {
      for (const one of orientationsOf(lattice, part.shape, part.allowed, this.ground.axes)) this.place(one, number);
      this.first.push(this.orientations.length);
      tell((number + 1) / parts.length);
    });
  }

  get length() {
    return this.rows.length;
  }

  /** The number of the cell that lies beside each cell of a node as one lies beside that at the origin; -1 outside. @param {number} node @param {Cell} there */
  beside(node, [target, ...step]) {
    const { ground } = this;
    return ground.cells.map(([own, ...x]) =>
      own === node ? ground.find([target, ...x.map((value, axis) => value + step[axis])]) : -1,
    );
  }

  /** @param {Orientation} one @param {number} part */
  place(one, part) {
    const { ground } = this;
    const number = this.orientations.push(one) - 1;
    const cells = one.cells;
    const row = new Int32Array(cells.length);
    for (const anchor of this.atNode[cells[0][0]]) {
      const from = ground.cells[anchor];
      let k = 0;
      for (; k < cells.length; k += 1) {
        row[k] = ground.find(/** @type {Cell} */ (cells[k].map((x, axis) => (axis ? x + from[axis] : x))));
        if (row[k] < 0) break;
      }
      if (k < cells.length || !this.judge.admits(one, row)) continue;
      if (this.length >= MOST_PLACEMENTS)
        throw new DesignFault(
          `The parts fit in more than ${MOST_PLACEMENTS.toLocaleString("en")} places, which is too much for this page. ` +
            "Save the puzzle: latcover on your machine solves it.",
        );
      this.rows.push(row.slice());
      this.orientation.push(number);
      this.partOf.push(part);
    }
  }
}

/**
 * The item of each part; -1 for a part that may be absent and of which the region cannot hold too many copies.
 * @param {Placements} table
 */
export function partItems({ parts, ground }) {
  let next = ground.cells.length;
  return parts.map((part) =>
    part.low > 0 || part.most < Math.floor(ground.cells.length / part.cells.length) ? next++ : -1,
  );
}

/**
 * The whole cover problem: items are the cells, then the parts, then those of rules; if only so many cells may stay empty, each
 * empty cell is a copy of one more part. Options are the placements, and then those that leave a cell empty.
 * @param {Placements} table @returns {Cover & { words: string[] }} `words`: what the items of rules are about
 */
export function coverOf(table) {
  const { ground, parts } = table;
  const nCells = ground.cells.length;
  const item = partItems(table);
  const rules = ruleItems(table);
  const must = new Set(rules.empty);
  const empty = [...rules.empty, ...ground.bounded.flatMap((one, cell) => (one && !must.has(cell) ? [cell] : []))];
  const isBounded = ground.bounded.some(Boolean);
  const nOwn = item.filter((one) => one >= 0).length;
  const nParts = nOwn + Number(isBounded);
  const options = [
    ...table.rows.map((row, k) => {
      const own = item[table.partOf[k]];
      return [...row].sort((a, b) => a - b).concat(own >= 0 ? [own] : []);
    }),
    ...empty.map((cell) => (ground.bounded[cell] ? [cell, nCells + nOwn] : [cell])),
  ];
  const isColoured = rules.items.some(({ colours }) => colours);
  const shades = isColoured ? options.map((one) => one.map(() => 0)) : [];
  rules.items.forEach(({ options: own, colours }, k) =>
    own.forEach((option, j) => {
      options[option].push(nCells + nParts + k);
      if (isColoured) shades[option].push(colours?.[j] ?? 0);
    }),
  );
  const starts = new Int32Array(options.length + 1);
  options.forEach((one, k) => (starts[k + 1] = starts[k] + one.length));
  const nItems = nCells + nParts + rules.items.length;
  const [low, high] = [new Int32Array(nItems), new Int32Array(nItems).fill(1)];
  ground.optional.forEach((free, cell) => (low[cell] = free ? 0 : 1));
  for (const cell of empty) low[cell] = 1;
  parts.forEach((part, k) => {
    if (item[k] < 0) return;
    low[item[k]] = part.low;
    high[item[k]] = Math.max(part.low, part.most);
  });
  if (isBounded) high[nCells + nOwn] = ground.most;
  const items = Int32Array.from(options.flat());
  const colours = isColoured ? Int32Array.from(shades.flat()) : null;
  return { starts, items, low, high, colours, nCells, nParts, words: rules.items.map(({ word }) => word) };
}
