// What stands around the board: the time and the moves, the buttons, the words that tell what happens, and the help.

import { clock } from "./album.js";
import { Drawn } from "./drawn.js";
import { counted } from "./elements.js";
import { Ending, praise } from "./ending.js";
import { button, Choice } from "./panels.js";
import { h, html, render, useLayoutEffect, useRef } from "./preact.js";
import { Tray } from "./tray.js";
import { can, reachesAll } from "./turning.js";

/** @import { Play, TurnKind } from "./play.js" */
/** @import { Position } from "./position.js" */

/** @type {[keys: string, words: string, dimension?: number][]} */
const HELP = [
  ["drag a part", "move it from the tray or in the region; rotate it with a second finger or the right button"],
  ["click or tap", "pick a part up; then click or tap where it goes"],
  ["1 to 9, Tab and Enter", "pick a part from the tray"],
  ["arrow keys", "move it; with empty hands, select a part in the region"],
  ["Enter", "drop it; pick up the selected part"],
  ["r, f", "turn it, flip it; with Shift in the other direction"],
  ["t, y", "tip it, roll it", 3],
  ["n", "next orientation"],
  ["wheel, Page Down, Page Up", "move it away or nearer", 3],
  ["l, L", "show fewer layers, or more", 3],
  ["drag the background, Shift arrow keys", "turn the view", 3],
  ["wheel, two fingers, + and −, 0", "zoom; reset the view", 3],
  ["Delete, Esc", "put it into the tray; put it back"],
  ["u, Shift u", "undo, redo"],
  ["h", "hint"],
];

const MOST_PICTURES = 24; // of solutions that were found: the latest

/** What the lamp says of the position. */
const LAMP = { off: "Possible?", looking: "Looking…", yes: "Possible", no: "Impossible", unknown: "Unknown" };

export class Panel {
  /** What is said; `unseen` is for those who cannot see the board, `link` a link to be copied by hand. */
  said = { words: "", unseen: "", link: "" };
  isLit = false; // whether it is asked if the position can still be finished
  /** @type {keyof typeof LAMP} */ lamp = "off";
  /** The position that the lamp is about. @type {Position | null} */ judged = null;
  /** In space: up to which layer the parts are seen. @type {number | null} */ layer = null;

  /** @param {Play} play @param {HTMLElement} element */
  constructor(play, element) {
    this.play = play;
    this.element = element;
    const { heights, dimension } = play.puzzle.puzzle;
    const lower = dimension === 3 ? heights.slice(1).map((_, k) => k) : [];
    /** The choices of layers. @type {(number | null)[]} */
    this.layers = [null, ...lower.reverse()];
    this.ticking = setInterval(() => this.tick(), 1000);
  }

  draw() {
    this.judge();
    const { play, said, layers } = this;
    const { puzzle, board } = play;
    const choose = (/** @type {string} */ layer) => this.show(layer === "" ? null : Number(layer));
    const options = layers.map((layer) => [`${layer ?? ""}`, wordsOfLayer(layer)]);
    render(
      html`${h(Bar, { panel: this })}
        <div class="view" tabindex="0" role="application" aria-label=${puzzle.puzzle.title}>
          ${puzzle.dimension === 3 && html`<canvas />`}
          ${layers.length > 1 && Choice({ aria: "Visible layers", value: `${this.layer ?? ""}`, options, choose })}
        </div>
        ${h(Tools, { play })}
        <p class="words" role="status" aria-live="polite">
          ${said.words}<span class="unseen">${said.unseen}</span>${said.link && html` <${Link} link=${said.link} />`}
        </p>
        ${board && play.wasSolved && !play.hand && h(Ending, { play })}
        <div class="side">${board && [h(Tray, { play }), h(Found, { play })]} ${h(Help, { play })}</div>`,
      this.element,
    );
  }

  /** Show the parts up to a layer. @param {number | null} layer */
  show(layer) {
    this.layer = layer;
    this.play.board.choose(layer);
    this.draw();
  }

  /** The next choice of layers, or the one before it. @param {number} sign */
  stepLayer(sign) {
    const { layers } = this;
    if (layers.length < 2) {
      return;
    }
    const layer = layers[(layers.indexOf(this.layer) + sign + layers.length) % layers.length];
    this.show(layer);
    this.say(`Showing ${wordsOfLayer(layer)}.`);
  }

  tick() {
    const { game, wasSolved } = this.play;
    if (!document.hidden && !wasSolved && game.moves) {
      game.seconds += 1;
      this.draw();
      if (game.seconds % 5 === 0) {
        game.keep();
      }
    }
  }

  /** What is said when the puzzle is solved. */
  praise() {
    return praise(this.play).join(" ").trim();
  }

  /** Turn the lamp on or off that shows whether the position can still be finished. */
  light() {
    this.isLit = !this.isLit;
    this.judged = null;
    this.lamp = "off";
    this.draw();
  }

  /** Let the lamp tell of the position. */
  async judge() {
    const { position, hand, adviser } = this.play;
    if (!this.isLit || this.judged === position || hand?.from) {
      return;
    }
    this.judged = position;
    this.lamp = "looking";
    const { known, options } = await adviser.ask(position);
    if (this.judged === position && this.isLit) {
      this.lamp = options ? "yes" : known ? "no" : "unknown";
      this.draw();
    }
  }

  /** @param {string} words @param {string} [unseen] @param {string} [link] */
  say(words, unseen = "", link = "") {
    this.said = { words, unseen, link };
    this.draw();
  }

  dispose() {
    clearInterval(this.ticking);
    render(null, this.element);
  }
}

/** @param {number | null} layer */
const wordsOfLayer = (layer) => (layer === null ? "all layers" : layer ? `layers 1 to ${layer + 1}` : "layer 1");

/** A link that could not be copied: it is selected. @param {{ link: string }} shown */
function Link({ link }) {
  const place = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => place.current?.select(), [link]);
  return html`<input readonly value=${link} aria-label="Link" ref=${place} />`;
}

/** @param {{ panel: Panel }} shown */
function Bar({ panel }) {
  const { play, lamp, isLit } = panel;
  const { game } = play;
  const lampOf = {
    class: "lamp",
    title: "Show whether the puzzle can still be finished",
    "aria-pressed": String(isLit),
    "data-light": lamp,
  };
  return html`<div class="bar">
    <p class="score">
      <span class="time">${clock(game.seconds)}</span><span class="moves">${counted(game.moves, "move")}</span>
    </p>
    ${button("Undo", () => play.undo(), { disabled: !game.back.length })}
    ${button("Redo", () => play.redo(), { disabled: !game.forth.length })}
    ${button("Start over", () => play.clear(), { disabled: !game.placed.length })}
    ${
      play.engine && [
        button("Hint", () => play.adviser.hint(), { disabled: play.wasSolved }),
        button(LAMP[lamp], () => panel.light(), lampOf),
      ]
    }
    ${button("Share", () => play.share(), { class: "share", title: "A link to this position" })}
  </div>`;
}

/** What can be done with the part in the hand. @param {{ play: Play }} shown */
function Tools({ play }) {
  const { puzzle, hand, chosen } = play;
  const space = puzzle.dimension === 3;
  const some = (/** @type {"turn" | "flip"} */ what) => puzzle.parts.some((_, part) => can(puzzle, part)[what]);
  /** @type {[words: string, kind: TurnKind][]} */
  const turns = some("turn") ? [["Turn", "turn"]] : [];
  if (space && turns.length) {
    turns.push(["Tip", "tip"], ["Roll", "roll"]);
  }
  if (some("flip")) {
    turns.push([space ? "Mirror" : "Flip", "flip"]);
  }
  if (!puzzle.parts.every((_, part) => reachesAll(puzzle, part))) {
    turns.push(["Next", "next"]);
  }
  const held = (/** @type {string} */ words, /** @type {() => void} */ act) => button(words, act, { disabled: !hand });
  const canDrop = hand && hand.option !== null && play.allows(hand.option);
  return html`<div class="tools" role="group" aria-label="The part in your hand">
    ${turns.map(([words, kind]) => held(words, () => play.turn(kind)))}
    ${space && [held("Nearer", () => play.deeper(-1)), held("Deeper", () => play.deeper(1))]}
    ${button("Away", () => play.away(), { "aria-label": "Put away", disabled: !hand && !chosen })}
    ${button("Drop", () => play.drop(), { class: "drop", disabled: !canDrop })}
  </div>`;
}

/** What was found so far: how many of how many, the best time, and small pictures that lay a solution on the board. @param {{ play: Play }} shown */
function Found({ play }) {
  const { album, board, puzzle, ground } = play;
  const { found, all } = album;
  const isNone = all === 0 || (all === undefined && !found.length) || puzzle.parts.length === 0;
  const best = album.best === null ? "" : ` · best time ${clock(album.best)}`;
  const pictures = found.map((options, k) => {
    const lay = () => play.lay(options, `This is solution ${k + 1} of those you have found.`);
    const draw = (/** @type {HTMLElement} */ place) => board.miniature(place, options);
    const shown = { "aria-label": `Solution ${k + 1} that you found`, onClick: lay };
    return h(Drawn, { key: k, tag: "button", type: "button", draw, of: `${options} ${ground}`, ...shown });
  });
  return html`<section class="album" aria-label="Solutions found" hidden=${isNone}>
    <p>${album.words()} found${best}</p>
    <div class="pictures">${pictures.slice(-MOST_PICTURES).reverse()}</div>
  </section>`;
}

/** @param {{ play: Play }} shown */
function Help({ play: { puzzle } }) {
  const rows = HELP.filter(([, , dimension]) => !dimension || dimension === puzzle.dimension);
  return html`<details class="help">
    <summary>${puzzle.rules.length ? "Rules, keys and gestures" : "Keys and gestures"}</summary>
    ${
      puzzle.rules.length > 0 &&
      html`<ul>
        ${puzzle.rules.map((words) => html`<li>${words}</li>`)}
      </ul>`
    }
    <dl>${rows.map(([keys, words]) => [html`<dt>${keys}</dt>`, html`<dd>${words}</dd>`])}</dl>
  </details>`;
}
