// Sources of solutions for the viewer. `unpack` makes one from the data of `latcover.show.drawing.space.scene_data`.
//
// A source is {puzzle, parts, count, solution(k)}:
//   puzzle, parts  as `latcover.show.drawing.space.scene_structs` describes them
//   count          how many solutions there are now; it may grow, then call refresh() of the viewer
//   solution(k)    a promise of solution k, counted from 0: {number, image, orbit, items, disassembly}
// An item is {part, at, move, shape}: the number of a part (−1: a cell that stays empty), where it is ([x, y, z]), how far
// it moves when the parts are fully apart ([x, y, z]), and its shape. Copies of a part come in their order, which
// determines their shades and letters.

import { unpacked, unpackedFloats } from "./packing.js";

/** @import { Item, SceneData, Source } from "./types.js" */

const FORMAT = 4;

/**
 * A source that holds all of its solutions, from the data of one call of `scene_data`.
 * @param {SceneData} data @returns {Source}
 */
export function unpack(data) {
  if (data.format !== FORMAT) {
    throw new Error(`this viewer reads format ${FORMAT} of scene data, not ${data.format}`);
  }
  const [placements, starts] = [unpacked(data.placements), unpacked(data.starts)];
  const [solutions, numbers] = [unpacked(data.solutions), unpacked(data.numbers)];
  const [places, moves, ways] = [data.places, data.moves, data.ways].map(unpackedFloats);
  const elsewhere = new Map(Array.from(unpacked(data.elsewhere), (place, k) => [place, k]));
  /** @param {Float32Array} array @param {number} k */
  const three = (array, k) => Array.from(array.subarray(3 * k, 3 * k + 3));
  /** @param {number} place @returns {Item} */
  const item = (place) => {
    const placement = solutions[place];
    const other = elsewhere.get(place);
    return {
      part: placements[2 * placement],
      at: three(places, placement),
      move: other === undefined ? three(moves, placement) : three(ways, other),
      shape: data.shapes[placements[2 * placement + 1]],
    };
  };
  return {
    puzzle: data.puzzle,
    parts: data.parts,
    count: data.count,
    /** @param {number} k */
    async solution(k) {
      if (!(k >= 0 && k < data.count)) {
        throw new RangeError(`there is no solution at ${k}: there are ${data.count}`);
      }
      const [number, image, orbit] = numbers.subarray(3 * k, 3 * k + 3);
      const items = Array.from({ length: starts[k + 1] - starts[k] }, (_, place) => item(starts[k] + place));
      return { number, image, orbit, items, disassembly: data.disassemblies?.[k] ?? null };
    },
  };
}
