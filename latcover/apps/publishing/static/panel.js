// What stands around the board: the time and the moves, the buttons, the words that tell what happens, and the help.

import { clock } from "./album.js";
import { button, dom } from "./dom.js";
import { Ending } from "./ending.js";
import { can, reachesAll } from "./turning.js";

/** @import { Play } from "./play.js" */
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

export class Panel {
  /** @type {HTMLButtonElement[]} */
  held;
  /** @type {HTMLButtonElement} */ drop;
  /** @type {HTMLButtonElement} */ away;
  /** @type {HTMLSelectElement} */ choice;
  /** @type {boolean} */ lit;
  /** @type {Position | null} */ shown;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    const { puzzle, engine } = play;
    this.time = dom("span", { class: "time" });
    this.moves = dom("span", { class: "moves" });
    this.undo = button("Undo", () => play.undo());
    this.redo = button("Redo", () => play.redo());
    this.clear = button("Start over", () => play.clear());
    this.hint = button("Hint", () => play.adviser.hint());
    this.lamp = button("Possible?", () => this.light(), {
      class: "lamp",
      title: "Show whether the puzzle can still be finished",
      "aria-pressed": "false",
    });
    this.share = button("Share", () => play.share(), { class: "share", title: "A link to this position" });
    const advice = engine ? [this.hint, this.lamp] : [];
    const score = dom("p", { class: "score" }, this.time, this.moves);
    this.bar = dom("div", { class: "bar" }, score, this.undo, this.redo, this.clear, ...advice, this.share);
    this.words = dom("p", { class: "words", role: "status", "aria-live": "polite" });
    this.album = dom("section", { class: "album", "aria-label": "Solutions found" });
    this.ending = new Ending(play);
    this.layers = this.layerChoice();
    this.tools = this.toolRow();
    this.help = dom(
      "details",
      { class: "help" },
      dom("summary", {}, "Rules, keys and gestures"),
      ...this.rules(),
      this.keys(),
    );
    if (!puzzle.rules.length) {
      this.help.children[0].textContent = "Keys and gestures";
    }
    this.ticking = setInterval(() => this.tick(), 1000);
  }

  toolRow() {
    const { play } = this;
    const space = play.puzzle.dimension === 3;
    /** @param {"turn" | "flip"} what */
    const some = (what) => play.puzzle.parts.some((_, part) => can(play.puzzle, part)[what]);
    /** @type {[words: string, act: () => void][]} */
    const turns = some("turn") ? [["Turn", () => play.turn("turn")]] : [];
    if (space && turns.length) {
      turns.push(["Tip", () => play.turn("tip")], ["Roll", () => play.turn("roll")]);
    }
    if (some("flip")) {
      turns.push([space ? "Mirror" : "Flip", () => play.turn("flip")]);
    }
    if (!play.puzzle.parts.every((_, part) => reachesAll(play.puzzle, part))) {
      turns.push(["Next", () => play.turn("next")]);
    }
    /** @type {[words: string, act: () => void][]} */
    const depth = space
      ? [
          ["Nearer", () => play.deeper(-1)],
          ["Deeper", () => play.deeper(1)],
        ]
      : [];
    this.held = [...turns, ...depth].map(([words, act]) => button(words, act));
    this.drop = button("Drop", () => play.drop(), { class: "drop" });
    this.away = button("Away", () => play.away(), { "aria-label": "Put away" });
    this.held.push(this.away);
    return dom(
      "div",
      { class: "tools", role: "group", "aria-label": "The part in your hand" },
      ...this.held,
      this.drop,
    );
  }

  /** In space: up to which layer the parts are seen. */
  layerChoice() {
    const { heights, dimension } = this.play.puzzle.puzzle;
    const last = heights.length - 1;
    /** @param {number} layer */
    const words = (layer) => (layer ? `layers 1 to ${layer + 1}` : "layer 1");
    const options = heights
      .slice(0, -1)
      .map((_, k) => dom("option", { value: `${last - 1 - k}` }, words(last - 1 - k)));
    const choice = (this.choice = dom(
      "select",
      { "aria-label": "Visible layers" },
      dom("option", { value: "" }, "all layers"),
      ...options,
    ));
    choice.addEventListener("change", () => this.play.board.choose(choice.value === "" ? null : Number(choice.value)));
    choice.hidden = dimension === 2 || heights.length < 2;
    return choice;
  }

  /** The next choice of layers, or the one before it. @param {number} sign */
  stepLayer(sign) {
    const { choice } = this;
    if (!choice.hidden) {
      choice.selectedIndex = (choice.selectedIndex + sign + choice.length) % choice.length;
      choice.dispatchEvent(new Event("change"));
      this.say(`Showing ${choice.selectedOptions[0].textContent}.`);
    }
  }

  rules() {
    const { rules } = this.play.puzzle;
    return rules.length ? [dom("ul", {}, ...rules.map((words) => dom("li", {}, words)))] : [];
  }

  keys() {
    const rows = HELP.filter(([, , dimension]) => !dimension || dimension === this.play.puzzle.dimension);
    return dom("dl", {}, ...rows.flatMap(([keys, words]) => [dom("dt", {}, keys), dom("dd", {}, words)]));
  }

  update() {
    const { hand, game, wasSolved } = this.play;
    for (const tool of this.held) {
      tool.disabled = !hand;
    }
    this.away.disabled = !hand && !this.play.chosen;
    this.drop.disabled = !hand || hand.option === null || !this.play.allows(hand.option);
    this.undo.disabled = !game.back.length;
    this.redo.disabled = !game.forth.length;
    this.clear.disabled = !game.placed.length;
    this.hint.disabled = wasSolved;
    this.moves.textContent = `${game.moves} move${game.moves === 1 ? "" : "s"}`;
    this.time.textContent = clock(game.seconds);
    this.celebrate(wasSolved && !hand);
    this.relight();
  }

  tick() {
    const { game, wasSolved } = this.play;
    if (!document.hidden && !wasSolved && game.moves) {
      game.seconds += 1;
      this.time.textContent = clock(game.seconds);
      if (game.seconds % 5 === 0) {
        game.keep();
      }
    }
  }

  /** What is said when the puzzle is solved. */
  praise() {
    return this.ending.words().textContent ?? "";
  }

  /** @param {boolean} solved */
  celebrate(solved) {
    this.play.root.classList.toggle("fresh", Boolean(solved && this.play.score?.isNew));
    this.ending.show(solved);
  }

  /** What was found so far: how many of how many, the best time, and small pictures that lay a solution on the board. */
  showAlbum() {
    const { album, board, puzzle } = this.play;
    const best = album.best === null ? "" : ` · best time ${clock(album.best)}`;
    const pictures = album.found.slice(-MOST_PICTURES).map((options, k) => {
      const number = album.found.length - Math.min(MOST_PICTURES, album.found.length) + k + 1;
      const words = `This is solution ${number} of those you have found.`;
      const picture = button("", () => this.play.lay(options, words), {
        "aria-label": `Solution ${number} that you found`,
      });
      board.miniature(picture, options);
      return picture;
    });
    const hidden = album.all === 0 || (album.all === undefined && !album.found.length);
    this.album.hidden = hidden || puzzle.parts.length === 0;
    this.album.replaceChildren(
      dom("p", {}, `${album.words()} found${best}`),
      dom("div", { class: "pictures" }, ...pictures.reverse()),
    );
  }

  /** Turn the lamp on or off that shows whether the position can still be finished. */
  light() {
    this.lit = !this.lit;
    this.lamp.setAttribute("aria-pressed", `${this.lit}`);
    this.shown = null;
    this.relight();
  }

  async relight() {
    const { position } = this.play;
    if (!this.lit) {
      this.lamp.dataset.light = "off";
      this.lamp.textContent = "Possible?";
      return;
    }
    if (this.shown === position || this.play.hand?.from) {
      return;
    }
    this.shown = position;
    this.lamp.dataset.light = "looking";
    this.lamp.textContent = "Looking…";
    const { known, options } = await this.play.adviser.ask(position);
    if (this.shown === position && this.lit) {
      this.lamp.dataset.light = options ? "yes" : known ? "no" : "unknown";
      this.lamp.textContent = options ? "Possible" : known ? "Impossible" : "Unknown";
    }
  }

  /**
   * Tell what happens; `unseen` is for those who cannot see the board, `link` a link to be copied by hand.
   * @param {string} words @param {string} [unseen] @param {string} [link]
   */
  say(words, unseen = "", link = "") {
    this.words.replaceChildren(words, dom("span", { class: "unseen" }, unseen));
    if (link) {
      const field = dom("input", { readonly: "", value: link, "aria-label": "Link" });
      this.words.append(" ", field);
      field.select();
    }
  }

  dispose() {
    clearInterval(this.ticking);
  }
}
