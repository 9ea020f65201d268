// Rules on the parts of a solution, as `--rule` has them on the command line. They belong to the puzzle and its file.

import { dom } from "./dom.js";
import { choice, field, whole } from "./elements.js";
import { CLASSES, tidy } from "./fields.js";
import { Fold, tick, unfolded } from "./fold.js";

/** @import { Model } from "./model.js" */

/**
 * A rule on some parts, or on all if it names none: "separate", "colourable" with so many colours, or "connected", which
 * may be about the cells of one colour alone.
 *
 * @typedef {{ parts?: string[], corners?: boolean, colours?: number, colour?: string }} ClassRule
 */

const SWITCHES = {
  no_crossroads: "no four parts meet at a point",
  no_fault_lines: "every straight line cuts a part",
  on_rim: "every part lies at the rim",
  no_room: "no further part fits on cells that stay empty",
};
const MOST_COLOURS = 6; // as latcover/core/model/part_rules.py

export class PartRules extends Fold {
  /** @param {Model} model */
  constructor(model) {
    super(model, "Rules on parts", "part-rules");
    model.addEventListener("loaded", () => {
      this.element.hidden = !model.isPuzzle;
      this.draw();
    });
  }

  said() {
    const { rules } = this.model.fields;
    const words = Object.entries(SWITCHES)
      .filter(([name]) => rules[name])
      .map(([, text]) => text);
    if (rules.cut_at_most !== undefined) words.push(`a straight line cuts at most ${rules.cut_at_most}`);
    words.push(...this.classes().map(({ kind, rule }) => `${ofParts(rule)} ${asWords(kind, rule)}`));
    return words.join("; ") || "none";
  }

  content() {
    const { rules } = this.model.fields;
    return [
      dom("p", { class: "hint" }, "Only solutions that keep these rules count. The rules are saved with the puzzle."),
      dom(
        "div",
        { class: "row" },
        Object.entries(SWITCHES).map(([name, text]) =>
          tick(text, Boolean(rules[name]), (on) => this.set({ [name]: on || undefined })),
        ),
      ),
      dom(
        "div",
        { class: "row" },
        field(
          "a straight line cuts at most so many parts",
          whole(rules.cut_at_most ?? null, 0, "any", (most) => this.set({ cut_at_most: most ?? undefined })),
        ),
      ),
      ...this.classes().map((each) => this.row(each)),
      dom(
        "div",
        { class: "row" },
        dom("button", { type: "button", onclick: () => this.add("separate", {}) }, "Parts that do not touch"),
        dom(
          "button",
          { type: "button", onclick: () => this.add("colourable", { colours: 3 }) },
          "Parts that few colours suffice for",
        ),
        dom("button", { type: "button", onclick: () => this.add("connected", {}) }, "Cells that hang together"),
      ),
    ];
  }

  /** The rules on some of the parts. */
  classes() {
    const { rules } = this.model.fields;
    return CLASSES.flatMap((kind) =>
      (rules[kind] ?? []).map((/** @type {ClassRule} */ rule, /** @type {number} */ k) => ({ kind, k, rule })),
    );
  }

  /** @param {{ kind: string, k: number, rule: ClassRule }} each */
  row({ kind, k, rule }) {
    const put = (/** @type {ClassRule | null} */ changed, again = false) => {
      const rest = [...this.model.fields.rules[kind]];
      rest.splice(k, 1, ...(changed ? [tidy(changed)] : []));
      this.set({ [kind]: rest }, again);
    };
    const colours = Array.from({ length: MOST_COLOURS }, (_, n) => [`${n + 1}`, `${n + 1}`]);
    const pick = (/** @type {string} */ name, /** @type {boolean} */ on) => {
      const parts = (rule.parts ?? []).filter((other) => other !== name);
      put({ ...rule, parts: on ? [...parts, name] : parts }, true);
    };
    const key = `${kind} ${k}`;
    const box = (/** @type {{ name: string }} */ { name }) =>
      tick(name, Boolean(rule.parts?.includes(name)), (on) => pick(name, on));
    const boxes = () => dom("div", { class: "row" }, this.model.parts.map(box));
    return dom(
      "fieldset",
      {},
      dom("legend", {}, `${ofParts(rule)} ${asWords(kind, rule)}`),
      dom(
        "div",
        { class: "row" },
        kind === "colourable"
          ? field(
              "colours that suffice",
              choice(colours, `${rule.colours}`, (n) => put({ ...rule, colours: Number(n) }, true)),
            )
          : null,
        kind === "connected" && this.model.fields.colours.length > 1
          ? field(
              "cells of the colour",
              choice(
                [["", "any"], ...this.model.fields.colours.slice(1).map((name) => [name, name])],
                rule.colour ?? "",
                (name) => put({ ...rule, colour: name || undefined }, true),
              ),
            )
          : null,
        tick(kind === "connected" ? "also across corners" : "not even at corners", Boolean(rule.corners), (on) =>
          put({ ...rule, corners: on || undefined }, true),
        ),
        dom("button", { type: "button", class: "danger", onclick: () => put(null, true) }, "Remove the rule"),
      ),
      unfolded("Only some parts", this.shown.get(key) ?? Boolean(rule.parts), boxes, (now) => this.shown.set(key, now)),
    );
  }

  /**
   * @param {string} kind
   * @param {ClassRule} rule
   */
  add(kind, rule) {
    this.set({ [kind]: [...(this.model.fields.rules[kind] ?? []), rule] }, true);
  }

  /**
   * Change rules; undefined removes one.
   *
   * @param {Record<string, any>} changed
   */
  set(changed, again = false) {
    const { fields } = this.model;
    fields.rules = tidy({ ...fields.rules, ...changed });
    this.changed(again);
  }
}

/** @param {ClassRule} rule */
const ofParts = ({ parts }) => (parts ? `the parts ${parts.join(", ")}` : "all parts");

/**
 * @param {string} kind
 * @param {ClassRule} rule
 */
function asWords(kind, { colours, corners, colour }) {
  const where = corners ? ", not even at corners" : "";
  if (kind === "connected") {
    const which = colour ? `have cells of the colour ${colour} that hang together` : "hang together";
    return `${which}${corners ? ", also across corners" : ""}`;
  }
  return kind === "separate"
    ? `do not touch${where}`
    : `can be coloured with ${colours} so that no colour touches itself${where}`;
}
