// Values, keys and locks on sides: their names, and what may meet what.

import { areMates, KINDS, lookOfSide, renameValue, setMates, valuesOf } from "./fields.js";
import { Choice, Fold, freeWord, Inner, list, Name, Pairs, swatch, Tick } from "./panels.js";
import { h, html } from "./preact.js";
import { SidesField } from "./sides_field.js";
import { entry } from "./tables.js";

/** @import { SideRules } from "./web_types.js" */
/** @import { Model } from "./model.js" */

/** The words for what a side has. @type {Record<string, [heading: string, one: string, many: string]>} */
const WORDS = {
  values: ["Values", "value", "values"],
  keys: ["Keys", "key", "keys"],
  locks: ["Locks", "lock", "locks"],
  flat: ["", "", "flat sides"],
};
const GROUPS = ["flat", ...KINDS];

/** @param {{ model: Model }} shown */
export function Sides({ model }) {
  const { sides } = model.fields;
  const values = valuesOf(model.fields);
  const content = () =>
    html`<p class="hint">
        A side of a part is flat, or has a value, a key or a lock. A value matches itself or the values that you choose;
        a key fits locks. Name them here, then put them on sides of a part under “Values, keys and locks on its sides”.
      </p>
      <div class="halves">
        ${/** @type {const} */ (["values", "keys", "locks"]).map((kind) => h(Named, { model, kind }))}
      </div>
      ${values.length > 0 && h(Meetings, { model })}`;
  return h(Fold, {
    id: "sides",
    title: "Sides: values that match, keys and locks",
    said: values.length ? values.slice(0, 12).map((name) => swatch(lookOfSide(model, name), name)) : "none",
    content: sides
      ? content
      : () =>
          html`<p class="hint">
            No puzzle file can express how the sides of these parts meet, so they cannot be changed here.
          </p>`,
  });
}

/** The names of one kind. @param {{ model: Model, kind: "values" | "keys" | "locks" }} shown */
function Named({ model, kind }) {
  const sides = /** @type {SideRules} */ (model.fields.sides);
  const taken = [...GROUPS, ...valuesOf(model.fields)];
  const [heading, one] = WORDS[kind];
  const names = sides[kind] ?? [];
  /** @param {string} before @param {string} name */
  const rename = (before, name) => {
    renameValue(model, before, name);
    model.refresh();
  };
  const add = () => {
    const name = freeWord(one, taken);
    sides[kind] = [...names, name];
    if (kind === "keys") sides.fits = { ...sides.fits, [name]: [] };
    model.refresh();
  };
  return html`<div>
    <h4>${heading}</h4>
    ${list({
      items: names,
      row: (name) => [
        swatch(lookOfSide(model, name)),
        h(Name, { label: `name of the ${one}`, name, taken, set: (other) => rename(name, other) }),
      ],
      named: (name) => name,
      remove: (k) => rename(names[k], ""),
      words: `Add a ${one}`,
      add,
    })}
  </div>`;
}

/** What may meet what. @param {{ model: Model }} shown */
function Meetings({ model }) {
  const { fields } = model;
  const sides = /** @type {SideRules} */ (fields.sides);
  const { keys = [], locks = [], values = [], fits = {} } = sides;
  const kinds = KINDS.filter((kind) => sides[kind]?.length);
  const look = (/** @type {string} */ name) => lookOfSide(model, name);
  /** @param {Partial<SideRules>} changed */
  const set = (changed) => {
    Object.assign(sides, changed);
    model.refresh();
  };
  /** @param {string} key @param {string} lock @param {boolean} on */
  const fit = (key, lock, on) => {
    const before = entry(fits, key) ?? [];
    set({ fits: { ...fits, [key]: locks.filter((other) => (other === lock ? on : before.includes(other))) } });
  };
  /** @param {string} a @param {string} b @param {boolean} on */
  const mate = (a, b, on) => {
    const isOne = (/** @type {string} */ c, /** @type {string} */ d) => (a === c && b === d) || (a === d && b === c);
    setMates(sides, (c, d) => (isOne(c, d) ? on : areMates(sides, c, d)));
    model.refresh();
  };
  /** @param {string} title @param {"flat_meets" | "may_look_out"} key @param {string[]} usual what the table says by default @param {string[]} words */
  const ticks = (title, key, usual, words) => {
    const said = sides[key] ?? usual;
    /** The names of a kind; none if the word is itself a name. @param {string} word */
    const named = (word) => kinds.filter((kind) => kind === word).flatMap((kind) => sides[kind] ?? []);
    /** @param {string} word */
    const has = (word) =>
      said.includes(word) || (named(word).length > 0 && named(word).every((name) => said.includes(name)));
    const covered = kinds.filter(has).flatMap(named);
    const singles = said.filter((name) => !GROUPS.includes(name) && !covered.includes(name));
    /** @param {string} word @param {boolean} on */
    const put = (word, on) => {
      const rest = said.filter((name) => !GROUPS.includes(name) && name !== word && !named(word).includes(name));
      const groups = GROUPS.filter((other) => (other === word ? on : said.includes(other)));
      set({ [key]: [...groups, ...rest, ...(on && !GROUPS.includes(word) ? [word] : [])] });
    };
    return html`<fieldset>
      <legend>${title}</legend>
      ${[...words, ...singles].map((word) =>
        h(Tick, { label: entry(WORDS, word)?.[2] ?? word, on: has(word), set: (on) => put(word, on) }),
      )}
    </fieldset>`;
  };
  return html`<div class="tables">
      ${
        values.length > 0 &&
        h(Pairs, {
          title: "Which values match",
          ...{ rows: values, look, set: mate },
          label: (a, b) => `${a} matches ${b}`,
          has: (a, b) => values.indexOf(b) <= values.indexOf(a),
          on: (a, b) => areMates(sides, a, b),
        })
      }
      ${
        keys.length > 0 &&
        locks.length > 0 &&
        h(Pairs, {
          title: "Which key fits which lock",
          ...{ rows: keys, columns: locks, look, set: fit },
          label: (key, lock) => `${key} fits ${lock}`,
          on: (key, lock) => entry(fits, key)?.includes(lock) ?? false,
        })
      }
    </div>
    ${ticks("A flat side may meet", "flat_meets", values.length ? ["flat", "values"] : ["flat"], ["flat", ...kinds])}
    ${ticks("The outside or an empty cell may meet", "may_look_out", ["flat", "locks", "values"], kinds)}
    ${
      locks.length > 0 &&
      h(Tick, {
        ...{ label: "two locks may meet", on: sides.locks_meet_locks ?? false },
        set: (on) => set({ locks_meet_locks: on }),
      })
    }
    <div class="row">
      ${h(Choice, {
        label: "all sides at the rim of the region have",
        value: sides.rim ?? "",
        choose: (name) => set({ rim: name || undefined }),
        options: [["", "anything"], ["flat", "flat sides"], ...valuesOf(fields).map((name) => [name])],
      })}
    </div>
    ${h(Inner, {
      title: "Single sides of the region that need a value",
      open: fields.asked.length > 0,
      content: () =>
        h(SidesField, {
          ...{ model, name: "the region", cells: model.region, sides: fields.asked, all: true },
          set: (asked) => {
            fields.asked = asked;
            model.refresh();
          },
        }),
    })}`;
}
