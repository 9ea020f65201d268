// Made by packaging/page_types.py from the structures in Python: do not edit.

import type { PageData } from "./page_types.js";
import type { SceneData } from "./scene_types.js";
import type { CommandData, FileTable, Summary } from "./web_types.js";

/** The hardest of some solutions with its film for the viewer, and the result in words. */
export type ApartAnswer = { scene: SceneData; summary: HardestSolution; text: string };

/** Take a solution of a run apart, counted from 0; if it is None, all that are kept. */
export type ApartRequest = { task: "apart"; run: string; solution: number | null; seconds?: number | null };

/** The best solutions. */
export type BestAnswer = RunAnswer & { best: RankedSolution[] };

/** Find the best solutions. */
export type BestTask = ProblemRequest & {
  task: "best";
  limit?: number;
  branches?: number | null;
  seconds?: number | null;
  sense?: "maximize" | "minimize";
  objective: string;
  all_optimal?: boolean;
  subject: Subject;
};

/** All choices of a page that do not depend on a puzzle, and bounds of the server. */
export type Catalogue = {
  version: string;
  puzzles: ShippedPuzzle[];
  shelves: Named[];
  lattices: ShippedLattice[];
  sets: ShippedSet[];
  backends: OfferedBackend[];
  methods: string[];
  rules: Named[];
  part_rules: RuleForm[];
  forms: Named[];
  models: Named[];
  pictures: Named[];
  papers: string[];
  suffixes: string[];
  seconds: number;
  solutions: number;
  upload: number;
};

/** A comparison as `latcover compare --json` prints it. */
export type CompareAnswer = {
  puzzle: string;
  arguments: string[];
  machine: string;
  figures: CommandData;
  methods: ComparedMethod[];
  agree: boolean;
  compared: string[];
  disagreements: string[];
  verdict: string[];
  interrupted: boolean;
};

/** Compare several methods: those listed, or all known ones. */
export type CompareTask = {
  task: "compare";
  subject: Subject;
  symmetry?: "all" | "none" | "rotations";
  methods?: string | null;
  seconds_each?: number;
  seconds?: number | null;
};

/** What a method did, as `latcover compare --json` says it. */
export type ComparedMethod = {
  method: string;
  arguments: string[];
  status: string;
  reason: string;
  time_ratio: number | null;
  branches_ratio: number | null;
  answer: CommandData | null;
};

/** A count of solutions. */
export type CountRequest = SearchRequest & { method?: string; memory?: number; disk?: number };

/** Count solutions. */
export type CountTask = CountRequest & { task: "count"; subject: Subject };

/** A bare cover problem in Knuth's form. */
export type CoverSubject = { form: "dlx"; text: string; name?: string };

/** What the card of a design says. `parts`: names and numbers; `exact`: whether all solutions were counted. */
export type DesignFacts = {
  name: string;
  title: string;
  words: string;
  parts: [string, number][];
  solutions: number;
  exact: boolean;
  level: number[] | null;
  notes: string[];
  badges?: string[];
  difficulty?: number | null;
  needed_play?: number | null;
};

/** Make puzzles: sets of parts, regions, cuts of a region, or growth of a solution. */
export type DesignTask = {
  task: "design";
  subject: Subject;
  way: "cut" | "grow" | "regions" | "sets";
  wanted?: Record<string, unknown>;
  seconds?: number | null;
};

/** How to make the diagram of all solutions. Plain data, as in JSON. */
export type DiagramRequest = {
  given?: string[];
  method?: "auto" | "enumeration" | "frontier";
  memory?: number;
  seconds?: number | null;
};

/** A half-edge; `ring`: where what is at this side is drawn about its cell's centre, if a drawing can show it. */
export type EdgeData = { label: string; node: number; target: number; step: number[]; ring?: number[][] };

/** How to encode a puzzle as a cover problem. Plain data, as in JSON. */
export type EncodingRequest = {
  symmetry?: "all" | "none" | "rotations";
  reduction?: "auto" | "none" | "paper";
  pivot?: string | null;
  order?: number[] | null;
  given?: string[];
  rules?: string[];
};

/** The fewest cells that keep shapes out of a region. */
export type ExcludeRequest = ExploringRequest & { backend?: string };

/** Find the fewest cells of a subject's region that keep its parts out, or those named in `parts`. */
export type ExcludeTask = ExcludeRequest & { task: "exclude"; subject: Subject; parts?: string[] };

/** What all these questions share. */
export type ExploringRequest = { seconds?: number | null };

/** Write a file of a subject, of one solution of a run, or of all its solutions that are kept. */
export type ExportRequest = {
  form: string;
  symmetry?: "all" | "none" | "rotations" | null;
  measures?: Measures | null;
  sheet?: Sheet | null;
  name?: string | null;
  subject?: ShippedSubject | TextSubject | NewSubject | CoverSubject | null;
  run?: string | null;
  solution?: number | null;
};

/** An error for the client: one paragraph, and all complaints if there are several. */
export type Fault = { message: string; complaints: string[] };

/** How the hardest of some solutions comes apart, and its place in the run. */
export type HardestSolution = { result: string; level: number[]; number: number; place: number };

/** A complaint about a lattice, and the node that it is about. */
export type JudgedComplaint = { node: string | null; text: string };

/** The complaints about a lattice; or, of a sound one, its file, and how many neighbours each node has. */
export type JudgedLattice = {
  complaints: JudgedComplaint[];
  toml?: string;
  lattice?: FileTable;
  neighbours?: Record<string, number>;
  transformations?: number;
  rotations?: number;
};

/** How the cells of a lattice look from above, and how they move. Cells of one height are a layer in space. */
export type LatticeData = {
  name: string;
  title: string;
  dimension: number;
  space: boolean;
  size: number;
  basis: number[][];
  nodes: NodeData[];
  moves: MotionData[];
  motions: string | string[];
  generators: string[];
  edges: EdgeData[];
};

/** A puzzle of a file that our own form cannot express, and the reason. */
export type LeftOut = { name: string; fault: string };

/** A puzzle of a file, and its fault if it cannot be used. */
export type ListedProblem = { name: string; fault: string | null };

/** The lengths of a model in millimetres, and the distance between its parts. */
export type Measures = {
  edge?: number | null;
  clearance?: number | null;
  chamfer?: number | null;
  explode?: number | null;
};

/** A motion: it takes the cell `(u, x)` to `(nodes[u], matrix @ x + shifts[u])`. */
export type MotionData = {
  name: string;
  kind: "mirror" | "other" | "turn";
  axis: number[];
  main: boolean;
  nodes: number[];
  matrix: number[][];
  shifts: number[][];
};

/** A choice, and words about it. */
export type Named = { name: string; about: string };

/** A new puzzle on a shipped lattice. */
export type NewSubject = {
  form: "new";
  problem?: string | null;
  edits?: PuzzleEdits | null;
  problems?: ProblemEdits[] | null;
  comment?: string | null;
  lattice: string;
};

/** A node: `radius` of a ball; else `rings` of a flat cell, or of a solid cut at the height of its centre. */
export type NodeData = NodeInSpace & {
  name: string;
  position: number[];
  secondary: boolean;
  radius?: number;
  rings?: number[][][];
};

/** A node's cell at the origin, for views in space. */
export type NodeInSpace = {
  beside: number[][];
  vertices?: number[][];
  faces?: number[][];
  across?: (number[] | null)[];
};

/** What may be minimized or maximized over the solutions of a puzzle. */
export type Objective = { name: string; words: string };

/** A backend and its options, or the reason why it cannot be used. */
export type OfferedBackend = { name: string; about: string; options: SolverOption[]; usable: boolean };

/** What was opened: `problems` and the name of the `file` if it holds several puzzles. */
export type Opened = {
  name: string;
  title: string;
  faults: string[];
  warnings: string[];
  toml: string;
  subject?: Subject;
  problems?: ListedProblem[];
  file?: string | null;
  left_out?: LeftOut[];
};

/** The densest packing of copies of shapes, or the clumsiest. */
export type PackRequest = ExploringRequest & { clumsy?: boolean; cells?: boolean; once?: boolean; backend?: string };

/** Pack the region of a subject with its parts, or with those named in `parts`. */
export type PackTask = PackRequest & { task: "pack"; subject: Subject; parts?: string[]; own_counts?: boolean };

/** A part; see `edits`. */
export type PartData = {
  name: string;
  from: number;
  letter: string;
  rgb: string;
  cells: number[][];
  colours: number[];
  low: number;
  high: number | null;
  motions: string | string[];
  sides: [number[], number, string][];
  display_colour: string;
  groups: [string, number | null][];
  weight: number;
};

/** A part. `origin` is the number of the part that it was; a group is a name and a number of copies, or all. */
export type PartEdits = {
  name: string;
  from?: number | null;
  cells: number[][];
  colours?: number[] | null;
  low?: number;
  high?: number | null;
  motions?: string | string[] | null;
  sides?: [number, number, string][] | null;
  display_colour?: string;
  groups?: [string, number | null][];
  weight?: number;
};

/** How many parts each shipped puzzle may use, copies counted; None: any number. */
export type PartNumbers = { parts: Record<string, number | null> };

/** The parts of a set or a puzzle. `sides` is None if no file can express them. */
export type PartsAnswer = {
  title: string;
  lattice: LatticeData;
  colours: Tint[];
  sides: SidesTable | null;
  parts: PartData[];
};

/** Say whether a shape of a shipped lattice tiles the plane. A cell is the number of its node, then coordinates. */
export type PlaneTask = {
  task: "plane";
  lattice: string;
  cells: number[][];
  one_sided?: boolean;
  seconds?: number | null;
};

/** A puzzle for the page to play, to solve and to take apart. */
export type Playable = { data: PageData };

/** Maps of how likely each part is on each cell: none if there is no solution, not all if they are very large. */
export type ProbabilitiesAnswer = RunAnswer & { maps: ProbabilityMap[]; placements: string | null };

/** Count in how many solutions each part is on each cell, and draw maps of it. */
export type ProbabilitiesTask = DiagramRequest & { task: "probabilities"; subject: Subject };

/** A map of all parts (None) or of one. Its rows: what, percentage, number of solutions. */
export type ProbabilityMap = { part: string | null; title: string; svg: string; rows: [string, string, string][] };

/** A bare problem: only its figures. */
export type ProblemData = Opened & { kind: "problem"; options: number; items: number };

/** One of several puzzles of a file, by its name, with its edits. */
export type ProblemEdits = { problem?: string | null; edits?: PuzzleEdits | null };

/** The encoding, and the backend that searches. */
export type ProblemRequest = EncodingRequest & {
  backend?: string;
  options?: Record<string, string | number | boolean>;
  anyway?: boolean;
};

/** A solution of a bare problem: the items of each option. */
export type ProblemSolution = { number: number; options: string[][] };

/** A published figure that is wrong, and the reason. */
export type Published = { figure: string; value: number; source: string; reason: string };

/** A puzzle for the editor. `title` is its name if it has no `own_title`. */
export type PuzzleData = Opened & {
  kind: "puzzle";
  own_title: string;
  source: string;
  comment: string;
  lattice: LatticeData;
  region: RegionData;
  parts: PartData[];
  colours: Tint[];
  palette: string[];
  motions: string[];
  rules: FileTable;
  sides: SidesTable | null;
  expect: FileTable;
  published: Published[];
  turning?: FileTable;
  objectives: Objective[];
};

/** A puzzle. `colours` names those from number 1 on; rules, sides and figures are tables of a puzzle file. */
export type PuzzleEdits = {
  name?: string;
  title?: string;
  source?: string;
  comment?: string;
  colours?: string[];
  rules?: Record<string, unknown> | null;
  sides?: Record<string, unknown> | null;
  region: RegionEdits;
  parts: PartEdits[];
  expect?: Record<string, unknown>;
  published?: (Record<string, unknown>)[];
};

/** A solution as `latcover solve --json` prints it. */
export type PuzzleSolution = { number: number; image: number; orbit: number; placements: CommandData[] };

/** One of the best solutions: its value, the same in words, and the number at which the run keeps it. */
export type RankedSolution = { value: number; words: string; at: number };

/** A region. `colours` and `optional` have an entry for each cell. */
export type RegionData = {
  cells: number[][];
  colours: number[];
  optional: number[];
  period: number[] | number[][];
  max_empty: number | null;
  sides: [number[], number, string][];
  alike: number[][][];
};

/** A region. `colours` and `optional` have an entry for each cell; `alike` lists groups of cells by number. */
export type RegionEdits = {
  cells: number[][];
  colours?: number[] | null;
  optional?: number[] | null;
  period?: (number | number[])[];
  max_empty?: number | null;
  sides?: [number, number, string][] | null;
  alike?: number[][] | null;
};

/** A rule for a form. */
export type RuleForm = {
  name: string;
  about: string;
  fields: Record<string, Record<string, unknown>>;
  required: string[];
  several: boolean;
};

/** The result of a run, as data and in sentences. */
export type RunAnswer = { summary: Summary; text: string };

/** How far a job is, as far as its kind tells; `known` says in words what is known of the best. */
export type RunProgress = {
  share?: number | null;
  seconds?: number | null;
  branches?: number | null;
  covers?: number | null;
  positions?: number | null;
  known?: string[] | null;
  searched?: string | null;
  candidates?: number | null;
  looked?: number | null;
  sets?: number | null;
  walks?: number | null;
  turns?: number | null;
};

/** Draw solutions at random from all, each alike. */
export type SampleTask = DiagramRequest & { task: "sample"; subject: Subject; number?: number; seed?: number };

/** A search with limits. */
export type SearchRequest = ProblemRequest & {
  limit?: number | null;
  branches?: number | null;
  seconds?: number | null;
};

/** A part set that is shipped, or a ready one, such as "polyominoes:1-5". */
export type SetSubject = { form: "set"; name: string };

/** The layout of printed sheets; None leaves a choice to latcover. */
export type Sheet = { paper?: string; landscape?: boolean | null; columns?: number | null; title?: string | null };

/** A lattice of the library. `plane`: whether its shapes may tile the plane. */
export type ShippedLattice = { name: string; title: string; dimension: number; plane: boolean };

/** A puzzle of the library. `solutions`: how many different ones, if its file says so. */
export type ShippedPuzzle = { name: string; title: string; lattice: string; shelf: string; solutions: number | null };

/** A part set of the library. */
export type ShippedSet = { name: string; title: string; lattice: string };

/** A puzzle of the library. */
export type ShippedSubject = {
  form: "shipped";
  problem?: string | null;
  edits?: PuzzleEdits | null;
  problems?: ProblemEdits[] | null;
  comment?: string | null;
  name: string;
};

/** The table [sides] of a puzzle file, and the colours of its values. */
export type SidesTable = { table: FileTable; looks: Record<string, string> };

/** A search that delivers every different solution. */
export type SolveRequest = SearchRequest & { images?: boolean };

/** Find solutions. The server keeps the time, since a run can be paused. */
export type SolveTask = SolveRequest & { task: "solve"; subject: Subject; group?: "" | "blocks" };

/** An option of a solver: its name, the values that it takes, in words, and its default. */
export type SolverOption = { name: string; takes: string; default: unknown };

/** The facts of some designs of a run. */
export type SomeDesigns = { designs: DesignFacts[] };

/** A run as clients see it; `text` is its result in sentences, `answered` whether it has an answer. */
export type Standing = {
  id: string;
  task: string;
  state: string;
  stage: string;
  reason: string;
  figures: CommandData;
  progress: RunProgress;
  found: number;
  kept: number;
  summary: Summary | null;
  text: string | null;
  answered: boolean;
  fault: Fault | null;
  pausable: boolean;
};

/** A puzzle that a request is about. */
export type Subject = ShippedSubject | TextSubject | NewSubject | CoverSubject;

/** The text of a puzzle file, with the name of the puzzles and the file name for complaints. */
export type TextSubject = {
  form: "toml";
  problem?: string | null;
  edits?: PuzzleEdits | null;
  problems?: ProblemEdits[] | null;
  comment?: string | null;
  text: string;
  name?: string | null;
  file?: string;
};

/** The name of a colour, and how it is shown. */
export type Tint = { name: string; rgb: string };

/** Searches of one problem, step by step. */
export type WatchAnswer = { options: WatchedOption[]; cells: number[][]; items: string[]; searches: WatchedSearch[] };

/** Return the first steps of searches by several rules, for a view to play. */
export type WatchTask = {
  task: "watch";
  subject: Subject;
  symmetry?: "all" | "none" | "rotations";
  rules?: ("fewest" | "fewest cell" | "first")[];
  seconds?: number | null;
};

/** An option: the number of its part (-1: the cell stays empty), and the numbers of its cells. */
export type WatchedOption = { part: number; cells: number[] };

/** The first steps of a search by a rule, and whether these are all. */
export type WatchedSearch = {
  rule: "fewest" | "fewest cell" | "first";
  about: string;
  steps: WatchedStep[];
  whole: boolean;
};

/** A step of a search, as in `core.cover.trace`; `kind` "image": a cover that a symmetry makes of another. */
export type WatchedStep = [kind: "back" | "cover" | "dead" | "try" | "image", level: number, option: number, item: number, ways: number];
