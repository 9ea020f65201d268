// The puzzle that this page edits: the data of the server, and the changes since. It is one problem of the
// open file (whole.js); undo and redo span all its problems.

import { Away } from "./faults.js";
import {
  completed,
  editsOfFields,
  editsOfPart,
  editsOfRegion,
  fieldsOf,
  paint,
  takeLooks,
  withPartNames,
} from "./fields.js";
import { cellsOfBox, keyOf } from "./geometry.js";
import { History, same } from "./history.js";
import { host as api } from "./host.js";
import { Whole } from "./whole.js";

/** @import { PuzzleData, PuzzleEdits, Tint } from "./server_types.js" */
/** @import { Cell, EditorPart, Entry, Fields, KeptPart, Problem, Subject, Verdict } from "./web_types.js" */

const QUIET = 350; // milliseconds without a change before the server checks the puzzle

export class Model extends EventTarget {
  /** @type {PuzzleData} */
  data; // of a bare problem: ProblemData
  /** @type {Subject} */ base;
  /** @type {string} */ name;
  /** @type {Fields} */ fields;
  /** @type {EditorPart[]} */ parts;
  /** @type {Tint[]} */ colours;
  /** @type {Map<string, Entry>} */ region;
  /** @type {Map<string, { data: PuzzleData, first: string }>} */ known;
  /** @type {Verdict} */ verdict;
  /** @type {string} */
  solved; // its solutions in words
  /** @type {History} */ history;
  /** @type {boolean} */ dirty;
  /** @type {boolean} */ stale;
  /** @type {number} */ timer;
  /** @type {boolean} */ keep;
  isSmall = false; // whether all solutions of the puzzle as it is now were counted within a second
  /** @type {Whole} */ whole;

  /** @type {Map<string, string>} */
  looks = new Map(); // of colours, parts, keys and locks, by name

  /**
   * Load the data of the server on a subject. `keep`: it is new and must be stored. `kept`: what this browser has
   * stored of it: {state, texts, at} as in designs.js, and its history. Designs of earlier versions have no texts.
   * @param {PuzzleData} data @param {boolean} [keep] @param {any} [kept]
   */
  load(data, keep = false, kept = null) {
    this.keep = keep;
    this.whole = new Whole(data);
    this.known = new Map(); // the data of the server on each problem, and its first state
    this.history = /** @type {any} */ (null);
    if (data.kind === "puzzle") {
      /** @type {(string | null)[] | undefined} */
      const texts = kept?.texts;
      if (texts) this.whole.take(texts.map((text) => text ?? kept.state));
      if (this.whole.of(kept?.at)) this.whole.at = kept.at;
      if (kept && !kept.texts) this.whole.current.state = kept.state;
      this.look(data);
      this.history = History.resumed(kept?.history, this.whole.texts());
    } else {
      this.look(data);
    }
    this.tell("loaded");
    if (this.stale) this.check();
  }

  /** Show the problem of the file that *data* describes, with its edits. @param {PuzzleData} data */
  look(data) {
    this.data = data;
    this.base = /** @type {Subject} */ (data.subject);
    this.stale = false;
    clearTimeout(this.timer);
    this.asked = (this.asked ?? 0) + 1; // pending answers are about another puzzle
    this.dirty = this.keep;
    this.colours = [];
    this.looks = new Map();
    this.verdict = verdictOf(data);
    if (data.kind !== "puzzle") return;
    this.name = data.name;
    this.region = entries(data.region.cells, data.region.colours, data.region.optional);
    this.parts = data.parts.map((part) => ({ ...part, cells: entries(part.cells, part.colours) }));
    this.fields = fieldsOf(data);
    takeLooks(this, data);
    const { current } = this.whole;
    const first = this.state();
    this.known.set(current.of, { data, first });
    if (current.state === first) current.state = "";
    if (current.state) this.restore(current.state);
    this.dirty = this.stale = this.keep || this.changedHere;
  }

  /** Show another problem of the file. Returns whether it did. @param {string} key */
  turnTo(key) {
    if (key === this.whole.at || !this.whole.of(key)) return Promise.resolve(false);
    const work = async () => {
      const data = await this.dataOf(this.whole.of(key));
      return () => {
        this.whole.at = key;
        this.look(data);
        this.tell("loaded");
        if (this.stale) this.check();
      };
    };
    return this.doLast(work);
  }

  /**
   * The data of the server on a problem as it is in the file.
   * @param {Problem} problem @returns {Promise<PuzzleData>}
   */
  async dataOf(problem) {
    return this.known.get(problem.of)?.data ?? api.open(this.whole.subject(problem));
  }

  /**
   * Load what `ask` promises; of several at once the last one counts. Returns whether it did.
   * @param {() => Promise<PuzzleData>} ask @param {boolean} [keep] @param {any} [kept]
   */
  take(ask, keep = false, kept = null) {
    return this.doLast(async () => {
      const data = await ask();
      return () => this.load(data, keep, kept);
    });
  }

  /**
   * Do what `work` promises, unless something else was started meanwhile. Returns whether it did.
   * @param {() => Promise<() => void>} work
   */
  async doLast(work) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.tell("loading");
    try {
      const then = await work();
      if (turn === this.turn) then();
      return turn === this.turn;
    } finally {
      if (turn === this.turn) this.tell("settled");
    }
  }

  /** Whether the file differs from the one that was opened. */
  get edited() {
    return Boolean(this.history) && !same(this.whole.texts(), this.whole.opened);
  }

  /** Whether the open problem differs from the one that was opened. */
  get changedHere() {
    return this.whole.current.state !== "" || this.whole.comment !== this.whole.said;
  }

  get isPuzzle() {
    return this.data?.kind === "puzzle";
  }

  get lattice() {
    return this.data.lattice;
  }

  /** The subject of requests to the server. @returns {Subject} */
  subject() {
    return this.dirty ? /** @type {Subject} */ ({ ...this.base, edits: this.edits() }) : this.base;
  }

  /** @returns {PuzzleEdits} */
  edits() {
    /** @param {Map<string, Entry>} cells */
    const rows = (cells) => [...cells.values()];
    return {
      name: this.name,
      ...editsOfFields(this.fields),
      comment: this.whole?.comment,
      region: {
        ...editsOfRegion(
          this.fields,
          rows(this.region).map((entry) => entry.cell),
        ),
        cells: rows(this.region).map((entry) => entry.cell),
        colours: rows(this.region).map((entry) => entry.colour),
        optional: rows(this.region).map((entry) => (entry.optional ? 1 : 0)),
      },
      parts: this.parts.map((part) => ({
        name: part.name,
        from: part.from,
        cells: rows(part.cells).map((entry) => entry.cell),
        colours: rows(part.cells).map((entry) => entry.colour),
        low: part.low,
        high: part.high,
        motions: part.motions,
        ...editsOfPart(
          part,
          rows(part.cells).map((entry) => entry.cell),
        ),
      })),
    };
  }

  /** Note a change that a canvas shows but did not make. */
  refresh() {
    this.changed();
    this.tell("refreshed");
  }

  /** Note an edit: notify the views, and ask the server to check the puzzle after a pause. */
  changed() {
    this.note();
    this.history.add(this.whole.texts());
    this.dirty = this.keep || this.changedHere;
    this.stale = true;
    this.asked = (this.asked ?? 0) + 1; // pending answers are about the previous state
    this.tell("changed");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), QUIET);
  }

  /** Write the state of the open problem into the whole file. */
  note() {
    const state = this.state();
    const { current } = this.whole;
    current.state = state === this.known.get(current.of)?.first ? "" : state;
  }

  /** The editable state of the open problem, as a text. */
  state() {
    /** @param {Map<string, Entry>} cells */
    const rows = (cells) => [...cells.values()];
    const parts = this.parts.map(({ rgb: _, ...part }) => ({ ...part, cells: rows(part.cells) }));
    return JSON.stringify({ name: this.name, fields: this.fields, region: rows(this.region), parts });
  }

  /** Undo (`by` is negative) or redo so many changes, and show the problem that they belong to. @param {number} by */
  step(by) {
    if (!this.history.can(by)) return undefined;
    return this.goTo(this.history.beyond(by), () => this.history.step(by));
  }

  /**
   * Restore an earlier state of the file, as a change that can be undone. `then` runs before views are notified.
   * @param {string[]} texts @param {() => void} [then]
   */
  goTo(texts, then = () => {}) {
    const problem = this.whole.changed(texts);
    const to = () => {
      then();
      this.whole.take(texts);
      this.restore(this.whole.current.state || /** @type {any} */ (this.known.get(this.whole.current.of)).first);
      this.tell("restored");
      this.changed();
    };
    if (problem.key === this.whole.at) return to();
    return this.doLast(async () => {
      const data = await this.dataOf(problem);
      return () => {
        then();
        this.whole.take(texts);
        this.whole.at = problem.key;
        this.look(data);
        this.tell("loaded");
        this.changed();
      };
    });
  }

  /** @param {string} comment */
  setComment(comment) {
    if (comment === this.whole.comment) return;
    this.whole.comment = comment;
    this.changed();
  }

  /** Another problem in the file: a copy of this one as it is now. */
  async copyProblem() {
    const taken = new Set(this.whole.names().map(([, name]) => name));
    const name = freeName(this.name, taken);
    const key = this.whole.copy(JSON.stringify({ ...JSON.parse(this.state()), name }));
    this.history.add(this.whole.texts());
    await this.turnTo(key);
    this.changed();
  }

  /** Remove this problem from the file. */
  async removeProblem() {
    const { problems, at } = this.whole;
    const k = problems.findIndex(({ key }) => key === at);
    await this.turnTo((problems[k + 1] ?? problems[k - 1]).key);
    this.whole.problems.splice(k, 1);
    this.changed();
  }

  /** The whole file, as the server is asked to write it. */
  async file() {
    const problems = [];
    for (const problem of this.whole.problems) {
      const edits = problem.state || this.keep ? await this.editsOf(problem) : null;
      problems.push({ ...(problem.of ? { problem: problem.of } : {}), edits });
    }
    const { comment, said, file } = this.whole;
    return { ...file, problems, ...(comment === said ? {} : { comment }) };
  }

  /** @param {Problem} problem */
  async editsOf(problem) {
    if (problem === this.whole.current) return this.edits();
    return (await this.other(problem)).edits();
  }

  /** A problem of the file that is not shown, as its own model. @param {Problem} problem */
  async other(problem) {
    const model = new Model();
    model.load(await this.dataOf(problem));
    if (problem.state) model.restore(problem.state);
    model.whole.comment = this.whole.comment;
    return model;
  }

  /** @param {string} state */
  restore(state) {
    /** @type {{ name: string, fields?: Fields, region: Entry[], parts: KeptPart[] }} */
    const { name, fields, region, parts } = JSON.parse(state);
    this.name = name;
    this.fields = fields ?? this.fields;
    this.region.clear(); // the map object stays: views hold it
    for (const entry of region) this.region.set(keyOf(entry.cell), entry);
    this.parts = parts.map((part) => ({
      ...completed(part, part.from === null ? undefined : this.data?.parts[part.from]),
      cells: new Map(part.cells.map((entry) => [keyOf(entry.cell), entry])),
    }));
    paint(this);
  }

  /** The verdict of the server on the current puzzle, even right after a change. */
  async judged() {
    while (this.stale) await this.check();
    return this.verdict;
  }

  /**

   */
  async check() {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    clearTimeout(this.timer);
    /** @type {Verdict} */ let verdict;
    /** @type {any} */ let told = {};
    try {
      told = await api.open(this.subject());
      verdict = verdictOf(told);
    } catch (fault) {
      if (fault instanceof Away) api.server.whenBack(() => asked === this.asked && this.check());
      verdict = {
        ...this.verdict,
        faults: fault.complaints?.length ? fault.complaints : [fault.message],
        warnings: [],
        toml: "",
      };
    }
    if (asked !== this.asked) return;
    this.stale = false;
    this.verdict = verdict;
    if (this.isPuzzle && takeLooks(this, told)) this.tell("painted");
    this.tell("checked");
  }

  /** Add a part: a copy of one, or a single cell. @param {any} [part] */
  add(part) {
    const added = this.added(part);
    this.changed();
    return added;
  }

  /** Add a part without notifying the views, so that several make one step. @param {any} [part] */
  added(part) {
    const taken = new Set(this.parts.map((other) => other.name));
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => !taken.has(letter));
    const name =
      part?.fetched && !taken.has(part.name)
        ? part.name
        : part
          ? freeName(part.name, taken)
          : (letters[0] ?? freeName("part", taken));
    const cell = [0, ...this.lattice.basis.map(() => 0)];
    const rgb = this.freeColour();
    this.looks.delete(`part ${name}`); // of a part that had this name
    this.parts.push({
      name,
      from: part?.from ?? null,
      letter: name[0],
      rgb,
      kept: this.parts.some(({ kept, display_colour }) => kept || display_colour) ? rgb : undefined,
      cells: part ? new Map([...part.cells].map(([key, entry]) => [key, { ...entry }])) : entries([cell], [0]),
      low: part?.low ?? 1,
      high: part ? part.high : 1,
      motions: part?.motions ?? this.lattice.motions,
      sides: [...(part?.sides ?? [])],
      display_colour: part?.display_colour ?? "",
      groups: /** @type {EditorPart["groups"]} */ (part?.groups ?? []).map((group) => [...group]),
      weight: part?.weight ?? 1,
    });
    return this.parts[this.parts.length - 1];
  }

  /** The palette's colour for another part: of the next number, unless a part has it. */
  freeColour() {
    const { palette } = this.data;
    const at = this.parts.length % palette.length;
    const turns = [...palette.slice(at), ...palette.slice(0, at)];
    return turns.find((rgb) => this.parts.every((part) => part.rgb !== rgb)) ?? turns[0];
  }

  /**
   * Remove parts without notifying the views. The others keep their colours, which were those of their numbers.
   * @param {(part: EditorPart) => boolean} isGone
   */
  removed(isGone) {
    const { palette } = this.data;
    const gone = new Set(this.parts.filter(isGone).map(({ name }) => name));
    this.fields.rules = withPartNames(this.fields.rules, (name) => (gone.has(name) ? null : name));
    this.parts = this.parts.filter((part) => !isGone(part));
    const own = this.parts.filter(({ display_colour }) => !display_colour);
    if (own.some((part) => part.rgb !== palette[this.parts.indexOf(part) % palette.length]))
      for (const part of own) part.kept = part.rgb;
  }

  /** Cells of the region, and the fewest and most that parts can hold: [region, optional, fewest, most]. */
  volumes() {
    const cells = [...this.region.values()];
    const optional = cells.filter((entry) => entry.optional).length;
    let [fewest, most] = [0, 0];
    for (const part of this.parts) {
      fewest += part.low * part.cells.size;
      most += part.high === null ? Infinity : part.high * part.cells.size;
    }
    return [cells.length, optional, fewest, most];
  }

  /** @param {string} what */
  tell(what) {
    this.dispatchEvent(new Event(what));
  }
}

/**
 * A new puzzle on a lattice: a small box, and a part of one cell.
 * @param {string} lattice @param {number} dimension @param {string} name
 */
export async function blank(lattice, dimension, name) {
  const probe = Array(dimension + 1).fill(0);
  const part = { name: "A", from: null, cells: [probe], low: 1, high: 1 };
  const edits = { name, region: { cells: [probe] }, parts: [part] };
  const data = await api.open({ form: "new", lattice, edits });
  const far = data.lattice.basis.map(() => (dimension > 2 ? 1 : 3));
  const cells = cellsOfBox(
    data.lattice,
    far.map(() => 0),
    far,
  );
  data.region.cells = cells;
  data.region.colours = cells.map(() => 0);
  data.region.optional = cells.map(([node]) => (data.lattice.nodes[node].secondary ? 1 : 0));
  /** @type {{ from: number | null }} */ (data.parts[0]).from = null;
  return /** @type {PuzzleData} */ ({ ...data, subject: { form: "new", lattice } });
}

/** @param {Cell[]} cells @param {number[]} colours @param {number[]} [optional] */
function entries(cells, colours, optional = []) {
  return new Map(
    cells.map((cell, k) => [keyOf(cell), { cell, colour: colours[k] ?? 0, optional: Boolean(optional[k]) }]),
  );
}

/** What the server says about a puzzle. @param {PuzzleData} data @returns {Verdict} */
function verdictOf({ faults, warnings, toml, title, own_title, source, expect, published, objectives }) {
  return { faults, warnings, toml, title, own_title, source, expect, published, objectives };
}

/** @param {string} name @param {Set<string>} taken */
function freeName(name, taken) {
  for (let k = 2; ; k += 1) if (!taken.has(`${name} ${k}`)) return `${name} ${k}`;
}
