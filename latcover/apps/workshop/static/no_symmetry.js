// No symmetry: every solution of a puzzle counts.

/** @import { SymmetryData } from "./play_types.js" */

/** The data of a puzzle of which every solution counts. @param {number} placements @returns {SymmetryData} */
export const noSymmetry = (placements) => ({
  under: "none",
  acting: 1,
  whole: [],
  n_placements: placements,
  dropped: new Int32Array(),
  exclusions: [],
  everywhere: false,
  among_met: false,
  stage_of: new Int32Array(),
  stages: [],
  permutations: {},
  products: new Int32Array(),
});
