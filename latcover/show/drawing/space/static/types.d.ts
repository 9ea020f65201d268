// What the modules of the viewer and of published pages hand each other.

import type { BufferGeometry, LineSegmentsGeometry, Mesh, Vector3 } from "./three.js";
import type {
  DisassemblyData as Disassembly,
  ScenePart as Part,
  ScenePuzzle as Puzzle,
  ShapeData as Shape,
  TurnPath as Turn,
} from "./scene_types.js";

export type {
  DisassemblyData as Disassembly,
  GeometryData as Geometry,
  GivingPath as Giving,
  MarkData as Mark,
  PatchData as Patch,
  PatternData as Pattern,
  SceneData,
  ScenePart as Part,
  ScenePuzzle as Puzzle,
  ShapeData as Shape,
  SolidShape as Solid,
  StepData as Step,
  TurnPath as Turn,
} from "./scene_types.js";

/** A row of numbers, as text where data are stored or sent: see packing.js. */
export type Packed = string | Int32Array;

/** Three coordinates: x, y and z; or a vector. */
export type Point = number[];

/** Two opposite corners. */
export type Box = Point[];

/** A flat area: its rings, each x, y, x, y, …: the outer one, then the holes. */
export type Outline = number[][];

/** A piece of a solution, or a cell that stays empty. */
export interface Item {
  part: number; // −1: a cell that stays empty
  at: Point;
  move: Point; // how far it goes when the parts are fully apart
  shape: Shape;
  copy?: number; // of a game
  look?: string; // of a game: a state of materials.js
}

/** A point p of a piece in the solution is at scale · turn · p + shift; without a scale it is 1. */
export interface Pose {
  turn: number[][];
  shift: Point;
  scale?: number;
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

/** How a group goes into the tray, or comes back: it becomes larger by `scale` about a point, and goes `by`. */
export interface Group {
  pieces: number[];
  about: Point;
  by: Point;
  scale: number;
  over: Point; // how far it rises towards the viewer on its way
}

export interface FilmMove {
  words: string;
  pieces: number[];
  by: Point;
  turn?: Turn; // the pieces turn instead of sliding; about a point where they are in the film
  aside: Group[]; // what then goes aside, or to the middle
  glass: number[]; // items that would hide what moves
}

/** What film_making.js makes of a disassembly; film.js says more. */
export interface FilmData {
  way: Point;
  aim: Point;
  ground: number;
  reach: number[];
  moves: FilmMove[];
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
