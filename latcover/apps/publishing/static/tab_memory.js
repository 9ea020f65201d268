// What this tab remembers of each puzzle, by its subject, until the tab is closed: the runs that it has shown.

import { keep, keptData } from "./kept.js";

/** @import { Subject } from "./web_types.js" */

/** @param {string} kind @param {Subject} subject */
const nameOf = (kind, subject) => kind + digest(JSON.stringify(subject));

/** @param {string} kind @param {Subject} subject @param {unknown} data */
export const keepOf = (kind, subject, data) => keep(nameOf(kind, subject), JSON.stringify(data), "sessionStorage");

/** The stored object; empty if there is none. @param {string} kind @param {Subject} subject */
export const keptOf = (kind, subject) => keptData(nameOf(kind, subject), "sessionStorage");

/** A hash of a text: 53 bits, enough to tell the puzzles of a tab apart. @param {string} text */
function digest(text) {
  let [one, two] = [0x811c9dc5, text.length];
  for (let k = 0; k < text.length; k += 1) {
    one = Math.imul(one ^ text.charCodeAt(k), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(k), 0x85ebca6b) ^ (two >>> 13);
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36);
}
