// Fields of the puzzle as a whole: title and source, known figures, and how its region wraps around.

import { BOUNDS } from "./bounds.js";
import { dom } from "./dom.js";
import { host } from "./host.js";
import { areIndependent, homeIn } from "./period.js";
import { field, whole } from "./elements.js";
import { Fold, tick } from "./fold.js";

/** @import { Published } from "./server_types.js" */
/** @import { Model } from "./model.js" */
/** @import { Period } from "./web_types.js" */

const FIGURES = [
  ["different", "different solutions"],
  ["different_under_rotations", "different under rotations"],
  ["total", "solutions in all"],
  ["assemblable", "come apart"],
  ["symmetry", "symmetries"],
  ["orientations", "orientations"],
  ["orientations_that_fit", "orientations that fit"],
  ["placements", "placements"],
];
const WRONG = [
  ["figure", "figure"],
  ["value", "printed value"],
  ["source", "where"],
  ["reason", "why it is wrong"],
];

export class AboutPanel extends Fold {
  /** @param {Model} model */
  constructor(model) {
    super(model, "Title, source and known figures", "about");
  }

  said() {
    const count = this.known().different;
    return [count === undefined ? "" : `${count.toLocaleString("en-US")} different`];
  }

  known() {
    return this.model.fields.expect ?? this.model.verdict.expect ?? {};
  }

  content() {
    const { fields, verdict } = this.model;
    /** @param {"title" | "source"} key @param {string} text @param {string} now */
    const line = (key, text, now) => {
      const input = dom("input", { value: fields[key] ?? now ?? "", maxlength: 4000, class: "wide" });
      input.addEventListener("change", () => {
        fields[key] = input.value.trim();
        this.changed();
      });
      return field(text, input);
    };
    const known = this.known();
    /** @param {string} key @param {any} value */
    const set = (key, value) => this.set(key, value);
    const figures = FIGURES.map(([key, text]) =>
      field(
        text,
        whole(known[key], { min: 0 }, "", (value) => set(key, value)),
      ),
    );
    const level = dom("input", { value: (known.level ?? []).join(" "), class: "short", placeholder: "5 2" });
    level.addEventListener("change", () => {
      const moves = level.value
        .split(/\D+/)
        .filter(Boolean)
        .map(Number)
        .filter((n) => n > 0);
      level.value = moves.join(" ");
      set("level", moves.length ? moves : null);
    });
    const note = dom("input", { value: known.note ?? "", class: "wide" });
    note.addEventListener("change", () => set("note", note.value.trim()));
    return [
      dom(
        "div",
        { class: "stack" },
        line("title", "title", verdict.own_title),
        line("source", "source", verdict.source),
      ),
      this.unfolded("Known figures", true, () => [
        dom(
          "p",
          { class: "hint" },
          "latcover check --all checks them; latcover info shows them. Figures from a file are dropped as soon as a change makes it a different puzzle, unless you enter them here.",
        ),
        dom("div", { class: "row" }, figures, field("level", level)),
        dom("div", { class: "stack" }, field("remark", note)),
        tick("counting takes long", known.long ?? false, (on) => set("long", on)),
      ]),
      this.published(),
    ];
  }

  /**
   * Set one known figure. The others may arrive only after the server has checked the last change.
   * @param {string} key @param {any} value
   */
  async set(key, value) {
    const { [key]: _, ...rest } = this.model.fields.expect ?? (await this.model.judged()).expect ?? {};
    this.model.fields.expect = value === null || value === "" || value === false ? rest : { ...rest, [key]: value };
    this.changed();
  }

  /** Errors in published figures. */
  published() {
    const { fields, verdict } = this.model;
    const rows = (fields.published ?? verdict.published ?? []).map((row) => ({ ...row }));
    /** @param {boolean} again */
    const write = (again) => {
      fields.published = rows.filter((row) => row.figure && row.source && row.reason);
      this.changed(again);
    };
    /** @param {Published} row */
    const one = (row) =>
      dom(
        "div",
        { class: "row" },
        WRONG.map(([key, text]) => {
          const input = dom("input", {
            value: /** @type {any} */ (row)[key] ?? "",
            type: key === "value" ? "number" : "text",
            min: 0,
            class: key === "value" ? "short" : null,
          });
          input.addEventListener("change", () => {
            /** @type {any} */ (row)[key] =
              key === "value" ? Math.max(0, Math.round(input.valueAsNumber) || 0) : input.value.trim();
            write(false);
          });
          return field(text, input);
        }),
        dom(
          "button",
          {
            type: "button",
            class: "danger",
            onclick: () => {
              rows.splice(rows.indexOf(row), 1);
              write(true);
            },
          },
          "Remove",
        ),
      );
    const list = dom("div", {}, rows.map(one));
    const add = dom(
      "button",
      {
        type: "button",
        onclick: () => {
          rows.push({ figure: "", value: 0, source: "", reason: "" });
          list.append(one(rows[rows.length - 1]));
          list.lastElementChild?.querySelector("input")?.focus();
        },
      },
      "Add a figure",
    );
    return this.unfolded("Errors in published figures", rows.length > 0, () => [list, add]);
  }
}

/** @param {number[][]} vectors */
const asText = (vectors) => vectors.map((vector) => vector.join(" ")).join(", ");

export class RegionPanel extends Fold {
  /** @param {Model} model */
  constructor(model) {
    super(model, host.knows.rules ? "Cylinder, torus, empty cells" : "Empty cells", "closing");
  }

  said() {
    const { period, maxEmpty } = this.model.fields;
    const skewed = Array.isArray(period[0]);
    const many = skewed ? 0 : period.filter(Boolean).length;
    const straight = ["", "closed along one axis", "closed along two axes", "closed along all axes"][many];
    const shape = skewed ? `closed along ${asText(period)}` : straight;
    return [[shape, maxEmpty === null ? "" : `at most ${maxEmpty} empty`].filter(Boolean).join(", ")];
  }

  content() {
    const { model } = this;
    const { fields } = model;
    const skewed = Array.isArray(fields.period[0]);
    const lengths = model.lattice.basis.map((_, axis) => (skewed ? 0 : fields.period[axis]));
    const axes = lengths.map((length, axis) => {
      const input = whole(length || null, BOUNDS.region.period, "open", (wanted) => {
        if (!wanted) input.value = "";
        if ((wanted ?? 0) !== length) this.close(lengths.map((other, k) => (k === axis ? (wanted ?? 0) : other)));
      });
      return field(`length of axis ${axis}`, input);
    });
    const own = () => [...model.region.values()].filter(({ cell }) => !model.lattice.nodes[cell[0]].secondary);
    const mark = (/** @type {boolean} */ optional) => {
      for (const entry of own()) entry.optional = optional;
      this.changed(true);
    };
    const most = whole(fields.maxEmpty, BOUNDS.region.max_empty, "all", (value) => {
      fields.maxEmpty = value;
      if (value && !own().some(({ optional }) => optional))
        mark(true); // so many are left over, whichever they are
      else this.changed();
    });
    const isAll = own().length > 0 && own().every(({ optional }) => optional);
    const all = tick("every cell may stay empty", isAll, mark);
    const empty = dom(
      "div",
      { class: "row" },
      field("empty cells, at most", most, "of those that may stay empty"),
      all,
    );
    if (!host.knows.rules) return [empty];
    return [
      dom(
        "p",
        { class: "hint" },
        "If an axis has a length, the region wraps around after that many steps. One such axis makes a cylinder, two make a torus.",
      ),
      dom("div", { class: "row" }, axes, field("or vectors", this.vectorsInput(), "such as 8 5, -5 8: a skewed torus")),
      empty,
    ];
  }

  /** A field for the vectors of a skewed cylinder or torus. */
  vectorsInput() {
    const { period } = this.model.fields;
    const dimension = this.model.lattice.basis.length;
    const input = dom("input", { value: Array.isArray(period[0]) ? asText(period) : "", placeholder: "none" });
    input.addEventListener("change", () => {
      const rows = input.value.split(",").map((row) => row.trim().split(/\s+/));
      const vectors = input.value.trim()
        ? rows.map((row) => row.map((word) => (/^[-−]?\d{1,4}$/.test(word) ? Number(word.replace("−", "-")) : NaN)))
        : [];
      const whole = vectors.every((vector) => vector.length === dimension && vector.every(Number.isInteger));
      const apart = whole && vectors.length <= dimension && areIndependent(vectors);
      input.setCustomValidity(
        apart ? "" : `give at most ${dimension} independent vectors of ${dimension} whole numbers`,
      );
      input.reportValidity();
      if (apart) this.close(vectors.length ? vectors : vectors.concat(this.model.lattice.basis.map(() => 0)));
    });
    return input;
  }

  /** Let the region close on itself in this way. Cells move to their homes. @param {Period} period */
  close(period) {
    const { model } = this;
    model.fields.period = period;
    const home = homeIn(period);
    const entries = [...model.region.values()];
    model.region.clear();
    for (const entry of entries) {
      const cell = home(entry.cell);
      model.region.set(cell.join(","), { ...entry, cell });
    }
    this.changed();
  }
}
