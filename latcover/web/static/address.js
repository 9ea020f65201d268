// The address of the page: which page is open, and which puzzle. #solve/soma, #watch/tetrasticks-5x5/its problem, or
// #puzzle/~identifier for a design that this browser keeps, with the problem of it that is open.
// The page "start" is about no puzzle.

export const START = "start";
const MARK = "~"; // no shipped puzzle's name begins with it

/**
 * What the address says: {page, place}; a place is {name, problem, design, shelf}. The address of a shipped puzzle of
 * which all changes were taken back remembers its design as `shelf`, so that they can be made again.
 */
export function where() {
  const [page = "", name = "", problem = ""] = location.hash.slice(1).split("/").map(decoded);
  const place = name.startsWith(MARK) ? { name: "", problem, design: name.slice(1) } : { name, problem, design: "" };
  return { page, place: { ...place, shelf: history.state?.shelf ?? "" } };
}

/** Whether two places are the same. */
export function samePuzzle(one, other) {
  return one.name === other.name && one.design === other.design && one.problem === other.problem;
}

/** Whether two places are problems of the same file. */
export function sameFile(one, other) {
  return one.name === other.name && one.design === other.design && Boolean(one.name || one.design);
}

/** Write the address; as a step that Back takes back, where `step` is true. */
export function goTo(page, { name, problem, design, shelf = "" }, step = false) {
  const place = design || name ? [design ? MARK + design : name, ...(problem ? [problem] : [])] : [];
  const words = page === START ? [page] : [page, ...place];
  const hash = `#${words.map(encodeURIComponent).join("/")}`;
  const state = shelf && !design ? { shelf } : null;
  if (hash === location.hash && shelf === (history.state?.shelf ?? "")) return;
  if (step && hash !== location.hash) history.pushState(state, "", hash);
  else history.replaceState(state, "", hash);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
