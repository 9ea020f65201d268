// The page "Start": ways to begin, the designs stored in this browser, and pictures of all shipped puzzles.

import { START, showQuery, where } from "./address.js";
import { designs, remove } from "./designs.js";
import { dom, fill } from "./dom.js";
import { counted } from "./elements.js";
import { host as api } from "./host.js";
import { askLattice, latticeButtons } from "./lattice_choice.js";
import { Showpieces } from "./showpieces.js";
import { entry } from "./tables.js";

/** @import { Entry } from "./web_types.js" */
/** @import { Catalogue, Named, ShippedPuzzle } from "./server_types.js" */

const CUBES = { least: 2, most: 6, usual: 3, part: 5 }; // cells along an edge; and of a part, usually
const FEW = { wide: 6, narrow: 2 }; // designs that are shown at first
const NEAR = "100px"; // of the window: pictures so near to it are asked for
const narrow = matchMedia("(max-width: 36rem)");
const pictures = new Map(); // addresses of pictures of designs, by their stored text

export class Start {
  /** @type {any[]} */
  cards;
  /** @type {boolean} */ counted;

  /**
   * `act` has begin(lattice), choose() for a file, and open(): the identifier of the open design.
   * @param {HTMLElement} element @param {Catalogue} about @param {Record<string, any>} act
   */
  constructor(element, about, act) {
    this.element = element;
    this.about = about;
    this.act = act;
    this.all = false;
    this.showpieces = new Showpieces();
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
    this.showpieces.run();
    const find = where().query.get("find") ?? "";
    if (find === this.search.value) return;
    this.search.value = find;
    this.filter();
  }

  drawDeeds() {
    /** @param {string} title @param {HTMLElement} picture @param {string} words @param {...any} how */
    const deed = (title, picture, words, ...how) =>
      dom(
        "article",
        { class: "deed" },
        picture,
        dom("h3", {}, title),
        dom("p", {}, words),
        dom("div", { class: "how" }, how),
      );
    /** @param {string} name */
    const film = (name) => this.showpieces.make(name);
    const beginOther = async () => {
      const lattice = await askLattice(this.about.lattices);
      if (lattice) this.act.begin(lattice);
    };
    return dom(
      "div",
      { class: "deeds" },
      deed(
        "Solve one",
        film("soma"),
        "All 240 ways to build the Soma cube, found in a moment, to be turned in space.",
        dom("a", { class: "button main", href: "#solve/soma" }, "Solve the Soma cube"),
      ),
      deed(
        "Take one apart",
        film("burr-piston"),
        "Six sticks that hold each other. Nine moves until the first comes free: watch them all.",
        dom("a", { class: "button main", href: "#apart/burr-piston" }, "Take a burr apart"),
      ),
      deed(
        "Have one made",
        film("cut-3x3x3-hard"),
        "latcover cuts a cube into parts that fit together in only one way.",
        this.cutting(),
      ),
      deed(
        "Draw your own",
        dom("img", { src: api.shippedPicture("tetrahexes-4x7"), alt: "", width: 200, height: 132 }),
        "Click cells to make a shape and its parts. latcover says what fits.",
        latticeButtons(
          this.about.lattices.map(({ name }) => name),
          (lattice) => this.act.begin(lattice),
        ),
        dom("button", { type: "button", onclick: beginOther }, "Other lattices …"),
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

  /** The size of a cube, and into how many parts it is cut. */
  cutting() {
    const { least, most, usual, part } = CUBES;
    /** @param {number} edge */
    const parts = (edge) => `${Math.max(2, Math.min(12, Math.round(edge ** 3 / part)))}`;
    const many = dom("input", { type: "number", min: 2, max: 12, value: parts(usual), required: true, class: "short" });
    const edges = Array.from({ length: most - least + 1 }, (_, k) => least + k);
    /** @type {HTMLSelectElement} */
    const size = dom(
      "select",
      { onchange: () => (many.value = parts(Number(size.value))) },
      edges.map((edge) => dom("option", { value: edge, selected: edge === usual }, `${edge} × ${edge} × ${edge}`)),
    );
    const cut = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const detail = { edge: Number(size.value), parts: many.valueAsNumber };
      document.dispatchEvent(new CustomEvent("cut-cube", { detail })); // the page Design cuts
    };
    return dom(
      "form",
      { class: "row", onsubmit: cut },
      dom("label", {}, "cube", size),
      dom("label", {}, "parts", many),
      dom("button", { class: "main" }, "Cut it"),
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
      /** @type {HTMLSpanElement & { design?: any }} */ const picture = dom("span", { class: "picture" });
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

  /** Draw a design that has scrolled into view. @param {any} picture */
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

  /** @param {ShippedPuzzle} options @param {Named} shelf */
  card({ name, title, lattice, solutions }, shelf) {
    const parts = dom("span", { class: "awaited" }, "12 parts"); // it has its room before the number is known
    const many = solutions === null ? "" : solutions === 0 ? "no solution" : counted(solutions, "solution");
    const shown = dom(
      "li",
      {},
      dom(
        "a",
        { class: "card", href: `#puzzle/${name}` },
        dom("span", { class: "picture" }, this.later(dom("img", { alt: "", width: 180, height: 136 }), name)),
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

  /** A picture that is asked for when it is nearly seen. @param {HTMLImageElement} image @param {string} name */
  later(image, name) {
    const seen = new IntersectionObserver(
      (rows) => {
        if (rows.some(({ isIntersecting }) => isIntersecting)) {
          image.src = api.shippedPicture(name);
          seen.disconnect();
        }
      },
      { rootMargin: NEAR },
    );
    seen.observe(image);
    return image;
  }

  /** Show the number of parts of each puzzle, when the server has counted them. */
  async count() {
    if (this.counted) return;
    this.counted = true;
    try {
      const { parts } = await api.shipped();
      for (const card of this.cards) {
        const most = entry(parts, card.name);
        card.parts.classList.remove("awaited");
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
 * @param {any} base @param {any} options
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
