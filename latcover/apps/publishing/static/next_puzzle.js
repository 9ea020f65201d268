// Which puzzle of a site comes after this one: the next that was not solved in this browser.

import { keptOf } from "./album.js";

/** @import { ListedPuzzle } from "./play_types.js" */

/** A puzzle to go to; `left` is how many are not solved yet. @typedef {{ title: string, href: string, left: number }} NextPuzzle */

/**
 * The next puzzle of a site; null if there is no other. Sites of earlier versions have no list.
 * @param {string} digest of the puzzle of this page @returns {NextPuzzle | null}
 */
export function nextPuzzle(digest) {
  const all = globalThis.latcoverSite ?? [];
  const at = all.findIndex((one) => one.digest === digest);
  const others = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].filter(({ solvable }) => solvable);
  const open = others.filter((one) => !keptOf(one.digest).found.length);
  const [next] = /** @type {ListedPuzzle[]} */ (open.length ? open : others);
  return next ? { title: next.title, href: `${encodeURIComponent(next.name)}.html`, left: open.length } : null;
}
