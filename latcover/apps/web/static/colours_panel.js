// The colours of cells: their names, which say how they look, and the rules about them.

import { paint, removeColour, renameColour, tidy } from "./fields.js";
import { Choice, Fold, freeWord, Inner, Line, list, Name, Pairs, swatch, Tick } from "./panels.js";
import { h, html, useState } from "./preact.js";
import { entry } from "./tables.js";

/** @import { FileTable } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const PLENTY = ["red", "blue", "yellow", "green", "black", "white", "orange", "violet"];

/** @param {{ model: Model }} shown */
export function Colours({ model }) {
  const { fields, colours } = model;
  const rest = colours.slice(1);
  /** @param {() => unknown} work */
  const change = (work) => {
    work();
    paint(model);
    model.refresh();
  };
  /** @param {number} k @param {string} name */
  const rename = (k, name) => change(() => renameColour(fields, k, name));
  const add = () =>
    fields.colours.push(PLENTY.find((name) => !fields.colours.includes(name)) ?? freeWord("colour ", fields.colours));
  return h(Fold, {
    id: "colours",
    title: "Colours",
    said: rest.length ? rest.slice(0, 8).map(({ name, rgb }) => swatch(rgb, name)) : "none",
    content: () =>
      html`<p class="hint">
          Cells of parts and of the region can have colours. A coloured cell of a part may cover cells of its colour and
          cells without one. The name of a colour sets how it looks: use a CSS colour name, or a code such as #5385d8.
        </p>
        ${list({
          items: rest,
          row: ({ name, rgb }, k) => [
            h(Line, {
              ...{ type: "color", "aria-label": `look of ${name}`, value: rgb },
              set: (code) => !fields.colours.includes(code) && rename(k + 1, code),
            }),
            h(Name, { label: "name of the colour", name, taken: fields.colours, set: (other) => rename(k + 1, other) }),
          ],
          named: ({ name }) => name,
          remove: (k) => change(() => removeColour(model, k + 1)),
          words: "Add a colour",
          add: () => change(add),
        })}
        ${rest.length > 0 && h(ColourRules, { model })}`,
  });
}

/** What colours may cover and touch, and which can be exchanged. @param {{ model: Model }} shown */
function ColourRules({ model }) {
  const { fields } = model;
  const { rules } = fields;
  const rows = fields.colours.slice(1);
  /** @param {FileTable} changed */
  const set = (changed) => {
    fields.rules = tidy({ ...rules, ...changed });
    model.refresh();
  };
  const look = (/** @type {string} */ name) => model.colours.find((colour) => colour.name === name)?.rgb ?? "";
  const label = (/** @type {string} */ a, /** @type {string} */ b) => `${a}, ${b}`;
  /** @param {string} own @param {string} cell */
  const stands = (own, cell) => entry(rules.stands_on ?? {}, own)?.includes(cell) ?? false;
  /** @param {string} own @param {string} cell @param {boolean} may */
  const stand = (own, cell, may) => {
    const table = rows.map((name) => [
      name,
      rows.filter((other) => (name === own && other === cell ? may : stands(name, other))),
    ]);
    set({ stands_on: Object.fromEntries(table.filter(([, cells]) => cells.length)) });
  };
  /** @type {string[][]} */
  const apart = (rules.apart ?? []).map((/** @type {string | string[]} */ pair) => [pair].flat());
  /** @param {string} a @param {string} b */
  const isOf =
    (a, b) =>
    (/** @type {string[]} */ [c, d = c]) =>
      (a === c && b === d) || (a === d && b === c);
  /** @param {string} a @param {string} b @param {boolean} on */
  const part = (a, b, on) => {
    const pairs = [...apart.filter((pair) => !isOf(a, b)(pair)), ...(on ? [[a, b]] : [])];
    set({ apart: pairs.map(([c, d = c]) => (c === d ? c : [c, d])) });
  };
  return html`<div class="tables">
      ${
        rows.length > 1 &&
        h(Pairs, {
          title: "A part of this colour may also cover",
          ...{ rows, look, label, has: (a, b) => a !== b, on: stands, set: stand },
        })
      }
      ${h(Pairs, {
        title: "Parts of these colours may not touch",
        ...{ rows, look, label, has: (a, b) => rows.indexOf(b) <= rows.indexOf(a), set: part },
        on: (a, b) => apart.some(isOf(a, b)),
      })}
    </div>
    ${h(Tick, {
      label: "not even at corners",
      on: rules.across === "corners",
      set: (on) => set({ across: on ? "corners" : undefined }),
    })}
    ${
      rows.length > 1 &&
      h(Inner, {
        title: "Interchangeable colours",
        open: Boolean(rules.exchangeable),
        content: () => h(Exchanges, { names: rows, sets: rules.exchangeable ?? [], set }),
      })
    }`;
}

/**
 * Which colours are interchangeable everywhere: those of the same set. A colour that is alone in one is kept only here.
 * @param {{ names: string[], sets: string[][], set: (changed: FileTable) => void }} shown
 */
function Exchanges({ names, sets, set }) {
  const [alone, keep] = useState(/** @type {Record<string, number>} */ ({}));
  const most = Math.floor(names.length / 2);
  const options = Array.from({ length: most }, (_, k) => [String(k), `set ${k + 1}`]);
  const at = (/** @type {string} */ name) => {
    const k = sets.findIndex((one) => one.includes(name));
    return k < 0 ? (entry(alone, name) ?? -1) : k;
  };
  /** @param {string} name @param {number} k */
  const put = (name, k) => {
    const wanted = names.map((other) => ({ other, k: other === name ? k : at(other) }));
    const all = options.map((_, own) => wanted.filter((one) => one.k === own).map(({ other }) => other));
    keep(Object.fromEntries(all.flatMap(([other, ...more], own) => (other && !more.length ? [[other, own]] : []))));
    set({ exchangeable: all.filter((one) => one.length > 1) });
  };
  return html`<p class="hint">Solutions that differ only by swapping colours of the same set count as the same.</p>
    <div class="row">
      ${names.map((name) =>
        h(Choice, {
          label: name,
          value: String(at(name)),
          choose: (k) => put(name, Number(k)),
          options: [["-1", "none"], ...options],
        }),
      )}
    </div>`;
}
