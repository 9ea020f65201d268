// The sides of a shape, drawn: a click gives a side the value that is chosen.

import { across, lookOfSide, valuesOf } from "./fields.js";
import { svg } from "./dom.js";
import { centre, keyOf, layersOf, outline, round, words } from "./geometry.js";
import { swatch } from "./panels.js";
import { html, useRef, useState } from "./preact.js";

/** @import { Cell, EditorPart, Entry, Lattice, NamedSide } from "./web_types.js" */
/** @import { EdgeData } from "./server_types.js" */
/** @import { Model } from "./model.js" */

const PAD = 0.05; // of a cell, around the picture

/**
 * The sides of a part, or of the region. `all`: also those between its cells.
 * @param {{ model: Model, name: string, cells: Map<string, Entry>, sides: NamedSide[], set: (sides: NamedSide[]) => unknown, all?: boolean }} shown
 */
export function SidesField({ model, name, cells, sides, set, all = false }) {
  const { lattice, fields } = model;
  const [value, choose] = useState(valuesOf(fields)[0]);
  const [at, go] = useState(0); // the side that Tab reaches
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const members = [...cells.values()].map(({ cell }) => cell);
  const keyed = (/** @type {Cell} */ cell, /** @type {number} */ edge) => `${keyOf(cell)} ${edge}`;
  const given = new Map(sides.map(([cell, edge, own]) => [keyed(cell, edge), own]));
  let many = 0;
  /** @param {Cell} cell @param {number} edge */
  const put = (cell, edge) => {
    const rest = sides.filter(([other, k]) => keyed(other, k) !== keyed(cell, edge));
    set(value && given.get(keyed(cell, edge)) !== value ? [...rest, [cell, edge, value]] : rest);
  };
  /** @param {Cell} cell */
  const sidesOf = (cell) =>
    lattice.edges.map((edge, k) => {
      if (edge.node !== cell[0] || (!all && cells.has(keyOf(across(lattice, cell, k))))) return null;
      const number = many++;
      const own = given.get(keyed(cell, k));
      const label = `side ${edge.label} of ${words(lattice, cell)}: ${own || "flat"}`;
      return html`<path
        d=${markOf(lattice, cell, edge, k)}
        role="button"
        class=${`side ${own ? "in" : "out"}`}
        fill=${own ? lookOfSide(model, own) : "transparent"}
        tabindex=${number === at ? 0 : -1}
        vector-effect="non-scaling-stroke"
        aria-label=${label}
        onClick=${() => put(cell, k)}
        onFocus=${() => go(number)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => key(event, () => put(cell, k))}
      >
        <title>${label}</title>
      </path>`;
    });
  /** @param {KeyboardEvent} event @param {() => void} act */
  const key = (event, act) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    /** @type {NodeListOf<SVGElement> | undefined} */ const there = place.current?.querySelectorAll(".side");
    if (step) there?.[(at + step + many) % many].focus();
    else act();
  };
  const scale =
    ((members.length > 100 ? 30 : members.length > 30 ? 38 : 46) * (lattice.space ? 1.4 : 1)) / lattice.size;
  const pad = PAD * lattice.size;
  const layers = layersOf(lattice, members);
  const pictures = layers.map(({ cells: drawn, box }, k) => {
    const [width, height] = [box.width + 2 * pad, box.height + 2 * pad];
    return html`<figure>
      <svg
        viewBox=${[box.x - pad, box.y - pad, width, height].map(round).join(" ")}
        width=${Math.ceil(width * scale)}
        height=${Math.ceil(height * scale)}
        role="group"
        aria-label=${`Sides of ${name}: arrows move, space sets`}
      >
        ${drawn.map((/** @type {Cell} */ cell) => html`<path class="still" fill="var(--over)" fill-rule="evenodd" d=${outline(lattice, cell)} />`)}
        ${drawn.map(sidesOf)}
      </svg>
      ${layers.length > 1 && html`<figcaption>layer ${k + 1} of ${layers.length}${k ? "" : " (bottom)"}</figcaption>`}
    </figure>`;
  });
  return html`<div class="row" role="group" aria-label="What a click puts on a side">
      ${["", ...valuesOf(fields)].map(
        (own) =>
          html`<label class="radio">
            <input type="radio" name=${`side of ${name}`} checked=${own === value} onChange=${() => choose(own)} />
            <span>${own && swatch(lookOfSide(model, own))}${own || "flat"}</span>
          </label>`,
      )}
    </div>
    <div class="grid" ref=${place}>${pictures}</div>`;
}

/**
 * Small areas that show the values at the sides of a part, for its picture in the list of parts.
 * @param {Model} model @param {EditorPart} part @param {Cell[]} members
 */
export function sideMarks(model, part, members) {
  const shown = new Set(members.map(keyOf));
  const { lattice } = model;
  const bearing = part.sides.map(([cell]) => keyOf(cell));
  /** @param {Cell} cell */
  const isTile = (cell) =>
    bearing.filter((key) => key === keyOf(cell)).length === lattice.edges.filter(({ node }) => node === cell[0]).length;
  return part.sides
    .filter(([cell]) => shown.has(keyOf(cell)))
    .map(([cell, k, value]) => {
      const edge = lattice.edges[k];
      const d = edge.ring && isTile(cell) ? wedge(centre(lattice, cell), edge.ring) : markOf(lattice, cell, edge, k);
      return svg("path", { d, fill: lookOfSide(model, value) });
    });
}

/** A triangle from a side to the middle of its cell, as on matching tiles. */
function wedge(/** @type {number[]} */ [x, y], /** @type {number[][]} */ ring) {
  const outer = [...ring].sort(([a, b], [c, d]) => Math.hypot(c, d) - Math.hypot(a, b)).slice(0, 2);
  return ringPath([[x, y], ...outer.map(([a, b]) => [x + a, y + b])]);
}

/** @param {number[][]} points */
const ringPath = (points) => `M${points.map(([x, y]) => `${round(x)} ${round(-y)}`).join("L")}Z`;

/**
 * The outline that shows a side: the lattice's own; in 3D and for balls, a bar towards the neighbour, or a triangle up or down.
 * @param {Lattice} lattice @param {Cell} cell @param {EdgeData} edge @param {number} k
 */
function markOf(lattice, cell, edge, k) {
  const [x, y, z] = centre(lattice, cell);
  if (edge.ring) return ringPath(edge.ring.map(([a, b]) => [x + a, y + b]));
  const to = centre(lattice, across(lattice, cell, k));
  const [dx, dy, dz] = [to[0] - x, to[1] - y, to[2] - z];
  const flat = Math.hypot(dx, dy);
  const { size } = lattice;
  if (flat < 0.05 * size) {
    const way = Math.sign(dz);
    /** @param {number} a @param {number} b */
    const at = (a, b) => [x + a * size, y + (0.15 * way + b * way) * size];
    return ringPath([at(-0.11, -0.08), at(0.11, -0.08), at(0, 0.1)]);
  }
  const [u, v] = [dx / flat, dy / flat];
  const aside = Math.abs(dz) > 0.05 * size ? 0.13 * Math.sign(dz) : 0; // separates two sides, one above the other
  const half = aside ? 0.1 : 0.2;
  /** @param {number} ahead @param {number} beside */
  const at = (ahead, beside) => [x + (u * ahead - v * beside) * size, y + (v * ahead + u * beside) * size];
  return ringPath([at(0.3, aside - half), at(0.3, aside + half), at(0.43, aside + half), at(0.43, aside - half)]);
}
