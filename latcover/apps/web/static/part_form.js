// The fields of a part besides its cells, for one part and for several at once.

import { BOUNDS } from "./bounds.js";
import { valuesOf, withPartNames } from "./fields.js";
import { button, Choice, freeWord, Inner, labelled, Line, list, Tick, Whole } from "./panels.js";
import { h, html, useState } from "./preact.js";
import { SidesField } from "./sides_field.js";

/** @import { EditorPart } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const MOTIONS = { fixed: "fixed", rotations: "rotations", reflections: "rotations and reflections" };
const [OWN, SPECIAL, MIXED] = ["own", "special", ""];

/** Change something of a part. @typedef {(changed: Partial<EditorPart>) => unknown} Change */

/** @param {Model} model @param {EditorPart[]} parts @returns {Change} */
export const changing = (model, parts) => (changed) => {
  for (const part of parts) Object.assign(part, changed);
  model.refresh();
};

/** The name of a part, edited where it stands. @param {{ model: Model, part: EditorPart }} shown */
export function NameOfPart({ model, part }) {
  /** @param {string} text */
  const rename = (text) => {
    const before = part.name;
    part.name = text.trim() || before;
    model.fields.rules = withPartNames(model.fields.rules, (other) => (other === before ? part.name : other));
    model.refresh();
  };
  return h(Line, { value: part.name, class: "inplace", maxlength: 200, "aria-label": "name of the part", set: rename });
}

/**
 * How often a part may be used; undefined where several parts differ.
 * @param {{ low?: number, high?: number | null, change: Change }} shown
 */
export const Numbers = ({ low, high, change }) => [
  h(Whole, {
    ...{ label: "at least", value: low, bounds: BOUNDS.part.low },
    placeholder: low === undefined ? "–" : "",
    set: (value) => change({ low: value ?? 0 }),
  }),
  h(Whole, {
    ...{ label: "at most", hint: "empty: any number", value: high, bounds: BOUNDS.part.high },
    placeholder: high === undefined ? "–" : "any",
    set: (value) => change({ high: value }),
  }),
];

/**
 * The allowed motions: a keyword, or a selection of the lattice's motions; "" where several parts differ.
 * @param {{ model: Model, motions: string | string[], change: Change }} shown
 */
export function Motions({ model, motions, change }) {
  const { generators } = model.lattice;
  const [isChoosing, ask] = useState(false); // which motions, while none is chosen
  const own = Array.isArray(motions) ? motions : [];
  const word = own.length || isChoosing ? OWN : String(motions);
  const options = [
    ...(word === MIXED ? [[MIXED, "–"]] : []),
    ...Object.entries(MOTIONS),
    ...(generators.length ? [[OWN, "selected motions …"]] : []),
    ...(word === SPECIAL ? [[SPECIAL, "as in the file"]] : []),
  ];
  /** @param {string} chosen */
  const choose = (chosen) => {
    ask(chosen === OWN);
    if (chosen && chosen !== OWN) change({ motions: chosen });
  };
  /** @param {string} name @param {boolean} on */
  const put = (name, on) => {
    const all = generators.filter((other) => (other === name ? on : own.includes(other)));
    change({ motions: all.length ? all : "fixed" });
  };
  return html`<span class="group">
    ${h(Choice, { label: "allowed motions", value: word, choose, options })}
    <span class="ticks">
      ${
        word === OWN &&
        generators.map((name) => h(Tick, { label: name, on: own.includes(name), set: (on) => put(name, on) }))
      }
    </span>
  </span>`;
}

/**
 * The colour in which parts are shown: their own, or the palette's.
 * @param {{ model: Model, parts: EditorPart[] }} shown
 */
function Look({ model, parts }) {
  const [{ rgb, display_colour: colour }] = parts;
  /** @param {string} text */
  const set = (text) => {
    for (const part of parts) {
      part.display_colour = text;
      if (/^#[0-9a-f]{6}$/i.test(text)) model.looks.set(`part ${part.name}`, (part.rgb = text));
    }
    model.refresh();
  };
  return labelled(
    "shown in",
    html`<span class="pair">
      ${h(Line, { type: "color", value: rgb, set })}
      ${
        parts.length === 1 &&
        h(Line, {
          ...{ size: 9, maxlength: 40, placeholder: "palette", "aria-label": "name of the colour" },
          value: colour,
          set: (text) => set(text.trim()),
        })
      }
      ${(parts.length > 1 || colour) && button("Palette", () => set(""))}
    </span>`,
  );
}

/** What is rarely changed of a part: its motions, its colour, its sides and groups. @param {{ model: Model, part: EditorPart }} shown */
export function MoreOfPart({ model, part }) {
  const change = changing(model, [part]);
  const { name, cells, sides, groups, weight } = part;
  const names = groups.map(([group]) => group);
  const belonging = () =>
    html`<p class="hint">
        Parts of the same group need not come apart from each other. When two groups of pieces separate, the one with
        the heaviest piece stays in place.
      </p>
      ${list({
        items: groups,
        row: ([group, most], k) => [
          h(Line, {
            ...{ label: "group", value: group, size: 9, maxlength: 200 },
            set: (text) => change({ groups: groups.with(k, [text.trim() || group, most]) }),
          }),
          h(Whole, {
            ...{ label: "copies that may stay together", value: most, bounds: BOUNDS.part.high, placeholder: "all" },
            set: (copies) => change({ groups: groups.with(k, [group, copies]) }),
          }),
        ],
        remove: (k) => change({ groups: groups.toSpliced(k, 1) }),
        words: "Add a group",
        add: () => change({ groups: [...groups, [freeWord("group ", names), null]] }),
        more: h(Whole, {
          ...{ label: "weight", value: weight, bounds: BOUNDS.part.weight },
          set: (value) => change({ weight: value ?? 0 }),
        }),
      })}`;
  return html`${h(Motions, { model, motions: part.motions, change })} ${h(Look, { model, parts: [part] })}
  ${
    valuesOf(model.fields).length > 0 &&
    h(Inner, {
      title: "Values, keys and locks on its sides",
      open: sides.length > 0,
      content: () => h(SidesField, { model, name, cells, sides, set: (rows) => change({ sides: rows }) }),
    })
  }
  ${h(Inner, {
    title: "Groups and weight for disassembly",
    open: groups.length > 0 || weight !== 1,
    content: belonging,
  })}`;
}

/** The fields of several parts. Where they differ, nothing is shown. @param {{ model: Model, parts: EditorPart[] }} shown */
export function FieldsOfParts({ model, parts }) {
  const change = changing(model, parts);
  /** @template Value @param {(part: EditorPart) => Value} read @returns {Value | undefined} */
  const common = (read) => {
    const [first, ...rest] = parts.map(read);
    return rest.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : undefined;
  };
  const groups = common((part) => part.groups.map(([name]) => name));
  return html`<div class="row">
      ${h(Numbers, { low: common(({ low }) => low), high: common(({ high }) => high), change })}
      ${h(Line, {
        ...{ label: "group", value: groups?.join(", ") ?? "", size: 9, maxlength: 200 },
        placeholder: groups ? "none" : "–",
        set: (text) => change({ groups: text.trim() ? [[text.trim(), null]] : [] }),
      })}
      ${h(Look, { model, parts })}
    </div>
    <div class="row">${h(Motions, { model, motions: common(({ motions }) => motions) ?? MIXED, change })}</div>`;
}
