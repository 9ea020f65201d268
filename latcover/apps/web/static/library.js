// A library of parts, as pictures: of shipped sets, of puzzles of the same lattice, and of files. A part is added by a click, or
// by dragging it onto the parts of the puzzle.

import { Fault } from "./faults.js";
import { host as api } from "./host.js";
import { button, Held } from "./panels.js";
import { h, html, useLayoutEffect, useMemo, useRef, useState } from "./preact.js";
import { sideMarks } from "./sides_field.js";
import { addParts } from "./take_parts.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";

/** @import { Editor } from "./editor.js" */
/** @import { Catalogue, PartData, PartsAnswer } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const DRAGGED = "application/x-latcover-part";

/**
 * Where parts come from: ask() gives them.
 *
 * @typedef {{ key: string, name: string, title: string, ask: () => Promise<PartsAnswer> }} Source
 */

/** Take some parts of an answer into the puzzle. @typedef {(found: PartsAnswer, parts: PartData[]) => void} Take */

export class Library {
  /** @type {Source[]} */
  files = []; // that were opened here
  /** @type {{ found: PartsAnswer, part: PartData } | null} */ dragged = null;
  isOpen = false;

  /** `about` is what the host offers. @param {Editor} editor @param {Catalogue} about */
  constructor(editor, about) {
    const { model } = editor;
    this.model = model;
    this.editor = editor;
    this.about = about;
    model.addEventListener("loaded", () => {
      this.files = []; // other lattices have other parts
      this.isOpen = false;
    });
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.isOpen = isOpen;
    this.editor.draw();
  }

  opener() {
    return button("Library of parts", () => this.open(!this.isOpen), { "aria-expanded": String(this.isOpen) });
  }

  /** @returns {Source[]} */
  sources() {
    const { name } = this.model.lattice;
    /** @param {"set" | "shipped"} form @param {{ name: string, title: string, lattice: string }[]} list */
    const there = (form, list) =>
      list
        .filter(({ lattice }) => lattice === name)
        .map((one) => ({
          key: `${form}:${one.name}`,
          name: one.name,
          title: one.title || one.name,
          ask: () => api.parts(/** @type {any} */ ({ form, name: one.name })),
        }));
    return [...this.files, ...there("set", this.about.sets), ...there("shipped", this.about.puzzles)];
  }

  panel() {
    if (!this.isOpen) return null;
    const leave = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && this.open(false);
    return html`<section class="library" aria-label="Library of parts" onKeyDown=${leave}>
      ${h(Shelves, { library: this })}
    </section>`;
  }

  /** @type {Take} */ take = (found, parts) => this.editor.fetched(addParts(this.model, found, parts));

  /**
   * Show the parts of a file: a part set or a puzzle in our format, or the puzzles of a file in another format.
   * @param {File} file
   */
  async read(file) {
    const isOwn = file.name.toLowerCase().endsWith(".toml");
    const first = isOwn ? null : api.read([file]);
    const problems = (await first?.catch(() => null))?.problems ?? []; // what is wrong is said on the shelf
    /** @param {string} [problem] @returns {Promise<any>} */
    const ask = async (problem) => {
      if (isOwn) return api.parts({ form: "toml", text: await file.text(), file: file.name });
      const data = await (problem ? api.read([file], problem) : first);
      if (data?.kind !== "puzzle") throw new Fault("this file holds a cover problem without parts");
      return data;
    };
    const names = problems.length ? problems.map(({ name }) => name) : [undefined];
    const made = names.map((problem, k) => {
      const name = problem ?? file.name;
      return { key: `file:${file.name}:${this.files.length}:${k}`, name, title: file.name, ask: () => ask(problem) };
    });
    this.files = [...made, ...this.files];
    this.editor.draw();
  }

  /** The attributes of an element on which what is dragged from the library may be dropped. */
  accepting() {
    /** @param {boolean} isOver */
    const over = (isOver) => (/** @type {DragEvent & { currentTarget: Element }} */ event) => {
      if (!event.dataTransfer?.types.includes(DRAGGED)) return;
      event.preventDefault();
      event.currentTarget.classList.toggle("receiving", isOver);
    };
    /** @param {DragEvent & { currentTarget: Element }} event */
    const drop = (event) => {
      over(false)(event);
      if (this.dragged) this.take(this.dragged.found, [this.dragged.part]);
      this.dragged = null;
    };
    return { onDragOver: over(true), onDragLeave: over(false), onDrop: drop };
  }
}

/** @param {{ library: Library }} shown */
function Shelves({ library }) {
  const place = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => place.current?.focus(), []);
  const sources = library.sources();
  const [wanted, find] = useState("");
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const there = sources.filter(({ name, title }) =>
    words.every((word) => `${name} ${title}`.toLowerCase().includes(word)),
  );
  /** @param {any} event */
  const chosen = ({ target }) => {
    const [file] = target.files ?? [];
    target.value = "";
    if (file) library.read(file);
  };
  return html`<div class="row head">
      <h3>Library of parts</h3>
      ${button("Close", () => library.open(false))}
    </div>
    <div class="row">
      <input
        type="search"
        placeholder="tetrominoes, burr …"
        aria-label="Find parts"
        ref=${place}
        value=${wanted}
        onInput=${(/** @type {any} */ event) => find(event.target.value)}
      />
      <label class="button as-file">
        From a file …
        <input
          type="file"
          class="unseen"
          aria-label="parts of a file"
          accept=${library.about.suffixes.join(",")}
          onChange=${chosen}
        />
      </label>
    </div>
    <div class="shelves">
      ${there.map((source, k) =>
        h(Shelf, { key: source.key, source, library, first: k === 0 || source.key.startsWith("file:") }),
      )}
      ${!there.length && html`<p class="hint">No set or puzzle of this lattice matches.</p>`}
    </div>`;
}

/** @param {{ source: Source, library: Library, first: boolean }} shown */
function Shelf({ source, library, first }) {
  const [found, setFound] = useState(/** @type {PartsAnswer | null} */ (null));
  const [fault, setFault] = useState("");
  const asked = useRef(false);
  const load = async () => {
    if (asked.current) return;
    asked.current = true;
    try {
      setFound(onLattice(await source.ask(), library.model));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      setFault(error.message);
    }
  };
  return html`<details open=${first} onToggle=${(/** @type {any} */ event) => event.target.open && load()}>
    <summary>${source.name}<small>${source.title === source.name ? "" : source.title}</small></summary>
    ${fault && html`<p class="faults" role="alert">${fault}</p>`}
    ${
      found &&
      html`<div class="offered">${found.parts.map((part) => h(Offered, { found, part, library }))}</div>
        ${found.parts.length > 1 && button(`Add all ${found.parts.length}`, () => library.take(found, found.parts))}`
    }
  </details>`;
}

/** An answer, if its parts are on the lattice of the puzzle. @param {PartsAnswer} found @param {Model} model */
function onLattice(found, model) {
  if (JSON.stringify(found.lattice.edges) === JSON.stringify(model.lattice.edges)) return found;
  throw new Fault(`these parts are on the lattice ${found.lattice.name}, but this puzzle is on ${model.lattice.name}`);
}

/** @param {{ found: PartsAnswer, part: PartData, library: Library }} shown */
function Offered({ found, part, library }) {
  /** @param {DragEvent} event */
  const begin = (event) => {
    event.dataTransfer?.setData(DRAGGED, part.name);
    library.dragged = { found, part };
  };
  return html`<button
    type="button"
    class="pick"
    draggable="true"
    aria-label=${`add ${part.name}`}
    title=${`Add ${part.name}: click, or drag it to the parts`}
    onClick=${() => library.take(found, [part])}
    onDragStart=${begin}
  >
    ${h(Held, { nodes: useMemo(() => pictureOf(found, part, library.model), [part]) })}
    <span>${part.name}</span>
  </button>`;
}

/** @param {PartsAnswer} found @param {PartData} part @param {Model} model */
function pictureOf(found, part, { lattice }) {
  const { colours, sides } = found;
  const tint = new Map(part.cells.map((cell, k) => [cell, part.colours[k] ? colours[part.colours[k]].rgb : part.rgb]));
  const scale = thumbnailScale(
    lattice,
    found.parts.map(({ cells }) => cells),
  );
  const pictures = thumbnail(lattice, part.cells, (cell) => tint.get(cell) ?? part.rgb, scale);
  const looks = new Map(Object.entries(sides?.looks ?? {}).map(([name, rgb]) => [`side ${name}`, rgb])); // until they are added
  if (!lattice.space)
    pictures[0].append(...sideMarks(/** @type {any} */ ({ lattice, looks }), /** @type {any} */ (part), part.cells));
  return pictures;
}
