// The fields of a part besides its cells, for one part and for several at once.

import { BOUNDS } from "./bounds.js";
import { dom, fill } from "./dom.js";
import { choice, counted, field, whole } from "./elements.js";
import { valuesOf, withPartNames } from "./fields.js";
import { unfolded } from "./fold.js";
import { SidesField } from "./sides_panel.js";

/** @import { EditorPart } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const MOTIONS = { fixed: "fixed", rotations: "rotations", reflections: "rotations and reflections" };
const [OWN, SPECIAL, MIXED] = ["own", "special", ""];

/**
 * The name of a part, edited where it stands; `edited()` is called after each change, as by the other fields.
 * @param {EditorPart} part @param {Model} model @param {() => void} edited
 */
export function nameOfPart(part, model, edited) {
  const name = dom("input", {
    value: part.name,
    class: "inplace",
    maxlength: 200,
    "aria-label": "name of the part",
    onchange: () => {
      const before = part.name;
      part.name = name.value = name.value.trim() || before;
      model.fields.rules = withPartNames(model.fields.rules, (other) => (other === before ? part.name : other));
      edited();
    },
  });
  return name;
}

/** How often a part may be used. @param {EditorPart} part @param {() => void} edited */
export function numbersOfPart(part, edited) {
  /** @param {string} key */
  const set = (key) => (/** @type {any} */ value) => {
    /** @type {any} */ (part)[key] = value;
    edited();
  };
  return dom(
    "span",
    { class: "group" },
    field(
      "at least",
      whole(part.low, BOUNDS.part.low, "", (value) => set("low")(value ?? 0)),
    ),
    field("at most", whole(part.high, BOUNDS.part.high, "any", set("high")), "empty: any number"),
  );
}

/** The allowed motions of a part. @param {Model} model @param {EditorPart} part @param {() => void} edited */
export function motionsField(model, part, edited) {
  return dom(
    "span",
    { class: "group" },
    motionsOf(model, part.motions, (motions) => {
      part.motions = motions;
      edited();
    }),
  );
}

/**
 * The allowed motions: a keyword, or a selection of the lattice's motions.
 * @param {Model} model @param {string | string[]} before @param {(motions: string | string[]) => unknown} onchange
 */
function motionsOf(model, before, onchange) {
  const { generators } = model.lattice;
  let own = Array.isArray(before) ? before : [];
  const word = Array.isArray(before) ? OWN : before;
  const options = [
    ...(word === MIXED ? [[MIXED, "–"]] : []),
    ...Object.entries(MOTIONS),
    ...(generators.length ? [[OWN, "selected motions …"]] : []),
    ...(word === SPECIAL ? [[SPECIAL, "as in the file"]] : []),
  ];
  const boxes = dom("span", { class: "ticks" });
  /** @param {string} chosen */
  const draw = (chosen) =>
    fill(
      boxes,
      chosen === OWN
        ? generators.map((name) => {
            const box = dom("input", {
              type: "checkbox",
              checked: own.includes(name),
              onchange: () => {
                own = generators.filter((other) => (other === name ? box.checked : own.includes(other)));
                onchange(own.length ? own : "fixed");
              },
            });
            return dom("label", { class: "tick" }, box, name);
          })
        : [],
    );
  const select = choice(options, word, (chosen) => {
    draw(chosen);
    if (chosen !== OWN) onchange(chosen);
    else if (own.length) onchange(own);
  });
  draw(word);
  return [field("allowed motions", select), boxes];
}

/**
 * The display colour of a part: its own, or the palette's. `repaint.add` takes what is done after a change of looks.
 * @param {Model} model @param {EditorPart} part @param {() => void} edited
 * @param {{ add: (paint: () => unknown) => unknown }} repaint
 */
export function colourOf(model, part, edited, repaint) {
  const picker = dom("input", { type: "color", value: part.rgb });
  const words = dom("input", {
    value: part.display_colour,
    size: 9,
    maxlength: 40,
    placeholder: "palette",
    "aria-label": "name of the colour",
  });
  /** @param {string} colour */
  const set = (colour) => {
    part.display_colour = colour;
    words.value = colour;
    plain.hidden = !colour;
    if (/^#[0-9a-f]{6}$/i.test(colour)) model.looks.set(`part ${part.name}`, (part.rgb = colour));
    edited();
  };
  repaint.add(() => (picker.value = part.rgb));
  picker.addEventListener("change", () => set(picker.value));
  words.addEventListener("change", () => set(words.value.trim()));
  const plain = dom("button", { type: "button", hidden: !part.display_colour, onclick: () => set("") }, "Palette");
  return field("shown in", dom("span", { class: "pair" }, picker, words, plain));
}

/**
 * The rarely used fields of a part: sides, groups, weight.
 * @param {Model} model @param {EditorPart} part @param {() => void} edited
 * @param {{ add: (paint: () => unknown) => unknown }} repaint
 */
export function moreOfPart(model, part, edited, repaint) {
  const sides = () => {
    const shown = new SidesField(model, part, edited);
    repaint.add(() => shown.draw());
    return shown.element;
  };
  const belonging = dom("div", {});
  const draw = () => fill(belonging, groups(part, edited, draw));
  draw();
  return [
    valuesOf(model.fields).length
      ? unfolded("Values, keys and locks on its sides", part.sides.length > 0, sides)
      : null,
    unfolded("Groups and weight for disassembly", part.groups.length > 0 || part.weight !== 1, () => belonging),
  ];
}

/** @param {EditorPart} part @param {() => void} edited @param {() => void} draw */
function groups(part, edited, draw) {
  const weight = whole(part.weight, BOUNDS.part.weight, "", (value) => {
    part.weight = value ?? 0;
    edited();
  });
  const rows = part.groups.map((group, k) => {
    /** @param {any} place */
    const set = (place) => (/** @type {any} */ value) => {
      group[place] = value;
      edited();
    };
    const name = dom("input", { value: group[0], size: 9, maxlength: 200 });
    name.addEventListener("change", () => set(0)(name.value.trim() || group[0]));
    const most = whole(group[1], BOUNDS.part.high, "all", set(1));
    const remove = () => {
      part.groups.splice(k, 1);
      edited();
      draw();
    };
    return dom(
      "div",
      { class: "row" },
      field("group", name),
      field("copies that may stay together", most),
      dom("button", { type: "button", class: "danger", onclick: remove }, "Remove"),
    );
  });
  const add = () => {
    part.groups.push([
      ["group", ...Array.from({ length: 98 }, (_, k) => `group ${k + 2}`)].find((word) =>
        part.groups.every(([name]) => name !== word),
      ) ?? "group",
      null,
    ]);
    edited();
    draw();
  };
  return [
    dom(
      "p",
      { class: "hint" },
      "Parts of the same group need not come apart from each other. When two groups of pieces separate, the one with the heaviest piece stays in place.",
    ),
    ...rows,
    dom(
      "div",
      { class: "row" },
      dom("button", { type: "button", onclick: add }, "Add a group"),
      field("weight", weight),
    ),
  ];
}

/** The selected parts, and the tools for all of them. */
export class Chosen {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.parts = new Set();
    this.boxes = new Map();
    /** @type {HTMLInputElement} */
    this.all = dom("input", { type: "checkbox", onchange: () => this.choose(this.all.checked) });
    this.words = dom("span", {});
    this.tools = dom("div", { class: "tools", role: "group", "aria-label": "For all selected parts" });
    this.element = dom("div", { class: "chosen" }, dom("label", { class: "tick" }, this.all, this.words));
  }

  /** The box of a part in the list. @param {EditorPart} part */
  box(part) {
    const box = dom("input", {
      type: "checkbox",
      checked: this.parts.has(part),
      "aria-label": `choose ${part.name}`,
      onchange: () => {
        this.parts[box.checked ? "add" : "delete"](part);
        this.draw();
      },
    });
    this.boxes.set(part, box);
    return box;
  }

  /** After the list is redrawn, parts with the same number as before stay selected. @param {EditorPart[]} before */
  renew(before) {
    const { parts } = this.model;
    const chosen = new Set(before.map((part, k) => (this.parts.has(part) ? parts[k] : null)));
    this.parts = new Set(
      parts.filter((part) => this.parts.has(part) || (before.length === parts.length && chosen.has(part))),
    );
    this.boxes.clear();
  }

  /** @param {boolean} all */
  choose(all) {
    this.parts = new Set(all ? this.model.parts : []);
    for (const [part, box] of this.boxes) box.checked = this.parts.has(part);
    this.draw();
  }

  draw() {
    const [n, all] = [this.parts.size, this.model.parts.length];
    this.element.hidden = all === 0;
    /** @type {HTMLElement} */ (this.all.parentElement).hidden = all === 1 && n === 0;
    this.all.checked = n > 0 && n === all;
    this.all.indeterminate = n > 0 && n < all;
    this.words.textContent = n ? `${n} of ${counted(all, "part")} selected` : `select all ${counted(all, "part")}`;
    if (this.model.origin !== this) fill(this.tools, n ? this.fields() : []); // otherwise the user is editing these fields
  }

  fields() {
    /** @param {(part: EditorPart) => unknown} read */
    const common = (read) => {
      const found = new Set([...this.parts].map((part) => JSON.stringify(read(part))));
      return found.size === 1 ? JSON.parse([...found][0]) : undefined;
    };
    /** @param {(part: EditorPart) => unknown} change */
    const set = (change) => {
      for (const part of this.parts) change(part);
      this.model.refresh(this);
    };
    const [low, high] = [common((part) => part.low), common((part) => part.high)];
    const least = whole(
      low,
      BOUNDS.part.low,
      low === undefined ? "–" : "",
      (value) => value !== null && set((part) => (part.low = value)),
    );
    const most = whole(high, BOUNDS.part.high, high === undefined ? "–" : "any", (value) =>
      set((part) => (part.high = value)),
    );
    const picker = dom("input", { type: "color", value: [...this.parts][0].rgb });
    /** @param {string} colour */
    const paint = (colour) =>
      set((part) => {
        part.display_colour = colour;
        if (colour) this.model.looks.set(`part ${part.name}`, (part.rgb = colour));
      });
    picker.addEventListener("change", () => paint(picker.value));
    const groups = common((part) => part.groups.map(([name]) => name));
    const group = dom("input", {
      value: groups?.join(", ") ?? "",
      placeholder: groups ? "none" : "–",
      size: 9,
      maxlength: 200,
    });
    group.addEventListener("change", () =>
      set((part) => (part.groups = group.value.trim() ? [[group.value.trim(), null]] : [])),
    );
    return [
      dom(
        "div",
        { class: "row" },
        field("at least", least),
        field("at most", most, "empty: any number"),
        field("group", group),
        field(
          "shown in",
          dom(
            "span",
            { class: "pair" },
            picker,
            dom("button", { type: "button", onclick: () => paint("") }, "Palette"),
          ),
        ),
      ),
      dom(
        "div",
        { class: "row" },
        motionsOf(
          this.model,
          common((part) => part.motions) ?? MIXED,
          (motions) => motions && set((part) => (part.motions = motions)),
        ),
      ),
      dom(
        "div",
        { class: "row" },
        dom("button", { type: "button", onclick: () => this.duplicate() }, "Duplicate"),
        dom("button", { type: "button", class: "danger", onclick: () => this.remove() }, "Delete"),
      ),
    ];
  }

  duplicate() {
    const chosen = [...this.parts];
    this.parts = new Set(chosen.map((part) => this.model.added(part)));
    this.model.refresh(null);
  }

  remove() {
    const { model } = this;
    model.removed((part) => this.parts.has(part));
    this.parts.clear();
    model.refresh(null);
    this.all.focus();
  }
}
