// The page "Watch": shows a search step by step, with two rules side by side: what is tried, taken back and found.

import { Kinds } from "./kinds.js";
import { Choice, Held } from "./panels.js";
import { html, render } from "./preact.js";
import { dom, fill, svg } from "./dom.js";
import { counted, field, number } from "./elements.js";
import { canvas, keyOf, layersOf, shape, words } from "./geometry.js";
import { host as api } from "./host.js";
import { RunPanel } from "./run.js";

/** @import { Job, Lattice, Standing } from "./web_types.js" */
/** @import { Catalogue, Tint, WatchAnswer, WatchedSearch, WatchedStep } from "./server_types.js" */
/** @import { Model } from "./model.js" */

/** @typedef {WatchedStep[0]} Kind */

/** @type {Record<Kind, number>} */
const NONE = { try: 0, back: 0, cover: 0, dead: 0, image: 0 };
const SPEEDS = [1, 2, 5, 10, 25, 60, 200, 1000]; // steps a second
const RECENT = 160; // steps whose depth is drawn
const KEEP = 200; // steps between two stored stacks

const SYMMETRY = [
  ["all", "yes"],
  ["none", "no"],
];

export class Watch {
  asked = { left: "first", right: "fewest", symmetry: "all" };
  /** @type {Screen[]} */ screens;
  /** @type {number | null} */ timer;
  /** @type {number} */ step;
  /** @type {number} */ last;
  /** @type {HTMLInputElement} */ slider;
  /** @type {HTMLButtonElement} */ playButton;
  /** @type {HTMLInputElement} */ speed;
  /** @type {HTMLSpanElement} */ rate;
  /** @type {HTMLSpanElement} */ place;

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about */
  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    this.about = about;
    this.panel = new RunPanel({
      model,
      label: "Search",
      job: () => this.job(),
      ended: (standing) => this.ended(standing),
    });
    this.stage = dom("div", { class: "stage", hidden: true });
    model.addEventListener("loaded", () => {
      this.panel.leave();
      this.halt();
      this.stage.hidden = true;
    });
    this.draw();
  }

  draw() {
    const rules = this.about.rules.map(({ name, about }) => [name, about]);
    /** @param {string} label @param {"left" | "right" | "symmetry"} name @param {string[][]} options */
    const choice = (label, name, options) => {
      const choose = (/** @type {string} */ value) => {
        this.asked[name] = value;
        this.draw();
      };
      return Choice({ label, value: this.asked[name], options, choose });
    };
    render(
      html`<${Kinds} own="watch" />
        <p>Both searches fill the same region with the same parts; they differ only in which place they try next.</p>
        <div class="row">
          ${choice("on the left, take", "left", rules)} ${choice("on the right, take", "right", rules)}
          ${choice("use symmetry", "symmetry", SYMMETRY)}
        </div>
        <${Held} class="" nodes=${[this.panel.element, this.stage]} />`,
      this.element,
    );
  }

  job() {
    this.halt();
    this.stage.hidden = true;
    this.parts = this.model.parts.map(({ name, rgb }) => ({ name, rgb })); // as searched: the puzzle may be edited meanwhile
    return /** @type {Job} */ ({
      task: "watch",
      subject: this.model.subject(),
      rules: [this.asked.left, this.asked.right],
      symmetry: this.asked.symmetry,
    });
  }

  /** @param {Standing} standing */
  async ended(standing) {
    if (!standing.answered) return;
    try {
      this.show(await api.answer(standing.id));
    } catch (fault) {
      this.panel.fail(fault);
    }
  }

  /** @param {WatchAnswer} told */
  show(told) {
    this.screens = told.searches.map((search) => new Screen(this.model.lattice, this.parts ?? [], told, search));
    this.last = Math.max(...told.searches.map((search) => search.steps.length));
    this.step = 0;
    this.slider = dom("input", {
      type: "range",
      min: 0,
      max: this.last,
      value: 0,
      "aria-label": "step",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.playButton = dom("button", { type: "button", class: "main", onclick: () => this.play() }, "Play");
    this.speed = dom("input", {
      type: "range",
      min: 0,
      max: SPEEDS.length - 1,
      value: 2,
      "aria-label": "speed",
      oninput: () => this.hasten(),
    });
    this.rate = dom("span", {});
    this.place = dom("span", { role: "status" });
    /** @param {string} text @param {string} label @param {number} n */
    const by = (text, label, n) =>
      dom("button", { type: "button", "aria-label": label, onclick: () => this.leap(n) }, text);
    fill(
      this.stage,
      dom(
        "div",
        { class: "row player" },
        this.playButton,
        by("«", "to the start", -Infinity),
        by("‹", "one step back", -1),
        by("›", "one step forward", 1),
        dom("button", { type: "button", onclick: () => this.seek("cover") }, "Next solution"),
        field("speed", this.speed),
        this.rate,
      ),
      dom("div", { class: "row" }, this.slider),
      this.place,
      dom(
        "div",
        { class: "screens" },
        this.screens.map((screen) => screen.element),
      ),
    );
    this.stage.hidden = false;
    this.hasten();
    this.go(0);
  }

  hasten() {
    this.rate.textContent = `${SPEEDS[Number(this.speed.value)]} steps a second`;
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.max(0, Math.min(step, this.last));
    this.slider.value = `${this.step}`;
    this.place.textContent = `step ${number(this.step)} of ${number(this.last)}`;
    for (const screen of this.screens) screen.go(this.step);
    if (this.step === this.last) this.halt();
  }

  /** @param {number} n */
  leap(n) {
    this.halt();
    this.go(this.step + n);
  }

  /** Play on to the next solution of either search. @param {string} kind */
  seek(kind) {
    const next = this.screens.map((screen) => screen.next(kind, this.step)).filter((step) => step !== null);
    this.leap((next.length ? Math.min(...next) : this.last) - this.step);
  }

  play() {
    if (this.timer) {
      this.halt();
      return;
    }
    if (this.step === this.last) this.go(0);
    this.playButton.textContent = "Pause";
    let before = performance.now();
    let owed = 0;
    /** @param {number} now */
    const tick = (now) => {
      owed += ((now - before) / 1000) * SPEEDS[Number(this.speed.value)];
      before = now;
      const steps = Math.floor(owed);
      owed -= steps;
      this.timer = requestAnimationFrame(tick);
      if (steps) this.go(this.step + steps);
    };
    this.timer = requestAnimationFrame(tick);
  }

  halt() {
    cancelAnimationFrame(this.timer ?? 0);
    this.timer = null;
    if (this.playButton) this.playButton.textContent = "Play";
  }
}

/** One search: its picture and its state. */
class Screen {
  /** @type {number[][]} */
  stacks; // after every KEEP steps, the options chosen
  /** @type {Record<Kind, number>[]} */ counts;

  /** @param {Lattice} lattice @param {Tint[]} parts @param {WatchAnswer} told @param {WatchedSearch} search */
  constructor(lattice, parts, told, search) {
    this.most = 0; // the greatest depth that is drawn
    this.lattice = lattice;
    this.parts = parts;
    this.told = told;
    this.search = search;
    this.shapes = new Map();
    this.words = dom("p", { class: "words" });
    this.figures = dom("p", { class: "figures" });
    this.profile = svg("svg", {
      class: "profile",
      viewBox: `0 0 ${RECENT} 40`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "depth of the last steps",
    });
    this.keep();
    this.element = dom(
      "section",
      { class: "screen", "aria-label": search.about },
      dom("h3", {}, search.about),
      dom("div", { class: "layers" }, this.pictures()),
      this.words,
      this.figures,
      this.profile,
    );
  }

  pictures() {
    const layers = layersOf(this.lattice, this.told.cells);
    const pixels = this.told.cells.length > 200 ? 16 : 26;
    return layers.map(({ cells, box }, k) => {
      const picture = canvas(this.lattice, box, pixels, {
        role: "img",
        "aria-label": layers.length > 1 ? `layer ${k + 1}` : "region",
      });
      for (const cell of cells) {
        const drawn = shape(this.lattice, cell, { class: "watched" });
        this.shapes.set(keyOf(cell), drawn);
        picture.append(drawn);
      }
      return picture;
    });
  }

  /** Store the stack every KEEP steps, and the counts of events. */
  keep() {
    this.stacks = [];
    this.counts = [];
    /** @type {number[]} */ const chosen = [];
    const met = { ...NONE };
    this.search.steps.forEach((step, k) => {
      if (k % KEEP === 0) {
        this.stacks.push([...chosen]);
        this.counts.push({ ...met });
      }
      apply(chosen, met, step);
    });
  }

  /** The stack and the counts after so many steps. @param {number} step */
  at(step) {
    const { steps } = this.search;
    const from = Math.min(Math.floor(step / KEEP), this.stacks.length - 1);
    const chosen = [...(this.stacks[from] ?? [])];
    const met = { ...NONE, ...this.counts[from] };
    for (let k = Math.max(0, from) * KEEP; k < step; k += 1) apply(chosen, met, steps[k]);
    return { chosen, met };
  }

  /** @param {string} kind @param {number} from */
  next(kind, from) {
    const found = this.search.steps.findIndex((step, k) => k >= from && step[0] === kind);
    return found < 0 ? null : found + 1;
  }

  /** @param {number} step */
  go(step) {
    const { steps } = this.search;
    const here = Math.min(step, steps.length);
    const { chosen, met } = this.at(here);
    const colour = new Map();
    for (const option of chosen) {
      const { part, cells } = this.told.options[option];
      for (const cell of cells) colour.set(cell, part < 0 ? "var(--nothing)" : this.parts[part].rgb);
    }
    const last = here ? steps[here - 1] : null;
    const marked = new Set(this.marked(last));
    this.told.cells.forEach((cell, k) => {
      const drawn = this.shapes.get(keyOf(cell));
      drawn.setAttribute("fill", colour.get(k) ?? "var(--cell)");
      drawn.setAttribute("class", `watched ${marked.has(k) ? (last?.[0] === "dead" ? "dead" : "now") : ""}`);
    });
    this.words.textContent = this.say(last, here);
    this.figures.textContent = [
      counted(met.try, "branch", "branches"),
      counted(met.dead, "dead end"),
      counted(met.cover, "solution"),
      ...(met.image ? [counted(met.image, "image of these", "images of these")] : []),
    ].join(" · ");
    this.draw(here);
  }

  /** The cells of the last step. @param {WatchedStep | null} step */
  marked(step) {
    if (!step) return [];
    const [, , option, item] = step;
    if (option >= 0) return this.told.options[option].cells;
    return item >= 0 && item < this.told.cells.length ? [item] : [];
  }

  /** @param {WatchedStep | null} step @param {number} here */
  say(step, here) {
    if (!step) return "nothing is placed yet";
    const [kind, level, option, item, ways] = step;
    const where =
      item < 0
        ? ""
        : item < this.told.cells.length
          ? `the cell ${words(this.lattice, this.told.cells[item])}`
          : `the part ${this.told.items[item]}`;
    const placed = this.told.options[option]?.part ?? -1;
    const part = placed >= 0 ? `part ${this.parts[placed].name}` : "nothing";
    const end =
      here === this.search.steps.length
        ? this.search.whole
          ? " The search is done."
          : " More steps are not shown."
        : "";
    const texts = {
      try: `level ${level}: ${part} is tried on ${where || "what is left"}, ${ways === 1 ? "the only way" : `one of ${number(ways)} ways`}.`,
      back: `level ${level}: ${part} is taken back.`,
      dead: ways ? `dead end: ${where} has too few ways left.` : `dead end: ${where} cannot be covered any more.`,
      cover: "a solution!",
      image: "a solution that is an image of another.",
    };
    return texts[kind] + end;
  }

  /** The depth of the last steps as a line. @param {number} here */
  draw(here) {
    const { steps } = this.search;
    const first = Math.max(0, here - RECENT);
    const most = (this.most ||= steps.reduce((most, step) => Math.max(most, step[1]), 1));
    const points = [];
    for (let k = first; k < here; k += 1) points.push(`${k - first},${40 - (38 * steps[k][1]) / most}`);
    fill(
      this.profile,
      svg("polyline", {
        points: points.join(" "),
        fill: "none",
        stroke: "var(--mark)",
        "stroke-width": 1,
        "vector-effect": "non-scaling-stroke",
      }),
    );
  }
}

/**
 * Keep the options that are chosen, and the counts of what was met, after a step.
 * @param {number[]} chosen @param {Record<Kind, number>} met @param {WatchedStep} step
 */
function apply(chosen, met, [kind, , option]) {
  if (kind === "try") chosen.push(option);
  else if (kind === "back") chosen.pop();
  met[kind] += 1;
}
