// The page address names the open page and puzzle: #solve/soma, #watch/tetrasticks-5x5/its problem, or
// #puzzle/~identifier for a design stored in this browser, with its open problem. #solve/soma?solution=3
// also names the solution that is shown. The pages "start" and "plane" have no puzzle.

export const START = "start";
export const PLANE = "plane"; // #plane/kite/0,0,0: a lattice, and cells of the shape that is drawn
const MARK = "~"; // no name of a shipped puzzle starts with it
const SHOWN = "?solution=";
let shown = 0; // the solution on the page "solve", from 1; 0 is none

/**
 * What the address says: {page, place}; a place is {name, problem, design, shelf}. When all changes to a
 * shipped puzzle are undone, its address remembers the design as `shelf`, so that they can be redone.
 */
export function where() {
  const [path, number] = location.hash.slice(1).split(SHOWN);
  const [page = "", ...names] = path.split("/").map(decoded);
  const [name = "", problem = ""] = page === PLANE ? [] : names; // that page names a shape instead
  const place = name.startsWith(MARK) ? { name: "", problem, design: name.slice(1) } : { name, problem, design: "" };
  return { page, place: { ...place, shelf: history.state?.shelf ?? "" }, solution: Math.floor(Number(number)) || 0 };
}

/** Whether two places are the same. */
export function samePuzzle(one, other) {
  return one.name === other.name && one.design === other.design && one.problem === other.problem;
}

/** Whether two places are problems of the same file. */
export function sameFile(one, other) {
  return one.name === other.name && one.design === other.design && Boolean(one.name || one.design);
}

/** Write the address; `step` adds a history entry, so that Back leads back. */
export function goTo(page, { name, problem, design, shelf = "" }, step = false) {
  const place = design || name ? [design ? MARK + design : name, ...(problem ? [problem] : [])] : [];
  const words = page === START ? [page] : [page, ...place];
  const hash = `#${words.map(encodeURIComponent).join("/")}${page === "solve" && shown ? SHOWN + shown : ""}`;
  const state = shelf && !design ? { shelf } : null;
  if (hash === location.hash && shelf === (history.state?.shelf ?? "")) return;
  if (step && hash !== location.hash) history.pushState(state, "", hash);
  else history.replaceState(state, "", hash);
}

/**
 * Write the number of the solution shown on the page "solve", from 1; 0 is none.
 *
 * @param {number} number
 */
export function showSolution(number) {
  shown = number;
  const { page, place } = where();
  if (page === "solve") goTo(page, place);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
