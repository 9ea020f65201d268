// What the browser keeps for these pages. It may refuse to keep anything: then it lasts as long as the page.

/** @typedef {"localStorage" | "sessionStorage"} Place where it is kept: until it is removed, or until the tab is closed */

/** The text under a name, or null. @param {string} name @param {Place} [place] @returns {string | null} */
export function kept(name, place = "localStorage") {
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null;
  }
}

/**
 * Keep a text under a name, or nothing (null). Returns whether the browser does.
 * @param {string} name @param {string | null} text @param {Place} [place]
 */
export function keep(name, text, place = "localStorage") {
  try {
    if (text === null) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** The data under a name; an empty object if there are none, or what another program has written. @param {string} name @param {Place} [place] */
export const keptData = (name, place) => parsed(kept(name, place) ?? "");

/** @param {string} text */
export function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
