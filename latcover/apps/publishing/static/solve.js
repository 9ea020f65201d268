// The page "Solve": follow a search, and browse the solutions while they are found. It is the same with a server, without one,
// and on a published page: the host says where answers come from.

import { showQuery, where } from "./address.js";
import { Ahead } from "./ahead.js";
import { counted, number } from "./elements.js";
import { host } from "./host.js";
import { Kinds, turnTo } from "./kinds.js";
import { button, Faults, Held } from "./panels.js";
import { html, render } from "./preact.js";
import { RunPanel } from "./run.js";
import { keptOf, keepOf } from "./tab_memory.js";

/** @import { Standing, Subject } from "./web_types.js" */
/** @import { Viewer } from "./viewer.js" */
/** @import { SolveOptions } from "./solve_options.js" */
/** @import { ProblemSolution } from "./server_types.js" */
/** @import { Model } from "./model.js" */
/** @import { Source } from "./types.js" */

/** What is solved: the open puzzle, or that of a published page. */
/** @typedef {Pick<Model, "subject" | "isPuzzle" | "isSmall" | "data" | "lattice" | "name" | "solved" | "tell" | "addEventListener">} Solved */

const [LEAST, MOST, ABOVE] = [320, 620, 345]; // pixels: the height of a picture, and of what stands above it
const MOST_ZOOM = 1.6;
const MEMORY = "latcover.solved.";
const VIEWS = [
  ["flat", "2D"],
  ["space", "3D"],
];
const [ALL, LOOK] = ["Solve", "Show a solution"];
const CHANGED = `The puzzle has changed since. Press ${ALL} for the current puzzle.`;

export class Solve {
  /** @type {string | null} */ run = null; // with solutions
  /** @type {string | null} */ shown = null; // the task of the run that is shown
  /** @type {string | null} */ view = null;
  /** @type {Viewer | null} */ viewer = null;
  /** @type {Subject | undefined} */ searched;
  current = 0;
  kept = 0;
  found = 0;
  wanted = 0; // the solution that the address names, while it is not yet there
  isStale = false; // whether the puzzle has changed since
  isComplete = false; // whether the search has ended with everything
  isStored = false; // whether the solution is shown that came with the page
  note = "";
  listing = "";
  unasked = ""; // what was asked of the search that was begun without a press
  /** @type {any} */ fault = null;

  /**
   * `options` ask for more than all solutions; `below` is shown below the solutions.
   * @param {Solved} model @param {HTMLElement} element @param {SolveOptions | null} [options]
   */
  constructor(model, element, options = null) {
    this.model = model;
    this.element = element;
    this.options = options;
    this.ahead = new Ahead(model);
    this.space = document.createElement("div");
    this.space.className = "space";
    this.panel = new RunPanel({
      model,
      label: ALL,
      job: (more) => this.job(more),
      others: () => (host.stored ? [[LOOK, { stored: true }]] : []),
      spared: (more) => this.showsStored(more) || this.showsAnother(more) || this.isAsked(more),
      told: (standing) => this.told(standing),
      ended: (standing) => this.ended(standing),
      head: () => html`<${Kinds} own="solve" />`,
      tail: () => this.options?.menu(this),
    });
    element.replaceChildren(this.panel.element, (this.below = document.createElement("div")));
    document.addEventListener("keydown", (event) => this.key(event));
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => this.stale());
    model.addEventListener("counted", () => this.show());
    this.draw();
  }

  /** The page is open. A small puzzle needs no button: it is solved at once. */
  show() {
    const { panel, model } = this;
    const isDone = panel.id && !this.isStale;
    const isThere = !this.element.hidden && this.attached === model.data;
    if (!isThere || !model.isSmall || isDone || panel.running || panel.trying || panel.isGivenUp) return;
    panel.startQuietly();
    this.unasked = this.asked({});
  }

  /** Another answer was chosen: that of a small puzzle is shown at once, unless somebody waits for what he has asked for. */
  chosen() {
    const { panel, model } = this;
    panel.draw();
    if (!model.isSmall || ((panel.running || panel.trying) && !panel.isQuiet)) return;
    panel.leave();
    this.show();
  }

  /** What is asked of a search besides the puzzle, as a text. @param {Record<string, any>} more */
  asked({ task = "", anyway = false }) {
    return JSON.stringify([task, anyway, this.options?.asked()]);
  }

  /**
   * Whether a press asks for just the search that was begun without one: it is not begun again.
   * @param {Record<string, any>} more
   */
  isAsked(more) {
    const { panel, unasked } = this;
    if (panel.isQuiet) return false;
    this.unasked = "";
    const goesOn = panel.running || Boolean(panel.trying);
    if (unasked !== this.asked(more) || this.isStale || !(goesOn || this.isComplete)) return false;
    panel.rest(panel.running);
    return true;
  }

  reset() {
    this.view = null; // each puzzle opens in the view that suits it
    this.panel.leave();
    this.forget();
    this.attach(keptOf(MEMORY, this.model.subject()));
  }

  /**
   * Restore the solutions that this tab has found for the same puzzle, as long as the host keeps the run; otherwise search
   * anew if the address names a solution.
   * @param {{ run?: string, task?: string }} kept
   */
  async attach({ run = "", task = "" }) {
    const { data } = this.model;
    const isThere = Boolean(run) && (await host.standing(run).then(...[true, false].map((is) => () => is)));
    await new Promise((resolve) => setTimeout(resolve)); // until the address is that of this puzzle
    if (data !== this.model.data || this.panel.id || this.panel.trying) return;
    const { page, query } = where();
    const wanted = page === "solve" ? Math.floor(Number(query.get("solution"))) || 0 : 0;
    const view = query.get("view");
    this.wanted = Math.max(0, wanted - 1);
    if (view === "flat" || view === "space") this.view = view;
    this.attached = data;
    if (isThere) {
      this.searched = this.model.subject();
      this.options?.take(task);
      this.panel.attach(run);
    } else if (wanted) await this.panel.start();
    else this.show();
  }

  forget() {
    this.viewer?.dispose();
    this.viewer = null;
    this.run = this.shown = this.fault = null;
    this.isStale = this.isComplete = this.isStored = false;
    this.options?.clear();
    this.kept = this.found = this.current = 0;
    this.note = this.listing = "";
    this.draw();
  }

  stale() {
    this.isStale = true;
    this.draw();
  }

  /** Whether the solution was asked for that came with the page. @param {Record<string, any>} more */
  showsStored({ stored }) {
    if (!stored || !host.stored) return false;
    this.panel.leave();
    this.forget();
    this.isStored = true;
    this.draw();
    this.mount(host.stored.source()).then(() => {
      this.viewer?.focus();
      this.space.scrollIntoView({ block: "nearest" });
    });
    return true;
  }

  /**
   * Whether a press of "Random solution" has shown the next one of those that were drawn.
   * @param {Record<string, any>} more
   */
  showsAnother({ task }) {
    const isDrawn = task === "sample" && this.shown === task && !this.isStale && this.current + 1 < this.kept;
    if (isDrawn) this.go(this.current + 1);
    return isDrawn;
  }

  /** @param {Record<string, any>} more */
  job(more) {
    const asked = this.options?.job(more) ?? { task: "solve" };
    this.forget();
    if (!this.wanted) showQuery("solve", {});
    this.searched = this.model.subject(); // the puzzle may be edited before the first solution arrives
    return /** @type {any} */ ({ subject: this.searched, ...asked });
  }

  /** @param {Standing} standing */
  told(standing) {
    const { id, task, kept, found, state } = standing;
    keepOf(MEMORY, /** @type {Subject} */ (this.searched), { run: id, task });
    this.shown = task;
    if (kept === 0) return;
    const first = !this.run;
    [this.kept, this.found, this.run] = [kept, found, id];
    if (this.wanted && (this.wanted < kept || state === "ended")) {
      this.current = Math.min(this.wanted, kept - 1);
      this.wanted = 0;
      if (!first) this.go(this.current);
    }
    if (first) this.begin();
    else this.draw();
    this.viewer?.refresh();
  }

  /** A search with results is worth a version of the design. @param {Standing} standing */
  async ended({ id, task, found, summary, fault }) {
    if (fault) return;
    this.isComplete = summary?.complete === true;
    if (task === "sample") this.note = summary?.drawn ?? "";
    this.draw();
    if (task === "probabilities") await this.options?.follow(id).catch((/** @type {any} */ f) => this.panel.fail(f));
    if (!found || task === "sample") return;
    this.model.solved = `${counted(found, "solution")}${summary?.complete === false ? " or more" : ""}`;
    this.model.tell("solved");
  }

  /** The first solutions have arrived. */
  begin() {
    const { isPuzzle, lattice } = this.model;
    const drawsInSpace = Boolean(document.createElement("canvas").getContext("webgl2"));
    const usual = !("solutionPicture" in host) || (lattice?.space && drawsInSpace) ? "space" : "flat";
    this.look(isPuzzle ? (this.view ?? usual) : "list");
  }

  /** @param {string} view */
  look(view) {
    this.view = view;
    return this.go(this.current);
  }

  /** Page up and Page down work wherever the focus is, while this page is visible. @param {any} event */
  key(event) {
    const step = { PageDown: 1, PageUp: -1 }[/** @type {string} */ (event.key)];
    const elsewhere = this.element.hidden || !this.kept || event.target.closest("select, dialog");
    if (!step || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.go(this.current + step);
  }

  /** Show a solution. @param {number} k */
  async go(k) {
    const { run, view } = this;
    if (!run || this.kept === 0) return;
    const current = (this.current = Math.max(0, Math.min(Math.floor(Number(k) || 0), this.kept - 1)));
    this.fault = null;
    this.showQuery();
    this.draw();
    try {
      if (view === "list") {
        const { options } = /** @type {ProblemSolution} */ (await host.solutionData(run, current));
        if (run === this.run && current === this.current)
          this.listing = options.map((items) => items.join(" ")).join("\n");
      } else if (view === "space") await this.turn(run, current);
    } catch (fault) {
      this.fault = fault;
    }
    this.draw();
  }

  /** Write into the address what is seen; a view only where it is not the usual one. */
  showQuery() {
    const isUsual = !("solutionPicture" in host) || this.view === (this.model.lattice?.space ? "space" : "flat");
    const view = isUsual || this.view === "list" ? "" : (this.view ?? "");
    if (!this.wanted) showQuery("solve", { solution: this.current + 1, view });
  }

  /** Show the solution in the 3D viewer, which is made on first use. @param {string} run @param {number} current */
  async turn(run, current) {
    if (this.viewer) return this.viewer.show(current);
    const source = await host.solutionsOf(/** @type {Subject} */ (this.searched), run);
    const page = this;
    const followed = {
      puzzle: source.puzzle,
      parts: source.parts,
      get count() {
        return page.kept;
      },
      /** @param {number} k */
      solution(k) {
        page.current = k;
        page.showQuery();
        page.draw();
        return source.solution(k);
      },
    };
    return this.mount(followed, () => run === this.run && current === this.current && this.view === "space");
  }

  /**
   * @param {Source} source
   * @param {() => boolean} [isWanted] another run, solution or view may have been asked for while the viewer was loaded
   */
  async mount(source, isWanted = () => true) {
    const { mount } = await import("./viewer.js"); // large, so loaded on demand
    if (!isWanted()) return;
    this.viewer ??= mount(this.space, source, {
      heading: "h3",
      chooser: false,
      first: this.isStored ? 0 : this.current,
    });
    await this.viewer?.begun;
  }

  draw() {
    const { model, kept, run, view, current, panel } = this;
    const own = this.shown === "probabilities"; // the options show maps instead
    const isSpace = this.isStored || view === "space";
    render(
      html`${
        Boolean(kept) &&
        html`<section aria-label="Solutions">
          <${Browser} page=${this} />
          <p class="hint" role="status">${this.isStale ? CHANGED : this.note}</p>
          <${Faults} fault=${this.fault} />
          ${
            view === "flat" &&
            html`<div class="scroll">
              <img
                class="solution"
                alt=${`${model.data.title}, solution ${current + 1}`}
                src=${host.solutionPicture(/** @type {string} */ (run), current)}
                onLoad=${fit}
              />
            </div>`
          }
          ${view === "list" && html`<pre class="listing">${this.listing}</pre>`}
        </section>`
      }
      ${(kept > 0 || this.isStored) && html`<div hidden=${!isSpace}><${Held} class="" nodes=${[this.space]} /></div>`}
      ${!kept && !this.isStored && !own && html`<${Held} class="" nodes=${[this.ahead.element]} />`}
      ${own && this.options?.below()}`,
      this.below,
    );
    panel.draw();
  }
}

/** Which solution is seen, and how. @param {{ page: Solve }} shown */
function Browser({ page }) {
  const { model, kept, found, current, view, shown } = page;
  /** @param {string} text @param {string} label @param {number} to */
  const go = (text, label, to) => button(text, () => page.go(to), { "aria-label": label });
  return html`<div class="row browse">
    ${go("«", "first", 0)} ${go("‹", "previous", current - 1)}
    <input
      type="number"
      min="1"
      max=${kept}
      class="short"
      aria-label="solution number"
      value=${current + 1}
      onChange=${(/** @type {any} */ event) => page.go(Number(event.target.value) - 1)}
    />
    <span
      >of ${number(kept)}${shown === "sample" ? " drawn" : ""}${kept < found ? ` (${number(found)} found)` : ""}</span
    >
    ${go("›", "next", current + 1)} ${go("»", "last", kept - 1)}
    ${
      model.isPuzzle &&
      "solutionPicture" in host &&
      html`<div class="joined" role="group" aria-label="View">
        ${VIEWS.map(([name, text]) =>
          button(text, () => page.look(name), {
            class: "view",
            "data-view": name,
            "aria-pressed": String(name === view),
          }),
        )}
      </div>`
    }
    ${
      model.isPuzzle &&
      host.pages.includes("apart") &&
      button("Take apart", () => turnTo("apart"), { class: "to-apart" })
    }
  </div>`;
}

/** Enlarge a small picture so that it ends where the window does; larger ones scroll. @param {any} event */
function fit({ target: picture }) {
  const { naturalWidth, naturalHeight } = picture;
  const room = Math.max(LEAST, Math.min(MOST, innerHeight - ABOVE));
  picture.width = Math.round(naturalWidth * Math.min(MOST_ZOOM, Math.max(1, room / naturalHeight)));
}
