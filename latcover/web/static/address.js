// The page address names the open page and puzzle: #solve/soma, #watch/tetrasticks-5x5/its problem, or
// #puzzle/~identifier for a design stored in this browser, with its open problem. #solve/soma?solution=3
// also names the solution that is shown, and #best/soma?maximize=moves what is asked. The pages "start" and "plane" have no puzzle.

export const START = "start";
export const PLANE = "plane"; // #plane/kite/0,0,0: a lattice, and cells of the shape that is drawn
const MARK = "~"; // no name of a shipped puzzle starts with it
/** What stands after the question mark in the addresses of pages. @type {Map<string, string>} */
const queries = new Map();

/**
 * What the address says: {page, place, query}; a place is {name, problem, design, shelf}. When all changes to a
 * shipped puzzle are undone, its address remembers the design as `shelf`, so that they can be redone.
 */
export function where() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [page = "", ...names] = path.split("/").map(decoded);
  const [name = "", problem = ""] = page === PLANE ? [] : names; // that page names a shape instead
  const place = name.startsWith(MARK) ? { name: "", problem, design: name.slice(1) } : { name, problem, design: "" };
  return { page, place: { ...place, shelf: history.state?.shelf ?? "" }, query: new URLSearchParams(query) };
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
  const query = queries.get(page);
  const hash = `#${words.map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
  const state = shelf && !design ? { shelf } : null;
  if (hash === location.hash && shelf === (history.state?.shelf ?? "")) return;
  if (step && hash !== location.hash) history.pushState(state, "", hash);
  else history.replaceState(state, "", hash);
}

/**
 * Write what stands after the question mark in the address of a page; nothing clears it.
 *
 * @param {string} name of the page
 * @param {Record<string, string | number>} query
 */
export function showQuery(name, query) {
  queries.set(name, new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`])).toString());
  const { page, place } = where();
  if (page === name) goTo(page, place);
}

/**
 * Write the number of the solution shown on the page "solve", from 1; 0 is none.
 *
 * @param {number} number
 */
export const showSolution = (number) => showQuery("solve", number ? { solution: number } : {});

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
