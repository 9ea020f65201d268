// Sources of solutions for the viewer. `unpack` makes one from the data of `latcover.show.drawing.space.scene_data`.
//
// A source is {puzzle, parts, count, solution(k)}:
//   puzzle, parts  as `latcover.show.drawing.space.scene_data.drawn_puzzle` describes them
//   count          how many solutions there are now; it may grow, then call refresh() of the viewer
//   solution(k)    a promise of solution k, counted from 0: {number, image, orbit, items, disassembly}
// An item is {part, at, move, shape}: the number of a part (−1: a cell that stays empty), where it is ([x, y, z]), how far
// it moves when the parts are fully apart ([x, y, z]), and its geometry as `latcover.show.drawing.space.shape_data.shape_data`
// describes it, with an `id` by which the viewer knows it again. Copies of a part come in their order, which determines
// their shades and letters.
// A disassembly is as `latcover.show.drawing.space.disassembly_data` describes it, or null.

/** @import { Item, SceneData, Source } from "./types.js" */

const FORMAT = 3;

/**
 * A source that holds all of its solutions, from the data of one call of `scene_data`.
 *
 * @param {SceneData} data
 * @returns {Source}
 */
export function unpack(data) {
  if (data.format !== FORMAT) {
    throw new Error(`this viewer reads format ${FORMAT} of scene data, not ${data.format}`);
  }
  const placements = new Int32Array(bytes(data.placements));
  const places = new Float32Array(bytes(data.places));
  const starts = new Uint32Array(bytes(data.starts));
  const solutions = new Uint32Array(bytes(data.solutions));
  const numbers = new Uint32Array(bytes(data.numbers));
  const moves = new Float32Array(bytes(data.moves));
  const ways = new Float32Array(bytes(data.ways));
  const elsewhere = new Map(Array.from(new Uint32Array(bytes(data.elsewhere)), (place, k) => [place, k]));
  /**
   * @param {Float32Array} array
   * @param {number} k
   */
  const three = (array, k) => Array.from(array.subarray(3 * k, 3 * k + 3));
  /**
   * @param {number} place
   * @returns {Item}
   */
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

/** @param {string} base64 */
function bytes(base64) {
  const text = atob(base64);
  const array = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k += 1) {
    array[k] = text.charCodeAt(k);
  }
  return array.buffer;
}
