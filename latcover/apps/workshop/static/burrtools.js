// BurrTools files in the page, as latcover/files/formats/burrtools reads them: gzipped XML with shapes of voxels, and problems that
// use them. A problem becomes a puzzle of ours. What the page does not know of it is named, and the problem is refused.

import { centreOf } from "./bodies.js";
import { FileFault } from "./shapes_in_files.js";

/** @import { Cell } from "./web_types.js" */
/** @import { DesignPart, PagePuzzle, WorkshopLattice } from "./workshop_types.js" */

/** A place of a grid. @typedef {[x: number, y: number, z: number]} Voxel */

/**
 * A grid of BurrTools: what it builds with, our lattice, which places hold a cell, and where its centre lies.
 *
 * @typedef {{ name: string, lattice: string, holds: (at: Voxel) => boolean, centre: (at: Voxel) => number[] }} Grid3
 */

/** @typedef {{ name: string, places: Voxel[], variable: boolean[], weight: number }} VoxelShape */

const MOST_BYTES = 64 << 20; // of a file when it is unpacked
const MOST_VOXELS = 1_000_000;
const ADDED = "What latcover adds:"; // the line of a comment after which there is what BurrTools has no place for
const PRISM = 0.75 ** 0.5; // the height of an equilateral triangle of side 1
const FROM_THE_MIDDLE = [0, 0.5, 0.75]; // of its cube to the centre of a rhombic tetrahedron, by steps in the grid

/** @param {number} value @param {number} by */
const mod = (value, by) => ((value % by) + by) % by;

/** The grids by their numbers in files: grids.py has the same. @type {Record<string, Grid3>} */
const GRIDS = {
  0: { name: "cubes", lattice: "cubic", holds: () => true, centre: (at) => at },
  1: {
    name: "triangular prisms",
    lattice: "triprism",
    holds: () => true,
    centre: ([x, y, z]) => [0.5 + 0.5 * x, PRISM * (y + (1 + mod(x + y, 2)) / 3), z],
  },
  2: {
    name: "spheres",
    lattice: "fcc",
    holds: ([x, y, z]) => mod(x + y + z, 2) === 0,
    centre: ([x, y, z]) => {
      const [a, b, c] = [x + y - z, y + z - x, x + z - y].map((step) => step / 2);
      return [0.5 * a + b + 0.5 * c, -PRISM * a - (PRISM / 3) * c, (2 / 3) ** 0.5 * c];
    },
  },
  3: {
    name: "rhombic tetrahedra",
    lattice: "rhombic",
    holds: (at) => `${at.map((x) => Math.min(mod(x, 5), 4 - mod(x, 5))).sort()}` === "0,1,2",
    centre: (at) =>
      at.map((x) => {
        const within = mod(x, 5) - 2;
        return 2 * Math.floor(x / 5) + Math.sign(within) * FROM_THE_MIDDLE[Math.abs(within)];
      }),
  },
  4: {
    name: "tetrahedra and octahedra",
    lattice: "tetraocta",
    holds: (at) => {
      const within = at.map((x) => mod(x, 3) - 1);
      const odd = mod(
        at.reduce((sum, x) => sum + Math.floor(x / 3), 0),
        2,
      );
      const product = within[0] * within[1] * within[2];
      return within.every((x) => x === 0) || (within.every(Boolean) && product === 1 - 2 * odd);
    },
    centre: (at) => at.map((x, k) => 2 * (Math.floor(x / 3) - (k === 0 ? 1 : 0)) + 0.5 * (mod(x, 3) - 1)),
  },
};

/** The text of a file, unpacked where it is gzipped. @param {Blob} file */
export async function unpacked(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return decoded(new Uint8Array(await file.arrayBuffer()));
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  /** @type {Uint8Array[]} */ const pieces = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new FileFault("this is a damaged gzip file; get the file again");
    });
    if (done) break;
    pieces.push(value);
    size += value.length;
    if (size > MOST_BYTES) {
      reader.cancel();
      throw new FileFault("this file is too large for the page when it is unpacked");
    }
  }
  return decoded(new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (pieces)).arrayBuffer()));
}

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes); // BurrTools itself has written this without saying so
  }
}

/**
 * The problems of a file by their names: each a puzzle, or what is wrong with it.
 * @param {string} text @param {string} file the name of the file @param {Record<string, WorkshopLattice>} lattices
 * @returns {Map<string, PagePuzzle | FileFault>}
 */
export function problemsIn(text, file, lattices) {
  if (!/^\s*<(\?xml|!--|puzzle)/.test(text)) throw new FileFault("this is no BurrTools file");
  const tree = new DOMParser().parseFromString(text, "application/xml");
  const root = tree.documentElement;
  if (tree.querySelector("parsererror") || root.tagName !== "puzzle") throw new FileFault("this is no BurrTools file");
  const number = root.querySelector(":scope > gridType")?.getAttribute("type") ?? "0";
  const grid = Object.hasOwn(GRIDS, number) ? GRIDS[number] : null;
  if (!grid || !lattices[grid.lattice])
    throw new FileFault(`this page does not support BurrTools' grid of type ${number}`);
  const voxels = [...root.querySelectorAll(":scope > shapes > voxel")];
  const names = voxels.map((voxel, k) => nameOf(voxel) || `S${k + 1}`);
  const [comment] = (root.querySelector(":scope > comment")?.textContent ?? "").split(`\n${ADDED}`);
  const problems = [...root.querySelectorAll(":scope > problems > problem")];
  if (!problems.length) throw new FileFault("this file has no problem; define one in BurrTools, on the Puzzle tab");
  /** @type {Map<number, VoxelShape>} */ const read = new Map();
  /** @param {number} k */
  const shape = (k) => {
    if (!read.has(k)) read.set(k, shapeIn(voxels[k], names[k], grid));
    return /** @type {VoxelShape} */ (read.get(k));
  };
  const common = { grid, lattice: lattices[grid.lattice], count: voxels.length, shape, comment: comment.trim(), file };
  const called = unique(problems.map((problem, k) => nameOf(problem) || `P${k + 1}`));
  /** @type {Map<string, PagePuzzle | FileFault>} */ const found = new Map();
  problems.forEach((problem, k) => {
    try {
      found.set(called[k], puzzleOf(problem, called[k], common));
    } catch (fault) {
      if (!(fault instanceof FileFault)) throw fault;
      found.set(called[k], fault);
    }
  });
  return found;
}

/**
 * @param {Element} problem @param {string} name
 * @param {{ grid: Grid3, lattice: WorkshopLattice, count: number, shape: (k: number) => VoxelShape, comment: string, file: string }} common
 * @returns {PagePuzzle}
 */
function puzzleOf(problem, name, { grid, lattice, count, shape, comment, file }) {
  /** @param {Element | null} element */
  const known = (element) => {
    const k = element ? whole(element, "id", -1) : -1;
    if (!(k >= 0 && k < count)) throw new FileFault(`${name}: it names a shape that the file does not have`);
    return shape(k);
  };
  const used = [...problem.querySelectorAll(":scope > shapes > shape")].map((element) => ({
    shape: known(element),
    groups: groupsOf(element),
    ...copiesOf(element, name),
  }));
  const pieces = used.filter(({ high }) => high > 0);
  const result = problem.querySelector(":scope > result");
  if (!result) throw new FileFault(`${name}: it has no result shape; choose one in BurrTools, on the Puzzle tab`);
  const goal = known(result);
  if (!pieces.length || !goal.places.length || pieces.some(({ shape: own }) => !own.places.length))
    throw new FileFault(`${name}: it has no pieces, or one of its shapes is empty`);
  if (pieces.some(({ shape: own }) => own.variable.some(Boolean)))
    throw new FileFault(`${name}: only the result may have variable voxels`);
  const cellOf = cellsOn(lattice, grid);
  const labels = unique(pieces.map(({ shape: own }) => own.name));
  const holes = whole(problem, "maxHoles", -1);
  const isFixed = pieces.every(({ low, high }) => low === high); // their volume says how many stay empty
  return {
    name,
    title: `${file.replace(/\.[^.]*$/, "")}, from BurrTools`,
    source: file,
    comment,
    lattice: grid.lattice,
    colours: [""],
    rules: {},
    sides: {},
    region: {
      cells: goal.places.map(cellOf),
      colours: goal.places.map(() => 0),
      period: [],
      sides: [],
      alike: [],
      table: null,
      optional: goal.variable,
      max_empty: !isFixed && holes >= 0 && holes < goal.variable.filter(Boolean).length ? holes : null,
    },
    parts: pieces.map(({ shape: own, low, high, groups }, k) => ({
      name: labels[k],
      cells: own.places.map(cellOf),
      colours: own.places.map(() => 0),
      sides: [],
      low,
      high,
      motions: grid.lattice === "fcc" && isInALayer(own.places) ? "reflections" : "rotations",
      groups,
      weight: own.weight,
      display_colour: "",
    })),
    kept: {},
    unjudged: [],
    data: {},
    file: null,
  };
}

/** @param {Element} element @param {string} name @param {Grid3} grid @returns {VoxelShape} */
function shapeIn(element, name, grid) {
  const [wide, deep, high] = ["x", "y", "z"].map((axis) => whole(element, axis, 0));
  const text = (element.textContent ?? "").trim();
  const signs = text.replace(/[0-9]+/g, "");
  if (/[^_#+0-9]/.test(text))
    throw new FileFault(`shape ${name}: its text may hold _, #, + and numbers of colours alone`);
  if (/[0-9]/.test(text)) throw new FileFault(`shape ${name} has colours, which this page does not support`);
  if (signs.length !== wide * deep * high || signs.length > MOST_VOXELS)
    throw new FileFault(`shape ${name}: its text does not describe ${wide} by ${deep} by ${high} voxels`);
  /** @type {Voxel[]} */ const places = [];
  /** @type {boolean[]} */ const variable = [];
  [...signs].forEach((sign, k) => {
    if (sign === "_") return;
    places.push([k % wide, Math.floor(k / wide) % deep, Math.floor(k / (wide * deep))]);
    variable.push(sign === "+");
  });
  const astray = places.find((place) => !grid.holds(place));
  if (astray) throw new FileFault(`shape ${name}: the grid of ${grid.name} has no cell at ${astray.join(", ")}`);
  return { name, places, variable, weight: whole(element, "weight", 1) };
}

/**
 * The cell of our lattice at a place of the grid: the one with the same centre.
 * @param {WorkshopLattice} lattice @param {Grid3} grid @returns {(at: Voxel) => Cell}
 */
function cellsOn(lattice, grid) {
  const inverse = inverted(lattice.drawing.basis);
  const homes = lattice.nodes.map((_, node) => centreOf(lattice, [node, 0, 0, 0]));
  return (at) => {
    const centre = grid.centre(at);
    for (let node = 0; node < homes.length; node += 1) {
      const away = centre.map((x, k) => x - homes[node][k]);
      const exact = [0, 1, 2].map((k) => away.reduce((sum, x, j) => sum + x * inverse[j][k], 0));
      if (exact.every((x) => Math.abs(x - Math.round(x)) < 1e-4)) return [node, ...exact.map((x) => Math.round(x) + 0)];
    }
    throw new FileFault(`the lattice ${lattice.name} has no cell where BurrTools has a voxel`);
  };
}

/** The inverse of a matrix of 3 by 3, by its cofactors. @param {number[][]} rows */
function inverted([a, b, c]) {
  /** @param {number[]} u @param {number[]} v */
  const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const columns = [cross(b, c), cross(c, a), cross(a, b)];
  const volume = a.reduce((sum, x, k) => sum + x * columns[0][k], 0);
  return [0, 1, 2].map((k) => columns.map((column) => column[k] / volume));
}

/**
 * Whether spheres lie in one layer of the packing: then BurrTools may also turn the layer over.
 * @param {Voxel[]} places
 */
function isInALayer(places) {
  const diagonals = [
    [1, 1, 1],
    [1, -1, -1],
    [-1, 1, -1],
    [-1, -1, 1],
  ];
  return diagonals.some((way) =>
    places.every((place) => way.reduce((sum, sign, k) => sum + sign * (place[k] - places[0][k]), 0) === 0),
  );
}

/** @param {Element} element @param {string} what */
function copiesOf(element, what) {
  const count = whole(element, "count", -1);
  if (count >= 0) return { low: count, high: count };
  const [low, high] = [whole(element, "min", -1), whole(element, "max", -1)];
  if (low < 0 && high < 0) return { low: 1, high: 1 };
  if (low < 0 || high < low)
    throw new FileFault(`${what}: a piece needs a count, or a min and a max that is at least min`);
  return { low, high };
}

/** @param {Element} element @returns {[name: string, most: number | null][]} */
function groupsOf(element) {
  const own = whole(element, "group", 0);
  /** @type {Map<string, number | null>} */ const found = new Map(own ? [[`group ${own}`, null]] : []);
  for (const inner of element.querySelectorAll(":scope > group")) {
    const [group, most] = [whole(inner, "group", 0), whole(inner, "count", -1)];
    if (group && most !== 0) found.set(`group ${group}`, most < 0 ? null : most);
  }
  return [...found];
}

/**
 * An attribute that is a whole number, or another value if it is missing.
 * @param {Element} element @param {string} name @param {number} otherwise
 */
function whole(element, name, otherwise) {
  const text = element.getAttribute(name)?.trim();
  if (text === undefined) return otherwise;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new FileFault(`${name} must be a whole number, not ${text.slice(0, 40)}`);
  return Number(text);
}

/** @param {Element} element */
const nameOf = (element) =>
  (element.getAttribute("name") ?? "")
    .replace(/[^\P{C}]/gu, " ")
    .slice(0, 100)
    .trim();

/** The names, with a number after those that occur again. @param {string[]} names */
function unique(names) {
  const taken = new Set(names);
  /** @type {Set<string>} */ const seen = new Set();
  return names.map((name) => {
    let [free, k] = [name, 2];
    while (seen.has(free) || (free !== name && taken.has(free))) free = `${name} (${k++})`;
    seen.add(free);
    return free;
  });
}
