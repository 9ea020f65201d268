// Opens puzzles: shipped ones, files, new ones, and designs stored in this browser. No edit is
// lost: every change is stored at once with the undo history, among the designs of this browser.

import { goTo, sameFile, samePuzzle, START, where } from "./address.js";
import { confirmed } from "./ask.js";
import { textOf } from "./carried.js";
import { deleted, designs, forgetOld, freshId, freshName, keepAs, keptAs, remove, restore } from "./designs.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";
import { parsed } from "./kept.js";
import { askLattice } from "./lattice_choice.js";
import { blank } from "./model.js";
import { nearest } from "./nearest.js";
import { button, Field } from "./panels.js";
import { html, render } from "./preact.js";
import { keptSteps, Steps } from "./vault.js";
import { Versions } from "./versions.js";

/** @import { Place, Subject } from "./web_types.js" */
/** @import { Catalogue, LeftOut, PuzzleData, ShippedSubject } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const GONE = "deleted "; // before the identifier of a design in the list
const FIRST = { name: "pent-10x6", problem: "", design: "" };
/** @type {Required<Place>} */
const NOWHERE = { name: "", problem: "", design: "", shelf: "" }; // a puzzle that the address cannot name

export class Chooser {
  /** @type {string | null} */
  written;
  /** @type {string} */ shelf;
  /** @type {boolean} */ unkept;
  /** @type {boolean} */ noSteps;

  /**
   * `attempt(work)` does work that the host may refuse; `page()` names the open page, `show(page)` opens a page, and `more`
   * is a further way to begin.
   * @param {Model} model @param {HTMLElement} element @param {Catalogue} about
   * @param {{ attempt: (work: () => unknown) => unknown, page: () => string, show: (name: string) => void, more?: { words: string, act: () => unknown } }} options
   */
  constructor(model, element, about, { attempt, page, show, more }) {
    this.more = more;
    this.title = ""; // the title under which the design is stored
    this.model = model;
    this.about = about;
    this.attempt = attempt;
    this.page = page;
    this.show = show;
    this.at = NOWHERE;
    this.steps = new Steps();
    this.versions = new Versions(model, () => this.at.design);
    this.lists = element;
    this.draw();
    model.addEventListener("changed", () => this.save());
    model.addEventListener("checked", () => this.save());
    window.addEventListener("popstate", () => this.follow());
    window.addEventListener("storage", () => this.draw());
    window.addEventListener("beforeunload", (event) => this.isLosing() && event.preventDefault());
  }

  /** The lists show what is open. */
  draw() {
    render(html`<${Choices} chooser=${this} />`, this.lists);
  }

  /** Open what the address names; if it names nothing usable when the page loads, open the first puzzle. */
  async start() {
    const { place } = where();
    if (place.carried)
      return this.openCarried(place.carried).catch((fault) => this.openFirst().then(() => Promise.reject(fault)));
    const known = place.design
      ? keptAs(place.design) !== null
      : this.about.puzzles.some(({ name }) => name === place.name);
    await (known ? this.open(place) : this.openFirst());
    if (place.name && !known) throw new Fault(this.unknown(place.name));
    if (place.design && !known) throw new Fault("this browser does not have that design; it may have been deleted");
  }

  /** What is said of a name that no puzzle has. @param {string} name */
  unknown(name) {
    const puzzles = this.about.puzzles.map((puzzle) => puzzle.name);
    const near = nearest(name, puzzles).join(", ");
    return `there is no shipped puzzle “${name}”; this is another one.${near ? ` The nearest names are ${near}.` : ""}`;
  }

  /** Back and Forward: another page, or another puzzle. */
  async follow() {
    const { page, place } = where();
    this.show(page);
    if (place.carried) {
      if (!this.isLosing() || (await this.mayLeave())) await this.attempt(() => this.openCarried(place.carried));
      goTo(this.page(), this.at);
      return this.draw();
    }
    if (samePuzzle(place, this.at) || !(place.name || place.design)) return;
    if (sameFile(place, this.at)) {
      await this.attempt(() => this.turnTo(place.problem, false));
      return;
    }
    if (!this.isLosing() || (await this.mayLeave())) await this.attempt(() => this.open(place));
    goTo(this.page(), this.at);
    this.draw();
  }

  /** @param {string} value of the list of designs */
  chooseDesign(value) {
    if (!value.startsWith(GONE)) return this.choose({ design: value });
    const design = value.slice(GONE.length);
    restore(design);
    return this.choose({ design });
  }

  /** @param {Place} place */
  choose(place) {
    if (place.name || place.design) return this.take(() => this.open({ ...NOWHERE, ...place }, true));
    return this.draw();
  }

  /** @param {string} lattice */
  begin(lattice) {
    return this.take(() => this.load(() => this.blank(lattice), { step: true, keep: true, page: "puzzle" }));
  }

  /** A new puzzle, or one that was begun before and has its name. @param {string} lattice @param {string} [name] */
  blank(lattice, name = freshName()) {
    return blank(lattice, this.about.lattices.find((one) => one.name === lattice)?.dimension ?? 2, name);
  }

  /** Run *work*, which opens another puzzle, if the edited one may be left. @param {() => Promise<any>} work */
  async take(work) {
    const left = this.at;
    const answer = await this.mayLeave();
    if (answer) await this.attempt(work);
    if (samePuzzle(left, this.at)) goTo(this.page(), left);
    this.draw();
  }

  /** The shipped puzzle that was edited, if any. */
  origin() {
    const { form, name, problem = "" } = /** @type {ShippedSubject} */ (this.model.base);
    return form === "shipped" ? { ...NOWHERE, name, problem } : NOWHERE;
  }

  /** Whether the open puzzle may be left. What was edited is kept already; only where there is no room, this asks. */
  async mayLeave() {
    const title = this.model.verdict?.title || this.model.name;
    const question = `This browser has no room to keep the changes to “${title}”. Download the puzzle first, or lose them.`;
    return !this.isLosing() || confirmed(question, "Discard changes");
  }

  /**
   * Open the new puzzle that `ask` promises as a design of this browser, on the given page.
   * @param {() => Promise<any>} ask @param {string} page
   */
  openMade(ask, page) {
    const { design } = this.at;
    return this.take(() =>
      this.load(
        async () => {
          const data = await ask();
          if (design && keptAs(design) !== null) this.saveAs(design); // marks it as recent, so that Back finds it
          return data;
        },
        { step: true, page },
      ),
    );
  }

  /** Open the first puzzle; where it is not there, the page on which one begins: no design is made that nobody wants. */
  async openFirst() {
    if (this.about.puzzles.some(({ name }) => name === FIRST.name)) return this.open(FIRST);
    this.at = NOWHERE;
    this.show(START);
    return goTo(START, NOWHERE);
  }

  /**
   * Open a shipped puzzle or a design of this browser; `step`: Back leads back here.
   * @param {Place} place @param {boolean} [step]
   */
  async open(place, step = false) {
    const shelf = !place.design && place.shelf && parsed(keptAs(place.shelf) ?? "").edited === false ? place.shelf : "";
    const design = place.design || shelf;
    if (!design) {
      const subject = /** @type {Subject} */ ({
        form: "shipped",
        name: place.name,
        ...(place.problem ? { problem: place.problem } : {}),
      });
      await this.load(() => api.open(subject), { step, place: { ...place, shelf: "" } });
      return;
    }
    const text = keptAs(design);
    const { base, ...record } = parsed(text ?? "");
    if (!base) throw new Fault("this browser does not have that design; it may have been deleted");
    const kept = { ...record, history: await keptSteps(design).catch(() => null) };
    if (kept.history) this.steps.opened(design, kept.history);
    const isNew = base.form === "new";
    if (
      !(await this.load(() => (isNew ? this.blank(base.lattice, record.title) : api.open(base)), {
        step,
        place: { ...place, shelf },
        keep: isNew,
        kept,
      }))
    )
      return;
    this.written = text;
    if (this.model.edited) this.versions.keep("again");
    if (place.problem && place.problem !== this.model.whole.at) await this.turnTo(place.problem, false);
  }

  /**
   * Open the puzzle that an address carries, as a design of this browser; the same one again if it was not edited.
   * @param {string} word
   */
  async openCarried(word) {
    const text = await textOf(word).catch((fault) => {
      throw new Fault(fault.message);
    });
    const same = designs().find(({ base, edited }) => base.text === text && !edited);
    if (same) await this.open({ ...NOWHERE, design: same.id });
    else
      await this.load(
        () =>
          api.open({ form: "toml", text }).catch((fault) => {
            throw new Fault(`the link carries no puzzle that can be opened: ${fault.message}`);
          }),
        {},
      );
  }

  /** Open uploaded files: a puzzle and the files that it refers to. @param {File[]} files */
  async readFiles(files) {
    /** @type {LeftOut[]} */
    let lost = [];
    const ask = async () => {
      const data = await api.read(files);
      lost = data.left_out ?? [];
      return data;
    };
    if (!(await this.load(ask, { step: true })) || !lost.length) return;
    const words = lost.map(({ name, fault }) => `${name}: ${fault}`).join("; ");
    throw new Fault(
      `latcover does not support everything in this file. Files that you save will lack the following. ${words}`,
    );
  }

  /**
   * Show another problem of the open file; "" is the one that is shown first.
   * @param {string} key @param {boolean} [step]
   */
  async turnTo(key, step = true) {
    const { model } = this;
    const wanted = key || model.whole.problems[0].key;
    if (!(await model.turnTo(wanted))) return;
    this.place(step);
    if (this.at.design && model.edited) this.save();
  }

  /** Write the open problem into the address. */
  place(step = false) {
    this.at = { ...this.at, problem: this.several() ? this.model.whole.at : "" };
    goTo(this.page(), this.at, step);
  }

  several() {
    return this.model.isPuzzle && this.model.whole.problems.length > 1;
  }

  /**
   * Load what `ask` promises, and show it on a page, or on the one that is open. A puzzle that the address cannot name
   * becomes a design. Returns whether it was loaded.
   * @param {() => Promise<PuzzleData>} ask
   * @param {{ step?: boolean, place?: any, keep?: boolean, kept?: any, page?: string }} options
   */
  async load(ask, { step, place, keep: isNew = false, kept = null, page }) {
    if (!(await this.model.take(ask, isNew, kept))) return false;
    if (page) this.show(page); // before the address is written, which names it
    this.shelf = place?.shelf ?? "";
    this.written = null;
    this.at = place ?? NOWHERE;
    if (place) goTo(this.page(), place, step);
    else this.saveAs(freshId(), step);
    forgetOld();
    this.draw();
    return true;
  }

  // ---- storing

  /**
   * Store the changes. A shipped puzzle whose changes were all undone gets its own address back; its design
   * stays, so that the changes can be redone.
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
      this.draw();
    }
    this.unkept = false;
  }

  /** @param {string} design @param {boolean} [step] */
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
    if (moved || renamed) this.draw();
    if (isFirst && !this.unkept && model.isPuzzle) this.versions.keep("opened", { texts: model.history.states[0] });
    model.tell("kept");
  }

  /**
   * Store the open design and its history under an identifier. Returns whether there was room.
   * @param {string} design
   */
  write(design) {
    const { model } = this;
    const title = model.verdict.title || model.data.title;
    const whole = model.isPuzzle ? textsToKeep(model) : {};
    const text = JSON.stringify({ title, base: model.base, ...whole, edited: model.edited, when: Date.now() });
    const room = keepAs(design, text);
    this.written = text;
    if (room && model.isPuzzle) this.steps.keep(design, model.history).catch(() => this.tellNoSteps());
    return room;
  }

  tellNoSteps() {
    if (this.noSteps) return;
    this.noSteps = true;
    this.model.tell("kept");
  }

  /** Whether closing the page would lose changes. */
  isLosing() {
    return Boolean(this.unkept && this.model.edited);
  }

  /** Delete the open design, and open what it was made of. */
  async forget() {
    const { design } = this.at;
    const title = this.model.verdict.title || this.model.name;
    const origin = this.origin();
    await this.attempt(() => (origin.name ? this.open(origin) : this.openFirst()));
    if (this.at.design !== design) remove(design, title, () => this.draw()); // only now: an open design stays stored
  }
}

/** What can be opened: shipped puzzles, files, new puzzles, and designs of this browser. @param {{ chooser: Chooser }} shown */
function Choices({ chooser }) {
  const { about, at } = chooser;
  const kept = designs().filter(({ base, edited }) => edited || base.form !== "shipped");
  const gone = deleted();
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const own = kept.some(({ id }) => id === at.design) ? at.design : "";
  const lattices = [...new Set(about.puzzles.map(({ lattice }) => lattice))];
  const isNone = !kept.length && !gone.length;
  const beginNew = async () => {
    const lattice = await askLattice(about.lattices);
    if (lattice) await chooser.begin(lattice);
  };
  /** @param {any} event */
  const upload = ({ target }) => {
    const files = [...target.files]; // a puzzle and the lattices that it refers to
    target.value = "";
    if (files.length) chooser.take(() => chooser.readFiles(files));
  };
  /** @param {any} event */
  const choose = ({ target }) => chooser.choose({ name: target.value });
  /** @param {any} event */
  const chooseOwn = ({ target }) => chooser.chooseDesign(target.value);
  return html`<${Field} label="shipped puzzle" hidden=${!about.puzzles.length}>
      <select id="shipped" value=${at.name} onChange=${choose}>
        <option value="">choose …</option>
        ${lattices.map(
          (lattice) =>
            html`<optgroup label=${lattice}>
              ${about.puzzles
                .filter((puzzle) => puzzle.lattice === lattice)
                .map(({ name, title }) => html`<option value=${name} title=${name}>${title || name}</option>`)}
            </optgroup>`,
        )}
      </select>
    <//>
    <${Field} label="your file">
      <input type="file" id="upload" multiple accept=${about.suffixes.join(",")} onChange=${upload} />
    <//>
    ${button("New puzzle …", beginNew, { id: "new" })}
    <span class="row tight">
      <${Field} label="your designs">
        <select id="kept" value=${own} disabled=${isNone} onChange=${chooseOwn}>
          <option value="">${isNone ? "none yet" : "choose …"}</option>
          ${kept.map(
            ({ id, title, when: time }) => html`<option value=${id}>${`${title} (${when.format(time)})`}</option>`,
          )}
          ${
            gone.length > 0 &&
            html`<optgroup label="deleted: opens again">
              ${gone.map(({ id, title }) => html`<option value=${`${GONE}${id}`}>${title}</option>`)}
            </optgroup>`
          }
        </select>
      <//>
      ${button("Delete design", () => chooser.forget(), { class: "danger", disabled: !own })}
    </span>
    ${chooser.more && button(chooser.more.words, () => chooser.attempt(chooser.more?.act ?? (() => {})), { id: "own-lattice" })}`;
}

/**
 * The content of a design for the open file; the state of the open problem is stored only once.
 * @param {Model} model
 */
function textsToKeep(model) {
  const { whole } = model;
  const state = model.state();
  return { state, texts: whole.texts().map((text) => (text === state ? null : text)), at: whole.at };
}
