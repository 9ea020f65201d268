// Keys and locks: their names, what meets what, and a picture of a part on whose sides they are put.

import { el, fill, svg } from "./elements.js";
import { across, KINDS, lookOfSide, renameValue, valuesOf } from "./fields.js";
import { Fold, freeWord, nameField, swatch, tick } from "./fold.js";
import { canvas, centre, keyOf, layersOf, shape, words } from "./geometry.js";

const [NAMES, ONE] = [{ keys: "Keys", locks: "Locks" }, { keys: "key", locks: "lock" }];
const GROUPS = ["flat", ...KINDS];
const USUAL = { flat_meets: ["flat"], locks_meet_locks: false, may_look_out: ["locks"] }; // where the table says nothing
const THERE = { flat: "flat sides", keys: "keys", locks: "locks" };

export class SidesPanel extends Fold {
  constructor(model) {
    super(model, "Keys and locks", "sides");
  }

  said() {
    const values = valuesOf(this.model.fields);
    return values.length ? values.slice(0, 12).map((name) => swatch(lookOfSide(this.model, name), name)) : ["none"];
  }

  content() {
    const { fields } = this.model;
    if (!fields.sides) return [el("p", { class: "hint" }, "The sides of these parts meet in a way that no puzzle file can say. They stay as they are.")];
    const there = valuesOf(fields).length > 0;
    return [
      el("p", { class: "hint" }, "A side of a part is flat, or has a key or a lock. Name them here; put them on sides under “Keys and locks” of a part."),
      el("div", { class: "halves" }, KINDS.map((kind) => this.list(kind))),
      ...(there ? this.meetings() : []),
    ];
  }

  list(kind) {
    const { model } = this;
    const { sides } = model.fields;
    const taken = () => ["flat", ...valuesOf(model.fields)];
    const rows = (sides[kind] ?? []).map((name) => {
      let now = name;
      const input = nameField(`name of the ${ONE[kind]}`, name, taken, (wanted) => {
        renameValue(model, now, wanted);
        now = wanted;
        this.changed(true);
      });
      const remove = () => {
        renameValue(model, now, "");
        this.changed(true);
        this.body.querySelector(`.${kind} > button`).focus();
      };
      return el("div", { class: "row" }, swatch(lookOfSide(model, name)), input,
        el("button", { type: "button", class: "danger", "aria-label": `Remove ${name}`, onclick: remove }, "Remove"));
    });
    const add = () => {
      const name = freeWord(ONE[kind], taken());
      Object.assign(sides, { ...USUAL, ...sides, fits: sides.fits ?? {}, [kind]: [...(sides[kind] ?? []), name] });
      if (kind === "keys") sides.fits[name] = [];
      this.changed(true);
      this.body.querySelector(`.${kind} .row:last-of-type input`).select();
    };
    return el("div", { class: kind }, el("h4", {}, NAMES[kind]), rows, el("button", { type: "button", onclick: add }, `Add a ${ONE[kind]}`));
  }

  /** What may meet what. */
  meetings() {
    const { sides } = this.model.fields;
    const [keys, locks] = KINDS.map((kind) => sides[kind] ?? []);
    const member = (key, word) => (sides[key] ?? USUAL[key]).includes(word);
    const set = (key, word) => (on) => {
      sides[key] = GROUPS.filter((other) => (other === word ? on : member(key, other)));
      this.changed();
    };
    const fit = (key, lock) => el("input", { type: "checkbox", checked: sides.fits[key]?.includes(lock) ?? false, "aria-label": `${key} fits ${lock}`, onchange: (event) => {
      const before = sides.fits[key] ?? [];
      sides.fits[key] = event.target.checked ? locks.filter((other) => other === lock || before.includes(other)) : before.filter((other) => other !== lock);
      this.changed();
    } });
    const head = (name) => [swatch(lookOfSide(this.model, name)), name];
    const table = keys.length && locks.length ? el("div", { class: "scroll" }, el("table", { class: "pairs" }, el("caption", {}, "Which key fits which lock"),
      el("thead", {}, el("tr", {}, el("td", {}), locks.map((name) => el("th", { scope: "col" }, head(name))))),
      el("tbody", {}, keys.map((key) => el("tr", {}, el("th", { scope: "row" }, head(key)), locks.map((lock) => el("td", {}, fit(key, lock)))))))) : null;
    const kinds = KINDS.filter((kind) => sides[kind]?.length);
    return [
      table,
      el("fieldset", {}, el("legend", {}, "A flat side may meet"), ["flat", ...kinds].map((word) => tick(THERE[word], member("flat_meets", word), set("flat_meets", word)))),
      el("fieldset", {}, el("legend", {}, "The outside or an empty cell may be faced by"), kinds.map((word) => tick(THERE[word], member("may_look_out", word), set("may_look_out", word)))),
      kinds.includes("locks") ? tick("two locks may meet", sides.locks_meet_locks ?? false, (on) => {
        sides.locks_meet_locks = on;
        this.changed();
      }) : null,
    ];
  }
}

/** The sides of a part, to be clicked: each gets the value that is chosen above. On any lattice; `changed()` is called after each. */
export class SidesField {
  constructor(model, part, changed) {
    Object.assign(this, { model, part, changed });
    this.value = valuesOf(model.fields)[0];
    this.picture = el("div", { class: "grid" });
    this.choice = el("div", { class: "row", role: "group", "aria-label": "What a click puts on a side" });
    this.element = el("div", {}, this.choice, this.picture);
    this.draw();
  }

  drawChoice() {
    const name = `side of ${this.part.name}`;
    fill(this.choice, ["", ...valuesOf(this.model.fields)].map((value) =>
      el("label", { class: "radio" }, el("input", { type: "radio", name, checked: value === this.value, onchange: () => (this.value = value) }),
        el("span", {}, value ? swatch(lookOfSide(this.model, value)) : null, value || "flat"))));
  }

  draw() {
    const { lattice } = this.model;
    this.drawChoice();
    const cells = [...this.part.cells.values()].map((entry) => entry.cell);
    const layers = layersOf(lattice, cells);
    this.shapes = [];
    fill(this.picture, layers.map(({ cells: members, box }, k) => {
      const picture = canvas(lattice, padded(box, lattice), cells.length > 30 ? 34 : 46, { role: "group", "aria-label": `Sides of part ${this.part.name}: arrows move, space sets` });
      for (const cell of members) picture.append(shape(lattice, cell, { class: "still", fill: "var(--over)" }));
      for (const cell of members) picture.append(...this.sidesOf(cell));
      return el("figure", {}, picture, layers.length > 1 ? el("figcaption", {}, `layer ${k + 1} of ${layers.length}${k ? "" : " (bottom)"}`) : null);
    }));
    this.shapes[0]?.setAttribute("tabindex", "0");
    this.picture.onclick = (event) => event.target.side && this.set(event.target);
    this.picture.onkeydown = (event) => this.key(event);
  }

  sidesOf(cell) {
    const { lattice } = this.model;
    const outside = lattice.edges.map((edge, k) => [edge, k]).filter(([edge, k]) => edge.node === cell[0] && !this.part.cells.has(keyOf(across(lattice, cell, k))));
    return outside.map(([edge, k]) => {
      const drawn = svg("path", { d: markOf(lattice, cell, edge, k), role: "button", tabindex: "-1", "vector-effect": "non-scaling-stroke" }, svg("title", {}));
      drawn.side = [cell, k];
      this.shapes.push(drawn);
      this.show(drawn);
      return drawn;
    });
  }

  valueAt([cell, edge]) {
    return this.part.sides.find(([other, k]) => k === edge && keyOf(other) === keyOf(cell))?.[2] ?? "";
  }

  show(drawn) {
    const [cell, edge] = drawn.side;
    const value = this.valueAt(drawn.side);
    const label = `side ${this.model.lattice.edges[edge].label} of ${words(this.model.lattice, cell)}: ${value || "flat"}`;
    drawn.setAttribute("class", `side ${value ? "in" : "out"}`);
    drawn.setAttribute("fill", value ? lookOfSide(this.model, value) : "transparent");
    drawn.setAttribute("aria-label", label);
    drawn.firstChild.textContent = label;
  }

  set(drawn) {
    const [cell, edge] = drawn.side;
    const value = this.valueAt(drawn.side) === this.value ? "" : this.value;
    const rest = this.part.sides.filter(([other, k]) => k !== edge || keyOf(other) !== keyOf(cell));
    this.part.sides = value ? [...rest, [cell, edge, value]] : rest;
    this.show(drawn);
    this.changed();
  }

  key(event) {
    const at = this.shapes.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (at < 0 || !(step || event.key === " " || event.key === "Enter")) return;
    event.preventDefault();
    if (!step) {
      this.set(event.target);
      return;
    }
    const next = this.shapes[(at + step + this.shapes.length) % this.shapes.length];
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}

/** Small areas that show what is at the sides of a part; for its picture among the parts. */
export function sideMarks(model, part, members) {
  const shown = new Set(members.map(keyOf));
  return part.sides.filter(([cell]) => shown.has(keyOf(cell))).map(([cell, k, value]) => {
    const edge = model.lattice.edges[k];
    return svg("path", { d: markOf(model.lattice, cell, edge, k), fill: lookOfSide(model, value) });
  });
}

const padded = (box, { size }) => ({ x: box.x - 0.05 * size, y: box.y - 0.05 * size, width: box.width + 0.1 * size, height: box.height + 0.1 * size });
const digits = (value) => Math.round(value * 1e4) / 1e4;
const ringPath = (points) => `M${points.map(([x, y]) => `${digits(x)} ${digits(-y)}`).join("L")}Z`;

/** The outline of what shows a side: the lattice's own, or, in space and at balls, a bar before the neighbour; a triangle up or down. */
function markOf(lattice, cell, edge, k) {
  const [x, y, z] = centre(lattice, cell);
  if (edge.ring) return ringPath(edge.ring.map(([a, b]) => [x + a, y + b]));
  const to = centre(lattice, across(lattice, cell, k));
  const [dx, dy, dz] = [to[0] - x, to[1] - y, to[2] - z];
  const flat = Math.hypot(dx, dy);
  const { size } = lattice;
  if (flat < 0.05 * size) {
    const way = Math.sign(dz);
    const at = (a, b) => [x + a * size, y + (0.15 * way + b * way) * size];
    return ringPath([at(-0.11, -0.08), at(0.11, -0.08), at(0, 0.1)]);
  }
  const [u, v] = [dx / flat, dy / flat];
  const aside = Math.abs(dz) > 0.05 * size ? 0.13 * Math.sign(dz) : 0; // of two sides one above the other
  const half = aside ? 0.1 : 0.2;
  const at = (ahead, beside) => [x + (u * ahead - v * beside) * size, y + (v * ahead + u * beside) * size];
  return ringPath([at(0.3, aside - half), at(0.3, aside + half), at(0.43, aside + half), at(0.43, aside - half)]);
}
