// The puzzle that this page works on: what the server said of it, and what was changed since.

import * as api from "./api.js";
import { cellsOfBox, keyOf } from "./geometry.js";
import { History } from "./history.js";

const QUIET = 350; // milliseconds without a change before the server is asked what it thinks

export class Model extends EventTarget {
  /** Take over what the server said of a subject. */
  load(data, keep = false) {
    this.data = data;
    this.base = data.subject;
    this.keep = this.dirty = keep;
    this.colours = data.colours ?? [];
    this.verdict = verdictOf(data);
    if (data.kind === "puzzle") {
      this.name = data.name;
      this.region = entries(data.region.cells, data.region.colours, data.region.optional);
      this.parts = data.parts.map((part) => ({ ...part, cells: entries(part.cells, part.colours) }));
      this.history = new History(this.state());
    }
    this.tell("loaded");
  }

  /** Take over what `ask` promises; of several at once the last one counts. Says whether it did. */
  async take(ask, keep = false) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.tell("loading");
    try {
      const data = await ask();
      if (turn === this.turn) this.load(data, keep);
      return turn === this.turn;
    } finally {
      if (turn === this.turn) this.tell("settled");
    }
  }

  /** A new puzzle on a lattice: a small box, and a part of one cell. */
  async openNew(lattice, dimension) {
    if (await this.take(() => blank(lattice, dimension), true)) this.changed();
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
      region: {
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
      })),
    };
  }

  /** Something was edited: say so, and ask the server what it thinks when things are quiet. */
  changed() {
    this.history.add(this.state());
    this.dirty = this.keep || !this.history.isFirst();
    this.tell("changed");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), QUIET);
  }

  /** All that can be edited, as a text. */
  state() {
    const rows = (cells) => [...cells.values()];
    const parts = this.parts.map((part) => ({ ...part, cells: rows(part.cells) }));
    return JSON.stringify({ name: this.name, region: rows(this.region), parts });
  }

  /** Take so many changes back (`by` is negative), or make them again. */
  step(by) {
    if (!this.history.can(by)) return;
    const { name, region, parts } = JSON.parse(this.history.step(by));
    this.name = name;
    this.region.clear(); // it stays the same map: views hold it
    for (const entry of region) this.region.set(keyOf(entry.cell), entry);
    this.parts = parts.map((part) => ({ ...part, cells: new Map(part.cells.map((entry) => [keyOf(entry.cell), entry])) }));
    this.tell("restored");
    this.changed();
  }

  async check() {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    let verdict;
    try {
      verdict = verdictOf(await api.open(this.subject()));
    } catch (fault) {
      verdict = { faults: fault.complaints?.length ? fault.complaints : [fault.message], warnings: [], toml: "" };
    }
    if (asked !== this.asked) return;
    this.verdict = verdict;
    this.tell("checked");
  }

  /** Another part: a copy of one, or a single cell. */
  add(part) {
    const taken = new Set(this.parts.map((other) => other.name));
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => !taken.has(letter));
    const name = part ? freeName(part.name, taken) : letters[0] ?? freeName("part", taken);
    const number = this.parts.length;
    const cell = [0, ...this.lattice.basis.map(() => 0)];
    this.parts.push({
      name,
      from: part?.from ?? null,
      letter: name[0],
      rgb: this.data.palette[number % this.data.palette.length],
      cells: part ? new Map(part.cells) : entries([cell], [0]),
      low: part?.low ?? 1,
      high: part ? part.high : 1,
      motions: part?.motions ?? this.lattice.motions,
      sides: part?.sides ?? 0,
    });
    this.changed();
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

async function blank(lattice, dimension) {
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
function verdictOf({ faults, warnings, toml, title, source }) {
  return { faults, warnings, toml, title, source };
}

function freeName(name, taken) {
  for (let k = 2; ; k += 1) if (!taken.has(`${name} ${k}`)) return `${name} ${k}`;
}
