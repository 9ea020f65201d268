// The data of a published page, made of a design in the browser: what latcover.apps.publishing writes for a puzzle. So the tabs
// of a published page play, solve and take apart what was drawn.

import { byNode, centreOf, digits, geometryOfCells, leastOf, ShapeShelf, unitOf } from "./bodies.js";
import { colourNamed, looksOfSides, partsToShow, signsOfSides, tintsOf } from "./looks.js";
import { moved } from "./orientations.js";
import { coverOf, partItems, Placements } from "./placing.js";
import { weld } from "./rings.js";
import { slidesOf } from "./sliding.js";
import { symmetryData } from "./symmetries.js";

/** @import { PageData, PlayData, SymmetryData } from "./play_types.js" */
/** @import { Puzzle } from "./types.js" */
/** @import { Design, Looks, WorkshopLattice } from "./workshop_types.js" */

const FORMAT = 1; // that play_puzzle.js reads
const FLAT_THICKNESS = 0.3; // of flat puzzles, as a share of the size of a cell
const GAP = 0.02; // between the slabs of layers, as a share of their distance
const MOST_TURNS = 100; // of a part, for players
const WELD = 1e-5; // of the size of a cell

/**
 * All data of the page of a design. `under`: "all", or "none", where no two solutions count as the same.
 * @param {WorkshopLattice} lattice @param {Looks} looks @param {Design} design @param {SymmetryData["under"]} [under]
 * @param {(share: number) => void} [tell] how far it is @returns {PageData}
 */
export function pageData(lattice, looks, design, under = "all", tell = () => {}) {
  const table = new Placements(lattice, design, tell);
  return {
    puzzle: playData(table, looks, design),
    symmetry: symmetryData(table, under),
    apart: slidesOf(table),
    stored: null,
    among: "",
    turning: Boolean(design.turning),
    turns: 0,
  };
}

/** @param {Placements} table @param {Looks} looks @param {Design} design @returns {PlayData} */
function playData(table, looks, design) {
  const { lattice, ground, orientations, parts } = table;
  const tints = tintsOf(looks, table.colours);
  const { names } = table.values;
  const shelf = new ShapeShelf(lattice, {
    rgb: looksOfSides(looks, table.values),
    signs: ["", ...signsOfSides(names.slice(1))].map((sign, k) => (colourNamed(looks, names[k]) ? "" : sign)),
  });
  const tinted = (/** @type {number[]} */ colours) => colours.map((colour) => (colour ? tints[colour] : null));
  const oriented = orientations.map(({ cells, colours, sides }) => shelf.place(cells, tinted(colours), sides));
  const asked = ground.cells.map((_, k) =>
    ground.sides.flatMap(({ cell, edge, value }) => (cell === k && value ? [[0, edge, value]] : [])),
  );
  const least = orientations.map(({ cells }) => leastOf(cells));
  const cover = coverOf(table);
  const nFillers = cover.starts.length - 1 - table.length;
  const fillers = Array.from({ length: nFillers }, () => 0);
  const sizes = [...cover.starts].slice(1).map((end, k) => end - cover.starts[k]);
  const items = partItems(table);
  const turned = turnsOf(table);
  const shown = partsToShow(looks, parts);
  const data = {
    format: FORMAT,
    puzzle: describedPuzzle(table, design),
    cover: {
      n_options: sizes.length,
      n_items: cover.low.length,
      n_cells: cover.nCells,
      n_parts: cover.nParts,
      sizes: Int32Array.from(sizes),
      items: cover.items,
      low: cover.low,
      high: cover.high,
      ...(cover.colours ? { colours: cover.colours } : {}),
    },
    item_words: cover.words,
    options: {
      orientation: Int32Array.from([...table.orientation, ...fillers.map(() => -1)]),
      shape: Int32Array.from([...table.orientation.map((one) => oriented[one]), ...fillers]),
      stand: Int32Array.from([...table.rows.map((row, k) => row[least[table.orientation[k]]]), ...fillers]),
    },
    orientations: { first: Int32Array.from(table.first), shape: Int32Array.from(oriented) },
    parts: parts.map((part, k) => ({
      ...shown[k],
      low: part.low,
      high: part.most,
      item: items[k],
      turns: Int32Array.from(turned.of[k].turns),
      to: Int32Array.from(turned.of[k].to),
    })),
    turns: turned.matrices,
    cells: {
      centres: digits(ground.cells.flatMap((cell) => padded(centreOf(lattice, cell), 2))),
      units: digits(ground.cells.flatMap((cell) => padded(unitOf(lattice, cell), 3))),
      shape: Int32Array.from(ground.cells.map((cell, k) => shelf.place([cell], tinted([ground.colours[k]]), asked[k]))),
      optional: Int32Array.from(ground.optional.map(Number)),
    },
    shapes: shelf.shapes,
    rules: rulesInWords(table),
    known: {},
  };
  return {
    digest: digestOf(
      JSON.stringify([lattice.name, design.region, design.parts, design.colours, design.rules, design.sides]),
    ),
    ...data,
  };
}

/** @param {number[]} values @param {number} length */
const padded = (values, length) => [...values, ...Array(Math.max(0, length - values.length)).fill(0)];

/**
 * The puzzle as the stage wants it: `latcover.show.drawing.space.scene_data.drawn_puzzle`.
 * @param {Placements} table @param {Design} design @returns {Puzzle}
 */
function describedPuzzle({ lattice, ground }, design) {
  const { dimension, size, nodes } = lattice.drawing;
  const boxes = ground.cells.map((cell) => {
    const centre = centreOf(lattice, cell);
    const { radius, corners } = nodes[cell[0]];
    const ends = corners.length ? corners : [centre.map(() => -radius), centre.map(() => radius)];
    return [Math.min, Math.max].map((end) =>
      centre.map((x, axis) => x + ends.map((corner) => corner[axis]).reduce((a, b) => end(a, b))),
    );
  });
  const low = boxes[0][0].map((_, axis) => boxes.reduce((least, [from]) => Math.min(least, from[axis]), Infinity));
  const high = boxes[0][1].map((_, axis) => boxes.reduce((most, [, to]) => Math.max(most, to[axis]), -Infinity));
  const heights = dimension === 3 ? heightsOf(lattice, ground.cells, boxes) : [0];
  const apart = heights.slice(1).reduce((least, height, k) => Math.min(least, height - heights[k]), Infinity);
  const layer = (Number.isFinite(apart) ? apart : high[2] - low[2]) * (1 - GAP);
  const [, ...from] = ground.cells[leastOf(ground.cells)];
  const home = ground.cells.map(([node, ...x]) => [node, ...x.map((value, axis) => value - from[axis])]).sort(byNode);
  return {
    name: design.name,
    title: design.title || design.name,
    lattice: lattice.name,
    dimension,
    size: digits([size])[0],
    low: digits(low),
    high: digits(high),
    heights: digits(heights),
    thickness: digits([dimension === 2 ? FLAT_THICKNESS * size : layer])[0],
    unrolled: false,
    outline: { shape: geometryOfCells(lattice, home), at: digits(padded(unitOf(lattice, [0, ...from]), 3)) },
  };
}

/**
 * The heights of layers: half-way between the heights at which cells begin and end, or the centres of balls.
 * @param {WorkshopLattice} lattice @param {import("./web_types.js").Cell[]} cells @param {number[][][]} boxes
 */
function heightsOf(lattice, cells, boxes) {
  const { nodes, size } = lattice.drawing;
  /** @param {number[]} values */
  const levels = (values) =>
    weld(
      values.map((value) => [value]),
      WELD * size,
    )
      .points.flat()
      .sort((a, b) => a - b);
  const solid = cells.flatMap(([node], k) => (nodes[node].corners.length ? [k] : []));
  if (!solid.length) return levels(cells.map((cell) => centreOf(lattice, cell)[2]));
  const ends = levels(
    solid.flatMap((k) => {
      const middle = centreOf(lattice, cells[k])[2];
      return nodes[cells[k][0]].corners.map(([, , z]) => middle + z);
    }),
  );
  const middles = ends.slice(1).map((end, k) => (end + ends[k]) / 2);
  return middles.filter((height) => solid.some((k) => boxes[k][0][2] < height && height < boxes[k][1][2]));
}

/**
 * The turns of parts for players, and the orientation to which each takes each orientation: `latcover.apps.publishing.part_turns`.
 * @param {Placements} table
 */
function turnsOf({ lattice, parts, orientations, first, ground }) {
  const { motions } = lattice.group;
  /** @type {number[]} */ const known = [];
  const of = parts.map(({ allowed }, p) => {
    const own = orientations.slice(first[p], first[p + 1]);
    const numbers = new Map(own.map(({ key }, k) => [key, k]));
    const turns = allowed
      .slice(1)
      .filter((motion) => !isStill(motions[motion].matrix))
      .slice(0, MOST_TURNS);
    for (const motion of turns) if (!known.includes(motion)) known.push(motion);
    const to = turns.flatMap((motion) =>
      own.map((one) => numbers.get(moved(lattice, motion, one, ground.axes).key) ?? 0),
    );
    return { turns: turns.map((motion) => known.indexOf(motion)), to };
  });
  return { matrices: known.map((motion) => motions[motion].turn), of };
}

/** @param {number[][]} matrix */
const isStill = (matrix) => matrix.every((row, i) => row.every((x, j) => x === Number(i === j)));

/** The rules in words, as `latcover.apps.publishing.rule_words` has them. @param {Placements} table */
function rulesInWords({ parts, ground, lattice, rules, values, colours }) {
  const free = parts.filter(({ low, most }) => low < most);
  const words = [];
  if (free.length && free.length === parts.length && free.every(({ low }) => low === 0))
    words.push("Every part is optional.");
  else if (free.length) {
    const bounds = free.map(({ name, low, most }) => `${name}: ${low} to ${most}`);
    words.push(`Some parts may be used a different number of times: ${bounds.join(", ")}.`);
  }
  const own = ground.cells.flatMap(([node], k) => (lattice.nodes[node].secondary ? [] : [k]));
  const may = own.filter((k) => ground.optional[k]).length;
  const isAll = may === own.length;
  const cells = `${isAll ? "cell" : "pale cell"}${may === 1 ? "" : "s"}`;
  if (ground.bounded.some(Boolean)) words.push(`At most ${ground.most} of the ${may} ${cells} may stay empty.`);
  else if (may) words.push(isAll ? "Every cell may stay empty." : "Pale cells may stay empty.");
  if (ground.colours.some(Boolean))
    words.push("A coloured cell can be covered by part cells of the same colour or without colour.");
  for (const [own, others] of Object.entries(rules.stands_on ?? {}))
    words.push(`${named(own)} may also cover ${others.join(", ")}.`);
  for (const pair of rules.apart ?? []) {
    const [a, b] = [pair].flat();
    const where = rules.across === "corners" ? ", not even at corners" : "";
    words.push(`${named(a)} may not touch ${b === undefined || b === a ? `${a} of another part` : b}${where}.`);
  }
  if (ground.alike.length) words.push("In each group of cells that must be alike all colours must be equal.");
  return [...words, ...sidesInWords(parts, ground, values)];
}

/** @param {Placements["parts"]} parts @param {Placements["ground"]} ground @param {Placements["values"]} values */
function sidesInWords(parts, ground, { names, fits, open, rim }) {
  const used = names.flatMap((_, k) =>
    k && parts.some(({ shape }) => shape.sides.some(([, , value]) => value === k)) ? [k] : [],
  );
  const mates = used.map((value) => used.filter((other) => fits[value][other]));
  const words = mates.every((own, k) => own.length === 1 && own[0] === used[k])
    ? used.slice(0, 1).map(() => "Sides that meet must have the same value.")
    : mates.map(
        (own, k) => `${named(names[used[k]])} fits ${own.map((value) => names[value]).join(", ") || "no other value"}.`,
      );
  const shut = used.filter((value) => !open[value]).map((value) => names[value]);
  if (shut.length && rim < 0) words.push(`${named(shut.join(", "))} may not face an empty cell or the outside.`);
  if (rim > 0) words.push(`Every side that faces the outside must have ${names[rim]}.`);
  if (ground.sides.length) words.push("Some places require a value on a side; it is drawn there.");
  return words;
}

/** @param {string} name */
const named = (name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** A short name of a text, under which a player's progress is kept. @param {string} text */
function digestOf(text) {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
