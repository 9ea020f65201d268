// Made by packaging/page_types.py from the structures in Python: do not edit.

import type { Packed } from "./types.js";

/** How a solution comes apart. */
export type DisassemblyData = {
  result: string;
  words: string;
  cells: number[][];
  separations: SeparationData[];
  play?: number;
};

/** The geometry of an item, with only the keys that apply. */
export type GeometryData = {
  outlines?: number[][][];
  solid?: SolidShape;
  balls?: number[];
  necks?: number[];
  cuts?: number[];
  patches?: PatchData[];
  marks?: MarkData[];
};

/** The path of a piece that gives way, or that turns in its own way: rows beside those of the turn's path. */
export type GivingPath = { piece: number; path: number[][] };

/** What is drawn at a side of a cell. `sign`: letter, x, y, size, colour. */
export type MarkData = {
  colour: string;
  outlines?: number[][][];
  solid?: SolidShape;
  sign?: [string, number, number, number, string];
};

/** Cells of a colour (null: that of the part): the whole shape; or only these areas, solid, or numbers of balls. */
export type PatchData = { colour: string | null; outlines?: number[][][]; solid?: SolidShape; balls?: number[] };

/** A pattern: its path in a square of side 8, and its angle. */
export type PatternData = { path: string; angle: number };

/** A puzzle without solutions, for a viewer that gets these later. */
export type PuzzleScene = { format: number; puzzle: ScenePuzzle; parts: ScenePart[] };

/** The shape of a region, and its place. */
export type RegionOutline = { shape: GeometryData; at: number[] };

/** A puzzle and its solutions; each placement is stored once. */
export type SceneData = PuzzleScene & {
  count: number;
  shapes: ShapeData[];
  placements: Packed;
  places: Packed;
  moves: Packed;
  elsewhere: Packed;
  ways: Packed;
  starts: Packed;
  solutions: Packed;
  numbers: Packed;
  disassemblies?: Record<number, DisassemblyData>;
};

/** A part: the colours and letters of its copies, which repeat, and its pattern. */
export type ScenePart = { name: string; colours: string[]; letters: string[]; pattern: PatternData | null };

/** A puzzle. */
export type ScenePuzzle = {
  name: string;
  title: string;
  lattice: string;
  dimension: number;
  size: number;
  low: number[];
  high: number[];
  heights: number[];
  thickness: number;
  unrolled: boolean;
  outline: RegionOutline;
};

/** The steps that separate pieces, given by their numbers, into those that stay and those that are removed. */
export type SeparationData = { pieces: number[]; stays: number[]; removed: number[]; steps: StepData[] };

/** A shape, with a name by which the viewer knows it again. */
export type ShapeData = GeometryData & { id: string; slabs?: SlabData[] };

/** The cut of a shape by a layer. */
export type SlabData = GeometryData & { height: number };

/** `vertices`: x, y, z, …; `faces`: of each the rings of vertex numbers, anticlockwise as seen from outside. */
export type SolidShape = { vertices: number[]; faces: number[][][] };

/** A step that takes pieces apart: these pieces go `by` x, y, z, or turn. */
export type StepData = { pieces: number[]; by: number[]; separates: boolean; words: string; turn?: TurnPath };

/** How pieces turn. */
export type TurnPath = { axis: number[]; middle: number[]; path: number[][]; giving?: GivingPath[] };
