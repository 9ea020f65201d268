// What the engine and its checker need to take solutions of a design apart: latcover.apps.publishing.apart_data.

import { byNode } from "./bodies.js";

/** @import { ApartData } from "./play_types.js" */
/** @import { Placements } from "./placing.js" */

/**
 * The data for taking a design apart; null if its parts do not slide.
 * @param {Placements} table @returns {ApartData | null}
 */
export function slidesOf(table) {
  const { lattice, ground, parts } = table;
  if (!lattice.slides) return null;
  const { engine, reach, ...of } = lattice.slides;
  /** @type {Map<string, number>} */ const numbers = new Map();
  const [starts, cells, low, high] = [[0], [], [], []].map((list) => /** @type {number[]} */ (list));
  const pieces = table.rows.flatMap((row, k) => {
    const own = [...row].map((number) => ground.cells[number]).sort(byNode);
    const at = own[0].slice(1).map((_, axis) => Math.min(...own.map((cell) => cell[axis + 1])));
    const home = own.map(([node, ...x]) => [node, ...x.map((value, axis) => value - at[axis])]);
    const key = home.join(" ");
    if (!numbers.has(key)) {
      numbers.set(key, numbers.size);
      cells.push(...home.flat());
      starts.push(cells.length / 4);
      engine.scales.forEach((scale, way) => {
        const reaches = (/** @type {number[][]} */ ends) =>
          home.map(([node, ...x]) => ends[node][way] + x.reduce((sum, value, axis) => sum + value * scale[axis], 0));
        low.push(Math.min(...reaches(reach.low)));
        high.push(Math.max(...reaches(reach.high)));
      });
    }
    const part = table.partOf[k];
    return [/** @type {number} */ (numbers.get(key)), part, parts[part].weight ?? 1, ...at];
  });
  const groups = parts.map((part) => /** @type {[string, number | null][]} */ (part.groups ?? []));
  const names = [...new Set(groups.flat().map(([name]) => name))].sort();
  const limits = names.flatMap((name) =>
    groups.map((of) => {
      const own = of.find(([other]) => other === name);
      return own ? Math.min(own[1] ?? Infinity, reach.pieces) : 0;
    }),
  );
  const geometry = {
    ...engine,
    flat: false,
    dimension: 3,
    shape_starts: starts,
    cells,
    low,
    high,
    n_kinds: Math.max(1, parts.length),
    limits,
  };
  const nodes = ground.cells.map(([node]) => node);
  return { ...of, geometry, pieces: Int32Array.from(pieces), nodes: Int32Array.from(nodes), groups };
}
