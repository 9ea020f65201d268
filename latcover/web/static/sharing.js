// Parts that several problems of a file share: what was changed of one is offered to the others.
//
// Two parts are the same shape where they have the same name and all but the number of copies is the same. Problems
// whose colours, keys or locks were made different are left alone: numbers of colours would mean something else there.

import { counted, el, fill } from "./elements.js";

const OF_A_PROBLEM = new Set(["low", "high", "from", "letter", "rgb", "groups"]);

export class Sharing {
  constructor(model) {
    this.model = model;
    this.element = el("span", { class: "sharing", role: "status" });
  }

  /** Offer it, where a part of the open problem is not as in the file. */
  show() {
    const { model } = this;
    const names = model.whole.problems.length > 1 ? [...changes(model).values()].map(({ now }) => now.name) : [];
    const drawn = names.join("\n");
    if (drawn !== this.drawn) this.said = "";
    this.drawn = drawn;
    const button = names.length ? el("button", { type: "button", onclick: () => this.share() }, `Change ${counted(names.length, "part")} in the other problems too`) : null;
    if (button) button.title = names.join(", ");
    fill(this.element, this.said ? el("span", { class: "hint" }, this.said) : button);
  }

  async share() {
    const { model } = this;
    const wanted = changes(model);
    const own = tablesOf(JSON.parse(model.state()));
    const found = [];
    for (const problem of model.whole.problems) {
      if (problem === model.whole.current) continue;
      const other = await model.other(problem);
      const state = JSON.parse(other.state());
      if (tablesOf(state) !== own) continue;
      let n = 0;
      state.parts = state.parts.map((part) => {
        const change = wanted.get(shapeOf(part));
        if (!change) return part;
        n += 1;
        return { ...change.now, ...Object.fromEntries(Object.entries(part).filter(([key]) => OF_A_PROBLEM.has(key))) };
      });
      if (n) found.push([problem, JSON.stringify(state), n]);
    }
    for (const [problem, state] of found) problem.state = state;
    const parts = found.reduce((sum, [, , n]) => sum + n, 0);
    if (found.length) model.changed();
    this.said = found.length ? `${counted(parts, "part")} in ${counted(found.length, "other problem")} changed.` : "No other problem has these parts as they were here.";
    this.show();
  }
}

/** The parts of the open problem that were changed: by their shape as it was in the file, {now}. */
function changes(model) {
  const { state, of } = model.whole.current;
  if (!state) return new Map();
  const before = JSON.parse(model.known.get(of).first).parts;
  const found = new Map();
  for (const now of JSON.parse(state).parts) {
    const was = before[now.from];
    if (was && shapeOf(was) !== shapeOf(now)) found.set(shapeOf(was), { now });
  }
  return found;
}

/** What the colours, keys and locks of a problem are called, as a text. */
function tablesOf({ fields }) {
  return JSON.stringify([fields?.colours, fields?.sides]);
}

/** A part without what is of a problem alone, as a text. */
function shapeOf(part) {
  return JSON.stringify(Object.entries(part).filter(([key]) => !OF_A_PROBLEM.has(key)));
}
