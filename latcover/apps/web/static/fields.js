// The fields of a puzzle besides its cells, named as in a puzzle file. All are plain data in the model's state.

import { keyOf } from "./geometry.js";
import { entry } from "./tables.js";

/** @import { Cell, EditorPart, Fields, FileTable, Lattice, NamedSide, RuleValues, SideRules } from "./web_types.js" */
/** @import { Model } from "./model.js" */
/** @import { PartData, PuzzleData, PuzzleEdits, RegionEdits } from "./server_types.js" */

/** Another name; null for what is gone. @typedef {(name: string) => string | null} Renaming */

/** @type {("title" | "source" | "expect" | "published")[]} */
const GIVEN = ["title", "source", "expect", "published"]; // null: as the server has them
const [FIRST, NEXT] = ["#5385d8", "#8a94a3"]; // colours of names that the server has not seen yet

/** The fields of a puzzle from the data of the server. @param {PuzzleData} data @returns {Fields} */
export function fieldsOf({ colours, region, rules, sides }) {
  return {
    title: null,
    source: null,
    expect: null,
    published: null,
    colours: colours.map(({ name }) => name),
    period: /** @type {Fields["period"]} */ ([...region.period]),
    maxEmpty: region.max_empty,
    rules: rules ?? {},
    sides: sides ? plainTable(sides.table) : null, // null: no file can express them; they stay unchanged
    asked: region.sides ?? [],
    alike: region.alike ?? [],
  };
}

/** The table of sides without letters for values, which the server assigns again. @param {FileTable} table @returns {SideRules} */
export function plainTable(table) {
  const found = { ...table };
  if (table.values) found.values = Object.values(table.values);
  if (table.mates)
    found.mates = Object.fromEntries(Object.entries(table.mates).map(([name, others]) => [name, [others].flat()]));
  return found;
}

/** The fields as edits of the whole puzzle. @param {Fields} fields @returns {Partial<PuzzleEdits>} */
export function editsOfFields(fields) {
  /** @type {Partial<PuzzleEdits>} */ const edits = { colours: fields.colours.slice(1), rules: fields.rules };
  if (fields.sides) edits.sides = valuesOf(fields).length ? { ...fields.sides } : {};
  return Object.assign(edits, ...GIVEN.filter((key) => fields[key] !== null).map((key) => ({ [key]: fields[key] })));
}

/** @param {Fields} fields @param {Cell[]} cells @returns {Partial<RegionEdits>} */
export function editsOfRegion(fields, cells) {
  const edits = { period: fields.period, max_empty: fields.maxEmpty, sides: sidesOn(fields.asked, cells) };
  return fields.alike ? { ...edits, alike: groupsOn(fields.alike, cells) } : edits; // stored before groups existed: unchanged
}

/** The number of each of the given cells, by its key. @param {Cell[]} cells */
const numbersOf = (cells) => new Map(cells.map((cell, k) => [keyOf(cell), k]));

/** Groups of cells by their numbers, as the server expects them; others are left out. @param {Cell[][]} groups @param {Cell[]} cells */
function groupsOn(groups, cells) {
  const numbers = numbersOf(cells);
  return groups
    .map((group) => group.flatMap((cell) => numbers.get(keyOf(cell)) ?? []))
    .filter((group) => group.length > 1);
}

/** Sides with the numbers of their cells; others are left out. @param {NamedSide[]} sides @param {Cell[]} cells */
function sidesOn(sides, cells) {
  const numbers = numbersOf(cells);
  /** @param {NamedSide} side @returns {[number, number, string][]} */
  const one = ([cell, edge, name]) => {
    const at = numbers.get(keyOf(cell));
    return at === undefined ? [] : [[at, edge, name]];
  };
  return sides.flatMap(one);
}

/**
 * The fields of a part besides its cells, as edits; `cells` are its cells in their order.
 * @param {EditorPart} options @param {Cell[]} cells
 */
export function editsOfPart({ sides, display_colour, kept = "", groups, weight }, cells) {
  return { sides: sidesOn(sides, cells), display_colour: display_colour || kept, groups, weight };
}

/**
 * A part of a stored state, which may lack fields that are newer; `before` is the part of the file.
 * @param {any} part @param {Partial<PartData>} [options] @returns {any}
 */
export function completed(part, { sides = [], display_colour = "", groups = [], weight = 1 } = {}) {
  const found = { ...part }; // keeps the order of keys: states are compared as texts
  for (const [key, value] of Object.entries({ sides, display_colour, groups, weight }))
    if (typeof found[key] !== typeof value) found[key] = value;
  return found;
}

/** The cell across a half-edge. @param {Lattice} lattice @param {Cell} cell @param {number} edge @returns {Cell} */
export function across(lattice, [, ...x], edge) {
  const { target, step } = lattice.edges[edge];
  return [target, ...x.map((value, k) => value + step[k])];
}

/**
 * The sides of a part after a motion: `image(cell)` is the image of a cell.
 * @param {Lattice} lattice @param {NamedSide[]} sides @param {(cell: Cell) => Cell} image @returns {NamedSide[]}
 */
export function movedSides(lattice, sides, image) {
  return sides.flatMap(([cell, edge, name]) => {
    const [to, beyond] = [image(cell), keyOf(image(across(lattice, cell, edge)))];
    const there = lattice.edges.findIndex(({ node }, k) => node === to[0] && keyOf(across(lattice, to, k)) === beyond);
    return there < 0 ? [] : [[to, there, name]];
  });
}

// ---- looks: the server assigns them by name

/**
 * Take over the looks of colours, sides and parts by their names. Returns whether anything changed.
 * @param {Model} model @param {Partial<PuzzleData>} data
 */
export function takeLooks(model, { colours = [], sides, parts = [] }) {
  const seen = () =>
    JSON.stringify([
      model.colours,
      model.parts.map(({ rgb }) => rgb),
      valuesOf(model.fields).map((name) => lookOfSide(model, name)),
    ]);
  const before = seen();
  for (const { name, rgb } of colours) model.looks.set(`colour ${name}`, rgb);
  for (const [name, rgb] of Object.entries(sides?.looks ?? {})) model.looks.set(`side ${name}`, rgb);
  for (const { name, rgb } of parts) model.looks.set(`part ${name}`, rgb);
  paint(model);
  return seen() !== before;
}

/** Give colours and parts their known looks. @param {Model} model */
export function paint(model) {
  const { looks, data, fields } = model;
  model.colours = (fields?.colours ?? []).map((name) => ({
    name,
    rgb: looks.get(`colour ${name}`) ?? (/^#[0-9a-f]{6}$/i.test(name) ? name : FIRST),
  }));
  model.parts.forEach((part, k) => {
    const kept = part.display_colour ? undefined : part.kept; // since another part was removed
    part.rgb = kept ?? looks.get(`part ${part.name}`) ?? part.rgb ?? data?.palette[k % data.palette.length];
  });
}

/** @param {Model} model @param {string} name */
export const lookOfSide = (model, name) => model.looks.get(`side ${name}`) ?? NEXT;

// ---- colours

/** Give colour `k` another name, in the rules too. @param {Fields} fields @param {number} k @param {string} name */
export function renameColour(fields, k, name) {
  const before = fields.colours[k];
  fields.colours[k] = name;
  fields.rules = withColours(fields.rules, (other) => (other === before ? name : other));
}

/** Remove colour `k`: its cells become colourless. @param {Model} model @param {number} k */
export function removeColour(model, k) {
  const { fields } = model;
  const [gone] = fields.colours.splice(k, 1);
  fields.rules = withColours(fields.rules, (other) => (other === gone ? null : other));
  for (const cells of [model.region, ...model.parts.map((part) => part.cells)]) {
    for (const entry of cells.values())
      entry.colour = entry.colour === k ? 0 : entry.colour - (entry.colour > k ? 1 : 0);
  }
  paint(model);
}

/** The table of rules with renamed colours; null removes a colour. @param {FileTable} rules @param {Renaming} name */
function withColours(rules, name) {
  /** @type {{ stands_on?: Record<string, string[]>, apart?: (string | string[])[], exchangeable?: string[][] }} */
  const { stands_on: stands, apart, exchangeable } = rules;
  const found = { ...rules };
  if (stands) {
    const rows = Object.entries(stands).map(([own, cells]) => [name(own), renamedAll(cells, name)]);
    found.stands_on = Object.fromEntries(rows.filter(([own, cells]) => own !== null && cells?.length));
  }
  if (apart) {
    const pairs = apart.map((pair) => [pair].flat().map(name)).filter((pair) => !pair.includes(null));
    found.apart = pairs.map((pair) => (pair.length > 1 ? pair : pair[0]));
  }
  if (exchangeable)
    found.exchangeable = exchangeable.map((set) => renamedAll(set, name)).filter((set) => set.length > 1);
  for (const kind of kindsOfSeveral(rules))
    found[kind] = entriesOf(rules, kind)
      .map((rule) => (rule.colour ? { ...rule, colour: name(rule.colour) } : rule))
      .filter(({ colour }) => colour !== null);
  return tidy(found);
}

/** @param {string[]} names @param {Renaming} name @returns {string[]} */
const renamedAll = (names, name) => names.flatMap((other) => name(other) ?? []);

/** The rules that a puzzle has several of; each may name parts, and a colour. @param {FileTable} rules */
const kindsOfSeveral = (rules) =>
  Object.keys(rules).filter((kind) => Array.isArray(rules[kind]) && rules[kind].every(isTable));

/** @param {any} value */
const isTable = (value) => typeof value === "object" && !Array.isArray(value);

/**
 * The rules of a kind that a puzzle can have several times.
 * @param {FileTable} rules @param {string} kind @returns {RuleValues[]}
 */
export const entriesOf = (rules, kind) => rules[kind] ?? [];

/**
 * The table of rules after a part got another name, or was removed (null): a rule that is about no part any more goes.
 * @param {FileTable} rules @param {Renaming} name
 */
export function withPartNames(rules, name) {
  const found = { ...rules };
  for (const kind of kindsOfSeveral(rules))
    found[kind] = entriesOf(rules, kind)
      .map((rule) => (rule.parts ? { ...rule, parts: renamedAll(rule.parts, name) } : rule))
      .filter(({ parts }) => parts?.length !== 0);
  return tidy(found);
}

/** Rules without empty tables. @param {FileTable} rules */
export function tidy(rules) {
  return Object.fromEntries(
    Object.entries(rules).filter(([, value]) => typeof value !== "object" || Object.keys(value).length),
  );
}

// ---- sides: keys, locks, and values that match

/** @type {("keys" | "locks" | "values")[]} */
export const KINDS = ["keys", "locks", "values"];

/** The names of all keys, locks and values. @param {Fields} fields @returns {string[]} */
export function valuesOf({ sides }) {
  return KINDS.flatMap((kind) => sides?.[kind] ?? []);
}

/** Whether two values match: as the table says, or by default only if equal. @param {SideRules} sides @param {string} a @param {string} b */
export function areMates({ mates = {} }, a, b) {
  const mated = Object.entries(mates).some(([name, others]) => name === a || others.includes(a));
  return mated ? Boolean(entry(mates, a)?.includes(b) || entry(mates, b)?.includes(a)) : a === b;
}

/** Set for all values which match. @param {SideRules} sides @param {(a: string, b: string) => boolean | undefined} mate */
export function setMates(sides, mate) {
  const values = sides.values ?? [];
  const rows = values.map((a) => ({ a, others: values.filter((b) => mate(a, b)) }));
  const told = rows.filter(({ a, others }) => others.length !== 1 || others[0] !== a);
  sides.mates = Object.fromEntries(told.map(({ a, others }) => [a, others]));
}

/**
 * Rename a key, a lock or a value everywhere; an empty name removes it, and its sides become flat.
 * @param {Model} model @param {string} before @param {string} name
 */
export function renameValue(model, before, name) {
  const sides = /** @type {SideRules} */ (model.fields.sides);
  /** @type {Renaming} */ const another = (other) => (other === before ? name || null : other);
  /** @param {Record<string, string[]>} rows */
  const table = (rows) =>
    Object.fromEntries(
      Object.entries(rows).flatMap(([own, others]) => {
        const now = another(own);
        return now ? [[now, renamedAll(others, another)]] : [];
      }),
    );
  const { mates } = sides;
  for (const key of /** @type {const} */ ([...KINDS, "flat_meets", "may_look_out"]))
    if (sides[key]) sides[key] = renamedAll(sides[key], another);
  if (mates && name) sides.mates = table(mates);
  else if (mates) setMates(sides, (a, b) => areMates({ mates }, a, b)); // as they were
  sides.fits = table(sides.fits ?? {});
  if (sides.rim === before) sides.rim = name;
  if (!sides.rim) delete sides.rim;
  /** @param {NamedSide[]} rows @returns {NamedSide[]} */
  const renamed = (rows) =>
    rows.flatMap(([cell, edge, other]) => {
      const now = another(other);
      return now ? [[cell, edge, now]] : [];
    });
  for (const part of model.parts) part.sides = renamed(part.sides);
  model.fields.asked = renamed(model.fields.asked);
}
