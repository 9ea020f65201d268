// The tray: a button for each part, with its picture as it lies in the hand, and how many copies are left.

import { Drawn } from "./drawn.js";
import { h, html } from "./preact.js";

/** @import { Play } from "./play.js" */

/** The pictures that are to be drawn, by their places. @type {Map<HTMLElement, () => unknown>} */
const waiting = new Map();

/**
 * Draw a picture in a task of its own, because in space each is work for the main thread.
 * @param {HTMLElement} place @param {() => unknown} draw
 */
async function drawSoon(place, draw) {
  waiting.set(place, draw);
  if (waiting.size > 1) return; // somebody draws them
  for (const next of waiting.keys()) {
    await new Promise((resolve) => setTimeout(resolve));
    const picture = waiting.get(next);
    waiting.delete(next);
    if (next.isConnected) await picture?.();
  }
}

/** @param {{ play: Play }} shown */
export function Tray({ play }) {
  return html`<div class="tray" role="group" aria-label="Parts">
    ${play.puzzle.parts.map((_, part) => h(PartButton, { play, part }))}
  </div>`;
}

/** @param {{ play: Play, part: number }} shown */
function PartButton({ play, part }) {
  const { puzzle, board, game, hand, ground, reach } = play;
  const { name, high, colours } = puzzle.parts[part];
  const isHeld = part === hand?.part;
  const left = game.left(part) - (isHeld && !hand?.from ? 1 : 0);
  const isUsed = left < 1 && !isHeld;
  const [shape, copy] = [puzzle.shapeOf(part, play.ways[part]), game.freeCopy(part)];
  const colour = colours[copy % colours.length];
  const draw = (/** @type {HTMLElement} */ place) =>
    drawSoon(place, () => board.portrait(place, shape, colour, reach, part, copy));
  const portrait = {
    class: "portrait",
    "aria-hidden": "true",
    draw,
    of: `${shape.id} ${copy % colours.length} ${ground}`,
  };
  // Chosen by keyboard; carrying.js hears the pointer.
  const choose = (/** @type {MouseEvent} */ event) => event.detail === 0 && play.choose(part, false);
  return html`<button
    type="button"
    class=${`part${isUsed ? " used" : ""}${isHeld ? " held" : ""}`}
    data-part=${part}
    aria-pressed=${String(isHeld)}
    aria-label=${`${name}, ${left} left`}
    onClick=${choose}
  >
    ${h(Drawn, portrait)}<span class="name">${name}</span>
    <span class="count">${high > 1 ? `×${left}` : isUsed ? "✓" : ""}</span>
  </button>`;
}
