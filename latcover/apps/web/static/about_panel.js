// Fields of the puzzle as a whole: title and source, known figures, and how its region wraps around.

import { BOUNDS } from "./bounds.js";
import { host } from "./host.js";
import { Fold, Inner, Line, list, Tick, Whole } from "./panels.js";
import { areIndependent, homeIn, lengthsOf } from "./period.js";
import { h, html, useState } from "./preact.js";

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
/** @type {[keyof Published, string][]} */
const WRONG = [
  ["figure", "figure"],
  ["value", "printed value"],
  ["source", "where"],
  ["reason", "why it is wrong"],
];

/** @param {{ model: Model }} shown */
export function About({ model }) {
  const { fields, verdict } = model;
  const known = fields.expect ?? verdict.expect ?? {};
  /** Set one known figure. The others may arrive only after the server has checked the last change. @param {string} key @param {any} value */
  const set = async (key, value) => {
    const { [key]: _, ...rest } = fields.expect ?? (await model.judged()).expect ?? {};
    fields.expect = value === null || value === "" || value === false ? rest : { ...rest, [key]: value };
    model.refresh();
  };
  /** @param {"title" | "source"} key @param {string} now */
  const line = (key, now) => {
    const put = (/** @type {string} */ text) => {
      fields[key] = text.trim();
      model.refresh();
    };
    return h(Line, { label: key, value: fields[key] ?? now ?? "", maxlength: 4000, class: "wide", set: put });
  };
  /** @param {string} text */
  const moves = (text) => text.split(/\D+/).map(Number).filter(Boolean);
  const figures = () =>
    html`<p class="hint">
        latcover check --all checks them; latcover info shows them. Figures from a file are dropped as soon as a change
        makes it a different puzzle, unless you enter them here.
      </p>
      <div class="row">
        ${FIGURES.map(([key, label]) => h(Whole, { label, value: known[key], bounds: { min: 0 }, set: (n) => set(key, n) }))}
        ${h(Line, {
          ...{ label: "level", class: "short", placeholder: "5 2", value: (known.level ?? []).join(" ") },
          set: (text) => set("level", moves(text).length ? moves(text) : null),
        })}
      </div>
      <div class="stack">
        ${h(Line, { label: "remark", value: known.note ?? "", class: "wide", set: (text) => set("note", text.trim()) })}
      </div>
      ${h(Tick, { label: "counting takes long", on: known.long ?? false, set: (on) => set("long", on) })}`;
  return h(Fold, {
    id: "about",
    title: "Title, source and known figures",
    said: known.different === undefined ? "" : `${known.different.toLocaleString("en-US")} different`,
    content: () =>
      html`<div class="stack">${line("title", verdict.own_title)} ${line("source", verdict.source)}</div>
        ${h(Inner, { title: "Known figures", open: true, content: figures })} ${h(Misprints, { model })}`,
  });
}

/** Errors in published figures; those that are begun are kept here until they are whole. @param {{ model: Model }} shown */
function Misprints({ model }) {
  const { fields, verdict } = model;
  const stored = fields.published ?? verdict.published ?? [];
  const [begun, begin] = useState(/** @type {Published[]} */ ([]));
  const rows = [...stored, ...begun];
  /** @param {Published[]} all */
  const write = (all) => {
    const isWhole = (/** @type {Published} */ row) => Boolean(row.figure && row.source && row.reason);
    begin(all.filter((row) => !isWhole(row)));
    fields.published = all.filter(isWhole);
    model.refresh();
  };
  /** @param {Published} row @param {number} k */
  const one = (row, k) =>
    WRONG.map(([key, label]) => {
      const isNumber = key === "value";
      /** @param {string} text */
      const set = (text) =>
        write(rows.with(k, { ...row, [key]: isNumber ? Math.max(0, Math.round(Number(text))) : text.trim() }));
      const kind = isNumber ? { type: "number", min: 0, class: "short" } : {};
      return h(Line, { label, ...kind, value: `${row[key]}`, set });
    });
  return h(Inner, {
    title: "Errors in published figures",
    open: rows.length > 0,
    content: () =>
      list({
        items: rows,
        row: one,
        remove: (k) => write(rows.toSpliced(k, 1)),
        words: "Add a figure",
        add: () => begin([...begun, { figure: "", value: 0, source: "", reason: "" }]),
      }),
  });
}

/** @param {number[][]} vectors */
const asText = (vectors) => vectors.map((vector) => vector.join(" ")).join(", ");

/** How the region closes on itself, and what of it may stay empty. @param {{ model: Model }} shown */
export function Closing({ model }) {
  const { fields, lattice } = model;
  const lengths = lengthsOf(fields.period);
  const vectors = lengths ? "" : asText(/** @type {number[][]} */ (fields.period));
  const straight = ["", "closed along one axis", "closed along two axes", "closed along all axes"];
  const shape = lengths ? straight[lengths.filter(Boolean).length] : `closed along ${vectors}`;
  const most = fields.maxEmpty === null ? "" : `at most ${fields.maxEmpty} empty`;
  const own = () => [...model.region.values()].filter(({ cell }) => !lattice.nodes[cell[0]].secondary);
  const mark = (/** @type {boolean} */ optional) => {
    for (const entry of own()) entry.optional = optional;
    model.refresh();
  };
  /** @param {number | null} many */
  const leave = (many) => {
    fields.maxEmpty = many;
    if (many && !own().some(({ optional }) => optional))
      mark(true); // so many are left over, whichever they are
    else model.refresh();
  };
  /** Let the region close on itself in this way. Cells move to their homes. @param {Period} period */
  const close = (period) => {
    fields.period = period;
    const home = homeIn(period);
    const entries = [...model.region.values()];
    model.region.clear();
    for (const entry of entries) {
      const cell = home(entry.cell);
      model.region.set(cell.join(","), { ...entry, cell });
    }
    model.refresh();
  };
  const { period, max_empty } = BOUNDS.region;
  const axes = lattice.basis.length;
  const open = lattice.basis.map(() => 0);
  const closing = () =>
    html`<p class="hint">
        If an axis has a length, the region wraps around after that many steps. One such axis makes a cylinder, two make
        a torus.
      </p>
      <div class="row">
        ${open.map((_, axis) =>
          h(Whole, {
            ...{ label: `length of axis ${axis}`, value: lengths?.[axis] || null, bounds: period, placeholder: "open" },
            set: (wanted) => close((lengths ?? open).with(axis, wanted ?? 0)),
          }),
        )}
        ${h(Line, {
          ...{ label: "or vectors", hint: "such as 8 5, -5 8: a skewed torus", placeholder: "none", value: vectors },
          wrong: (text) =>
            vectorsIn(text, axes) ? "" : `give at most ${axes} independent vectors of ${axes} whole numbers`,
          set: (text) => close(text.trim() ? (vectorsIn(text, axes) ?? open) : open),
        })}
      </div>`;
  return h(Fold, {
    id: "closing",
    title: host.knows.rules ? "Cylinder, torus, empty cells" : "Empty cells",
    said: [shape, most].filter(Boolean).join(", "),
    content: () =>
      html`${host.knows.rules && closing()}
        <div class="row">
          ${h(Whole, {
            ...{ label: "empty cells, at most", hint: "of those that may stay empty", placeholder: "all" },
            ...{ value: fields.maxEmpty, bounds: max_empty, set: leave },
          })}
          ${h(Tick, {
            label: "every cell may stay empty",
            on: own().length > 0 && own().every(({ optional }) => optional),
            set: mark,
          })}
        </div>`,
  });
}

/** The vectors in a text, such as "8 5, -5 8"; null if they are not good for so many axes. @param {string} text @param {number} axes */
function vectorsIn(text, axes) {
  const rows = text.trim() ? text.split(",").map((row) => row.trim().split(/\s+/)) : [];
  const vectors = rows.map((row) =>
    row.map((word) => (/^[-−]?\d{1,4}$/.test(word) ? Number(word.replace("−", "-")) : NaN)),
  );
  const isWhole = vectors.every((vector) => vector.length === axes && vector.every(Number.isInteger));
  return isWhole && vectors.length <= axes && areIndependent(vectors) ? vectors : null;
}
