// Where one begins in the workshop: the designs of this browser, a new one of what one likes, or a file.

import { addressOf } from "./address.js";
import { designs, remove } from "./designs.js";
import { dom, fill } from "./dom.js";
import { askLattice, latticeButtons } from "./lattice_choice.js";
import { entry } from "./tables.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";

/** @import { WorkshopData } from "./workshop_types.js" */
/** @import { Entry } from "./web_types.js" */

const FEW = 6; // designs that are shown at first

export class Beginning {
  /**
   * `act` has begin(lattice), choose() for a file, and open(), the identifier of the open design.
   * @param {HTMLElement} element @param {Pick<WorkshopData, "lattices" | "puzzles" | "others">} data
   * @param {{ begin: (lattice: string) => unknown, choose: () => unknown, open: () => string }} act
   */
  constructor(element, { lattices, puzzles, others }, act) {
    this.lattices = lattices;
    this.act = act;
    this.all = false;
    this.own = dom("section", { "aria-labelledby": "own-title" });
    const names = Object.keys(lattices);
    const other = async () => {
      const lattice = await askLattice(Object.values(lattices));
      if (lattice) act.begin(lattice);
    };
    const file = dom("button", { type: "button", class: "link", onclick: () => act.choose() }, "open a puzzle file");
    fill(
      element,
      this.own,
      dom(
        "section",
        { "aria-labelledby": "new-title" },
        dom("h2", { id: "new-title" }, "Draw a puzzle"),
        dom(
          "p",
          { class: "hint" },
          "What is it made of? Click cells to make a shape and its parts; the page says what fits.",
        ),
        latticeButtons(names, (lattice) => act.begin(lattice)),
        dom("button", { type: "button", onclick: other }, `All ${names.length} lattices …`),
        dom("p", { class: "hint" }, "Or ", file, ", or drop one anywhere here."),
      ),
      puzzles.length || others.length ? this.ofSite(puzzles, others) : null,
    );
  }

  show() {
    this.drawOwn();
  }

  /**
   * The puzzles that can be changed here, and those that are only played, solved and taken apart on their own pages.
   * @param {WorkshopData["puzzles"]} puzzles @param {WorkshopData["others"]} others
   */
  ofSite(puzzles, others) {
    const pages = others.map(({ name, title }) =>
      dom("li", {}, dom("a", { href: `puzzles/${encodeURIComponent(name)}.html` }, title)),
    );
    const links = puzzles.map(({ name, title }) =>
      dom("li", {}, dom("a", { href: addressOf("puzzle", { name, problem: "", design: "" }) }, title)),
    );
    return dom(
      "section",
      { "aria-labelledby": "site-title" },
      dom("h2", { id: "site-title" }, "Change a puzzle of this site"),
      dom("ul", { class: "plain" }, links),
      pages.length
        ? dom(
            "p",
            { class: "hint" },
            "These are on lattices of their own, which this page does not draw. They are played on their own pages; latcover on your machine changes them:",
          )
        : null,
      dom("ul", { class: "plain others" }, pages),
    );
  }

  drawOwn() {
    const kept = designs().filter(({ base, edited }) => edited || base.form !== "shipped");
    this.own.hidden = kept.length === 0;
    const shown = this.all ? kept : kept.slice(0, FEW);
    const more = () => {
      this.all = true;
      this.drawOwn();
    };
    fill(
      this.own,
      dom("h2", { id: "own-title" }, "Continue where you left off"),
      dom(
        "ul",
        { class: "cards" },
        shown.map((design) => this.card(design)),
      ),
      kept.length > shown.length ? dom("button", { type: "button", onclick: more }, `Show all ${kept.length}`) : null,
    );
  }

  /** @param {any} design */
  card(design) {
    const { id, title, when } = design;
    const words = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(when);
    const isOpen = id === this.act.open();
    const link = dom(
      "a",
      { class: "card", href: addressOf("puzzle", { name: "", problem: "", design: id }) },
      dom("span", { class: "picture" }, this.picture(design)),
      dom("strong", {}, title),
      dom("small", {}, isOpen ? "open now" : words),
    );
    const drop = dom(
      "button",
      {
        type: "button",
        class: "drop",
        title: "Delete design (can be undone)",
        "aria-label": `Delete ${title}`,
        onclick: () => remove(id, title, () => this.drawOwn()),
      },
      "×",
    );
    return dom("li", {}, link, isOpen ? null : drop);
  }

  /**
   * The region of a design, drawn small; nothing if its lattice is not known here.
   * @param {{ base: any, state: string }} design
   */
  picture({ base, state }) {
    const name = base.lattice ?? /^lattice = "(\w+)"$/m.exec(base.text ?? "")?.[1];
    const lattice = entry(this.lattices, name ?? "");
    if (!lattice || !state) return null;
    /** @type {Entry[]} */ const entries = JSON.parse(state).region;
    const cells = entries.map(({ cell }) => cell);
    return thumbnail(lattice, cells, () => "var(--filled)", thumbnailScale(lattice, [cells]));
  }
}
