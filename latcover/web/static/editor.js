// The page "Puzzle": edits the region and the parts by clicking cells.

import { dom, fill } from "./dom.js";
import { field, choice, number, showFault } from "./elements.js";
import { AboutPanel, RegionPanel } from "./about_panel.js";
import { ColoursPanel } from "./colours_panel.js";
import { Fetch } from "./fetch.js";
import { movedSides } from "./fields.js";
import { keyOf } from "./geometry.js";
import { thumbnail, thumbnailScale } from "./grid.js";
import { Chosen, moreOfPart, partFields } from "./part_form.js";
import { saveBurrTools, saveToml } from "./saving.js";
import { Shaping } from "./shaping.js";
import { sideMarks, SidesPanel } from "./sides_panel.js";

export class Editor {
  /** @type {any[]} */
  shown;
  /** @type {Set<() => void>} */
  repaint;
  /** @type {number} */
  scale;
  /** @type {Shaping} */
  grid;
  /** @type {number} */
  tint;
  /** @type {string} */
  tool;
  /** @type {HTMLSpanElement} */
  tintPlace;
  /** @type {HTMLDivElement} */
  verdict;
  /** @type {HTMLParagraphElement} */
  sum;
  /** @type {HTMLDivElement} */
  refusal;
  /** @type {HTMLParagraphElement} */
  source;
  /** @type {HTMLDivElement} */
  parts;
  /** @type {HTMLInputElement} */
  title;
  /** @type {[number, HTMLButtonElement][]} */
  steps;

  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    this.open = new Set();
    this.folds = [ColoursPanel, SidesPanel, RegionPanel, AboutPanel].map((kind) => new kind(model));
    this.chosen = new Chosen(model);
    this.fetch = new Fetch(model, about, (parts) => this.fetched(parts));
    model.addEventListener("loaded", () => this.draw());
    model.addEventListener("changed", () => this.count());
    model.addEventListener("checked", () => this.judge());
    for (const what of ["restored", "refreshed"]) model.addEventListener(what, () => this.restored());
    model.addEventListener("painted", () => {
      for (const paint of [() => this.grid.draw(), () => this.drawTint(), ...this.repaint]) paint();
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  draw() {
    const { model } = this;
    this.open.clear();
    this.verdict = dom("div", { class: "verdict", role: "status" });
    this.sum = dom("p", { class: "sum" });
    this.refusal = dom("div", { class: "faults", role: "alert", hidden: true });
    if (!model.isPuzzle) {
      const { options, items } = model.data;
      const what = `A cover problem without a puzzle: ${number(options)} options on ${number(items)} items. It can be solved and compared; it has nothing to draw or edit.`;
      fill(this.element, dom("p", {}, what), this.verdict);
      this.judge();
      return;
    }
    this.source = dom("p", { class: "hint" });
    this.parts = dom("div", { class: "parts" });
    this.title = dom("input", { value: model.name, maxlength: 200, onchange: () => this.rename(this.title.value) });
    /** @type {[by: number, button: HTMLButtonElement][]} */
    this.steps = /** @type {[number, string, string][]} */ ([
      [-1, "Undo", "Control+Z"],
      [1, "Redo", "Control+Shift+Z"],
    ]).map(([by, text, keys]) => {
      const step = () => {
        model.step(by);
        if (button.disabled) this.steps.find(([, other]) => !other.disabled)?.[1].focus();
      };
      const button = dom("button", { type: "button", "aria-keyshortcuts": keys, onclick: step }, text);
      return [by, button];
    });
    fill(
      this.element,
      this.source,
      dom(
        "div",
        { class: "row steps" },
        this.steps.map(([, button]) => button),
        this.sum,
      ),
      dom(
        "div",
        { class: "columns" },
        dom("section", { "aria-label": "Region" }, dom("h3", {}, "Region"), this.regionTools(), this.regionGrid()),
        dom(
          "section",
          { "aria-label": "Parts" },
          dom("h3", {}, "Parts"),
          this.chosen.element,
          this.parts,
          dom(
            "div",
            { class: "row" },
            dom("button", { type: "button", class: "add", onclick: () => this.add() }, "Add a part"),
            this.fetch.opener,
          ),
        ),
      ),
      dom(
        "div",
        { class: "folds" },
        this.folds.map((fold) => fold.element),
      ),
      this.verdict,
      dom(
        "div",
        { class: "row" },
        field("name", this.title),
        dom("button", { type: "button", onclick: () => this.download(saveToml) }, "Download this puzzle (TOML)"),
        dom(
          "button",
          { type: "button", onclick: () => this.download(saveBurrTools) },
          "Download for BurrTools (.xmpuzzle)",
        ),
      ),
      this.refusal,
    );
    this.chosen.parts.clear();
    this.drawParts();
    for (const fold of this.folds) fold.draw();
    this.count();
    this.judge();
  }

  /** Redraw after undo or redo; open parts stay open, and the focus stays in place. */
  restored() {
    const { model } = this;
    const inRegion = this.grid.element.contains(document.activeElement);
    const [open, shown] = [this.open, this.shown];
    this.title.value = model.name;
    if (String(this.grid.period) === String(model.fields.period)) this.grid.draw();
    else this.grid.element.replaceWith(this.regionGrid());
    this.drawTint();
    if (inRegion) this.grid.refocus();
    this.open = new Set(
      model.parts.filter((part, k) => open.has(part) || (shown.length === model.parts.length && open.has(shown[k]))),
    );
    this.drawParts();
  }

  key(event) {
    const by = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key?.toLowerCase()];
    const elsewhere = this.element.hidden || !this.model.isPuzzle || event.target.closest("input:not([type=radio])"); // they have their own undo
    if (!by || !(event.ctrlKey || event.metaKey) || event.altKey || elsewhere) return;
    event.preventDefault();
    this.model.step(by);
  }

  rename(name) {
    this.model.name = name;
    this.model.changed();
  }

  async download(save) {
    showFault(this.refusal, null);
    await save(this.model).catch((fault) => showFault(this.refusal, fault));
  }

  regionTools() {
    const tools = [
      ["fill", "must be filled"],
      ["optional", "may stay empty"],
    ];
    this.tool = "fill";
    this.tint = 0;
    const buttons = tools.map(([name, text]) => {
      const radio = dom("input", {
        type: "radio",
        name: "tool",
        value: name,
        checked: name === "fill",
        onchange: () => (this.tool = name),
      });
      return dom("label", { class: "radio" }, radio, text);
    });
    this.tintPlace = dom("span", {});
    this.drawTint();
    return dom(
      "div",
      { class: "row", role: "group", "aria-label": "What a click does to a cell" },
      buttons,
      this.tintPlace,
    );
  }

  drawTint() {
    if (this.tint >= this.model.colours.length) this.tint = 0;
    fill(this.tintPlace, this.tints((value) => (this.tint = value), this.tint) ?? []);
  }

  /** A choice of the puzzle's colours, if it has any. */
  tints(onchange, first = 0) {
    const { colours } = this.model;
    if (colours.length < 2) return null;
    const options = colours.map(({ name }, k) => [String(k), name || "any colour"]);
    return field(
      "colour",
      choice(options, String(first), (value) => onchange(Number(value))),
    );
  }

  regionGrid() {
    const { model } = this;
    this.grid = new Shaping({
      lattice: model.lattice,
      chosen: model.region,
      regional: true,
      tinted: true,
      solid: (entry) => ({
        fill: entry.colour ? model.colours[entry.colour].rgb : "var(--filled)",
        faint: entry.optional,
      }),
      period: [...model.fields.period],
      name: "Region",
      pixels: pixelsFor(model),
      look: (entry) => ({
        fill: entry.colour ? model.colours[entry.colour].rgb : "var(--filled)",
        class: entry.optional ? "optional" : "",
        label: `${entry.optional ? "may stay empty" : "must be filled"}${entry.colour ? `, ${model.colours[entry.colour].name}` : ""}`,
      }),
      paint: () => ({ colour: this.tint, optional: this.tool === "optional" }),
      same: (entry) => entry.colour === this.tint && entry.optional === (this.tool === "optional"),
      changed: () => model.changed(),
    });
    return this.grid.element;
  }

  drawParts() {
    const { lattice, parts } = this.model;
    this.scale = thumbnailScale(
      lattice,
      parts.map((part) => [...part.cells.values()].map((entry) => entry.cell)),
    );
    this.chosen.renew(this.shown ?? []);
    this.shown = [...parts];
    this.repaint = new Set();
    fill(
      this.parts,
      parts.map((part) => dom("div", { class: "part" }, this.chosen.box(part), this.part(part))),
    );
    this.chosen.draw();
  }

  part(part) {
    const { model } = this;
    const picture = dom("span", { class: "mini" });
    const copies = dom("span", { class: "copies" });
    const label = dom("strong", {});
    const show = () => {
      const entries = [...part.cells.values()];
      const tint = (cell) => model.colours[part.cells.get(keyOf(cell)).colour || -1]?.rgb ?? part.rgb;
      const cells = entries.map((entry) => entry.cell);
      const pictures = thumbnail(model.lattice, cells, tint, this.scale);
      if (!model.lattice.space) pictures[0]?.append(...sideMarks(model, part, cells));
      fill(picture, pictures);
      copies.textContent = copiesOf(part);
      label.textContent = part.name;
    };
    const edited = () => {
      show();
      model.changed();
    };
    const body = dom("div", { class: "body" });
    const details = dom("details", { open: this.open.has(part) }, dom("summary", {}, picture, label, copies), body);
    details.addEventListener("toggle", () => {
      this.open[details.open ? "add" : "delete"](part);
      fill(body, details.open ? this.partBody(part, edited) : []);
    });
    if (details.open) fill(body, this.partBody(part, edited));
    show();
    this.repaint.add(show);
    return details;
  }

  partBody(part, edited) {
    const { model } = this;
    let tint = [...part.cells.values()][0]?.colour ?? 0;
    const grid = new Shaping({
      lattice: model.lattice,
      chosen: part.cells,
      tinted: model.colours.length > 1,
      moving: (image) => (part.sides = movedSides(model.lattice, part.sides, image)),
      solid: (entry) => ({ fill: entry.colour ? model.colours[entry.colour].rgb : part.rgb }),
      name: `Part ${part.name}`,
      pixels: 28,
      look: (entry) => ({
        fill: entry.colour ? model.colours[entry.colour].rgb : part.rgb,
        label: entry.colour ? model.colours[entry.colour].name : "filled",
      }),
      paint: () => ({ colour: tint, optional: false }),
      same: (entry) => entry.colour === tint,
      changed: edited,
    });
    this.repaint.add(() => grid.draw());
    return [
      ...partFields(model, part, edited, this.repaint),
      dom(
        "div",
        { class: "row" },
        this.tints((value) => (tint = value), tint),
      ),
      grid.element,
      dom(
        "div",
        { class: "row" },
        dom("button", { type: "button", onclick: () => this.add(part) }, "Duplicate"),
        dom("button", { type: "button", class: "danger", onclick: () => this.remove(part) }, "Delete"),
      ),
      ...moreOfPart(model, part, edited, this.repaint),
    ];
  }

  add(part) {
    const added = this.model.add(part);
    this.open.add(added);
    this.drawParts();
    this.parts.lastElementChild?.querySelector("summary")?.focus();
  }

  remove(part) {
    this.model.removed((other) => other === part);
    this.model.changed();
    this.drawParts();
    /** @type {HTMLElement} */ (this.parts.parentElement?.querySelector("button.add")).focus();
  }

  fetched(parts) {
    this.model.refresh(null);
    this.parts.lastElementChild?.scrollIntoView({ block: "nearest" });
    this.chosen.parts = new Set(parts); // the next change often applies to all of them
    this.drawParts();
  }

  count() {
    if (!this.model.isPuzzle) return;
    const [region, optional, fewest, most] = this.model.volumes();
    const hold =
      fewest === most
        ? number(fewest)
        : most === Infinity
          ? `${number(fewest)} or more`
          : `${number(fewest)} to ${number(most)}`;
    const free = optional ? `, ${number(optional)} of which may stay empty` : "";
    for (const [by, button] of this.steps) button.disabled = !this.model.history.can(by);
    this.sum.textContent = `The region has ${number(region)} cells${free}; the parts hold ${hold}.`;
  }

  judge() {
    const { faults, warnings, source } = this.model.verdict;
    if (this.model.isPuzzle) this.source.textContent = source ?? "";
    showFault(this.refusal, null);
    const lines = [
      ...faults.map((text) => dom("li", { class: "fault" }, text)),
      ...warnings.map((text) => dom("li", { class: "warning" }, text)),
    ];
    fill(
      this.verdict,
      lines.length ? dom("ul", {}, lines) : dom("p", { class: "good" }, "Nothing is wrong with this puzzle."),
    );
  }
}

function copiesOf({ low, high }) {
  if (low === 1 && high === 1) return "";
  if (high === null) return low ? `× ${low} or more` : "× any number";
  return low === high ? `× ${low}` : `× ${low} to ${high}`;
}

/** The size at which cells are drawn: smaller if there are more. */
function pixelsFor(model) {
  return model.region.size > 400 ? 18 : model.region.size > 120 ? 26 : 38;
}
