// Designs: what was edited or opened from a file, kept by this browser until it is forgotten. The server keeps nothing.
//
// A design is {title, base, state, texts, at, edited, when}: `base` is the subject as it was opened, and `state` all that
// can be edited of the problem that is open, as a text (see model.js). `texts` is the whole file (see whole.js), with null
// for that text, and `at` the key of that problem. Each design has an identifier, which stands in the address of the page.
// How it came to be what it is lies elsewhere: vault.js.

import { forgetSteps } from "./vault.js";

const PREFIX = "latcover.design.";
const UNEDITED = 12; // files that were only opened: the latest are kept

/** The designs that are kept, the latest first: [{id, title, when, edited}]. */
export function designs() {
  try {
    const found = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => ({ id: key.slice(PREFIX.length), ...parsed(localStorage.getItem(key)) }));
    return found.filter(({ base }) => base).sort((a, b) => b.when - a.when);
  } catch {
    return []; // this browser keeps nothing for pages
  }
}

/** A design as it was kept last, or null. */
export function keptAs(id) {
  try {
    return localStorage.getItem(PREFIX + id);
  } catch {
    return null;
  }
}

export function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {}; // somebody else has written here
  }
}

/** Keep a text under an identifier. Says whether there was room. */
export function keep(id, text) {
  try {
    localStorage.setItem(PREFIX + id, text);
    return true;
  } catch {
    return false;
  }
}

export function forget(id) {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // nothing is kept
  }
  forgetSteps(id).catch(() => {}); // nothing is kept there either
}

/** Forget files that were only opened, but for the latest. */
export function forgetOld() {
  for (const { id } of designs().filter(({ edited }) => !edited).slice(UNEDITED)) forget(id);
}

export const freshId = () => [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36).padStart(2, "0")).join("");
