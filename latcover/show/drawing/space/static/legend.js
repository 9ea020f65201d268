// The list of parts: names, letters and colours, and which of them are in place.

import { ink } from "./colours.js";
import { dom } from "./dom.js";

/** @import { Item, Part, Patch } from "./types.js" */

export class Legend {
  /**
   * `tell` is {onToggle(number), onShine(number or null)}; the numbers are of pieces of the solution.
   * @param {Part[]} parts @param {{ onToggle(number: number): void, onShine(number: number | null): void }} tell
   */
  constructor(parts, tell) {
    /** @type {HTMLLIElement[]} */
    this.rows = []; // by the number of a piece; cells that stay empty have none
    /** @type {HTMLInputElement[]} */
    this.boxes = [];
    /** @type {string[]} */
    this.names = [];
    this.parts = parts;
    this.tell = tell;
    this.list = dom("ul", {});
    this.element = dom("fieldset", { class: "parts" }, dom("legend", {}, "Parts in place"), this.list);
  }

  /**
   * List the pieces of a solution; `copies` names each as "part copy".
   * @param {Item[]} items @param {string[]} copies @param {(number: number) => boolean} isOut
   */
  show(items, copies, isOut) {
    const many = new Map();
    for (const { part } of items) {
      many.set(part, (many.get(part) ?? 0) + 1);
    }
    const focused = this.boxes.findIndex((box) => box === document.activeElement);
    this.rows = [];
    this.boxes = [];
    this.names = items.map(({ part }, number) => {
      const copy = Number(copies[number].split(" ")[1]);
      const name = this.parts[part]?.name ?? "empty";
      return (many.get(part) ?? 0) > 1 && part >= 0 ? `${name} ${copy + 1}` : name;
    });
    items.forEach(({ part, shape }, number) => {
      if (part >= 0) {
        this.rows[number] = this.row(part, Number(copies[number].split(" ")[1]), number, isOut(number));
        this.dye(this.rows[number], part, Number(copies[number].split(" ")[1]), shape.patches ?? [{ colour: null }]);
      }
    });
    this.list.replaceChildren(...this.rows.filter(Boolean));
    this.boxes[focused]?.focus();
  }

  /** @param {number} part @param {number} copy @param {number} number @param {boolean} out */
  row(part, copy, number, out) {
    const { letters } = this.parts[part];
    const box = dom("input", { type: "checkbox" });
    box.checked = !out;
    box.addEventListener("change", () => this.tell.onToggle(number));
    box.addEventListener("focus", () => this.tell.onShine(box.matches(":focus-visible") ? number : null));
    box.addEventListener("blur", () => this.tell.onShine(null));
    this.boxes[number] = box;
    const swatch = dom("span", { class: "swatch", "aria-hidden": "true" }, letters[copy % letters.length]);
    const row = dom("li", {}, dom("label", {}, box, swatch, dom("span", { class: "name" }, this.names[number])));
    row.addEventListener("mouseenter", () => this.tell.onShine(number));
    row.addEventListener("mouseleave", () => this.tell.onShine(null));
    return row;
  }

  /**
   * Give the swatch of a row the colours of its piece.
   * @param {HTMLElement} row @param {number} part @param {number} copy @param {Patch[]} patches
   */
  dye(row, part, copy, patches) {
    const { colours } = this.parts[part];
    const tints = patches.map(({ colour }) => colour ?? colours[copy % colours.length]);
    const swatch = /** @type {HTMLElement} */ (row.querySelector(".swatch"));
    swatch.classList.toggle("motley", tints.length > 1);
    if (tints.length > 1) {
      const bands = tints.map((tint, k) => `${tint} ${(100 * k) / tints.length}% ${(100 * (k + 1)) / tints.length}%`);
      swatch.style.background = `linear-gradient(135deg, ${bands.join(", ")})`;
    } else {
      swatch.style.backgroundColor = tints[0];
      swatch.style.color = ink(tints[0]);
    }
  }

  /** @param {number} number */
  nameOf(number) {
    return this.names[number];
  }

  /** @param {number} number @param {boolean} out */
  mark(number, out) {
    if (this.boxes[number]) {
      this.boxes[number].checked = !out;
    }
  }

  /** Show which pieces move. @param {Set<number>} numbers */
  light(numbers) {
    for (const [number, row] of this.rows.entries()) {
      row?.classList.toggle("moving", numbers.has(number));
    }
  }

  /** Show which piece the pointer is on, or none. @param {number | null} number */
  point(number) {
    for (const [other, row] of this.rows.entries()) {
      row?.classList.toggle("pointed", other === number);
    }
  }
}
