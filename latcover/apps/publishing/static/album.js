// What a player has found of a puzzle by hand: each solution once, whichever way round it lies, and the best time. The
// browser keeps it, and tells nobody.

import { keep, kept, keptData } from "./kept.js";
import { unpacked } from "./packing.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { SymmetryData } from "./play_types.js" */

const PREFIX = "latcover.solved.";
const MOST_KEPT = 1000; // solutions

/**
 * What is kept: the options of each solution, in the order in which they were found, and the seconds of the fastest one
 * without help.
 *
 * @typedef {{ found: number[][], best: number | null }} Kept
 */

/**
 * What is kept under the digest of a puzzle; nothing that another program may have written there.
 * @param {string} digest @returns {Kept}
 */
export function keptOf(digest) {
  const { found, best } = keptData(PREFIX + digest);
  const sound =
    Array.isArray(found) && found.every((options) => Array.isArray(options) && options.every(Number.isInteger));
  return { found: sound ? found : [], best: best > 0 ? Number(best) : null };
}

/** A puzzle of a site stays marked by the path of its page, also when a new version of the site has other data. */
const MARK = "latcover.solved ";

/** @param {string} path */
export const markSolved = (path) => keep(MARK + path, "1");

/** @param {string} path */
export const isMarked = (path) => kept(MARK + path) !== null;

export class Album {
  /** @type {Int32Array[] | undefined} */ read;

  /**
   * @param {PlayPuzzle} puzzle
   * @param {SymmetryData | null} symmetry without it solutions that are turns of each other are not known as such
   */
  constructor(puzzle, symmetry) {
    this.puzzle = puzzle;
    this.symmetry = symmetry;
    const { different, total } = puzzle.known;
    this.all = symmetry?.whole ? different : total; // how many there are to be found
    const { found, best } = keptOf(puzzle.digest);
    this.found = found.filter((options) => options.every((option) => puzzle.partOfOption(option) >= 0));
    this.best = best;
    this.names = new Map(this.found.map((options, k) => [this.nameOf(options), k]));
  }

  /** What generates the symmetries, as maps of options: they are large, and wanted only where there is a solution. */
  get makers() {
    const { symmetry } = this;
    return (this.read ??= (symmetry?.whole ?? []).map((element) => unpacked(symmetry?.permutations[element] ?? "u1:")));
  }

  /**
   * A name that a solution shares with all that are symmetric to it: the least of their options.
   * @param {number[]} options
   */
  nameOf(options) {
    const seen = new Map([[`${sorted(options)}`, options]]);
    let least = `${sorted(options)}`;
    for (const [name, one] of seen) {
      least = name < least ? name : least;
      for (const maker of this.makers) {
        const image = one.map((option) => maker[option]);
        seen.set(`${sorted(image)}`, image);
      }
    }
    return least;
  }

  /**
   * Take up a solution; `seconds` is the time of one that was found without help. Returns its place among those that were
   * found, whether it is new, and whether it is the fastest.
   * @param {number[]} options @param {number | null} seconds
   */
  add(options, seconds) {
    const name = this.nameOf(options);
    const known = this.names.get(name);
    const isBest = seconds !== null && seconds > 0 && (this.best === null || seconds < this.best);
    if (known === undefined && this.found.length < MOST_KEPT) {
      this.names.set(name, this.found.length);
      this.found.push(sorted(options));
    }
    this.best = isBest ? seconds : this.best;
    keep(PREFIX + this.puzzle.digest, JSON.stringify({ found: this.found, best: this.best }));
    return { place: known ?? this.found.length - 1, isNew: known === undefined, isBest };
  }

  /** How many were found, of how many: "3 of 2,339 solutions". */
  words() {
    const { all, found } = this;
    const many = found.length.toLocaleString("en");
    return all === undefined || all < found.length
      ? `${many} solution${found.length === 1 ? "" : "s"}`
      : `${many} of ${all.toLocaleString("en")} solution${all === 1 ? "" : "s"}`;
  }
}

/** @param {number[]} options */
const sorted = (options) => [...options].sort((a, b) => a - b);

/** @param {number} seconds */
export function clock(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  return `${minutes}:${`${rest}`.padStart(2, "0")}`;
}
