// The controls beside the picture: solutions, explosion, layers, and the help.

import { button, dom } from "./dom.js";
import { FilmSaving } from "./film_saving.js";

/** @import { Puzzle } from "./types.js" */
/** @import { Viewer } from "./viewer.js" */

const HELP = [
  ["drag, one finger, arrow keys", "turn"],
  ["wheel, two fingers, + and −", "zoom"],
  ["right drag, two fingers", "move"],
  ["click, tap, x", "take out a part; x takes the topmost"],
  ["z, a", "put back the last part, or all parts"],
  ["n, p", "next and previous solution"],
  ["e", "explode or put together"],
  ["l, L", "next and previous layer"],
  ["Space", "play or pause the disassembly"],
  [". and ,", "next and previous move"],
  ["Home, End", "first and last move: together, apart"],
  ["0", "reset the view"],
  ["?", "show or hide this list"],
];

export class Controls {
  /** @type {boolean} */
  lists;
  /** @type {HTMLSelectElement} */ choice;
  /** @type {HTMLInputElement} */ spread;
  /** @type {HTMLButtonElement} */ back;
  /** @type {HTMLButtonElement} */ next;
  /** @type {HTMLInputElement} */ number;
  /** @type {HTMLSpanElement} */ total;
  /** @type {HTMLInputElement} */ slider;
  /** @type {HTMLFieldSetElement} */ steps;

  /**
   * `viewer` has wanted, show(k), explode(share), chooseLayer(n or null), putAll() and a stage.
   * @param {Puzzle} puzzle @param {Viewer} viewer @param {boolean} chooser
   */
  constructor(puzzle, viewer, chooser) {
    this.viewer = viewer;
    this.chooser = chooser;
    const buttons = [button("Reset view", () => viewer.stage?.home()), button("Put all back", () => viewer.putAll())];
    const saving = new FilmSaving(viewer);
    const rows = [this.solutions(), this.explosion(), this.layers(puzzle), dom("div", { class: "row" }, ...buttons)];
    this.element = dom("div", { class: "controls" }, ...rows, saving.element);
    this.list = dom("dl", {});
    this.allowKeys(false);
    this.help = dom("details", { class: "help" }, dom("summary", {}, "Keys and gestures"), this.list);
  }

  solutions() {
    const { viewer } = this;
    this.back = button("‹", () => viewer.show(viewer.wanted - 1), { "aria-label": "Previous solution" });
    this.next = button("›", () => viewer.show(viewer.wanted + 1), { "aria-label": "Next solution" });
    this.number = dom("input", { type: "number", min: "1", inputmode: "numeric", "aria-label": "Solution" });
    this.number.addEventListener("change", () => viewer.show((Math.round(this.number.valueAsNumber) || 1) - 1));
    this.total = dom("span", { class: "total" });
    this.slider = dom("input", { type: "range", min: "1", "aria-label": "Solution" });
    this.slider.addEventListener("input", () => viewer.show(this.slider.valueAsNumber - 1));
    const row = dom("div", { class: "row" }, this.back, this.number, this.total, this.next);
    this.steps = dom("fieldset", {}, dom("legend", {}, "Solution"), row, this.slider);
    return this.steps;
  }

  explosion() {
    this.spread = dom("input", { type: "range", min: "0", max: "100", value: "0" });
    this.spread.addEventListener("input", () => this.viewer.explode(this.spread.valueAsNumber / 100));
    return dom("label", { class: "field" }, dom("span", {}, "Explode"), this.spread);
  }

  /** @param {Puzzle} puzzle */
  layers({ dimension, heights }) {
    const last = heights.length - 1;
    /** @param {number} n */
    const where = (n) => (n === 0 ? " (bottom)" : n === last ? " (top)" : "");
    const options = heights.map((_, n) => dom("option", { value: `${n}` }, `${n + 1}${where(n)}`));
    this.choice = dom("select", {}, dom("option", { value: "" }, "all"), ...options);
    this.choice.addEventListener("change", () => {
      this.viewer.chooseLayer(this.choice.value === "" ? null : Number(this.choice.value));
    });
    const field = dom("label", { class: "field" }, dom("span", {}, "Layer"), this.choice);
    field.hidden = dimension === 2 || heights.length < 2;
    return field;
  }

  /** Show which solution of how many is shown. @param {number} current @param {number} count */
  update(current, count) {
    this.steps.hidden = !this.chooser || count < 2;
    this.number.max = this.slider.max = `${Math.max(1, count)}`;
    this.number.value = this.slider.value = `${current + 1}`;
    this.slider.setAttribute("aria-valuetext", `${current + 1} of ${count}`);
    this.total.textContent = `of ${count.toLocaleString("en")}`;
    this.back.disabled = current <= 0;
    this.next.disabled = current >= count - 1;
  }

  /** List the keys; those of the player only if there is something to play. @param {boolean} player */
  allowKeys(player) {
    if (this.lists !== player) {
      this.lists = player;
      const rows = HELP.filter(([keys]) => player || !["Space", ". and ,", "Home, End"].includes(keys));
      this.list.replaceChildren(...rows.flatMap(([keys, words]) => [dom("dt", {}, keys), dom("dd", {}, words)]));
    }
  }

  /** @param {number} share */
  setExplosion(share) {
    this.spread.value = `${Math.round(100 * share)}`;
  }

  /** @param {number | null} layer */
  setLayer(layer) {
    this.choice.value = layer === null ? "" : `${layer}`;
  }

  toggleHelp() {
    this.help.open = !this.help.open;
    this.help.scrollIntoView({ block: "nearest" });
  }
}
