// A dialog that takes parts from shipped sets, from other puzzles of the same lattice, and from files.

import * as api from "./api.js";
import { choice, counted, el, field, fill, showFault } from "./elements.js";
import { areMates, KINDS, setMates, takeLooks, valuesOf } from "./fields.js";
import { thumbnail, thumbnailScale } from "./grid.js";
import { sideMarks } from "./sides_panel.js";

export class Fetch {
  /** `about` is the server's catalogue; `taken(parts)` is called with the parts that were added. */
  constructor(model, about, taken) {
    Object.assign(this, { model, about, taken });
    this.opener = el("button", { type: "button", onclick: () => this.open() }, "Add parts from …");
  }

  open() {
    const { name } = this.model.lattice;
    const there = (list) => list.filter(({ lattice }) => lattice === name);
    const sets = there(this.about.sets).map((set) => [`set:${set.name}`, set.name]);
    const puzzles = there(this.about.puzzles).map((puzzle) => [`shipped:${puzzle.name}`, puzzle.name]);
    this.source = el("select", { onchange: () => this.source.value && this.load(() => this.ask(this.source.value)) }, el("option", { value: "" }, "choose …"),
      [["part sets", sets], ["puzzles", puzzles]].filter(([, list]) => list.length).map(([label, list]) => el("optgroup", { label }, list.map(([value, text]) => el("option", { value }, text)))));
    this.upload = el("input", { type: "file", accept: this.about.suffixes.join(","), onchange: () => {
      const [file] = this.upload.files;
      if (file) this.load(() => this.read(file));
    } });
    this.fault = el("div", { class: "faults", role: "alert", hidden: true });
    this.problems = el("span", {});
    this.list = el("div", { class: "offered" });
    this.all = el("input", { type: "checkbox", onchange: () => this.choose(this.all.checked) });
    this.allRow = el("label", { class: "tick", hidden: true }, this.all, "all");
    this.adding = el("button", { type: "button", class: "main", disabled: true, onclick: () => this.add() }, "Add");
    this.dialog = el("dialog", { class: "fetch", "aria-label": "Add parts from sets, puzzles and files" },
      el("h3", {}, "Add parts from …"),
      el("div", { class: "row" }, field("a shipped set or puzzle", this.source), field("a file of yours", this.upload), this.problems),
      this.fault, this.allRow, this.list,
      el("div", { class: "row" }, this.adding, el("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel")));
    this.dialog.addEventListener("close", () => this.dialog.remove());
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  ask(value) {
    const [form, ...name] = value.split(":");
    return api.parts({ form, name: name.join(":") });
  }

  /** Parts of a file: of a set or a puzzle of our own form, or of a puzzle of another form. */
  async read(file, problem) {
    if (!file.name.toLowerCase().endsWith(".toml")) {
      const data = await api.read(file, problem);
      this.offer(data.problems, data.name, (other) => this.load(() => this.read(file, other)));
      if (data.kind !== "puzzle") throw new api.Fault("this file holds a cover problem without parts");
      return data;
    }
    const text = await file.text();
    return api.parts({ form: "toml", text, file: file.name, ...(problem ? { problem } : {}) });
  }

  /** Where a file holds several puzzles: which. */
  offer(problems, name, open) {
    fill(this.problems, problems.length ? field("one of its puzzles", choice(problems.map((problem) => [problem.name]), name, open)) : []);
  }

  async load(ask) {
    showFault(this.fault, null);
    fill(this.problems);
    const turn = (this.turn = (this.turn ?? 0) + 1);
    let found = null;
    try {
      found = await ask();
      if (JSON.stringify(found.lattice.edges) !== JSON.stringify(this.model.lattice.edges)) {
        throw new api.Fault(`these parts lie on the lattice ${found.lattice.name}; this puzzle lies on ${this.model.lattice.name}`);
      }
    } catch (fault) {
      if (!(fault instanceof api.Fault)) throw fault;
      found = null;
      if (turn === this.turn) showFault(this.fault, fault);
    }
    if (turn !== this.turn) return;
    this.found = found;
    this.chosen = new Set();
    this.draw();
  }

  draw() {
    const { lattice } = this.model;
    const parts = this.found?.parts ?? [];
    const looks = Object.entries(this.found?.sides?.looks ?? {}).map(([name, rgb]) => [`side ${name}`, rgb]);
    this.told = { lattice, looks: new Map(looks) }; // their own, as long as they are not taken
    this.scale = thumbnailScale(lattice, parts.map((part) => part.cells));
    this.allRow.hidden = parts.length === 0;
    this.boxes = parts.map((part) => el("input", { type: "checkbox", onchange: (event) => {
      this.chosen[event.target.checked ? "add" : "delete"](part);
      this.count();
    } }));
    fill(this.list, parts.map((part, k) => el("label", { class: "pick" }, this.boxes[k], el("span", { class: "mini" }, this.picture(part)), el("span", {}, part.name))));
    this.count();
  }

  picture(part) {
    const colours = this.found.colours;
    const tint = new Map(part.cells.map((cell, k) => [cell, part.colours[k] ? colours[part.colours[k]].rgb : part.rgb]));
    const pictures = thumbnail(this.model.lattice, part.cells, (cell) => tint.get(cell), this.scale);
    if (!this.model.lattice.space) pictures[0].append(...sideMarks(this.told, part, part.cells));
    return pictures;
  }

  choose(all) {
    this.chosen = new Set(all ? this.found.parts : []);
    for (const box of this.boxes) box.checked = all;
    this.count();
  }

  count() {
    const n = this.chosen.size;
    this.adding.disabled = n === 0;
    this.adding.textContent = n ? `Add ${counted(n, "part")}` : "Add";
    this.all.checked = n > 0 && n === this.found?.parts.length;
    this.all.indeterminate = n > 0 && !this.all.checked;
  }

  add() {
    const parts = this.found.parts.filter((part) => this.chosen.has(part));
    this.dialog.close();
    this.taken(addParts(this.model, this.found, parts));
  }
}

/** Add parts of another puzzle or set, with their colours, keys and locks by name. */
function addParts(model, found, parts) {
  const { fields } = model;
  const numbers = found.colours.map(({ name }) => {
    const used = parts.some((part) => part.colours.some((k) => k && found.colours[k].name === name));
    if (used && !fields.colours.includes(name)) fields.colours.push(name);
    return Math.max(0, fields.colours.indexOf(name));
  });
  const wanted = new Set(parts.flatMap((part) => part.sides.map(([, , name]) => name)));
  if (wanted.size) addValues(fields, found.sides, wanted);
  const known = valuesOf(fields);
  takeLooks(model, { colours: found.colours, sides: found.sides });
  return parts.map((part) => model.added({
    ...part,
    from: null,
    fetched: true,
    cells: new Map(part.cells.map((cell, k) => [cell.join(","), { cell, colour: numbers[part.colours[k]], optional: false }])),
    motions: part.motions === "special" ? model.lattice.motions : part.motions,
    sides: part.sides.filter(([, , name]) => known.includes(name)),
  }));
}

/** Name the keys, locks and values that parts bring along, and what fits them. */
function addValues(fields, other, wanted) {
  if (!fields.sides) return;
  const { sides } = fields;
  if (valuesOf(fields).length === 0) {
    for (const key of ["flat_meets", "may_look_out"]) if (other[key]) sides[key] = other[key].filter((word) => word === "flat" || KINDS.includes(word) || wanted.has(word));
    if (other.locks_meet_locks) sides.locks_meet_locks = true;
  }
  const before = valuesOf(fields);
  const mate = [sides, { mates: Object.fromEntries(Object.entries(other.mates ?? {}).map(([name, others]) => [name, [others].flat()])) }];
  const [own, theirs] = [sides.values ?? [], Object.values(other.values ?? {})];
  for (const kind of KINDS) {
    const added = Object.values(other[kind] ?? {}).filter((name) => wanted.has(name) && !before.includes(name));
    if (added.length) sides[kind] = [...(sides[kind] ?? []), ...added];
  }
  const kept = mate.map((table, k) => new Map([own, theirs][k].map((a) => [a, [own, theirs][k].filter((b) => areMates(table, a, b))])));
  if (sides.values) setMates(sides, (a, b) => kept.some((table) => table.get(a)?.includes(b)));
  sides.fits = { ...sides.fits };
  for (const key of sides.keys ?? []) {
    const locks = [...(sides.fits[key] ?? []), ...(other.fits?.[key] ?? [])];
    sides.fits[key] = (sides.locks ?? []).filter((lock) => locks.includes(lock));
  }
}
