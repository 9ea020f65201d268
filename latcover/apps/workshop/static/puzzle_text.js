// Puzzle files in the page: read and written. What the page knows of a puzzle it reads, shows and lets be edited; all else of the
// file stays in it as it stands (toml_blocks.js). Only cells in a form that the page cannot draw make it refuse a file.

import { isBlank, isTable, typeFault, withNumbers } from "./file_types.js";
import { colourNamed } from "./looks.js";
import * as shapes from "./shapes_in_files.js";
import { SideRules, signsOf } from "./side_rules.js";
import { entry } from "./tables.js";
import { parse } from "./toml.js";
import { blocksOf, textOfTables } from "./toml_blocks.js";

/** @import { Cell, FileTable, NamedSide } from "./web_types.js" */
/** @import { DesignPart, FileText, PagePuzzle, PartSet, WorkshopData, WorkshopLattice } from "./workshop_types.js" */

const { FileFault } = shapes;
const WORDS = ["fixed", "rotations", "reflections"];
export const FIGURES = ["turning", "expect", "published"];
const OF_PROBLEM = ["name", "title", "source", "comment", "region", "costs", ...FIGURES]; // rules and parts are also the file's
const REGION = [
  "box",
  "art",
  "layers",
  "cells",
  "colours",
  "minus",
  "optional",
  "max_empty",
  "period",
  "sides",
  "alike",
];
const CONFINES = ["within", "keep_off"]; // of parts
const OF_RULES = ["stands_on", "apart", "across", "exchangeable"]; // the others are rules on parts
const HIDDEN = /[^\P{C}]|[^\P{Z} ]/u; // what Python's isprintable refuses
/** Forms of cells and parts that the page cannot draw. @type {Record<string, string>} */
const UNDRAWN = {
  family: "families of puzzles",
  scale: "scaled regions",
  one_sided: "sets with both hands of a part",
  prefix: "prefixes of the names of sets",
  choose: "numbers of copies of all parts of a set together",
  mirror_of: "parts written as mirror images",
  burr: "sticks by their numbers",
  walk: "cells written as a walk",
  keys: "keys with a length",
  locks: "keys with a length",
  triangle: "triangles by their size",
  hexagon: "hexagons by their size",
  aztec_diamond: "Aztec diamonds by their size",
};
const MEND = "latcover on your machine reads it: the app (latcover serve) opens it, and latcover solve solves it";

/** The file that was read last: a change of its puzzle asks for it again. @type {FileText | null} */
let last = null;

/**
 * What a file says, in tables with values of their types.
 * @param {string} text @param {WorkshopData} known @returns {FileText}
 */
export function fileIn(text, { fileTables }) {
  if (last?.text === text) return last;
  const data = parsed(text);
  const { region = {}, parts = [], puzzles = [] } = data;
  if (!isTable(region) || ![parts, puzzles].every((list) => Array.isArray(list) && list.every(isTable)))
    throw new FileFault("the file must have a table [region] and tables [[parts]]");
  if (isTable(data.lattice))
    throw new FileFault(`this file has a lattice of its own, which this page does not support; ${MEND}`);
  if (typeof data.lattice !== "string") throw new FileFault('lattice must be a name, as in lattice = "square"');
  const all = [data, ...puzzles];
  const keys = all.flatMap((one) => [one, one.region ?? {}, ...[one.parts ?? []].flat()].flatMap(Object.keys));
  const words = [...new Set(keys.map((key) => entry(UNDRAWN, key)).filter(Boolean))];
  if (words.length) throw new FileFault(`this file has what this page does not support: ${words.join("; ")}. ${MEND}.`);
  const fault =
    typeFault(data, withoutParts(fileTables.PuzzleFile), fileTables, "") ??
    all.flatMap((one, k) => faultsOfParts(one.parts ?? [], fileTables, k ? `puzzles[${k - 1}].` : "")).find(Boolean);
  if (fault) throw new FileFault(fault);
  return (last = { text, data: withNumbers(data), blocks: blocksOf(plainText(text)) });
}

/** @param {Record<string, any>[]} parts @param {WorkshopData["fileTables"]} tables @param {string} where */
const faultsOfParts = (parts, tables, where) =>
  parts.map((part, k) =>
    typeFault(part, tables["set" in part ? "SetTable" : "PartTable"], tables, `${where}parts[${k}]`),
  );

/** Parts are checked one by one: what they are, their keys say. @param {Record<string, any>} schema */
const withoutParts = (schema) => ({ ...schema, properties: { ...schema.properties, parts: {}, puzzles: {} } });

/** The names of the problems of a file; none if it is a single puzzle. @param {FileText} file @returns {string[]} */
export const problemsOf = ({ data }) => (data.puzzles ?? []).map((/** @type {{ name: string }} */ { name }) => name);

/**
 * The puzzle of a file, which may take parts from sets; of several problems the `wanted` one.
 * @param {string} text @param {WorkshopData} known @param {string} [wanted] @returns {PagePuzzle}
 */
export function puzzleIn(text, known, wanted = "") {
  const file = fileIn(text, known);
  const problem = file.data.puzzles?.find((/** @type {any} */ { name }) => !wanted || name === wanted) ?? {};
  const rest = Object.fromEntries(Object.entries(file.data).filter(([key]) => key !== "puzzles"));
  const data = { ...rest, ...problem, parts: [...(file.data.parts ?? []), ...(problem.parts ?? [])] };
  const lattice = entry(known.lattices, data.lattice);
  if (!lattice) throw new FileFault(`this page does not support the lattice ${JSON.stringify(data.lattice)}; ${MEND}`);
  if (!data.region) throw new FileFault("the file has no region, so it is not of a puzzle");
  const paints = paintsIn(data.colours ?? {});
  const values = new SideRules(data.sides ?? {});
  const context = { lattice, paints, values, motions: lattice.motions, known };
  context.motions = motionsIn(lattice, data.transformations ?? lattice.motions, "the puzzle");
  const { region } = data;
  const of = regionIn(context, region);
  const parts = withUniqueNames(
    data.parts.map((/** @type {FileTable} */ table) => ({
      isSet: "set" in table,
      parts: ("set" in table ? partsOfSet(table, data.lattice, context) : partsIn(table, context)).map(
        (part, at, { length: of }) => ({ ...part, table, at, of, more: confinesOf(table) }),
      ),
    })),
  );
  return {
    name: data.name,
    title: data.title ?? "",
    source: data.source ?? "",
    comment: data.comment ?? "",
    lattice: data.lattice,
    colours: paints.names,
    rules: data.rules ?? {},
    sides: data.sides ?? {},
    region: { ...of, table: region },
    parts,
    kept: Object.fromEntries(FIGURES.filter((key) => key in data).map((key) => [key, data[key]])),
    unjudged: unjudgedIn(data, known),
    data,
    file,
  };
}

/** Where a part may lie, which the page only keeps. @param {FileTable} table */
const confinesOf = (table) => Object.fromEntries(Object.entries(table).filter(([key]) => CONFINES.includes(key)));

/** The colours of a file: their names from number 1 on, and the signs of drawings. @param {Record<string, string>} table */
function paintsIn(table) {
  const names = ["", ...new Set(Object.values(table))];
  return { names, signs: new Map(Object.entries(table).map(([sign, name]) => [sign, names.indexOf(name)])) };
}

/** @typedef {{ lattice: WorkshopLattice, paints: shapes.Paints, values: SideRules, motions: string | string[], known: WorkshopData }} Context */

/** @param {Context} context @param {FileTable} table */
function regionIn({ lattice, paints, values }, table) {
  const cell = (/** @type {any[]} */ row) => shapes.listed(lattice, [row], "a cell of the region")[0];
  return {
    ...shapes.regionIn(lattice, table, paints),
    period: table.period ?? [],
    sides: sidesIn(lattice, table.sides ?? [], values, cell),
    alike: (table.alike ?? []).map((/** @type {FileTable} */ group) =>
      shapes.groupIn(lattice, group, "cells that must be alike"),
    ),
  };
}

/**
 * @param {WorkshopLattice} lattice @param {FileTable[]} rows @param {SideRules} values @param {(row: any[]) => Cell} cellOf
 * @returns {NamedSide[]}
 */
function sidesIn({ edges }, rows, values, cellOf) {
  return rows.map(({ cell, edge, is }) => {
    const own = cellOf(cell);
    const number = edges.findIndex(({ label, node }) => label === edge && node === own[0]);
    if (number < 0) throw new FileFault(`the cell [${cell}] has no side ${JSON.stringify(edge)}`);
    values.number(is);
    return [own, number, is];
  });
}

/** What the page cannot judge of a puzzle, so that it cannot solve it, in words. @param {FileTable} data @param {WorkshopData} known */
function unjudgedIn({ region, rules = {}, sides = {}, parts = [], goals }, { ruleWords }) {
  const several = [...Object.keys(rules)].filter((key) => !OF_RULES.includes(key));
  return [
    region.period?.length ? "a region that closes on itself" : "",
    region.exchangeable || rules.exchangeable || sides.exchangeable ? "what is exchangeable" : "",
    ...several.map((key) => `the rule: ${entry(ruleWords, key) ?? key}`),
    parts.some((/** @type {FileTable} */ part) => CONFINES.some((key) => key in part)) ? "where a part may lie" : "",
    goals ? "the goals of a board" : "",
  ].filter(Boolean);
}

/**
 * A puzzle after edits (edits.py): what they leave out stays.
 * @param {PagePuzzle | null} base @param {string} name of its lattice @param {FileTable} edits @param {WorkshopData} known
 * @returns {PagePuzzle}
 */
export function edited(base, name, edits, known) {
  const lattice = /** @type {WorkshopLattice} */ (entry(known.lattices, name));
  if (!lattice) throw new FileFault(`this page does not support the lattice ${JSON.stringify(name)}`);
  const { region: given } = edits;
  const colours = edits.colours ? ["", ...edits.colours] : (base?.colours ?? [""]);
  const rules = alike(edits.rules, base?.rules) ?? {};
  const sides = sameSides(edits.sides, base?.sides) ?? {};
  for (const [table, schema] of [
    [rules, "RulesTable"],
    [sides, "SidesTable"],
  ]) {
    const fault = table && typeFault(asFile(table), known.fileTables[String(schema)], known.fileTables, "");
    if (fault) throw new FileFault(fault);
  }
  const values = new SideRules(sides);
  const stays = String(colours) === String(base?.colours ?? [""]); // else a number of a colour may mean another
  const named = (/** @type {any[]} */ rows = [], /** @type {Cell[]} */ cells) =>
    rows.map(([k, edge, value]) => (values.number(value), /** @type {NamedSide} */ ([cells[k], edge, value])));
  const { cells } = given;
  const optional = cells.map((/** @type {Cell} */ [node], /** @type {number} */ k) =>
    Boolean(given.optional?.[k] || lattice.nodes[node].secondary),
  );
  const period = given.period ? (given.period.flat().some(Boolean) ? given.period : []) : (base?.region.period ?? []);
  const region = {
    cells,
    colours: given.colours ?? cells.map(() => 0),
    optional,
    max_empty: given.max_empty ?? null,
    period,
    sides: given.sides ? named(given.sides, cells) : (base?.region.sides ?? []),
    alike: given.alike
      ? given.alike.map((/** @type {number[]} */ group) => group.map((k) => cells[k]))
      : (base?.region.alike ?? []),
    table: /** @type {FileTable | null} */ (null),
  };
  const keeps = (/** @type {any} */ one, /** @type {any} */ before) =>
    before && (stays || !before.colours.some(Boolean)) && contentOf(one) === contentOf(before);
  if (keeps(region, base?.region)) region.table = base?.region.table ?? null;
  const parts = edits.parts.map((/** @type {any} */ part) => {
    const before = part.from === null || part.from === undefined ? undefined : base?.parts[part.from];
    const made = {
      name: part.name,
      cells: part.cells,
      colours: part.colours ?? part.cells.map(() => 0),
      sides: named(part.sides, part.cells),
      low: part.low ?? 1,
      high: part.high ?? null,
      motions: part.motions ?? lattice.motions,
      groups: part.groups ?? [],
      weight: part.weight ?? 1,
      display_colour: part.display_colour ?? "",
    };
    const { more = {}, at, of } = /** @type {Partial<DesignPart>} */ (before ?? {});
    const table = keeps(made, before) ? before?.table : null;
    return { ...made, more, table, at, of };
  });
  const closing = { ...base?.data.region, period: period.length ? period : undefined };
  const data = {
    ...base?.data,
    region: closing,
    rules,
    sides,
    parts: parts.map((/** @type {any} */ { more }) => more),
  };
  const made = {
    name: edits.name ?? base?.name ?? "new puzzle",
    title: edits.title ?? base?.title ?? "",
    source: edits.source ?? base?.source ?? "",
    comment: edits.comment ?? base?.comment ?? "",
    lattice: name,
    colours,
    rules,
    sides,
    region,
    parts,
    kept: /** @type {FileTable} */ ({}),
    unjudged: unjudgedIn(data, known),
    data: base?.data ?? {},
    file: base?.file ?? null,
  };
  const same = base !== null && meaning(base) === meaning(made);
  for (const key of FIGURES) {
    const before = same || key === "turning" ? base?.kept[key] : undefined;
    const value = key === "expect" && edits.expect ? withLarge(before, edits.expect) : alike(edits[key], before);
    if (value && Object.keys(value).length) made.kept[key] = value;
  }
  return made;
}

/** A table of edits as typeFault has those of files: whole numbers are bigints. @param {any} value @returns {any} */
function asFile(value) {
  if (Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(asFile);
  return isTable(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asFile(one)])) : value;
}

/** The table that was there if it says the same, or if none is given. @param {any} given @param {any} before */
const alike = (given, before) =>
  given === undefined || given === null || JSON.stringify(given, large) === JSON.stringify(before ?? {}, large)
    ? before
    : given;

/** @param {string} _ @param {any} value */
const large = (_, value) => (typeof value === "bigint" ? String(value) : value);

/** The same of sides, which edits give without letters for values. @param {any} given @param {any} before */
function sameSides(given, before) {
  const plain = (/** @type {FileTable} */ table) => ({
    ...table,
    ...(table.values ? { values: Object.values(table.values) } : {}),
    ...(table.mates
      ? { mates: Object.fromEntries(Object.entries(table.mates).map(([name, mates]) => [name, [mates].flat()])) }
      : {}),
  });
  return alike(given, before && plain(before)) === given && given ? given : before;
}

/** The figures of a table, and those that the editor's numbers cannot hold: it does not see them, and they stay. @param {any} before @param {any} given */
function withLarge(before, given) {
  const kept = Object.entries(before ?? {}).filter(([, value]) => typeof value === "bigint");
  const found = { ...Object.fromEntries(kept), ...given };
  return alike(found, before);
}

/** What a region or a part says, as a text. @param {FileTable} one */
function contentOf({ table: _, at: __, of: ___, more: ____, ...one }) {
  return JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** All on which figures depend, as a text. @param {Pick<PagePuzzle, "region" | "parts" | "rules" | "sides">} puzzle */
function meaning({ region, parts, rules, sides }) {
  const { table: _, ...of } = region;
  const cells = region.cells.map((cell, k) => `${cell} ${region.optional[k]} ${region.colours[k]}`).sort();
  const shapes = parts.map(({ cells: own, colours, sides: borne, low, high, motions, groups, weight }) => [
    own.map((cell, k) => `${cell} ${colours[k]}`).sort(),
    [borne.map(String).sort(), low, high, motions, groups ?? [], weight ?? 1],
  ]);
  return JSON.stringify([cells, of.max_empty, of.period, of.sides.map(String).sort(), of.alike, shapes, rules, sides]);
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

/** @param {string} text @returns {Record<string, any>} */
function parsed(text) {
  try {
    return parse(plainText(text), { integersAsBigInt: true }); // known figures may be large, and 1.0 is not a whole number
  } catch (error) {
    throw new FileFault(`this is no file in TOML: ${String(error.message).split("\n")[0]}`);
  }
}

/** The text as Python reads it. @param {string} text */
const plainText = (text) => text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");

/** The part of a table, or its several tiles. @param {FileTable} table @param {Context} context @returns {DesignPart[]} */
function partsIn(table, context) {
  const { tiles, ...rest } = table;
  if (tiles === undefined) return [partIn(table, context)];
  if ("name" in table) throw new FileFault("several tiles have names of their own");
  const listed = typeof tiles === "string" ? tiles.split(/\s+/).filter(Boolean) : tiles;
  const texts = listed.map((/** @type {string | string[]} */ tile) => [tile].flat().join("\n"));
  return [.../** @type {Set<string>} */ (new Set(texts))].map((tile) => {
    const count = texts.filter((/** @type {string} */ other) => other === tile).length;
    return partIn({ ...rest, ...(count > 1 ? { count } : {}), tile, name: tile.replace(/\s/g, "") }, context);
  });
}

/** @param {FileTable} table @param {Context} context @returns {DesignPart} */
function partIn(table, { lattice, paints, values, motions, known }) {
  const { name = "", group, groups = {}, weight = 1, display_colour = "" } = table;
  const what = `part ${JSON.stringify(name)}`;
  if (isBlank(name)) throw new FileFault("every part needs a name");
  if (HIDDEN.test(name)) throw new FileFault(`${what}: its name has characters that nobody sees`);
  if (group !== undefined && "groups" in table) throw new FileFault(`${what}: group cannot be combined with groups`);
  if ([...(group === undefined ? [] : [group]), ...Object.keys(groups)].some(isBlank))
    throw new FileFault(`${what}: every group must have a name`);
  if (display_colour && !colourNamed(known.looks, display_colour))
    throw new FileFault(`${what}: no colour is called ${JSON.stringify(display_colour)}`);
  const { cells, colours } =
    "tile" in table ? tileIn(lattice, table, what) : shapes.cellsIn(lattice, table, what, paints);
  const own = table.colour === undefined ? 0 : shapes.colourNumber(paints.names, table.colour, what);
  const letters = "tile" in table ? [table.tile] : lettersIn(table.edges, cells.length);
  if (letters.length && letters.length !== cells.length)
    throw new FileFault(`${what}: edges must be letters for each of its ${cells.length} cells`);
  const lettered = letters.flatMap((text, k) =>
    values
      .ofLetters(lattice, text, cells[k][0], what)
      .map(([edge, value]) => /** @type {NamedSide} */ ([cells[k], edge, value])),
  );
  const there = new Set(cells.map(String));
  const sides = [
    ...lettered,
    ...sidesIn(lattice, table.sides ?? [], values, (row) => shapes.listed(lattice, [row], what)[0]),
  ];
  for (const [cell, edge] of sides) {
    const { target, step } = lattice.edges[edge];
    const beyond = [target, ...step.map((by, axis) => cell[axis + 1] + by)];
    if (!there.has(String(cell)) || there.has(String(beyond)))
      throw new FileFault(`${what}: a side with a value does not lead from one of its cells out of it`);
  }
  return {
    name,
    cells,
    colours: cells.map((_, k) => colours[k] || own),
    sides,
    ...copiesIn(table, what),
    motions: "transformations" in table ? motionsIn(lattice, table.transformations, what) : motions,
    groups: group === undefined ? Object.entries(groups) : [[group, null]],
    weight,
    display_colour,
  };
}

/** @param {any} edges @param {number} many @returns {(string | string[])[]} */
function lettersIn(edges, many) {
  if (edges === undefined) return [];
  return Array.isArray(edges) && (many !== 1 || edges.length === 1) ? edges : [edges];
}

/** @param {WorkshopLattice} lattice @param {FileTable} table @param {string} what @returns {{ cells: Cell[], colours: number[] }} */
function tileIn({ nodes, clockwise, basis }, table, what) {
  const way = [...shapes.WAYS, "colours", "edges"].find((key) => key in table);
  if (way) throw new FileFault(`${what}: ${way} cannot be combined with tile`);
  const sides = signsOf(table.tile).signs.length;
  const node = table.node
    ? nodes.findIndex(({ name }) => name === table.node)
    : Math.max(
        0,
        clockwise.findIndex((own) => own.length === sides),
      );
  if (node < 0) throw new FileFault(`${what}: no cell is called ${JSON.stringify(table.node)}`);
  return { cells: [[node, ...basis.map(() => 0)]], colours: [0] };
}

/**
 * The parts that a table takes from a set: all, `only` some, or all `without` some. Flat parts lie in the bottom layer of cubes.
 * @param {FileTable} table @param {string} lattice of the puzzle @param {Context} context @returns {DesignPart[]}
 */
function partsOfSet(table, lattice, { motions: usual, known, paints }) {
  const set = known.sets.find(({ name }) => name === table.set);
  if (!set) throw new FileFault(`this page does not support the set ${JSON.stringify(table.set)}; ${MEND}`);
  const what = `the set ${JSON.stringify(set.name)}`;
  const lifts = set.lattice === "square" && lattice === "cubic";
  if (set.lattice !== lattice && !lifts)
    throw new FileFault(`${what} is of the lattice ${set.lattice}, and this puzzle of ${lattice}`);
  const { transformations: words } = table;
  const motions = words === undefined ? usual : motionsIn(known.lattices[lattice], words, what);
  const mine = last;
  const { parts: own, data, colours } = puzzleIn(set.text, known);
  last = mine;
  const parts = own.map((part, k) => ({
    ...part,
    cells: lifts ? part.cells.map((cell) => /** @type {Cell} */ ([...cell, 0])) : part.cells,
    colours: part.colours.map((colour) => (colour ? shapes.colourNumber(paints.names, colours[colour], what) : 0)),
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

/** The file of one puzzle. @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice */
export function textOf(puzzle, lattice) {
  const { file } = puzzle;
  const data = tablesOf(puzzle, lattice);
  if (file && !file.data.puzzles && sameTables(data, file.data)) return file.text;
  return textOfTables(data, file);
}

/**
 * The file of several problems: those of a file that nobody has changed stay as they stand. What they have in common stays
 * common while all begin with it.
 * @param {{ name: string, puzzle: PagePuzzle, isKept: boolean }[]} problems @param {WorkshopLattice} lattice @param {string} [comment]
 */
export function textOfProblems(problems, lattice, comment) {
  const [{ puzzle: first }] = problems;
  const file = first.file;
  const shared = file?.data.parts ?? [];
  const all = problems.map(({ puzzle }) => tablesOf(puzzle, lattice));
  const common = ["colours", "sides"].map((key) => JSON.stringify(all[0][key] ?? {}));
  if (all.some((one) => ["colours", "sides"].some((key, k) => JSON.stringify(one[key] ?? {}) !== common[k])))
    throw new FileFault(
      "the problems of a file have its colours and sides together: change them in each problem alike",
    );
  const begin = all.every(({ parts }) =>
    shared.every((/** @type {unknown} */ part, /** @type {number} */ k) => parts[k] === part),
  );
  const head = file?.data ?? { name: all[0].name, lattice: all[0].lattice };
  const { parts: _, puzzles, comment: said, ...rest } = head;
  for (const key of [...OF_PROBLEM, "rules"]) if (!(file?.data.puzzles && key in head)) delete rest[key];
  const own = all.map((one, k) => {
    const before = puzzles?.find((/** @type {any} */ { name }) => name === problems[k].name);
    if (before && problems[k].isKept && begin) return before;
    const rules = one.rules === rest.rules ? {} : { rules: one.rules ?? {} };
    const entries = OF_PROBLEM.filter((key) => one[key] !== undefined && one[key] !== rest[key]).map((key) => [
      key,
      one[key],
    ]);
    const parts = begin ? one.parts.slice(shared.length) : one.parts;
    return { ...Object.fromEntries(entries), name: one.name, ...rules, ...(parts.length ? { parts } : {}) };
  });
  const found = {
    ...rest,
    name: head.name,
    ...present({ comment: comment ?? said ?? "" }),
    ...pick(all[0], ["lattice", "transformations", "colours", "sides"]),
    ...(begin && shared.length ? { parts: shared } : {}),
    puzzles: own,
  };
  return file && sameTables(found, file.data) ? file.text : textOfTables(found, file);
}

/** @param {FileTable} table @param {string[]} keys */
const pick = (table, keys) => Object.fromEntries(keys.filter((key) => key in table).map((key) => [key, table[key]]));

/** Whether two tables hold the same objects. @param {FileTable} one @param {FileTable} other */
function sameTables(one, other) {
  const keys = Object.keys(other);
  const isSame = (/** @type {any} */ a, /** @type {any} */ b) =>
    a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, k) => x === b[k]));
  return Object.keys(one).length === keys.length && keys.every((key) => isSame(one[key], other[key]));
}

/** A puzzle as the tables of its file; what nobody has changed is the object that was read. @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice @returns {FileTable} */
function tablesOf(puzzle, lattice) {
  const { data, region, parts, colours, rules, sides, kept } = puzzle;
  const { names, signs } = paintsIn(data.colours ?? {});
  const stays = String(names) === String(colours);
  const table = stays ? (data.colours ?? {}) : Object.fromEntries(signsFor(colours, signs));
  const paints = stays ? { names, signs } : paintsIn(table);
  // What names cells of the region must still find them where they lie.
  const isNamed =
    region.sides.length ||
    region.alike.length ||
    data.costs ||
    data.goals ||
    parts.some(({ more }) => Object.keys(more ?? {}).length);
  const motions = "transformations" in data ? data.transformations : lattice.motions;
  const written = {
    ...data,
    name: puzzle.name,
    ...texts(data, puzzle),
    lattice: data.lattice ?? puzzle.lattice,
    colours: table,
    sides,
    rules,
    region: region.table ?? regionAsTable(puzzle, lattice, paints, Boolean(isNamed)),
    parts: partTables(parts, (part) => partAsTable(part, lattice, paints, motions)),
    ...Object.fromEntries(FIGURES.map((key) => [key, kept[key]])),
  };
  const isEmpty = (/** @type {any} */ value) => isTable(value) && !Object.keys(value).length;
  const isSaid = ([key, value] = ["", undefined]) => value !== undefined && (!isEmpty(value) || data[key] === value);
  return Object.fromEntries(Object.entries(/** @type {FileTable} */ (written)).filter(isSaid));
}

/** @param {FileTable} data @param {PagePuzzle} puzzle */
const texts = (data, puzzle) =>
  Object.fromEntries(
    /** @type {const} */ (["title", "source", "comment"]).map((key) => [
      key,
      puzzle[key] || (key in data ? puzzle[key] : undefined),
    ]),
  );

/** A sign for each colour: what it had, its first letter, or another. @param {string[]} colours @param {Map<string, number>} before */
function signsFor(colours, before) {
  const old = new Map([...before].map(([sign, k]) => [k, sign]));
  const taken = new Set([..."X#._ +"]);
  const others = Array.from({ length: 200 }, (_, k) =>
    String.fromCharCode(k < 26 ? 65 + k : k < 52 ? 71 + k : 140 + k),
  );
  return colours.slice(1).map((name, k) => {
    const wanted = [old.get(k + 1) ?? "", name[0].toUpperCase(), name[0].toLowerCase(), ...others];
    const sign = wanted.find((one) => one && !taken.has(one)) ?? "";
    taken.add(sign);
    return [sign, name];
  });
}

/** @param {PagePuzzle} puzzle @param {WorkshopLattice} lattice @param {shapes.Paints} paints @param {boolean} isNamed */
function regionAsTable({ region, data }, lattice, paints, isNamed) {
  const { cells, colours, optional, max_empty, period, sides, alike: groups } = region;
  const own = cells.flatMap(([node], k) => (lattice.nodes[node].secondary ? [] : [optional[k]]));
  const [free, isAll] = [own.some(Boolean), own.length > 0 && own.every(Boolean)];
  const limit = free && max_empty !== null && max_empty !== undefined;
  const low = isNamed || period.length ? lattice.basis.map(() => 0) : shapes.lowOf(lattice, cells);
  const more = Object.entries(data.region ?? {}).filter(([key]) => !REGION.includes(key));
  return {
    ...shapes.cellsAsTable(lattice, cells, low, { optional: isAll ? [] : optional, colours, paints }),
    ...(isAll ? { optional: "all" } : {}),
    ...(limit ? { max_empty } : {}),
    ...(period.length ? { period } : {}),
    ...(sides.length ? { sides: sidesAsTables(lattice, sides, low) } : {}),
    ...(groups.length
      ? { alike: groups.map((group) => ({ cells: group.map((cell) => shapes.writtenCell(lattice, cell)) })) }
      : {}),
    ...Object.fromEntries(more),
  };
}

/** @param {WorkshopLattice} lattice @param {NamedSide[]} sides @param {number[]} low */
const sidesAsTables = (lattice, sides, low) =>
  sides.map(([[node, ...x], edge, is]) => ({
    cell: shapes.writtenCell(lattice, [node, ...x.map((value, axis) => value - low[axis])]),
    edge: lattice.edges[edge].label,
    is,
  }));

/**
 * The tables of parts. Several parts of one table, as of a set, are that table while all of them are as they were.
 * @param {DesignPart[]} parts @param {(part: DesignPart) => FileTable} write
 */
function partTables(parts, write) {
  /** @type {FileTable[]} */ const found = [];
  for (let k = 0; k < parts.length;) {
    const { table, of = 1 } = parts[k];
    const run = parts.slice(k, k + of);
    const isWhole = table && run.length === of && run.every((part, at) => part.table === table && part.at === at);
    found.push(isWhole ? table : write(parts[k]));
    k += isWhole ? of : 1;
  }
  return found;
}

/** @param {DesignPart} part @param {WorkshopLattice} lattice @param {shapes.Paints} paints @param {string | string[]} motions the usual ones */
function partAsTable(part, lattice, paints, motions) {
  const low = shapes.lowOf(lattice, part.cells);
  return {
    name: part.name,
    ...copiesAsTable(part),
    ...(String(part.motions) === String(motions) ? {} : { transformations: part.motions }),
    ...shapes.cellsAsTable(lattice, part.cells, low, { colours: part.colours, paints }),
    ...(part.sides?.length ? { sides: sidesAsTables(lattice, part.sides, low) } : {}),
    ...groupsAsTable(part.groups ?? []),
    ...(part.weight === 1 || part.weight === undefined ? {} : { weight: part.weight }),
    ...present({ display_colour: part.display_colour ?? "" }),
    ...part.more,
  };
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
