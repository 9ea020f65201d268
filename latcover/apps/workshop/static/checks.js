// What is wrong with a design as a whole, as latcover/core/model/puzzle_checks.py says it; and what is merely odd.

import { keyOf } from "./geometry.js";
import { motionsFor, orientationsOf } from "./orientations.js";
import { shapeOf } from "./rule_items.js";
import { SideRules } from "./side_rules.js";

/** @import { PagePuzzle, WorkshopLattice } from "./workshop_types.js" */

/**
 * The faults of a puzzle, for which it is not solved.
 * @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice @returns {string[]}
 */
export function faultsOf(puzzle, lattice) {
  const { region, parts, data } = puzzle;
  if (!region.cells.length) return ["the region has no cells; fill some"];
  const empty = parts.filter(({ cells }) => !cells.length);
  if (empty.length) return empty.map(({ name }) => `part '${name}' has no cells; fill some, or take it away`);
  const wrong = parts.filter(({ low, high }) => high !== null && high < low);
  return [
    ...wrong.map(({ name, low }) => `the most copies of part '${name}' must be at least the fewest, ${low}`),
    ...repeated(parts.map(({ name }) => name)).map(
      (name) => `a second part is named '${name}'; for copies of one part use a count`,
    ),
    ...crossings(puzzle, lattice),
    ...(wrong.length || data.goals ? [] : volume(puzzle, lattice)), // a goal fills a part of its board
  ];
}

/** What is odd about a puzzle. @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice @returns {string[]} */
export function warningsOf({ parts, sides }, lattice) {
  const { numbers } = new SideRules(sides);
  const axes = lattice.basis.map((_, axis) => axis);
  /** @type {Map<string, string>} */ const seen = new Map();
  return parts.flatMap((part) => {
    const { name, motions } = part;
    const shapes = orientationsOf(lattice, shapeOf(part, numbers), motionsFor(lattice, motions), axes).map(
      ({ key }) => key,
    );
    const key = shapes.sort().join("; ");
    const other = seen.get(key);
    if (other === undefined) seen.set(key, name);
    return other === undefined
      ? []
      : [
          `part '${name}' equals part '${other}': solutions that only exchange them are counted separately; use one part ` +
            "with a count to merge them",
        ];
  });
}

/** @param {string[]} names */
const repeated = (names) => names.filter((name, k) => names.indexOf(name) < k);

/**
 * Parts that run straight through cells of secondary nodes, such as junctions of sticks, without holding them.
 * @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice
 */
function crossings({ region, parts }, lattice) {
  const { edges, nodes, drawing } = lattice;
  const there = new Set(region.cells.map(([node]) => node));
  return parts.flatMap(({ name, cells }) => {
    const held = new Set(cells.map(keyOf));
    const crossed = drawing.straight.some(([side, on]) =>
      cells.some(([node, ...x]) => {
        if (node !== edges[side].target || !there.has(edges[side].node)) return false;
        const middle = x.map((value, axis) => value - edges[side].step[axis]);
        const beyond = middle.map((value, axis) => value + edges[on].step[axis]);
        return held.has(keyOf([edges[on].target, ...beyond])) && !held.has(keyOf([edges[side].node, ...middle]));
      }),
    );
    const secondary = nodes.filter((node) => node.secondary).map((node) => `'${node.name}'`);
    return crossed
      ? [
          `part '${name}' runs straight through cells of ${secondary.join(", ")} that it does not hold, so other parts could ` +
            "cross it there: add these cells to it",
        ]
      : [];
  });
}

/**
 * Whether the parts can hold as many cells as the region needs.
 * @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice
 */
function volume({ region, parts }, lattice) {
  const n = region.cells.length;
  const optional = region.cells.map(([node], k) => region.optional[k] || lattice.nodes[node].secondary);
  const free = region.cells.filter(([node], k) => optional[k] && !lattice.nodes[node].secondary).length;
  const binds = region.max_empty !== null && region.max_empty !== undefined && region.max_empty < free;
  const mandatory = n - optional.filter(Boolean).length + (binds ? free - (region.max_empty ?? 0) : 0);
  const large = parts.find(({ cells, low }) => cells.length * low > n);
  if (large)
    return [
      `the volume cannot fit: part '${large.name}' holds ${large.cells.length * large.low} cells, the region ${n}`,
    ];
  const most = parts.map(({ cells, high }) => Math.min(high ?? Infinity, Math.floor(n / cells.length)));
  if (reachable(parts, most, n).some((fits, size) => fits && size >= mandatory)) return [];
  const [least, greatest] = [
    parts.reduce((sum, { cells, low }) => sum + cells.length * low, 0),
    parts.reduce((sum, { cells }, k) => sum + cells.length * most[k], 0),
  ];
  const hold = least === greatest ? `the parts hold ${least}` : `the parts can hold from ${least} to ${greatest}`;
  const has = n === mandatory ? `${n}` : `${mandatory} to ${n}`;
  const none = least <= n && greatest >= mandatory ? ", but no such number" : "";
  const mend = greatest < mandatory ? "; add parts, or let cells stay empty" : "";
  return [`the volume cannot fit: the region has ${has} cells, ${hold}${none}${mend}`];
}

/**
 * Which numbers of cells allowed numbers of copies can hold, up to the size of the region.
 * @param {PagePuzzle["parts"]} parts @param {number[]} most @param {number} n
 */
function reachable(parts, most, n) {
  let found = Array.from({ length: n + 1 }, (_, size) => size === 0);
  parts.forEach(({ cells, low }, k) => {
    /** @type {number[]} */
    const copies = found.map((fits) => (fits ? 0 : -1)); // how many more of this part the number takes; −1: it cannot be
    for (let size = 0; size <= n; size += 1) {
      const before = copies[size - cells.length] ?? -1;
      if (copies[size] < 0 && before >= 0 && before < most[k] - low) copies[size] = before + 1;
    }
    found = found.map((_, size) => (copies[size - cells.length * low] ?? -1) >= 0);
  });
  return found;
}
