// The puzzle that this page works on: what the server said of it, and what was changed since. It is one problem of the
// file that is open (whole.js); undo and redo reach across all of them.

import * as api from "./api.js";
import { completed, editsOfFields, editsOfPart, editsOfRegion, fieldsOf, paint, takeLooks } from "./fields.js";
import { cellsOfBox, keyOf } from "./geometry.js";
import { History, same } from "./history.js";
import { Whole } from "./whole.js";

const QUIET = 350; // milliseconds without a change before the server is asked what it thinks

export class Model extends EventTarget {
  looks = new Map(); // of colours, parts, keys and locks, by name

  /**
   * Take over what the server said of a subject. `keep`: it is new, and known to nobody. `kept`: what this browser has
   * kept of it: {state, texts, at} as in designs.js, and its history. Designs of earlier times have no texts.
   */
  load(data, keep = false, kept = null) {
    this.keep = keep;
    this.whole = new Whole(data);
    this.known = new Map(); // what the server said of each problem, and how that begins
    this.history = null;
    if (data.kind === "puzzle") {
      if (kept?.texts) this.whole.take(kept.texts.map((text) => text ?? kept.state));
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

  /** Look at the problem of the file that the server said this of, as it was edited. */
  look(data) {
    this.data = data;
    this.base = data.subject;
    this.stale = false;
    clearTimeout(this.timer);
    this.asked = (this.asked ?? 0) + 1; // what is still asked is of another puzzle
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

  /** Look at another problem of the file. Says whether it did. */
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

  /** What the server says of a problem of the file, as it is there. */
  async dataOf(problem) {
    return this.known.get(problem.of)?.data ?? api.open(this.whole.subject(problem));
  }

  /** Take over what `ask` promises; of several at once the last one counts. Says whether it did. */
  take(ask, keep = false, kept = null) {
    return this.doLast(async () => {
      const data = await ask();
      return () => this.load(data, keep, kept);
    });
  }

  /** Do what `work` promises to do, unless something else was begun meanwhile. Says whether it did. */
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

  /** Whether the file is not as it was opened. */
  get edited() {
    return Boolean(this.history) && !same(this.whole.texts(), this.whole.opened);
  }

  /** Whether the open problem is not as it was opened. */
  get changedHere() {
    return this.whole.current.state !== "" || this.whole.comment !== this.whole.said;
  }

  get isPuzzle() {
    return this.data?.kind === "puzzle";
  }

  get lattice() {
    return this.data.lattice;
  }

  /** What the server is to work on. */
  subject() {
    return this.dirty ? { ...this.base, edits: this.edits() } : this.base;
  }

  edits() {
    const rows = (cells) => [...cells.values()];
    return {
      name: this.name,
      ...editsOfFields(this.fields),
      comment: this.whole?.comment,
      region: {
        ...editsOfRegion(this.fields, rows(this.region).map((entry) => entry.cell)),
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
        ...editsOfPart(part, rows(part.cells).map((entry) => entry.cell)),
      })),
    };
  }

  /** The same, where more than cells was changed: all views are drawn anew, except the one where it was done. */
  refresh(origin) {
    this.origin = origin;
    this.changed();
    this.tell("refreshed");
    this.origin = null;
  }

  /** Something was edited: say so, and ask the server what it thinks when things are quiet. */
  changed() {
    this.note();
    this.history.add(this.whole.texts());
    this.dirty = this.keep || this.changedHere;
    this.stale = true;
    this.asked = (this.asked ?? 0) + 1; // what is still asked is of the puzzle as it was
    this.tell("changed");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), QUIET);
  }

  /** Put what was edited of the open problem into the whole. */
  note() {
    const state = this.state();
    const { current } = this.whole;
    current.state = state === this.known.get(current.of).first ? "" : state;
  }

  /** All that can be edited of the open problem, as a text. */
  state() {
    const rows = (cells) => [...cells.values()];
    const parts = this.parts.map(({ rgb: _, ...part }) => ({ ...part, cells: rows(part.cells) }));
    return JSON.stringify({ name: this.name, fields: this.fields, region: rows(this.region), parts });
  }

  /** Take so many changes back (`by` is negative), or make them again: where they were made. */
  step(by) {
    if (!this.history.can(by)) return undefined;
    return this.goTo(this.history.beyond(by), () => this.history.step(by));
  }

  /** Make the file what it was; a step that can be taken back, as any change. `then` is done before that is noted. */
  goTo(texts, then = () => {}) {
    const problem = this.whole.changed(texts);
    const to = () => {
      then();
      this.whole.take(texts);
      this.restore(this.whole.current.state || this.known.get(this.whole.current.of).first);
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

  /** Take this problem out of the file. */
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

  async editsOf(problem) {
    if (problem === this.whole.current) return this.edits();
    return (await this.other(problem)).edits();
  }

  /** A problem of the file that is not looked at, as a model of its own. */
  async other(problem) {
    const model = new Model();
    model.load(await this.dataOf(problem));
    if (problem.state) model.restore(problem.state);
    model.whole.comment = this.whole.comment;
    return model;
  }

  restore(state) {
    const { name, fields, region, parts } = JSON.parse(state);
    this.name = name;
    this.fields = fields ?? this.fields;
    this.region.clear(); // it stays the same map: views hold it
    for (const entry of region) this.region.set(keyOf(entry.cell), entry);
    this.parts = parts.map((part) => ({ ...completed(part, this.data?.parts[part.from]), cells: new Map(part.cells.map((entry) => [keyOf(entry.cell), entry])) }));
    paint(this);
  }

  /** What the server thinks of the puzzle as it is now, however soon after a change. */
  async judged() {
    while (this.stale) await this.check();
    return this.verdict;
  }

  async check() {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    clearTimeout(this.timer);
    let [verdict, told] = [null, {}];
    try {
      told = await api.open(this.subject());
      verdict = verdictOf(told);
    } catch (fault) {
      if (fault instanceof api.Away) api.server.whenBack(() => asked === this.asked && this.check());
      verdict = { ...this.verdict, faults: fault.complaints?.length ? fault.complaints : [fault.message], warnings: [], toml: "" };
    }
    if (asked !== this.asked) return;
    this.stale = false;
    this.verdict = verdict;
    if (this.isPuzzle && takeLooks(this, told)) this.tell("painted");
    this.tell("checked");
  }

  /** Another part: a copy of one, or a single cell. */
  add(part) {
    const added = this.added(part);
    this.changed();
    return added;
  }

  /** The same before anything is said of it: several are one step. */
  added(part) {
    const taken = new Set(this.parts.map((other) => other.name));
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => !taken.has(letter));
    const name = part?.fetched && !taken.has(part.name) ? part.name : part ? freeName(part.name, taken) : letters[0] ?? freeName("part", taken);
    const number = this.parts.length;
    const cell = [0, ...this.lattice.basis.map(() => 0)];
    this.parts.push({
      name,
      from: part?.from ?? null,
      letter: name[0],
      rgb: this.data.palette[number % this.data.palette.length],
      cells: part ? new Map([...part.cells].map(([key, entry]) => [key, { ...entry }])) : entries([cell], [0]),
      low: part?.low ?? 1,
      high: part ? part.high : 1,
      motions: part?.motions ?? this.lattice.motions,
      sides: [...(part?.sides ?? [])],
      display_colour: part?.display_colour ?? "",
      groups: (part?.groups ?? []).map((group) => [...group]),
      weight: part?.weight ?? 1,
    });
    return this.parts.at(-1);
  }

  remove(part) {
    this.parts.splice(this.parts.indexOf(part), 1);
    this.changed();
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

  tell(what) {
    this.dispatchEvent(new Event(what));
  }
}

/** A new puzzle on a lattice: a small box, and a part of one cell. */
export async function blank(lattice, dimension) {
  const probe = Array(dimension + 1).fill(0);
  const part = { name: "A", from: null, cells: [probe], low: 1, high: 1 };
  const edits = { name: "my puzzle", region: { cells: [probe] }, parts: [part] };
  const data = await api.open({ form: "new", lattice, edits });
  const far = data.lattice.basis.map(() => (dimension > 2 ? 1 : 3));
  const cells = cellsOfBox(data.lattice, far.map(() => 0), far);
  data.region.cells = cells;
  data.region.colours = cells.map(() => 0);
  data.region.optional = cells.map(([node]) => (data.lattice.nodes[node].secondary ? 1 : 0));
  data.parts[0].from = null;
  return { ...data, subject: { form: "new", lattice } };
}

function entries(cells, colours, optional = []) {
  return new Map(cells.map((cell, k) => [keyOf(cell), { cell, colour: colours[k] ?? 0, optional: Boolean(optional[k]) }]));
}

/** What the server says of a puzzle as it is now. */
function verdictOf({ faults, warnings, toml, title, own_title, source, expect, published }) {
  return { faults, warnings, toml, title, own_title, source, expect, published };
}

function freeName(name, taken) {
  for (let k = 2; ; k += 1) if (!taken.has(`${name} ${k}`)) return `${name} ${k}`;
}
