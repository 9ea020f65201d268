// A dialog in which the user draws a lattice: the cells of a unit, how they repeat, and the server's verdict.
//
// A drawing is {name, basis, cells: [{name, corners}], gaps, height, parts}: two vectors, and the corners of each cell in
// the same coordinates, y upwards. With a height each cell is a prism. The browser stores the last drawing.

import { save } from "./dom.js";
import { number } from "./elements.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";
import {
  areAlike,
  colour,
  freeName,
  fromTable,
  gridOf,
  keepDrawing,
  keptDrawing,
  outlineOf,
  path,
  repeated,
  same,
  shown,
  snapped,
  toTable,
  windowOf,
  withCornerMoved,
  word,
} from "./lattice_drawing.js";
import { button, Choice, Complaints, labelled, Line, Tick } from "./panels.js";
import { h, html, render } from "./preact.js";
import { plain } from "./saving.js";

/** @import { Drawing, PictureBox, Tiling } from "./web_types.js" */
/** @import { JudgedLattice } from "./server_types.js" */

const QUIET = 300; // milliseconds without a change before the server is asked
const MOST_SAID = 8; // complaints

export class LatticeEditor {
  /** @type {Tiling[]} */
  tilings = [];
  /** @type {Drawing} */ drawing;
  cell = 0; // the index of the selected cell
  /** @type {string[]} */ undone = [];
  /** @type {number[][] | null} */ line = null; // the corners of a cell that is being drawn
  /** @type {number[] | null} */ pointer = null; // where a corner would be
  /** @type {Pick<JudgedLattice, "complaints"> & Partial<JudgedLattice>} */ verdict = { complaints: [] };
  /** @type {Fault | null} */ fault = null;
  asked = 0;
  /** @type {{ from: number[], before: string, box: PictureBox } | null} */ drag = null;
  /** @type {SVGSVGElement | null} */ picture = null;
  /** @type {number} */ timer;

  /** `use(ask)` opens the puzzle promised by `ask`. @param {(ask: () => Promise<any>) => unknown} use */
  constructor(use) {
    this.use = use;
    this.dialog = document.createElement("dialog");
    this.dialog.className = "lattice";
    this.dialog.setAttribute("aria-labelledby", "lattice-title");
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("cancel", (event) => this.line && event.preventDefault());
  }

  async open() {
    if (!this.drawing) {
      this.tilings = await api.tilings();
      this.drawing = keptDrawing() ?? fromTable(this.tilings[0].lattice);
    }
    document.body.append(this.dialog);
    if (!this.dialog.open) this.dialog.showModal();
    this.draw();
    this.draw(); // now the picture has a size
    this.ask();
  }

  // ---- changes

  /** Change the drawing, with undo. @param {() => unknown} work */
  change(work) {
    this.undone.push(JSON.stringify(this.drawing));
    if (this.undone.length > 200) this.undone.shift();
    this.line = null;
    work();
    this.changed();
  }

  changed() {
    this.cell = Math.max(0, Math.min(this.cell, this.drawing.cells.length - 1));
    keepDrawing(this.drawing);
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), QUIET);
  }

  /** Change what cannot be undone. @param {Partial<Drawing>} how */
  adjust(how) {
    Object.assign(this.drawing, how);
    this.changed();
  }

  /** @param {Drawing} drawing */
  begin(drawing) {
    this.change(() => Object.assign(this, { drawing, cell: 0 }));
  }

  undo() {
    const before = this.undone.pop();
    if (!before) return;
    this.drawing = JSON.parse(before);
    this.line = null;
    this.changed();
  }

  async ask() {
    const asked = (this.asked += 1);
    /** @type {LatticeEditor["verdict"]} */ let verdict;
    try {
      verdict = await api.judgeLattice({ lattice: toTable(this.drawing) });
    } catch (fault) {
      verdict = { complaints: [{ node: null, text: fault.message }] };
    }
    if (asked !== this.asked) return;
    this.verdict = verdict;
    this.draw();
  }

  // ---- pointer

  /** What is shown: it stays while a corner moves. */
  get box() {
    const { drag, picture, drawing } = this;
    return drag?.box ?? windowOf(drawing, picture ? picture.clientWidth / picture.clientHeight || 1 : 1);
  }

  /** The position of an event in the drawing. @param {PointerEvent} event */
  place({ clientX, clientY }) {
    const { drawing, box, line, picture } = this;
    const point = new DOMPoint(clientX, clientY).matrixTransform(picture?.getScreenCTM()?.inverse());
    return snapped(drawing, box, line ?? [], [point.x, -point.y]);
  }

  /** @param {PointerEvent & { target: any }} event */
  pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const at = this.place(event);
    const { line, drawing, box } = this;
    if (line) {
      if (line.length > 2 && same(at, line[0])) this.finish();
      else if (!line.some((corner) => same(corner, at))) line.push(at);
    } else if (drawing.cells.some(({ corners }) => corners.some((corner) => areAlike(drawing, corner, at)))) {
      this.drag = { from: at, before: JSON.stringify(drawing), box };
      this.picture?.setPointerCapture(event.pointerId);
    } else if (event.target.dataset?.cell !== undefined) this.cell = Number(event.target.dataset.cell);
    this.draw();
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (!this.line && !this.drag) return;
    this.pointer = this.place(event);
    if (this.drag) this.drawing = withCornerMoved(JSON.parse(this.drag.before), this.drag.from, this.pointer);
    this.draw();
  }

  released() {
    if (!this.drag) return;
    const { before } = this.drag;
    this.drag = null;
    this.leave();
    if (JSON.stringify(this.drawing) === before) return;
    this.undone.push(before);
    this.changed();
  }

  leave() {
    this.pointer = null;
    this.draw();
  }

  /** Begin the outline of a cell, or give it up. */
  toggle() {
    this.line = this.line ? null : [];
    this.draw();
  }

  finish() {
    const { line: corners, drawing } = this;
    if (!corners || corners.length < 3) return;
    this.change(() => (this.cell = drawing.cells.push({ name: freeName(drawing), corners }) - 1));
  }

  /** @param {KeyboardEvent & { target: any }} event */
  key(event) {
    const writes = event.target.closest("input:not([type=checkbox]), textarea"); // they have their own undo
    if (writes) return;
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.undo();
    }
    if (!this.line || !["Escape", "Enter", "Backspace"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Enter") this.finish();
    else if (event.key === "Backspace") this.line.pop();
    else this.line = null;
    this.draw();
  }

  draw() {
    this.dialog.classList.toggle("faulty", this.verdict.complaints.length > 0);
    render(h(Sheet, { editor: this }), this.dialog);
  }

  // ---- files and result

  /** @param {{ target: any }} event */
  async openFile({ target }) {
    const [file] = target.files ?? [];
    target.value = "";
    if (!file) return;
    this.fault = null;
    try {
      const { complaints, lattice } = await api.judgeLattice({ text: await file.text() });
      const said = complaints.map(({ text }) => text);
      if (said.length) throw new Fault(`${file.name}: ${said[0]}`, said);
      this.begin(fromTable(lattice ?? {}));
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.fault = fault;
    }
    this.draw();
  }

  async saveFile() {
    await this.ask();
    if (this.verdict.complaints.length === 0)
      save(new Blob([this.verdict.toml ?? ""], { type: "application/toml" }), `${plain(this.drawing.name)}.toml`);
  }

  async beginPuzzle() {
    const table = toTable(this.drawing);
    await this.ask(); // the server may not have judged the last change yet
    if (this.verdict.complaints.length) return;
    this.dialog.close();
    await this.use(() => api.beginOn({ lattice: table }));
  }
}

/** @param {{ editor: LatticeEditor }} shown */
function Sheet({ editor }) {
  const { tilings, drawing, verdict, fault } = editor;
  const disabled = verdict.complaints.length > 0;
  /** @param {string} name */
  const start = (name) => {
    const tiling = tilings.find((other) => other.name === name);
    if (tiling) editor.begin({ ...fromTable(tiling.lattice), height: drawing.height });
  };
  const options = [["", "choose a tiling …"], ...tilings.map(({ name, title }) => [name, title])];
  const file = html`<input
    type="file"
    accept=".toml"
    onChange=${(/** @type {any} */ event) => editor.openFile(event)}
  />`;
  return html`<header>
      <h2 id="lattice-title">Your own lattice</h2>
      ${button("×", () => editor.dialog.close(), { class: "close", "aria-label": "Close" })}
    </header>
    <div class="row">
      ${h(Choice, { label: "start from", value: "", choose: start, options })}
      ${labelled("or from a lattice file", file)}
    </div>
    <div class="sheet">
      <div class="canvas">${h(Tools, { editor })} ${h(Picture, { editor })}</div>
      <div class="side">
        ${fault && html`<div class="faults" role="alert">${h(Complaints, { fault })}</div>`}
        <div class="said" role="status">${said(verdict)}</div>
        <h3>Cells of a unit</h3>
        ${h(Cells, { editor })} ${h(Numbers, { editor })}
      </div>
    </div>
    <footer class="row">
      ${button("Start a puzzle on it", () => editor.beginPuzzle(), { class: "main", disabled })}
      ${button("Download lattice (TOML)", () => editor.saveFile(), { disabled })}
    </footer>`;
}

/** The verdict in words. @param {LatticeEditor["verdict"]} verdict */
function said({ complaints, transformations, rotations, neighbours = {} }) {
  if (complaints.length) {
    const more = complaints.length - MOST_SAID;
    return html`<p class="fault">Not a valid lattice yet:</p>
      <ul>
        ${complaints
          .slice(0, MOST_SAID)
          .map(({ node, text }) => html`<li>${node !== null && html`<strong>${node}: </strong>`}${text}</li>`)}
      </ul>
      ${more > 0 && html`<p>and ${number(more)} more</p>`}`;
  }
  if (transformations === undefined || rotations === undefined) return null; // nobody has judged it yet
  const counts = Object.entries(neighbours).map(([name, n]) => `${name} ${n}`);
  const mirrors = transformations - rotations;
  return html`<p class="good">This is a valid lattice.</p>
    <p class="hint">
      ${`Neighbours: ${counts.join(", ")}. Transformations: ${number(transformations)}, ${mirrors ? `${number(mirrors)} with` : "no"} mirrors.`}
    </p>`;
}

/** @param {{ editor: LatticeEditor }} shown */
function Tools({ editor }) {
  const { drawing, line, undone } = editor;
  const steps = { type: "number", min: 1, max: 48, class: "short", "aria-label": "steps of the grid" };
  const about = line
    ? "Click the corners in turn, then the first one again. Backspace removes the last one."
    : "Drag a corner to move it in all cells that share it; click a cell to choose it.";
  return html`<div class="row tools" role="group" aria-label="Drawing">
    ${button(line ? "Stop drawing" : "Draw a cell", () => editor.toggle(), {
      class: "view",
      "aria-pressed": String(Boolean(line)),
    })}
    ${line && button("Close outline", () => editor.finish())}
    ${button("Undo", () => editor.undo(), { disabled: undone.length === 0 })}
    ${h(Tick, { label: "snap to a grid of", on: drawing.snap, set: (snap) => editor.adjust({ snap }) })}
    ${h(Line, { ...steps, value: `${drawing.grid}`, set: (text) => text && editor.adjust({ grid: Number(text) }) })}
    <span class="hint">steps per vector</span>
    <p class="hint wide">${about}</p>
  </div>`;
}

/** @param {{ editor: LatticeEditor }} shown */
function Cells({ editor }) {
  const { drawing, cell: chosen } = editor;
  const { cells } = drawing;
  /** @param {number} k */
  const choose = (k) => {
    editor.cell = k;
    editor.draw();
  };
  const rows = cells.map((cell, k) => {
    const name = {
      ...{ maxlength: 40, size: 12, "aria-label": `name of cell ${k + 1}`, onFocus: () => choose(k) },
      value: cell.name,
      set: (/** @type {string} */ text) => editor.change(() => (cell.name = word(text, drawing, cell))),
    };
    return html`<li class=${k === chosen ? "chosen" : ""}>
      <span class="swatch" style=${{ backgroundColor: colour(k) }} onClick=${() => choose(k)} />
      ${h(Line, name)}
      <span class="hint">${cell.corners.length} corners</span>
      ${button("×", () => editor.change(() => cells.splice(k, 1)), {
        class: "danger",
        "aria-label": `remove ${cell.name}`,
      })}
    </li>`;
  });
  return html`<ul class="cells">
    ${rows}${!rows.length && html`<li class="hint">none: draw one, or start from a tiling</li>`}
  </ul>`;
}

/** @param {{ editor: LatticeEditor }} shown */
function Numbers({ editor }) {
  const { drawing } = editor;
  const { basis, height } = drawing;
  const cell = drawing.cells[editor.cell];
  /** @param {string} value @param {(value: number) => unknown} put @param {Record<string, unknown>} more */
  const decimal = (value, put, more) => {
    const set = (/** @type {string} */ text) => Number.isFinite(Number(text)) && editor.change(() => put(Number(text)));
    return h(Line, { inputmode: "decimal", class: "short", value, set, ...more });
  };
  /** @param {number[]} row @param {number} axis */
  const vector = (row, axis) =>
    row.map((x, k) =>
      decimal(shown(x), (value) => (row[k] = value), { "aria-label": `${"xy"[k]} of vector ${axis + 1}` }),
    );
  /** @param {string} text */
  const rowsOf = (text) =>
    text
      .split("\n")
      .filter((line) => line.trim())
      .map((line) =>
        line
          .trim()
          .split(/[\s,;]+/)
          .map(Number),
      );
  /** @param {string} text */
  const wrong = (text) => {
    const rows = rowsOf(text);
    const isWrong = rows.length < 3 || rows.some((row) => row.length !== 2 || !row.every(Number.isFinite));
    return isWrong ? "at least three lines, each with two numbers" : "";
  };
  return html`<div class="numbers">
    ${
      cell &&
      h(Line, {
        ...{ label: `corners of ${cell.name}: x, y`, area: true, spellcheck: "false", wrong },
        rows: Math.min(12, Math.max(3, cell.corners.length)),
        value: cell.corners.map((corner) => corner.map(shown).join(", ")).join("\n"),
        set: (text) => editor.change(() => (cell.corners = rowsOf(text))),
      })
    }
    <div class="row">
      <div class="field">
        <span>the unit repeats by</span>
        ${basis.map((row, axis) => html`<span class="pair">${vector(row, axis)}</span>`)}
      </div>
      ${decimal(`${height || ""}`, (value) => (drawing.height = Math.max(0, value)), {
        ...{ label: "height of prisms", placeholder: "flat", hint: "empty: a flat lattice" },
      })}
    </div>
    ${h(Tick, {
      label: "cells may leave gaps",
      on: drawing.gaps,
      set: (gaps) => editor.change(() => (drawing.gaps = gaps)),
    })}
    <div class="row">
      ${h(Line, {
        ...{ label: "name of the lattice", value: drawing.name, maxlength: 60 },
        set: (text) => editor.change(() => (drawing.name = text.trim() || "my lattice")),
      })}
    </div>
    <p class="hint">
      ${height ? "In space: layers of prisms." : "With a height, cells are prisms in layers."} Lattices of other solids
      come from files.
    </p>
  </div>`;
}

/** The cells of all visible units, and the grid. @param {{ editor: LatticeEditor }} shown */
function Picture({ editor }) {
  const { drawing, box, line, pointer, verdict, cell: chosen } = editor;
  const thin = Math.min(box.width, box.height) / 208;
  const wrong = new Set(verdict.complaints.map(({ node }) => node));
  const all = repeated(drawing, box);
  /** @param {boolean} home */
  const shapes = (home) =>
    all
      .filter((one) => one.home === home)
      .map(({ cell, corners }) => {
        const isWrong = home && wrong.has(drawing.cells[cell].name);
        return html`<path
          d=${path(corners)}
          class=${`${home ? "home" : "copy"} ${cell === chosen ? "chosen" : ""} ${isWrong ? "wrong" : ""}`}
          fill=${colour(cell)}
          stroke-width=${thin * (home ? 1.6 : 1)}
          data-cell=${cell}
        />`;
      });
  /** @param {number[]} at @param {number} size @param {string} name */
  const dot = ([x, y], size, name) => html`<circle cx=${x} cy=${-y} r=${thin * size} class=${name} />`;
  return html`<svg
    class=${`drawing ${line ? "drawing-now" : ""}`}
    role="img"
    aria-label="The cells of a unit, and how they repeat"
    viewBox=${`${box.x} ${box.y} ${box.width} ${box.height}`}
    ref=${(/** @type {SVGSVGElement | null} */ picture) => (editor.picture = picture)}
    onPointerDown=${(/** @type {any} */ event) => editor.pressed(event)}
    onPointerMove=${(/** @type {any} */ event) => editor.moved(event)}
    onPointerUp=${() => editor.released()}
    onPointerLeave=${() => editor.leave()}
  >
    ${shapes(false)} ${shapes(true)} ${drawing.snap && gridOf(drawing, box).map((point) => dot(point, 1.1, "dot"))}
    <path d=${path(outlineOf(drawing))} class="unit" stroke-width=${thin * 1.6} />
    ${drawing.cells.flatMap(({ corners }) => corners).map((corner) => dot(corner, 2.4, "knot"))}
    ${line?.length && html`<path d=${path(line).slice(0, -1)} class="line" stroke-width=${thin * 2.6} />`}
    ${line?.map((corner, k) => dot(corner, k ? 3 : 4.5, k ? "end" : "end first"))}
    ${pointer && dot(pointer, 3, "pointer")}
  </svg>`;
}
