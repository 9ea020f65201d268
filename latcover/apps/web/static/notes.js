// What is still to be done before the puzzle can be solved, and what is odd about it. It asks for nothing, so nothing here is red.

import { dom, fill } from "./dom.js";

/** @import { Verdict } from "./web_types.js" */

const VOLUME = /^the volume cannot fit/; // what the meter says better, where the sums tell it

export class Notes {
  constructor() {
    this.list = dom("ul", {});
    this.more = dom("button", { type: "button", onclick: () => this.unfold(!this.isOpen) }, "all");
    this.element = dom("div", { class: "verdict", role: "status" }, this.list, this.more);
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  get isOpen() {
    return this.element.classList.contains("open");
  }

  /**
   * @param {Pick<Verdict, "faults" | "warnings">} verdict
   * @param {boolean} isMetered whether the meter says that the volume cannot fit
   */
  show({ faults, warnings }, isMetered) {
    const todo = faults.filter((text) => !(isMetered && VOLUME.test(text)));
    fill(
      this.list,
      ...todo.map((text) => dom("li", { class: "fault" }, text)),
      ...warnings.map((text) => dom("li", { class: "warning" }, text)),
    );
    this.unfold(false);
    this.measure();
  }

  /** Nothing is cut off: what has no room is shown at a press, above the canvas. */
  measure() {
    const { list } = this;
    this.more.hidden = !this.isOpen && list.scrollHeight <= list.clientHeight + 1;
  }

  /** @param {boolean} isOpen */
  unfold(isOpen) {
    this.element.classList.toggle("open", isOpen);
    this.more.textContent = isOpen ? "less" : "all";
    this.more.setAttribute("aria-expanded", String(isOpen));
  }
}
