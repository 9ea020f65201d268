// How likely each part is on each cell, among all solutions: maps, and the exact numbers.

import { dom, fill } from "./dom.js";
import { choice, field, save } from "./elements.js";
import { host as api } from "./host.js";
import { plain } from "./saving.js";

/**
 * A map of a part, or of all parts. Numbers are texts, since they may be of any size.
 *
 * @typedef {{ part: string | null, title: string, svg: string, rows: [string, string, string][] }} PartMap
 */

export class Likely {
  constructor() {
    /** @type {string | null} */
    this.run = null;
    this.picture = dom("img", { class: "solution", alt: "" });
    this.element = dom("section", { "aria-label": "How likely", hidden: true });
  }

  clear() {
    this.run = null;
    this.element.hidden = true;
    URL.revokeObjectURL(this.picture.src);
    this.picture.removeAttribute("src");
  }

  /**
   * Show the answer of a run that has ended.
   *
   * @param {string} run
   * @param {string} name of the puzzle
   */
  async follow(run, name) {
    this.run = run;
    const { maps, placements } = await api.answer(run);
    if (run === this.run && maps.length) this.show(maps, placements, plain(name));
  }

  /**
   * @param {PartMap[]} maps
   * @param {string | null} placements
   * @param {string} name
   */
  show(maps, placements, name) {
    const labels = maps.map(({ part }, k) => [`${k}`, part ?? "all parts"]);
    const numbers = dom("table", {});
    const savePicture = dom("button", { type: "button" }, "Save this picture (SVG)");
    const look = (/** @type {number} */ k) => {
      const { part, title, svg, rows } = maps[k];
      const picture = new Blob([svg], { type: "image/svg+xml" });
      URL.revokeObjectURL(this.picture.src);
      this.picture.src = URL.createObjectURL(picture);
      this.picture.alt = title;
      savePicture.onclick = () => save(picture, `${name}-likely${part === null ? "" : `-${plain(part)}`}.svg`);
      const heads = [part === null ? "part" : "cell", "of all", "solutions"];
      fill(
        numbers,
        dom(
          "thead",
          {},
          dom(
            "tr",
            {},
            heads.map((head) => dom("th", { scope: "col" }, head)),
          ),
        ),
        dom(
          "tbody",
          {},
          rows.map(([what, ...figures]) =>
            dom(
              "tr",
              {},
              dom("th", { scope: "row" }, what),
              figures.map((figure) => dom("td", {}, figure)),
            ),
          ),
        ),
      );
    };
    fill(
      this.element,
      dom(
        "div",
        { class: "row browse" },
        dom("h3", {}, "How likely"),
        maps.length > 1
          ? field(
              "part",
              choice(labels, "0", (k) => look(Number(k))),
            )
          : null,
      ),
      dom(
        "p",
        { class: "hint" },
        "The darker a cell, the more solutions have the part there; a white cell has it in none.",
      ),
      dom("div", { class: "scroll" }, this.picture),
      dom(
        "details",
        { class: "expert" },
        dom("summary", {}, "Exact numbers"),
        dom("div", { class: "listing" }, numbers),
      ),
      dom(
        "div",
        { class: "row" },
        savePicture,
        placements === null
          ? null
          : dom(
              "button",
              {
                type: "button",
                onclick: () => save(new Blob([placements], { type: "application/jsonl" }), `${name}-placements.jsonl`),
              },
              "Save the number of each placement (JSON lines)",
            ),
      ),
    );
    look(0);
    this.element.hidden = false;
  }
}
