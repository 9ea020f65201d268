// The page "Solve": choose a backend, follow the search, and browse the solutions while they are found.

import { showQuery, where } from "./address.js";
import { Ahead } from "./ahead.js";
import { BOUNDS } from "./bounds.js";
import { host as api } from "./host.js";
import { kindsOf, turnTo } from "./kinds.js";
import { keptOf, keepOf } from "./tab_memory.js";
import { dom, fill } from "./dom.js";
import { choice, counted, field, menu, number, showFault } from "./elements.js";
import { Likely } from "./likely.js";
import { following } from "./panels.js";
import { PartRules } from "./part_rules.js";
import { h } from "./preact.js";
import { RunPanel } from "./run.js";
import { unpack } from "./source.js";

/** @import { Standing, Subject } from "./web_types.js" */
/** @import { Viewer } from "./viewer.js" */
/** @import { SolverOption, Catalogue, OfferedBackend, ProblemSolution } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const [LEAST, MOST, ABOVE] = [320, 620, 345]; // pixels: the height of a picture, and of what stands above it
const MOST_ZOOM = 1.6;
const MEMORY = "latcover.solved.";
const DRAWN = 50; // solutions that a run draws at random: the button shows one after the other

export class Solve {
  /** @type {string | null} */
  run;
  /** @type {number} */ current;
  /** @type {string | null} */ view;
  /** @type {Viewer | null} */ viewer;
  /** @type {number} */ kept;
  /** @type {HTMLInputElement} */ at;
  /** @type {HTMLSpanElement} */ of;
  /** @type {HTMLImageElement} */ picture;
  /** @type {HTMLDivElement} */ frame;
  /** @type {HTMLDivElement} */ space;
  /** @type {HTMLPreElement} */ listing;
  /** @type {HTMLParagraphElement} */ note;
  /** @type {HTMLDivElement} */ faults;
  /** @type {HTMLDivElement} */ views;
  /** @type {HTMLButtonElement} */ toApart;
  /** @type {HTMLDetailsElement} */
  folded; // the options
  /** @type {string} */ task;
  /** @type {string | null} */
  shown; // the task of the run that is shown
  /** @type {boolean} */
  isStale; // whether the puzzle has changed since
  isComplete = false; // whether the search has ended with everything
  /** @type {HTMLSelectElement} */ tasks;
  /** @type {HTMLParagraphElement} */ aboutBackend;
  /** @type {HTMLSelectElement} */ symmetry;
  /** @type {HTMLInputElement} */ limit;
  /** @type {HTMLInputElement} */ time;

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about */
  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    this.about = about;
    this.panel = new RunPanel({
      model,
      label: "Solve",
      job: (more) => this.job(more),
      others: [
        ["Random solution", { task: "sample" }],
        ["How likely?", { task: "probabilities" }],
      ],
      spared: (more) => this.showsAnother(more) || this.isAsked(more),
      told: (standing) => this.told(standing),
      ended: (standing) => this.ended(standing),
    });
    this.form = dom("div", { class: "form" });
    this.options = dom("div", { class: "row" });
    this.expert = dom("details", { class: "expert" }, dom("summary", {}, "Of this backend"), this.options);
    this.ahead = new Ahead(model);
    this.unasked = ""; // what was asked of the search that was begun without a press
    this.wanted = 0; // the solution that the address names, while it is not yet there
    this.browser = dom("section", { "aria-label": "Solutions", hidden: true });
    this.likely = new Likely();
    this.backend = about.backends.some((backend) => backend.name === "auto") ? "auto" : about.backends[0].name;
    /** @type {Record<string, any>} */
    this.values = {};
    this.draw();
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => this.stale());
    model.addEventListener("counted", () => this.solveSmall());
  }

  /** A small puzzle needs no button: it is solved as soon as this page is open. */
  solveSmall() {
    const { panel, model } = this;
    const isDone = panel.id && !this.isStale;
    if (
      !this.element.hidden &&
      this.attached === model.data &&
      model.isSmall &&
      !isDone &&
      !panel.running &&
      !panel.trying
    ) {
      panel.startQuietly();
      this.unasked = this.asked({});
    }
  }

  /** What is asked of a search besides the puzzle, as a text. @param {Record<string, any>} more */
  asked({ task = this.task, anyway = false }) {
    return JSON.stringify([
      task,
      anyway,
      this.backend,
      this.values,
      this.symmetry.value,
      this.limit.value,
      this.time.value,
    ]);
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
    this.panel.startButtons[2].hidden = !this.model.isPuzzle;
    this.panel.leave();
    this.forget();
    this.attach(keptOf(MEMORY, this.model.subject()));
  }

  /**
   * Restore the solutions that this tab has found for the same puzzle, as long as the server keeps the run; otherwise search
   * anew if the address names a solution.
   * @param {{ run: string, task: string }} options
   */
  async attach({ run, task }) {
    const { data } = this.model;
    const isThere = Boolean(run) && (await api.standing(run).then(...[true, false].map((is) => () => is)));
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
      if (task === "solve" || task === "count") this.task = this.tasks.value = task;
      this.panel.attach(run);
    } else if (wanted) await this.panel.start();
    else this.solveSmall();
  }

  forget() {
    this.viewer?.dispose();
    this.viewer = null;
    this.run = this.shown = null;
    this.isStale = this.isComplete = false;
    this.likely.clear();
    this.kept = this.current = 0;
    this.browser.hidden = true;
    this.ahead.element.hidden = false;
  }

  stale() {
    this.isStale = true;
    if (this.run) this.note.textContent = "The puzzle has changed since. Press Solve for the current puzzle.";
  }

  draw() {
    this.task = "solve";
    this.tasks = choice(
      [
        ["solve", "find solutions"],
        ["count", "only count them"],
        ["groups", "one of each group: blocks turned in place"],
      ],
      "solve",
      (task) => (this.task = task),
    );
    const backends = this.about.backends.filter((backend) => backend.usable).map(({ name }) => [name, name]);
    this.aboutBackend = dom("p", { class: "hint" });
    this.symmetry = choice(
      [
        ["all", "rotations and reflections"],
        ["rotations", "rotations"],
        ["none", "none: list all"],
      ],
      "all",
    );
    this.limit = dom("input", { type: "number", ...BOUNDS.solve.limit, class: "short", placeholder: "all" });
    this.time = dom("input", {
      type: "number",
      min: 1,
      max: this.about.seconds,
      value: Math.min(60, this.about.seconds),
      class: "short",
    });
    fill(
      this.form,
      dom(
        "div",
        { class: "row" },
        field("task", this.tasks),
        field(
          "backend",
          choice(backends, this.backend, (name) => this.choose(name)),
        ),
        field("count as the same", this.symmetry),
        field("solution limit", this.limit),
        field("time limit (seconds)", this.time),
      ),
      this.aboutBackend,
      this.expert,
      following(this.model, () => h(PartRules, { model: this.model, forms: this.about.part_rules })),
      dom("div", { class: "row" }, this.panel.startButtons.slice(1)),
    );
    this.folded = menu("Options", this.form);
    this.panel.row.prepend(kindsOf("solve") ?? "");
    this.panel.row.append(this.folded);
    fill(this.element, this.panel.element, this.browser, this.ahead.element, this.likely.element);
    this.choose(this.backend);
    this.drawBrowser();
  }

  /** @param {string} name */
  choose(name) {
    this.backend = name;
    this.values = {};
    const backend = /** @type {OfferedBackend} */ (this.about.backends.find((other) => other.name === name));
    this.aboutBackend.textContent = backend.about;
    this.expert.hidden = backend.options.length === 0;
    fill(
      this.options,
      backend.options.map((option) => field(option.name, this.control(option), option.takes)),
    );
  }

  /** A control for an option of the backend, by the description of its values. @param {SolverOption} options */
  control({ name, takes, default: usual }) {
    /** @param {any} value */
    const set = (value) => (this.values[name] = value);
    const words = takes.split(", ");
    if (takes === "true or false")
      return choice(
        [
          ["", `default (${usual})`],
          ["true", "true"],
          ["false", "false"],
        ],
        "",
        set,
      );
    if (words.length > 1 && !takes.includes(" or "))
      return choice([["", `default (${usual})`], ...words.map((word) => [word, word])], "", set);
    /** @type {HTMLInputElement} */
    const control = dom("input", {
      class: "short",
      placeholder: /** @type {any} */ (usual) ?? "usual",
      onchange: () => set(control.value.trim()),
    });
    return control;
  }

  /**
   * Whether a press of "Random solution" has shown the next one of those that were drawn.
   * @param {Record<string, any>} more
   */
  showsAnother({ task }) {
    const isDrawn = task === "sample" && this.shown === task && !this.isStale && this.current + 1 < this.kept;
    if (isDrawn) this.show(this.current + 1);
    return isDrawn;
  }

  /** @param {Record<string, any>} more */
  job({ task = this.task }) {
    if ([this.limit, this.time].some((input) => input.validity.badInput))
      throw new Error("the solution limit and the time limit must be numbers or empty");
    this.forget();
    if (!this.panel.isQuiet) this.folded.open = false;
    if (!this.wanted) showQuery("solve", {});
    this.searched = this.model.subject(); // the puzzle may be edited before the first solution arrives
    const job = {
      task,
      subject: this.searched,
      seconds: this.time.value === "" ? null : Number(this.time.value),
    };
    if (task === "sample") return { ...job, number: DRAWN, seed: Math.floor(Math.random() * 2 ** 48) };
    if (task === "probabilities") return job;
    return {
      ...job,
      ...(task === "groups" ? { task: "solve", group: "blocks" } : {}),
      backend: this.backend,
      options: Object.fromEntries(Object.entries(this.values).filter(([, value]) => value !== "")),
      symmetry: this.symmetry.value,
      limit: this.limit.value === "" ? null : Number(this.limit.value),
    };
  }

  drawBrowser() {
    this.at = dom("input", {
      type: "number",
      min: 1,
      value: 1,
      class: "short",
      "aria-label": "solution number",
      onchange: () => this.show(Number(this.at.value) - 1),
    });
    this.of = dom("span", {});
    /** @param {string} text @param {string} label @param {() => number} to */
    const go = (text, label, to) =>
      dom("button", { type: "button", "aria-label": label, onclick: () => this.show(to()) }, text);
    this.picture = dom("img", { class: "solution", alt: "", onload: () => this.fit() });
    this.frame = dom("div", { class: "scroll" }, this.picture);
    this.space = dom("div", { class: "space", hidden: true });
    this.listing = dom("pre", { class: "listing", hidden: true });
    this.note = dom("p", { class: "hint", role: "status" });
    this.faults = dom("div", { class: "faults", role: "alert", hidden: true });
    const views = [
      ["flat", "2D"],
      ["space", "3D"],
    ].map(([name, text]) =>
      dom(
        "button",
        {
          type: "button",
          class: "view",
          "aria-pressed": name === "flat",
          "data-view": name,
          onclick: () => this.look(name),
        },
        text,
      ),
    );
    this.views = dom("div", { class: "joined", role: "group", "aria-label": "View" }, views);
    this.toApart = dom("button", { type: "button", class: "to-apart", onclick: () => turnTo("apart") }, "Take apart");
    this.view = null;
    this.current = 0;
    fill(
      this.browser,
      dom(
        "div",
        { class: "row browse" },
        go("«", "first", () => 0),
        go("‹", "previous", () => this.current - 1),
        this.at,
        this.of,
        go("›", "next", () => this.current + 1),
        go("»", "last", () => this.kept - 1),
        this.views,
        this.toApart,
      ),
      this.note,
      this.faults,
      this.frame,
      this.space,
      this.listing,
    );
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * Page up and Page down work wherever the focus is, while this page is visible.
   * @param {KeyboardEvent & { target: any }} event
   */
  key(event) {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const elsewhere = this.element.hidden || this.browser.hidden || event.target.closest("select, dialog");
    if (!step || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.show(this.current + step);
  }

  /** @param {Standing} standing */
  told(standing) {
    keepOf(MEMORY, /** @type {Subject} */ (this.searched), { run: standing.id, task: standing.task });
    this.shown = standing.task;
    if (standing.kept === 0) return;
    const first = !this.run;
    this.kept = standing.kept;
    this.run = standing.id;
    const drawn = standing.task === "sample" ? " drawn" : "";
    this.of.textContent = `of ${number(this.kept)}${drawn}${this.kept < standing.found ? ` (${number(standing.found)} found)` : ""}`;
    this.at.max = `${this.kept}`;
    if (this.wanted && (this.wanted < this.kept || standing.state === "ended")) {
      this.current = Math.min(this.wanted, this.kept - 1);
      this.wanted = 0;
      if (!first) this.show(this.current);
    }
    if (first) this.begin();
    this.viewer?.refresh();
  }

  /** A search with results is worth a version of the design. */
  /** @param {Standing} standing */
  async ended({ id, task, found, summary, fault }) {
    if (fault) return;
    this.isComplete = summary?.complete === true;
    if (task === "sample") this.note.textContent = summary?.drawn ?? "";
    this.ahead.element.hidden ||= task === "probabilities"; // the maps are seen instead
    if (task === "probabilities")
      await this.likely.follow(id, this.model.name).catch((f) => showFault(this.panel.fault, f));
    if (!found || task === "sample") return;
    this.model.solved = `${counted(found, "solution")}${summary?.complete === false ? " or more" : ""}`;
    this.model.tell("solved");
  }

  /** The first solutions have arrived. */
  begin() {
    const { isPuzzle } = this.model;
    this.browser.hidden = false;
    this.ahead.element.hidden = true;
    this.note.textContent = "";
    this.views.hidden = !isPuzzle;
    this.toApart.hidden = !isPuzzle;
    if (!isPuzzle) this.view = "list";
    this.look(this.view ?? (this.model.lattice.space && drawsInSpace() ? "space" : "flat"));
  }

  /** Enlarge a small picture so that it ends where the window does; larger ones scroll. */
  fit() {
    const { naturalWidth, naturalHeight } = this.picture;
    const room = Math.max(LEAST, Math.min(MOST, innerHeight - ABOVE));
    this.picture.width = Math.round(naturalWidth * Math.min(MOST_ZOOM, Math.max(1, room / naturalHeight)));
  }

  /** @param {string} view */
  look(view) {
    this.view = view;
    for (const button of /** @type {Iterable<HTMLElement>} */ (this.views.children))
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
    this.frame.hidden = view !== "flat";
    this.space.hidden = view !== "space";
    this.listing.hidden = view !== "list";
    return this.show(this.current);
  }

  /** @param {number} k */
  async show(k) {
    if (!this.run || this.kept === 0) return;
    this.current = Math.max(0, Math.min(Math.floor(Number(k) || 0), this.kept - 1));
    this.at.value = `${this.current + 1}`;
    this.showQuery();
    const { run, current } = this;
    showFault(this.faults, null);
    try {
      if (this.view === "flat") {
        this.picture.src = api.solutionPicture(run, current);
        this.picture.alt = `${this.model.data.title}, solution ${current + 1}`;
      } else if (this.view === "list") {
        const { options } = /** @type {ProblemSolution} */ (await api.solutionData(run, current));
        if (run === this.run && current === this.current)
          this.listing.textContent = options.map((items) => items.join(" ")).join("\n");
      } else {
        await this.turn(run, current);
      }
    } catch (fault) {
      showFault(this.faults, fault);
    }
  }

  /** Write into the address what is seen; a view only where it is not the usual one. */
  showQuery() {
    const isUsual = this.view === (this.model.lattice?.space ? "space" : "flat") || this.view === "list";
    if (!this.wanted) showQuery("solve", { solution: this.current + 1, view: isUsual ? "" : (this.view ?? "") });
  }

  /** Show the solution in the 3D viewer, which is made on first use. @param {string} run @param {number} current */
  async turn(run, current) {
    if (this.viewer) {
      await this.viewer.show(current);
    } else {
      const [data, { mount }] = await Promise.all([
        api.scene(/** @type {Subject} */ (this.searched)),
        import("./viewer.js"),
      ]); // large, so loaded on demand
      // Another run, solution or view may have been asked for since.
      if (run !== this.run || current !== this.current || this.view !== "space") return;
      this.viewer ??= mount(this.space, this.source(data, run), { heading: "h3", chooser: false, first: current });
      await this.viewer?.begun;
    }
  }

  /** @param {any} data @param {string} run */
  source(data, run) {
    const page = this;
    return {
      puzzle: data.puzzle,
      parts: data.parts,
      get count() {
        return page.kept;
      },
      /** @param {number} k */
      async solution(k) {
        page.current = k;
        page.at.value = `${k + 1}`;
        page.showQuery();
        return unpack(await api.solutionScene(run, k)).solution(0);
      },
    };
  }
}

/** Whether this browser can draw in 3D. */
function drawsInSpace() {
  return Boolean(document.createElement("canvas").getContext("webgl2"));
}
