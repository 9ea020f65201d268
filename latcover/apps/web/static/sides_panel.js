// Values, keys and locks on sides: their names, what may meet what, and a picture of a part to put them on.

import { dom, fill, svg } from "./dom.js";
import { choice, field } from "./elements.js";
import { across, areMates, KINDS, lookOfSide, renameValue, setMates, valuesOf } from "./fields.js";
import { Fold, freeWord, nameField, pairTable, swatch, tick } from "./fold.js";
import { canvas, centre, keyOf, layersOf, shape, words } from "./geometry.js";
import { entry } from "./tables.js";

/** @import { Cell, EditorPart, Lattice, PictureBox } from "./web_types.js" */
/** @import { EdgeData } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const [NAMES, ONE] = [
  { values: "Values", keys: "Keys", locks: "Locks" },
  { values: "value", keys: "key", locks: "lock" },
];
const GROUPS = ["flat", ...KINDS];
/** @type {Record<string, string>} */
const THERE = { flat: "flat sides", keys: "keys", locks: "locks", values: "values" };

export class SidesPanel extends Fold {
  /** @param {Model} model */
  constructor(model) {
    super(model, "Sides: values that match, keys and locks", "sides");
  }

  said() {
    const values = valuesOf(this.model.fields);
    return values.length ? values.slice(0, 12).map((name) => swatch(lookOfSide(this.model, name), name)) : ["none"];
  }

  content() {
    const { fields } = this.model;
    if (!fields.sides)
      return [
        dom(
          "p",
          { class: "hint" },
          "No puzzle file can express how the sides of these parts meet, so they cannot be changed here.",
        ),
      ];
    const there = valuesOf(fields).length > 0;
    return [
      dom(
        "p",
        { class: "hint" },
        "A side of a part is flat, or has a value, a key or a lock. A value matches itself or the values that you choose; a key fits locks. Name them here, then put them on sides of a part under “Values, keys and locks on its sides”.",
      ),
      dom(
        "div",
        { class: "halves" },
        Object.keys(NAMES).map((kind) => this.list(kind)),
      ),
      ...(there ? this.meetings() : []),
    ];
  }

  /** @param {string} kind */
  list(kind) {
    const { model } = this;
    const { sides } = model.fields;
    const taken = () => ["flat", ...KINDS, ...valuesOf(model.fields)];
    const rows = (sides[kind] ?? []).map((/** @type {string} */ name) => {
      let now = name;
      const input = nameField(`name of the ${ONE[/** @type {keyof typeof ONE} */ (kind)]}`, name, taken, (wanted) => {
        renameValue(model, now, wanted);
        now = wanted;
        this.changed(true);
      });
      const remove = () => {
        renameValue(model, now, "");
        this.changed(true);
        /** @type {HTMLElement} */ (this.body.querySelector(`.${kind} > button`)).focus();
      };
      return dom(
        "div",
        { class: "row" },
        swatch(lookOfSide(model, name)),
        input,
        dom("button", { type: "button", class: "danger", "aria-label": `Remove ${name}`, onclick: remove }, "Remove"),
      );
    });
    const add = () => {
      const name = freeWord(ONE[/** @type {keyof typeof ONE} */ (kind)], taken());
      sides[kind] = [...(sides[kind] ?? []), name];
      if (kind === "keys") sides.fits = { ...sides.fits, [name]: [] };
      this.changed(true);
      /** @type {HTMLInputElement} */ (this.body.querySelector(`.${kind} .row:last-of-type input`)).select();
    };
    return dom(
      "div",
      { class: kind },
      dom("h4", {}, NAMES[/** @type {keyof typeof NAMES} */ (kind)]),
      rows,
      dom("button", { type: "button", onclick: add }, `Add a ${ONE[/** @type {keyof typeof ONE} */ (kind)]}`),
    );
  }

  /** What may meet what. */
  meetings() {
    const { model } = this;
    const { sides } = model.fields;
    const [keys, locks, values] = KINDS.map((kind) => sides[kind] ?? []);
    const usual = {
      flat_meets: values.length ? ["flat", "values"] : ["flat"],
      may_look_out: ["flat", "locks", "values"],
    }; // the defaults of the table
    /** @param {string} key */
    const said = (key) => sides[key] ?? usual[/** @type {keyof typeof usual} */ (key)];
    /** The names of a kind; none if the word is itself a name. @param {string} word */
    const named = (word) => (KINDS.includes(word) ? (sides[word] ?? []) : []);
    /** @param {string} key @param {string} word */
    const member = (key, word) =>
      said(key).includes(word) ||
      (named(word).length > 0 && named(word).every((/** @type {string} */ name) => said(key).includes(name)));
    /** @param {string} key @param {string} word */
    const set = (key, word) => (/** @type {boolean} */ on) => {
      const singles = said(key).filter(
        (/** @type {string} */ name) => !GROUPS.includes(name) && name !== word && !named(word).includes(name),
      );
      sides[key] = [
        ...GROUPS.filter((other) => (other === word ? on : said(key).includes(other))),
        ...singles,
        ...(on && !GROUPS.includes(word) ? [word] : []),
      ];
      this.changed();
    };
    /** @param {string} key @param {string} lock @param {boolean} on */
    const fit = (key, lock, on) => {
      const before = entry(sides.fits, key) ?? [];
      const after = locks.filter((/** @type {string} */ other) => (other === lock ? on : before.includes(other)));
      sides.fits = { ...sides.fits, [key]: after };
      this.changed();
    };
    /** @param {string} a @param {string} b @param {boolean} on */
    const mate = (a, b, on) => {
      const kept = new Map(
        values.map((/** @type {string} */ one) => [
          one,
          values.filter((/** @type {string} */ other) => areMates(sides, one, other)),
        ]),
      );
      setMates(sides, (c, d) => ((a === c && b === d) || (a === d && b === c) ? on : kept.get(c).includes(d)));
      this.changed();
    };
    const kinds = KINDS.filter((kind) => sides[kind]?.length);
    /** @param {string} key */
    const singles = (key) =>
      said(key).filter(
        (/** @type {string} */ name) =>
          !GROUPS.includes(name) && !kinds.some((kind) => sides[kind].includes(name) && member(key, kind)),
      );
    /** @param {string} key @param {string[]} words */
    const ticks = (key, words) =>
      [...words, ...singles(key)].map((word) => tick(entry(THERE, word) ?? word, member(key, word), set(key, word)));
    const rims = [["", "anything"], ["flat", "flat sides"], ...valuesOf(model.fields).map((name) => [name])];
    const rim = choice(rims, sides.rim ?? "", (name) => {
      if (name) sides.rim = name;
      else delete sides.rim;
      this.changed();
    });
    return [
      dom(
        "div",
        { class: "tables" },
        values.length
          ? this.table(
              "Which values match",
              values,
              values,
              (a, b) => areMates(sides, a, b),
              mate,
              (a, b) => values.indexOf(b) <= values.indexOf(a),
            )
          : null,
        keys.length && locks.length
          ? this.table(
              "Which key fits which lock",
              keys,
              locks,
              (key, lock) => entry(sides.fits ?? {}, key)?.includes(lock) ?? false,
              fit,
            )
          : null,
      ),
      dom("fieldset", {}, dom("legend", {}, "A flat side may meet"), ticks("flat_meets", ["flat", ...kinds])),
      dom("fieldset", {}, dom("legend", {}, "The outside or an empty cell may meet"), ticks("may_look_out", kinds)),
      kinds.includes("locks")
        ? tick("two locks may meet", sides.locks_meet_locks ?? false, (on) => {
            sides.locks_meet_locks = on;
            this.changed();
          })
        : null,
      dom("div", { class: "row" }, field("all sides at the rim of the region have", rim)),
      this.unfolded("Single sides of the region that need a value", model.fields.asked.length > 0, () => [
        this.region(),
      ]),
    ];
  }

  /** The sides of the region, edited as if it were a part. */
  region() {
    const { model } = this;
    const region = {
      name: "the region",
      cells: model.region,
      get sides() {
        return model.fields.asked;
      },
      set sides(rows) {
        model.fields.asked = rows;
      },
    };
    return new SidesField(model, /** @type {EditorPart} */ (region), () => model.changed(), true).element;
  }

  /**
   * @param {string} title @param {string[]} rows @param {string[]} columns
   * @param {(a: string, b: string) => boolean} checked @param {(a: string, b: string, on: boolean) => unknown} onchange
   */
  table(title, rows, columns, checked, onchange, has = (/** @type {any} */ _a, /** @type {any} */ _b) => true) {
    /** @param {string} name */
    const look = (name) => lookOfSide(this.model, name);
    /** @param {string} a @param {string} b */
    const label = (a, b) => `${a} ${rows === columns ? "matches" : "fits"} ${b}`;
    return pairTable({ title, rows, columns, look, label, has, checked, onchange });
  }
}

/**
 * The drawing of a side, with its cell and its edge.
 *
 * @typedef {SVGPathElement & { side: [number[], number] }} DrawnSide
 */

/** The sides of a part: a click gives a side the value chosen above. `changed()` is called after each. `all`: also inner sides. */
export class SidesField {
  /** @type {any[]} */
  shapes;
  /** @param {Model} model @param {EditorPart} part @param {() => void} changed @param {boolean} [all] */
  constructor(model, part, changed, all = false) {
    this.model = model;
    this.part = part;
    this.changed = changed;
    this.all = all;
    this.value = valuesOf(model.fields)[0];
    this.picture = dom("div", { class: "grid" });
    this.choice = dom("div", { class: "row", role: "group", "aria-label": "What a click puts on a side" });
    this.element = dom("div", {}, this.choice, this.picture);
    this.draw();
  }

  drawChoice() {
    const name = `side of ${this.part.name}`;
    fill(
      this.choice,
      ["", ...valuesOf(this.model.fields)].map((value) =>
        dom(
          "label",
          { class: "radio" },
          dom("input", { type: "radio", name, checked: value === this.value, onchange: () => (this.value = value) }),
          dom("span", {}, value ? swatch(lookOfSide(this.model, value)) : null, value || "flat"),
        ),
      ),
    );
  }

  draw() {
    const { lattice } = this.model;
    this.drawChoice();
    const cells = [...this.part.cells.values()].map((entry) => entry.cell);
    const layers = layersOf(lattice, cells);
    this.shapes = [];
    fill(
      this.picture,
      layers.map(({ cells: members, box }, k) => {
        const picture = canvas(
          lattice,
          padded(box, lattice),
          (cells.length > 100 ? 30 : cells.length > 30 ? 38 : 46) * (lattice.space ? 1.4 : 1),
          { role: "group", "aria-label": `Sides of ${this.part.name}: arrows move, space sets` },
        );
        for (const cell of members) picture.append(shape(lattice, cell, { class: "still", fill: "var(--over)" }));
        for (const cell of members) picture.append(...this.sidesOf(cell));
        return dom(
          "figure",
          {},
          picture,
          layers.length > 1 ? dom("figcaption", {}, `layer ${k + 1} of ${layers.length}${k ? "" : " (bottom)"}`) : null,
        );
      }),
    );
    this.shapes[0]?.setAttribute("tabindex", "0");
    this.picture.onclick = ({ target }) =>
      /** @type {DrawnSide} */ (target).side && this.set(/** @type {DrawnSide} */ (target));
    this.picture.onkeydown = (event) => this.key(event);
  }

  /** @param {Cell} cell */
  sidesOf(cell) {
    const { lattice } = this.model;
    const outside = lattice.edges
      .map((edge, k) => /** @type {[EdgeData, number]} */ ([edge, k]))
      .filter(
        ([edge, k]) => edge.node === cell[0] && (this.all || !this.part.cells.has(keyOf(across(lattice, cell, k)))),
      );
    return outside.map(([edge, k]) => {
      const drawn = /** @type {DrawnSide} */ (
        svg(
          "path",
          { d: markOf(lattice, cell, edge, k), role: "button", tabindex: "-1", "vector-effect": "non-scaling-stroke" },
          svg("title", {}),
        )
      );
      drawn.side = [cell, k];
      this.shapes.push(drawn);
      this.show(drawn);
      return drawn;
    });
  }

  /** @param {[Cell, number]} how */
  valueAt([cell, edge]) {
    return this.part.sides.find(([other, k]) => k === edge && keyOf(other) === keyOf(cell))?.[2] ?? "";
  }

  /** @param {DrawnSide} drawn */
  show(drawn) {
    const [cell, edge] = drawn.side;
    const value = this.valueAt(drawn.side);
    const label = `side ${this.model.lattice.edges[edge].label} of ${words(this.model.lattice, cell)}: ${value || "flat"}`;
    drawn.setAttribute("class", `side ${value ? "in" : "out"}`);
    drawn.setAttribute("fill", value ? lookOfSide(this.model, value) : "transparent");
    drawn.setAttribute("aria-label", label);
    /** @type {Node} */ (drawn.firstChild).textContent = label;
  }

  /** @param {DrawnSide} drawn */
  set(drawn) {
    const [cell, edge] = drawn.side;
    const value = this.valueAt(drawn.side) === this.value ? "" : this.value;
    const rest = this.part.sides.filter(([other, k]) => k !== edge || keyOf(other) !== keyOf(cell));
    this.part.sides = value ? [...rest, [cell, edge, value]] : rest;
    this.show(drawn);
    this.changed();
  }

  /** @param {KeyboardEvent & { target: any }} event */
  key(event) {
    const at = this.shapes.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (at < 0 || !(step || event.key === " " || event.key === "Enter")) return;
    event.preventDefault();
    if (!step) {
      this.set(event.target);
      return;
    }
    const next = this.shapes[(at + step + this.shapes.length) % this.shapes.length];
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}

/**
 * Small areas that show the values at the sides of a part, for its picture in the list of parts.
 * @param {Model} model @param {EditorPart} part @param {Cell[]} members
 */
export function sideMarks(model, part, members) {
  const shown = new Set(members.map(keyOf));
  const { lattice } = model;
  const bearing = part.sides.map(([cell]) => keyOf(cell));
  /** @param {Cell} cell */
  const isTile = (cell) =>
    bearing.filter((key) => key === keyOf(cell)).length === lattice.edges.filter(({ node }) => node === cell[0]).length;
  return part.sides
    .filter(([cell]) => shown.has(keyOf(cell)))
    .map(([cell, k, value]) => {
      const edge = lattice.edges[k];
      const d = edge.ring && isTile(cell) ? wedge(centre(lattice, cell), edge.ring) : markOf(lattice, cell, edge, k);
      return svg("path", { d, fill: lookOfSide(model, value) });
    });
}

/** A triangle from a side to the middle of its cell, as on matching tiles. */
function wedge(/** @type {number[]} */ [x, y], /** @type {number[][]} */ ring) {
  const outer = [...ring].sort(([a, b], [c, d]) => Math.hypot(c, d) - Math.hypot(a, b)).slice(0, 2);
  return ringPath([[x, y], ...outer.map(([a, b]) => [x + a, y + b])]);
}

/** @param {PictureBox} box @param {Lattice} options */
const padded = (box, { size }) => ({
  x: box.x - 0.05 * size,
  y: box.y - 0.05 * size,
  width: box.width + 0.1 * size,
  height: box.height + 0.1 * size,
});
/** @param {number} value */
const digits = (value) => Math.round(value * 1e4) / 1e4;
/** @param {number[][]} points */
const ringPath = (points) => `M${points.map(([x, y]) => `${digits(x)} ${digits(-y)}`).join("L")}Z`;

/**
 * The outline that shows a side: the lattice's own; in 3D and for balls, a bar towards the neighbour, or a triangle up or down.
 * @param {Lattice} lattice @param {Cell} cell @param {EdgeData} edge @param {number} k
 */
function markOf(lattice, cell, edge, k) {
  const [x, y, z] = centre(lattice, cell);
  if (edge.ring) return ringPath(edge.ring.map(([a, b]) => [x + a, y + b]));
  const to = centre(lattice, across(lattice, cell, k));
  const [dx, dy, dz] = [to[0] - x, to[1] - y, to[2] - z];
  const flat = Math.hypot(dx, dy);
  const { size } = lattice;
  if (flat < 0.05 * size) {
    const way = Math.sign(dz);
    /** @param {any} a @param {any} b */
    const at = (a, b) => [x + a * size, y + (0.15 * way + b * way) * size];
    return ringPath([at(-0.11, -0.08), at(0.11, -0.08), at(0, 0.1)]);
  }
  const [u, v] = [dx / flat, dy / flat];
  const aside = Math.abs(dz) > 0.05 * size ? 0.13 * Math.sign(dz) : 0; // separates two sides, one above the other
  const half = aside ? 0.1 : 0.2;
  /** @param {any} ahead @param {any} beside */
  const at = (ahead, beside) => [x + (u * ahead - v * beside) * size, y + (v * ahead + u * beside) * size];
  return ringPath([at(0.3, aside - half), at(0.3, aside + half), at(0.43, aside + half), at(0.43, aside - half)]);
}
