// The symmetries of a design: motions that map the region, the parts and their bounds to themselves. And the reduction
// that leaves one solution of each class, as data for judge.js. Which symmetries there are, and so every count, is as in
// latcover/core/encoding/symmetry.py and part_images.py; the reduction has a pivot, but no helper.

import { image } from "./motions.js";
import { anchorOrder, moved } from "./orientations.js";
import { noSymmetry } from "./no_symmetry.js";

/** @import { Cell } from "./web_types.js" */
/** @import { SymmetryData } from "./play_types.js" */
/** @import { Placements } from "./placing.js" */
/** @import { Symmetry } from "./workshop_types.js" */

const MOST_IMAGES = 2_000_000; // of placements: of more only those that a search needs are written down

/** The fitting orientations of the parts, and what motions make of them. */
class PartImages {
  /** @param {Placements} table */
  constructor(table) {
    this.table = table;
    const fits = new Set(table.orientation);
    this.fitting = [...fits].sort((a, b) => a - b);
    const { first, orientations } = table;
    this.own = table.parts.map((_, p) => this.fitting.filter((o) => o >= first[p] && o < first[p + 1]));
    /** @type {Map<string, number>[]} */
    this.numbers = this.own.map((own) => new Map(own.map((o) => [orientations[o].key, o])));
    this.sets = this.own.map((own) => setOf(own.map((o) => orientations[o].key)));
    this.bounds = table.parts.map(({ low, most }) => `${low} ${most}`);
    /** @type {Map<string, boolean>} */
    this.hands = new Map();
  }

  /**
   * Whether two parts are a chiral pair: a reflection, but no rotation, maps all orientations of one to those of the other.
   * @param {number} one @param {number} other
   */
  areHands(one, other) {
    const known = this.hands.get(`${one} ${other}`);
    if (known !== undefined) return known;
    const { lattice, orientations, first, ground } = this.table;
    /** @param {number} part */
    const all = (part) => orientations.slice(first[part], first[part + 1]);
    const target = new Set(all(other).map(({ key }) => key));
    const proper = new Set();
    lattice.group.motions.forEach((motion, m) => {
      const keys = all(one).map((shape) => moved(lattice, m, shape, ground.axes).key);
      if (keys.length === target.size && keys.every((key) => target.has(key))) proper.add(motion.proper);
    });
    const found = proper.size === 1 && proper.has(false);
    this.hands.set(`${one} ${other}`, found);
    return found;
  }

  /**
   * What a motion makes of the parts and their fitting orientations; null if it is no symmetry.
   * @param {number} motion
   */
  under(motion) {
    const { lattice, orientations, ground } = this.table;
    const images = this.own.map((own) => own.map((o) => moved(lattice, motion, orientations[o], ground.axes)));
    const sets = images.map((of) => setOf(of.map(({ key }) => key)));
    const parts = sets.map((becomes, p) => this.matched(p, becomes, lattice.group.motions[motion].proper));
    if (parts.includes(-1)) return null;
    const to = new Int32Array(orientations.length).fill(-1);
    const anchor = new Int32Array(orientations.length); // the cell of each orientation that becomes the anchor
    images.forEach((of, p) =>
      of.forEach(({ key, order }, k) => {
        to[this.own[p][k]] = this.numbers[parts[p]].get(key) ?? -1;
        anchor[this.own[p][k]] = order[0];
      }),
    );
    return { parts, to, anchor };
  }

  /**
   * The part that a part becomes; -1 if none may be its image. A rotation maps each part to itself, a reflection may map it
   * to its other hand. The i-th of several equal parts becomes the i-th of those of the other hand.
   * @param {number} part @param {string} becomes @param {boolean} proper
   */
  matched(part, becomes, proper) {
    const own = this.sets[part];
    if (becomes === own) return part;
    if (proper) return -1;
    /** @param {string} set */
    const alike = (set) =>
      this.sets.flatMap((other, p) => (other === set && this.bounds[p] === this.bounds[part] ? [p] : []));
    const others = alike(becomes).filter((other) => this.areHands(part, other));
    const equals = alike(own);
    return others.length === equals.length ? others[equals.indexOf(part)] : -1;
  }
}

/** @param {string[]} keys */
const setOf = (keys) => [...keys].sort().join("; ");

/**
 * The symmetries of a design, one for each way in which they move cells and placements, the identity first.
 * @param {Placements} table @returns {Symmetry[]}
 */
export function symmetriesOf(table) {
  const images = new PartImages(table);
  /** @type {Symmetry[]} */ let found = [];
  const keepsCorners = table.rules.apart?.length && table.rules.across === "corners";
  table.lattice.group.motions.forEach(({ proper, corners }, motion) => {
    if (keepsCorners && !corners) return;
    const cells = mapOfRegion(table, motion);
    const moves = cells && images.under(motion);
    if (cells && moves) found.push({ proper, cells, ...moves });
  });
  if (!isGroup(found)) found = found.filter(({ parts }) => parts.every((part, k) => part === k));
  const actions = new Map();
  for (const one of found) {
    const action = `${one.cells.join()};${one.parts.join()};${one.to.join()}`;
    if (!actions.has(action)) actions.set(action, one);
  }
  return [...actions.values()];
}

/**
 * The image of each cell of the region under a motion and a translation; null if they do not map the region to itself.
 * @param {Placements} table @param {number} motion
 */
function mapOfRegion(table, motion) {
  const { lattice, ground } = table;
  const images = ground.cells.map((cell) => image(lattice.group.motions[motion], cell));
  const shift = ground.low.map(
    (low, axis) => low - images.reduce((least, cell) => Math.min(least, cell[axis + 1]), 1e9),
  );
  const cells = new Int32Array(images.length);
  for (let k = 0; k < images.length; k += 1) {
    const to = ground.find(/** @type {Cell} */ (images[k].map((x, axis) => (axis ? x + shift[axis - 1] : x))));
    const isSame = /** @type {const} */ (["optional", "bounded", "colours"]).every(
      (of) => ground[of][to] === ground[of][k],
    );
    if (to < 0 || !isSame) return null;
    cells[k] = to;
  }
  return keepsDemands(table, motion, cells) ? cells : null;
}

/** Whether what sides and groups of cells ask is asked of their images too. @param {Placements} table @param {number} motion @param {Int32Array} cells */
function keepsDemands({ lattice, ground }, motion, cells) {
  const { edges } = lattice.group.motions[motion];
  const asked = new Set(ground.sides.map(({ cell, edge, value }) => `${cell} ${edge} ${value}`));
  const groups = new Set(ground.alike.map((group) => [...group].sort((a, b) => a - b).join()));
  return (
    ground.sides.every(({ cell, edge, value }) => asked.has(`${cells[cell]} ${edges[edge]} ${value}`)) &&
    ground.alike.every((group) =>
      groups.has(
        [...group]
          .map((cell) => cells[cell])
          .sort((a, b) => a - b)
          .join(),
      ),
    )
  );
}

/**
 * Whether symmetries form a group by what they do to the parts. If parts may make only some motions, exchanges of parts
 * may contradict each other.
 * @param {Symmetry[]} found
 */
function isGroup(found) {
  const kinds = new Map(found.map(({ proper, parts }) => [`${proper} ${parts.join()}`, { proper, parts }]));
  const all = [...kinds.values()];
  return all.every((last) =>
    all.every((first) =>
      kinds.has(`${last.proper === first.proper} ${first.parts.map((part) => last.parts[part]).join()}`),
    ),
  );
}

/**
 * What gives the image of a placement under a symmetry.
 * @param {Placements} table @param {Symmetry} symmetry
 * @param {Int32Array} at the placement of each orientation and anchor
 */
function imagesUnder({ rows, orientation, ground }, { to, anchor, cells }, at) {
  const n = ground.cells.length;
  return (/** @type {number} */ k) => {
    const o = orientation[k];
    return at[to[o] * n + cells[rows[k][anchor[o]]]];
  };
}

/**
 * The reduction by the symmetries of a design, as latcover.apps.publishing.symmetry_data describes it: of the part with the
 * fewest classes of placements one of each class is kept, and a cover with it that is the least of its images under the
 * symmetries that fix it. Without such a part every cover is compared with all of its images.
 * @param {Placements} table @param {SymmetryData["under"]} [under] "all", or "none": then all solutions count
 * @returns {SymmetryData}
 */
export function symmetryData(table, under = "all") {
  if (under === "none") return noSymmetry(table.length);
  const group = symmetriesOf(table);
  const n = table.ground.cells.length;
  const at = new Int32Array(table.orientations.length * n).fill(-1);
  table.rows.forEach((row, k) => (at[table.orientation[k] * n + row[0]] = k));
  const images = group.map((one) => imagesUnder(table, one, at));
  const every = group.map((_, k) => k);
  const few = table.length * group.length <= MOST_IMAGES;
  /** @param {number[]} elements */
  const permutations = (elements) =>
    Object.fromEntries(
      elements.slice(1).map((element) => [element, Int32Array.from(table.rows, (_, k) => images[element](k))]),
    );
  /** @type {SymmetryData} */
  const data = {
    ...noSymmetry(table.length),
    under,
    acting: group.length,
    whole: few ? every.slice(1) : undefined,
    permutations: few ? permutations(every) : {},
  };
  if (group.length === 1) return data;
  const pivot = bestPivot(table, group, images);
  if (!pivot) return { ...data, permutations: permutations(every), everywhere: true, stages: [{ residue: every }] };
  const stages = new Map([...pivot.fixing.values()].map((elements) => [elements.join(), elements]));
  const names = [...stages.keys()];
  const rows = [...pivot.fixing].flatMap(([placement, elements]) => [placement, names.indexOf(elements.join())]);
  const used = [...new Set([...pivot.fixing.values()].flat())].sort((a, b) => a - b);
  return {
    ...data,
    permutations: few ? data.permutations : permutations(used),
    dropped: Int32Array.from(pivot.dropped.map((one, k) => one - (k ? pivot.dropped[k - 1] : 0))),
    stage_of: Int32Array.from(rows),
    stages: [...stages.values()].map((residue) => ({ residue })),
  };
}

/**
 * The part of which each solution has one copy, which every symmetry maps to itself, and whose placements are in the
 * fewest classes: its placements that are not the least of their class, and the symmetries that fix one that is.
 * @param {Placements} table @param {Symmetry[]} group @param {((k: number) => number)[]} images
 */
function bestPivot(table, group, images) {
  /** @type {{ classes: number, dropped: number[], fixing: Map<number, number[]> } | null} */
  let best = null;
  for (const [part, { low, most }] of table.parts.entries()) {
    if (low !== 1 || most !== 1 || !group.every(({ parts }) => parts[part] === part)) continue;
    const dropped = [];
    /** @type {Map<number, number[]>} */ const fixing = new Map();
    let classes = 0;
    for (let k = 0; k < table.length; k += 1) {
      if (table.partOf[k] !== part) continue;
      if (images.some((image) => image(k) < k)) {
        dropped.push(k);
        continue;
      }
      classes += 1;
      const fixed = images.flatMap((image, element) => (image(k) === k ? [element] : []));
      if (fixed.length > 1) fixing.set(k, fixed);
    }
    if (!best || classes < best.classes) best = { classes, dropped, fixing };
  }
  return best;
}
