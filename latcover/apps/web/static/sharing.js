// Parts that several problems of a file share: offers to apply a change of one to the others.
//
// Two parts are the same shape if they have the same name and differ at most in the number of copies. Problems
// whose colours, keys or locks were made different are left alone: numbers of colours would mean something else there.

import { dom, fill } from "./dom.js";
import { counted } from "./elements.js";

/** @import { EditorPart, KeptPart, Problem } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const OF_A_PROBLEM = new Set(["low", "high", "from", "letter", "rgb", "kept", "groups"]);

export class Sharing {
  /** @type {string} */
  said;
  /** @type {string} */ drawn;

  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.element = dom("span", { class: "sharing", role: "status" });
  }

  /** Offer it if a part of the open problem differs from the file. */
  show() {
    const { model } = this;
    const names = model.whole.problems.length > 1 ? [...changes(model).values()].map(({ now }) => now.name) : [];
    const drawn = names.join("\n");
    if (drawn !== this.drawn) this.said = "";
    this.drawn = drawn;
    const button = names.length
      ? dom(
          "button",
          { type: "button", onclick: () => this.share() },
          `Change ${counted(names.length, "part")} in the other problems too`,
        )
      : null;
    if (button) button.title = names.join(", ");
    fill(this.element, this.said ? dom("span", { class: "hint" }, this.said) : button);
  }

  async share() {
    const { model } = this;
    const wanted = changes(model);
    const own = tablesOf(JSON.parse(model.state()));
    /** @type {[Problem, string, number][]} */ const found = [];
    for (const problem of model.whole.problems) {
      if (problem === model.whole.current) continue;
      const other = await model.other(problem);
      const state = JSON.parse(other.state());
      if (tablesOf(state) !== own) continue;
      let n = 0;
      state.parts = state.parts.map((/** @type {KeptPart} */ part) => {
        const change = wanted.get(shapeOf(/** @type {any} */ (part)));
        if (!change) return part;
        n += 1;
        return { ...change.now, ...Object.fromEntries(Object.entries(part).filter(([key]) => OF_A_PROBLEM.has(key))) };
      });
      if (n) found.push([problem, JSON.stringify(state), n]);
    }
    for (const [problem, state] of found) problem.state = state;
    const parts = found.reduce((sum, [, , n]) => sum + n, 0);
    if (found.length) model.changed();
    this.said = found.length
      ? `${counted(parts, "part")} in ${counted(found.length, "other problem")} changed.`
      : "No other problem has these parts as they were in the file.";
    this.show();
  }
}

/**
 * The parts of the open problem that were changed: by their shape as it was in the file, {now}.
 * @param {Model} model
 */
function changes(model) {
  const { state, of } = model.whole.current;
  if (!state) return new Map();
  const before = JSON.parse(model.known.get(of)?.first ?? "").parts;
  const found = new Map();
  for (const now of JSON.parse(state).parts) {
    const was = before[now.from];
    if (was && shapeOf(was) !== shapeOf(now)) found.set(shapeOf(was), { now });
  }
  return found;
}

/** The names of the colours, keys and locks of a problem, as a text. @param {Model} options */
function tablesOf({ fields }) {
  return JSON.stringify([fields?.colours, fields?.sides]);
}

/** A part without the fields that belong to one problem only, as a text. @param {EditorPart} part */
function shapeOf(part) {
  return JSON.stringify(Object.entries(part).filter(([key]) => !OF_A_PROBLEM.has(key)));
}
