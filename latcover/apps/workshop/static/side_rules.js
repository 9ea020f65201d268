// What may be on sides, of the table [sides] of a puzzle file: latcover/files/formats/puzzle_files/rules_file.py.

import { entry } from "./tables.js";
import { FileFault } from "./shapes_in_files.js";

/** @import { FileTable } from "./web_types.js" */

export const FLAT = "flat";
const NO_VALUE = "._";

export class SideRules {
  /** @param {FileTable} table of values, keys and locks */
  constructor(table) {
    const { keys = [], locks = [], values: given = [], fits = {}, mates = {}, rim } = table;
    const values = [...new Set(/** @type {string[]} */ (Object.values(given)))];
    this.names = [FLAT, ...keys, ...locks, ...values];
    this.numbers = new Map(this.names.map((name, k) => [name, k]));
    if (this.numbers.size < this.names.length) throw new FileFault("two of the values, keys and locks have one name");
    /** @type {Map<string, number>} */ this.letters = new Map(
      this.names.flatMap((name, k) => ([...name].length === 1 ? [[name, k]] : [])),
    );
    if (!Array.isArray(given))
      for (const [letter, name] of Object.entries(given)) this.letters.set(letter, this.number(name));
    this.fits = this.names.map(() => this.names.map(() => false));
    for (const [key, own] of Object.entries(fits)) for (const lock of own) this.meet(key, lock);
    const mated = new Set();
    for (const [name, others] of Object.entries(mates))
      for (const other of [others].flat()) {
        this.meet(name, other);
        mated.add(name).add(other);
      }
    for (const name of values) if (!mated.has(name) && !entry(mates, name)) this.meet(name, name);
    const groups = { [FLAT]: [FLAT], keys, locks, values };
    const members = (/** @type {string} */ key, /** @type {string[]} */ usual) =>
      /** @type {string[]} */ (table[key] ?? usual).flatMap((word) => entry(groups, word) ?? [word]);
    for (const name of members("flat_meets", values.length ? [FLAT, "values"] : [FLAT])) this.meet(FLAT, name);
    if (table.locks_meet_locks) for (const one of locks) for (const other of locks) this.meet(one, other);
    const open = new Set(members("may_look_out", [FLAT, "locks", "values"]).map((name) => this.number(name)));
    this.open = this.names.map((_, k) => k === 0 || open.has(k));
    this.rim = rim === undefined ? -1 : this.number(rim);
  }

  /** @param {string} name */
  number(name) {
    const found = this.numbers.get(name);
    if (found === undefined) throw new FileFault(`no value, key or lock of a side is called ${JSON.stringify(name)}`);
    return found;
  }

  /** @param {string} one @param {string} other */
  meet(one, other) {
    const [a, b] = [this.number(one), this.number(other)];
    this.fits[a][b] = this.fits[b][a] = true;
  }

  /** Which values may stand where one is asked for: a flat side bears all that it may face. @param {number} value */
  bears(value) {
    return this.names.map((_, k) => k === value || (k === 0 && this.fits[0][value]));
  }

  /** Which values may face the outside of the region. */
  mayLookOut() {
    return this.rim < 0 ? this.open : this.bears(this.rim);
  }

  /**
   * The values that letters around a cell give: half-edge, name. On one line they go clockwise, on several they are read.
   * @param {import("./workshop_types.js").WorkshopLattice} lattice @param {string | string[]} drawn @param {number} node
   * @param {string} what @returns {[edge: number, name: string][]}
   */
  ofLetters({ clockwise, as_read }, drawn, node, what) {
    const { signs, isDrawn } = signsOf(drawn);
    const order = (isDrawn ? as_read : clockwise)[node];
    if (signs.length !== order.length)
      throw new FileFault(`${what} has ${signs.length} letters, and its cell ${order.length} sides`);
    return signs.flatMap((sign, k) => {
      if (NO_VALUE.includes(sign)) return [];
      const value = this.letters.get(sign);
      if (value === undefined) throw new FileFault(`${what}: no value has the letter ${JSON.stringify(sign)}`);
      return [/** @type {[number, string]} */ ([order[k], this.names[value]])];
    });
  }
}

/** The letters of a drawing. @param {string | string[]} drawn */
export function signsOf(drawn) {
  const rows = typeof drawn === "string" ? drawn.trim().split("\n") : drawn;
  return { signs: [...rows.join("").replace(/\s/g, "")], isDrawn: rows.length > 1 };
}
