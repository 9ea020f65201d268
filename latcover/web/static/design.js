// The page "Design": make puzzles of the one that is open, in one of several ways, and look at what is found.
//
// Each puzzle has its own gallery for as long as the tab is open, so that Back leads to it from a puzzle that was opened.

import * as api from "./api.js";
import { ask } from "./ask.js";
import { Form } from "./design_form.js";
import { isFamily, WAYS } from "./design_ways.js";
import { counted, el, fill, number, seconds, showFault } from "./elements.js";
import { Gallery } from "./gallery.js";
import { RunPanel } from "./run.js";
import { keepOf, keptOf } from "./tab_memory.js";

const PREFIX = "latcover.made.";

export class Design {
  constructor(model, element, about, chooser) {
    Object.assign(this, { model, element, about, chooser });
    this.panel = new RunPanel({ model, label: "Find puzzles", job: () => this.job(), told: (standing) => this.told(standing), words: { going, ending } });
    this.gallery = new Gallery({ open: (k, page) => this.open(k, page) });
    this.note = el("p", { class: "hint", role: "status" });
    this.fault = el("div", { class: "faults", role: "alert", hidden: true });
    this.ways = el("div", { class: "row ways", role: "group", "aria-label": "What to make", hidden: true }, WAYS.map((way) =>
      el("button", { type: "button", class: "view", "data-way": way.name, onclick: () => this.choose(way.name) }, way.label)));
    this.about_ = el("p", {});
    this.place = el("div", {});
    this.offer = el("div", { class: "offer", hidden: true });
    fill(element, this.ways, this.about_, this.offer, this.place, this.panel.element, this.note, this.fault, this.gallery.element);
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => this.stale());
    model.addEventListener("restored", () => this.drawOffer());
  }

  /** Another puzzle: what was made of it before in this tab is shown again. */
  async reset() {
    if (this.leaving) this.panel.detach();
    else this.panel.leave();
    this.gallery.forget();
    this.run = null;
    this.note.textContent = "";
    showFault(this.fault, null);
    if (!this.model.isPuzzle) return;
    this.ways.hidden = false;
    const kept = keptOf(PREFIX, this.model.subject());
    this.forms = new Map(WAYS.map((way) => [way.name, new Form(way.fields, { model: this.model, about: this.about }, () => this.keep())]));
    for (const [name, values] of Object.entries(kept.values ?? {})) this.forms.get(name)?.restore(values);
    this.choose(WAYS.some(({ name }) => name === kept.way) ? kept.way : "sets", false);
    if (kept.run) this.attach(kept);
  }

  async attach({ run, searched }) {
    const { data } = this.model;
    try {
      await api.standing(run);
    } catch {
      return; // the server has forgotten it
    }
    if (data !== this.model.data || this.run) return;
    this.run = run;
    this.searched = searched;
    this.panel.attach(run);
  }

  choose(name, keep = true) {
    this.way = WAYS.find((way) => way.name === name);
    for (const button of this.ways.children) button.setAttribute("aria-pressed", button.dataset.way === name);
    this.about_.textContent = this.way.about;
    fill(this.place, this.forms.get(name).element);
    this.drawOffer();
    if (keep) this.keep();
  }

  /** Where no part may be left out, offer a copy of the puzzle in which each may. */
  drawOffer() {
    if (!this.model.isPuzzle || !this.way) return;
    const family = isFamily(this.model);
    const missing = { sets: !family, regions: family }[this.way.name] ?? false;
    this.offer.hidden = !missing;
    this.place.hidden = this.panel.element.hidden = missing;
    if (!missing) return;
    if (family) fill(this.offer, el("p", {}, "Regions are found for a fixed set of parts, but here some parts may be left out, or used in different numbers. Find a set first, under “Sets of parts”, and open it in the editor; or say on the page Puzzle how often each part is used."));
    else fill(this.offer,
      el("p", {}, "Here is nothing to choose yet: each part is used a fixed number of times. Say on the page Puzzle how often each part may be used (at least, at most), or take a copy of this puzzle in which every part may be left out."),
      el("button", { type: "button", class: "main", onclick: () => this.makeOptional() }, "Make every part optional, in a copy"));
  }

  async makeOptional() {
    const { model } = this;
    const words = `Open a copy of “${model.verdict.title || model.name}” in which each of its ${counted(model.parts.length, "kind of part", "kinds of parts")} may be left out? The puzzle stays as it is.`;
    if (!(await ask(words, [["copy", "Open the copy"], ["", "Stay here"]]))) return;
    const edits = model.edits();
    edits.name = `${edits.name} family`;
    for (const part of edits.parts) part.low = 0;
    await this.chooser.openMade(async () => {
      const { toml, faults } = await api.open({ ...model.base, edits });
      if (!toml) throw new api.Fault(`the copy cannot be written: ${faults.join("; ")}`);
      return api.open({ form: "toml", text: toml });
    }, "design");
  }

  job() {
    const form = this.forms.get(this.way.name);
    if (!form.valid()) throw new api.Fault("one of the fields is not filled in as it can be");
    this.gallery.forget();
    this.run = null;
    this.note.textContent = "";
    showFault(this.fault, null);
    this.searched = this.way.name;
    const { seconds: time, ...values } = form.asked();
    return { task: "design", subject: this.model.subject(), way: this.way.name, wanted: this.way.wanted(values), seconds: time === "" ? null : Number(time) };
  }

  told(standing) {
    if (!this.run) {
      this.run = standing.id;
      this.keep();
    }
    const way = WAYS.find(({ name }) => name === this.searched) ?? this.way;
    if (standing.kept) this.gallery.follow(standing.id, standing.kept, way.orders);
  }

  stale() {
    this.drawOffer();
    if (this.run) this.note.textContent = "The puzzle was changed since; start again for the puzzle as it is now.";
  }

  /** Open a puzzle of the gallery as a design of this browser. A search that goes on is not stopped by that. */
  async open(k, page) {
    showFault(this.fault, null);
    const { run } = this.gallery;
    this.leaving = true;
    try {
      await this.chooser.openMade(async () => api.open({ form: "toml", text: await api.designText(run, k) }), page);
    } finally {
      this.leaving = false;
    }
    if (document.activeElement === document.body) document.getElementById(`tab-${page}`).focus(); // its button is gone
  }

  // ---- what this tab remembers of each puzzle

  keep() {
    const values = Object.fromEntries([...this.forms].map(([name, form]) => [name, form.values()]));
    keepOf(PREFIX, this.model.subject(), { way: this.way.name, values, run: this.run, searched: this.searched });
  }
}

function going({ state, stage, found, progress }) {
  const { share, looked, candidates, sets, covers, searched } = progress;
  const words = [state === "paused" ? "paused" : stage];
  if (searched === "exhaustively" && !looked && covers) words.push(counted(covers, "solution"));
  if (looked) words.push(`${number(looked)}${candidates ? ` of ${number(candidates)}` : ""} looked at`);
  if (looked && sets !== undefined) words.push(`${number(sets)} with a solution`);
  if (found) words.push(`${number(found)} found`);
  if (looked && progress.seconds > 1 && searched !== "exhaustively") words.push(`${number(Math.round(looked / progress.seconds))} a second`);
  if (share) words.push(`${(100 * share).toFixed(1)} % of the search`);
  if (progress.seconds) words.push(seconds(progress.seconds));
  return words.join(" · ");
}

function ending({ fault, reason, text, found, kept, summary }) {
  if (fault) return "";
  const lines = (text ?? "").split("\n").filter(Boolean);
  if (reason) lines.push(`Ended early: ${reason}.`);
  if (found === 0 && summary?.complete) lines.push("None of them is what was asked for.");
  if (kept < found) lines.push(`The first ${number(kept)} of ${number(found)} can be looked at.`);
  const kind = summary?.complete ? "good" : summary?.searched === "exhaustively" ? "warning" : "";
  return lines.map((line, k) => el("span", { class: k === 1 ? kind : "" }, line));
}
