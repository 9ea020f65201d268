// A dialog that takes parts from shipped sets, from other puzzles of the same lattice, and from files.

import { dom, fill } from "./dom.js";
import { choice, counted, field, showFault } from "./elements.js";
import { Fault } from "./faults.js";
import { areMates, KINDS, setMates, takeLooks, valuesOf } from "./fields.js";
import { host as api } from "./host.js";
import { entry } from "./tables.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";
import { sideMarks } from "./sides_panel.js";

/** @import { EditorPart, Fields, FileTable } from "./web_types.js" */
/** @import { Catalogue, ListedProblem, PartData, PartsAnswer, ShippedSubject, SidesTable } from "./server_types.js" */
/** @import { Model } from "./model.js" */

export class Fetch {
  /** @type {Set<any>} */
  chosen;
  /** @type {HTMLInputElement[]} */
  boxes;
  /** @type {any} */
  found;
  /** @type {number} */
  scale;
  /** @type {HTMLSelectElement} */
  source;
  /** @type {HTMLInputElement} */
  upload;
  /** @type {HTMLDivElement} */
  fault;
  /** @type {HTMLSpanElement} */
  problems;
  /** @type {HTMLDivElement} */
  list;
  /** @type {HTMLInputElement} */
  all;
  /** @type {HTMLLabelElement} */
  allRow;
  /** @type {HTMLButtonElement} */
  adding;
  /** @type {HTMLDialogElement} */
  dialog;

  /**
   * `about` is what the server offers; `taken(parts)` is called with the parts that were added.
   *
   * @param {Model} model
   * @param {Catalogue} about
   * @param {(parts: EditorPart[]) => unknown} taken
   */
  constructor(model, about, taken) {
    this.model = model;
    this.about = about;
    this.taken = taken;
    this.opener = dom("button", { type: "button", onclick: () => this.open() }, "Add parts from …");
  }

  open() {
    const { name } = this.model.lattice;
    /** @param {any[]} list */
    const there = (list) => list.filter(({ lattice }) => lattice === name);
    const sets = there(this.about.sets).map((set) => [`set:${set.name}`, set.name]);
    const puzzles = there(this.about.puzzles).map((puzzle) => [`shipped:${puzzle.name}`, puzzle.name]);
    this.source = dom(
      "select",
      { onchange: () => this.source.value && this.load(() => this.ask(this.source.value)) },
      dom("option", { value: "" }, "choose …"),
      /** @type {[string, string[][]][]} */ ([
        ["part sets", sets],
        ["puzzles", puzzles],
      ])
        .filter(([, list]) => list.length)
        .map(([label, list]) =>
          dom(
            "optgroup",
            { label },
            list.map((/** @type {string[]} */ [value, text]) => dom("option", { value }, text)),
          ),
        ),
    );
    this.upload = dom("input", {
      type: "file",
      accept: this.about.suffixes.join(","),
      onchange: () => {
        const [file] = this.upload.files ?? [];
        if (file) this.load(() => this.read(file));
      },
    });
    this.fault = dom("div", { class: "faults", role: "alert", hidden: true });
    this.problems = dom("span", {});
    this.list = dom("div", { class: "offered" });
    this.all = dom("input", { type: "checkbox", onchange: () => this.choose(this.all.checked) });
    this.allRow = dom("label", { class: "tick", hidden: true }, this.all, "all");
    this.adding = dom("button", { type: "button", class: "main", disabled: true, onclick: () => this.add() }, "Add");
    this.dialog = dom(
      "dialog",
      { class: "fetch", "aria-label": "Add parts from sets, puzzles and files" },
      dom("h3", {}, "Add parts from …"),
      dom(
        "div",
        { class: "row" },
        field("shipped set or puzzle", this.source),
        field("your file", this.upload),
        this.problems,
      ),
      this.fault,
      this.allRow,
      this.list,
      dom(
        "div",
        { class: "row" },
        this.adding,
        dom("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel"),
      ),
    );
    this.dialog.addEventListener("close", () => this.dialog.remove());
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  /** @param {string} value */
  ask(value) {
    const [form, ...name] = value.split(":");
    return api.parts(/** @type {ShippedSubject} */ ({ form, name: name.join(":") }));
  }

  /**
   * The parts of a file: a part set or a puzzle in our format, or a puzzle in another format.
   *
   * @param {File} file
   * @param {string} [problem]
   */
  async read(file, problem) {
    if (!file.name.toLowerCase().endsWith(".toml")) {
      const data = await api.read([file], problem);
      this.offer(data.problems ?? [], data.name, (other) => this.load(() => this.read(file, other)));
      if (data.kind !== "puzzle") throw new Fault("this file holds a cover problem without parts");
      return data;
    }
    const text = await file.text();
    return api.parts({ form: "toml", text, file: file.name, ...(problem ? { problem } : {}) });
  }

  /**
   * Choose one of several puzzles in a file.
   *
   * @param {ListedProblem[]} problems
   * @param {string} name
   * @param {(name: string) => unknown} open
   */
  offer(problems, name, open) {
    fill(
      this.problems,
      problems.length
        ? field(
            "puzzle in this file",
            choice(
              problems.map((problem) => [problem.name]),
              name,
              open,
            ),
          )
        : [],
    );
  }

  /** @param {() => Promise<PartsAnswer>} ask */
  async load(ask) {
    showFault(this.fault, null);
    fill(this.problems);
    const turn = (this.turn = (this.turn ?? 0) + 1);
    /** @type {any} */
    let found = null;
    try {
      found = await ask();
      if (JSON.stringify(found.lattice.edges) !== JSON.stringify(this.model.lattice.edges)) {
        throw new Fault(
          `these parts are on the lattice ${found.lattice.name}, but this puzzle is on ${this.model.lattice.name}`,
        );
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
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
    this.told = { lattice, looks: new Map(/** @type {[string, any][]} */ (looks)) }; // their own looks, until they are added
    this.scale = thumbnailScale(
      lattice,
      parts.map((/** @type {PartData} */ part) => part.cells),
    );
    this.allRow.hidden = parts.length === 0;
    this.boxes = parts.map((/** @type {PartData} */ part) =>
      dom("input", {
        type: "checkbox",
        onchange: (event) => {
          this.chosen[event.target.checked ? "add" : "delete"](part);
          this.count();
        },
      }),
    );
    fill(
      this.list,
      parts.map((/** @type {PartData} */ part, /** @type {number} */ k) =>
        dom(
          "label",
          { class: "pick" },
          this.boxes[k],
          dom("span", { class: "mini" }, this.picture(part)),
          dom("span", {}, part.name),
        ),
      ),
    );
    this.count();
  }

  /** @param {PartData} part */
  picture(part) {
    const colours = this.found.colours;
    const tint = new Map(
      part.cells.map((cell, k) => [cell, part.colours[k] ? colours[part.colours[k]].rgb : part.rgb]),
    );
    const pictures = thumbnail(this.model.lattice, part.cells, (cell) => tint.get(cell), this.scale);
    if (!this.model.lattice.space)
      pictures[0].append(...sideMarks(/** @type {any} */ (this.told), /** @type {any} */ (part), part.cells));
    return pictures;
  }

  /** @param {boolean} all */
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
    const parts = this.found.parts.filter((/** @type {PartData} */ part) => this.chosen.has(part));
    this.dialog.close();
    this.taken(addParts(this.model, this.found, parts));
  }
}

/**
 * Add parts of another puzzle or set, with their colours, keys and locks by name.
 *
 * @param {Model} model
 * @param {PartsAnswer} found
 * @param {PartData[]} parts
 */
function addParts(model, found, parts) {
  const { fields } = model;
  const numbers = found.colours.map(({ name }) => {
    const used = parts.some((part) => part.colours.some((k) => k && found.colours[k].name === name));
    if (used && !fields.colours.includes(name)) fields.colours.push(name);
    return Math.max(0, fields.colours.indexOf(name));
  });
  const wanted = new Set(parts.flatMap((part) => part.sides.map(([, , name]) => name)));
  if (wanted.size) addValues(fields, /** @type {SidesTable} */ (found.sides).table, wanted);
  const known = valuesOf(fields);
  takeLooks(model, { colours: found.colours, sides: found.sides });
  return parts.map((part) =>
    model.added({
      ...part,
      from: null,
      fetched: true,
      cells: new Map(
        part.cells.map((cell, k) => [cell.join(","), { cell, colour: numbers[part.colours[k]], optional: false }]),
      ),
      motions: part.motions === "special" ? model.lattice.motions : part.motions,
      sides: part.sides.filter(([, , name]) => known.includes(name)),
    }),
  );
}

/**
 * Add the names of keys, locks and values that the parts bring along, and what fits them.
 *
 * @param {Fields} fields
 * @param {FileTable} other
 * @param {Set<string>} wanted
 */
function addValues(fields, other, wanted) {
  if (!fields.sides) return;
  const { sides } = fields;
  if (valuesOf(fields).length === 0) {
    for (const key of ["flat_meets", "may_look_out"])
      if (other[key])
        sides[key] = other[key].filter(
          (/** @type {string} */ word) => word === "flat" || KINDS.includes(word) || wanted.has(word),
        );
    if (other.locks_meet_locks) sides.locks_meet_locks = true;
  }
  const before = valuesOf(fields);
  const mate = [
    sides,
    { mates: Object.fromEntries(Object.entries(other.mates ?? {}).map(([name, others]) => [name, [others].flat()])) },
  ];
  const [own, theirs] = [sides.values ?? [], Object.values(other.values ?? {})];
  for (const kind of KINDS) {
    const added = Object.values(other[kind] ?? {}).filter((name) => wanted.has(name) && !before.includes(name));
    if (added.length) sides[kind] = [...(sides[kind] ?? []), ...added];
  }
  const kept = mate.map(
    (table, k) =>
      new Map(
        [own, theirs][k].map((/** @type {string} */ a) => [
          a,
          [own, theirs][k].filter((/** @type {string} */ b) => areMates(table, a, b)),
        ]),
      ),
  );
  if (sides.values) setMates(sides, (a, b) => kept.some((table) => table.get(a)?.includes(b)));
  const fits = (/** @type {string} */ key) => [sides, other].flatMap((table) => entry(table.fits ?? {}, key) ?? []);
  const rows = (sides.keys ?? []).map((/** @type {string} */ key) => [
    key,
    (sides.locks ?? []).filter((/** @type {string} */ lock) => fits(key).includes(lock)),
  ]);
  sides.fits = { ...sides.fits, ...Object.fromEntries(rows) };
}
