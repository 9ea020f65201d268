// Made by packaging/page_types.py from the structures in Python: do not edit.

import type { LatticeSlides } from "./page_types.js";
import type { PatternData } from "./scene_types.js";
import type { EdgeData, LatticeData, MotionData, NodeData } from "./server_types.js";

/** A cell about its centre; `rings` of corners, anticlockwise, faces as seen from outside. */
export type DrawnNode = { radius: number; corners: number[][]; rings: number[][] };

/** A transformation: it takes the cell `(u, x)` to `(nodes[u], matrix @ x + shifts[u])`. */
export type GroupMotion = {
  nodes: number[];
  matrix: number[][];
  shifts: number[][];
  proper: boolean;
  turn: number[];
  edges: number[];
  corners: boolean;
};

/** A puzzle of the site, or a set as a puzzle with its parts; `text` of its file. */
export type KnownPuzzle = { name: string; title: string; lattice: string; text: string };

/** How the cells of a lattice look, in the coordinates of pictures (two, or three in space). */
export type LatticeDrawing = {
  dimension: number;
  size: number;
  basis: number[][];
  positions: number[][];
  nodes: DrawnNode[];
  partly: boolean;
  straight: [number, number][];
};

/** The transformations of a lattice. */
export type LatticeGroup = { motions: GroupMotion[]; rotations: number[]; generators: Record<string, number[]> };

/** Colours of pictures. `copies`: the brightness of a part's copies; `names`: of colours. */
export type PictureLooks = { palette: string[]; copies: number[]; marks: PatternData[]; names: Record<string, string> };

/** How far the cell of each node at the origin reaches along each direction, in steps of the direction. */
export type Reach = { low: number[][]; high: number[][]; pieces: number };

/** What the lattice alone says in `latcover.lab.assembly.geometry.sliding_data`. */
export type SlideArrays = {
  slides: number[];
  scales: number[][];
  n_nodes: number;
  hit_starts: number[];
  hits: number[];
};

/** What the script of a workshop holds. */
export type WorkshopData = {
  address: string;
  lattices: Record<string, WorkshopLattice>;
  looks: PictureLooks;
  puzzles: KnownPuzzle[];
  others: KnownPuzzle[];
  sets: KnownPuzzle[];
  ruleWords: Record<string, string>;
  fileTables: Record<string, Record<string, unknown>>;
  making: string;
};

/** A lattice of which a page makes orientations and shapes. `slides` is None if parts do not slide in space. */
export type WorkshopLattice = LatticeData & {
  twins: number[];
  touching: number[][][];
  clockwise: number[][];
  as_read: number[][];
  group: LatticeGroup;
  drawing: LatticeDrawing;
  slides: WorkshopSlides | null;
};

/** How the parts of a lattice slide. */
export type WorkshopSlides = LatticeSlides & { engine: SlideArrays; reach: Reach };
