// Rules between neighbours as secondary items: latcover/core/encoding/rule_items.py. The number of an option is that of its
// placement, or the number of placements + k if it leaves the cell empty[k] empty.

import { keyOf } from "./geometry.js";

/** @import { Placements } from "./placing.js" */

/** What options show across a side or a corner of two cells. @typedef {{ pair: number, second: boolean, value: number, option: number }} Shown */

/** An item; `colours`: those of its options, or null if they exclude each other. @typedef {{ options: number[], colours: number[] | null, word: string }} RuleItem */

/** @param {Placements} table @returns {{ items: RuleItem[], empty: number[] }} */
export function ruleItems(table) {
  const { values, ground, parts } = table;
  const used = [...new Set([0, ...parts.flatMap(({ shape }) => shape.sides.map(([, , value]) => value))])];
  /** @type {RuleItem[]} */ const exclusions = [];
  /** @type {RuleItem[]} */ const matches = [];
  const isLoose = used.every((a) => values.open[a] && used.every((b) => values.fits[a][b]));
  const empty = used.every((a) => values.open[a]) ? [] : ground.optional.flatMap((free, cell) => (free ? [cell] : []));
  if (!isLoose) {
    const n = values.names.length; // the value of an empty cell
    const isOpen = (/** @type {number} */ value) => value === n || values.open[value];
    const forbidden = Array.from({ length: n + 1 }, (_, a) =>
      Array.from({ length: n + 1 }, (_, b) => (a === n || b === n ? !(isOpen(a) && isOpen(b)) : !values.fits[a][b])),
    );
    const shown = sidesShown(table, empty);
    const classes = classesOf(forbidden, [...new Set(shown.map(({ value }) => value))]);
    if (classes) matches.push(...matched(shown, classes));
    else exclusions.push(...bicliques(shown, forbidden, "sides"));
  }
  const { apart = [], across } = table.rules;
  if (apart.length) {
    const forbidden = table.colours.map(() => table.colours.map(() => false));
    for (const pair of apart) {
      const [a, b = a] = [pair].flat().map((/** @type {string} */ name) => table.colours.indexOf(name));
      forbidden[a][b] = forbidden[b][a] = true;
    }
    exclusions.push(...bicliques(coloursShown(table, across === "corners"), forbidden, "colours"));
  }
  return { items: [...exclusions, ...matches, ...alikeItems(table)], empty };
}

/** @param {Placements} table @param {number[]} empty @returns {Shown[]} */
function sidesShown(table, empty) {
  const { lattice, ground, orientations, orientation, values } = table;
  const n = lattice.edges.length;
  const beside = lattice.edges.map(({ node, target, step }) => table.beside(node, [target, ...step]));
  const borne = orientations.map(({ sides }) => new Map(sides.map(([k, edge, value]) => [k * n + edge, value])));
  const ofNode = lattice.nodes.map((_, node) =>
    lattice.edges.flatMap((edge, label) => (edge.node === node ? [label] : [])),
  );
  /** @type {Shown[]} */ const found = [];
  /** @param {ArrayLike<number>} row @param {number} option @param {(k: number, label: number) => number} valueOf */
  const look = (row, option, valueOf) => {
    const own = new Set(Array.from(row));
    for (let k = 0; k < row.length; k += 1)
      for (const label of ofNode[ground.cells[row[k]][0]]) {
        const there = beside[label][row[k]];
        if (there < 0 || own.has(there)) continue;
        const [here, beyond] = [row[k] * n + label, there * n + lattice.twins[label]];
        found.push({ pair: Math.min(here, beyond), second: here > beyond, value: valueOf(k, label), option });
      }
  };
  table.rows.forEach((row, option) =>
    look(row, option, (k, label) => borne[orientation[option]].get(k * n + label) ?? 0),
  );
  empty.forEach((cell, k) => look([cell], table.length + k, () => values.names.length));
  return found;
}

/** @param {Placements} table @param {boolean} isAtCorners @returns {Shown[]} */
function coloursShown(table, isAtCorners) {
  const { lattice, ground } = table;
  const around = lattice.nodes.map((_, node) =>
    isAtCorners
      ? lattice.touching[node]
      : lattice.edges.flatMap((edge) => (edge.node === node ? [[edge.target, ...edge.step]] : [])),
  );
  const beside = around.map((cells, node) => cells.map((cell) => table.beside(node, cell)));
  const n = ground.cells.length;
  return table.rows.flatMap((row, option) => {
    const own = new Set(row);
    return [...row].flatMap((here, k) => {
      const value = table.orientations[table.orientation[option]].colours[k];
      const reached = value ? new Set(beside[ground.cells[here][0]].map((of) => of[here])) : [];
      return [...reached].flatMap((there) =>
        there < 0 || own.has(there)
          ? []
          : [{ pair: Math.min(here, there) * n + Math.max(here, there), second: here > there, value, option }],
      );
    });
  });
}

/**
 * The class of each value from either cell: two values fit if their classes are equal, and class 0 fits everything. Null if there
 * are no such classes.
 * @param {boolean[][]} forbidden @param {number[]} present @returns {Map<number, [first: number, second: number]> | null}
 */
function classesOf(forbidden, present) {
  const limited = present.filter((a) => present.some((b) => forbidden[a][b])).sort((a, b) => a - b);
  const fits = new Map(limited.map((a) => [a, limited.filter((b) => !forbidden[a][b])]));
  const rows = [...new Set([...fits.values()].map(String))];
  const inRow = (/** @type {number} */ b) => rows.flatMap((row, r) => (row.split(",").includes(String(b)) ? [r] : []));
  if (limited.some((b) => inRow(b).length > 1)) return null;
  return new Map(
    limited.map((a, k) => [a, [1 + rows.indexOf(String(fits.get(a))), 1 + (inRow(a)[0] ?? rows.length + k)]]),
  );
}

/** What each pair of cells is shown, if both cells show something. @param {Shown[]} shown */
function byPair(shown) {
  /** @type {Map<number, Shown[]>} */ const pairs = new Map();
  for (const one of shown) {
    const own = pairs.get(one.pair);
    if (own) own.push(one);
    else pairs.set(one.pair, [one]);
  }
  return [...pairs.values()].filter((own) => own.some(({ second }) => second) && !own.every(({ second }) => second));
}

/** @param {Shown[]} shown @param {Map<number, [number, number]>} classes @returns {RuleItem[]} */
function matched(shown, classes) {
  return byPair(shown.filter(({ value }) => classes.has(value))).flatMap((own) => {
    const colours = own.map(
      ({ value, second }) => /** @type {[number, number]} */ (classes.get(value))[Number(second)],
    );
    return colours.every((colour) => colour === colours[0])
      ? []
      : [{ options: own.map(({ option }) => option), colours, word: "sides" }];
  });
}

/** @param {Shown[]} shown @param {boolean[][]} forbidden @param {string} word @returns {RuleItem[]} */
function bicliques(shown, forbidden, word) {
  const rows = new Map(forbidden.filter((row) => row.some(Boolean)).map((row) => [String(row), row]));
  return [...rows].flatMap(([text, row]) => {
    const held = shown.filter(({ second, value }) => (second ? row[value] : String(forbidden[value]) === text));
    return byPair(held).map((own) => ({ options: [...new Set(own.map(({ option }) => option))], colours: null, word }));
  });
}

/** @param {Placements} table @returns {RuleItem[]} */
function alikeItems(table) {
  return table.ground.alike.flatMap((group) => {
    const shown = table.rows.flatMap((row, option) => {
      const k = row.findIndex(
        (cell, j) => group.has(cell) && table.orientations[table.orientation[option]].colours[j] > 0,
      );
      return k < 0 ? [] : [{ option, colour: table.orientations[table.orientation[option]].colours[k] }];
    });
    const colours = shown.map(({ colour }) => colour);
    if (colours.every((colour) => colour === colours[0])) return [];
    return [{ options: shown.map(({ option }) => option), colours, word: "alike" }];
  });
}

/** Whether a placement of a shape obeys what the region says of colours and sides. */
export class PlaceRules {
  /** @param {Placements} table */
  constructor(table) {
    const { lattice, ground, colours, rules, values } = table;
    this.table = table;
    const stands = new Map(Object.entries(rules.stands_on ?? {}));
    this.covers = colours.map((/** @type {string} */ own, /** @type {number} */ a) =>
      colours.map(
        (/** @type {string} */ there, /** @type {number} */ b) =>
          !a || !b || a === b || Boolean(stands.get(own)?.includes(there)),
      ),
    );
    this.open = values.mayLookOut();
    this.asked = ground.sides.map(({ cell, edge, value }) => {
      const { target, step } = lattice.edges[edge];
      const beyond = [target, ...step.map((by, axis) => ground.cells[cell][axis + 1] + by)];
      return { cell, edge, there: ground.find(beyond), bears: values.bears(value) };
    });
    this.isFree = colours.length === 1 && this.open.every(Boolean) && !this.asked.length;
  }

  /** @param {import("./workshop_types.js").Orientation} one @param {Int32Array} row */
  admits(one, row) {
    if (this.isFree) return true;
    const { ground, lattice } = this.table;
    const { cells, colours, sides } = one;
    if (!colours.every((colour, k) => this.covers[colour][ground.colours[row[k]]])) return false;
    const isOut = (/** @type {number} */ k, /** @type {number} */ edge) => {
      const { target, step } = lattice.edges[edge];
      return ground.find([target, ...step.map((by, axis) => ground.cells[row[k]][axis + 1] + by)]) < 0;
    };
    if (sides.some(([k, edge, value]) => !this.open[value] && isOut(k, edge))) return false;
    if (!this.open[0]) {
      const borne = new Set(sides.map(([k, edge]) => `${k} ${edge}`));
      const isShut = cells.some(([node], k) =>
        lattice.edges.some((edge, h) => edge.node === node && !borne.has(`${k} ${h}`) && isOut(k, h)),
      );
      if (isShut) return false;
    }
    const isBorne = this.asked.every(({ cell, edge, there, bears }) => {
      const k = row.indexOf(cell);
      if (k < 0 || (there >= 0 && row.includes(there))) return true;
      return bears[sides.find(([own, other]) => own === k && other === edge)?.[2] ?? 0];
    });
    return (
      isBorne &&
      ground.alike.every((group) => {
        const there = colours.filter((colour, k) => colour && group.has(row[k]));
        return there.every((colour) => colour === there[0]);
      })
    );
  }
}

/** Rows of sides by the numbers of their cells. @param {import("./workshop_types.js").DesignPart} part @param {Map<string, number>} numbers of values */
export function shapeOf({ cells, colours = [], sides = [] }, numbers) {
  const at = new Map(cells.map((cell, k) => [keyOf(cell), k]));
  const rows = sides.map(([cell, edge, value]) => [at.get(keyOf(cell)) ?? 0, edge, numbers.get(value) ?? 0]);
  return { cells, colours: cells.map((_, k) => colours[k] ?? 0), sides: rows.filter(([, , value]) => value) };
}
