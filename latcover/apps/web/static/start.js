// The page "Start": ways to begin, the designs stored in this browser, and pictures of all shipped puzzles.

import { START, showQuery, where } from "./address.js";
import { designs, remove } from "./designs.js";
import { dom, fill } from "./dom.js";
import { counted } from "./elements.js";
import { host as api } from "./host.js";
import { askLattice, latticeButtons } from "./lattice_choice.js";
import { entry } from "./tables.js";

/** @import { Entry } from "./web_types.js" */
/** @import { Catalogue, Named, ShippedPuzzle } from "./server_types.js" */

const FEW = { wide: 6, narrow: 2 }; // designs that are shown at first
const narrow = matchMedia("(max-width: 36rem)");
const pictures = new Map(); // addresses of pictures of designs, by their stored text

export class Start {
  /** @type {any[]} */
  cards;
  /** @type {boolean} */
  counted;

  /**
   * `act` has begin(lattice), choose() for a file, and open(): the identifier of the open design.
   *
   * @param {HTMLElement} element
   * @param {Catalogue} about
   * @param {Record<string, any>} act
   */
  constructor(element, about, act) {
    this.element = element;
    this.about = about;
    this.act = act;
    this.all = false;
    this.own = dom("section", { class: "own", "aria-labelledby": "own-title" });
    this.found = dom("p", { class: "hint", role: "status" });
    this.search = dom("input", {
      type: "search",
      id: "search",
      placeholder: "cube, hexagonal, 12 …",
      "aria-label": "Find a puzzle",
      oninput: () => {
        this.filter();
        showQuery(START, { find: this.search.value });
      },
    });
    this.shelves = dom("div", {}, this.drawShelves());
    fill(
      element,
      this.own,
      dom(
        "section",
        { "aria-labelledby": "deeds-title" },
        dom("h2", { id: "deeds-title" }, "What would you like to do?"),
        this.drawDeeds(),
      ),
      dom(
        "section",
        { "aria-labelledby": "shipped-title" },
        dom("div", { class: "finding" }, dom("h2", { id: "shipped-title" }, "Shipped puzzles"), this.search),
        this.found,
        this.shelves,
      ),
    );
    this.watcher = new IntersectionObserver(
      (seen) => seen.filter((one) => one.isIntersecting).forEach((one) => this.paint(one.target)),
      { rootMargin: "300px" },
    );
  }

  /** Update the page before it is shown: designs may have changed since it was last visible. */
  show() {
    this.drawOwn();
    this.count();
    const find = where().query.get("find") ?? "";
    if (find === this.search.value) return;
    this.search.value = find;
    this.filter();
  }

  drawDeeds() {
    /**
     * @param {string} title
     * @param {string} picture
     * @param {string} words
     * @param {...any} how
     */
    const deed = (title, picture, words, ...how) =>
      dom(
        "article",
        { class: "deed" },
        dom("img", { loading: "lazy", src: api.shippedPicture(picture), alt: "", width: 112, height: 112 }),
        dom("div", {}, dom("h3", {}, title), dom("p", {}, words), dom("div", { class: "how" }, how)),
      );
    const beginOther = async () => {
      const lattice = await askLattice(this.about.lattices);
      if (lattice) this.act.begin(lattice);
    };
    return dom(
      "div",
      { class: "deeds" },
      deed(
        "Solve one",
        "soma",
        "Find all 240 ways to build the Soma cube, turn them in space, and watch one come apart.",
        dom("a", { class: "button main", href: "#solve/soma" }, "Solve the Soma cube"),
      ),
      deed(
        "Draw your own",
        "tetrahexes-4x7",
        "Choose what it is made of, and click cells to make a shape and its parts. latcover says what fits.",
        latticeButtons(
          this.about.lattices.map(({ name }) => name),
          (lattice) => this.act.begin(lattice),
        ),
        dom("button", { type: "button", onclick: beginOther }, "Other lattices …"),
      ),
      deed(
        "Let latcover design one",
        "cut-3x3x3-hard",
        "latcover cuts a cube into parts that fit together in only one way.",
        dom("a", { class: "button main", href: "#design/soma?way=cut" }, "Cut a cube"),
      ),
      dom(
        "p",
        { class: "hint files" },
        "Or draw a shape, and see ",
        dom("a", { href: "#plane" }, "whether it tiles the plane"),
        ".",
      ),
      dom(
        "p",
        { class: "hint files" },
        "Or open a file: ",
        dom("button", { type: "button", class: "link", onclick: () => this.act.choose() }, "choose one"),
        `, or drop it anywhere here (${this.about.suffixes.join(", ")}).`,
      ),
    );
  }

  // ---- designs of this browser

  drawOwn() {
    const kept = designs().filter(({ base, edited }) => edited || base.form !== "shipped");
    this.own.hidden = kept.length === 0;
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    const few = narrow.matches ? FEW.narrow : FEW.wide;
    const shown = this.all ? kept : kept.slice(0, few);
    const more = dom(
      "button",
      {
        type: "button",
        onclick: () => {
          this.all = true;
          this.drawOwn();
          /** @type {HTMLElement} */ (this.own.querySelectorAll(".card")[few]).focus();
        },
      },
      `Show all ${kept.length}`,
    );
    const cards = shown.map((design) => {
      const { id, title } = design;
      const isOpen = id === this.act.open();
      /** @type {HTMLSpanElement & { design?: any }} */
      const picture = dom("span", { class: "picture" });
      picture.design = design;
      const card = dom(
        "a",
        { class: "card", href: `#puzzle/~${id}` },
        picture,
        dom("strong", {}, title),
        dom("small", {}, isOpen ? "open now" : when.format(design.when)),
      );
      const drop = isOpen
        ? null
        : dom(
            "button",
            {
              type: "button",
              class: "drop",
              title: "Delete design (can be undone)",
              "aria-label": `Delete ${title}`,
              onclick: () => this.forget(design),
            },
            "×",
          );
      return dom("li", {}, card, drop);
    });
    fill(
      this.own,
      dom("h2", { id: "own-title" }, "Continue where you left off"),
      dom("ul", { class: "cards" }, cards),
      kept.length > shown.length ? more : null,
    );
    this.watcher.disconnect();
    for (const picture of this.own.querySelectorAll(".picture")) this.watcher.observe(picture);
  }

  /**
   * Draw a design that has scrolled into view.
   *
   * @param {any} picture
   */
  async paint(picture) {
    this.watcher.unobserve(picture);
    const { base, state } = picture.design;
    if (!state) return; // no cells: a cover problem
    const key = JSON.stringify([base, state]);
    try {
      pictures.set(key, pictures.get(key) ?? URL.createObjectURL(await regionOf(base, JSON.parse(state))));
      fill(picture, dom("img", { src: pictures.get(key), alt: "" }));
    } catch {
      fill(picture, dom("span", { class: "hint" }, "no picture")); // the editor shows what is wrong with it
    }
  }

  /** @param {{ id: string, title: string }} how */
  forget({ id, title }) {
    remove(id, title, () => this.drawOwn());
    /** @type {HTMLElement} */ (this.own.querySelector(".card") ?? this.search).focus();
  }

  // ---- shipped puzzles

  drawShelves() {
    this.cards = [];
    return this.about.shelves.map((shelf) => {
      const puzzles = this.about.puzzles.filter((puzzle) => puzzle.shelf === shelf.name);
      puzzles.sort((a, b) => Number(a.solutions === 0) - Number(b.solutions === 0)); // those without a solution come last
      if (puzzles.length === 0) return null;
      const cards = puzzles.map((puzzle) => this.card(puzzle, shelf));
      return dom(
        "section",
        { class: "shelf" },
        dom("h3", {}, shelf.name, dom("small", {}, shelf.about)),
        dom("ul", { class: "cards" }, cards),
      );
    });
  }

  /**
   * @param {ShippedPuzzle} options
   * @param {Named} shelf
   */
  card({ name, title, lattice, solutions }, shelf) {
    const parts = dom("span", {});
    const many = solutions === null ? "" : solutions === 0 ? "no solution" : counted(solutions, "solution");
    const shown = dom(
      "li",
      {},
      dom(
        "a",
        { class: "card", href: `#puzzle/${name}` },
        dom("span", { class: "picture" }, dom("img", { loading: "lazy", src: api.shippedPicture(name), alt: "" })),
        dom("strong", {}, title || name),
        dom("small", {}, parts, dom("span", {}, many), dom("code", {}, name)),
      ),
    );
    this.cards.push({
      name,
      parts,
      shown,
      words: `${name} ${title} ${lattice} ${shelf.name} ${shelf.about}`.toLowerCase(),
    });
    return shown;
  }

  /** Show the number of parts of each puzzle, when the server has counted them. */
  async count() {
    if (this.counted) return;
    this.counted = true;
    try {
      const { parts } = await api.shipped();
      for (const card of this.cards) {
        const most = entry(parts, card.name);
        card.parts.textContent =
          most === undefined ? "" : most === null ? "any number of parts" : counted(most, "part");
        card.words += ` ${card.parts.textContent}`;
      }
    } catch {
      this.counted = false; // the numbers are only missing
    }
  }

  filter() {
    const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { shown, words } of this.cards) {
      shown.hidden = !wanted.every((word) => words.includes(word));
      found += shown.hidden ? 0 : 1;
    }
    for (const shelf of /** @type {Iterable<HTMLElement>} */ (this.shelves.children))
      shelf.hidden = !shelf.querySelector("li:not([hidden])");
    this.found.textContent =
      wanted.length === 0 ? "" : found === 0 ? "No shipped puzzle matches." : `${counted(found, "puzzle")} found.`;
  }
}

/**
 * A picture of the region of a design; colours that its file lacks are left out.
 *
 * @param {any} base
 * @param {any} options
 */
async function regionOf(base, { name, region }) {
  /** @param {(entry: Entry) => number} colour */
  const draw = (colour) =>
    api.card({
      ...base,
      edits: {
        name,
        parts: [],
        region: {
          cells: region.map((/** @type {Entry} */ { cell }) => cell),
          colours: region.map(colour),
          optional: region.map((/** @type {Entry} */ { optional }) => (optional ? 1 : 0)),
        },
      },
    });
  return draw(({ colour }) => colour).catch((fault) =>
    region.some((/** @type {Entry} */ { colour }) => colour) ? draw(() => 0) : Promise.reject(fault),
  );
}
