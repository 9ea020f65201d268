// The colours of cells: their names, which say how they look, and the rules about them.

import { dom } from "./dom.js";
import { choice } from "./elements.js";
import { paint, removeColour, renameColour, tidy } from "./fields.js";
import { Fold, freeWord, nameField, pairTable, swatch, tick } from "./fold.js";
import { entry } from "./tables.js";

/** @import { FileTable } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const PLENTY = ["red", "blue", "yellow", "green", "black", "white", "orange", "violet"];

export class ColoursPanel extends Fold {
  /** @param {Model} model */
  constructor(model) {
    super(model, "Colours", "colours");
  }

  said() {
    const rest = this.model.colours.slice(1);
    return rest.length ? rest.slice(0, 8).map(({ name, rgb }) => swatch(rgb, name)) : ["none"];
  }

  content() {
    const { fields } = this.model;
    const rows = fields.colours.slice(1).map((_, k) => this.row(k + 1));
    this.adding = dom("button", { type: "button", onclick: () => this.add() }, "Add a colour");
    return [
      dom(
        "p",
        { class: "hint" },
        "Cells of parts and of the region can have colours. A coloured cell of a part may cover cells of its colour and cells without one. " +
          "The name of a colour sets how it looks: use a CSS colour name, or a code such as #5385d8.",
      ),
      dom("div", { class: "list" }, rows),
      this.adding,
      ...(rows.length ? this.rules() : []),
    ];
  }

  /** @param {number} k */
  row(k) {
    const { model } = this;
    const picker = dom("input", {
      type: "color",
      value: model.colours[k].rgb,
      "aria-label": `look of ${model.colours[k].name}`,
    });
    /** @param {string} name */
    const rename = (name) => {
      renameColour(model.fields, k, name);
      paint(model);
      this.changed(true);
    };
    picker.addEventListener("change", () => !model.fields.colours.includes(picker.value) && rename(picker.value));
    const name = nameField("name of the colour", model.fields.colours[k], () => model.fields.colours, rename);
    const remove = () => {
      removeColour(model, k);
      this.changed(true);
      this.adding?.focus();
    };
    return dom(
      "div",
      { class: "row" },
      picker,
      name,
      dom(
        "button",
        { type: "button", class: "danger", "aria-label": `Remove ${model.fields.colours[k]}`, onclick: remove },
        "Remove",
      ),
    );
  }

  add() {
    const { fields } = this.model;
    fields.colours.push(PLENTY.find((name) => !fields.colours.includes(name)) ?? freeWord("colour ", fields.colours));
    paint(this.model);
    this.changed(true);
    /** @type {HTMLInputElement} */ (this.body.querySelector(".list .row:last-child input:not([type=color])")).select();
  }

  rules() {
    const { fields } = this.model;
    const names = fields.colours.slice(1);
    /** @param {string} own @param {string} cell */
    const stands = (own, cell) => entry(fields.rules.stands_on ?? {}, own)?.includes(cell) ?? false;
    const pairs = () =>
      (fields.rules.apart ?? [])
        .map((/** @type {string | string[]} */ pair) => [pair].flat())
        .map((/** @type {string[]} */ [a, b = a]) => [a, b]);
    /** @param {string} a @param {string} b */
    const apart = (a, b) =>
      pairs().some((/** @type {string[]} */ [c, d]) => (a === c && b === d) || (a === d && b === c));
    /** @param {FileTable} rules */
    const set = (rules) => {
      fields.rules = tidy({ ...fields.rules, ...rules });
      this.changed();
    };
    /** @param {string} own @param {string} cell @param {boolean} may */
    const stand = (own, cell, may) => {
      const rows = Object.fromEntries(
        names.map((name) => [
          name,
          names.filter((other) => (name === own && other === cell ? may : stands(name, other))),
        ]),
      );
      set({ stands_on: Object.fromEntries(Object.entries(rows).filter(([, cells]) => cells.length)) });
    };
    /** @param {string} a @param {string} b @param {boolean} may */
    const part = (a, b, may) => {
      const rest = pairs().filter((/** @type {string[]} */ [c, d]) => !((a === c && b === d) || (a === d && b === c)));
      set({ apart: [...rest, ...(may ? [[a, b]] : [])].map(([c, d]) => (c === d ? c : [c, d])) });
    };
    const last = names.length - 1;
    return [
      dom(
        "div",
        { class: "tables" },
        names.length > 1
          ? this.table("A part of this colour may also cover", names, (a, b) => a !== b, stands, stand)
          : null,
        this.table(
          "Parts of these colours may not touch",
          names,
          (a, b) => names.indexOf(b) <= names.indexOf(a),
          apart,
          part,
        ),
      ),
      tick("not even at corners", fields.rules.across === "corners", (on) => {
        const { across: _, ...rest } = fields.rules;
        fields.rules = on ? { ...rest, across: "corners" } : rest;
        this.changed();
      }),
      last > 0 ? this.exchanges(names) : null,
    ];
  }

  /**
   * A table of colours against colours, with a check box where `has` is true.
   * @param {string} title @param {string[]} names @param {(a: string, b: string) => boolean} has
   * @param {(a: string, b: string) => boolean} checked @param {(a: string, b: string, on: boolean) => unknown} onchange
   */
  table(title, names, has, checked, onchange) {
    const looks = new Map(this.model.colours.map(({ name, rgb }) => [name, rgb]));
    return pairTable({
      title,
      rows: names,
      look: (name) => looks.get(name),
      label: (a, b) => `${a}, ${b}`,
      has,
      checked,
      onchange,
    });
  }

  /** Which colours are interchangeable everywhere: those of the same set. @param {string[]} names */
  exchanges(names) {
    const { fields } = this.model;
    /** @param {string} name */
    const setOf = (name) =>
      (fields.rules.exchangeable ?? []).findIndex((/** @type {string[]} */ set) => set.includes(name));
    const most = Math.floor(names.length / 2);
    const options = [["-1", "none"], ...Array.from({ length: most }, (_, k) => [String(k), `set ${k + 1}`])];
    const wanted = new Map(names.map((name) => [name, setOf(name)]));
    const changed = () => {
      const sets = Array.from({ length: most }, (_, k) => names.filter((name) => wanted.get(name) === k)).filter(
        (set) => set.length > 1,
      );
      fields.rules = tidy({ ...fields.rules, exchangeable: sets });
      this.changed();
    };
    const selects = names.map((name) =>
      dom(
        "label",
        { class: "field" },
        dom("span", {}, name),
        choice(options, String(wanted.get(name)), (k) => {
          wanted.set(name, Number(k));
          changed();
        }),
      ),
    );
    return this.unfolded("Interchangeable colours", Boolean(fields.rules.exchangeable), () => [
      dom("p", { class: "hint" }, "Solutions that differ only by swapping colours of the same set count as the same."),
      dom("div", { class: "row" }, selects),
    ]);
  }
}
