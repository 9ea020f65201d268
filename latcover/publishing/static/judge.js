// Which covers are essentially different solutions: the rule by which `latcover count` judges them
// (latcover/encoding/reduction.py). The data are those of latcover.publishing.symmetry_data.

import { unpacked } from "./packing.js";

/** The numbers whose differences were packed. */
export function rising(text) {
  const found = unpacked(text);
  for (let k = 1; k < found.length; k += 1) {
    found[k] += found[k - 1];
  }
  return found;
}

/** Packed rows (place, value) as an array with -1 elsewhere. */
function spread(text, length) {
  const found = new Int32Array(length).fill(-1);
  const rows = unpacked(text);
  for (let k = 0; k < rows.length; k += 2) {
    found[rows[k]] = rows[k + 1];
  }
  return found;
}

/** The whole cover problem without what symmetry leaves out: {problem, options}, where options have their numbers in it. */
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
  constructor(symmetry) {
    const n = symmetry.n_placements;
    this.acting = symmetry.acting;
    this.placements = n;
    this.everywhere = symmetry.everywhere;
    this.dropped = symmetry.among_met ? new Set(rising(symmetry.dropped)) : null;
    this.exclusions = symmetry.among_met ? symmetry.exclusions.map((text) => new Set(rising(text))) : [];
    this.stageOf = spread(symmetry.stage_of, n);
    this.stages = symmetry.stages.map((stage) => (stage.residue ? stage : { ...stage, of_helper: spread(stage.of_helper, n) }));
    this.permutations = new Map(Object.entries(symmetry.permutations).map(([element, text]) => [Number(element), unpacked(text)]));
    this.products = new Map(); // element -> [maker, earlier]: the maker after the earlier one
    const rows = unpacked(symmetry.products);
    for (let k = 0; k < rows.length; k += 3) {
      this.products.set(rows[k], [rows[k + 1], rows[k + 2]]);
    }
  }

  /** The images of placements under a symmetry. `known` keeps what was asked before of the same placements. */
  images(element, members, known) {
    if (element === 0) {
      return members;
    }
    if (!known.has(element)) {
      const [maker, earlier] = this.products.get(element) ?? [element, 0];
      const permutation = this.permutations.get(maker);
      known.set(element, this.images(earlier, members, known).map((member) => permutation[member]));
    }
    return known.get(element);
  }

  /** Of a cover, a set of options: whether it is kept, and how many covers it stands for. */
  judge(options) {
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

  /** Whether the search meets a cover, if covers are compared only with such images. */
  isMet(members) {
    return (
      !this.dropped ||
      (!members.some((member) => this.dropped.has(member)) &&
        this.exclusions.every((set) => members.reduce((count, member) => count + set.has(member), 0) <= 1))
    );
  }

  /** The symmetries under which a cover must be the least of its images. */
  residue(members) {
    const stage = this.stages[this.everywhere ? 0 : greatest(this.stageOf, members)];
    if (!stage) {
      return [];
    }
    return stage.residue ?? stage.residues[greatest(stage.of_helper, members)] ?? [];
  }
}

function greatest(values, members) {
  return members.reduce((most, member) => Math.max(most, values[member]), -1);
}
