// The page "Design": derives new puzzles from the open one, and shows them in a gallery.
//
// Each puzzle keeps its gallery while the tab is open, so that Back leads to it from a puzzle opened there.

import { Ahead } from "./ahead.js";
import { ask } from "./ask.js";
import { showQuery, where } from "./address.js";
import { BOUNDS } from "./bounds.js";
import { Form } from "./design_form.js";
import { isFamily, WAYS } from "./design_ways.js";
import { dom, fill } from "./dom.js";
import { counted, number, seconds, showFault } from "./elements.js";
import { Fault } from "./faults.js";
import { Gallery } from "./design_gallery.js";
import { host as api } from "./host.js";
import { RunPanel } from "./run.js";
import { keepOf, keptOf } from "./tab_memory.js";

/** @import { Job, Standing, Subject } from "./web_types.js" */
/** @import { Catalogue } from "./server_types.js" */
/** @import { Model } from "./model.js" */
/** @import { Chooser } from "./chooser.js" */

const PREFIX = "latcover.made.";

export class Design {
  /** @type {any} */
  way;
  /** @type {string | null} */ run;
  /** @type {boolean} */ leaving;
  /** @type {string} */ searched;
  /** @type {Map<string, Form>} */ forms;

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about @param {Chooser} chooser */
  constructor(model, element, about, chooser) {
    this.model = model;
    this.element = element;
    this.about = about;
    this.chooser = chooser;
    this.panel = new RunPanel({
      model,
      label: "Find puzzles",
      job: () => this.job(),
      told: (standing) => this.told(standing),
      words: { going, ending },
    });
    this.gallery = new Gallery({ open: (k, page) => this.open(k, page) });
    this.note = dom("p", { class: "hint", role: "status" });
    this.fault = dom("div", { class: "faults", role: "alert", hidden: true });
    this.ways = dom(
      "div",
      { class: "row ways", role: "group", "aria-label": "What to design", hidden: true },
      WAYS.map((way) =>
        dom(
          "button",
          { type: "button", class: "view", "data-way": way.name, onclick: () => this.choose(way.name) },
          way.label,
        ),
      ),
    );
    this.about_ = dom("p", {});
    this.place = dom("div", {});
    this.offer = dom("div", { class: "offer", hidden: true });
    fill(
      element,
      this.ways,
      this.about_,
      this.offer,
      this.place,
      this.panel.element,
      this.note,
      this.fault,
      this.gallery.element,
      new Ahead(model).element,
    );
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => this.stale());
    model.addEventListener("restored", () => this.drawOffer());
    document.addEventListener("cut-cube", (event) => this.cutCube(/** @type {CustomEvent} */ (event).detail));
  }

  /** Switch to another puzzle, and show again what this tab has derived from it. */
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
    this.forms = new Map(
      WAYS.map((way) => [
        way.name,
        new Form(
          way.fields,
          { model: this.model, about: this.about },
          () => this.keep(),
          BOUNDS[/** @type {keyof typeof BOUNDS} */ (way.name)],
        ),
      ]),
    );
    for (const [name, values] of Object.entries(kept.values ?? {})) this.forms.get(name)?.restore(values);
    this.choose(isWay(kept.way) ? kept.way : "sets", false);
    setTimeout(() => this.follow()); // when the address is that of this puzzle
    if (kept.run) this.attach(kept);
  }

  /** @param {{ run: string, searched: any }} how */
  async attach({ run, searched }) {
    const { data } = this.model;
    try {
      await api.standing(run);
    } catch {
      return; // the server no longer has the run
    }
    if (data !== this.model.data || this.run) return;
    this.run = run;
    this.searched = searched;
    this.panel.attach(run);
  }

  /** @param {string} name @param {boolean} [keep] */
  choose(name, keep = true) {
    this.way = WAYS.find((way) => way.name === name);
    for (const button of /** @type {Iterable<HTMLElement>} */ (this.ways.children))
      button.setAttribute("aria-pressed", String(button.dataset.way === name));
    this.about_.textContent = this.way.about;
    fill(this.place, this.forms.get(name)?.element);
    this.drawOffer();
    if (!keep) return;
    showQuery("design", { way: name });
    this.keep();
  }

  /** Choose the way that the address names, if it names one. */
  follow() {
    const { page, query } = where();
    const way = query.get("way");
    if (page === "design" && isWay(way)) this.choose(/** @type {string} */ (way));
  }

  /** If no part is optional, offer a copy of the puzzle in which every part is. */
  drawOffer() {
    if (!this.model.isPuzzle || !this.way) return;
    const family = isFamily(this.model);
    const missing = /** @type {Record<string, boolean>} */ ({ sets: !family, regions: family })[this.way.name] ?? false;
    this.offer.hidden = !missing;
    this.place.hidden = this.panel.element.hidden = missing;
    if (!missing) return;
    if (family)
      fill(
        this.offer,
        dom(
          "p",
          {},
          "Regions need a fixed set of parts, but some parts here are optional or may be used in different numbers. Find a set first under “Sets of parts” and open it in the editor, or set how often each part is used on the Puzzle page.",
        ),
      );
    else
      fill(
        this.offer,
        dom(
          "p",
          {},
          "There is nothing to choose yet: each part is used a fixed number of times. Set how often each part may be used (at least, at most) on the Puzzle page, or open a copy of this puzzle in which every part is optional.",
        ),
        dom(
          "button",
          { type: "button", class: "main", onclick: () => this.makeOptional() },
          "Make all parts optional in a copy",
        ),
      );
  }

  async makeOptional() {
    const { model } = this;
    const words = `Open a copy of “${model.verdict.title || model.name}” in which each of its ${counted(model.parts.length, "kind of part", "kinds of parts")} is optional? This puzzle does not change.`;
    if (
      !(await ask(words, [
        ["copy", "Open copy"],
        ["", "Cancel"],
      ]))
    )
      return;
    const edits = model.edits();
    edits.name = `${edits.name} family`;
    for (const part of edits.parts) part.low = 0;
    await this.chooser.openMade(async () => {
      const { toml, faults } = await api.open(/** @type {Subject} */ ({ ...model.base, edits }));
      if (!toml) throw new Fault(`the copy cannot be written: ${faults.join("; ")}`);
      return api.open({ form: "toml", text: toml });
    }, "design");
  }

  /** Open a cube of unit cubes, and cut it at once. @param {{ edge: number, parts: number }} how */
  async cutCube({ edge, parts }) {
    const name = `cube-${edge}x${edge}x${edge}`;
    const text = [
      `name = "${name}"`,
      `title = "a cube of ${edge} by ${edge} by ${edge}"`,
      'lattice = "cubic"',
      `[region]\nbox = [${edge}, ${edge}, ${edge}]`,
      `[[parts]]\nname = "cell"\ncount = ${edge ** 3}\ncells = [[0, 0, 0]]\n`,
    ].join("\n");
    await this.chooser.openMade(() => api.open({ form: "toml", text }), "design");
    if (this.model.name !== name) return; // the open puzzle was not left
    this.choose("cut");
    this.forms.get("cut")?.restore({ parts: `${parts}` });
    this.keep();
    await this.panel.start();
  }

  job() {
    const form = /** @type {Form} */ (this.forms.get(this.way.name));
    if (!form.valid()) throw new Fault("one of the fields is not valid");
    this.gallery.forget();
    this.run = null;
    this.note.textContent = "";
    showFault(this.fault, null);
    this.searched = this.way.name;
    const { seconds: time, ...values } = form.asked();
    return /** @type {Job} */ ({
      task: "design",
      subject: this.model.subject(),
      way: this.way.name,
      wanted: this.way.wanted(values),
      seconds: time === "" ? null : Number(time),
    });
  }

  /** @param {Standing} standing */
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
    if (this.run) this.note.textContent = "The puzzle has changed since. Start again to use the current puzzle.";
  }

  /**
   * Open a puzzle of the gallery as a design of this browser. A running search continues.
   * @param {number} k @param {string} page
   */
  async open(k, page) {
    showFault(this.fault, null);
    const { run } = this.gallery;
    this.leaving = true;
    try {
      await this.chooser.openMade(
        async () => api.open({ form: "toml", text: await api.designText(/** @type {string} */ (run), k) }),
        page,
      );
    } finally {
      this.leaving = false;
    }
    if (document.activeElement === document.body) document.getElementById(`tab-${page}`)?.focus(); // the button that had the focus is gone
  }

  // ---- what this tab remembers of each puzzle

  keep() {
    const values = Object.fromEntries([...this.forms].map(([name, form]) => [name, form.values()]));
    keepOf(PREFIX, this.model.subject(), { way: this.way.name, values, run: this.run, searched: this.searched });
  }
}

/** @param {string | null} [wanted] */
const isWay = (wanted) => WAYS.some(({ name }) => name === wanted);

/** @param {Standing} standing */
function going({ state, stage, found, progress }) {
  const { share, looked, candidates, sets, covers, searched, turns } = progress;
  const words = [state === "paused" ? "paused" : stage];
  if (searched === "exhaustively" && !looked && covers) words.push(counted(covers, "solution"));
  if (looked) words.push(`${number(looked)}${candidates ? ` of ${number(candidates)}` : ""} examined`);
  if (looked && sets !== undefined) words.push(`${number(sets)} with a solution`);
  if (found) words.push(`${number(found)} found${turns ? `, with up to ${counted(turns, "turn")}` : ""}`);
  if (looked && progress.seconds && progress.seconds > 1 && searched !== "exhaustively")
    words.push(`${number(Math.round(looked / progress.seconds))} a second`);
  if (share) words.push(`${(100 * share).toFixed(1)} % of the search`);
  if (progress.seconds) words.push(seconds(progress.seconds));
  return words.join(" · ");
}

/** @param {Standing} standing */
function ending({ fault, reason, text, found, kept, summary }) {
  if (fault) return "";
  const lines = (text ?? "").split("\n").filter(Boolean);
  if (reason) lines.push(`Ended early: ${reason}.`);
  if (found === 0 && summary?.complete) lines.push("None of them meets the requirements.");
  if (kept < found) lines.push(`The first ${number(kept)} of ${number(found)} are shown.`);
  const kind = summary?.complete ? "good" : summary?.searched === "exhaustively" ? "warning" : "";
  return lines.map((line, k) => dom("span", { class: k === 1 ? kind : "" }, line));
}
