// Designs: edited puzzles and opened files, stored in this browser until they are deleted, and for a while after that. The server stores nothing.
//
// A design is {title, base, state, texts, at, edited, when}: `base` is the subject as it was opened, and `state` all that
// can be edited of the problem that is open, as a text (see model.js). `texts` is the whole file (see whole.js), with null
// for that text, and `at` the key of that problem. Each design has an identifier, which stands in the address of the page.
// Its history is stored elsewhere: vault.js.

import { keep, kept, keptData, parsed } from "./kept.js";
import { undoable } from "./notice.js";
import { forgetSteps } from "./vault.js";

const [PREFIX, DELETED] = ["latcover.design.", "latcover.deleted."];
const MOST_DELETED = 20; // designs that were deleted and can be opened again
const FIRST = "my puzzle"; // the name of a new design
const UNEDITED = 12; // number of files, opened but never edited, that are kept

/** All stored designs, the latest first: [{id, title, when, edited}]. */
export const designs = () => storedAs(PREFIX).sort((a, b) => b.when - a.when);

/** @param {string} prefix */
function storedAs(prefix) {
  try {
    const found = Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => ({ id: key.slice(prefix.length), ...keptData(key) }));
    return found.filter(({ base }) => base);
  } catch {
    return []; // this browser stores nothing for pages
  }
}

/** The stored design, or null. @param {string} id */
export const keptAs = (id) => kept(PREFIX + id);

/** Store a text under an identifier. Returns whether there was room. @param {string} id @param {string} text */
export const keepAs = (id, text) => keep(PREFIX + id, text);

/** @param {string} id */
export function forget(id) {
  keep(PREFIX + id, null);
  forgetSteps(id).catch(() => {}); // nothing is stored there either
}

/**
 * Delete a design, and offer to undo it; `again` is called when the designs have changed. The latest that were deleted are kept
 * with their histories, and can be opened again.
 * @param {string} id @param {string} title @param {() => void} again
 */
export function remove(id, title, again) {
  const text = keptAs(id);
  if (text === null) return;
  keep(PREFIX + id, null);
  keep(DELETED + id, JSON.stringify({ ...parsed(text), deleted: Date.now() })); // or until this page is closed
  for (const { id: old } of deleted().slice(MOST_DELETED)) {
    keep(DELETED + old, null);
    forget(old);
  }
  const undo = () => {
    restore(id, text);
    again();
  };
  undoable(`“${title}” was deleted. The list of your designs keeps it for a while.`, undo);
  again();
}

/** The designs that were deleted, the latest first: [{id, title, when, deleted}]. */
export const deleted = () => storedAs(DELETED).sort((a, b) => b.deleted - a.deleted);

/** Bring a deleted design back; `text` is what it was. @param {string} id @param {string | null} [text] */
export function restore(id, text = kept(DELETED + id)) {
  if (text === null) return;
  keep(DELETED + id, null);
  keepAs(id, text);
}

/** A name that no design has. */
export function freshName() {
  const taken = new Set(designs().map(({ title }) => title));
  if (!taken.has(FIRST)) return FIRST;
  for (let k = 2; ; k += 1) if (!taken.has(`${FIRST} ${k}`)) return `${FIRST} ${k}`;
}

/** Delete files that were opened but never edited, except the latest. */
export function forgetOld() {
  for (const { id } of designs()
    .filter(({ edited }) => !edited)
    .slice(UNEDITED))
    forget(id);
}

export const freshId = () =>
  [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36).padStart(2, "0")).join("");
