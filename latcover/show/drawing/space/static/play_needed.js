// The play that a plan needs, in millimetres for the cells that somebody makes. The browser remembers how large they are.

import { dom } from "./dom.js";
import { keep, kept } from "./kept.js";

const KEPT = "latcover cell mm";
const DIGITS = 1000; // a play is said in thousandths, rounded up, as move_words.py does

export class PlayNeeded {
  constructor() {
    this.play = 0;
    this.edge = dom("input", { inputmode: "decimal", size: "5", value: kept(KEPT) ?? "" });
    this.words = dom("output", {});
    this.edge.addEventListener("input", () => this.tell());
    this.share = dom("span", {});
    const field = dom("label", {}, "Cell in mm", this.edge);
    this.element = dom("span", { class: "needed", hidden: "" }, this.share, field, this.words);
  }

  /** @param {number | undefined} play a share of the edge of a cell; undefined if nothing turns */
  show(play) {
    this.element.hidden = play === undefined;
    this.play = play ?? 0;
    this.share.textContent = `Needs a play of ${Math.ceil(Number((this.play * DIGITS).toFixed(6))) / DIGITS}.`;
    this.tell();
  }

  tell() {
    const edge = Number(this.edge.value.replace(",", "."));
    this.words.textContent = edge > 0 ? `${(this.play * edge).toFixed(2)} mm a side` : "";
    keep(KEPT, edge > 0 ? `${edge}` : "");
  }
}
