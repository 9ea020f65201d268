// The page "Draw": one large canvas for what is chosen, the region or a part, and beside it both as tiles.

import { dom, fill, prose } from "./dom.js";
import { field, choice, counted, number } from "./elements.js";
import { AboutPanel, RegionPanel } from "./about_panel.js";
import { ColoursPanel } from "./colours_panel.js";
import { componentsOf } from "./connected.js";
import { movedSides } from "./fields.js";
import { keyOf } from "./geometry.js";
import { host } from "./host.js";
import { Library } from "./library.js";
import { Live } from "./live.js";
import { Meter } from "./meter.js";
import { Notes } from "./notes.js";
import { Chosen, colourOf, moreOfPart, motionsField, nameOfPart, numbersOfPart } from "./part_form.js";
import { Shaping } from "./shaping.js";
import { sideMarks, SidesPanel } from "./sides_panel.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";

/** @import { Cell, EditorPart, Entry } from "./web_types.js" */
/** @import { Catalogue } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const wide = matchMedia("(min-width: 36rem)");
const MOST_PICTURED = 3000; // cells of a region that is drawn small
const QUIET = 250; // milliseconds without a change before it is
const PALE = "#9db8d9"; // a cell of the region without a colour

export class Editor {
  /** @type {any} */
  part = null; // the part that is edited; none: the region is
  /** @type {any[]} */ shown = [];
  /** @type {Map<any, () => void>} */
  repaint = new Map(); // the rows of the strip
  /** @type {(() => void)[]} */ repaintPane = [];
  /** @type {number} */ scale;
  /** @type {Shaping} */ grid;
  /** @type {HTMLElement} */ regionPane;
  /** @type {HTMLDivElement} */ regionPlace;
  /** @type {HTMLDivElement} */
  question; // whether the part is meant to lie in pieces
  tint = 0;
  tool = "fill";
  views = new Map(); // the window of each canvas, by name
  unfolded = false; // the details of the part
  whole = new Set(); // parts that are meant to lie in pieces
  /** @type {[number, HTMLButtonElement][]} */ steps;

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about */
  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    const kinds = host.knows.rules ? [ColoursPanel, SidesPanel, RegionPanel, AboutPanel] : [RegionPanel, AboutPanel];
    this.folds = kinds.map((kind) => new kind(model));
    this.chosen = new Chosen(model);
    this.library = new Library(model, about, (parts) => this.fetched(parts));
    this.notes = new Notes();
    this.meter = new Meter(model);
    this.live = new Live(model);
    this.source = dom("p", { class: "hint" });
    this.regionPicture = dom("span", { class: "mini" });
    this.regionSize = dom("span", { class: "copies" });
    this.regionTile = dom(
      "button",
      { type: "button", class: "pick of-region", onclick: () => this.choose(null) },
      this.regionPicture,
      dom("span", { class: "named" }, dom("strong", {}, "Region"), this.regionSize),
    );
    this.parts = dom("div", { class: "parts" });
    this.pane = dom("section", { class: "pane edited", "aria-label": "Edited part" });
    this.tintPlace = dom("span", {});
    this.plainPlace = dom("span", { class: "plain-tools" });
    /** @type {HTMLInputElement} */
    this.title = dom("input", {
      id: "puzzle-name",
      class: "inplace",
      maxlength: 200,
      "aria-label": "name of the puzzle",
      onchange: () => this.rename(this.title.value),
    });
    model.addEventListener("loaded", () => this.draw());
    model.addEventListener("changed", () => this.count());
    model.addEventListener("checked", () => this.judge());
    for (const what of ["restored", "refreshed"]) model.addEventListener(what, () => this.restored());
    model.addEventListener("painted", () => {
      for (const paint of [
        () => this.grid.draw(),
        () => this.drawTint(),
        ...this.repaint.values(),
        ...this.repaintPane,
      ])
        paint();
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  draw() {
    const { model } = this;
    if (!model.isPuzzle) {
      const { options, items } = /** @type {any} */ (model.data); // of a bare problem
      const what = `A cover problem without a puzzle: ${number(options)} options on ${number(items)} items. It can be solved and compared; it has nothing to draw or edit.`;
      fill(this.element, dom("p", {}, what), this.notes.element);
      this.judge();
      return;
    }
    this.views.clear();
    this.title.value = model.name;
    this.part = null;
    this.steps = this.stepButtons();
    this.regionPlace = dom("div", { class: "canvas" }, this.regionGrid());
    fill(
      this.element,
      dom(
        "div",
        { class: "says" },
        this.title,
        dom(
          "span",
          { class: "group" },
          this.steps.map(([, button]) => button),
        ),
        this.meter.element,
        this.live.element,
        this.notes.element,
      ),
      dom(
        "div",
        { class: "bench" },
        (this.regionPane = dom(
          "section",
          { class: "pane region", "aria-label": "Region" },
          dom("div", { class: "top" }, dom("h3", {}, "Region"), this.regionTools(), this.plainPlace),
          this.regionPlace,
        )),
        this.pane,
        this.strip(),
        this.library.element,
      ),
      this.source,
      dom(
        "div",
        { class: "folds" },
        this.folds.map((fold) => fold.element),
      ),
    );
    this.chosen.parts.clear();
    this.drawParts();
    for (const fold of this.folds) fold.draw();
    this.count();
    this.judge();
  }

  /** @returns {[number, HTMLButtonElement][]} */
  stepButtons() {
    /** @type {[number, string, string][]} */
    const both = [
      [-1, "Undo", "Control+Z"],
      [1, "Redo", "Control+Shift+Z"],
    ];
    return both.map(([by, text, keys]) => {
      const step = () => {
        this.model.step(by);
        if (button.disabled) this.steps.find(([, other]) => !other.disabled)?.[1].focus();
      };
      const button = dom("button", { type: "button", "aria-keyshortcuts": keys, onclick: step }, text);
      return [by, button];
    });
  }

  strip() {
    const add = dom("button", { type: "button", class: "add", onclick: () => this.add(null) }, "Add a part");
    const strip = dom(
      "section",
      { class: "strip", "aria-label": "Parts" },
      this.regionTile,
      this.chosen.element,
      this.parts,
      this.chosen.tools,
      dom("div", { class: "row adding" }, add, this.library.opener),
      (this.question = dom("div", { class: "asks", role: "status" })), // not above the canvas, which it would move
    );
    this.library.acceptOn(strip);
    return strip;
  }

  /** Redraw after undo or redo; the edited part stays open, and the focus stays in place. */
  restored() {
    const { model, shown } = this;
    const inRegion = this.grid.element.contains(document.activeElement);
    const inPane = this.pane.contains(document.activeElement);
    this.title.value = model.name;
    if (String(this.closed) === String(model.fields.period)) this.grid.draw();
    else {
      this.views.delete("Region");
      this.grid.hideSpace();
      fill(this.regionPlace, this.regionGrid());
      if (!this.part) this.grid.appear();
    }
    this.drawTint();
    if (inRegion) this.grid.refocus();
    const at = shown.indexOf(this.part);
    const named = model.parts.find(({ name }) => name === this.part?.name);
    if (!model.parts.includes(this.part))
      this.part = named ?? (model.parts.length === shown.length ? (model.parts[at] ?? null) : null);
    if (inPane && model.origin === this.pane) this.drawStrip();
    else this.drawParts();
    if (inPane) this.edited?.refocus();
  }

  /** @param {KeyboardEvent & { target: any }} event */
  key(event) {
    const by = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key?.toLowerCase()];
    const writes = event.target.closest("input:not([type=radio], [type=range], [type=checkbox])"); // they have their own undo
    const elsewhere = this.element.hidden || !this.model.isPuzzle || writes;
    if (!by || !(event.ctrlKey || event.metaKey) || event.altKey || elsewhere) return;
    event.preventDefault();
    this.model.step(by);
  }

  /** @param {string} name */
  rename(name) {
    const { model } = this;
    model.name = name;
    if (model.verdict.own_title) model.fields.title = name; // cards show the title
    model.changed();
  }

  // The region

  regionTools() {
    const tools = [
      ["fill", "must be filled"],
      ["optional", "may stay empty"],
    ];
    this.tool = "fill";
    this.tint = 0;
    const buttons = tools.map(([name, text]) => {
      const choose = () => (this.tool = name);
      const radio = dom("input", {
        type: "radio",
        name: "tool",
        value: name,
        checked: name === "fill",
        onchange: choose,
      });
      return dom("label", { class: "radio" }, radio, text);
    });
    this.drawTint();
    const label = { class: "group", role: "group", "aria-label": "What a click does to a cell" };
    return dom("div", label, buttons, this.tintPlace);
  }

  drawTint() {
    if (this.tint >= this.model.colours.length) this.tint = 0;
    fill(this.tintPlace, this.tints((value) => (this.tint = value), this.tint) ?? []);
  }

  /**
   * A choice of the puzzle's colours, if it has any.
   * @param {(value: number) => unknown} onchange @param {number} [first]
   */
  tints(onchange, first = 0) {
    const { colours } = this.model;
    if (colours.length < 2) return null;
    const options = colours.map(({ name }, k) => [String(k), name || "any colour"]);
    return field(
      "colour",
      choice(options, String(first), (value) => onchange(Number(value))),
    );
  }

  /** What is kept of the canvas of this name. @param {string} name */
  viewOf(name) {
    if (!this.views.has(name)) this.views.set(name, {});
    return this.views.get(name);
  }

  regionGrid() {
    const { model } = this;
    this.closed = [...model.fields.period];
    /** @param {Entry} entry */
    const rgb = (entry) => (entry.colour ? model.colours[entry.colour].rgb : "var(--filled)");
    this.grid = new Shaping({
      lattice: model.lattice,
      chosen: model.region,
      regional: true,
      tinted: true,
      solid: (entry) => ({ fill: rgb(entry), faint: entry.optional }),
      period: this.closed,
      name: "Region",
      kept: this.viewOf("Region"),
      look: (entry) => ({
        fill: rgb(entry),
        class: entry.optional ? "optional" : "",
        label: `${entry.optional ? "may stay empty" : "must be filled"}${entry.colour ? `, ${model.colours[entry.colour].name}` : ""}`,
      }),
      paint: () => ({ colour: this.tint, optional: this.tool === "optional" }),
      same: (entry) => entry.colour === this.tint && entry.optional === (this.tool === "optional"),
      changed: () => model.changed(),
    });
    fill(this.plainPlace, this.grid.plainTools());
    return this.grid.element;
  }

  // The parts

  drawParts() {
    this.drawStrip();
    this.drawPane();
  }

  /** The tile of the region. Its picture comes when the hand rests: a click must not wait for it. */
  drawRegionTile() {
    this.regionSize.textContent = counted(this.model.region.size, "cell");
    this.regionTile.setAttribute("aria-pressed", String(!this.part));
    clearTimeout(this.later);
    this.later = setTimeout(() => this.pictureRegion(), QUIET);
  }

  pictureRegion() {
    const { lattice, region, colours, isPuzzle } = this.model;
    if (!isPuzzle) return;
    const cells = [...region.values()].map(({ cell }) => cell);
    /** @param {Cell} cell */
    const tint = (cell) => colours[region.get(keyOf(cell))?.colour || -1]?.rgb ?? PALE;
    const few = cells.length <= MOST_PICTURED;
    fill(this.regionPicture, few ? thumbnail(lattice, cells, tint, thumbnailScale(lattice, [cells])) : []);
  }

  drawStrip() {
    const { lattice, parts } = this.model;
    const shapes = parts.map((part) => [...part.cells.values()].map((entry) => entry.cell));
    this.scale = thumbnailScale(lattice, shapes);
    this.chosen.renew(this.shown);
    this.shown = [...parts];
    this.repaint = new Map();
    fill(
      this.parts,
      parts.map((part) => this.row(part)),
    );
    this.chosen.draw();
  }

  /** A part in the strip. @param {EditorPart} part */
  row(part) {
    const { model } = this;
    const picture = dom("span", { class: "mini" });
    const copies = dom("span", { class: "copies" });
    const label = dom("strong", {});
    const show = () => {
      /** @param {Cell} cell */
      const tint = (cell) => model.colours[part.cells.get(keyOf(cell))?.colour || -1]?.rgb ?? part.rgb;
      const cells = [...part.cells.values()].map((entry) => entry.cell);
      const pictures = thumbnail(model.lattice, cells, tint, this.scale);
      if (!model.lattice.space) pictures[0]?.append(...sideMarks(model, part, cells));
      fill(picture, pictures);
      copies.textContent = [copiesOf(part), counted(cells.length, "cell")].filter(Boolean).join(" · ");
      label.textContent = part.name;
    };
    show();
    this.repaint.set(part, show);
    const choose = () => this.choose(part);
    const pressed = String(part === this.part);
    const button = dom(
      "button",
      { type: "button", class: "pick", "aria-pressed": pressed, onclick: choose },
      picture,
      dom("span", { class: "named" }, label, copies),
    );
    return dom("div", { class: "part" }, this.chosen.box(part), button);
  }

  /** Edit a part, or the region. @param {EditorPart | null} part */
  choose(part) {
    this.part = part;
    this.shown.forEach((other, k) => {
      this.parts.children[k].querySelector(".pick")?.setAttribute("aria-pressed", String(other === part));
    });
    this.regionTile.setAttribute("aria-pressed", String(!part));
    this.drawPane();
    if (!wide.matches) this.element.querySelector(".bench")?.scrollIntoView({ block: "nearest" });
  }

  drawPane() {
    const { model, part } = this;
    this.edited?.hideSpace();
    this.edited = null;
    this.repaintPane = [];
    this.pane.hidden = !part;
    this.regionPane.hidden = Boolean(part);
    fill(this.question);
    if (!part) {
      fill(this.pane);
      return this.grid.appear();
    }
    const edited = () => {
      this.repaint.get(part)?.();
      this.ask();
      model.changed();
    };
    const repaint = { add: (/** @type {() => void} */ paint) => this.repaintPane.push(paint) };
    let tint = [...part.cells.values()][0]?.colour ?? 0;
    const grid = this.partGrid(part, () => tint, edited);
    this.edited = grid;
    repaint.add(() => grid.draw());
    fill(
      this.pane,
      dom(
        "div",
        { class: "top" },
        nameOfPart(part, this.model, edited),
        numbersOfPart(part, edited),
        this.tints((value) => (tint = value), tint),
        dom("button", { type: "button", onclick: () => this.add(part) }, "Duplicate"),
        dom("button", { type: "button", class: "danger", onclick: () => this.remove(part) }, "Delete"),
      ),
      dom("div", { class: "canvas" }, grid.element),
      this.details(part, edited, repaint),
    );
    grid.appear();
    return this.ask();
  }

  /**
   * What is rarely changed of a part: its motions, its colour, its sides and groups.
   * @param {EditorPart} part @param {() => void} edited @param {{ add: (paint: () => unknown) => unknown }} repaint
   */
  details(part, edited, repaint) {
    const { model } = this;
    const body = dom("div", { class: "body" });
    const draw = () => {
      this.unfolded = element.open;
      const fields = () => [
        motionsField(model, part, edited),
        colourOf(model, part, edited, repaint),
        ...moreOfPart(model, part, edited, repaint),
      ];
      fill(body, element.open ? fields() : []);
    };
    const summary = dom(
      "summary",
      {},
      host.knows.rules ? "Motions, colour, sides and groups" : "Motions, colour and groups",
    );
    const element = dom("details", { class: "more-of-part", open: this.unfolded, ontoggle: draw }, summary, body);
    if (this.unfolded) draw();
    return element;
  }

  /** @param {EditorPart} part @param {() => number} tint @param {() => void} edited */
  partGrid(part, tint, edited) {
    const { model } = this;
    /** @param {Entry} entry */
    const rgb = (entry) => (entry.colour ? model.colours[entry.colour].rgb : part.rgb);
    return new Shaping({
      lattice: model.lattice,
      chosen: part.cells,
      tinted: model.colours.length > 1,
      moving: (image) => (part.sides = movedSides(model.lattice, part.sides, image)),
      solid: (entry) => ({ fill: rgb(entry) }),
      name: `Part ${part.name}`,
      kept: this.viewOf(`Part ${this.shown.indexOf(part)}`),
      look: (entry) => ({ fill: rgb(entry), label: entry.colour ? model.colours[entry.colour].name : "filled" }),
      paint: () => ({ colour: tint(), optional: false }),
      same: (entry) => entry.colour === tint(),
      changed: edited,
    });
  }

  /** Ask whether a part that lies in pieces is meant to. */
  ask() {
    const { model, part } = this;
    if (!part) return;
    const pieces = componentsOf(model.lattice, part.cells);
    const asks = pieces.length > 1 && !this.whole.has(part.name);
    const split = () => {
      const [kept, ...others] = pieces;
      for (const keys of others) {
        const piece = model.added(part);
        for (const key of piece.cells.keys()) if (!keys.has(key)) piece.cells.delete(key);
      }
      for (const key of part.cells.keys()) if (!kept.has(key)) part.cells.delete(key);
      model.refresh(null);
    };
    const keep = () => {
      this.whole.add(part.name);
      this.ask();
    };
    /** @param {string} text @param {() => unknown} act */
    const button = (text, act) => dom("button", { type: "button", onclick: act }, text);
    fill(
      this.question,
      asks ? dom("span", {}, `The cells of ${part.name} lie in ${pieces.length} places that do not touch.`) : null,
      asks ? button(`Make ${pieces.length} parts`, split) : null,
      asks ? button("It is one part", keep) : null,
    );
  }

  /** @param {EditorPart | null} part */
  add(part) {
    const added = this.model.add(part);
    this.part = added;
    this.drawParts();
    /** @type {HTMLElement} */ (this.parts.lastElementChild?.querySelector(".pick"))?.focus();
  }

  /** @param {EditorPart} part */
  remove(part) {
    const { model } = this;
    const at = model.parts.indexOf(part);
    model.removed((other) => other === part);
    this.part = model.parts[Math.min(at, model.parts.length - 1)] ?? null;
    model.changed();
    this.drawParts();
    /** @type {HTMLElement} */ (this.element.querySelector(".strip button.add")).focus();
  }

  /** @param {EditorPart[]} parts */
  fetched(parts) {
    this.model.refresh(null);
    this.part = parts.at(-1) ?? this.part;
    this.drawParts();
    this.parts.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  // What is said

  count() {
    if (!this.model.isPuzzle) return;
    for (const [by, button] of this.steps) button.disabled = !this.model.history.can(by);
    this.meter.draw();
    this.drawRegionTile();
  }

  judge() {
    const { verdict, isPuzzle } = this.model;
    if (isPuzzle) fill(this.source, prose(verdict.source ?? ""));
    this.notes.show(verdict, isPuzzle && !this.meter.fits);
  }
}

/** @param {{ low: number, high: number | null }} how */
function copiesOf({ low, high }) {
  if (low === 1 && high === 1) return "";
  if (high === null) return low ? `× ${low} or more` : "× any number";
  return low === high ? `× ${low}` : `× ${low} to ${high}`;
}
