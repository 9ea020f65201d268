// A dialog in which the user draws a lattice: the cells of a unit, how they repeat, and the server's verdict.
//
// A drawing is {name, basis, cells: [{name, corners}], gaps, height, parts}: two vectors, and the corners of each cell in
// the same coordinates, y upwards. With a height each cell is a prism. The browser stores the last drawing.

import { dom, fill, svg } from "./dom.js";
import { choice, field, number, save, showFault } from "./elements.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";
import { plain } from "./saving.js";

/** @import { Drawing, DrawnCell, FileTable, PictureBox, Tiling } from "./web_types.js" */
/** @import { JudgedLattice } from "./server_types.js" */

const KEPT = "latcover.lattice";
const QUIET = 300; // milliseconds without a change before the server is asked
const NEAR = 0.35; // of a grid step: how near a click must be to snap to a corner
const ROOM = 1.15; // margin around a unit and its neighbours
const MOST_SHOWN = 1500; // cells
const MOST_TRIED = 100000; // cells, of which those that reach into the window are shown
const HUES = [212, 38, 145, 0, 275, 185, 320, 95, 20, 240, 60, 165];

export class LatticeEditor {
  /** @type {number} */
  scale;
  /** @type {Tiling[]} */ tilings;
  /** @type {Drawing} */ drawing;
  /** @type {string[]} */ undone = [];
  /** @type {number[][] | null} */
  line = null; // the corners of a cell that is being drawn
  /** @type {Pick<JudgedLattice, "complaints"> & Partial<JudgedLattice>} */ verdict;
  /** @type {number} */ asked;
  /** @type {{ cell: number, home: boolean, corners: number[][] }[]} */ shown;
  /** @type {{ from: number[], before: string, box: PictureBox } | null} */ drag;
  /** @type {PictureBox} */ box;
  /** @type {SVGCircleElement} */ pointer;
  /** @type {number} */ timer;
  /** @type {SVGSVGElement} */ picture;
  /** @type {HTMLUListElement} */ cells;
  /** @type {HTMLDivElement} */ said;
  /** @type {HTMLDivElement} */ fault;
  /** @type {HTMLDivElement} */ tools;
  /** @type {HTMLDivElement} */ numbers;
  /** @type {HTMLButtonElement} */ begin;
  /** @type {HTMLButtonElement} */ download;

  /** `use(ask)` opens the puzzle promised by `ask`. @param {(ask: () => Promise<any>) => unknown} use */
  constructor(use) {
    this.use = use;
    this.cell = 0; // the index of the selected cell
    this.dialog = dom("dialog", { class: "lattice", "aria-labelledby": "lattice-title" });
  }

  async open() {
    if (!this.picture) await this.build();
    document.body.append(this.dialog);
    if (!this.dialog.open) this.dialog.showModal();
    this.draw();
    this.ask();
  }

  async build() {
    this.tilings = await api.tilings();
    this.drawing = keptDrawing() ?? fromTable(this.tilings[0].lattice);
    this.picture = svg("svg", {
      class: "drawing",
      role: "img",
      "aria-label": "The cells of a unit, and how they repeat",
    });
    this.cells = dom("ul", { class: "cells" });
    this.said = dom("div", { class: "said", role: "status" });
    this.fault = dom("div", { class: "faults", role: "alert", hidden: true });
    this.tools = dom("div", { class: "row tools", role: "group", "aria-label": "Drawing" });
    this.numbers = dom("div", { class: "numbers" });
    this.begin = dom(
      "button",
      { type: "button", class: "main", onclick: () => this.beginPuzzle() },
      "Start a puzzle on it",
    );
    this.download = dom("button", { type: "button", onclick: () => this.saveFile() }, "Download lattice (TOML)");
    const start = choice(
      [["", "choose a tiling …"], ...this.tilings.map(({ name, title }) => [name, title])],
      "",
      (name) => {
        start.value = "";
        const tiling = this.tilings.find((other) => other.name === name);
        if (tiling)
          this.change(() =>
            Object.assign(this, { drawing: { ...fromTable(tiling.lattice), height: this.drawing.height }, cell: 0 }),
          );
      },
    );
    /** @type {HTMLInputElement} */
    const file = dom("input", { type: "file", accept: ".toml", onchange: () => this.openFile(file) });
    fill(
      this.dialog,
      dom(
        "header",
        {},
        dom("h2", { id: "lattice-title" }, "Your own lattice"),
        dom(
          "button",
          { type: "button", class: "close", "aria-label": "Close", onclick: () => this.dialog.close() },
          "×",
        ),
      ),
      dom("div", { class: "row" }, field("start from", start), field("or from a lattice file", file)),
      dom(
        "div",
        { class: "sheet" },
        dom("div", { class: "canvas" }, this.tools, this.picture),
        dom(
          "div",
          { class: "side" },
          this.fault,
          this.said,
          dom("h3", {}, "Cells of a unit"),
          this.cells,
          this.numbers,
        ),
      ),
      dom("footer", { class: "row" }, this.begin, this.download),
    );
    this.picture.addEventListener("pointerdown", (event) => this.pressed(event));
    this.picture.addEventListener("pointermove", (event) => this.moved(event));
    this.picture.addEventListener("pointerup", () => this.released());
    this.picture.addEventListener("pointerleave", () => this.hint(null));
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("cancel", (event) => this.line && event.preventDefault());
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
    keepDrawing(this.drawing);
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), QUIET);
  }

  undo() {
    const before = this.undone.pop();
    if (!before) return;
    this.drawing = JSON.parse(before);
    this.cell = Math.min(this.cell, Math.max(0, this.drawing.cells.length - 1));
    this.line = null;
    this.changed();
  }

  async ask() {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    let verdict;
    try {
      verdict = await api.judgeLattice({ lattice: toTable(this.drawing) });
    } catch (fault) {
      verdict = { complaints: [{ node: null, text: fault.message }] };
    }
    if (asked !== this.asked) return;
    this.verdict = verdict;
    this.say();
  }

  say() {
    const { complaints, transformations = 0, rotations = 0, neighbours = {} } = this.verdict;
    const sound = complaints.length === 0;
    this.begin.disabled = this.download.disabled = !sound;
    this.dialog.classList.toggle("faulty", !sound);
    if (!sound) {
      const lines = complaints
        .slice(0, 8)
        .map(({ node, text }) => dom("li", {}, node === null ? null : dom("strong", {}, `${node}: `), text));
      const more = complaints.length > 8 ? dom("p", {}, `and ${number(complaints.length - 8)} more`) : null;
      fill(this.said, dom("p", { class: "fault" }, "Not a valid lattice yet:"), dom("ul", {}, lines), more);
    } else {
      const counts = Object.entries(neighbours)
        .map(([name, n]) => `${name} ${n}`)
        .join(", ");
      const mirrors =
        transformations === rotations ? "no mirrors" : `${number(transformations - rotations)} with mirrors`;
      fill(
        this.said,
        dom("p", { class: "good" }, "This is a valid lattice."),
        dom("p", { class: "hint" }, `Neighbours: ${counts}. Transformations: ${number(transformations)}, ${mirrors}.`),
      );
    }
    this.drawUnits();
  }

  // ---- pointer

  /**
   * The position of an event in the drawing, snapped to a corner or a point of the grid.
   * @param {PointerEvent & { target: any }} event
   */
  place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.picture.getScreenCTM()?.inverse());
    const at = [point.x, -point.y];
    const { drawing } = this;
    const step = Math.sqrt(Math.abs(area(drawing.basis))) / drawing.grid;
    const corners = [...(this.line ?? []), ...this.shown.flatMap(({ corners: ring }) => ring)];
    const corner = nearest(corners, at, NEAR * Math.max(step, 0.2 * this.scale));
    if (corner) return [...corner];
    if (!drawing.snap) return at.map(round);
    const [a, b] = inUnits(drawing.basis, at).map((x) => Math.round(x * drawing.grid) / drawing.grid);
    return combined(drawing.basis, a, b).map(round);
  }

  /** @param {PointerEvent & { target: any }} event */
  pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const at = this.place(event);
    if (this.line) {
      if (this.line.length > 2 && same(at, this.line[0])) this.finish();
      else if (!this.line.some((corner) => same(corner, at))) this.line.push(at);
      this.drawUnits();
      return;
    }
    const caught = this.drawing.cells.some(({ corners }) => corners.some((corner) => this.equivalent(corner, at)));
    if (caught) {
      this.drag = { from: at, before: JSON.stringify(this.drawing), box: this.box }; // the view stays while a corner moves
      this.picture.setPointerCapture(event.pointerId);
    } else if (event.target.dataset?.cell !== undefined) {
      this.cell = Number(event.target.dataset.cell);
      this.draw();
    }
  }

  /** @param {PointerEvent & { target: any }} event */
  moved(event) {
    const at = this.place(event);
    if (this.drag) this.dragTo(at);
    this.hint(this.line || this.drag ? at : null);
  }

  /** Move a corner together with all corners at the same place, in every unit. @param {number[]} at */
  dragTo(at) {
    if (!this.drag) return;
    const { from, before } = this.drag;
    const drawing = JSON.parse(before);
    const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
    for (const cell of drawing.cells) {
      cell.corners = cell.corners.map((/** @type {number[]} */ corner) =>
        this.equivalent(corner, from) ? [round(corner[0] + dx), round(corner[1] + dy)] : corner,
      );
    }
    this.drawing = drawing;
    this.drawUnits();
  }

  released() {
    if (!this.drag) return;
    const { before } = this.drag;
    this.drag = null;
    this.hint(null);
    if (JSON.stringify(this.drawing) === before) return;
    this.undone.push(before);
    this.changed();
  }

  /** Whether two points have the same position in their units. @param {number[]} one @param {number[]} other */
  equivalent(one, other) {
    return inUnits(this.drawing.basis, [one[0] - other[0], one[1] - other[1]]).every(
      (x) => Math.abs(x - Math.round(x)) < 1e-6,
    );
  }

  finish() {
    const corners = this.line ?? [];
    this.change(() => {
      this.drawing.cells.push({ name: freeName(this.drawing), corners });
      this.cell = this.drawing.cells.length - 1;
    });
  }

  /** @param {KeyboardEvent & { target: any }} event */
  key(event) {
    if (
      event.key === "z" &&
      (event.ctrlKey || event.metaKey) &&
      event.target.tagName !== "TEXTAREA" &&
      event.target.type !== "text"
    ) {
      event.preventDefault();
      this.undo();
    }
    if (!this.line || !["Escape", "Enter", "Backspace"].includes(event.key) || event.target.closest("input, textarea"))
      return;
    event.preventDefault();
    if (event.key === "Enter" && this.line.length > 2) this.finish();
    else if (event.key === "Backspace") this.line.pop();
    else if (event.key === "Escape") this.line = null;
    this.draw();
  }

  // ---- drawing

  /** Redraw everything; the focus stays in place. */
  draw() {
    const controls = () => [...this.dialog.querySelectorAll("button, input, select, textarea")];
    const at = controls().indexOf(/** @type {Element} */ (document.activeElement));
    this.drawTools();
    this.drawCells();
    this.drawNumbers();
    this.drawUnits();
    if (at >= 0 && !this.dialog.querySelector(":focus")) /** @type {HTMLElement} */ (controls()[at])?.focus();
  }

  drawTools() {
    const drawing = Boolean(this.line);
    const toggle = () => {
      this.line = drawing ? null : [];
      this.draw();
    };
    const close = dom(
      "button",
      { type: "button", onclick: () => Number(this.line?.length) > 2 && this.finish() },
      "Close outline",
    );
    const grid = dom("input", {
      type: "number",
      min: 1,
      max: 48,
      value: this.drawing.grid,
      class: "short",
      "aria-label": "steps of the grid",
      onchange: () => {
        this.drawing.grid = Math.min(48, Math.max(1, Math.round(Number(grid.value)) || 1));
        this.changed();
      },
    });
    const snap = dom("input", {
      type: "checkbox",
      checked: this.drawing.snap,
      onchange: () => {
        this.drawing.snap = snap.checked;
        this.changed();
      },
    });
    fill(
      this.tools,
      dom(
        "button",
        { type: "button", class: "view", "aria-pressed": String(drawing), onclick: toggle },
        drawing ? "Stop drawing" : "Draw a cell",
      ),
      drawing ? close : null,
      dom("button", { type: "button", disabled: this.undone.length === 0, onclick: () => this.undo() }, "Undo"),
      dom("label", { class: "check" }, snap, "snap to a grid of"),
      grid,
      dom("span", { class: "hint" }, "steps per vector"),
      dom(
        "p",
        { class: "hint wide" },
        drawing
          ? "Click the corners in turn, then the first one again. Backspace removes the last one."
          : "Drag a corner to move it in all cells that share it; click a cell to choose it.",
      ),
    );
  }

  drawCells() {
    const { cells } = this.drawing;
    fill(
      this.cells,
      cells.map((cell, k) => {
        /** @type {HTMLInputElement} */
        const name = dom("input", {
          type: "text",
          value: cell.name,
          maxlength: 40,
          size: 12,
          "aria-label": `name of cell ${k + 1}`,
          onchange: () => this.change(() => (cell.name = word(name.value, this.drawing, cell))),
          onfocus: () => this.choose(k),
        });
        return dom(
          "li",
          { class: k === this.cell ? "chosen" : "" },
          svg(
            "svg",
            { class: "swatch", viewBox: "0 0 1 1", onclick: () => this.choose(k) },
            svg("rect", { width: 1, height: 1, fill: colour(k) }),
          ),
          name,
          dom("span", { class: "hint" }, `${cell.corners.length} corners`),
          dom(
            "button",
            {
              type: "button",
              class: "danger",
              "aria-label": `remove ${cell.name}`,
              onclick: () =>
                this.change(() => {
                  cells.splice(k, 1);
                  this.cell = Math.max(0, Math.min(this.cell, cells.length - 1));
                }),
            },
            "×",
          ),
        );
      }),
      cells.length ? null : dom("li", { class: "hint" }, "none: draw one, or start from a tiling"),
    );
  }

  /** @param {number} k */
  choose(k) {
    if (this.cell === k) return;
    this.cell = k;
    [...this.cells.children].forEach((item, at) => item.classList.toggle("chosen", at === k));
    this.drawNumbers();
    this.drawUnits();
  }

  drawNumbers() {
    const { drawing } = this;
    /** @param {number} axis */
    const vector = (axis) =>
      [0, 1].map((k) => {
        const input = dom("input", {
          type: "text",
          inputmode: "decimal",
          class: "short",
          value: shown(drawing.basis[axis][k]),
          "aria-label": `${"xy"[k]} of vector ${axis + 1}`,
          onchange: () => {
            const value = Number(input.value);
            if (input.value.trim() && Number.isFinite(value)) this.change(() => (drawing.basis[axis][k] = value));
            else input.value = shown(drawing.basis[axis][k]);
          },
        });
        return input;
      });
    const cell = drawing.cells[this.cell];
    const corners = dom("textarea", {
      rows: Math.min(12, Math.max(3, cell?.corners.length ?? 3)),
      spellcheck: "false",
      onchange: () => {
        const rows = corners.value
          .split("\n")
          .map((line) =>
            line
              .split(/[\s,;]+/)
              .filter(Boolean)
              .map(Number),
          )
          .filter((row) => row.length);
        const wrong = rows.length < 3 || rows.some((row) => row.length !== 2 || !row.every(Number.isFinite));
        corners.setCustomValidity(wrong ? "at least three lines, each with two numbers" : "");
        if (!corners.reportValidity()) return;
        this.change(() => (cell.corners = rows));
      },
    });
    if (cell) corners.value = cell.corners.map((corner) => corner.map(shown).join(", ")).join("\n");
    /** @type {HTMLInputElement} */
    const gaps = dom("input", {
      type: "checkbox",
      checked: drawing.gaps,
      onchange: () => this.change(() => (drawing.gaps = gaps.checked)),
    });
    const height = dom("input", {
      type: "text",
      inputmode: "decimal",
      class: "short",
      placeholder: "flat",
      value: drawing.height || "",
      onchange: () => {
        const value = Number(height.value);
        this.change(() => (drawing.height = value > 0 && Number.isFinite(value) ? value : 0));
      },
    });
    /** @type {HTMLInputElement} */
    const name = dom("input", {
      type: "text",
      value: drawing.name,
      maxlength: 60,
      onchange: () => this.change(() => (drawing.name = name.value.trim() || "my lattice")),
    });
    fill(
      this.numbers,
      cell ? field(`corners of ${cell.name}: x, y`, corners) : null,
      dom(
        "div",
        { class: "row" },
        dom(
          "div",
          { class: "field" },
          dom("span", {}, "the unit repeats by"),
          dom("span", { class: "pair" }, vector(0)),
          dom("span", { class: "pair" }, vector(1)),
        ),
        field("height of prisms", height, "empty: a flat lattice"),
      ),
      dom("label", { class: "check" }, gaps, "cells may leave gaps"),
      dom("div", { class: "row" }, field("name of the lattice", name)),
      dom(
        "p",
        { class: "hint" },
        drawing.height
          ? "In space: layers of prisms. Lattices of other solids come from files."
          : "With a height, cells are prisms in layers. Lattices of other solids come from files.",
      ),
    );
  }

  /** The cells of all visible units, and the grid. */
  drawUnits() {
    const { drawing, picture } = this;
    const box = this.drag?.box ?? windowOf(drawing, picture.clientWidth / picture.clientHeight || 1);
    this.box = box;
    this.scale = Math.min(box.width, box.height) / 8;
    this.shown = repeated(drawing, box);
    const thin = this.scale / 26;
    const wrong = new Set((this.verdict?.complaints ?? []).map(({ node }) => node));
    picture.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    const shapes = this.shown.map(({ cell, home, corners }) => {
      const name = drawing.cells[cell].name;
      const kind = `${home ? "home" : "copy"}${cell === this.cell ? " chosen" : ""}${home && wrong.has(name) ? " wrong" : ""}`;
      return svg("path", {
        d: path(corners),
        class: kind,
        fill: colour(cell),
        "stroke-width": thin * (home ? 1.6 : 1),
        "data-cell": cell,
      });
    });
    const dots = drawing.snap
      ? gridOf(drawing, box).map(([x, y]) => svg("circle", { cx: x, cy: -y, r: thin * 1.1, class: "dot" }))
      : [];
    const unit = svg("path", { d: path(outlineOf(drawing)), class: "unit", "stroke-width": thin * 1.6 });
    const knots = drawing.cells
      .flatMap(({ corners }) => corners)
      .map(([x, y]) => svg("circle", { cx: x, cy: -y, r: thin * 2.4, class: "knot" }));
    const line = this.line?.length
      ? svg("path", {
          d: `M${this.line.map(([x, y]) => `${x} ${-y}`).join("L")}`,
          class: "line",
          "stroke-width": thin * 2.6,
        })
      : null;
    const ends = (this.line ?? []).map(([x, y], k) =>
      svg("circle", { cx: x, cy: -y, r: thin * (k ? 3 : 4.5), class: k ? "end" : "end first" }),
    );
    this.pointer = svg("circle", { r: thin * 3, class: "pointer", visibility: "hidden" });
    picture.classList.toggle("drawing-now", Boolean(this.line));
    fill(
      picture,
      shapes.filter((_, k) => !this.shown[k].home),
      shapes.filter((_, k) => this.shown[k].home),
      dots,
      unit,
      knots,
      line,
      ends,
      this.pointer,
    );
  }

  /** @param {number[] | null} at */
  hint(at) {
    if (!this.pointer) return;
    this.pointer.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) {
      this.pointer.setAttribute("cx", `${at[0]}`);
      this.pointer.setAttribute("cy", `${-at[1]}`);
    }
  }

  // ---- verdict and result

  /** @param {HTMLInputElement} input */
  async openFile(input) {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    await this.attempt(async () => {
      const { complaints, lattice } = await api.judgeLattice({ text: await file.text() });
      if (complaints.length)
        throw new Fault(
          `${file.name}: ${complaints[0].text}`,
          complaints.map(({ text }) => text),
        );
      const drawing = fromTable(lattice ?? {});
      this.change(() => Object.assign(this, { drawing, cell: 0 }));
    });
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

  /** @param {() => unknown} work */
  async attempt(work) {
    showFault(this.fault, null);
    try {
      await work();
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      showFault(this.fault, fault);
    }
  }
}

// ---- drawings and files

/** The drawing for the table of a lattice file, flat or of prisms. @param {FileTable} options */
function fromTable({ name, title, basis, nodes, drawings }) {
  const solid = basis.length === 3;
  const flat = basis.slice(0, 2).map((/** @type {number[]} */ row) => row.slice(0, 2));
  const heights = new Set(Object.values(nodes).map((node) => node.height ?? 0));
  const upright =
    !solid ||
    (basis[0][2] === 0 &&
      basis[1][2] === 0 &&
      basis[2][0] === 0 &&
      basis[2][1] === 0 &&
      heights.size === 1 &&
      heights.has(basis[2][2]));
  if (basis.length < 2 || !upright || Object.values(nodes).some((node) => !node.polygon || node.position?.[2])) {
    throw new Fault(
      "only flat lattices and layers of prisms can be drawn here; to start a puzzle on another lattice, open its file under “your file”",
    );
  }
  const cells = Object.entries(nodes).map(([own, { position = [0, 0], polygon }]) => ({
    name: own,
    corners: polygon.map((/** @type {number[]} */ corner) => plus(corner, position).map(round)),
  }));
  return {
    name: title ?? name,
    basis: flat,
    cells,
    gaps: drawings === "touch",
    height: solid ? basis[2][2] : 0,
    grid: 6,
    snap: true,
  };
}

/**
 * The table of a lattice file. Corners stay as drawn; the server makes them relative to the middle of their cell.
 * @param {Drawing} options
 */
function toTable({ name, basis, cells, gaps, height }) {
  const nodes = Object.fromEntries(
    cells.map(({ name: own, corners }) => [own, height ? { polygon: corners, height } : { polygon: corners }]),
  );
  /** @type {FileTable} */
  const table = {
    name: plain(name),
    title: name,
    basis: height ? [...basis.map((row) => [...row, 0]), [0, 0, height]] : basis,
    nodes,
  };
  if (gaps) table.drawings = "touch";
  if (height) table.part_transformations = "rotations";
  return table;
}

function keptDrawing() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    return found?.basis?.length === 2 && Array.isArray(found.cells) ? found : null;
  } catch {
    return null; // nothing is stored, or another program has written here
  }
}

/** @param {Drawing} drawing */
function keepDrawing(drawing) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(drawing));
  } catch {
    // there is no room; the drawing stays only in this page
  }
}

/** @param {Drawing} how */
function freeName({ cells }) {
  const taken = new Set(cells.map(({ name }) => name));
  for (let k = cells.length + 1; ; k += 1) if (!taken.has(`cell-${k}`)) return `cell-${k}`;
}

/**
 * A name for a cell that is valid in a file and not yet used.
 * @param {string} text @param {Drawing} drawing @param {DrawnCell} cell
 */
function word(text, drawing, cell) {
  const wanted = text.trim().replace(/[\s,"]+/g, "-");
  return !wanted || drawing.cells.some((other) => other !== cell && other.name === wanted) ? cell.name : wanted;
}

// ---- geometry

/** @param {number} x */
const round = (x) => Math.round(x * 1e12) / 1e12 + 0;
/** @param {number} x */
const shown = (x) => String(Number(x.toFixed(9)));
const plus = (/** @type {number[]} */ [x, y], /** @type {number[]} */ [u, v]) => [x + u, y + v];
/** @param {number[]} one @param {number[]} other */
const same = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]) < 1e-7;
const area = (/** @type {number[][]} */ [[a, b], [c, d]]) => a * d - b * c;
const combined = (/** @type {number[][]} */ [u, v], /** @type {number} */ a, /** @type {number} */ b) => [
  a * u[0] + b * v[0],
  a * u[1] + b * v[1],
];
/** @param {number[][]} corners */
const path = (corners) => `M${corners.map(([x, y]) => `${x} ${-y}`).join("L")}Z`;
/** @param {number} k */
const colour = (k) => `hsl(${HUES[k % HUES.length]} 55% var(--lattice-light))`;

/**
 * A point as multiples of the vectors of a basis.
 * @param {number[][]} basis @param {number[]} point @returns {number[]}
 */
function inUnits(basis, [x, y]) {
  const [[a, b], [c, d]] = basis;
  const whole = area(basis) || 1;
  return [(x * d - y * c) / whole, (y * a - x * b) / whole];
}

/** @param {number[][]} points @param {number[]} at @param {number} most */
function nearest(points, at, most) {
  let [best, least] = [/** @type {number[] | null} */ (null), most];
  for (const point of points) {
    const gap = Math.hypot(point[0] - at[0], point[1] - at[1]);
    if (gap < least) [best, least] = [point, gap];
  }
  return best;
}

/** The middle of the box around the cells of a unit, and its greatest side. @param {Drawing} options */
function extentOf({ basis, cells }) {
  const corners = cells.flatMap((cell) => cell.corners);
  const points = corners.length ? corners : [[0, 0], basis[0], basis[1], plus(basis[0], basis[1])];
  const ends = [0, 1].map((k) => [Math.min(...points.map((p) => p[k])), Math.max(...points.map((p) => p[k]))]);
  return {
    middle: ends.map(([low, high]) => (low + high) / 2),
    size: Math.max(...ends.map(([low, high]) => high - low)),
  };
}

/** The corners of a unit, placed around its cells. @param {Drawing} drawing */
function outlineOf(drawing) {
  const { middle } = extentOf(drawing);
  return [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ].map(([x, y]) => plus(middle, combined(drawing.basis, x, y)));
}

/**
 * What is shown: the unit, and about one more on each side; {x, y, width, height} with y downwards.
 * @param {Drawing} drawing @param {number} ratio
 */
function windowOf(drawing, ratio) {
  const { middle, size } = extentOf(drawing);
  const least = size + ROOM * Math.sqrt(Math.abs(area(drawing.basis)) || 1);
  const [width, height] = ratio > 1 ? [least * ratio, least] : [least, least / ratio];
  return { x: middle[0] - width / 2, y: -middle[1] - height / 2, width, height };
}

/** Every cell that reaches into the window: {cell, home, corners}. @param {Drawing} options @param {PictureBox} box */
function repeated({ basis, cells }, box) {
  const range = unitsOf(basis, box);
  const many = range?.reduce((n, [low, high]) => n * (high - low + 3), cells.length) ?? Infinity;
  if (!range || Math.abs(area(basis)) < 1e-9 || many > MOST_TRIED)
    return cells.map(({ corners }, cell) => ({ cell, home: true, corners }));
  /** @param {number[][]} corners */
  const inside = (corners) => {
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => -y)];
    return (
      Math.max(...xs) > box.x &&
      Math.min(...xs) < box.x + box.width &&
      Math.max(...ys) > box.y &&
      Math.min(...ys) < box.y + box.height
    );
  };
  /** @type {{ cell: number, home: boolean, corners: number[][] }[]} */ const found = [];
  cells.forEach(({ corners }, cell) => {
    const [p, q] = inUnits(basis, corners[0]).map(Math.round);
    for (let i = range[0][0] - p - 1; i <= range[0][1] - p + 1; i += 1) {
      for (let j = range[1][0] - q - 1; j <= range[1][1] - q + 1; j += 1) {
        const moved = corners.map((corner) => plus(corner, combined(basis, i, j)));
        const home = i === 0 && j === 0;
        if (home || (found.length < MOST_SHOWN && inside(moved)))
          found.push({ cell, home, corners: home ? corners : moved });
      }
    }
  });
  return found;
}

/**
 * The least and most multiples of each vector within a window; null if there would be too many.
 * @param {number[][]} basis @param {PictureBox} options
 */
function unitsOf(basis, { x, y, width, height }) {
  const corners = [
    [x, -y],
    [x + width, -y],
    [x, -y - height],
    [x + width, -y - height],
  ].map((corner) => inUnits(basis, corner));
  const range = [0, 1].map((k) => [
    Math.floor(Math.min(...corners.map((c) => c[k]))),
    Math.ceil(Math.max(...corners.map((c) => c[k]))),
  ]);
  return range.flat().every((n) => Math.abs(n) < MOST_TRIED) ? range : null;
}

/**
 * The points of the grid within a window; none if there would be too many.
 * @param {Drawing} options @param {PictureBox} box
 */
function gridOf({ basis, grid }, box) {
  const range = unitsOf(basis, box);
  const many = range?.reduce((n, [low, high]) => n * (high - low + 1) * grid, 1) ?? Infinity;
  if (!range || many > 4000 || !area(basis)) return [];
  const found = [];
  for (let i = range[0][0] * grid; i <= range[0][1] * grid; i += 1) {
    for (let j = range[1][0] * grid; j <= range[1][1] * grid; j += 1) {
      const point = combined(basis, i / grid, j / grid);
      if (point[0] >= box.x && point[0] <= box.x + box.width && -point[1] >= box.y && -point[1] <= box.y + box.height)
        found.push(point);
    }
  }
  return found;
}
