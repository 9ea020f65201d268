// The types of the data that the server and the modules of the web app exchange.

/** The number of a node, then coordinates in steps of the lattice. */
export type Cell = number[];

/** The data for drawing shapes: latcover/apps/web/editor_data.py, lattice_data. */
export interface Lattice {
  name: string;
  title: string;
  dimension: number;
  space: boolean; // whether it is drawn in 3D
  size: number; // of a cell
  basis: number[][];
  nodes: LatticeNode[];
  edges: { node: number; target: number; step: number[]; label: string; [more: string]: any }[];
  motions: string;
  [more: string]: any;
}

export interface LatticeNode {
  name: string;
  position: number[];
  rings: number[][][];
  radius: number; // 0 if a cell is not a ball
  secondary: boolean;
  [more: string]: any;
}

/** A rule on parts: latcover/core/model/rules/rule_forms.py, RuleForm. */
export interface RuleForm {
  name: string;
  about: string;
  fields: Record<string, Record<string, any>>; // JSON Schemas
  required: string[];
  several: boolean;
}

/** A rule on parts as its form shows it. */
export type ShownRule = Omit<RuleForm, "fields"> & { fields: RuleField[] };

export interface RuleField {
  name: string;
  label: string;
  takes: "parts" | "colour" | "yes or no" | "number" | "text";
  least: number | null;
  most: number | null;
  first: any; // what a new rule has there
}

/** The values of a rule's fields, without defaults. */
export type RuleValues = Record<string, any>;

/** A motion of a lattice in integers: see motions.js. */
export interface Motion {
  nodes: number[];
  matrix: number[][];
  shifts: number[][];
  [more: string]: any;
}

/** A box of a picture. */
export interface PictureBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The content of a cell of a shape. */
export interface Entry {
  cell: Cell;
  colour: number;
  optional: boolean;
}

/** The subject of a request: a shipped puzzle, a file or a run, and its edits. */
export type Subject = Record<string, any>;

/** The standing of a run. */
export interface Standing {
  id: string;
  task: string;
  answered: boolean;
  state: string; // "running", "paused" or "ended"
  stage: string;
  pausable: boolean;
  found: number;
  kept: number;
  progress: Record<string, any>;
  figures: Record<string, any>;
  summary?: Record<string, any>;
  text?: string;
  reason?: string;
  fault: { message: string; complaints: string[] } | null;
}

/** A problem of the open file: see whole.js. */
export interface Problem {
  key: string;
  of: string; // its name in the file as it was opened
  state: string; // its state with edits, as a text
  name?: string;
  read?: string;
}

/** The stored history of a file: see history.js. */
export interface KeptSteps {
  states: string[][];
  at: number;
  began: number;
}
