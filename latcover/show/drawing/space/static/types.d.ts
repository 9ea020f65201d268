// The shapes of the data that the viewer and published pages share. latcover.show.drawing.space writes them as JSON.

import type { BufferGeometry, LineSegmentsGeometry, Mesh, Vector3 } from "./three.js";

/** Three coordinates: x, y and z; or a vector. */
export type Point = number[];

/** Two opposite corners. */
export type Box = Point[];

/** A flat area: its rings, each x, y, x, y, …: the outer one, then the holes. */
export type Outline = number[][];

export interface Solid {
  vertices: number[]; // x, y, z, …
  faces: number[][][]; // of each the rings of numbers of vertices, anticlockwise as seen from outside
}

/** What a patch of one colour is made of; nothing of these if it is all of the shape. */
export interface Patch {
  colour: string | null; // null: that of the part
  outlines?: Outline[];
  solid?: Solid;
  balls?: number[]; // numbers of balls
}

/** What is drawn at a side of a cell. */
export interface Mark {
  colour: string;
  outlines?: Outline[];
  solid?: Solid;
  sign?: [letter: string, x: number, y: number, size: number, colour: string];
}

/** See latcover.show.drawing.space.shape_data.shape_data. */
export interface Geometry {
  outlines?: Outline[];
  solid?: Solid;
  balls?: number[]; // x, y, z, radius, …
  necks?: number[]; // two numbers of balls and a radius, …
  cuts?: number[]; // x, y, x, y, …
  patches?: Patch[];
  marks?: Mark[];
}

/** The cut of a shape by a layer. */
export interface Slab extends Geometry {
  height: number;
}

export interface Shape extends Geometry {
  id: string;
  slabs?: Slab[];
}

export interface Pattern {
  path: string;
  angle: number;
}

export interface Part {
  name: string;
  colours: string[]; // of its copies; they repeat
  letters: string[];
  pattern: Pattern | null;
}

/** See latcover.show.drawing.space.scene_data.drawn_puzzle. */
export interface Puzzle {
  name: string;
  title: string;
  lattice: string;
  dimension: number; // of the picture: 2 or 3
  size: number; // the longest side of a cell
  low: number[];
  high: number[];
  heights: number[]; // of its layers, bottom first
  thickness: number;
  unrolled: boolean;
  outline: { shape: Geometry; at: Point };
}

/** A piece of a solution, or a cell that stays empty. */
export interface Item {
  part: number; // −1: a cell that stays empty
  at: Point;
  move: Point; // how far it goes when the parts are fully apart
  shape: Shape;
  copy?: number; // of a game
  look?: string; // of a game: a state of materials.js
}

export interface Step {
  pieces: number[];
  by: Point;
  separates: boolean;
  words: string;
  turn?: Turn; // if the pieces turn
}

/** How pieces turn: an angle in degrees and a displacement x, y, z in each row of the path. */
export interface Turn {
  axis: Point;
  middle: Point;
  path: number[][];
}

/** A point p of a piece in the solution is at turn · p + shift. */
export interface Pose {
  turn: number[][];
  shift: Point;
}

export interface Separation {
  pieces: number[];
  stays: number[];
  removed: number[];
  steps: Step[];
}

/** How a solution comes apart: latcover.show.drawing.space.disassembly_data. */
export interface Disassembly {
  result: string; // "apart", "stuck" or "unknown"
  words: string;
  cells: number[][]; // of each piece the middles of its cells, x, y, z, …
  separations: Separation[];
}

export interface Solution {
  number: number;
  image: number;
  orbit: number;
  items: Item[];
  disassembly: Disassembly | null;
}

/** Where the viewer gets its solutions: see source.js. */
export interface Source {
  puzzle: Puzzle;
  parts: Part[];
  count: number;
  solution(k: number): Promise<Solution>;
}

/** See latcover.show.drawing.space.scene_data.scene_data; strings are typed arrays in base64. */
export interface SceneData {
  format: number;
  puzzle: Puzzle;
  parts: Part[];
  count: number;
  shapes: Shape[];
  placements: string;
  places: string;
  moves: string;
  elsewhere: string;
  ways: string;
  starts: string;
  solutions: string;
  numbers: string;
  disassemblies?: Record<number, Disassembly>;
}

export interface Group {
  pieces: number[];
  by: Point;
}

export interface FilmMove {
  words: string;
  pieces: number[];
  by: Point;
  turn?: Turn; // the pieces turn instead of sliding; about a point where they are in the film
  aside: Group[]; // what then goes aside, or to the middle
  glass: number[]; // items that would hide what moves
  separation: number;
}

/** What film_making.js makes of a disassembly; film.js says more. */
export interface FilmData {
  way: Point;
  moves: FilmMove[];
  reaches: number[][][];
}

/** What the stage tells of the pointer; numbers are of items. */
export interface PointerListener {
  onPick(number: number): void;
  onHover(number: number | null, x: number, y: number): void;
}

/** What shapes.js makes of a shape. */
export interface BodyGeometry {
  body: BufferGeometry;
  lines: LineSegmentsGeometry | null;
  centre: Vector3;
  tints: (string | null)[]; // of each group of triangles; null: the colour of the part
}

/** An item on the stage. */
export interface Piece {
  item: Item;
  copy: number;
  number: number;
  geometry: BodyGeometry;
  away: number; // from 0, in place, to 1, out
  goal: number; // where it goes: 0 or 1
  shown: Mesh | null;
}
