// What is open: shipped puzzles, files, new puzzles, and designs that this browser keeps. Nothing that was edited is
// lost: every change is kept at once, with the steps to take back, and the page asks before it opens something else.

import * as api from "./api.js";
import { goTo, sameFile, samePuzzle, where } from "./address.js";
import { ask } from "./ask.js";
import { designs, forget, forgetOld, freshId, keep, keptAs, parsed } from "./designs.js";
import { choice, el, field, fill } from "./elements.js";
import { blank } from "./model.js";
import { keptSteps, Steps } from "./vault.js";
import { Versions } from "./versions.js";

const FIRST = { name: "pent-10x6", problem: "", design: "" };
const [LEAVE, DISCARD] = ["leave", "discard"];
const NOWHERE = { name: "", problem: "", design: "", shelf: "" }; // something that the address cannot say

export class Chooser {
  /** `attempt(work)` does something that the server may refuse; `page()` names the open page, `show(page)` opens one. */
  constructor(model, element, about, { attempt, page, show }) {
    Object.assign(this, { model, about, attempt, page, show });
    this.at = NOWHERE;
    this.steps = new Steps();
    this.versions = new Versions(model, () => this.at.design);
    this.draw(element);
    model.addEventListener("changed", () => this.save());
    model.addEventListener("checked", () => this.save());
    window.addEventListener("popstate", () => this.follow());
    window.addEventListener("storage", () => this.mark());
    window.addEventListener("beforeunload", (event) => this.isLosing() && event.preventDefault());
  }

  draw(element) {
    const groups = new Map();
    for (const puzzle of this.about.puzzles) groups.set(puzzle.lattice, [...(groups.get(puzzle.lattice) ?? []), puzzle]);
    this.shipped = el("select", { id: "shipped", onchange: () => this.choose({ name: this.shipped.value }) }, el("option", { value: "" }, "choose …"));
    for (const [lattice, puzzles] of groups) {
      this.shipped.append(el("optgroup", { label: lattice }, puzzles.map(({ name, title }) => el("option", { value: name, title }, name))));
    }
    this.lattices = choice([["", "choose …"], ...this.about.lattices.map(({ name }) => [name, name])], "", (name) => name && this.begin(name));
    this.lattices.id = "lattice";
    this.upload = el("input", { type: "file", id: "upload", accept: this.about.suffixes.join(","), onchange: () => {
      const [file] = this.upload.files;
      this.upload.value = "";
      if (file) this.take(() => this.readFile(file));
    } });
    this.kept = el("select", { id: "kept", onchange: () => this.choose({ design: this.kept.value }) });
    this.forgetButton = el("button", { type: "button", class: "danger", onclick: () => this.askToForget() }, "Forget it");
    fill(element, field("a shipped puzzle", this.shipped), field("a file of yours", this.upload),
      field("a new puzzle on", this.lattices), el("span", { class: "row tight" }, field("a design of yours", this.kept), this.forgetButton));
    this.mark();
  }

  /** Open what the address says; at the first time, where it says nothing of use, the first puzzle. */
  async start() {
    const { place } = where();
    const known = place.design ? keptAs(place.design) !== null : this.about.puzzles.some(({ name }) => name === place.name);
    await this.open(known ? place : FIRST);
    if (place.name && !known) throw new api.Fault(`no puzzle “${place.name}” is shipped; this is another one`);
    if (place.design && !known) throw new api.Fault("this browser does not keep that design, or does not any more");
  }

  /** Back and Forward: another page, or another puzzle. */
  async follow() {
    const { page, place } = where();
    this.show(page);
    if (samePuzzle(place, this.at) || !(place.name || place.design)) return;
    if (sameFile(place, this.at)) {
      await this.attempt(() => this.turnTo(place.problem, false));
      return;
    }
    if (!this.isLosing() || (await this.mayLeave())) await this.attempt(() => this.open(place));
    goTo(this.page(), this.at);
    this.mark();
  }

  choose(place) {
    if (place.name || place.design) return this.take(() => this.open({ ...NOWHERE, ...place }, true));
    return this.mark();
  }

  begin(lattice) {
    return this.take(async () => {
      await this.load(() => this.blank(lattice), { step: true, keep: true });
      this.show("puzzle");
    });
  }

  blank(lattice) {
    return blank(lattice, this.about.lattices.find(({ name }) => name === lattice).dimension);
  }

  /** Do what opens something else, if what was edited may be left. */
  async take(work) {
    const left = this.at;
    const answer = await this.mayLeave();
    if (answer === DISCARD) goTo(this.page(), this.origin()); // where Back is to lead then
    if (answer) await this.attempt(work);
    if (samePuzzle(left, this.at)) goTo(this.page(), left);
    else if (answer === DISCARD) forget(left.design);
    this.mark();
  }

  /** The shipped puzzle that was edited, if it was one. */
  origin() {
    const { form, name, problem = "" } = this.model.base;
    return form === "shipped" ? { ...NOWHERE, name, problem } : NOWHERE;
  }

  /** Ask before something is left that was edited; "" where it is to stay. */
  async mayLeave() {
    const { model } = this;
    if (!model.edited) return LEAVE;
    const title = model.verdict.title || model.name;
    const losing = this.isLosing();
    const question = losing
      ? `“${title}” has changes that this browser has no room to keep. Download it first, or lose them.`
      : `“${title}” has changes. Keep them, under “a design of yours”?`;
    const answers = losing ? [[LEAVE, "Lose the changes"]] : [[LEAVE, "Keep them"], [DISCARD, "Throw them away"]];
    return ask(question, [...answers, ["", "Stay here"]]);
  }

  /** Open a puzzle that was made, which `ask` promises, as a design of this browser, on a page. */
  openMade(ask, page) {
    const { design } = this.at;
    return this.take(() => this.load(async () => {
      const data = await ask();
      if (design && keptAs(design) !== null) this.saveAs(design); // among the latest, so that Back finds it
      this.show(page);
      return data;
    }, { step: true }));
  }

  /** Open a shipped puzzle or a design of this browser; `step` is true where Back is to lead back here. */
  async open(place, step = false) {
    const shelf = !place.design && place.shelf && parsed(keptAs(place.shelf) ?? "").edited === false ? place.shelf : "";
    const design = place.design || shelf;
    if (!design) {
      const subject = { form: "shipped", name: place.name, ...(place.problem ? { problem: place.problem } : {}) };
      await this.load(() => api.open(subject), { step, place: { ...place, shelf: "" } });
      return;
    }
    const text = keptAs(design);
    const { base, ...record } = parsed(text ?? "");
    if (!base) throw new api.Fault("this browser does not keep that design, or does not any more");
    const kept = { ...record, history: await keptSteps(design).catch(() => null) };
    if (kept.history) this.steps.opened(design, kept.history);
    const isNew = base.form === "new";
    if (!(await this.load(() => (isNew ? this.blank(base.lattice) : api.open(base)), { step, place: { ...place, shelf }, keep: isNew, kept }))) return;
    this.written = text;
    if (this.model.edited) this.versions.keep("again");
    if (place.problem && place.problem !== this.model.whole.at) await this.turnTo(place.problem, false);
  }

  async readFile(file) {
    let lost = [];
    const ask = async () => {
      const data = await api.read(file);
      lost = data.left_out;
      return data;
    };
    if (!(await this.load(ask, { step: true })) || !lost.length) return;
    const words = lost.map(({ name, fault }) => `${name}: ${fault}`).join("; ");
    throw new api.Fault(`Not all of this file can be used. What is saved from here will not hold the following. ${words}`);
  }

  /** Look at another problem of the file that is open; "" is the one that a file opens with. */
  async turnTo(key, step = true) {
    const { model } = this;
    const wanted = key || model.whole.problems[0].key;
    if (!(await model.turnTo(wanted))) return;
    this.place(step);
    if (this.at.design && model.edited) this.save();
  }

  /** Say in the address which problem is open. */
  place(step = false) {
    this.at = { ...this.at, problem: this.several() ? this.model.whole.at : "" };
    goTo(this.page(), this.at, step);
  }

  several() {
    return this.model.isPuzzle && this.model.whole.problems.length > 1;
  }

  /** Take over what `ask` promises. What has no place in the address becomes a design. Says whether it did. */
  async load(ask, { step, place, keep: isNew = false, kept = null }) {
    if (!(await this.model.take(ask, isNew, kept))) return false;
    this.shelf = place?.shelf ?? "";
    this.written = null;
    this.at = place ?? NOWHERE;
    if (place) goTo(this.page(), place, step);
    else this.saveAs(freshId(), step);
    forgetOld();
    this.mark();
    return true;
  }

  // ---- keeping

  /**
   * Keep what was changed. A shipped puzzle whose changes were all taken back has its own address again; its design
   * stays, so that the changes can be made again.
   */
  save() {
    const { model } = this;
    const mine = this.at.design || this.shelf;
    const other = mine && ![null, this.written].includes(keptAs(mine)); // another tab has changed it
    if (model.base.form !== "shipped" || model.edited) {
      this.saveAs(mine && !other ? mine : freshId());
      return;
    }
    if (this.at.design) {
      const design = this.at.design;
      if (!other) this.write(design);
      this.shelf = other ? "" : design;
      this.at = { ...this.origin(), shelf: this.shelf };
      goTo(this.page(), this.at);
      this.mark();
    }
    this.unkept = false;
  }

  saveAs(design, step = false) {
    const { model } = this;
    const isFirst = keptAs(design) === null;
    const title = model.verdict.title || model.data.title;
    this.unkept = !this.write(design);
    const at = this.unkept ? NOWHERE : { ...NOWHERE, design, problem: this.several() ? model.whole.at : "" };
    const moved = !samePuzzle(at, this.at);
    const renamed = title !== this.title;
    [this.at, this.title] = [at, title];
    if (moved || step) goTo(this.page(), at, step);
    if (moved || renamed) this.mark();
    if (isFirst && !this.unkept && model.isPuzzle) this.versions.keep("opened", { texts: model.history.states[0] });
    model.tell("kept");
  }

  /** Write the design that is open under an identifier, and the steps to it. Says whether there was room. */
  write(design) {
    const { model } = this;
    const title = model.verdict.title || model.data.title;
    const whole = model.isPuzzle ? textsToKeep(model) : {};
    const text = JSON.stringify({ title, base: model.base, ...whole, edited: model.edited, when: Date.now() });
    const room = keep(design, text);
    this.written = text;
    if (room && model.isPuzzle) this.steps.keep(design, model.history).catch(() => this.tellNoSteps());
    return room;
  }

  tellNoSteps() {
    if (this.noSteps) return;
    this.noSteps = true;
    this.model.tell("kept");
  }

  /** Whether there are changes that would be lost with the page. */
  isLosing() {
    return Boolean(this.unkept && this.model.edited);
  }

  async askToForget() {
    const answer = await ask("Forget this design? It cannot be brought back.", [["forget", "Forget it"], ["", "Keep it"]]);
    if (!answer) return;
    const { design } = this.at;
    const origin = this.origin();
    await this.attempt(() => this.open(origin.name ? origin : FIRST));
    if (this.at.design !== design) forget(design); // not before: it is kept as long as it is open
    this.mark();
  }

  /** Show what is open in the lists. */
  mark() {
    const kept = designs().filter(({ base, edited }) => edited || base.form !== "shipped");
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    const options = kept.map(({ id, title, when: time }) => el("option", { value: id }, `${title} (${when.format(time)})`));
    fill(this.kept, el("option", { value: "" }, kept.length ? "choose …" : "none yet"), options);
    this.kept.disabled = kept.length === 0;
    this.kept.value = kept.some(({ id }) => id === this.at.design) ? this.at.design : "";
    this.forgetButton.disabled = !this.kept.value;
    this.shipped.value = this.at.name;
    this.lattices.value = "";
  }
}

/** What a design holds of the file that is open: what can be edited of the open problem stands there once. */
function textsToKeep(model) {
  const { whole } = model;
  const state = model.state();
  return { state, texts: whole.texts().map((text) => (text === state ? null : text)), at: whole.at };
}
