// The page "Solve": choose who searches, watch how it goes, and browse what is found while it is found.

import * as api from "./api.js";
import { showSolution, where } from "./address.js";
import { keptOf, keepOf } from "./tab_memory.js";
import { choice, counted, el, field, fill, measures, number, save, showFault } from "./elements.js";
import { OnPaper } from "./paper.js";
import { RunPanel } from "./run.js";
import { take } from "./saving.js";
import { unpack } from "./source.js";

const HEIGHT = 620; // pixels, to which a picture is enlarged
const MOST_ZOOM = 1.6;
const MEMORY = "latcover.solved.";

export class Solve {
  constructor(model, element, about) {
    Object.assign(this, { model, element, about });
    this.panel = new RunPanel({
      model,
      label: "Start",
      job: () => this.job(),
      told: (standing) => this.told(standing),
      ended: (standing) => this.ended(standing),
    });
    this.form = el("div", { class: "form" });
    this.options = el("div", { class: "row" });
    this.expert = el("details", { class: "expert" }, el("summary", {}, "Expert options"), this.options);
    this.browser = el("section", { "aria-label": "Solutions", hidden: true });
    this.backend = about.backends.some((backend) => backend.name === "auto") ? "auto" : about.backends[0].name;
    this.values = {};
    this.draw();
    model.addEventListener("loaded", () => this.reset());
    model.addEventListener("changed", () => this.stale());
  }

  reset() {
    const wanted = where().solution;
    this.view = null; // each puzzle opens as suits it
    this.panel.leave();
    this.forget();
    this.attach(keptOf(MEMORY, this.model.subject()), wanted);
  }

  /** The solutions that this tab has found of the same puzzle are there again, as long as the server keeps the run. */
  async attach({ run, task }, wanted) {
    if (!run) return;
    const { data } = this.model;
    const isThere = await api.standing(run).then(() => true, () => false);
    if (!isThere || data !== this.model.data || this.panel.id) return;
    this.searched = this.model.subject();
    this.task = this.tasks.value = task;
    this.current = Math.max(0, wanted - 1);
    this.panel.attach(run);
  }

  forget() {
    this.viewer?.dispose();
    this.viewer = null;
    this.apart?.leave();
    this.scenes = new Map(); // of solutions that were taken apart
    this.run = null;
    this.kept = this.current = 0;
    this.browser.hidden = true;
    showSolution(0);
  }

  stale() {
    if (this.run) this.note.textContent = "The puzzle was changed since; start again to solve it as it is now.";
  }

  draw() {
    this.task = "solve";
    this.tasks = choice([["solve", "find the solutions"], ["count", "count them only"]], "solve", (task) => (this.task = task));
    const backends = this.about.backends.filter((backend) => backend.usable).map(({ name }) => [name, name]);
    this.aboutBackend = el("p", { class: "hint" });
    this.symmetry = choice([["all", "rotations and reflections"], ["rotations", "rotations"], ["none", "none: list all"]], "all");
    this.limit = el("input", { type: "number", min: 1, class: "short", placeholder: "all" });
    this.time = el("input", { type: "number", min: 1, max: this.about.seconds, value: Math.min(60, this.about.seconds), class: "short" });
    fill(this.form,
      el("div", { class: "row" }, field("task", this.tasks), field("backend", choice(backends, this.backend, (name) => this.choose(name))),
        field("count as the same", this.symmetry), field("stop after solutions", this.limit), field("stop after seconds", this.time)),
      this.aboutBackend, this.expert);
    fill(this.element, this.form, this.panel.element, this.browser);
    this.choose(this.backend);
    this.drawBrowser();
  }

  choose(name) {
    this.backend = name;
    this.values = {};
    const backend = this.about.backends.find((other) => other.name === name);
    this.aboutBackend.textContent = backend.about;
    this.expert.hidden = backend.options.length === 0;
    fill(this.options, backend.options.map((option) => field(option.name, this.control(option), option.takes)));
  }

  /** A control for an option of the backend: by what it takes, in words. */
  control({ name, takes, default: usual }) {
    const set = (value) => (this.values[name] = value);
    const words = takes.split(", ");
    if (takes === "true or false") return choice([["", `usual (${usual})`], ["true", "true"], ["false", "false"]], "", set);
    if (words.length > 1 && !takes.includes(" or ")) return choice([["", `usual (${usual})`], ...words.map((word) => [word, word])], "", set);
    const control = el("input", { class: "short", placeholder: usual ?? "usual", onchange: () => set(control.value.trim()) });
    return control;
  }

  job() {
    if ([this.limit, this.time].some((input) => input.validity.badInput)) throw new Error("after how many solutions or seconds to stop must be a number, or left out");
    this.forget();
    this.searched = this.model.subject(); // the puzzle may be edited before the first solution is there
    return {
      task: this.task,
      subject: this.searched,
      backend: this.backend,
      options: Object.fromEntries(Object.entries(this.values).filter(([, value]) => value !== "")),
      symmetry: this.symmetry.value,
      limit: this.limit.value === "" ? null : Number(this.limit.value),
      seconds: this.time.value === "" ? null : Number(this.time.value),
    };
  }

  drawBrowser() {
    this.at = el("input", { type: "number", min: 1, value: 1, class: "short", "aria-label": "number of the solution", onchange: () => this.show(this.at.value - 1) });
    this.of = el("span", {});
    const go = (text, label, to) => el("button", { type: "button", "aria-label": label, onclick: () => this.show(to()) }, text);
    this.picture = el("img", { class: "solution", alt: "", onload: () => this.fit() });
    this.frame = el("div", { class: "scroll" }, this.picture);
    this.space = el("div", { class: "space", hidden: true });
    this.listing = el("pre", { class: "listing", hidden: true });
    this.note = el("p", { class: "hint", role: "status" });
    this.faults = el("div", { class: "faults", role: "alert", hidden: true });
    const views = [["flat", "2D"], ["space", "3D"]].map(([name, text]) =>
      el("button", { type: "button", class: "view", "aria-pressed": name === "flat", "data-view": name, onclick: () => this.look(name) }, text));
    this.views = el("div", { class: "row", role: "group", "aria-label": "View" }, views);
    this.saveOne = el("a", { class: "button", download: "" }, "Save this picture (SVG)");
    this.saveView = el("button", { type: "button", onclick: () => this.savePixels() }, "Save this picture (PNG)");
    this.saveSpace = el("button", { type: "button", onclick: () => this.saveAsSeen() }, "Save this picture in space (GLB)");
    const forms = [...this.about.pictures, ...this.about.models].map(({ name, about }) => [name, about]);
    this.measures = measures();
    const isModel = (form) => this.about.models.some(({ name }) => name === form);
    this.saved = choice(forms, "html", (form) => {
      this.measures.element.hidden = !isModel(form);
      this.measures.choose(form);
    });
    this.measures.element.hidden = true;
    this.saveAs = el("div", { class: "row" }, field("save as", this.saved), this.measures.element,
      el("button", { type: "button", onclick: () => this.saveForm(this.saved.value, this.current, isModel(this.saved.value) ? { measures: this.measures.values() } : {}) }, "Save this solution"),
      el("button", { type: "button", onclick: () => this.saveForm("html") }, "Save all as a page (HTML)"));
    this.onPaper = new OnPaper(this.about.papers, (form, sheet, one) => this.saveForm(form, one ? this.current : undefined, { sheet }));
    this.said = el("p", { class: "status", role: "status" });
    this.saveAll = el("a", { class: "button", download: "" }, "Save all (JSON lines)");
    this.apart = new RunPanel({
      model: this.model,
      label: "Take apart",
      job: () => ({ task: "apart", run: this.run, solution: (this.parting = this.current) }),
      ended: (standing) => this.parted(standing),
    });
    this.view = null;
    this.current = 0;
    fill(this.browser,
      el("div", { class: "row browse" }, el("h3", {}, "Solutions"),
        go("«", "first", () => 0), go("‹", "previous", () => this.current - 1), this.at, this.of,
        go("›", "next", () => this.current + 1), go("»", "last", () => this.kept - 1), this.views),
      this.note, this.faults, this.apart.element, this.frame, this.space, this.listing, el("div", { class: "row" }, this.saveOne, this.saveView, this.saveSpace, this.saveAll), this.saveAs, this.onPaper.element, this.said);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Page up and Page down work wherever the focus is, as long as this page is seen. */
  key(event) {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const elsewhere = this.element.hidden || this.browser.hidden || event.target.closest("select, dialog");
    if (!step || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.show(this.current + step);
  }

  told(standing) {
    keepOf(MEMORY, this.searched, { run: standing.id, task: standing.task });
    if (standing.task !== "solve" || standing.kept === 0) return;
    const first = !this.run;
    this.kept = standing.kept;
    this.run = standing.id;
    this.of.textContent = `of ${number(this.kept)}${this.kept < standing.found ? ` (${number(standing.found)} found)` : ""}`;
    this.at.max = this.kept;
    if (first) this.begin();
    this.viewer?.refresh();
  }

  /** What the search found is worth a version of the design. */
  ended({ task, found, summary, fault }) {
    if (fault || !found) return;
    this.model.solved = `${counted(found, "solution")}${summary?.complete === false ? " or more" : ""}`;
    this.model.tell("solved");
  }

  /** The first solutions are there. */
  begin() {
    const { isPuzzle } = this.model;
    this.browser.hidden = false;
    this.note.textContent = "";
    this.views.hidden = !isPuzzle;
    this.saveAs.hidden = this.onPaper.element.hidden = this.apart.element.hidden = !isPuzzle;
    this.said.textContent = "";
    this.saveAll.href = api.solutionsFile(this.run);
    if (!isPuzzle) this.view = "list";
    this.look(this.view ?? (this.model.lattice.space && drawsInSpace() ? "space" : "flat"));
  }

  /** Enlarge a small picture, as far as there is room. */
  fit() {
    const { naturalWidth, naturalHeight } = this.picture;
    this.picture.width = Math.round(naturalWidth * Math.min(MOST_ZOOM, Math.max(1, HEIGHT / naturalHeight)));
  }

  look(view) {
    this.view = view;
    for (const button of this.views.children) button.setAttribute("aria-pressed", button.dataset.view === view);
    this.frame.hidden = this.saveOne.hidden = view !== "flat";
    this.space.hidden = this.saveView.hidden = this.saveSpace.hidden = view !== "space";
    this.listing.hidden = view !== "list";
    return this.show(this.current);
  }

  async show(k) {
    if (!this.run || this.kept === 0) return;
    this.current = Math.max(0, Math.min(Math.floor(Number(k) || 0), this.kept - 1));
    this.at.value = this.current + 1;
    showSolution(this.current + 1);
    const { run, current } = this;
    showFault(this.faults, null);
    try {
      if (this.view === "flat") {
        this.picture.src = api.solutionPicture(run, current);
        this.picture.alt = `${this.model.data.title}, solution ${current + 1}`;
        this.saveOne.href = this.picture.src;
        this.saveOne.download = `solution-${current + 1}.svg`;
      } else if (this.view === "list") {
        const { options } = await api.solutionData(run, current);
        if (run === this.run && current === this.current) this.listing.textContent = options.map((items) => items.join(" ")).join("\n");
      } else {
        await this.turn(run, current);
      }
    } catch (fault) {
      showFault(this.faults, fault);
    }
  }

  /** The picture in space, as it is seen. */
  async savePixels() {
    const picture = await this.viewer?.picture();
    if (picture) save(picture, `solution-${this.current + 1}.png`);
  }

  /** The solution as a model, its parts as far apart as they are seen. */
  saveAsSeen() {
    const explode = this.viewer?.apart ?? 0;
    return this.saveForm("glb", this.current, { measures: { ...this.measures.values(), ...(explode ? { explode } : {}) } });
  }

  /** The k-th solution as a file, or all of them; `more` are the measures of a model, or the sheet of a picture on paper. */
  async saveForm(form, k, more = {}) {
    showFault(this.faults, null);
    this.said.textContent = "writing";
    try {
      this.said.textContent = take(await api.exported({ run: this.run, solution: k, form, ...more }));
    } catch (fault) {
      this.said.textContent = "";
      showFault(this.faults, fault);
    }
  }

  /** The solution in space, in the viewer that is made when it is first wanted. */
  async turn(run, current) {
    if (!this.viewer) {
      const [data, { mount }] = await Promise.all([api.scene(this.searched), import("./viewer.js")]); // it is large
      if (run !== this.run) return;
      this.viewer ??= mount(this.space, this.source(data, run), { heading: "h3" });
    }
    await this.viewer.show(current);
  }

  /** A solution was taken apart, or cannot be: play it in space. */
  async parted(standing) {
    if (!standing.answered) return;
    const { run, parting } = this;
    try {
      const { scene } = await api.answer(standing.id);
      if (run !== this.run) return;
      this.scenes.set(parting, scene);
      this.current = parting;
      await this.look("space");
      this.viewer.play();
      if (document.activeElement === document.body || this.apart.element.contains(document.activeElement)) this.viewer.focus(); // for its keys
    } catch (fault) {
      showFault(this.faults, fault);
    }
  }

  source(data, run) {
    const page = this;
    return {
      puzzle: data.puzzle,
      parts: data.parts,
      get count() {
        return page.kept;
      },
      async solution(k) {
        page.current = k;
        page.at.value = k + 1;
        showSolution(k + 1);
        return unpack(page.scenes.get(k) ?? (await api.solutionScene(run, k))).solution(0);
      },
    };
  }
}

/** Whether this browser can draw in space. */
function drawsInSpace() {
  return Boolean(document.createElement("canvas").getContext("webgl2"));
}
