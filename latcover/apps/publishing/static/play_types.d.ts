// The data of a published page, and what its modules hand each other.

import type {
  ApartLimits,
  ApartListener,
  Plan,
  Problem,
  SearchAnswer,
  SearchLimits,
  SearchListener,
  SlidingData,
} from "../../../backends/wasm/engine_types.js";
import type { FlatBoard } from "./flat_board.js";
import type { SpaceBoard } from "./space_board.js";
import type { Item, Part, Point, Puzzle, SceneData, Shape } from "./types.js";

/** A row of whole numbers as text: see packing.js. */
export type Packed = string;

/** See latcover.apps.publishing.puzzle_data. */
export interface PlayData {
  format: number;
  digest: string;
  puzzle: Puzzle;
  cover: CoverData;
  item_words: string[];
  options: { orientation: Packed; shape: Packed; stand: Packed; handle?: Packed };
  orientations: { first: Packed; shape: Packed };
  parts: PlayPartData[];
  turns: number[][]; // matrices, row by row
  cells: CellsData;
  shapes: Shape[];
  rules: string[];
  judged?: JudgedRule[];
  known: { different?: number; total?: number };
}

/** A rule that no item says: which cells of each option must hang together, and the pairs of cells that touch. */
export interface JudgedRule {
  words: string;
  sizes: Packed;
  cells: Packed;
  pairs: Packed;
}

export interface CoverData {
  n_options: number;
  n_items: number;
  n_cells: number;
  n_parts: number;
  sizes: Packed;
  items: Packed;
  low: Packed;
  high: Packed;
  colours?: Packed;
}

export interface PlayPartData extends Part {
  low: number;
  high: number;
  item: number;
  turns: Packed;
  to: Packed;
}

export interface CellsData {
  centres: number[];
  units: number[];
  shape: Packed;
  optional: Packed;
}

/** The whole cover problem of a puzzle, unpacked. */
export interface Cover {
  starts: Int32Array;
  items: Int32Array;
  low: Int32Array;
  high: Int32Array;
  colours: Int32Array | null;
  nCells: number;
  nParts: number;
}

/** See latcover.apps.publishing.symmetry_data. */
export interface SymmetryData {
  under: string;
  acting: number;
  whole?: number[];
  n_placements: number;
  dropped: Packed;
  exclusions: Packed[];
  everywhere: boolean;
  among_met: boolean;
  stage_of: Packed;
  stages: { residue?: number[]; of_helper?: Packed; residues?: number[][] }[];
  permutations: Record<string, Packed>;
  products: Packed;
}

/** See latcover.apps.publishing.apart_data. */
export interface ApartData {
  geometry: SlidingData;
  basis: number[][];
  nodes: Packed;
  groups: [name: string, most: number | null][][];
  words: Record<string, string>;
  deep: number;
  radii: number[];
  corners: number[][];
  planes?: number[][][][];
}

/** All data of a page. */
export interface PageData {
  puzzle: PlayData;
  symmetry: SymmetryData;
  stored: SceneData | null;
  among: string; // of how many solutions the stored one is the hardest
  turning: boolean; // whether the parts have room to turn
  turns: number; // of the plan that takes the stored one apart
  apart: ApartData | null; // of a puzzle in space
}

/** An Engine, or a worker that answers as it does. */
export interface AnyEngine {
  search(problem: Problem, limits: SearchLimits, on: SearchListener): SearchAnswer | Promise<SearchAnswer>;
  takeApart(geometry: SlidingData, limits: ApartLimits, on: ApartListener): Plan | Promise<Plan>;
  stop(): void;
}

/** A copy of a part in its place. */
export interface PlacedCopy {
  option: number;
  copy: number;
}

export interface ShownCopy extends PlacedCopy {
  part: number;
}

/** The part in the hand where it would lie; `good`: it may lie there. */
export interface Ghost extends ShownCopy {
  good: boolean;
}

/** What a board draws; `chosen` by keyboard. */
export interface BoardView {
  placed: ShownCopy[];
  ghost: Ghost | null;
  chosen: PlacedCopy | null;
  holes: number[]; // cells that are marked
}

export type Board = FlatBoard | SpaceBoard;

/** What the player holds. */
export interface Hand {
  part: number;
  way: number;
  copy: number;
  from: PlacedCopy | null; // where it was taken up
  option: number | null; // where it would lie
  depth: number | null; // that the player has chosen, in space
  sticky: boolean; // it follows the pointer without a button
}

/** A point of the board, in its pixels and in those of the window. */
export interface BoardPointer {
  x: number;
  y: number;
  clientX: number;
  clientY: number;
}

/** What the pointer means in space: nothing behind `wall`. */
export interface MeantPointer extends BoardPointer {
  depth: number | null;
  wall: number;
}

export interface BoardItem extends Item {
  cell?: number;
  one?: ShownCopy;
  ghost?: boolean;
}

/** What the worker of a search says. */
export interface SearchMessage {
  different?: number;
  total?: number;
  progress?: { share: number; branches: number; seconds: number } | null;
  shown?: Int32Array[];
  orbits?: number[];
  answer?: SearchAnswer;
  fault?: string;
}

/** A cell of a piece while a plan is replayed. */
export interface MovingCell {
  node: number;
  at: Point;
}

/** The button that is down: what it is on, and where it went down. */
export interface Drag {
  kind: "tray" | "hand" | "ground" | "piece";
  x: number;
  y: number;
  moved: boolean;
  touch: boolean;
  before: number | null;
  part: number; // of the tray; −1: none
  one: PlacedCopy | null; // on the board
  aim?: boolean; // it says where the part in the hand goes
}
