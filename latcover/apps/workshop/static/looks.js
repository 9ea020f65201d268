// The colours and letters of parts, as pictures of latcover have them (latcover/show/drawing/palette.py and letters.py).

import { luminance } from "./colours.js";
import { entry } from "./tables.js";

/** @import { Part } from "./types.js" */
/** @import { DesignPart, Looks } from "./workshop_types.js" */

const MATE = 0.62; // the brightness of a value, as a share of that of its only match
const DARK = 0.06; // luminance: dark lines are invisible on darker colours
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The colour of a name, or null: a name of CSS or a code. @param {Looks} looks @param {string} name */
export function colourNamed({ names }, name) {
  const plain = name
    .toLowerCase()
    .replace(/[\s_-]/g, "")
    .replaceAll("grey", "gray");
  return /^#[0-9a-f]{6}$/.test(plain) ? plain : (entry(names, plain) ?? null);
}

/**
 * The colour of each part: its own, or the palette's by its number.
 * @param {Looks} looks @param {DesignPart[]} parts @returns {string[]}
 */
export function coloursOf(looks, parts) {
  return parts.map(
    ({ display_colour: own = "" }, k) => colourNamed(looks, own) ?? looks.palette[k % looks.palette.length],
  );
}

/** Colours of cells, by their names, as latcover.show.drawing.palette.cell_colours has them. @param {Looks} looks @param {string[]} names */
export function tintsOf(looks, names) {
  const known = names.map((name) => colourNamed(looks, name));
  return names.map(
    (name, k) =>
      known[k] ?? looks.palette.find((rgb, at) => at >= (k - 1) % 12 && !known.includes(rgb)) ?? looks.palette[0],
  );
}

/** A colour for each value of a side; one that only an earlier value fits is a darker shade of that. @param {Looks} looks @param {import("./side_rules.js").SideRules} values */
export function looksOfSides(looks, { names, fits }) {
  const found = tintsOf(looks, names);
  names.forEach((name, k) => {
    const mates = fits[k].flatMap((does, other) => (does && other && k ? [other] : []));
    if (mates.length === 1 && mates[0] < k && !colourNamed(looks, name)) found[k] = shaded(found[mates[0]], MATE);
  });
  return found;
}

/** A letter for each value of a side, as latcover.core.model.side_letters has them. @param {string[]} names */
export function signsOfSides(names) {
  /** @type {string[]} */ const found = [];
  for (const name of names) {
    const all = [[...name].length === 1 ? name : name[0].toUpperCase(), name[0].toLowerCase(), ...LETTERS];
    const sign = all.find((one) => !found.includes(one) && !"._ ".includes(one));
    if (!sign) return names.map(() => "");
    found.push(sign);
  }
  return found;
}

/** A dark colour lighter, since shading is invisible on black. @param {string} colour */
export const inSpace = (colour) => (luminance(colour) < DARK ? shaded(colour, 1.16) : colour);

/**
 * Parts as the viewer knows them: name, shades and letters of the copies, and the pattern.
 * @param {Looks} looks @param {(DesignPart & { most: number })[]} parts @returns {Part[]}
 */
export function partsToShow(looks, parts) {
  const letters = lettersOf(parts);
  return coloursOf(looks, parts).map((colour, k) => {
    const several = Math.max(1, Math.min(looks.copies.length, parts[k].most));
    const { path, angle } = looks.marks[Math.floor(k / looks.palette.length) % looks.marks.length];
    return {
      name: parts[k].name,
      colours: looks.copies.slice(0, several).map((brightness) => shaded(colour, brightness)),
      letters: letters[k],
      pattern: path ? { path, angle } : null,
    };
  });
}

/** A colour darker (below 1), or mixed with white (above 1). @param {string} colour @param {number} brightness */
function shaded(colour, brightness) {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const made = channels.map((x) => (brightness <= 1 ? x * brightness : x + (255 - x) * Math.min(1, brightness - 1)));
  return `#${made.map((x) => Math.round(x).toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Letters for the copies of each part: its name if that is one letter, otherwise free letters. If there are too few, all
 * copies of a part share one.
 * @param {{ name: string, most: number }[]} parts @returns {string[][]}
 */
function lettersOf(parts) {
  const isLetter = (/** @type {string} */ text) => [...text].length === 1 && text !== " " && text !== ".";
  const apart = parts.reduce((sum, { most }) => sum + most, 0) <= LETTERS.length;
  const taken = new Set(parts.map(({ name }) => name).filter(isLetter));
  return parts.map(({ name, most }) => {
    const wanted = apart ? Math.max(1, most) : 1;
    if (isLetter(name) && wanted === 1) return [name];
    const own = wanted === 1 ? [name[0].toUpperCase(), name[0].toLowerCase()].filter(isLetter) : [];
    const free = [...own, ...LETTERS].filter((letter) => !taken.has(letter) || letter === name);
    const chosen = [...new Set(free)].slice(0, wanted);
    for (const letter of chosen) taken.add(letter);
    return chosen.length ? chosen : ["?"];
  });
}
