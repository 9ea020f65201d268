// The puzzle that this page works on: what the server said of it, and what was changed since.

import * as api from "./api.js";
import { completed, editsOfFields, editsOfPart, editsOfRegion, fieldsOf, paint, takeLooks } from "./fields.js";
import { cellsOfBox, keyOf } from "./geometry.js";
import { History } from "./history.js";

const QUIET = 350; // milliseconds without a change before the server is asked what it thinks

export class Model extends EventTarget {
  looks = new Map(); // of colours, parts, keys and locks, by name

  /** Take over what the server said of a subject, and the edits in `state`; `keep`: it is new, and known to nobody. */
  load(data, keep = false, state = null) {
    this.data = data;
    this.base = data.subject;
    this.keep = this.dirty = keep;
    this.history = null;
    this.stale = false;
    clearTimeout(this.timer);
    this.asked = (this.asked ?? 0) + 1; // what is still asked is of another puzzle
    this.colours = [];
    this.looks = new Map();
    this.verdict = verdictOf(data);
    if (data.kind === "puzzle") {
      this.name = data.name;
      this.region = entries(data.region.cells, data.region.colours, data.region.optional);
      this.parts = data.parts.map((part) => ({ ...part, cells: entries(part.cells, part.colours) }));
      this.fields = fieldsOf(data);
      takeLooks(this, data);
      this.history = new History(this.state());
      if (state) this.restore(state);
      this.dirty = this.stale = keep || this.edited;
    }
    this.tell("loaded");
    if (this.stale) this.check();
  }

  /** Take over what `ask` promises; of several at once the last one counts. Says whether it did. */
  async take(ask, keep = false, state = null) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.tell("loading");
    try {
      const data = await ask();
      if (turn === this.turn) this.load(data, keep, state);
      return turn === this.turn;
    } finally {
      if (turn === this.turn) this.tell("settled");
    }
  }

  /** Whether it is not as it was opened. */
  get edited() {
    return Boolean(this.history) && !this.history.isFirst();
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
      region: {
        ...editsOfRegion(this.fields),
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
    this.history.add(this.state());
    this.dirty = this.keep || this.edited;
    this.stale = true;
    this.tell("changed");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), QUIET);
  }

  /** All that can be edited, as a text. */
  state() {
    const rows = (cells) => [...cells.values()];
    const parts = this.parts.map(({ rgb: _, ...part }) => ({ ...part, cells: rows(part.cells) }));
    return JSON.stringify({ name: this.name, fields: this.fields, region: rows(this.region), parts });
  }

  /** Take so many changes back (`by` is negative), or make them again. */
  step(by) {
    if (!this.history.can(by)) return;
    this.restore(this.history.step(by));
    this.tell("restored");
    this.changed();
  }

  restore(state) {
    const { name, fields, region, parts } = JSON.parse(state);
    this.name = name;
    this.fields = fields ?? this.fields;
    this.region.clear(); // it stays the same map: views hold it
    for (const entry of region) this.region.set(keyOf(entry.cell), entry);
    this.parts = parts.map((part) => ({ ...completed(part, this.data?.parts[part.from]), cells: new Map(part.cells.map((entry) => [keyOf(entry.cell), entry])) }));
    paint(this);
    this.history.add(this.state());
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
