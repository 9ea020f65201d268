// The page "Design": derives new puzzles from the open one, in the ways that the host can, and shows them in a gallery.
//
// Each puzzle keeps its gallery while the tab is open, so that Back leads to it from a puzzle opened there.

import { Ahead } from "./ahead.js";
import { confirmed } from "./ask.js";
import { showQuery, where } from "./address.js";
import { askedOf, Form, isValid, usualOf } from "./design_form.js";
import { Gallery } from "./design_gallery.js";
import { isFamily, WAYS } from "./design_ways.js";
import { counted, number, seconds } from "./elements.js";
import { Fault } from "./faults.js";
import { host } from "./host.js";
import { button, Held } from "./panels.js";
import { html, render } from "./preact.js";
import { RunPanel } from "./run.js";
import { keepOf, keptOf } from "./tab_memory.js";

/** @import { FormValues, Job, Standing, Subject } from "./web_types.js" */
/** @import { Catalogue } from "./server_types.js" */
/** @import { Model } from "./model.js" */
/** @import { Chooser } from "./chooser.js" */

const PREFIX = "latcover.made.";
const CHANGED = "The puzzle has changed since. Start again to use the current puzzle.";

export class Design {
  /** @type {string | null} */ run = null;
  /** @type {string | undefined} */ searched; // the way of this run
  /** @type {Record<string, FormValues>} */ values = {}; // of each way
  leaving = false; // while a puzzle of the gallery is opened: the search goes on
  isStale = false; // whether the puzzle has changed since

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about @param {Chooser} chooser */
  constructor(model, element, about, chooser) {
    this.model = model;
    this.element = element;
    this.about = about;
    this.chooser = chooser;
    this.ways = WAYS.filter(({ name }) => !host.ways || name in host.ways);
    this.way = this.ways[0];
    this.ahead = new Ahead(model);
    this.gallery = new Gallery((k, page) => this.open(k, page));
    this.panel = new RunPanel({
      model,
      label: "Find puzzles",
      job: () => this.job(),
      told: (standing) => this.told(standing),
      words: { going, ending },
    });
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => this.stale());
    model.addEventListener("restored", () => this.draw());
    document.addEventListener("cut-cube", (event) => this.cutCube(/** @type {CustomEvent} */ (event).detail));
  }

  get at() {
    return { model: this.model, about: this.about };
  }

  /** Switch to another puzzle, and show again what this tab has derived from it. */
  async reset() {
    if (this.leaving) this.panel.detach();
    else this.panel.leave();
    this.clear();
    if (!this.model.isPuzzle) return;
    const kept = keptOf(PREFIX, this.model.subject());
    this.values = Object.fromEntries(
      this.ways.map((way) => [way.name, { ...usualOf(way, this.at), ...kept.values?.[way.name] }]),
    );
    this.way = this.wayOf(kept.way) ?? this.ways[0];
    this.draw();
    setTimeout(() => this.follow()); // when the address is that of this puzzle
    if (!kept.run) return;
    const { data } = this.model;
    const isThere = await host.standing(kept.run).then(...[true, false].map((is) => () => is));
    if (!isThere || data !== this.model.data || this.run) return;
    [this.run, this.searched] = [kept.run, kept.searched];
    this.panel.attach(kept.run);
  }

  clear() {
    this.gallery.forget();
    this.run = null;
    this.isStale = false;
  }

  /** @param {string | null | undefined} wanted */
  wayOf(wanted) {
    return this.ways.find(({ name }) => name === wanted);
  }

  /** @param {string} name */
  choose(name) {
    this.way = this.wayOf(name) ?? this.way;
    showQuery("design", { way: name });
    this.keep();
    this.draw();
  }

  /** Choose the way that the address names, if it names one. */
  follow() {
    const { page, query } = where();
    const way = query.get("way");
    if (page === "design" && this.wayOf(way)) this.choose(/** @type {string} */ (way));
  }

  /** Put the copy of a puzzle on this page in which all parts are optional. */
  async makeOptional() {
    const { model } = this;
    const words = `Open a copy of “${model.verdict.title || model.name}” in which each of its ${counted(model.parts.length, "kind of part", "kinds of parts")} is optional? This puzzle does not change.`;
    if (!(await confirmed(words, "Open copy"))) return;
    const edits = model.edits();
    edits.name = `${edits.name} family`;
    for (const part of edits.parts) part.low = 0;
    await this.chooser.openMade(async () => {
      const { toml, faults } = await host.open(/** @type {Subject} */ ({ ...model.base, edits }));
      if (!toml) throw new Fault(`the copy cannot be written: ${faults.join("; ")}`);
      return host.open({ form: "toml", text: toml });
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
    await this.chooser.openMade(() => host.open({ form: "toml", text }), "design");
    if (this.model.name !== name) return; // the open puzzle was not left
    this.values.cut.parts = `${parts}`;
    this.choose("cut");
    await this.panel.start();
  }

  job() {
    if (!isValid(this.element)) throw new Fault("one of the fields is not valid");
    this.clear();
    this.searched = this.way.name;
    this.draw();
    const { seconds: time, ...values } = askedOf(this.way, this.values[this.way.name], this.at);
    return /** @type {Job} */ ({
      task: "design",
      subject: this.model.subject(),
      way: this.way.name,
      wanted: this.way.wanted(/** @type {any} */ (values)),
      seconds: time === "" ? null : Number(time),
    });
  }

  /** @param {Standing} standing */
  told(standing) {
    if (!this.run) {
      this.run = standing.id;
      this.keep();
    }
    const way = this.wayOf(this.searched) ?? this.way;
    if (standing.kept) this.gallery.follow(standing.id, standing.kept, way.orders);
  }

  stale() {
    this.isStale = true;
    this.draw();
  }

  /**
   * Open a puzzle of the gallery as a design of this browser. A running search continues.
   * @param {number} k @param {string} page
   */
  async open(k, page) {
    const { run } = this.gallery;
    this.leaving = true;
    try {
      await this.chooser.openMade(
        async () => host.open({ form: "toml", text: await host.designText(/** @type {string} */ (run), k) }),
        page,
      );
    } finally {
      this.leaving = false;
    }
    if (document.activeElement === document.body) document.getElementById(`tab-${page}`)?.focus(); // the button that had the focus is gone
  }

  /** What this tab remembers of each puzzle. */
  keep() {
    const { way, values, run, searched } = this;
    keepOf(PREFIX, this.model.subject(), { way: way.name, values, run, searched });
  }

  draw() {
    if (!this.model.isPuzzle) return;
    const { way, ways } = this;
    const family = isFamily(this.model);
    const missing = { sets: !family, regions: family }[/** @type {string} */ (way.name)] ?? false;
    /** @param {string} name @param {string | boolean} value */
    const put = (name, value) => {
      this.values[way.name][name] = value;
      this.keep();
      this.draw();
    };
    render(
      html`<div class="row ways" role="group" aria-label="What to design" hidden=${ways.length < 2}>
          ${ways.map(({ name, label }) =>
            button(label, () => this.choose(name), {
              class: "view",
              "data-way": name,
              "aria-pressed": String(name === way.name),
            }),
          )}
        </div>
        <p>${way.about}</p>
        ${missing && html`<${Offer} family=${family} make=${() => this.makeOptional()} />`}
        <div hidden=${missing}>
          <${Form} key=${way.name} way=${way} values=${this.values[way.name]} at=${this.at} put=${put} />
          <${Held} class="" nodes=${[this.panel.element]} />
        </div>
        <p class="hint" role="status">${this.isStale && this.run ? CHANGED : ""}</p>
        <${Held} class="" nodes=${[this.gallery.element, this.ahead.element]} />`,
      this.element,
    );
  }
}

/** What the puzzle lacks for a way, and how it gets it. @param {{ family: boolean, make: () => void }} shown */
function Offer({ family, make }) {
  if (family)
    return html`<div class="offer">
      <p>
        Regions need a fixed set of parts, but some parts here are optional or may be used in different numbers. Find a
        set first under “Sets of parts” and open it in the editor, or set how often each part is used on the page Draw.
      </p>
    </div>`;
  return html`<div class="offer">
    <p>
      There is nothing to choose yet: each part is used a fixed number of times. Set how often each part may be used (at
      least, at most) on the page Draw, or open a copy of this puzzle in which every part is optional.
    </p>
    <button type="button" class="main" onClick=${make}>Make all parts optional in a copy</button>
  </div>`;
}

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
  if (fault) return [];
  const lines = (text ?? "").split("\n").filter(Boolean);
  if (reason) lines.push(`Ended early: ${reason}.`);
  if (found === 0 && summary?.complete) lines.push("None of them meets the requirements.");
  if (kept < found) lines.push(`The first ${number(kept)} of ${number(found)} are shown.`);
  const kind = summary?.complete ? "good" : summary?.searched === "exhaustively" ? "warning" : "";
  return lines.map((line, k) => html`<span class=${k === 1 ? kind : undefined}>${line}</span>`);
}
