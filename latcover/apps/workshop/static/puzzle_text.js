// Puzzle files in the page: read and written. The page knows the shapes of parts, their copies and motions, and cells that may
// stay empty. A file that says more is refused with the names of what the page does not know; nothing of it is lost in silence.

import { cellsAsTable, cellsIn, FileFault, listed, regionIn } from "./shapes_in_files.js";
import { parse, stringify } from "./toml.js";

/** @import { DesignPart, PagePuzzle, PartSet, WorkshopLattice } from "./workshop_types.js" */

const WORDS = ["fixed", "rotations", "reflections"];
const TOP = ["name", "title", "source", "comment", "lattice", "transformations", "region", "parts"];
const KEPT = ["turning", "expect", "published"]; // written as they were read
const REGION = ["box", "art", "layers", "cells", "minus", "optional", "max_empty"];
const HOLE = ["box", "art", "layers", "cells", "at"];
const PART = ["name", "count", "min", "max", "transformations", "box", "art", "layers", "cells"];
const OF_PART = ["group", "groups", "weight", "display_colour"];
const OF_SET = ["set", "only", "without", "count", "min", "max", "transformations"];
/** What the page does not know, in words. @type {Record<string, string>} */
const UNKNOWN = {
  colours: "colours of cells",
  colour: "colours of cells",
  sides: "keys, locks and values on sides",
  tile: "values on sides",
  tiles: "values on sides",
  edges: "values on sides",
  keys: "keys, locks and values on sides",
  locks: "keys, locks and values on sides",
  costs: "costs",
  family: "families of puzzles",
  puzzles: "several puzzles in one file",
  period: "regions that close on themselves",
  alike: "cells that must be alike",
  at: "shapes that are moved",
  scale: "scaled regions",
  one_sided: "sets with both hands of a part",
  mirror_of: "parts written as mirror images",
  burr: "sticks by their numbers",
  walk: "cells written as a walk",
  triangle: "triangles by their size",
  hexagon: "hexagons by their size",
  aztec_diamond: "Aztec diamonds by their size",
};
const MEND = "latcover on your machine reads it: the app (latcover serve) opens it, and latcover solve solves it";

/**
 * The puzzle of a file, which may take parts from sets.
 *
 * @param {string} text
 * @param {Record<string, WorkshopLattice>} lattices
 * @param {PartSet[]} [sets]
 * @param {Record<string, string>} [ruleWords] what each rule on parts is about
 * @returns {PagePuzzle}
 */
export function puzzleIn(text, lattices, sets = [], ruleWords = {}) {
  const data = parsed(text);
  const { region = {}, parts = [] } = data;
  if (!isTable(region) || !Array.isArray(parts) || !parts.every(isTable))
    throw new FileFault("the file must have a table [region] and tables [[parts]]");
  if (typeof data.lattice !== "string")
    throw new FileFault(`this file has a lattice of its own, which this page does not know; ${MEND}`);
  const more = [
    ...beyond(data, [...TOP, ...KEPT]),
    ...beyond(region, REGION),
    ...[region.minus ?? []].flat().flatMap((hole) => beyond(hole, HOLE)),
    ...parts.flatMap((part) => beyond(part, "set" in part ? OF_SET : [...PART, ...OF_PART])),
  ];
  if (more.length) {
    const inWords = (/** @type {string} */ key) =>
      key === "rules" ? unknownRules(data.rules, ruleWords) : (UNKNOWN[key] ?? `the key ${key}`);
    const words = [...new Set(more.map(inWords))];
    throw new FileFault(`this file has what this page does not know: ${words.join("; ")}. ${MEND}.`);
  }
  const lattice = lattices[data.lattice];
  if (!lattice) throw new FileFault(`this page does not know the lattice ${JSON.stringify(data.lattice)}; ${MEND}`);
  if (!("region" in data)) throw new FileFault("the file has no region, so it is not of a puzzle");
  const motions = motionsIn(lattice, data.transformations ?? lattice.motions, "the puzzle");
  const shape = regionIn(lattice, region);
  const free = new Set(listed(lattice, region.optional ?? [], "optional cells of the region").map(String));
  return {
    name: line(data, "name", true),
    title: line(data, "title"),
    source: line(data, "source"),
    comment: typeof data.comment === "string" ? data.comment : "",
    lattice: data.lattice,
    region: {
      cells: shape.cells,
      optional: shape.cells.map(
        (cell, k) => shape.optional[k] || free.has(String(cell)) || lattice.nodes[cell[0]].secondary,
      ),
      max_empty: whole(region, "max_empty", 0, "the region"),
    },
    parts: parts.flatMap((part) => {
      if (!("set" in part)) return [partIn(lattice, part, motions)];
      const set = sets.find(({ name }) => name === part.set);
      if (!set) throw new FileFault(`this page does not know the set ${JSON.stringify(part.set)}; ${MEND}`);
      return partsOfSet(set, part, { name: data.lattice, motions }, lattices);
    }),
    kept: Object.fromEntries(KEPT.filter((key) => key in data).map((key) => [key, data[key]])),
  };
}

/**
 * The rules of a table, which the page does not know, in words.
 *
 * @param {any} table
 * @param {Record<string, string>} ruleWords
 */
export function unknownRules(table, ruleWords) {
  const words = Object.keys(table ?? {}).map((key) => ruleWords[key] ?? "colours that rules are about");
  return `rules (${[...new Set(words)].join(", ")})`;
}

/**
 * @param {string} text
 * @returns {Record<string, any>}
 */
function parsed(text) {
  try {
    return parse(text.replace(/^\ufeff/, ""), { integersAsBigInt: "asNeeded" }); // known figures may be large
  } catch (error) {
    throw new FileFault(`this is no file in TOML: ${String(error.message).split("\n")[0]}`);
  }
}

/** @param {any} value */
const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The keys of a table that are not known.
 *
 * @param {Record<string, any>} table
 * @param {string[]} known
 */
const beyond = (table, known) => Object.keys(table).filter((key) => !known.includes(key));

/**
 * @param {Record<string, any>} table
 * @param {string} key
 * @param {boolean} [needed]
 */
function line(table, key, needed = false) {
  const value = table[key] ?? "";
  if (typeof value !== "string" || (needed && !value.trim())) throw new FileFault(`${key} must be a text`);
  return value;
}

/**
 * A whole number, or null if it is not there.
 *
 * @param {Record<string, any>} table
 * @param {string} key
 * @param {number} least
 * @param {string} what
 */
function whole(table, key, least, what) {
  const value = table[key] ?? null;
  if (value !== null && (!Number.isInteger(value) || value < least || value > 1e6))
    throw new FileFault(`${what}: ${key} must be a whole number from ${least}`);
  return value;
}

/**
 * @param {WorkshopLattice} lattice
 * @param {Record<string, any>} part
 * @param {string | string[]} motions
 * @returns {DesignPart}
 */
function partIn(lattice, part, motions) {
  const name = line(part, "name", true);
  const what = `part ${JSON.stringify(name)}`;
  const { group, groups = {}, weight = 1 } = part;
  if (!isTable(groups)) throw new FileFault(`${what}: groups must be a table of names and numbers`);
  if (!Number.isInteger(weight)) throw new FileFault(`${what}: weight must be a whole number`);
  return {
    name,
    cells: cellsIn(lattice, part, what).cells,
    ...copiesIn(part, what),
    motions: "transformations" in part ? motionsIn(lattice, part.transformations, what) : motions,
    groups: typeof group === "string" ? [[group, null]] : Object.entries(groups),
    weight,
    display_colour: line(part, "display_colour"),
  };
}

/**
 * The parts that a table takes from a set: all, `only` some, or all `without` some. Flat parts lie in the bottom layer of cubes.
 *
 * @param {PartSet} set
 * @param {Record<string, any>} table
 * @param {{ name: string, motions: string | string[] }} own the puzzle's lattice, and the motions of its parts
 * @param {Record<string, WorkshopLattice>} lattices
 * @returns {DesignPart[]}
 */
function partsOfSet(set, table, own, lattices) {
  const what = `the set ${JSON.stringify(set.name)}`;
  const lifts = set.lattice === "square" && own.name === "cubic";
  if (set.lattice !== own.name && !lifts)
    throw new FileFault(`${what} is of the lattice ${set.lattice}, and this puzzle of ${own.name}`);
  const motions = "transformations" in table ? motionsIn(lattices[own.name], table.transformations, what) : own.motions;
  const data = parsed(set.text);
  const parts = puzzleIn(set.text, lattices).parts.map((part, k) => ({
    ...part,
    cells: lifts ? part.cells.map((cell) => /** @type {typeof cell} */ ([...cell, 0])) : part.cells,
    motions: "transformations" in data || "transformations" in data.parts[k] ? part.motions : motions,
  }));
  const [only, without] = [namesIn(table, "only", parts, what), namesIn(table, "without", parts, what)];
  if (only?.length === 0) throw new FileFault(`${what}: only is empty; leave it out to take all parts`);
  const copies = ["count", "min", "max"].some((key) => key in table) ? copiesIn(table, what) : {};
  return parts
    .filter(({ name }) => (only?.includes(name) ?? true) && !without?.includes(name))
    .map((part) => ({ ...part, ...copies }));
}

/**
 * @param {Record<string, any>} table
 * @param {string} key
 * @param {DesignPart[]} parts
 * @param {string} what
 * @returns {string[] | undefined}
 */
function namesIn(table, key, parts, what) {
  const names = table[key];
  if (names !== undefined && !Array.isArray(names)) throw new FileFault(`${what}: ${key} must be a list of names`);
  const other = names?.find((/** @type {unknown} */ name) => !parts.some((part) => part.name === name));
  if (other !== undefined) throw new FileFault(`${what} has no part ${JSON.stringify(other)}`);
  return names;
}

/**
 * @param {Record<string, any>} part
 * @param {string} what
 * @returns {{ low: number, high: number | null }}
 */
function copiesIn(part, what) {
  if ("count" in part) {
    if (part.count === "unlimited") return { low: 0, high: null };
    const count = whole(part, "count", 1, what) ?? 1;
    return { low: count, high: count };
  }
  if (!("min" in part) && !("max" in part)) return { low: 1, high: 1 };
  const high = part.max === "unlimited" ? null : whole(part, "max", 1, what);
  const low = whole(part, "min", 0, what) ?? 0;
  if (high !== null && high < low) throw new FileFault(`${what}: max must be at least min`);
  return { low, high };
}

/**
 * @param {WorkshopLattice} lattice
 * @param {any} words
 * @param {string} what
 * @returns {string | string[]}
 */
function motionsIn({ group }, words, what) {
  const known = [...WORDS, ...Object.keys(group.generators)];
  if (typeof words === "string" && WORDS.includes(words)) return words;
  const list = [words].flat();
  if (list.length && list.every((word) => typeof word === "string" && word in group.generators)) return list;
  throw new FileFault(`${what}: transformations must be some of ${known.join(", ")}`);
}

/**
 * The file of a puzzle.
 *
 * @param {PagePuzzle} puzzle
 * @param {WorkshopLattice} lattice
 */
export function textOf(puzzle, lattice) {
  const { region, parts } = puzzle;
  const free = region.cells.some(([node], k) => region.optional[k] && !lattice.nodes[node].secondary);
  const limit = free && region.max_empty !== null && region.max_empty !== undefined;
  return `${stringify({
    name: puzzle.name,
    ...present({ title: puzzle.title, source: puzzle.source, comment: puzzle.comment }),
    lattice: puzzle.lattice,
    region: {
      ...cellsAsTable(lattice, region.cells, region.optional),
      ...(limit ? { max_empty: region.max_empty } : {}),
    },
    parts: parts.map((part) => ({
      name: part.name,
      ...copiesAsTable(part),
      ...(String(part.motions) === lattice.motions ? {} : { transformations: part.motions }),
      ...cellsAsTable(lattice, part.cells),
      ...groupsAsTable(part.groups ?? []),
      ...(part.weight === 1 || part.weight === undefined ? {} : { weight: part.weight }),
      ...present({ display_colour: part.display_colour ?? "" }),
    })),
    ...puzzle.kept,
  }).trimEnd()}\n`;
}

/** @param {Record<string, string>} table */
const present = (table) => Object.fromEntries(Object.entries(table).filter(([, text]) => text));

/** @param {DesignPart} part */
function copiesAsTable({ low, high }) {
  if (low === high) return low === 1 ? {} : { count: low };
  if (high === null) return low === 0 ? { count: "unlimited" } : { min: low };
  return { min: low, max: high };
}

/** @param {[name: string, most: number | null][]} groups */
function groupsAsTable(groups) {
  if (!groups.length) return {};
  if (groups.length === 1 && groups[0][1] === null) return { group: groups[0][0] };
  return { groups: Object.fromEntries(groups.map(([name, most]) => [name, most ?? 1_000_000])) };
}
