// What the editor asks, answered in the page: the host of a workshop (host.js), which has no server.
// The answers are those of latcover/apps/web/editor_data.py and edits.py, for the puzzles that the page knows: puzzle_text.js.

import { problemsIn, unpacked } from "./burrtools.js";
import { faultsOf, warningsOf } from "./checks.js";
import { Fault } from "./faults.js";
import { coloursOf, looksOfSides, tintsOf } from "./looks.js";
import { made } from "./making.js";
import { noSymmetry } from "./no_symmetry.js";
import { FileFault } from "./shapes_in_files.js";
import { edited, fileIn, problemsOf, puzzleIn, textOf, textOfProblems } from "./puzzle_text.js";
import { SideRules } from "./side_rules.js";
import { entry } from "./tables.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";

/** @import { Subject } from "./web_types.js" */
/** @import { Design, PagePuzzle, WorkshopLattice } from "./workshop_types.js" */
/** @import { PuzzleData } from "./server_types.js" */

const { address, lattices, looks, puzzles, sets } = globalThis.latcoverWorkshop;
const MOTIONS = ["fixed", "rotations", "reflections"];
const FILLED = "#9db9d9"; // of cells that are to be filled, in pictures
const PAPER = "#f4f4f0"; // of cells without a colour

/** There is no server that might be away. */
export const server = Object.assign(new EventTarget(), { away: false, whenBack: () => {} });

/** The pages that are served: Design cuts the region. */
export const pages = ["puzzle", "play", "solve", "apart", "design"];

/** The address of this page for everybody, if the site knew it; "" if not. */
export const home = address;

/** What the editor offers of puzzles. */
export const knows = {
  rules: true,
  burrTools: false,
  severalProblems: true,
  pages: false,
  symmetries: ["all", "none"],
};

/** The ways to design, and their fields. */
export const ways = { cut: ["parts", "limit"] };

/**
 * The data of a subject for the editor: {form: "new", lattice}, {form: "toml", text, file}, or {form: "shipped", name}, a
 * puzzle of this site; with the name of its problem, and its edits.
 * @param {Record<string, any>} subject
 */
export async function open(subject) {
  const { edits, ...own } = subject;
  return editorData(puzzleOf(subject), own, Boolean(edits));
}

/**
 * A puzzle as the data of a published page, on which it is played, solved and taken apart.
 * @param {Record<string, any>} subject @param {"all" | "none"} under the symmetries under which solutions are the same
 * @param {(share: number) => void} [tell] how far it is
 */
export async function playable(subject, under, tell = () => {}) {
  const { faults } = await open(subject);
  if (faults.length) throw new Fault(faults[0], faults);
  const puzzle = puzzleOf(subject);
  if (puzzle.unjudged.length && isStored(subject)) return { data: await storedData(subject.name, under) };
  return { data: await made(lattices[puzzle.lattice], designOf(puzzle), under, tell) };
}

/** Whether the site has the data of a puzzle as it is. @param {Record<string, any>} subject */
const isStored = ({ form, edits }) => form === "shipped" && !edits;

/**
 * What latcover made of a puzzle of this site for its own page: there it judges all rules.
 * @param {string} name @param {"all" | "none"} under @returns {Promise<import("./play_types.js").PageData>}
 */
async function storedData(name, under) {
  const script = document.createElement("script");
  script.src = `puzzles/${encodeURIComponent(name)}.js`;
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Fault("The page of this puzzle cannot be read; look for it on the site."));
    document.head.append(script);
  });
  script.remove();
  const data = globalThis.latcoverPuzzle;
  return under === "all" ? data : { ...data, symmetry: noSymmetry(data.symmetry.n_placements) };
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

/** The puzzle of a subject, after its edits. @param {Record<string, any>} subject @returns {PagePuzzle} */
function puzzleOf(subject) {
  const { form, lattice, problem, edits } = subject;
  return asked(() => {
    const base = form === "new" ? null : puzzleIn(textOfSubject(subject), globalThis.latcoverWorkshop, problem);
    if (!edits && !base) throw new FileFault("a new puzzle needs cells");
    return edits
      ? edited(base, base?.lattice ?? lattice, edits, globalThis.latcoverWorkshop)
      : /** @type {PagePuzzle} */ (base);
  });
}

/** Do what files may be at fault for. @template T @param {() => T} work @returns {T} */
function asked(work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof FileFault ? new Fault(sentence(error.message)) : error;
  }
}

/** @param {string} words */
const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;

/** The figures that the editor's numbers can hold; the others stay in the file. @param {Record<string, any>} table */
const small = (table) => Object.fromEntries(Object.entries(table).filter(([, value]) => typeof value !== "bigint"));

/**
 * @param {PagePuzzle} puzzle @param {Record<string, any>} subject @param {boolean} isEdited
 * @returns {PuzzleData & { lattice: WorkshopLattice, design: Design }}
 */
function editorData(puzzle, subject, isEdited) {
  const lattice = /** @type {WorkshopLattice} */ (entry(lattices, puzzle.lattice));
  const { region, parts, file, unjudged } = puzzle;
  const faults = faultsOf(puzzle, lattice);
  const isSound = region.cells.length > 0 && parts.every(({ cells }) => cells.length);
  const colours = coloursOf(looks, parts);
  const values = new SideRules(puzzle.sides);
  const rgb = looksOfSides(looks, values);
  const unsolved = unjudged.length
    ? [`this page does not judge ${unjudged.join("; ")}, and so does not solve it; it keeps them`]
    : [];
  const problems = (file ? problemsOf(file) : []).map((name) => ({ name, fault: null }));
  return {
    kind: "puzzle",
    subject: /** @type {Subject} */ (subject),
    problems,
    left_out: [],
    name: puzzle.name,
    title: puzzle.title || puzzle.name,
    own_title: puzzle.title,
    source: puzzle.source,
    comment: puzzle.comment,
    lattice,
    region: {
      cells: region.cells,
      colours: region.colours,
      optional: region.optional.map(Number),
      period: region.period.length ? region.period : lattice.basis.map(() => 0),
      max_empty: region.max_empty,
      sides: region.sides,
      alike: region.alike,
    },
    parts: parts.map(({ table: _, at: __, of: ___, more: ____, ...part }, k) => ({
      ...part,
      from: k,
      letter: part.name[0],
      rgb: colours[k],
      colours: part.colours ?? part.cells.map(() => 0),
      sides: part.sides ?? [],
      display_colour: part.display_colour ?? "",
      groups: part.groups ?? [],
      weight: part.weight ?? 1,
    })),
    colours: tintsOf(looks, puzzle.colours).map((tint, k) => ({ name: puzzle.colours[k], rgb: k ? tint : PAPER })),
    palette: looks.palette,
    motions: MOTIONS,
    rules: puzzle.rules,
    sides: {
      table: puzzle.sides,
      looks: Object.fromEntries(values.names.slice(1).map((name, k) => [name, rgb[k + 1]])),
    },
    expect: small(puzzle.kept.expect ?? {}),
    published: puzzle.kept.published ?? [],
    objectives: [],
    faults,
    warnings: [...unsolved, ...(isSound ? warningsOf(puzzle, lattice) : [])],
    toml: isSound ? textOf(puzzle, lattice) : "",
    design: designOf(puzzle),
  };
}

/** A puzzle as the modules have it that place its parts. @param {PagePuzzle} puzzle @returns {Design} */
function designOf({ name, title, colours, rules, sides, region, parts, kept, unjudged }) {
  return { name, title, colours, rules, sides, region, parts, unjudged, turning: kept.turning ?? null };
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
  const text = await file.text();
  const names = problemsOf(asked(() => fileIn(text, globalThis.latcoverWorkshop)));
  const own = names.length ? { problem: names.includes(problem) ? problem : names[0] } : {};
  return open({ form: "toml", text, file: file.name, ...own });
}

/** @param {File} file @param {string} wanted */
async function burrTools(file, wanted) {
  const text = await unpacked(file).catch(refused);
  const problems = [...asked(() => problemsIn(text, file.name, lattices))];
  const usable = problems.flatMap(([name, puzzle]) =>
    puzzle instanceof FileFault ? [] : [{ name, puzzle, isKept: false }],
  );
  const [[, first]] = problems;
  if (!usable.length && first instanceof FileFault) throw new Fault(sentence(first.message));
  const lattice = /** @type {WorkshopLattice} */ (entry(lattices, usable[0].puzzle.lattice));
  const made = usable.length > 1 ? textOfProblems(usable, lattice) : textOf(usable[0].puzzle, lattice);
  const problem = usable.length > 1 ? (usable.find(({ name }) => name === wanted) ?? usable[0]).name : "";
  const data = await open({ form: "toml", text: made, file: file.name, ...(problem ? { problem } : {}) });
  const left_out = problems.flatMap(([name, fault]) =>
    fault instanceof FileFault ? [{ name, fault: fault.message }] : [],
  );
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

/**
 * The whole file of several problems (model.js: file()), in our own form.
 * @param {{ subject: Record<string, any>, form: string, name?: string }} wanted
 */
export async function exported({ subject, form, name = "puzzles" }) {
  if (form !== "toml")
    throw new Fault("This page writes puzzle files (.toml) alone; latcover on your machine writes the others.");
  const { problems, comment, ...file } = subject;
  const read = problems.map((/** @type {any} */ { problem, edits }) => {
    const puzzle = puzzleOf({ ...file, ...(problem ? { problem } : {}), ...(edits ? { edits } : {}) });
    return { name: problem ?? puzzle.name, puzzle, isKept: !edits };
  });
  const lattice = /** @type {WorkshopLattice} */ (entry(lattices, read[0].puzzle.lattice));
  const text = asked(() => textOfProblems(read, lattice, comment));
  return {
    name: `${name.replace(/\.\w+$/, "")}.toml`,
    blob: new Blob([text], { type: "application/toml" }),
    remarks: "",
  };
}

/** What is to be filled, as a picture. @param {Record<string, any>} subject */
export async function card(subject) {
  const { lattice, region } = await open(subject);
  const [picture] = thumbnail(lattice, region.cells, () => FILLED, 2 * thumbnailScale(lattice, [region.cells]));
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new Blob([picture.outerHTML], { type: "image/svg+xml" });
}

/** What is to be filled in a puzzle of this site: its own picture may show a solution. @param {string} name */
export const shippedPicture = async (name) => URL.createObjectURL(await card({ form: "shipped", name }));

/** @param {string} name */
export const latticePicture = (name) => `pictures/lattices/${name}.svg`;
