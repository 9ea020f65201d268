// What the modules of a published page hand each other.

import type {
  ApartLimits,
  ApartListener,
  Plan,
  Problem,
  SearchAnswer,
  SearchLimits,
  SearchListener,
  SlidingData,
} from "../../../../backends/wasm/engine_types.js";
import type { FlatBoard } from "./flat_board.js";
import type { SpaceBoard } from "./space_board.js";
import type { Item, Point } from "./types.js";

export type {
  ApartData,
  CellData,
  CoverData,
  JudgedRule,
  ListedPuzzle,
  PageData,
  PlayData,
  PlayPart,
  SymmetryData,
} from "./page_types.js";

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
