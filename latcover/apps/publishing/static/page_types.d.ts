// Made by packaging/page_types.py from the structures in Python: do not edit.

import type { SlidingParts } from "../../../../backends/wasm/engine_types.js";
import type { PatternData, SceneData, ScenePart, ScenePuzzle, ShapeData } from "./scene_types.js";
import type { Packed } from "./types.js";

/** The data for taking solutions apart. */
export type ApartData = LatticeSlides & {
  geometry: SlidingParts;
  pieces: Packed;
  nodes: Packed;
  groups: [string, number | null][][];
};

/** The region's cells: their centres (x, y or x, y, z), where the unit of each stands (x, y, z), shape, optional. */
export type CellData = { centres: number[]; units: number[]; shape: Packed; optional: Packed };

/** A `latcover.core.cover.problem.CoverProblem`. */
export type CoverData = {
  n_options: number;
  n_items: number;
  n_cells: number;
  n_parts: number;
  sizes: Packed;
  items: Packed;
  low: Packed;
  high: Packed;
  colours?: Packed;
};

/** A stage: `residue`, numbers of symmetries; or `of_helper`, rows (placement, index), and `residues`. */
export type JudgeStage = { residue?: number[]; of_helper?: Packed; residues?: number[][] };

/** A rule that no item says. */
export type JudgedRule = { words: string; sizes: Packed; cells: Packed; pairs: Packed };

/** Numbers of solutions, if the puzzle's file gives them. */
export type KnownFigures = { different?: number; total?: number };

/** How the parts of a lattice slide. */
export type LatticeSlides = {
  basis: number[][];
  words: Record<string, string>;
  deep: number;
  radii: number[];
  corners: number[][];
  planes?: number[][][][];
};

/** A puzzle as the pages of the others know it. `solvable`: whether it is not known to have no solution. */
export type ListedPuzzle = { name: string; title: string; digest: string; solvable: boolean };

/** A number for each option. */
export type OptionData = { orientation: Packed; shape: Packed; stand: Packed; handle?: Packed };

/** Where the orientations of each part begin and where the last end; the shape of each. */
export type OrientationData = { first: Packed; shape: Packed };

/** What a page's script reads. */
export type PageData = {
  puzzle: PlayData;
  symmetry: SymmetryData;
  apart: ApartData | null;
  stored: SceneData | null;
  among: string;
  turning: boolean;
  turns: number;
};

/** A puzzle that people play on a page. */
export type PlayData = {
  digest: string;
  format: number;
  puzzle: ScenePuzzle;
  cover: CoverData;
  item_words: string[];
  options: OptionData;
  orientations: OrientationData;
  parts: PlayPart[];
  turns: number[][];
  cells: CellData;
  shapes: ShapeData[];
  rules: string[];
  judged?: JudgedRule[];
  known: KnownFigures;
};

/** A part with its numbers of copies, its item (-1: none), and its `PartTurns`. */
export type PlayPart = ScenePart & { low: number; high: number; item: number; turns: Packed; to: Packed };

/** The reduction of a puzzle by symmetry. */
export type SymmetryData = {
  under: "all" | "none" | "rotations";
  acting: number;
  n_placements: number;
  dropped: Packed;
  exclusions: Packed[];
  everywhere: boolean;
  among_met: boolean;
  stage_of: Packed;
  stages: JudgeStage[];
  permutations: Record<string, Packed>;
  products: Packed;
  whole?: number[];
};
