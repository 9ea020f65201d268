// Takes parts of other puzzles and of sets into this one, with what they bring along: colours, keys and locks.

import { areMates, KINDS, plainTable, setMates, takeLooks, valuesOf } from "./fields.js";
import { entry } from "./tables.js";

/** @import { Fields, SideRules } from "./web_types.js" */
/** @import { PartData, PartsAnswer, SidesTable } from "./server_types.js" */
/** @import { Model } from "./model.js" */

/**
 * Add parts of another puzzle or set, with their colours, keys and locks by name.
 * @param {Model} model @param {PartsAnswer} found @param {PartData[]} parts
 */
export function addParts(model, found, parts) {
  const { fields } = model;
  const numbers = found.colours.map(({ name }) => {
    const used = parts.some((part) => part.colours.some((k) => k && found.colours[k].name === name));
    if (used && !fields.colours.includes(name)) fields.colours.push(name);
    return Math.max(0, fields.colours.indexOf(name));
  });
  const wanted = new Set(parts.flatMap((part) => part.sides.map(([, , name]) => name)));
  if (wanted.size) addValues(fields, plainTable(/** @type {SidesTable} */ (found.sides).table), wanted);
  const known = valuesOf(fields);
  takeLooks(model, { colours: found.colours, sides: found.sides });
  return parts.map((part) =>
    model.added({
      ...part,
      from: null,
      fetched: true,
      cells: new Map(
        part.cells.map((cell, k) => [cell.join(","), { cell, colour: numbers[part.colours[k]], optional: false }]),
      ),
      motions: part.motions === "special" ? model.lattice.motions : part.motions,
      sides: part.sides.filter(([, , name]) => known.includes(name)),
    }),
  );
}

/**
 * Add the names of keys, locks and values that the parts bring along, and what fits them.
 * @param {Fields} fields @param {SideRules} other @param {Set<string>} wanted
 */
function addValues(fields, other, wanted) {
  const { sides } = fields;
  if (!sides) return;
  const before = valuesOf(fields);
  if (before.length === 0) {
    const isKept = (/** @type {string} */ word) => ["flat", ...KINDS].includes(word) || wanted.has(word);
    for (const key of /** @type {const} */ (["flat_meets", "may_look_out"]))
      if (other[key]) sides[key] = other[key].filter(isKept);
    if (other.locks_meet_locks) sides.locks_meet_locks = true;
  }
  const tables = [{ ...sides }, other];
  for (const kind of KINDS) {
    const added = (other[kind] ?? []).filter((name) => wanted.has(name) && !before.includes(name));
    if (added.length) sides[kind] = [...(sides[kind] ?? []), ...added];
  }
  /** @param {SideRules} table @param {string} a @param {string} b */
  const areThere = ({ values = [] }, a, b) => values.includes(a) && values.includes(b);
  if (sides.values) setMates(sides, (a, b) => tables.some((table) => areThere(table, a, b) && areMates(table, a, b)));
  const fits = (/** @type {string} */ key) => tables.flatMap((table) => entry(table.fits ?? {}, key) ?? []);
  const rows = (sides.keys ?? []).map((key) => [key, (sides.locks ?? []).filter((lock) => fits(key).includes(lock))]);
  sides.fits = { ...sides.fits, ...Object.fromEntries(rows) };
}
