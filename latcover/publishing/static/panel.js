// What stands around the board: the time and the moves, the buttons, the words that tell what happens, and the help.

import { button, dom } from "./dom.js";
import { can, reachesAll } from "./turning.js";

/** @import { Play } from "./play.js" */
/** @import { Position } from "./position.js" */

/** @type {[keys: string, words: string, dimension?: number][]} */
const HELP = [
  ["drag a part", "move it from the tray or on the board; turn it with a second finger or the right button"],
  ["click or tap", "pick a part up; then click or tap where it goes"],
  ["1 to 9, Tab and Enter", "pick a part from the tray"],
  ["arrow keys", "move it; with empty hands, select a part on the board"],
  ["Enter", "drop it; pick up the selected part"],
  ["r, f", "turn it, flip it; with Shift in the other direction"],
  ["t, y", "tip it, roll it", 3],
  ["n", "next orientation"],
  ["wheel, Page Down, Page Up", "move it away or nearer", 3],
  ["l, L", "show fewer layers, or more", 3],
  ["drag beside the parts, Shift arrow keys", "turn the view", 3],
  ["wheel, two fingers, + and −, 0", "zoom; reset the view", 3],
  ["Delete, Esc", "put it into the tray; put it back"],
  ["u, Shift u", "undo, redo"],
  ["h", "hint"],
];

export class Panel {
  /** @type {HTMLButtonElement[]} */
  held;
  /** @type {HTMLButtonElement} */
  drop;
  /** @type {HTMLButtonElement} */
  away;
  /** @type {HTMLSelectElement} */
  choice;
  /** @type {boolean} */
  lit;
  /** @type {Position | null} */
  shown;

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
    const advice = engine ? [this.hint, this.lamp] : [];
    const score = dom("p", { class: "score" }, this.time, this.moves);
    this.bar = dom("div", { class: "bar" }, score, this.undo, this.redo, this.clear, ...advice);
    this.words = dom("p", { class: "words", role: "status", "aria-live": "polite" });
    this.banner = dom("div", { class: "banner", hidden: "" });
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

  /**
   * The next choice of layers, or the one before it.
   *
   * @param {number} sign
   */
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
    const { game, puzzle } = this.play;
    const { different, total } = puzzle.known;
    const help = game.helped ? `, ${game.helped} hint${game.helped === 1 ? "" : "s"}` : "";
    const many = different ?? total;
    const kind = different !== undefined && total !== different ? "essentially different " : "";
    const one =
      many === 1 ? "It is the only solution." : `It is one of ${many?.toLocaleString("en")} ${kind}solutions.`;
    return `Solved: ${clock(game.seconds)}, ${game.moves} moves${help}.${many === undefined ? "" : ` ${one}`}`;
  }

  /** @param {boolean} solved */
  celebrate(solved) {
    if (solved && this.banner.hidden) {
      const again = button("Play again", () => this.play.clear());
      this.banner.replaceChildren(dom("p", {}, this.praise()), again);
    }
    this.banner.hidden = !solved;
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
   * Tell what happens; `unseen` is for those who cannot see the board.
   *
   * @param {string} words
   * @param {string} [unseen]
   */
  say(words, unseen = "") {
    this.words.replaceChildren(words, dom("span", { class: "unseen" }, unseen));
  }

  dispose() {
    clearInterval(this.ticking);
  }
}

/** @param {number} seconds */
function clock(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  return `${minutes}:${`${rest}`.padStart(2, "0")}`;
}
