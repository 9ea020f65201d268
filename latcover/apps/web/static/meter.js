// How many cells the parts hold of those that are to be filled, as a bar and in a few words.

import { dom, fill } from "./dom.js";
import { number } from "./elements.js";

/** @import { Model } from "./model.js" */

export class Meter {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.bar = dom("span", { class: "held" });
    this.words = dom("p", { class: "sum", role: "status" });
    this.element = dom(
      "div",
      { class: "meter" },
      dom("span", { class: "bar", "aria-hidden": "true" }, this.bar),
      this.words,
    );
  }

  /** Whether the parts can hold a number of cells that the region needs, as far as sums tell. */
  get fits() {
    const [region, optional, fewest, most] = this.model.volumes();
    return region > 0 && fewest <= region && most >= region - optional;
  }

  draw() {
    const [region, optional, fewest, most] = this.model.volumes();
    const need = region - optional;
    const free = optional ? `, ${number(optional)} more may be` : "";
    const over = fewest > region ? ` · ${number(fewest - region)} too many` : "";
    fill(this.words, `${number(need)} to fill${free} · ${range(fewest, most)} of ${number(region)} held${over}`);
    const share = Math.min(1, (fewest === most ? fewest : Math.min(most, region)) / Math.max(1, region));
    this.bar.style.width = `${100 * share}%`;
    this.element.classList.toggle("whole", this.fits);
    this.element.classList.toggle("over", fewest > region);
  }
}

/** @param {number} fewest @param {number} most */
function range(fewest, most) {
  if (fewest === most) return number(fewest);
  return most === Infinity ? `${number(fewest)} or more` : `${number(fewest)} to ${number(most)}`;
}
