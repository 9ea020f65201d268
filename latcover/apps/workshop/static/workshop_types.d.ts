// What the modules of a workshop hand each other.

import type {
  KnownPuzzle as PartSet,
  PictureLooks as Looks,
  WorkshopData,
  WorkshopLattice,
  WorkshopSlides as Slides,
} from "./lattice_types.js";
import type { Cell } from "./web_types.js";

export type { Looks, PartSet, Slides, WorkshopData, WorkshopLattice };

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

declare global {
  var latcoverWorkshop: WorkshopData;
}
