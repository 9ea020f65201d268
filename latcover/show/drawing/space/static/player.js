// The player: takes a solution apart and puts it together again, move by move. It stands below the picture.

import { button, dom } from "./dom.js";
import { Film } from "./film.js";
import { filmOf } from "./film_making.js";
import { PlayNeeded } from "./play_needed.js";

/** @import { Viewer } from "./viewer.js" */
/** @import { Disassembly, Item } from "./types.js" */

const HASTE = 5; // how much faster a place further away is reached, for each move to it
const EASE = 400; // milliseconds until small shifts are shown larger
const CALM_MOVE = 1200; // milliseconds between two moves that are played without motion

export class Player {
  /** @type {HTMLButtonElement} */
  first;
  /** @type {HTMLButtonElement} */ back;
  /** @type {HTMLButtonElement} */ start;
  /** @type {HTMLButtonElement} */ next;
  /** @type {HTMLButtonElement} */ end;
  /** @type {HTMLInputElement} */ slider;
  /** @type {HTMLParagraphElement} */ words;
  /** @type {HTMLParagraphElement} */ keys;
  /** @type {HTMLInputElement} */ larger;
  /** @type {HTMLLabelElement} */ small;
  /** @type {PlayNeeded} */ needed;
  /** @type {HTMLDivElement} */ bar;
  /** @type {HTMLElement} */ element;

  /**
   * `viewer` has a stage, the size of a cell, and played(): it is called when the place or what is said has changed.
   * @param {Viewer} viewer
   */
  constructor(viewer) {
    this.viewer = viewer;
    this.result = "";
    /** @type {Film | null} */
    this.film = null;
    this.place = 0;
    this.goal = 0;
    this.playing = false;
    this.waited = 0;
    this.build();
  }

  build() {
    /** @param {string} words @param {string} label @param {() => void} what */
    const act = (words, label, what) => button(words, what, { "aria-label": label, title: label });
    this.first = act("«", "All together (Home)", () => this.go(0));
    this.back = act("‹", "Previous move (,)", () => this.step(-1));
    this.start = button("Play", () => this.toggle(), { class: "play", title: "Space" });
    this.next = act("›", "Next move (.)", () => this.step(1));
    this.end = act("»", "All apart (End)", () => this.go(Infinity));
    this.slider = dom("input", { type: "range", min: "0", value: "0", step: "1", "aria-label": "Move" });
    this.slider.addEventListener("input", () => this.go(this.slider.valueAsNumber));
    this.words = dom("p", { class: "move", "aria-live": "polite" });
    const keys = "Space: play or pause · full stop and comma: next and previous move · Home and End: together, apart";
    this.keys = dom("p", { class: "keys" }, keys);
    this.larger = dom("input", { type: "checkbox" });
    this.larger.addEventListener("change", () => this.viewer.stage?.invalidate());
    this.small = dom("label", { class: "small-shifts", hidden: "" }, this.larger, "Show small shifts larger");
    this.needed = new PlayNeeded();
    const buttons = dom("div", { class: "row" }, this.first, this.back, this.start, this.next, this.end, this.slider);
    const more = dom("div", { class: "row more" }, this.small, this.needed.element);
    this.bar = dom("div", { class: "bar" }, buttons, more, this.keys);
    this.element = dom("section", { class: "player", "aria-label": "Disassembly", hidden: "" }, this.words, this.bar);
  }

  /**
   * Prepare to show from its beginning how a solution with these items comes apart; null if that is not known.
   * @param {Disassembly | null} disassembly @param {Item[]} items
   */
  load(disassembly, items) {
    const { puzzle } = this.viewer.source;
    this.element.hidden = !disassembly;
    this.film = disassembly?.separations.length
      ? new Film(filmOf(disassembly, items, puzzle), items.length, puzzle.size)
      : null;
    this.result = disassembly?.words ?? "";
    this.bar.hidden = !this.film;
    this.small.hidden = !this.film?.yields;
    this.needed.show(disassembly?.play);
    this.place = this.goal = 0;
    this.playing = false;
    this.slider.max = `${this.film?.last ?? 0}`;
    this.tell();
  }

  /** Go to a place, smoothly. @param {number} place */
  go(place) {
    if (this.film) {
      this.aim(Math.max(0, Math.min(place, this.film.last)), false);
    }
  }

  /** @param {number} goal @param {boolean} playing */
  aim(goal, playing) {
    this.goal = goal;
    this.playing = playing && this.viewer.stage !== null;
    this.waited = CALM_MOVE; // the first move comes at once
    if (this.viewer.stage === null) {
      this.place = goal; // nothing is drawn, and nothing goes on by itself
    }
    this.tell();
  }

  /** Go to the next place where a move begins, or to the one before. @param {number} by */
  step(by) {
    this.go(by > 0 ? Math.floor(this.goal) + 1 : Math.ceil(this.goal) - 1);
  }

  toggle() {
    if (this.playing) {
      this.go(Math.ceil(this.place)); // the move that has begun is made
    } else if (this.film) {
      if (this.place === this.film.last) {
        this.place = 0;
      }
      this.aim(this.film.last, true);
    }
  }

  /** Be at the beginning at once. */
  rewind() {
    if (this.film && (this.place || this.goal)) {
      this.place = this.goal = 0;
      this.playing = false;
      this.tell();
    }
  }

  /** Go on by some milliseconds. Returns whether it still moves. @param {number} passed @param {boolean} calm */
  advance(passed, calm) {
    if (!this.film) {
      return false;
    }
    const larger = this.enlarge(passed, calm, this.film);
    if (this.place === this.goal) {
      return larger;
    }
    this.place = calm ? this.leap(passed) : this.glide(passed, this.film);
    if (this.place === this.goal) {
      this.playing = false;
    }
    this.tell();
    return this.place !== this.goal;
  }

  /**
   * Show small shifts larger, or true again, little by little. Returns whether it goes on.
   * @param {number} passed @param {boolean} calm @param {Film} film
   */
  enlarge(passed, calm, film) {
    const left = (this.larger.checked ? 1 : 0) - film.enlarged;
    film.enlarged += Math.sign(left) * Math.min(Math.abs(left), calm ? 1 : passed / EASE);
    return film.enlarged !== (this.larger.checked ? 1 : 0);
  }

  /** @param {number} passed @param {Film} film */
  glide(passed, film) {
    const left = this.goal - this.place;
    const haste = this.playing ? 1 : 1 + HASTE * Math.max(0, Math.abs(left) - 1);
    const way = (haste * passed) / film.duration(left < 0 ? Math.ceil(this.place) - 1 : this.place);
    return Math.abs(left) <= way ? this.goal : this.place + Math.sign(left) * way;
  }

  /** @param {number} passed */
  leap(passed) {
    if (!this.playing) {
      return this.goal;
    }
    this.waited += passed;
    if (this.waited < CALM_MOVE) {
      return this.place;
    }
    this.waited = 0;
    return Math.floor(this.place) + 1;
  }

  tell() {
    const { film, place, goal } = this;
    const now = film ? film.shown(place) + 1 : 0;
    const words = film && now ? `move ${now} of ${film.last}: ${film.moves[now - 1].words}` : this.result;
    if (this.words.textContent !== words) {
      this.words.textContent = words;
    }
    this.slider.value = `${this.playing ? now : Math.round(goal)}`;
    this.slider.setAttribute("aria-valuetext", words);
    this.start.textContent = this.playing ? "Pause" : "Play";
    this.first.disabled = this.back.disabled = goal === 0 && place === 0;
    this.end.disabled = this.next.disabled = !film || (goal === film.last && !this.playing);
    this.viewer.played(this);
  }
}
