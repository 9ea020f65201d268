// Cuts of a region into connected parts, and how many solutions their puzzle has.

import { besideOf } from "./bodies.js";
import { Checker } from "./checker.js";
import { keyOf } from "./geometry.js";
import { Judge, reduced } from "./judge.js";
import { motionsFor, orientationsOf } from "./orientations.js";
import { coverOf, Placements } from "./placing.js";
import { symmetryData } from "./symmetries.js";

/** @import { Cell } from "./web_types.js" */
/** @import { AnyEngine, SymmetryData } from "./play_types.js" */
/** @import { Design, DesignPart, WorkshopLattice } from "./workshop_types.js" */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MOST_BRANCHES = 3_000_000; // of a search: a cut whose solutions take longer to count is passed over

/**
 * Cut cells at random into so many connected pieces of nearly equal size; null if they do not hang together.
 * @param {WorkshopLattice} lattice @param {Cell[]} cells @param {number} many
 * @param {() => number} random a number from 0 to 1, which may be 0 @returns {Cell[][] | null}
 */
export function randomCut(lattice, cells, many, random) {
  const left = new Map(cells.map((cell) => [keyOf(cell), cell]));
  /** @template T @param {T[]} list @returns {T} */
  const pick = (list) => list[Math.floor(random() * list.length)];
  const pieces = Array.from({ length: many }, () => {
    const seed = pick([...left.values()]);
    left.delete(keyOf(seed));
    return [seed];
  });
  let growing = pieces.map((piece) => piece);
  while (left.size) {
    growing = growing.filter((piece) =>
      piece.some((cell) => besideOf(lattice, cell).some((to) => left.has(keyOf(to)))),
    );
    if (!growing.length) return null;
    const least = growing.reduce((size, piece) => Math.min(size, piece.length), Infinity);
    const piece = pick(growing.filter(({ length }) => length === least));
    const beside = piece.flatMap((cell) => besideOf(lattice, cell)).filter((to) => left.has(keyOf(to)));
    const next = pick(beside);
    left.delete(keyOf(next));
    piece.push(next);
  }
  return pieces;
}

/**
 * Pieces as parts: equal ones are copies of one part, which says where they are `placed`.
 * @param {WorkshopLattice} lattice @param {Cell[][]} pieces @returns {DesignPart[]}
 */
export function partsOf(lattice, pieces) {
  const axes = lattice.basis.map((_, axis) => axis);
  const motions = motionsFor(lattice, lattice.motions);
  /** @type {Map<string, Cell[][]>} */ const alike = new Map();
  for (const cells of pieces) {
    const [shape] = orientationsOf(lattice, { cells }, motions, axes)
      .map(({ key }) => key)
      .sort();
    alike.set(shape, [...(alike.get(shape) ?? []), cells]);
  }
  return [...alike.values()].map(([cells, ...others], k) => ({
    name: LETTERS[k] ?? `part ${k + 1}`,
    cells,
    colours: cells.map(() => 0),
    sides: [],
    placed: [cells, ...others],
    low: 1 + others.length,
    high: 1 + others.length,
    motions: lattice.motions,
  }));
}

/**
 * How many essentially different solutions a design has, and in all; `different` is `most` + 1 if there are more. It is null
 * if the search took too long.
 * @param {WorkshopLattice} lattice @param {Design} design @param {AnyEngine} engine @param {number} most
 * @param {SymmetryData["under"]} [under]
 * @returns {Promise<{ different: number, total: number, found: Int32Array | null } | null>}
 */
export async function countSolutions(lattice, design, engine, most, under = "all") {
  const table = new Placements(lattice, design);
  const [cover, symmetry] = [coverOf(table), symmetryData(table, under)];
  const { problem, options } = reduced(cover, symmetry);
  const [checker, judge] = [new Checker(cover), new Judge(symmetry)];
  const told = { different: 0, total: 0, found: /** @type {Int32Array | null} */ (null) };
  let fault = "";
  const answer = await engine.search(
    problem,
    { branches: MOST_BRANCHES, covers: symmetry.acting * most + 1 }, // a class has no more covers than there are symmetries
    {
      onCovers: (covers) => {
        for (const one of covers) {
          const found = one.map((option) => options[option]);
          fault ||= checker.faults(found)[0] ?? "";
          const { keep, orbit } = judge.judge(found);
          if (!keep) continue;
          told.different += 1;
          told.total += orbit;
          told.found ??= found;
        }
      },
    },
  );
  if (fault) throw new Error(`a solution fails its check: ${fault}`);
  if (answer.stop === "cover_limit") return { ...told, different: most + 1 };
  return answer.stop === "exhausted" ? told : null;
}
