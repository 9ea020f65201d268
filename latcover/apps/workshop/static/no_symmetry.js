// No symmetry: every solution of a puzzle counts.

import { packed } from "./packing_up.js";

/** @import { SymmetryData } from "./play_types.js" */

/** The data of a puzzle of which every solution counts. @param {number} placements @returns {SymmetryData} */
export const noSymmetry = (placements) => ({
  under: "none",
  acting: 1,
  whole: [],
  n_placements: placements,
  dropped: packed([]),
  exclusions: [],
  everywhere: false,
  among_met: false,
  stage_of: packed([]),
  stages: [],
  permutations: {},
  products: packed([]),
});
