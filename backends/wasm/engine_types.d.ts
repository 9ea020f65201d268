// What the engine takes and gives; engine.js explains it.

export type Ints = number[] | Int32Array;

export interface Problem {
  starts: Ints;
  items: Ints;
  low: Ints;
  high: Ints;
  colours?: Ints;
  n_cells?: number;
  n_parts?: number;
  neighbour_starts?: Ints;
  neighbours?: Ints;
}

export interface SearchLimits {
  covers?: number | null;
  limit?: number | null;
  branches?: number | null;
  seconds?: number | null;
  counts?: boolean;
  restarts?: boolean;
  seed?: number;
}

export interface SearchReport {
  share: number;
  branches: number;
  covers: number;
  seconds: number;
}

export interface SearchListener {
  onCovers?: (covers: Int32Array[]) => unknown;
  onProgress?: (report: SearchReport) => unknown;
}

export interface SearchAnswer {
  stop: string;
  covers: number | bigint;
  branches: number;
  dead_ends: number;
  deepest: number;
  branches_by_level: number[];
  setup_seconds: number;
  search_seconds: number;
  first_seconds: number | null;
  kernel: string;
  note: string;
}

/** See latcover.lab.assembly.geometry.sliding_data; without the pieces. */
export interface SlidingParts {
  flat: boolean;
  dimension: number;
  slides: number[];
  scales: number[][];
  n_nodes: number;
  hit_starts: number[];
  hits: number[];
  shape_starts: number[];
  cells: number[];
  low: number[];
  high: number[];
  n_kinds: number;
  limits: number[];
}

/** With the pieces. */
export interface SlidingData extends SlidingParts {
  pieces: number[][];
}

export interface ApartLimits {
  pieces?: Ints;
  states?: number | null;
  seconds?: number | null;
}

export interface ApartReport {
  states: number;
  seconds: number;
}

export interface ApartListener {
  onProgress?: (report: ApartReport) => unknown;
}

export interface PlanStep {
  pieces: number[];
  direction: number[];
  distance: number;
  separates: boolean;
}

export interface PlanSeparation {
  pieces: number[];
  stays: number[];
  removed: number[];
  steps: PlanStep[];
}

/** A Disassembly as latcover.core.model.disassembly writes it. */
export interface Plan {
  result: string;
  level: number[];
  moves: number | null;
  steps: number | null;
  n_pieces: number;
  least: boolean;
  flat: boolean;
  states: number;
  reached: number;
  stop: string;
  separations: PlanSeparation[];
}

/** A separation as WebAssembly gives it: steps along numbered directions. */
export interface EngineSeparation {
  pieces: number[];
  stays: number[];
  removed: number[];
  moves: { pieces: number[]; direction: number; steps: number; separates: boolean }[];
}

/** What WebAssembly calls while it runs; false stops it. */
export interface Host {
  answer(text: string): void;
  covers?(memory: ArrayBuffer, at: number, n: number, options: number): boolean;
  progress(share: number, branches: number, covers: number, seconds: number): boolean;
}
