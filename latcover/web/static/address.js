// The address of the page: which page is open, and which puzzle. #solve/soma, #watch/tetrasticks-5x5/its problem, or
// #puzzle/~identifier for a design that this browser keeps. The page "start" is about no puzzle.

export const START = "start";
const MARK = "~"; // no shipped puzzle's name begins with it

/** What the address says: {page, place}; a place is {name, problem, design}. */
export function where() {
  const [page = "", name = "", problem = ""] = location.hash.slice(1).split("/").map(decoded);
  const place = name.startsWith(MARK) ? { name: "", problem: "", design: name.slice(1) } : { name, problem, design: "" };
  return { page, place };
}

/** Whether two places are the same. */
export function samePuzzle(one, other) {
  return one.name === other.name && one.problem === other.problem && one.design === other.design;
}

/** Write the address; as a step that Back takes back, where `step` is true. */
export function goTo(page, { name, problem, design }, step = false) {
  const words = page === START ? [page] : [page, ...(design ? [MARK + design] : name ? [name, ...(problem ? [problem] : [])] : [])];
  const hash = `#${words.map(encodeURIComponent).join("/")}`;
  if (hash === location.hash) return;
  if (step) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
