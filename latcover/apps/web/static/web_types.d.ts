// What the modules of the web app hand each other. server_types.d.ts has the data of the server.

import type { Child } from "./dom.js";
import type { Model } from "./model.js";
import type {
  ApartRequest,
  BestTask,
  Catalogue,
  CompareTask,
  CountTask,
  DesignFacts,
  DesignTask,
  ExcludeTask,
  LatticeData as Lattice,
  MotionData,
  NodeData as LatticeNode,
  PackTask,
  PartData,
  PlaneTask,
  ProbabilitiesTask,
  Published,
  PuzzleData,
  RuleForm,
  SampleTask,
  SetSubject,
  SolveTask,
  Standing,
  Subject,
  WatchTask,
} from "./server_types.js";

export type { Lattice, LatticeNode, Standing, Subject };

/** The number of a node, then coordinates in steps of the lattice. */
export type Cell = number[];

/** Where parts to take come from. */
export type PartSource = Subject | SetSubject;

/** What can be started as a run. */
export type Job =
  | SolveTask
  | CountTask
  | BestTask
  | PackTask
  | ExcludeTask
  | SampleTask
  | ProbabilitiesTask
  | WatchTask
  | CompareTask
  | DesignTask
  | PlaneTask
  | ApartRequest;

/** A flat tiling with which a lattice can begin. */
export interface Tiling {
  name: string;
  title: string;
  lattice: FileTable;
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
export type Motion = Pick<MotionData, "nodes" | "matrix" | "shifts">;

/** What the command line prints with --json: docs/reference/json.md. */
export type CommandData = Record<string, any>;

/** A table of a puzzle or lattice file: docs/reference/puzzle-files.md and lattice-files.md. */
export type FileTable = Record<string, any>;

/** What pages read of the result of a run, which is as the command line prints it. */
export interface Summary {
  stop?: string;
  complete?: boolean;
  proved?: boolean;
  searched?: string;
  drawn?: string;
  place?: number;
  tiling?: CommandData | null;
}

/** A box of a picture. */
export interface PictureBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A filled cell of a shape. */
export interface Entry extends Filling {
  cell: Cell;
}

/** What a cell is filled with. */
export interface Filling {
  colour: number;
  optional: boolean;
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

/** A cell, one of its half-edges, and what is at that side. */
export type NamedSide = [cell: Cell, edge: number, value: string];

/** A length for each axis, or else vectors. */
export type Period = number[] | number[][];

/** The table [sides] of a puzzle file, without letters for values. */
export interface SideRules {
  keys?: string[];
  locks?: string[];
  values?: string[];
  fits?: Record<string, string[]>;
  mates?: Record<string, string[]>;
  flat_meets?: string[];
  may_look_out?: string[];
  locks_meet_locks?: boolean;
  rim?: string;
}

/** A part as the editor has it: its cells by their keys. `kept`: its colour since another part was removed. */
export interface EditorPart extends Omit<PartData, "cells" | "colours" | "from"> {
  from: number | null;
  kept?: string;
  cells: Map<string, Entry>;
}

/** The same in a stored state: its cells in a row. */
export type KeptPart = Omit<EditorPart, "cells"> & { cells: Entry[] };

/** What the server says about a puzzle. */
export type Verdict = Pick<
  PuzzleData,
  "faults" | "warnings" | "toml" | "title" | "own_title" | "source" | "expect" | "published" | "objectives"
>;

/** The fields of a puzzle besides its cells: see fields.js. Null: as the server has it. */
export interface Fields {
  title: string | null;
  source: string | null;
  expect: FileTable | null;
  published: Published[] | null;
  colours: string[];
  period: Period;
  maxEmpty: number | null;
  rules: FileTable;
  sides: SideRules | null; // null where no file can express them: the panels show nothing to edit then
  asked: NamedSide[];
  alike: Cell[][];
}

/** Where a puzzle is: a shipped one, or a design of this browser. */
export interface Place {
  name?: string;
  problem?: string | null;
  design?: string;
  shelf?: string;
}

/** A version of a design: see versions.js. */
export interface Version {
  id?: number; // since it is stored
  design: string;
  when: number;
  why: string;
  name: string;
  title: string;
  texts: string[];
  at: string;
  facts: string;
}

/** A drawing of a lattice: see lattice_editor.js. */
export interface Drawing {
  name: string;
  basis: number[][];
  cells: DrawnCell[];
  gaps: boolean;
  height: number;
  grid: number;
  snap: boolean;
}

export interface DrawnCell {
  name: string;
  corners: number[][];
}

/** A design of a run, with its number. */
export type DesignRow = DesignFacts & { k: number };

/** The values of the controls of a form: texts, and true or false. */
export type FormValues = Record<string, any>;

/** What the fields of a form may depend on. */
export interface FormContext {
  model: Model;
  about: Catalogue;
}

type Given<T> = T | ((at: FormContext) => T);

/** A field of a form: see design_ways.js. */
export interface FormField {
  name: string;
  label: string;
  kind: string;
  usual: Given<string | boolean>;
  help?: string;
  options?: Given<string[][]>;
  min?: number;
  max?: Given<number>;
  step?: string;
  placeholder?: string;
  expert?: boolean;
  when?: (values: FormValues, at: FormContext) => unknown;
}

/** What a canvas of cells is made of: see grid.js; what a shape may say besides: shaping.js. */
export interface GridOptions {
  lattice: Lattice;
  chosen: Map<string, Entry>;
  name: string;
  look: (entry: Entry) => { fill: string; label: string; class?: string };
  paint: () => Filling;
  same: (entry: Entry) => boolean;
  changed: () => void;
  put?: (cell: Cell, entry: Filling | null) => void;
  replace?: (entries: Entry[]) => void;
  period?: Period;
  kept?: KeptView;
  pixels?: number;
  extras?: () => Child | Child[];
}

export interface ShapeOptions extends GridOptions {
  regional?: boolean;
  tinted?: boolean;
  solid: (entry: Entry) => { fill: string; faint?: boolean };
  moving?: (image: (cell: Cell) => Cell) => unknown;
}

/** The window and the layer of a canvas, for the next one of the same shape. */
export interface KeptView {
  layer?: number;
  used?: boolean;
  size?: number[];
  [more: string]: any;
}

/** What the pointer is doing on a canvas: see hands.js. */
export interface Deed {
  move: (from: number[], to: number[], other?: number[]) => void;
  end?: () => void;
  cancel?: () => void;
}
