// The page "Start": what can be done in a minute, the designs that this browser keeps, and every shipped puzzle as a picture.

import * as api from "./api.js";
import { ask } from "./ask.js";
import { designs, forget } from "./designs.js";
import { choice, counted, el, fill } from "./elements.js";

const FEW = { wide: 6, narrow: 2 }; // designs that are shown at once
const narrow = matchMedia("(max-width: 36rem)");
const pictures = new Map(); // of designs, by what was kept: addresses of pictures

export class Start {
  /** `act` has begin(lattice), cut(), choose() for a file, and open(): the identifier of the design that is open. */
  constructor(element, about, act) {
    Object.assign(this, { element, about, act, all: false });
    this.own = el("section", { class: "own", "aria-labelledby": "own-title" });
    this.found = el("p", { class: "hint", role: "status" });
    this.search = el("input", { type: "search", id: "search", placeholder: "cube, hexagonal, 12 …", "aria-label": "Find a puzzle", oninput: () => this.filter() });
    this.shelves = el("div", {}, this.drawShelves());
    fill(element, this.own,
      el("section", { "aria-labelledby": "deeds-title" }, el("h2", { id: "deeds-title" }, "What would you like to do?"), this.drawDeeds()),
      el("section", { "aria-labelledby": "shipped-title" },
        el("div", { class: "finding" }, el("h2", { id: "shipped-title" }, "Puzzles to open"), this.search),
        this.found, this.shelves));
    this.watcher = new IntersectionObserver((seen) => seen.filter((one) => one.isIntersecting).forEach((one) => this.paint(one.target)), { rootMargin: "300px" });
  }

  /** It is to be seen: designs may have come, changed and gone since it was seen last. */
  show() {
    this.drawOwn();
    this.count();
  }

  drawDeeds() {
    const names = this.about.lattices.map(({ name }) => [name, name]);
    const lattice = choice(names, "square");
    lattice.setAttribute("aria-label", "on the lattice");
    const deed = (title, picture, words, ...how) => el("article", { class: "deed" },
      el("img", { loading: "lazy", src: api.shippedPicture(picture), alt: "", width: 112, height: 112 }),
      el("div", {}, el("h3", {}, title), el("p", {}, words), el("div", { class: "how" }, how)));
    const drawing = el("form", { class: "how", onsubmit: (event) => {
      event.preventDefault();
      this.act.begin(lattice.value);
    } }, lattice, el("button", { class: "main" }, "Draw"));
    return el("div", { class: "deeds" },
      deed("Solve one", "soma", "Find all 240 ways to build the Soma cube, turn them in space, and watch one come apart.",
        el("a", { class: "button main", href: "#solve/soma" }, "Solve the Soma cube")),
      deed("Draw one of your own", "tetrahexes-4x7", "Choose a lattice, and click cells to make a shape and its parts. latcover says what fits.", drawing),
      deed("Have one made", "cut-3x3x3-hard", "Let latcover cut a cube into parts that go together in one way only.",
        el("button", { type: "button", class: "main", onclick: () => this.act.cut() }, "Cut a cube")),
      el("p", { class: "hint files" }, "Or open a file: ",
        el("button", { type: "button", class: "link", onclick: () => this.act.choose() }, "choose one"),
        `, or drop it anywhere here (${this.about.suffixes.join(", ")}).`));
  }

  // ---- designs of this browser

  drawOwn() {
    const kept = designs().filter(({ base, edited }) => edited || base.form !== "shipped");
    this.own.hidden = kept.length === 0;
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    const few = narrow.matches ? FEW.narrow : FEW.wide;
    const shown = this.all ? kept : kept.slice(0, few);
    const more = el("button", { type: "button", onclick: () => {
      this.all = true;
      this.drawOwn();
      this.own.querySelectorAll(".card")[few].focus();
    } }, `Show all ${kept.length}`);
    const cards = shown.map((design) => {
      const { id, title } = design;
      const isOpen = id === this.act.open();
      const picture = el("span", { class: "picture" });
      picture.design = design;
      const card = el("a", { class: "card", href: `#puzzle/~${id}` }, picture, el("strong", {}, title), el("small", {}, isOpen ? "open now" : when.format(design.when)));
      const drop = isOpen ? null : el("button", { type: "button", class: "drop", title: "Forget it", "aria-label": `Forget ${title}`, onclick: () => this.forget(design) }, "×");
      return el("li", {}, card, drop);
    });
    fill(this.own, el("h2", { id: "own-title" }, "Go on where you were"), el("ul", { class: "cards" }, cards), kept.length > shown.length ? more : null);
    this.watcher.disconnect();
    for (const picture of this.own.querySelectorAll(".picture")) this.watcher.observe(picture);
  }

  /** Draw a design that has come into view. */
  async paint(picture) {
    this.watcher.unobserve(picture);
    const { base, state } = picture.design;
    if (!state) return; // no cells: a cover problem
    const key = JSON.stringify([base, state]);
    try {
      pictures.set(key, pictures.get(key) ?? URL.createObjectURL(await regionOf(base, JSON.parse(state))));
      fill(picture, el("img", { src: pictures.get(key), alt: "" }));
    } catch {
      fill(picture, el("span", { class: "hint" }, "no picture")); // its page says what is wrong with it
    }
  }

  async forget({ id, title }) {
    if (!(await ask(`Forget “${title}”? It cannot be brought back.`, [["forget", "Forget it"], ["", "Keep it"]]))) return;
    forget(id);
    this.drawOwn();
    (this.own.querySelector(".card") ?? this.search).focus();
  }

  // ---- shipped puzzles

  drawShelves() {
    this.cards = [];
    return this.about.shelves.map((shelf) => {
      const puzzles = this.about.puzzles.filter((puzzle) => puzzle.shelf === shelf.name);
      puzzles.sort((a, b) => (a.solutions === 0) - (b.solutions === 0)); // those without a solution come last
      if (puzzles.length === 0) return null;
      const cards = puzzles.map((puzzle) => this.card(puzzle, shelf));
      return el("section", { class: "shelf" }, el("h3", {}, shelf.name, el("small", {}, shelf.about)), el("ul", { class: "cards" }, cards));
    });
  }

  card({ name, title, lattice, solutions }, shelf) {
    const parts = el("span", {});
    const many = solutions === null ? "" : solutions === 0 ? "no solution" : counted(solutions, "solution");
    const shown = el("li", {}, el("a", { class: "card", href: `#puzzle/${name}` },
      el("span", { class: "picture" }, el("img", { loading: "lazy", src: api.shippedPicture(name), alt: "" })),
      el("strong", {}, title || name), el("small", {}, parts, el("span", {}, many), el("code", {}, name))));
    this.cards.push({ name, parts, shown, words: `${name} ${title} ${lattice} ${shelf.name} ${shelf.about}`.toLowerCase() });
    return shown;
  }

  /** Say how many parts each puzzle has, when the server has looked. */
  async count() {
    if (this.counted) return;
    this.counted = true;
    try {
      const { parts } = await api.shipped();
      for (const card of this.cards) {
        const most = parts[card.name];
        card.parts.textContent = most === undefined ? "" : most === null ? "any number of parts" : counted(most, "part");
        card.words += ` ${card.parts.textContent}`;
      }
    } catch {
      this.counted = false; // it is only missing
    }
  }

  filter() {
    const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { shown, words } of this.cards) {
      shown.hidden = !wanted.every((word) => words.includes(word));
      found += shown.hidden ? 0 : 1;
    }
    for (const shelf of this.shelves.children) shelf.hidden = !shelf.querySelector("li:not([hidden])");
    this.found.textContent = wanted.length === 0 ? "" : found === 0 ? "No shipped puzzle is called like this." : `${counted(found, "puzzle")} found.`;
  }
}

/** A picture of the region of a design; its colours are left out where its file has no such colours. */
async function regionOf(base, { name, region }) {
  const draw = (colour) => api.card({ ...base, edits: { name, parts: [], region: {
    cells: region.map(({ cell }) => cell), colours: region.map(colour), optional: region.map(({ optional }) => (optional ? 1 : 0)),
  } } });
  return draw(({ colour }) => colour).catch((fault) => (region.some(({ colour }) => colour) ? draw(() => 0) : Promise.reject(fault)));
}
