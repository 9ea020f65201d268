// The tiles of the region and of the parts, beside the canvas of the one that is chosen, and what is done with several parts.

import { fill } from "./dom.js";
import { counted } from "./elements.js";
import { componentsOf } from "./connected.js";
import { keyOf } from "./geometry.js";
import { button, Held } from "./panels.js";
import { FieldsOfParts } from "./part_form.js";
import { h, html, useEffect, useMemo, useRef } from "./preact.js";
import { sideMarks } from "./sides_field.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";

/** @import { Cell, EditorPart } from "./web_types.js" */
/** @import { Editor } from "./editor.js" */

const MOST_PICTURED = 3000; // cells of a region that is drawn small
const QUIET = 250; // milliseconds without a change before it is
const PALE = "#9db8d9"; // a cell of the region without a colour

/** @param {{ editor: Editor }} shown */
export function Strip({ editor }) {
  const { model, picked, library } = editor;
  const { parts } = model;
  const [n, all] = [picked.size, parts.length];
  const cells = parts.map((part) => [...part.cells.values()].map((entry) => entry.cell));
  const scale = thumbnailScale(model.lattice, cells);
  /** @param {Iterable<EditorPart>} chosen */
  const pick = (chosen) => {
    editor.picked = new Set(chosen);
    editor.draw();
  };
  /** @param {{ target: HTMLInputElement }} event */
  const pickAll = ({ target }) => pick(target.checked ? parts : []);
  return html`<section class="strip" aria-label="Parts" ...${library.accepting()}>
    ${h(RegionTile, { editor })}
    <div class="chosen" hidden=${!all}>
      <label class="tick" hidden=${all === 1 && !n}>
        <input type="checkbox" checked=${n > 0 && n === all} indeterminate=${n > 0 && n < all} onChange=${pickAll} />
        <span>${n ? `${n} of ${counted(all, "part")} selected` : `select all ${counted(all, "part")}`}</span>
      </label>
    </div>
    <div class="parts">${parts.map((part, k) => h(PartTile, { editor, part, cells: cells[k], scale, pick }))}</div>
    <div class="tools" role="group" aria-label="For all selected parts">
      ${
        n > 0 && [
          h(FieldsOfParts, {
            key: parts.flatMap((part, k) => (picked.has(part) ? k : [])).join(),
            model,
            parts: [...picked],
          }),
          html`<div class="row">
            ${button("Duplicate", () => editor.duplicatePicked())}
            ${button("Delete", () => editor.removePicked(), { class: "danger" })}
          </div>`,
        ]
      }
    </div>
    <div class="row adding">${button("Add a part", () => editor.add(null), { class: "add" })} ${library.opener()}</div>
    <div class="asks" role="status">${question(editor)}</div>
  </section>`;
}

/** The tile of the region. Its picture comes when the hand rests: a click must not wait for it. @param {{ editor: Editor }} shown */
function RegionTile({ editor }) {
  const { lattice, region, colours } = editor.model;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const later = setTimeout(() => {
      const cells = [...region.values()].map(({ cell }) => cell);
      /** @param {Cell} cell */
      const tint = (cell) => colours[region.get(keyOf(cell))?.colour || -1]?.rgb ?? PALE;
      const few = cells.length <= MOST_PICTURED;
      if (place.current)
        fill(place.current, few ? thumbnail(lattice, cells, tint, thumbnailScale(lattice, [cells])) : []);
    }, QUIET);
    return () => clearTimeout(later);
  });
  return html`<button
    type="button"
    class="pick of-region"
    aria-pressed=${String(!editor.part)}
    onClick=${() => editor.choose(null)}
  >
    <span class="mini" ref=${place} />
    <span class="named"><strong>Region</strong><span class="copies">${counted(region.size, "cell")}</span></span>
  </button>`;
}

/** @param {{ editor: Editor, part: EditorPart, cells: Cell[], scale: number, pick: (chosen: EditorPart[]) => void }} shown */
function PartTile({ editor, part, cells, scale, pick }) {
  const { model, picked } = editor;
  const { lattice, colours } = model;
  /** @param {Cell} cell */
  const tint = (cell) => colours[part.cells.get(keyOf(cell))?.colour || -1]?.rgb ?? part.rgb;
  const looks = part.sides.map(([, , value]) => model.looks.get(`side ${value}`));
  const nodes = useMemo(() => {
    const pictures = thumbnail(lattice, cells, tint, scale);
    if (!lattice.space) pictures[0]?.append(...sideMarks(model, part, cells));
    return pictures;
  }, [lattice, scale, JSON.stringify([cells, cells.map(tint), part.sides, looks])]);
  /** @param {{ target: HTMLInputElement }} event */
  const change = ({ target }) => pick([...picked].filter((one) => one !== part).concat(target.checked ? part : []));
  return html`<div class="part">
    <input type="checkbox" checked=${picked.has(part)} aria-label=${`choose ${part.name}`} onChange=${change} />
    <button
      type="button"
      class="pick"
      aria-pressed=${String(part === editor.part)}
      onClick=${() => editor.choose(part)}
    >
      ${h(Held, { nodes })}
      <span class="named">
        <strong>${part.name}</strong>
        <span class="copies">${[copiesOf(part), counted(cells.length, "cell")].filter(Boolean).join(" · ")}</span>
      </span>
    </button>
  </div>`;
}

/** @param {{ low: number, high: number | null }} how */
function copiesOf({ low, high }) {
  if (low === 1 && high === 1) return "";
  if (high === null) return low ? `× ${low} or more` : "× any number";
  return low === high ? `× ${low}` : `× ${low} to ${high}`;
}

/** Asks whether a part that lies in pieces is meant to. @param {Editor} editor */
function question(editor) {
  const { model, part, whole } = editor;
  const pieces = part && !whole.has(part.name) ? componentsOf(model.lattice, part.cells) : [];
  if (!part || pieces.length < 2) return null;
  const keep = () => {
    whole.add(part.name);
    editor.draw();
  };
  return [
    html`<span>The cells of ${part.name} lie in ${pieces.length} places that do not touch.</span>`,
    button(`Make ${pieces.length} parts`, () => editor.split(part, pieces)),
    button("It is one part", keep),
  ];
}
