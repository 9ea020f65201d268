// What the modules of a workshop hand each other.

import type {
  KnownPuzzle as PartSet,
  PictureLooks as Looks,
  WorkshopData,
  WorkshopLattice,
  WorkshopSlides as Slides,
} from "./lattice_types.js";
import type { Cell, FileTable, NamedSide } from "./web_types.js";

export type { Looks, PartSet, Slides, WorkshopData, WorkshopLattice };

/** A puzzle as the editor has it: the edits of latcover.apps.web.edits. */
export interface Design {
  name: string;
  region: {
    cells: Cell[];
    colours?: number[];
    optional?: (0 | 1 | boolean)[];
    max_empty?: number | null;
    sides?: NamedSide[];
    alike?: Cell[][];
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
  colours: number[];
  sides: NamedSide[];
  groups?: [name: string, most: number | null][];
  weight?: number;
  display_colour?: string;
  [more: string]: any;
}

/** Cells with numbers of colours, and sides: the number of a cell, a half-edge, the number of a value. */
export interface Sided {
  cells: Cell[];
  colours?: number[];
  sides?: number[][];
}

/** The same after a motion; `order` says which cell each of them was. */
export interface Moved extends Required<Sided> {
  order: number[];
  key: string;
}

/** An image of a part, and the motion that makes it. */
export interface Orientation extends Moved {
  motion: number;
}

/** A motion that maps a design to itself: where cells, parts and orientations go; `anchor`: which cell becomes the anchor. */
export interface Symmetry {
  proper: boolean;
  cells: Int32Array;
  parts: number[];
  to: Int32Array;
  anchor: Int32Array;
}

/** A file as it was read: its text, its tables, and the text of each table. */
export interface FileText {
  text: string;
  data: FileTable;
  blocks: { key: string; text: string }[];
}

/**
 * A puzzle of a file: see puzzle_text.js. `table`: what was read, as long as it says the same; `data`: all tables of the puzzle;
 * `unjudged`: what the page cannot judge of it.
 */
export interface PagePuzzle {
  name: string;
  title: string;
  source: string;
  comment: string;
  lattice: string;
  colours: string[];
  rules: FileTable;
  sides: FileTable;
  region: {
    cells: Cell[];
    colours: number[];
    optional: boolean[];
    max_empty: number | null;
    period: any[];
    sides: NamedSide[];
    alike: Cell[][];
    table: FileTable | null;
  };
  parts: DesignPart[];
  kept: FileTable; // tables of figures
  unjudged: string[];
  data: FileTable;
  file: FileText | null;
}

declare global {
  var latcoverWorkshop: WorkshopData;
}
