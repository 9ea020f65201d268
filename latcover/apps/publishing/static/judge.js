// Which covers are essentially different solutions: the rule by which `latcover count` judges them
// (latcover/core/encoding/reduction.py). The data are those of latcover.apps.publishing.symmetry_data.

import { unpacked } from "./packing.js";
import { RuleJudge } from "./rule_judges.js";

/** @import { Cover, JudgedRule, SymmetryData } from "./play_types.js" */
/** @import { Packed } from "./types.js" */

const NONE = "u1:"; // a packed row without numbers

/** The numbers whose differences were packed. @param {Packed} text */
export function rising(text) {
  let sum = 0;
  return unpacked(text).map((step) => (sum += step));
}

/** Packed rows (place, value) as an array with -1 elsewhere. @param {Packed} text @param {number} length */
function spread(text, length) {
  const found = new Int32Array(length).fill(-1);
  const rows = unpacked(text);
  for (let k = 0; k < rows.length; k += 2) {
    found[rows[k]] = rows[k + 1];
  }
  return found;
}

/**
 * The whole cover problem without what symmetry leaves out: {problem, options}, where options have their numbers in it.
 * @param {Cover} cover @param {SymmetryData} symmetry
 */
export function reduced(cover, symmetry) {
  const { starts, items, colours } = cover;
  const nItems = cover.low.length;
  const dropped = new Set(rising(symmetry.dropped));
  const more = new Map(); // items that an option gets: one for each set of options that exclude each other
  symmetry.exclusions.forEach((text, k) => {
    for (const option of rising(text)) {
      more.set(option, [...(more.get(option) ?? []), nItems + k]);
    }
  });
  const options = [];
  /** @type {{ starts: number[], items: number[], colours: number[] }} */
  const kept = { starts: [0], items: [], colours: [] };
  for (let option = 0; option + 1 < starts.length; option += 1) {
    if (dropped.has(option)) {
      continue;
    }
    options.push(option);
    for (let k = starts[option]; k < starts[option + 1]; k += 1) {
      kept.items.push(items[k]);
      kept.colours.push(colours ? colours[k] : 0);
    }
    for (const item of more.get(option) ?? []) {
      kept.items.push(item);
      kept.colours.push(0);
    }
    kept.starts.push(kept.items.length);
  }
  const none = symmetry.exclusions.map(() => 0);
  const problem = {
    starts: Int32Array.from(kept.starts),
    items: Int32Array.from(kept.items),
    low: Int32Array.from([...cover.low, ...none]),
    high: Int32Array.from([...cover.high, ...none.map(() => 1)]),
    n_cells: cover.nCells,
    n_parts: cover.nParts,
    ...(colours ? { colours: Int32Array.from(kept.colours) } : {}),
  };
  return { problem, options: Int32Array.from(options) };
}

export class Judge {
  /** @param {SymmetryData} symmetry @param {JudgedRule[]} [judged] rules that no item says */
  constructor(symmetry, judged = []) {
    this.rules = judged.map((rule) => new RuleJudge(rule));
    const n = symmetry.n_placements;
    this.acting = symmetry.acting;
    this.placements = n;
    this.everywhere = symmetry.everywhere;
    this.dropped = symmetry.among_met ? new Set(rising(symmetry.dropped)) : null;
    this.exclusions = symmetry.among_met ? symmetry.exclusions.map((text) => new Set(rising(text))) : [];
    this.stageOf = spread(symmetry.stage_of, n);
    this.stages = symmetry.stages.map((stage) => ({
      residue: stage.residue,
      residues: stage.residues ?? [],
      ofHelper: spread(stage.of_helper ?? NONE, stage.of_helper ? n : 0),
    }));
    this.permutations = new Map(
      Object.entries(symmetry.permutations).map(([element, text]) => [Number(element), unpacked(text)]),
    );
    /** @type {Map<number, number[]>} */
    this.products = new Map(); // element -> [maker, earlier]: the maker after the earlier one
    const rows = unpacked(symmetry.products);
    for (let k = 0; k < rows.length; k += 3) {
      this.products.set(rows[k], [rows[k + 1], rows[k + 2]]);
    }
  }

  /**
   * The images of placements under a symmetry. `known` keeps what was asked before of the same placements.
   * @param {number} element @param {Int32Array} members @param {Map<number, Int32Array>} known @returns {Int32Array}
   */
  images(element, members, known) {
    if (element === 0) {
      return members;
    }
    let found = known.get(element);
    if (!found) {
      const [maker, earlier] = this.products.get(element) ?? [element, 0];
      const permutation = this.permutations.get(maker) ?? new Int32Array(0);
      found = this.images(earlier, members, known).map((member) => permutation[member]);
      known.set(element, found);
    }
    return found;
  }

  /**
   * Of a cover, a set of options: whether it is kept, and how many covers it stands for.
   * @param {Int32Array} options
   */
  judge(options) {
    if (!this.rules.every((rule) => rule.keeps(options))) {
      return { keep: false, orbit: 0 };
    }
    const members = Int32Array.from(options.filter((option) => option < this.placements)).sort();
    const known = new Map();
    let fixed = 1;
    for (const element of this.residue(members)) {
      if (element !== 0) {
        const image = this.images(element, members, known).slice().sort();
        if (!this.isMet(image)) {
          continue;
        }
        const k = image.findIndex((value, place) => value !== members[place]);
        if (k >= 0 && image[k] < members[k]) {
          return { keep: false, orbit: 0 };
        }
        fixed += k < 0 ? 1 : 0;
      }
    }
    return { keep: true, orbit: this.acting / fixed };
  }

  /** Whether the search meets a cover, if covers are compared only with such images. @param {Int32Array} members */
  isMet(members) {
    const { dropped } = this;
    return (
      !dropped ||
      (!members.some((member) => dropped.has(member)) &&
        this.exclusions.every((set) => members.reduce((count, member) => count + Number(set.has(member)), 0) <= 1))
    );
  }

  /** The symmetries under which a cover must be the least of its images. @param {Int32Array} members */
  residue(members) {
    const stage = this.stages[this.everywhere ? 0 : greatest(this.stageOf, members)];
    if (!stage) {
      return [];
    }
    return stage.residue ?? stage.residues[greatest(stage.ofHelper, members)] ?? [];
  }
}

/** @param {Int32Array} values @param {Int32Array} members */
function greatest(values, members) {
  return members.reduce((most, member) => Math.max(most, values[member]), -1);
}
