// The page address names the open page and puzzle: #solve/soma, #watch/tetrasticks-5x5/its problem, or
// #puzzle/~identifier for a design stored in this browser, with its open problem, or #solve/=word for a puzzle that the
// address carries whole (carried.js). Behind a question mark stands what is shown there: #solve/soma?solution=3&view=flat,
// #design/soma?way=cut. The pages "start" and "plane" have no puzzle.

import { CARRIED } from "./carried.js";

/** @import { Place } from "./web_types.js" */

export const START = "start";
export const PLANE = "plane"; // #plane/kite/0,0,0: a lattice, and cells of the shape that is drawn
const MARK = "~"; // no name of a shipped puzzle starts with it
/** What is shown on each page of each puzzle, as in "?solution=3", by the rest of the address. @type {Map<string, string>} */
const shown = new Map();
/** @type {Omit<Place, "shelf" | "carried"> | null} */
let told = null; // the puzzle whose address was written last

/**
 * What the address says: {page, place, query}; a place is {name, problem, design, shelf, carried}; `carried` is the word of
 * a puzzle that the address holds. When all changes to a
 * shipped puzzle are undone, its address remembers the design as `shelf`, so that they can be redone. `query` says what
 * the page shows.
 */
export function where() {
  const [path, query] = split(location.hash.slice(1));
  const [page = "", ...names] = path.split("/").map(decoded);
  const [name = "", problem = ""] = page === PLANE ? [] : names; // that page names a shape instead
  const carried = name.startsWith(CARRIED) ? name.slice(1) : "";
  const design = name.startsWith(MARK) ? name.slice(1) : "";
  const place = { name: carried || design ? "" : name, problem, design, carried, shelf: history.state?.shelf ?? "" };
  return { page, place, query: new URLSearchParams(query) };
}

/** Whether two places are the same. @param {Omit<Place, "shelf" | "carried">} one @param {Omit<Place, "shelf" | "carried">} other */
export function samePuzzle(one, other) {
  return one.name === other.name && one.design === other.design && one.problem === other.problem;
}

/** Whether two places are problems of the same file. @param {Place} one @param {Place} other */
export function sameFile(one, other) {
  return one.name === other.name && one.design === other.design && Boolean(one.name || one.design);
}

/** The address of a page with the puzzle at a place. @param {string} page @param {Place} options */
export function addressOf(page, { name, problem, design }) {
  const place = design || name ? [design ? MARK + design : name, ...(problem ? [problem] : [])] : [];
  const words = page === START ? [page] : [page, ...place];
  return `#${words.map((word) => encodeURIComponent(word ?? "")).join("/")}`;
}

/**
 * Write the address; `step` adds a history entry, so that Back leads back.
 * @param {string} page @param {Place} options @param {boolean} [step]
 */
export function goTo(page, { name, problem, design, shelf = "" }, step = false) {
  told = { name, problem, design };
  const path = addressOf(page, { name, problem, design });
  const [here, query] = split(location.hash);
  const isSame = path === here || here.startsWith(`#${page}/${CARRIED}`); // a puzzle that came with the address
  const hash = path + (shown.get(path) ?? (isSame ? query : ""));
  const state = shelf && !design ? { shelf } : null;
  if (hash === location.hash && shelf === (history.state?.shelf ?? "")) return;
  if (step && hash !== location.hash) history.pushState(state, "", hash);
  else history.replaceState(state, "", hash);
}

/**
 * Write what the page shows if it is open; what is empty is left out. Who has gone back may still wait for the puzzle there:
 * then what is shown is another one's.
 * @param {string} page @param {Record<string, string | number>} values
 */
export function showQuery(page, values) {
  const at = where();
  const isOther = page !== START && told && !samePuzzle(told, at.place);
  if ((at.page || START) !== page || isOther) return;
  const said = Object.entries(values).filter(([, value]) => value);
  const query = said.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  shown.set(split(location.hash)[0], query && `?${query}`);
  if (page === START) history.replaceState(history.state, "", `#${START}${query && `?${query}`}`);
  else goTo(page, at.place);
}

/** An address, and what stands from its question mark on. @param {string} text */
function split(text) {
  const at = text.indexOf("?");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
