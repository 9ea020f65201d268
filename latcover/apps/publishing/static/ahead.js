// What is to be filled, as a picture, before there are solutions.

import { dom, fill } from "./dom.js";
import { host } from "./host.js";

export class Ahead {
  /** @param {import("./solve.js").Solved} model */
  constructor(model) {
    this.model = model;
    this.drawn = "";
    this.element = dom("figure", { class: "ahead" });
    new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.draw()).observe(this.element);
    for (const what of ["loaded", "changed"])
      model.addEventListener(what, () => this.element.checkVisibility() && this.draw());
  }

  async draw() {
    const subject = this.model.isPuzzle && "card" in host ? this.model.subject() : null;
    const key = JSON.stringify(subject);
    if (key === this.drawn) return;
    this.drawn = key;
    const picture = subject && (await host.card(subject).catch(() => null)); // the editor shows what is wrong with it
    if (key !== this.drawn) return;
    fill(this.element, picture ? dom("img", { src: URL.createObjectURL(picture), alt: "What is to be filled" }) : null);
  }
}
