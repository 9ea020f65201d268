// The page "Watch": shows a search step by step, with two rules side by side: what is tried, taken back and found.

import { counted, number } from "./elements.js";
import { frameOf, layersOf, outline, words } from "./geometry.js";
import { host as api } from "./host.js";
import { Kinds } from "./kinds.js";
import { button, Choice, Held, labelled } from "./panels.js";
import { h, html, render, useEffect, useMemo, useState } from "./preact.js";
import { RunPanel } from "./run.js";

/** @import { Job, Lattice, Standing } from "./web_types.js" */
/** @import { Catalogue, Tint, WatchAnswer, WatchedSearch, WatchedStep } from "./server_types.js" */
/** @import { Model } from "./model.js" */
/** @import { OfInput } from "./panels.js" */

/** @typedef {WatchedStep[0]} Kind */
/** @typedef {{ run: string, told: WatchAnswer, lattice: Lattice, parts: Tint[] }} Watched */

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
  /** @type {Watched | null} */ watched = null;
  /** The puzzle as searched: it may be edited, or another one opened, meanwhile. @type {Pick<Watched, "lattice" | "parts"> | null} */
  searched = null;

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
    model.addEventListener("loaded", () => {
      this.panel.leave();
      this.searched = null;
      this.watch(null);
    });
    this.draw();
  }

  /** @param {Watched | null} watched */
  watch(watched) {
    this.watched = watched;
    this.draw();
  }

  draw() {
    const { watched } = this;
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
        <${Held} class="" nodes=${[this.panel.element]} />
        ${watched && html`<${Stage} key=${watched.run} watched=${watched} />`}`,
      this.element,
    );
  }

  job() {
    this.watch(null);
    const { model, asked } = this;
    const parts = model.parts.map(({ name, rgb }) => ({ name, rgb }));
    this.searched = { lattice: model.lattice, parts };
    const rules = [asked.left, asked.right];
    return /** @type {Job} */ ({ task: "watch", subject: model.subject(), rules, symmetry: asked.symmetry });
  }

  /** @param {Standing} standing */
  async ended({ id, answered }) {
    const { searched } = this;
    if (!answered || !searched) return;
    try {
      const told = /** @type {WatchAnswer} */ (await api.answer(id));
      if (searched === this.searched) this.watch({ run: id, told, ...searched });
    } catch (fault) {
      if (searched === this.searched) this.panel.fail(fault);
    }
  }
}

/** The player, and both searches after a step. @param {{ watched: Watched }} shown */
function Stage({ watched }) {
  const [step, go] = useState(0);
  const [speed, hasten] = useState(2);
  const [isPlaying, play] = useState(false);
  const { searches } = watched.told;
  const trails = useMemo(() => searches.map((search) => new Trail(search)), [watched]);
  const last = Math.max(...searches.map(({ steps }) => steps.length));
  useEffect(
    () => (isPlaying ? playing(SPEEDS[speed], (n) => go((now) => Math.min(now + n, last))) : undefined),
    [isPlaying, speed],
  );
  useEffect(() => {
    if (step === last) play(false);
  }, [isPlaying, step]);
  /** @param {number} to */
  const leap = (to) => {
    play(false);
    go(Math.max(0, Math.min(to, last)));
  };
  const toggle = () => {
    if (!isPlaying && step === last) go(0);
    play(!isPlaying);
  };
  const next = () => leap(Math.min(last, ...trails.map((trail) => trail.next("cover", step) ?? last)));
  const by = (/** @type {string} */ text, /** @type {string} */ label, /** @type {number} */ n) =>
    button(text, () => leap(step + n), { "aria-label": label });
  /** @param {(value: number) => void} put */
  const put =
    (put) =>
    (/** @type {OfInput} */ { target }) =>
      put(Number(target.value));
  const speeds = html`<input
    type="range"
    min="0"
    max=${SPEEDS.length - 1}
    value=${speed}
    aria-label="speed"
    onInput=${put(hasten)}
  />`;
  return html`<div class="stage">
    <div class="row player">
      ${button(isPlaying ? "Pause" : "Play", toggle, { class: "main" })} ${by("«", "to the start", -Infinity)}
      ${by("‹", "one step back", -1)} ${by("›", "one step forward", 1)} ${button("Next solution", next)}
      ${labelled("speed", speeds)}
      <span>${SPEEDS[speed]} steps a second</span>
    </div>
    <div class="row">
      <input type="range" min="0" max=${last} value=${step} aria-label="step" onInput=${put(go)} />
    </div>
    <span role="status">step ${number(step)} of ${number(last)}</span>
    <div class="screens">${trails.map((trail) => h(Screen, { watched, trail, step }))}</div>
  </div>`;
}

/**
 * Count steps at a speed; what it returns ends that.
 * @param {number} speed in steps a second @param {(steps: number) => void} forth
 */
function playing(speed, forth) {
  let before = performance.now();
  let owed = 0;
  /** @param {number} now */
  const tick = (now) => {
    owed += ((now - before) / 1000) * speed;
    before = now;
    const steps = Math.floor(owed);
    owed -= steps;
    timer = requestAnimationFrame(tick);
    if (steps) forth(steps);
  };
  let timer = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(timer);
}

/** One search: its picture and its state. @param {{ watched: Watched, trail: Trail, step: number }} shown */
function Screen({ watched, trail, step }) {
  const { told, lattice, parts } = watched;
  const { steps, about } = trail.search;
  const layers = useMemo(() => {
    const numbers = new Map(told.cells.map((cell, k) => [cell, k]));
    const pixels = told.cells.length > 200 ? 16 : 26;
    return layersOf(lattice, told.cells).map(({ cells, box }) => ({
      frame: frameOf(lattice, box, pixels),
      cells: cells.map((cell) => ({ number: numbers.get(cell), d: outline(lattice, cell) })),
    }));
  }, [watched]);
  const here = Math.min(step, steps.length);
  const { chosen, met } = trail.at(here);
  const colour = new Map();
  for (const option of chosen) {
    const { part, cells } = told.options[option];
    for (const cell of cells) colour.set(cell, part < 0 ? "var(--nothing)" : parts[part].rgb);
  }
  const last = here ? steps[here - 1] : null;
  const marked = new Set(markedBy(told, last));
  /** @param {{ number: number | undefined, d: string }} cell */
  const drawn = ({ number: k, d }) => {
    const mark = marked.has(k ?? -1) ? (last?.[0] === "dead" ? "dead" : "now") : "";
    return html`<path d=${d} fill-rule="evenodd" class="watched ${mark}" fill=${colour.get(k) ?? "var(--cell)"} />`;
  };
  const figures = [
    counted(met.try, "branch", "branches"),
    counted(met.dead, "dead end"),
    counted(met.cover, "solution"),
    ...(met.image ? [counted(met.image, "image of these", "images of these")] : []),
  ];
  return html`<section class="screen" aria-label=${about}>
    <h3>${about}</h3>
    <div class="layers">
      ${layers.map(
        ({ frame, cells }, k) =>
          html`<svg ...${frame} role="img" aria-label=${layers.length > 1 ? `layer ${k + 1}` : "region"}>
            ${cells.map(drawn)}
          </svg>`,
      )}
    </div>
    <p class="words">${said(watched, trail.search, here)}</p>
    <p class="figures">${figures.join(" · ")}</p>
    <svg
      class="profile"
      viewBox="0 0 ${RECENT} 40"
      preserveAspectRatio="none"
      role="img"
      aria-label="depth of the last steps"
    >
      <polyline
        points=${trail.depths(here)}
        fill="none"
        stroke="var(--mark)"
        stroke-width="1"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  </section>`;
}

/** The cells of a step. @param {WatchAnswer} told @param {WatchedStep | null} step */
function markedBy({ options, cells }, step) {
  if (!step) return [];
  const [, , option, item] = step;
  if (option >= 0) return options[option].cells;
  return item >= 0 && item < cells.length ? [item] : [];
}

/** What a search does at a step, in words. @param {Watched} watched @param {WatchedSearch} search @param {number} here */
function said({ told, lattice, parts }, { steps, whole }, here) {
  if (!here) return "nothing is placed yet";
  const [kind, level, option, item, ways] = steps[here - 1];
  const isCell = item < told.cells.length;
  const where =
    item < 0 ? "" : isCell ? `the cell ${words(lattice, told.cells[item])}` : `the part ${told.items[item]}`;
  const placed = told.options[option]?.part ?? -1;
  const part = placed >= 0 ? `part ${parts[placed].name}` : "nothing";
  const texts = {
    try: `level ${level}: ${part} is tried on ${where || "what is left"}, ${ways === 1 ? "the only way" : `one of ${number(ways)} ways`}.`,
    back: `level ${level}: ${part} is taken back.`,
    dead: ways ? `dead end: ${where} has too few ways left.` : `dead end: ${where} cannot be covered any more.`,
    cover: "a solution!",
    image: "a solution that is an image of another.",
  };
  if (here < steps.length) return texts[kind];
  return `${texts[kind]} ${whole ? "The search is done." : "More steps are not shown."}`;
}

/** The steps of a search, with its state stored every KEEP steps. */
class Trail {
  /** @type {number[][]} */ stacks = []; // the options chosen
  /** @type {Record<Kind, number>[]} */ counts = []; // of events

  /** @param {WatchedSearch} search */
  constructor(search) {
    this.search = search;
    this.most = search.steps.reduce((most, step) => Math.max(most, step[1]), 1); // the greatest depth
    /** @type {number[]} */ const chosen = [];
    const met = { ...NONE };
    search.steps.forEach((step, k) => {
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

  /** @param {Kind} kind @param {number} from */
  next(kind, from) {
    const found = this.search.steps.findIndex((step, k) => k >= from && step[0] === kind);
    return found < 0 ? null : found + 1;
  }

  /** The depth of the last steps, as the points of a line. @param {number} here */
  depths(here) {
    const recent = this.search.steps.slice(Math.max(0, here - RECENT), here);
    return recent.map(([, level], k) => `${k},${40 - (38 * level) / this.most}`).join(" ");
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
