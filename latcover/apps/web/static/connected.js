// Whether the cells of a shape hold together.

import { keyOf } from "./geometry.js";
import { shifted } from "./motions.js";

/** @import { Cell, Entry, Lattice } from "./web_types.js" */

/**
 * The sets of cells, by key, that touch each other along half-edges; the largest first.
 * @param {Lattice} lattice @param {Map<string, Entry>} chosen
 */
export function componentsOf(lattice, chosen) {
  const left = new Map(chosen);
  const found = [];
  while (left.size) {
    const [[first, entry]] = left;
    const keys = new Set([first]);
    const ahead = [entry.cell];
    left.delete(first);
    for (let cell = ahead.pop(); cell; cell = ahead.pop()) {
      const [node, ...at] = cell;
      for (const edge of lattice.edges) {
        if (edge.node !== node) continue;
        const beside = shifted([edge.target, ...at], edge.step);
        const key = keyOf(beside);
        if (!left.delete(key)) continue;
        keys.add(key);
        ahead.push(beside);
      }
    }
    found.push(keys);
  }
  return found.sort((a, b) => b.size - a.size);
}
