// The tools of a canvas: what the pointer does, the view, and what moves or changes the whole shape.

import { copyIcon, mirrorIcon, shiftIcon, toolIcon, turnIcon } from "./icons.js";
import { TOOLS } from "./hands.js";
import { back } from "./motions.js";
import { button, Choice, Held } from "./panels.js";
import { h, html, useState } from "./preact.js";

/** @import { Shaping } from "./shaping.js" */
/** @import { Motion } from "./web_types.js" */
/** @import { MotionData } from "./server_types.js" */
/** @import { Shown } from "./preact.js" */

const unfolded = { region: false, part: false }; // where tools are open

/** @param {Shown} picture @param {string} words @param {() => unknown} act */
const icon = (picture, words, act) => button(picture, act, { class: "icon", title: words, "aria-label": words });

/** @param {string} words @param {Shown} content */
const group = (words, content) => html`<span class="group" role="group" aria-label=${words}>${content}</span>`;

/** The bar above a shape. @param {{ shaping: Shaping }} shown */
export function Heads({ shaping }) {
  const [, again] = useState(0);
  const { grid, view, lattice } = shaping;
  const kind = shaping.how.regional ? "region" : "part";
  shaping.redraw = () => again((n) => n + 1);
  /** @param {string} name */
  const take = (name) => {
    grid.hands.tool = name;
    grid.picture.dataset.tool = name;
    if (name !== "select") grid.unselect();
    shaping.drawSelection();
  };
  /** @param {number} factor */
  const zoom = (factor) => (view ? view.eye?.zoom(factor) : grid.zoom(factor));
  const unfold = () => {
    unfolded[kind] = !unfolded[kind];
    shaping.redraw();
  };
  const isOpen = unfolded[kind];
  return html`<div class="heads">
    ${group(
      "What the pointer does",
      TOOLS.map(([name, text, about]) =>
        button(toolIcon(name), () => take(name), {
          class: "icon view",
          "data-tool": name,
          "aria-pressed": String(name === grid.hands.tool),
          title: `${text} (${about})`,
          "aria-label": text,
        }),
      ),
    )}
    ${group("View", [
      icon(toolIcon("less"), "zoom out (−)", () => zoom(1 / 1.4)),
      icon(toolIcon("more"), "zoom in (+)", () => zoom(1.4)),
      icon(toolIcon("fit"), "show all (0)", () => (grid.fit(), view?.home())),
    ])}
    ${view && h(Held, { class: "", nodes: [view.tools] })}
    ${
      lattice.space &&
      button("In space", () => shaping.toggleSpace(), { class: "view", "aria-pressed": String(!shaping.place.hidden) })
    }
    ${button("Tools", unfold, { class: "view", "aria-expanded": String(isOpen) })}
    <div class="tools" role="group" aria-label=${`Tools for ${shaping.how.name}`} hidden=${!isOpen}>
      ${isOpen && tools(shaping)}
    </div>
  </div>`;
}

/** @param {Shaping} shaping */
function tools(shaping) {
  const { lattice, round } = shaping;
  const { space, basis, moves } = lattice;
  const main = moves.filter((motion) => motion.main);
  const others = moves.filter((motion) => !motion.main);
  /** @param {MotionData} motion */
  const turns = (motion) => {
    const half = back(motion) === motion; // left and right are the same
    return (half ? [true] : [true, false]).map((left) =>
      icon(
        turnIcon(space, motion.axis, left),
        half ? motion.name : `${motion.name}, to the ${left ? "left" : "right"}`,
        () => shaping.move(left ? motion : back(motion)),
      ),
    );
  };
  /** @param {MotionData} motion */
  const mirror = (motion) => {
    const act = () => shaping.move(motion);
    return motion.kind === "mirror" ? icon(mirrorIcon(space, motion.axis), motion.name, act) : button(motion.name, act);
  };
  const shifts = basis.flatMap((row, axis) =>
    [1, -1].map((sign) => {
      const step = basis.map((_, k) => (k === axis ? sign : 0));
      const way = [0, 1, 2].map((k) => sign * (row[k] ?? 0));
      return icon(shiftIcon(space, way), `shift by ${step.join(", ")}`, () => shaping.shift(step));
    }),
  );
  /** @param {string} words @param {Shown[]} buttons */
  const named = (words, buttons) =>
    buttons.length > 0 && group(words, [html`<span class="name" aria-hidden="true">${words}</span>`, ...buttons]);
  const isTurn = (/** @type {MotionData} */ { kind }) => kind === "turn";
  const moving = [
    named("Turn", main.filter(isTurn).flatMap(turns)),
    named("Mirror", main.filter((motion) => !isTurn(motion)).map(mirror)),
  ];
  return [
    !round && moving,
    named("Shift", shifts),
    !round &&
      others.length > 0 &&
      h(Choice, {
        aria: "another motion",
        value: "",
        choose: (k) => k && shaping.move(others[Number(k)]),
        options: [["", "another motion…"], ...others.map(({ name }, k) => [String(k), name])],
      }),
    !round && h(Symmetry, { shaping }),
    !shaping.how.regional && plainTools(shaping),
  ];
}

/** Choose the symmetry for drawing: each change is then made at all images. @param {{ shaping: Shaping }} shown */
function Symmetry({ shaping }) {
  const { moves } = shaping.lattice;
  const [wrong, tell] = useState("");
  /** @param {MotionData[]} motions @returns {[string, Motion[]][]} */
  const single = (motions) => motions.map((motion) => [motion.name, [motion]]);
  /** @type {[string, Motion[]][]} */
  const sets = [
    ["none", []],
    ...single(moves.filter((motion) => motion.main)),
    ["all turns", moves.filter(({ kind }) => kind === "turn")],
    ["all rotations and reflections", moves.filter(({ kind }) => kind !== "other")],
    ...single(moves.filter((motion) => !motion.main)),
  ];
  const isSame = (/** @type {[string, Motion[]]} */ [, motions]) =>
    motions.length === shaping.generators.length && motions.every((motion) => shaping.generators.includes(motion));
  /** @param {string} k */
  const choose = (k) => {
    shaping.generators = sets[Number(k)][1];
    tell(shaping.centre() ? "" : "This lattice has no centre near the middle for this symmetry.");
    shaping.grid.redraw();
  };
  return html`${h(Choice, {
    label: "draw with symmetry",
    value: String(sets.findIndex(isSame)),
    choose,
    options: sets.map(([name], k) => [String(k), name]),
    hint: "each change is repeated at all images around the cross",
  })}
  ${wrong && html`<p class="hint" role="alert">${wrong}</p>`}`;
}

/** Tools that every shape has. @param {Shaping} shaping */
export function plainTools(shaping) {
  const usual = shaping.lattice.basis.map(() => 4).join(" ");
  /** @param {SubmitEvent & { target: any }} event */
  const make = (event) => {
    event.preventDefault();
    const [sizes] = event.target.elements;
    const words = sizes.value.split(/[\s,x×]+/).filter(Boolean);
    const lengths = words.map((/** @type {string} */ word) => (/^\d+$/.test(word) ? Number(word) : NaN));
    sizes.setCustomValidity(shaping.makeBox(lengths));
    sizes.reportValidity();
  };
  const clear = (/** @type {{ target: HTMLInputElement }} */ { target }) => target.setCustomValidity("");
  return html`<span class="group">
    ${
      !shaping.round && // else the lengths of its axes are its size
      html`<form class="pair" onSubmit=${make}>
        <input class="short" placeholder=${usual} aria-label="lengths of the box" onInput=${clear} />
        <button>Make it a box</button>
      </form>`
    }
    ${button("Clear", () => shaping.replace([]))}
  </span>`;
}

/** @param {Shaping} shaping */
export const copyButtons = (shaping) =>
  [1, -1].map((by) =>
    icon(copyIcon(by > 0), `copy this layer to the one ${by > 0 ? "above" : "below"}`, () => shaping.copyLayer(by)),
  );

/** What can be done with the selected cells. @param {Shaping} shaping */
export function deeds({ grid }) {
  const { hands, selected } = grid;
  /** @param {string} words @param {string} title @param {() => unknown} act */
  const deed = (words, title, act) => button(words, () => (act(), grid.refocus()), { title });
  return [
    selected.size > 0 && deed("Copy", "Ctrl+C", () => hands.copy()),
    hands.canPaste && hands.tool === "select" && deed("Paste", "Ctrl+V", () => hands.paste()),
    selected.size > 0 && deed("Remove", "Delete", () => hands.remove()),
  ];
}
