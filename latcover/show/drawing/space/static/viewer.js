// The viewer shows one solution at a time. The user can turn, zoom, explode and take it apart, or see single layers.
//
//   import { mount } from "./viewer.js";
//   import { unpack } from "./source.js";
//   const viewer = mount(element, unpack(data));
//
// `mount(element, source)` fills an element with the view and its controls; widgets.css and viewer.css must be loaded.
// source.js describes sources. The third argument, { heading: "h1", chooser: true, first: 0, plays: false } by default, sets
// the level of the title, whether there are controls to choose a solution (a page may have its own), the solution that is
// shown first, and whether its film begins at once; where people want less motion it waits for them.
// It returns
//   play()      play the film of the solution that is shown, if it has one
//   show(k)     show solution k, counted from 0; a promise that is fulfilled when it is drawn
//   refresh()   call it when source.count has grown
//   begun       a promise that is fulfilled when the first solution is drawn, or at once if there is none yet
//   picture()   what is seen, as an image (PNG); a promise of a Blob, or of null where nothing is drawn
//   apart       how far the parts are apart, as a share of their distance from the middle, as models take it
//   focus()     give the picture the keyboard focus
//   dispose()   remove everything
//   element     the element that it fills
// The element must have a height of its own (as `height: 100vh`), which the viewer fills.

import { Controls } from "./controls.js";
import { dom } from "./dom.js";
import { Legend } from "./legend.js";
import { Player } from "./player.js";
import { Stage, rendererFor } from "./stage.js";

/** @import { Item, Part, Puzzle, Solution, Source } from "./types.js" */

const TURN = Math.PI / 24; // by an arrow key
const ZOOM = 1.15;
const FULL = 1.6; // the share of a model at which the parts are fully apart here
const PLAYER_KEYS = [" ", ".", ",", "Home", "End"];

/**
 * @param {HTMLElement} element @param {Source} source
 * @param {{ heading?: "h1" | "h2" | "h3", chooser?: boolean, first?: number, plays?: boolean }} [how] @returns {Viewer}
 */
export function mount(element, source, { heading = "h1", chooser = true, first = 0, plays = false } = {}) {
  const viewer = new Viewer(element, source, heading, chooser, first);
  if (plays && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    viewer.begun.then(() => viewer.play());
  }
  return viewer;
}

export class Viewer {
  /** @type {Solution} */
  solution;
  /** @type {HTMLHeadingElement} */ title;
  /** @type {HTMLParagraphElement} */ status;
  /** @type {HTMLCanvasElement} */ canvas;
  /** @type {HTMLDivElement} */ tip;
  /** @type {HTMLDivElement} */ view;
  /** @type {Player} */ player;
  /** @type {Controls} */ controls;
  /** @type {Legend} */ legend;
  /** @type {HTMLDivElement} */ root;
  /** @type {Stage | null} */ stage;

  /**
   * @param {HTMLElement} element @param {Source} source @param {"h1" | "h2" | "h3"} heading @param {boolean} chooser
   * @param {number} first
   */
  constructor(element, source, heading, chooser, first) {
    this.element = element;
    this.source = source;
    this.current = -1;
    this.wanted = first; // the solution that was asked for last
    this.asked = 0; // how often a solution was asked for: what the latest asks for is drawn
    /** @type {Item[]} */
    this.items = [];
    /** @type {string[]} */
    this.copies = []; // of each item, which copy of which part it is
    /** @type {string[]} */
    this.outs = []; // the copies that were taken out, in that order
    this.build(heading, chooser);
    this.keys = keys(this);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    document.addEventListener("keydown", this.onKey); // also while nothing has the focus
    this.begun = this.refresh();
    if (this.asked === 0) {
      this.say("no solution yet");
    }
  }

  /** @param {"h1" | "h2" | "h3"} heading @param {boolean} chooser */
  build(heading, chooser) {
    const { puzzle, parts } = this.source;
    this.title = dom(heading, { class: "title" }, puzzle.title);
    this.status = dom("p", { class: "status", role: "status" });
    this.canvas = dom("canvas", { tabindex: "0", role: "application", "aria-roledescription": "3D picture" });
    this.tip = dom("div", { class: "tip", "aria-hidden": "true", hidden: "" });
    this.view = dom("div", { class: "view" }, this.canvas, this.tip);
    this.player = new Player(this);
    this.controls = new Controls(puzzle, this, chooser);
    this.legend = new Legend(parts, {
      /** @param {number} number */
      onToggle: (number) => this.toggle(number),
      /** @param {number} number */
      onShine: (number) => this.stage?.shine(number),
    });
    const side = dom("div", { class: "side" }, this.controls.element, this.legend.element, this.controls.help);
    const head = dom("header", {}, this.title, this.status);
    this.root = dom("div", { class: "latcover-viewer" }, head, this.view, this.player.element, side);
    this.element.replaceChildren(this.root);
    this.stage = this.stageFor(puzzle, parts);
  }

  /**
   * Null if the browser has no WebGL. Then everything but the picture works.
   * @param {Puzzle} puzzle @param {Part[]} parts
   */
  stageFor(puzzle, parts) {
    let renderer;
    try {
      renderer = rendererFor(this.canvas);
    } catch (error) {
      const words = `3D pictures need a browser with WebGL (${error.message}).`;
      this.view.replaceChildren(dom("p", { class: "trouble", role: "alert" }, words));
      return null;
    }
    return new Stage(renderer, puzzle, parts, {
      /** @param {number} number */
      onPick: (number) => this.toggle(number),
      /** @param {number} number @param {number} x @param {number} y */
      onHover: (number, x, y) => this.hover(number, x, y),
    });
  }

  /**
   * Show solution k. If it is called again before the solution is loaded, only the last call counts.
   * @param {number} k
   */
  async show(k) {
    const wanted = (this.wanted = Math.max(0, Math.min(k, this.source.count - 1)));
    const asked = (this.asked += 1);
    try {
      const solution = await this.source.solution(wanted);
      if (asked === this.asked && this.root.isConnected) {
        this.draw(wanted, solution);
      }
    } catch (error) {
      this.say(`solution ${wanted + 1} cannot be shown: ${error.message}`);
    }
  }

  /** @param {number} k @param {Solution} solution */
  draw(k, solution) {
    this.current = k;
    this.solution = solution;
    this.items = solution.items;
    this.copies = copiesOf(solution.items);
    this.player.load(solution.disassembly ?? null, this.items);
    this.stage?.show(this.items, (number) => this.isOut(number), this.player);
    this.legend.show(this.items, this.copies, (number) => this.isOut(number));
    this.controls.update(k, this.source.count);
    this.say(this.named());
  }

  /** Whether a piece is out. The same copy of the same part is then out in every solution. @param {number} number */
  isOut(number) {
    return this.outs.includes(this.copies[number]);
  }

  /** What was asked for is not asked for again while it loads. */
  async refresh() {
    this.controls.update(this.current, this.source.count);
    if (this.asked === 0 && this.source.count > 0) {
      await this.show(this.wanted);
    }
  }

  named() {
    const { number, image, orbit } = this.solution;
    const which = image > 1 ? `, image ${image} of ${orbit}` : "";
    return `solution ${number}${which}`;
  }

  /** Take a piece out, or put it back. @param {number} number */
  toggle(number) {
    const copy = this.copies[number];
    const out = !this.outs.includes(copy);
    this.outs = out ? [...this.outs, copy] : this.outs.filter((other) => other !== copy);
    this.stage?.take(number, out);
    this.legend.mark(number, out);
    this.hover(null, 0, 0);
    this.say(`${this.legend.nameOf(number)} ${out ? "taken out" : "put back"}`);
  }

  /** Take out the topmost piece; in a flat puzzle, the next one in the list. */
  takeNext() {
    const left = this.items.map((_, number) => number).filter((n) => this.items[n].part >= 0 && !this.isOut(n));
    /** @param {number} number */
    const height = (number) => (this.source.puzzle.dimension === 2 ? 0 : (this.stage?.heightOf(number) ?? 0));
    left.sort((a, b) => height(b) - height(a) || a - b);
    if (left.length) {
      this.toggle(left[0]);
    } else {
      this.say("all parts are out");
    }
  }

  putLast() {
    const here = this.outs.filter((copy) => this.copies.includes(copy)); // this solution may lack a part of another
    if (here.length) {
      this.toggle(this.copies.indexOf(here[here.length - 1]));
    } else {
      this.putAll();
    }
  }

  putAll() {
    for (const [number, copy] of this.copies.entries()) {
      if (this.outs.includes(copy)) {
        this.stage?.take(number, false);
        this.legend.mark(number, false);
      }
    }
    this.outs = [];
    this.say("all parts are in place");
  }

  /** The player has moved, or is about to. @param {Player} player */
  played({ film, place, goal, playing }) {
    const { dataset } = this.root;
    if (film) {
      Object.assign(dataset, { move: place, moves: film.last, playing });
    } else {
      ["move", "moves", "playing"].forEach((name) => delete dataset[name]);
    }
    if ((place || goal) && this.stage?.explosion) {
      this.explode(0);
    }
    this.stage?.follow();
    this.legend.light(film?.lit(place)?.pieces ?? new Set());
    this.controls.allowKeys(Boolean(film));
  }

  /** @param {number} share */
  explode(share) {
    if (share) {
      this.player.rewind();
    }
    this.stage?.explode(share);
    this.controls.setExplosion(share);
  }

  /** Choose a layer, counted from 0; null for all of them. @param {number | null} layer */
  chooseLayer(layer) {
    this.stage?.choose(layer);
    this.controls.setLayer(layer);
    this.say(layer === null ? "all layers" : `layer ${layer + 1} of ${this.source.puzzle.heights.length}`);
  }

  /** @param {number} by */
  stepLayer(by) {
    const count = this.source.puzzle.dimension === 3 ? this.source.puzzle.heights.length : 0;
    if (count > 1) {
      const place = ((this.stage?.layer ?? -1) + 1 + by + count + 1) % (count + 1); // 0 is all of them
      this.chooseLayer(place === 0 ? null : place - 1);
    }
  }

  /** @param {number | null} number @param {number} x @param {number} y */
  hover(number, x, y) {
    this.tip.hidden = number === null;
    this.canvas.classList.toggle("over", number !== null);
    this.legend.point(number);
    if (number !== null) {
      this.tip.textContent = this.legend.nameOf(number);
      const room = this.view.clientWidth - this.tip.offsetWidth - 4;
      this.tip.style.left = `${Math.max(4, Math.min(x + 14, room))}px`;
      this.tip.style.top = `${Math.max(4, y - 30)}px`;
    }
  }

  /** @param {string} words */
  say(words) {
    this.status.textContent = words;
    const inPlace = this.items.filter((item, number) => item.part >= 0 && !this.isOut(number)).length;
    const label = `${this.source.puzzle.title}, ${words}; ${inPlace} parts in place. Press ? for the keys.`;
    this.canvas.setAttribute("aria-label", label);
  }

  /**
   * A key of the viewer; or one that is pressed while nothing on the page has the focus, unless it scrolls.
   * @param {KeyboardEvent} event
   */
  pressed(event) {
    const target = /** @type {Element} */ (event.target);
    const nowhere = target === document.body && event.key.length === 1;
    if (nowhere ? !this.root.checkVisibility() : !this.element.contains(target)) {
      return;
    }
    const typing = target.closest("input:not([type=checkbox]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key.startsWith("Arrow") && target !== this.canvas) {
      return; // elsewhere they scroll
    }
    const act = this.keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const own = event.key === " " && target.closest("button, summary, input"); // these have a use for it
    const idle = PLAYER_KEYS.includes(event.key) && !this.player.film;
    if (act && !own && !idle) {
      event.preventDefault();
      act(event);
    }
  }

  play() {
    if (this.player.film && !this.player.playing) {
      this.player.toggle();
    }
  }

  focus() {
    this.canvas.focus({ focusVisible: false }); // a ring is for those who come by keyboard
  }

  get apart() {
    return (this.stage?.explosion ?? 0) * FULL;
  }

  picture() {
    return this.stage ? this.stage.picture() : Promise.resolve(null);
  }

  dispose() {
    this.asked += 1;
    document.removeEventListener("keydown", this.onKey);
    this.stage?.dispose();
    this.root.remove();
  }
}

/**
 * What each key does. The help in controls.js lists the keys.
 * @param {Viewer} viewer @returns {Record<string, (event: KeyboardEvent) => void>}
 */
function keys(viewer) {
  /** @param {number} right @param {number} up */
  const turn = (right, up) => () => viewer.stage?.eye.turn(right * TURN, up * TURN);
  return {
    ArrowLeft: turn(-1, 0),
    ArrowRight: turn(1, 0),
    ArrowUp: turn(0, -1),
    ArrowDown: turn(0, 1),
    "+": () => viewer.stage?.eye.zoom(ZOOM),
    "=": () => viewer.stage?.eye.zoom(ZOOM),
    "-": () => viewer.stage?.eye.zoom(1 / ZOOM),
    0: () => viewer.stage?.home(),
    n: () => viewer.show(viewer.wanted + 1),
    p: () => viewer.show(viewer.wanted - 1),
    e: () => viewer.explode((viewer.stage?.explosion ?? 0) > 0 ? 0 : 0.6),
    x: () => viewer.takeNext(),
    z: () => viewer.putLast(),
    a: () => viewer.putAll(),
    l: (event) => viewer.stepLayer(event.shiftKey ? -1 : 1),
    " ": () => viewer.player.toggle(),
    ".": () => viewer.player.step(1),
    ",": () => viewer.player.step(-1),
    Home: () => viewer.player.go(0),
    End: () => viewer.player.go(Infinity),
    "?": () => viewer.controls.toggleHelp(),
  };
}

/** For each item the number of its part and of the copy, as one string. @param {Item[]} items */
function copiesOf(items) {
  const used = new Map();
  return items.map(({ part }) => {
    const copy = used.get(part) ?? 0;
    used.set(part, copy + 1);
    return `${part} ${copy}`;
  });
}
