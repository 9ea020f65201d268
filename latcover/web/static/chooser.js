// What is open: shipped puzzles, files, new puzzles, and designs that this browser keeps. Nothing that was edited is
// lost: every change is kept at once, and the page asks before it opens something else.

import * as api from "./api.js";
import { goTo, samePuzzle, where } from "./address.js";
import { ask } from "./ask.js";
import { designs, forget, forgetOld, freshId, keep, keptAs, parsed } from "./designs.js";
import { choice, el, field, fill } from "./elements.js";
import { blank } from "./model.js";

const FIRST = { name: "pent-10x6", problem: "", design: "" };
const [LEAVE, DISCARD] = ["leave", "discard"];
const NOWHERE = { name: "", problem: "", design: "" }; // something that the address cannot say

export class Chooser {
  /** `attempt(work)` does something that the server may refuse; `page()` names the open page, `show(page)` opens one. */
  constructor(model, element, about, { attempt, page, show }) {
    Object.assign(this, { model, about, attempt, page, show });
    this.at = NOWHERE;
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
    this.upload = el("input", { type: "file", id: "upload", multiple: true, accept: this.about.suffixes.join(","), onchange: () => {
      const files = [...this.upload.files]; // a puzzle, and the lattices that it names
      this.upload.value = "";
      if (files.length) this.take(() => this.readFile(files));
    } });
    this.kept = el("select", { id: "kept", onchange: () => this.choose({ design: this.kept.value }) });
    this.forgetButton = el("button", { type: "button", class: "danger", onclick: () => this.askToForget() }, "Forget it");
    this.problems = el("span", { id: "problems" });
    fill(element, field("a shipped puzzle", this.shipped), field("a file of yours", this.upload),
      field("a new puzzle on", this.lattices), el("span", { class: "row tight" }, field("a design of yours", this.kept), this.forgetButton), this.problems);
    this.mark();
  }

  /** Open what the address says; at the first time, where it says nothing of use, the first puzzle. */
  async start() {
    const { place } = where();
    const known = place.design ? keptAs(place.design) !== null : this.about.puzzles.some(({ name }) => name === place.name);
    await this.open(known ? place : FIRST);
    if (place.design && !known) throw new api.Fault("this browser does not keep that design, or does not any more");
  }

  /** Back and Forward: another page, or another puzzle. */
  async follow() {
    const { page, place } = where();
    this.show(page);
    if (samePuzzle(place, this.at) || !(place.name || place.design)) return;
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
    if (!place.design) {
      const subject = { form: "shipped", name: place.name, ...(place.problem ? { problem: place.problem } : {}) };
      if (!(await this.load(() => api.open(subject), { step, place }))) return;
    } else {
      const text = keptAs(place.design);
      const { base, state } = parsed(text ?? "");
      if (!base) throw new api.Fault("this browser does not keep that design, or does not any more");
      const isNew = base.form === "new";
      if (!(await this.load(() => (isNew ? this.blank(base.lattice) : api.open(base)), { step, place, keep: isNew, state }))) return;
      this.written = text;
    }
    this.offerProblems((problem) => this.openProblem(problem));
  }

  async readFile(file, problem) {
    if (!(await this.load(() => api.read(file, problem), { step: true }))) return;
    this.offerProblems((other) => this.take(() => this.readFile(file, other)));
  }

  /** Another puzzle of the file that is open. */
  openProblem(problem) {
    const { base } = this.model;
    if (base.form === "shipped") return this.choose({ name: base.name, problem });
    return this.take(() => this.openSubject({ ...base, problem }));
  }

  async openSubject(subject) {
    if (await this.load(() => api.open(subject), { step: true })) this.offerProblems((problem) => this.openProblem(problem));
  }

  /** Take over what `ask` promises. What has no place in the address becomes a design. Says whether it did. */
  async load(ask, { step, place, keep: isNew = false, state = null }) {
    if (!(await this.model.take(ask, isNew, state))) return false;
    fill(this.problems);
    this.written = null;
    this.at = place ?? NOWHERE;
    if (place) goTo(this.page(), place, step);
    else this.saveAs(freshId(), step);
    forgetOld();
    this.mark();
    return true;
  }

  /** Where a file holds several puzzles: which. */
  offerProblems(open) {
    const { problems, name } = this.model.data;
    if (problems.length === 0) return;
    const options = problems.map((problem) => [problem.name, problem.fault ? `${problem.name} (cannot be used)` : problem.name]);
    fill(this.problems, field(`one of its ${problems.length} puzzles`, choice(options, name, open)));
  }

  // ---- keeping

  /** Keep what was changed. A shipped puzzle whose changes were all taken back is no design. */
  save() {
    const { model } = this;
    if (model.base.form === "shipped" && !model.edited) {
      if (this.at.design) this.forgetThis();
      this.unkept = false;
      return;
    }
    const other = this.at.design && ![null, this.written].includes(keptAs(this.at.design)); // another tab has changed it
    this.saveAs(this.at.design && !other ? this.at.design : freshId());
  }

  saveAs(design, step = false) {
    const { model } = this;
    const state = model.isPuzzle ? model.state() : null;
    const title = model.verdict.title || model.data.title;
    const text = JSON.stringify({ title, base: model.base, state, edited: model.edited, when: Date.now() });
    this.unkept = !keep(design, text);
    const at = this.unkept ? NOWHERE : { ...NOWHERE, design };
    const moved = !samePuzzle(at, this.at);
    const renamed = title !== this.title;
    [this.written, this.at, this.title] = [text, at, title];
    if (moved || step) goTo(this.page(), at, step);
    if (moved || renamed) this.mark();
    model.tell("kept");
  }

  /** Whether there are changes that would be lost with the page. */
  isLosing() {
    return Boolean(this.unkept && this.model.edited);
  }

  /** Keep the open design no longer; the address is that of the shipped puzzle, if it was one. */
  forgetThis() {
    forget(this.at.design);
    this.at = this.origin();
    goTo(this.page(), this.at);
    this.mark();
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
    const kept = designs();
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
