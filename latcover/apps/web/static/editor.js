// The page "Draw": one large canvas for what is chosen, the region or a part, and beside it both as tiles.

import { About, Closing } from "./about_panel.js";
import { Colours } from "./colours_panel.js";
import { number } from "./elements.js";
import { movedSides } from "./fields.js";
import { host } from "./host.js";
import { Library } from "./library.js";
import { Live } from "./live.js";
import { button, Choice, Held, Line } from "./panels.js";
import { changing, MoreOfPart, NameOfPart, Numbers } from "./part_form.js";
import { h, html, render, useLayoutEffect } from "./preact.js";
import { Meter, Notes } from "./said.js";
import { Shaping } from "./shaping.js";
import { Heads, plainTools } from "./shaping_tools.js";
import { Sides } from "./sides_panel.js";
import { Strip } from "./strip.js";

/** @import { EditorPart, Entry, KeptView } from "./web_types.js" */
/** @import { Catalogue } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const wide = matchMedia("(min-width: 36rem)");

export class Editor {
  /** @type {EditorPart | null} */
  part = null; // the part that is edited; none: the region is
  /** @type {Set<EditorPart>} */
  picked = new Set(); // the parts that are changed together
  /** @type {EditorPart[]} */
  shown = []; // the parts as they were drawn last
  /** @type {Shaping | undefined} */ canvas;
  /** @type {Map<string, KeptView>} */
  views = new Map(); // the window of each canvas, by name
  tints = { region: 0, part: 0 };
  isOptional = false; // whether cells that are filled now may stay empty
  isUnfolded = false; // the details of the part
  whole = new Set(); // the names of parts that are meant to lie in pieces

  /** @param {Model} model @param {HTMLElement} element @param {Catalogue} about */
  constructor(model, element, about) {
    this.model = model;
    this.element = element;
    this.library = new Library(this, about);
    this.live = new Live(model, () => this.draw());
    model.addEventListener("loaded", () => this.begin());
    for (const what of ["changed", "checked"]) model.addEventListener(what, () => this.draw());
    for (const what of ["restored", "refreshed"]) model.addEventListener(what, () => this.restored());
    model.addEventListener("painted", () => this.canvas?.draw());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  begin() {
    this.views.clear();
    this.whole.clear();
    this.picked.clear();
    this.part = null;
    this.canvas = undefined;
    this.isOptional = false;
    Object.assign(this.tints, { region: 0, part: 0 });
    this.draw();
  }

  draw() {
    const { model } = this;
    if (!model.data) return;
    if (model.isPuzzle) {
      this.shown = model.parts;
      this.picked = new Set(model.parts.filter((part) => this.picked.has(part)));
      const isAnother = this.canvas?.chosen !== (this.part?.cells ?? model.region);
      if (isAnother || (!this.part && this.closed !== String(model.fields.period)))
        this.canvas = this.canvasOf(this.part);
    }
    render(model.isPuzzle ? h(Draw, { editor: this }) : h(BareProblem, { model }), this.element);
  }

  /** Draw again after undo, redo or a panel's change; what was edited and chosen stays so, under its name or its number. */
  restored() {
    const { parts } = this.model;
    /** @param {EditorPart} part */
    const again = (part) => {
      const at = parts.length === this.shown.length ? this.shown.indexOf(part) : -1;
      return parts.find((one) => one === part) ?? parts.find(({ name }) => name === part.name) ?? parts[at];
    };
    this.picked = new Set([...this.picked].flatMap((part) => again(part) ?? []));
    this.part = (this.part && again(this.part)) ?? null;
    const { canvas } = this;
    const isHeld = canvas?.grid.element.contains(document.activeElement);
    this.draw();
    if (this.canvas === canvas) canvas?.draw();
    if (isHeld) this.canvas?.grid.refocus();
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

  /** A canvas for the region, or for a part. @param {EditorPart | null} part */
  canvasOf(part) {
    const { model, tints } = this;
    const { lattice, fields } = model;
    this.closed = String(fields.period);
    const view = part ? `Part ${model.parts.indexOf(part)}` : `Region ${this.closed}`;
    if (!this.views.has(view)) this.views.set(view, {});
    if (part) tints.part = [...part.cells.values()][0]?.colour ?? 0;
    const of = part ? "part" : "region";
    const isOptional = () => !part && this.isOptional;
    /** @param {Entry} entry */
    const rgb = ({ colour }) => (colour ? model.colours[colour].rgb : (part?.rgb ?? "var(--filled)"));
    /** @param {Entry} entry */
    const words = ({ colour, optional }) => {
      const named = colour ? model.colours[colour].name : "";
      if (part) return named || "filled";
      return [optional ? "may stay empty" : "must be filled", named].filter(Boolean).join(", ");
    };
    return new Shaping({
      lattice,
      chosen: part?.cells ?? model.region,
      regional: !part,
      tinted: !part || model.colours.length > 1,
      period: part ? undefined : fields.period,
      name: part ? `Part ${part.name}` : "Region",
      kept: this.views.get(view),
      moving: (image) => part && (part.sides = movedSides(lattice, part.sides, image)),
      solid: (entry) => ({ fill: rgb(entry), faint: entry.optional }),
      look: (entry) => ({ fill: rgb(entry), class: entry.optional ? "optional" : "", label: words(entry) }),
      paint: () => ({ colour: tints[of], optional: isOptional() }),
      same: (entry) => entry.colour === tints[of] && entry.optional === isOptional(),
      changed: () => model.changed(),
    });
  }

  // Parts

  /** Edit a part, or the region. @param {EditorPart | null} part */
  choose(part) {
    this.part = part;
    this.draw();
    if (!wide.matches) this.element.querySelector(".bench")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {EditorPart | null} part */
  add(part) {
    this.part = this.model.added(part);
    this.model.changed();
    /** @type {HTMLElement} */ (this.element.querySelector(".parts > :last-child .pick")).focus();
  }

  /** @param {EditorPart} part */
  remove(part) {
    const { model } = this;
    const at = model.parts.indexOf(part);
    model.removed((other) => other === part);
    this.part = model.parts[Math.min(at, model.parts.length - 1)] ?? null;
    model.changed();
  }

  duplicatePicked() {
    this.picked = new Set([...this.picked].map((part) => this.model.added(part)));
    this.model.refresh();
  }

  removePicked() {
    this.model.removed((part) => this.picked.has(part));
    this.model.refresh();
  }

  /** @param {EditorPart[]} parts */
  fetched(parts) {
    this.part = parts.at(-1) ?? this.part;
    this.model.refresh();
    this.element.querySelector(".parts > :last-child")?.scrollIntoView({ block: "nearest" });
  }

  /** Make parts of the pieces in which a part lies. @param {EditorPart} part @param {Set<string>[]} pieces */
  split(part, [kept, ...others]) {
    for (const keys of others) {
      const piece = this.model.added(part);
      for (const key of piece.cells.keys()) if (!keys.has(key)) piece.cells.delete(key);
    }
    for (const key of part.cells.keys()) if (!kept.has(key)) part.cells.delete(key);
    this.model.refresh();
  }
}

/** @param {{ model: Model }} shown */
function BareProblem({ model }) {
  const { options, items } = /** @type {any} */ (model.data);
  return html`<p>
      A cover problem without a puzzle: ${number(options)} options on ${number(items)} items. It can be solved and
      compared; it has nothing to draw or edit.
    </p>
    ${h(Notes, { model })}`;
}

/** @param {{ editor: Editor }} shown */
function Draw({ editor }) {
  const { model, part } = editor;
  /** @param {string} name */
  const rename = (name) => {
    model.name = name;
    if (model.verdict.own_title) model.fields.title = name; // cards show the title
    model.changed();
  };
  /** @param {number} by @param {string} words @param {string} keys */
  const step = (by, words, keys) =>
    button(words, () => model.step(by), { "aria-keyshortcuts": keys, disabled: !model.history.can(by) });
  const panels = host.knows.rules ? [Colours, Sides, Closing, About] : [Closing, About];
  const source = (model.verdict.source ?? "").split(/`([^`\n]+)`/);
  return html`<div class="says">
      ${h(Line, {
        ...{ id: "puzzle-name", class: "inplace", maxlength: 200, "aria-label": "name of the puzzle" },
        value: model.name,
        set: rename,
      })}
      <span class="group">${step(-1, "Undo", "Control+Z")} ${step(1, "Redo", "Control+Shift+Z")}</span>
      ${h(Meter, { model })} ${editor.live.words()} ${h(Notes, { model })}
    </div>
    <div class="bench">
      ${part ? h(PartPane, { key: model.parts.indexOf(part), editor, part }) : h(RegionPane, { editor })}
      ${h(Strip, { editor })} ${editor.library.panel()}
    </div>
    <p class="hint">${source.map((text, k) => (k % 2 ? html`<code>${text}</code>` : text))}</p>
    <div class="folds">${panels.map((Panel) => h(Panel, { model }))}</div>`;
}

/** The canvas of what is chosen. @param {{ shaping: Shaping }} shown */
function Canvas({ shaping }) {
  useLayoutEffect(() => {
    shaping.appear();
    return () => shaping.hideSpace();
  }, [shaping]);
  return html`<div class="canvas">
    <div class="shaping">
      ${h(Heads, { shaping })} ${h(Held, { class: "both", nodes: [shaping.place, shaping.grid.element] })}
    </div>
  </div>`;
}

/** A choice of the puzzle's colours, if it has any. @param {Editor} editor @param {"region" | "part"} of */
function tintOf(editor, of) {
  const { colours } = editor.model;
  if (editor.tints[of] >= colours.length) editor.tints[of] = 0;
  if (colours.length < 2) return null;
  /** @param {string} k */
  const choose = (k) => {
    editor.tints[of] = Number(k);
    editor.draw();
  };
  const options = colours.map(({ name }, k) => [String(k), name || "any colour"]);
  return h(Choice, { label: "colour", value: String(editor.tints[of]), choose, options });
}

/** @param {{ editor: Editor }} shown */
function RegionPane({ editor }) {
  const canvas = /** @type {Shaping} */ (editor.canvas);
  /** @param {string} words @param {boolean} isOptional */
  const tool = (words, isOptional) => {
    const choose = () => {
      editor.isOptional = isOptional;
      editor.draw();
    };
    const checked = editor.isOptional === isOptional;
    return html`<label class="radio"
      ><input type="radio" name="tool" checked=${checked} onChange=${choose} />${words}</label
    >`;
  };
  return html`<section class="pane region" aria-label="Region">
    <div class="top">
      <h3>Region</h3>
      <div class="group" role="group" aria-label="What a click does to a cell">
        ${tool("must be filled", false)} ${tool("may stay empty", true)} ${tintOf(editor, "region")}
      </div>
      <span class="plain-tools">${plainTools(canvas)}</span>
    </div>
    ${h(Canvas, { shaping: canvas })}
  </section>`;
}

/** @param {{ editor: Editor, part: EditorPart }} shown */
function PartPane({ editor, part }) {
  const { model } = editor;
  /** @param {{ target: HTMLDetailsElement }} event */
  const unfold = ({ target }) => {
    editor.isUnfolded = target.open;
    editor.draw();
  };
  return html`<section class="pane edited" aria-label="Edited part">
    <div class="top">
      ${h(NameOfPart, { model, part })}
      <span class="group">${h(Numbers, { ...part, change: changing(model, [part]) })}</span>
      ${tintOf(editor, "part")} ${button("Duplicate", () => editor.add(part))}
      ${button("Delete", () => editor.remove(part), { class: "danger" })}
    </div>
    ${h(Canvas, { shaping: /** @type {Shaping} */ (editor.canvas) })}
    <details class="more-of-part" open=${editor.isUnfolded} onToggle=${unfold}>
      <summary>${host.knows.rules ? "Motions, colour, sides and groups" : "Motions, colour and groups"}</summary>
      <div class="body">${editor.isUnfolded && h(MoreOfPart, { model, part })}</div>
    </details>
  </section>`;
}
