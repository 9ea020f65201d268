// The data of a workshop, and what its modules hand each other.

import type { Cell, Lattice, Motion } from "./web_types.js";
import type { SlidingData } from "../../../backends/wasm/engine_types.js";
import type { ApartData } from "./play_types.js";

/** A lattice with what orientations, shapes and slides are made of: latcover.apps.workshop.workshop_lattices. */
export interface WorkshopLattice extends Lattice {
  group: {
    motions: (Motion & { proper: boolean; turn: number[] })[]; // `turn`: its Cartesian matrix, row by row
    rotations: number[];
    generators: Record<string, number[]>;
  };
  drawing: {
    dimension: number; // of pictures
    size: number;
    basis: number[][];
    positions: number[][];
    nodes: { radius: number; corners: number[][]; rings: number[][] }[];
    partly: boolean;
    straight: [number, number][];
  };
  slides: Slides | null; // in space
}

/** How the parts of a lattice slide: what latcover.apps.publishing.apart_data says of it, and how far cells reach. */
export interface Slides extends Omit<ApartData, "geometry" | "nodes" | "groups"> {
  engine: Pick<SlidingData, "slides" | "scales" | "n_nodes" | "hit_starts" | "hits">;
  reach: { low: number[][]; high: number[][]; pieces: number };
}

/** Colours: latcover.apps.workshop.workshop_site. */
export interface Looks {
  palette: string[];
  copies: number[]; // the brightness of a part's copies
  marks: { path: string; angle: number }[];
  names: Record<string, string>; // of colours
}

/** A puzzle as the editor has it: the edits of latcover.apps.web.edits. */
export interface Design {
  name: string;
  region: {
    cells: Cell[];
    optional?: (0 | 1 | boolean)[];
    max_empty?: number | null;
    [more: string]: any;
  };
  parts: DesignPart[];
  [more: string]: any;
}

export interface DesignPart {
  name: string;
  cells: Cell[];
  low: number;
  high: number | null;
  motions: string | string[];
  groups?: [name: string, most: number | null][];
  weight?: number;
  display_colour?: string;
  [more: string]: any;
}

/** An image of a part, and the motion that makes it. */
export interface Orientation {
  cells: Cell[];
  key: string;
  motion: number;
}

/** Cells after a motion; `order` says which cell each of them was. */
export interface Moved {
  cells: Cell[];
  order: number[];
  key: string;
}

/** A motion that maps a design to itself: where cells, parts and orientations go; `anchor`: which cell becomes the anchor. */
export interface Symmetry {
  proper: boolean;
  cells: Int32Array;
  parts: number[];
  to: Int32Array;
  anchor: Int32Array;
}

/** A puzzle that the page knows all of: see puzzle_text.js. */
export interface PagePuzzle {
  name: string;
  title: string;
  source: string;
  comment: string;
  lattice: string;
  region: { cells: Cell[]; optional: boolean[]; max_empty: number | null };
  parts: DesignPart[];
  kept: Record<string, any>; // tables that are written as they were read
}

/** A set of parts, as a puzzle file with these parts. */
export interface PartSet {
  name: string;
  title: string;
  lattice: string;
  text: string;
}

/** What the script of the lattices holds: latcover.apps.workshop.workshop_site. */
export interface WorkshopData {
  lattices: Record<string, WorkshopLattice>;
  looks: Looks;
  puzzles: { name: string; title: string; lattice: string; text: string }[]; // of this site
  sets: PartSet[];
  ruleWords: Record<string, string>; // what each rule on parts is about
}

declare global {
  var latcoverWorkshop: WorkshopData;
}
