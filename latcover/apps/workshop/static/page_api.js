// What the editor asks, answered in the page: the host of a workshop (host.js), which has no server.
// The answers are those of latcover/apps/web/editor_data.py and edits.py, for the puzzles that the page knows: puzzle_text.js.

import { problemsIn, unpacked } from "./burrtools.js";
import { faultsOf, warningsOf } from "./checks.js";
import { Fault } from "./faults.js";
import { coloursOf } from "./looks.js";
import { pageData } from "./page_data.js";
import { DesignFault } from "./placing.js";
import { FileFault } from "./shapes_in_files.js";
import { puzzleIn, textOf, unknownRules } from "./puzzle_text.js";
import { entry } from "./tables.js";

/** @import { Cell, Subject } from "./web_types.js" */
/** @import { Design, PagePuzzle, WorkshopLattice } from "./workshop_types.js" */
/** @import { PuzzleData } from "./server_types.js" */

const { lattices, looks, puzzles, ruleWords, sets } = globalThis.latcoverWorkshop;
const MOTIONS = ["fixed", "rotations", "reflections"];
const PAPER = "#f4f4f0"; // of cells without a colour

/** There is no server that might be away. */
export const server = Object.assign(new EventTarget(), { away: false, whenBack: () => {} });

/** The answers are made in this page, which then does nothing else. */
export const isInPage = true;

/** The pages that are served: Design cuts the region. */
export const pages = ["puzzle", "play", "solve", "apart", "design"];

/** What the editor offers of puzzles. */
export const knows = { rules: false, burrTools: false, severalProblems: false };

/**
 * The data of a subject for the editor: {form: "new", lattice}, {form: "toml", text, file}, or {form: "shipped", name}, a
 * puzzle of this site; with its edits.
 * @param {Record<string, any>} subject
 */
export async function open(subject) {
  const base = subject.form === "new" ? null : puzzleOf(textOfSubject(subject));
  const puzzle = subject.edits ? edited(base, base?.lattice ?? subject.lattice, subject.edits) : base;
  if (!puzzle) throw new Fault("a new puzzle needs cells");
  const { edits: _, ...own } = subject;
  return editorData(puzzle, own);
}

/**
 * A puzzle as the data of a published page, on which it is played, solved and taken apart.
 * @param {Record<string, any>} subject @param {"all" | "none"} under the symmetries under which solutions are the same
 */
export async function playable(subject, under) {
  const { design, lattice } = await open(subject);
  try {
    return { data: pageData(lattice, looks, design, under) };
  } catch (fault) {
    throw fault instanceof DesignFault ? new Fault(fault.message) : fault;
  }
}

/** The engine came with the page. */
export async function engineReady() {}

/** @param {Record<string, any>} subject */
function textOfSubject({ form, text, name }) {
  if (form === "toml") return text;
  const found = puzzles.find((puzzle) => puzzle.name === name);
  if (!found) throw new Fault(`this site has no puzzle “${name}”`);
  return found.text;
}

/** @param {string} text */
function puzzleOf(text) {
  try {
    return puzzleIn(text, globalThis.latcoverWorkshop);
  } catch (error) {
    if (error instanceof FileFault) throw new Fault(sentence(error.message));
    throw error;
  }
}

/** @param {string} words */
const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;

/**
 * A puzzle after edits. What edits leave out stays; known figures stay while the puzzle means the same.
 * @param {PagePuzzle | null} base @param {string} lattice @param {Record<string, any>} edits @returns {PagePuzzle}
 */
function edited(base, lattice, edits) {
  const { region } = edits;
  const unknown = unknownIn(edits);
  if (unknown.length)
    throw new Fault(`This design has what this page does not support: ${unknown.join("; ")}. latcover serve opens it.`);
  const known = entry(lattices, lattice);
  if (!known) throw new Fault(`this page does not support the lattice “${lattice}”`);
  const { nodes, motions } = known;
  const optional = region.cells.map(
    (/** @type {Cell} */ [node], /** @type {number} */ k) => Boolean(region.optional?.[k]) || nodes[node].secondary,
  );
  const made = {
    name: edits.name ?? base?.name ?? "new puzzle",
    title: edits.title ?? base?.title ?? "",
    source: edits.source ?? base?.source ?? "",
    comment: edits.comment ?? base?.comment ?? "",
    lattice,
    region: { cells: region.cells, optional, max_empty: region.max_empty ?? null },
    parts: edits.parts.map((/** @type {any} */ part) => ({
      name: part.name,
      cells: part.cells,
      low: part.low ?? 1,
      high: part.high ?? null,
      motions: part.motions ?? motions,
      groups: part.groups ?? [],
      weight: part.weight ?? 1,
      display_colour: part.display_colour ?? "",
    })),
    kept: /** @type {Record<string, any>} */ ({}),
  };
  const same = base !== null && meaning(base) === meaning(made);
  for (const key of ["turning", "expect", "published"]) {
    const before = same || key === "turning" ? base?.kept[key] : undefined;
    const value =
      key === "expect" && edits.expect ? { ...large(before ?? {}), ...edits.expect } : (edits[key] ?? before);
    if (value && Object.keys(value).length) made.kept[key] = value;
  }
  return made;
}

/**
 * What edits say that the page does not know, in words: a design of the web app may be kept in the same browser.
 * @param {Record<string, any>} edits
 */
function unknownIn({ region, parts: own, rules = {}, sides = {} }) {
  const tinted = [region, ...own].some(({ colours = [] }) => colours.some(Boolean));
  const bordered = [region, ...own].some(({ sides: rows = [] }) => rows.length);
  const named = Object.keys(sides ?? {}).some((key) => ["keys", "locks", "values"].includes(key) && sides[key].length);
  return [
    tinted ? "colours of cells" : "",
    bordered || named ? "keys, locks and values on sides" : "",
    Object.keys(rules ?? {}).length ? unknownRules(rules, ruleWords) : "",
    region.alike?.length ? "cells that must be alike" : "",
    (region.period ?? []).flat().some(Boolean) ? "a region that closes on itself" : "",
    own.some((/** @type {{ motions: unknown }} */ { motions }) => motions === "special")
      ? "motions without a name"
      : "",
  ].filter(Boolean);
}

/**
 * The figures of a table that the editor's numbers cannot hold: it does not see them, and they stay.
 * @param {Record<string, any>} table
 */
const large = (table) => Object.fromEntries(Object.entries(table).filter(([, value]) => typeof value === "bigint"));

/** @param {Record<string, any>} table */
const small = (table) => Object.fromEntries(Object.entries(table).filter(([, value]) => typeof value !== "bigint"));

/** All on which figures depend, as a text. @param {PagePuzzle} puzzle */
function meaning({ region, parts }) {
  const cells = region.cells.map((cell, k) => `${cell} ${region.optional[k]}`).sort();
  const shapes = parts.map(({ cells: own, low, high, motions, groups, weight }) => [
    own.map(String).sort(),
    [low, high, motions, groups ?? [], weight ?? 1],
  ]);
  return JSON.stringify([cells, region.max_empty, shapes]);
}

/**
 * @param {PagePuzzle} puzzle @param {Record<string, any>} subject
 * @returns {PuzzleData & { lattice: WorkshopLattice, design: Design }}
 */
function editorData(puzzle, subject) {
  const lattice = /** @type {WorkshopLattice} */ (entry(lattices, puzzle.lattice));
  const { region, parts } = puzzle;
  const faults = faultsOf(puzzle, lattice);
  const isSound = region.cells.length > 0 && parts.every(({ cells }) => cells.length);
  const colours = coloursOf(looks, parts);
  return {
    kind: "puzzle",
    subject: /** @type {Subject} */ (subject),
    problems: [],
    left_out: [],
    name: puzzle.name,
    title: puzzle.title || puzzle.name,
    own_title: puzzle.title,
    source: puzzle.source,
    comment: puzzle.comment,
    lattice,
    region: {
      cells: region.cells,
      colours: region.cells.map(() => 0),
      optional: region.optional.map(Number),
      period: lattice.basis.map(() => 0),
      max_empty: region.max_empty,
      sides: [],
      alike: [],
    },
    parts: parts.map((part, k) => ({
      ...part,
      from: k,
      letter: part.name[0],
      rgb: colours[k],
      colours: part.cells.map(() => 0),
      sides: [],
      display_colour: part.display_colour ?? "",
      groups: part.groups ?? [],
      weight: part.weight ?? 1,
    })),
    colours: [{ name: "", rgb: PAPER }],
    palette: looks.palette,
    motions: MOTIONS,
    rules: {},
    sides: { table: {}, looks: {} },
    expect: small(puzzle.kept.expect ?? {}),
    published: puzzle.kept.published ?? [],
    objectives: [],
    faults,
    warnings: isSound ? warningsOf(puzzle, lattice) : [],
    toml: isSound ? textOf(puzzle, lattice) : "",
    design: designOf(puzzle),
  };
}

/** A puzzle as the modules have it that place its parts. @param {PagePuzzle} puzzle @returns {Design} */
function designOf({ name, title, region, parts, kept }) {
  return { name, title, region, parts, turning: kept.turning ?? null };
}

/**
 * The puzzle of an uploaded file: of our own, or of BurrTools. Of several problems one is opened, and the others are named.
 * @param {File[]} files @param {string} [problem] which of them to open
 */
export async function read([file, ...others], problem = "") {
  if (others.length) throw new Fault("This page opens one file at a time.");
  if (/\.xmpuzzle$/i.test(file.name)) return burrTools(file, problem);
  if (!/\.toml$/i.test(file.name))
    throw new Fault(
      `This page opens puzzle files (.toml, .xmpuzzle). latcover on your machine converts ${file.name} to one.`,
    );
  return open({ form: "toml", text: await file.text(), file: file.name });
}

/** @param {File} file @param {string} wanted */
async function burrTools(file, wanted) {
  const text = await unpacked(file).catch(refused);
  const problems = await Promise.resolve()
    .then(() => problemsIn(text, file.name, lattices))
    .catch(refused);
  const usable = [...problems].filter(([, puzzle]) => !(puzzle instanceof FileFault));
  const [name, puzzle] = usable.find(([own]) => own === wanted) ?? usable[0] ?? [...problems][0];
  if (puzzle instanceof FileFault) throw new Fault(sentence(puzzle.message));
  const lattice = /** @type {WorkshopLattice} */ (entry(lattices, puzzle.lattice));
  const data = await open({ form: "toml", text: textOf(puzzle, lattice), file: file.name });
  const left_out = [...problems]
    .filter(([own]) => own !== name)
    .map(([own, other]) => ({
      name: own,
      fault:
        other instanceof FileFault ? other.message : "this page opens one problem of a file; latcover serve opens all",
    }));
  return { ...data, left_out };
}

/** What is wrong with a file, for the user. @param {any} error @returns {never} */
function refused(error) {
  throw error instanceof FileFault ? new Fault(sentence(error.message)) : error;
}

/** The parts of a set, of a puzzle of this site, or of a file. @param {Record<string, any>} from */
export async function parts(from) {
  const text = from.form === "set" ? sets.find((set) => set.name === from.name)?.text : null;
  if (from.form === "set" && !text) throw new Fault(`this page has no set “${from.name}”`);
  return open(text ? { form: "toml", text } : from);
}

/** Other forms of files than our own. @returns {Promise<any>} */
export async function exported() {
  throw new Fault("This page writes puzzle files (.toml) alone; latcover on your machine writes the others.");
}

/** @param {string} name */
export const latticePicture = (name) => `pictures/lattices/${name}.svg`;
