// Puzzle files in the page: read and written. The page knows the shapes of parts, their copies and motions, and cells that may
// stay empty. A file that says more is refused with the names of what the page does not know; nothing of it is lost in silence.

import { isBlank, isTable, typeFault, withNumbers } from "./file_types.js";
import { colourNamed } from "./looks.js";
import { cellsAsTable, cellsIn, FileFault, regionIn } from "./shapes_in_files.js";
import { entry } from "./tables.js";
import { parse, stringify } from "./toml.js";

/** @import { DesignPart, PagePuzzle, PartSet, WorkshopData, WorkshopLattice } from "./workshop_types.js" */

const WORDS = ["fixed", "rotations", "reflections"];
const TOP = ["name", "title", "source", "comment", "lattice", "transformations", "region", "parts"];
const KEPT = ["turning", "expect", "published"]; // written as they were read
const REGION = ["box", "art", "layers", "cells", "minus", "optional", "max_empty"];
const HOLE = ["box", "art", "layers", "cells", "at"];
const PART = ["name", "count", "min", "max", "transformations", "box", "art", "layers", "cells"];
const OF_PART = ["group", "groups", "weight", "display_colour"];
const OF_SET = ["set", "only", "without", "count", "min", "max", "transformations"];
const HIDDEN = /[^\P{C}]|[^\P{Z} ]/u; // what Python's isprintable refuses
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
  prefix: "prefixes of the names of sets",
  choose: "numbers of copies of all parts of a set together",
  within: "parts that are confined to cells",
  keep_off: "parts that are kept off cells",
  exchangeable: "exchangeable pieces of a region",
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
 * @param {string} text @param {WorkshopData} known @returns {PagePuzzle}
 */
export function puzzleIn(text, known) {
  const data = dataIn(text, known);
  const { region, parts = [] } = data;
  const lattice = entry(known.lattices, data.lattice);
  if (!lattice) throw new FileFault(`this page does not support the lattice ${JSON.stringify(data.lattice)}; ${MEND}`);
  if (!region) throw new FileFault("the file has no region, so it is not of a puzzle");
  const motions = motionsIn(lattice, data.transformations ?? lattice.motions, "the puzzle");
  return {
    name: data.name,
    title: data.title ?? "",
    source: data.source ?? "",
    comment: data.comment ?? "",
    lattice: data.lattice,
    region: regionIn(lattice, region),
    parts: withUniqueNames(
      parts.map((/** @type {Record<string, any>} */ part) => {
        if (!("set" in part)) return { isSet: false, parts: [partIn(lattice, part, motions, known.looks)] };
        const set = known.sets.find(({ name }) => name === part.set);
        if (!set) throw new FileFault(`this page does not support the set ${JSON.stringify(part.set)}; ${MEND}`);
        return { isSet: true, parts: partsOfSet(set, part, { name: data.lattice, motions }, known) };
      }),
    ),
    kept: Object.fromEntries(KEPT.filter((key) => key in data).map((key) => [key, data[key]])),
  };
}

/**
 * The parts of several tables. A name that parts of several sets have gets their sizes, as in I4 and I5, if that tells
 * them apart.
 * @param {{ isSet: boolean, parts: DesignPart[] }[]} tables @returns {DesignPart[]}
 */
function withUniqueNames(tables) {
  const entries = tables.flatMap(({ isSet, parts }) => parts.map((part) => ({ isSet, part, name: part.name })));
  for (const own of new Set(entries.filter(({ isSet }) => isSet).map(({ part }) => part.name))) {
    const alike = entries.filter(({ isSet, part }) => isSet && part.name === own);
    const sized = alike.map(({ part }) => withSize(own, part.cells.length));
    const others = entries.filter((entry) => !alike.includes(entry)).map(({ name }) => name);
    const isClear = new Set(sized).size === alike.length && !others.some((name) => sized.includes(name));
    if (alike.length > 1 && isClear) alike.forEach((entry, k) => (entry.name = sized[k]));
  }
  return entries.map(({ part, name }) => ({ ...part, name }));
}

/** @param {string} name @param {number} size */
function withSize(name, size) {
  const [, stem, primes] = /** @type {RegExpExecArray} */ (/^(.*?)('*)$/su.exec(name));
  return /[0-9]$/u.test(stem) ? `${size}-${name}` : `${stem}${size}${primes}`;
}

/**
 * What a file says: tables with keys that the page knows, and values of their types.
 * @param {string} text @param {WorkshopData} known @returns {Record<string, any>}
 */
function dataIn(text, { fileTables, ruleWords }) {
  const data = parsed(text);
  const { region = {}, parts = [], ...rest } = data;
  if (!isTable(region) || !Array.isArray(parts) || !parts.every(isTable))
    throw new FileFault("the file must have a table [region] and tables [[parts]]");
  if (isTable(data.lattice))
    throw new FileFault(`this file has a lattice of its own, which this page does not support; ${MEND}`);
  if (typeof data.lattice !== "string") throw new FileFault('lattice must be a name, as in lattice = "square"');
  const more = [
    ...beyond(data, [...TOP, ...KEPT]),
    ...beyond(region, REGION),
    ...[region.minus].flat().flatMap((hole) => (isTable(hole) ? beyond(hole, HOLE) : [])),
    ...parts.flatMap((part) => beyond(part, "set" in part ? OF_SET : [...PART, ...OF_PART])),
  ];
  if (more.length) {
    const inWords = (/** @type {string} */ key) =>
      key === "rules" ? unknownRules(data.rules, ruleWords) : (entry(UNKNOWN, key) ?? `the key ${key}`);
    const words = [...new Set(more.map(inWords))];
    throw new FileFault(`this file has what this page does not support: ${words.join("; ")}. ${MEND}.`);
  }
  const ofPart = (/** @type {Record<string, any>} */ part, /** @type {number} */ k) =>
    typeFault(part, fileTables["set" in part ? "SetTable" : "PartTable"], fileTables, `parts[${k}]`);
  const fault =
    typeFault({ ...rest, region }, fileTables.PuzzleFile, fileTables, "") ?? parts.map(ofPart).find(Boolean);
  if (fault) throw new FileFault(fault);
  return withNumbers(data);
}

/**
 * The rules of a table, which the page does not know, in words.
 * @param {any} table @param {Record<string, string>} ruleWords
 */
export function unknownRules(table, ruleWords) {
  const words = Object.keys(table ?? {}).map((key) => entry(ruleWords, key) ?? "colours that rules are about");
  return `rules (${[...new Set(words)].join(", ")})`;
}

/** @param {string} text @returns {Record<string, any>} */
function parsed(text) {
  try {
    const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"); // as Python reads it
    return parse(plain, { integersAsBigInt: true }); // known figures may be large, and 1.0 is not a whole number
  } catch (error) {
    throw new FileFault(`this is no file in TOML: ${String(error.message).split("\n")[0]}`);
  }
}

/** The keys of a table that are not known. @param {Record<string, any>} table @param {string[]} known */
const beyond = (table, known) => Object.keys(table).filter((key) => !known.includes(key));

/**
 * @param {WorkshopLattice} lattice @param {Record<string, any>} part @param {string | string[]} motions
 * @param {WorkshopData["looks"]} looks @returns {DesignPart}
 */
function partIn(lattice, part, motions, looks) {
  const { name = "", group, groups = {}, weight = 1, display_colour = "" } = part;
  const what = `part ${JSON.stringify(name)}`;
  if (isBlank(name)) throw new FileFault("every part needs a name");
  if (HIDDEN.test(name)) throw new FileFault(`${what}: its name has characters that nobody sees`);
  if (group !== undefined && "groups" in part) throw new FileFault(`${what}: group cannot be combined with groups`);
  if ([...(group === undefined ? [] : [group]), ...Object.keys(groups)].some(isBlank))
    throw new FileFault(`${what}: every group must have a name`);
  if (display_colour && !colourNamed(looks, display_colour))
    throw new FileFault(`${what}: no colour is called ${JSON.stringify(display_colour)}`);
  return {
    name,
    cells: cellsIn(lattice, part, what).cells,
    ...copiesIn(part, what),
    motions: "transformations" in part ? motionsIn(lattice, part.transformations, what) : motions,
    groups: group === undefined ? Object.entries(groups) : [[group, null]],
    weight,
    display_colour,
  };
}

/**
 * The parts that a table takes from a set: all, `only` some, or all `without` some. Flat parts lie in the bottom layer of cubes.
 * @param {PartSet} set @param {Record<string, any>} table
 * @param {{ name: string, motions: string | string[] }} own the puzzle's lattice, and the motions of its parts
 * @param {WorkshopData} known @returns {DesignPart[]}
 */
function partsOfSet(set, table, own, known) {
  const what = `the set ${JSON.stringify(set.name)}`;
  const lifts = set.lattice === "square" && own.name === "cubic";
  if (set.lattice !== own.name && !lifts)
    throw new FileFault(`${what} is of the lattice ${set.lattice}, and this puzzle of ${own.name}`);
  const { transformations: words } = table;
  const motions = words === undefined ? own.motions : motionsIn(known.lattices[own.name], words, what);
  const data = parsed(set.text);
  const parts = puzzleIn(set.text, known).parts.map((part, k) => ({
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
 * @param {Record<string, any>} table @param {string} key @param {DesignPart[]} parts @param {string} what
 * @returns {string[] | undefined}
 */
function namesIn(table, key, parts, what) {
  const names = table[key];
  const other = names?.find((/** @type {unknown} */ name) => !parts.some((part) => part.name === name));
  if (other !== undefined) throw new FileFault(`${what} has no part ${JSON.stringify(other)}`);
  return names;
}

/** @param {Record<string, any>} part @param {string} what @returns {{ low: number, high: number | null }} */
function copiesIn(part, what) {
  const { count, min, max } = part;
  const isRange = min !== undefined || max !== undefined;
  if (count !== undefined && isRange) throw new FileFault(`${what}: count cannot be combined with min or max`);
  if (!isRange) return count === "unlimited" ? { low: 0, high: null } : { low: count ?? 1, high: count ?? 1 };
  const [low, high] = [min ?? 0, max === "unlimited" ? null : (max ?? null)];
  if (high !== null && high < low) throw new FileFault(`${what}: max must be at least min`);
  return { low, high };
}

/** @param {WorkshopLattice} lattice @param {any} words @param {string} what @returns {string | string[]} */
function motionsIn({ group }, words, what) {
  const known = [...WORDS, ...Object.keys(group.generators)];
  if (WORDS.includes(words)) return words;
  const list = [words].flat();
  if (list.every((word) => entry(group.generators, word))) return list.length ? list : "fixed";
  throw new FileFault(`${what}: transformations must be some of ${known.join(", ")}`);
}

/** The file of a puzzle. @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice */
export function textOf(puzzle, lattice) {
  const { region, parts } = puzzle;
  const own = region.cells.flatMap(([node], k) => (lattice.nodes[node].secondary ? [] : [region.optional[k]]));
  const [free, isAll] = [own.some(Boolean), own.length > 0 && own.every(Boolean)];
  const limit = free && region.max_empty !== null && region.max_empty !== undefined;
  return `${stringify({
    name: puzzle.name,
    ...present({ title: puzzle.title, source: puzzle.source, comment: puzzle.comment }),
    lattice: puzzle.lattice,
    region: {
      ...cellsAsTable(lattice, region.cells, isAll ? [] : region.optional),
      ...(isAll ? { optional: "all" } : {}),
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
