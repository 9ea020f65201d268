// A puzzle to be played by hand: parts are dragged, turned and dropped, and every rule is kept.
//
//   import { play } from "./play.js";
//   const game = play(host, data, engine);
//
// `host` is an element with a height of its own, which the game fills; widgets.css and play.css must be loaded. `data` are those of
// `latcover.apps.publishing.puzzle_data`, or a PlayPuzzle that was made of them. `engine` is an Engine (engine.js), or a worker that answers as it does, or a promise of
// one: it gives hints. Without it (null) there are none. With `symmetry` (`latcover.apps.publishing.symmetry_data`) it knows
// which solutions are the same; `next` gives the puzzle to which its ending leads. It returns
//   placed      the options in place, in the order in which they were placed
//   solved      whether they are a solution
//   focus()     give the board the keyboard focus
//   dispose()   remove everything
// The host gets an event "solved" when the puzzle is solved.

import { Adviser } from "./advice.js";
import { Album } from "./album.js";
import { Carrying } from "./carrying.js";
import { dom } from "./dom.js";
import { FlatBoard } from "./flat_board.js";
import { Game } from "./game.js";
import { Panel } from "./panel.js";
import { pressed } from "./play_keys.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { handOn, linked, linkTo } from "./share.js";
import { behind, beside, first, meant } from "./snapping.js";
import { SpaceBoard, canDraw } from "./space_board.js";
import { flipped, turned } from "./turning.js";

/** @import { AnyEngine, BoardPointer, Hand, PlacedCopy, PlayData, SymmetryData } from "./play_types.js" */
/** @import { NextPuzzle } from "./next_puzzle.js" */
/** @import { Point } from "./types.js" */

/**
 * What is said of a solution: how it was found by hand, or whence it came.
 *
 * @typedef {{ place?: number, isNew?: boolean, isBest?: boolean, words?: string }} Score
 */

/** @typedef {"turn" | "tip" | "roll" | "flip" | "next"} TurnKind */

/**
 * @param {HTMLElement} host @param {PlayData | PlayPuzzle} data @param {AnyEngine | Promise<AnyEngine> | null} [engine]
 * @param {SymmetryData | null} [symmetry] @param {() => NextPuzzle | null} [next]
 */
export function play(host, data, engine = null, symmetry = null, next = () => null) {
  const puzzle = data instanceof PlayPuzzle ? data : new PlayPuzzle(data);
  if (puzzle.dimension === 3 && !canDraw()) {
    const words = "3D pictures need a browser with WebGL.";
    host.replaceChildren(dom("p", { class: "latcover-play-trouble", role: "alert" }, words));
    return { placed: [], solved: false, focus() {}, dispose: () => host.replaceChildren() };
  }
  return new Play(host, puzzle, engine, symmetry, next);
}

export class Play {
  /** @type {HTMLDivElement} */
  view;
  /** @type {Panel} */ panel;
  /** @type {HTMLDivElement} */ shadow;
  /** @type {HTMLDivElement} */ root;
  /** @type {FlatBoard | SpaceBoard} */ board;
  reach = 0; // the greatest extent of any part, for portraits in one scale
  /** @type {Carrying} */ carrying;
  /** @type {MediaQueryList} */ dark;
  /** @type {() => void} */ darkened;
  /** @type {(event: KeyboardEvent) => void} */ onKey;

  /**
   * @param {HTMLElement} host @param {PlayPuzzle} puzzle @param {AnyEngine | Promise<AnyEngine> | null} engine
   * @param {SymmetryData | null} symmetry @param {() => NextPuzzle | null} next
   */
  constructor(host, puzzle, engine, symmetry, next) {
    this.host = host;
    this.puzzle = puzzle;
    this.engine = engine;
    this.next = next;
    this.adviser = new Adviser(this, engine);
    this.album = new Album(puzzle, symmetry);
    /** @type {Score | null} */
    this.score = null; // of the solution on the board
    /** @type {number[]} */
    this.holes = []; // cells that are marked
    /** @type {Hand | null} */
    this.hand = null;
    this.grip = [0, 0]; // from the pointer to the middle of the part in the hand, in pixels
    /** @type {BoardPointer | null} */
    this.pointer = null; // where that was last, if the pointer moved it
    /** @type {PlacedCopy | null} */
    this.chosen = null; // the placed copy that the keyboard has chosen
    this.ways = puzzle.parts.map((_, part) => puzzle.firstWay(part));
    this.game = new Game(puzzle, () => this.changed());
    this.position = this.game.position();
    this.wasSolved = this.position.solved;
    this.ground = 0; // how often the ground has changed, on which pictures are drawn
    this.build();
    this.refresh();
    this.say(this.opening());
    this.follow();
    addEventListener("hashchange", (this.follow = this.follow.bind(this)));
  }

  /** Show the position that the address names, if it names one. */
  follow() {
    const asked = linked(this.puzzle);
    if (typeof asked === "string") {
      this.say(asked);
    } else if (asked) {
      this.lay(asked, "This is the position of the link.");
    }
  }

  /**
   * Lay options on the board: of a link, or of a solution that was found before. It counts as help, and not as found.
   * @param {number[]} options @param {string} words
   */
  lay(options, words) {
    this.cancel();
    const had = this.placed.length;
    this.wasSolved = true;
    this.score = { words };
    this.game.helped += 1;
    this.game.lay(options);
    this.say(`${words}${had ? " Undo leads back to yours." : ""}`);
  }

  /** Hand on a link to what is on the board. */
  async share() {
    const url = linkTo(this.puzzle, this.placed);
    const done = await handOn(this.puzzle.puzzle.title, url);
    this.say(done || "Copy this link:", "", done ? "" : url);
  }

  build() {
    this.root = dom("div", { class: "latcover-play", "data-dimension": `${this.puzzle.dimension}` });
    this.shadow = dom("div", { class: "shadow", "aria-hidden": "true", hidden: "" });
    const whole = dom("div", { class: "whole" });
    this.root.append(whole, this.shadow);
    this.host.replaceChildren(this.root);
    this.panel = new Panel(this, whole);
    this.panel.draw();
    this.view = /** @type {HTMLDivElement} */ (whole.querySelector(".view"));
    this.board = this.makeBoard();
    const { puzzle } = this;
    const ways = puzzle.parts.map((_, part) => [...Array(puzzle.orientations(part)).keys()]);
    this.reach = this.board.greatestReach(ways.flatMap((all, part) => all.map((way) => puzzle.shapeOf(part, way))));
    this.panel.draw();
    this.carrying = new Carrying(this, this.view, /** @type {HTMLElement} */ (whole.querySelector(".tray")));
    this.onKey = (event) => pressed(this, event);
    document.addEventListener("keydown", this.onKey); // also while nothing has the focus
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.darkened = () => this.repaint();
    this.dark.addEventListener("change", this.darkened);
  }

  makeBoard() {
    if (this.puzzle.dimension === 2) {
      const board = new FlatBoard(this.puzzle);
      this.view.append(board.element);
      return board;
    }
    return new SpaceBoard(this.puzzle, /** @type {HTMLCanvasElement} */ (this.view.querySelector("canvas")), this.view);
  }

  opening() {
    const { placed } = this.game;
    if (this.wasSolved) {
      return "This puzzle is solved.";
    }
    return placed.length ? "Your last game is restored." : "Drag a part into the region, or tap it.";
  }

  // What is in the hand

  /** Take a part out of the tray. @param {number} part @param {boolean} [sticky] */
  take(part, sticky = false) {
    this.cancel();
    if (this.game.left(part) < 1) {
      this.say(`No ${this.puzzle.parts[part].name} is left.`);
      return;
    }
    const way = this.ways[part];
    this.hand = { part, way, copy: this.game.freeCopy(part), from: null, option: null, depth: null, sticky };
    this.pointer = null;
    this.chosen = null;
    this.grip = [0, 0];
    this.refresh();
    this.say(`${this.name} is in your hand.`);
  }

  /**
   * Take a part out of the tray, or put it back; without a pointer it is shown on the board at once.
   * @param {number} part @param {boolean} byMouse
   */
  choose(part, byMouse) {
    if (this.hand && !this.hand.from && this.hand.part === part) {
      this.away();
      return;
    }
    this.take(part, true);
    if (this.hand && !byMouse) {
      this.settle();
    }
    this.view.focus({ focusVisible: !byMouse, preventScroll: true }); // the keys now move the part
  }

  /** Take up a placed copy. @param {PlacedCopy} placed */
  lift({ option }) {
    this.cancel();
    const one = this.game.at(option);
    const part = this.puzzle.partOfOption(option);
    const way = this.puzzle.wayOf(option);
    this.ways[part] = way;
    this.hand = { part, way, copy: one?.copy ?? 0, from: one, option, depth: null, sticky: false };
    this.hand.depth = this.puzzle.dimension === 3 ? this.board.project(this.puzzle.middleOf(option))[2] : null;
    this.pointer = null;
    this.chosen = null;
    this.position = this.game.position(one);
    this.refresh();
    this.say(`${this.name} is in your hand.`);
  }

  /** What is in the hand, where something is. */
  get held() {
    return /** @type {Hand} */ (this.hand);
  }

  get name() {
    return this.puzzle.nameOf(this.held.part, this.held.copy);
  }

  options() {
    return this.puzzle.optionsOf(this.held.part, this.held.way);
  }

  /** @param {number} option */
  allows(option) {
    return this.position.allows(option);
  }

  /** The pointer is at a point of the board, or elsewhere (null). @param {BoardPointer | null} pointer */
  hover(pointer) {
    if (!this.hand) {
      return;
    }
    this.pointer = pointer;
    const wall = pointer && this.puzzle.dimension === 3 ? this.board.wall(pointer.clientX, pointer.clientY) : Infinity;
    const place = pointer && { ...pointer, depth: this.hand.depth, wall };
    this.move(place ? meant(this.board, this.puzzle, this.options(), place, (option) => this.allows(option)) : null);
  }

  /** @param {number | null} option */
  move(option) {
    if (option !== this.held.option) {
      this.held.option = option;
      this.draw();
      this.tell();
    }
  }

  /** Let the part in the hand find a place, where it was or near the middle. @param {number[] | null} near */
  settle(near = null) {
    const allows = near ? () => true : (/** @type {number} */ option) => this.allows(option);
    this.held.option = first(this.board, this.puzzle, this.options(), allows, near ?? undefined);
    this.draw();
    this.tell();
  }

  tell() {
    const { option } = this.held;
    if (option === null) {
      this.say(
        this.options().length
          ? `${this.name} is in your hand.`
          : `${this.name} does not fit the region in this orientation.`,
      );
    } else {
      const reason = this.position.reason(option, (other) => this.nameAt(other));
      this.say(reason || `${this.name} fits here.`, this.puzzle.where(option));
    }
  }

  /** @param {number} option */
  nameAt(option) {
    const part = this.puzzle.partOfOption(option);
    return part < 0 ? "an empty cell" : this.puzzle.nameOf(part, this.game.at(option)?.copy ?? null);
  }

  /**
   * Turn the part in the hand; or the one that the tray's focus is on. `kind` is "turn", "tip", "roll", "flip" or "next".
   * @param {TurnKind} kind @param {number} [sign]
   */
  turn(kind, sign = 1) {
    const focused = /** @type {HTMLElement | null} */ (this.root.querySelector(".part:focus"));
    const part = this.hand?.part ?? Number(focused?.dataset.part ?? -1);
    if (part < 0) {
      this.say("Pick a part first.");
      return;
    }
    const way = this.ways[part];
    const after = this.turnedBy(kind, sign, part, way);
    if (after === way) {
      this.say(`${this.puzzle.parts[part].name} cannot be turned this way, or looks the same.`);
      return;
    }
    this.ways[part] = after;
    if (this.hand) {
      this.turnHand(after);
    }
    this.refresh();
  }

  /** @param {number} way */
  turnHand(way) {
    const { option } = this.held;
    /** @type {number[] | null} */
    const near = option === null ? null : this.board.project(this.puzzle.middleOf(option));
    this.held.way = way;
    this.held.option = null;
    if (this.pointer) {
      this.hover(this.pointer);
    } else if (near) {
      this.settle(near);
    }
    if (this.held.option === null) {
      this.tell();
    }
  }

  /** @param {TurnKind} kind @param {number} sign @param {number} part @param {number} way */
  turnedBy(kind, sign, part, way) {
    const { right, towards } = this.board.axes();
    /** @param {Point} vector */
    const along = (vector) => vector.map((value) => value * sign);
    if (kind === "next") {
      const n = this.puzzle.orientations(part);
      return (way + sign + n) % n;
    }
    if (kind === "flip") {
      return flipped(this.puzzle, part, way, right);
    }
    const axis = { turn: [0, 0, -1], tip: [right[0], right[1], 0], roll: [-towards[0], -towards[1], 0] }[kind];
    return turned(this.puzzle, part, way, along(axis));
  }

  /** Move the part in the hand by keyboard: [x, y] on the screen, y downwards. @param {number[]} way */
  step(way) {
    if (!this.hand) {
      this.choosePlaced(way);
      return;
    }
    this.pointer = null;
    const { option } = this.hand;
    if (option === null) {
      this.settle();
      return;
    }
    const next = beside(this.board, this.puzzle, this.options(), option, way);
    if (next !== null) {
      this.hand.depth = null;
      this.move(next);
    }
  }

  /** Move it away from the player (1) or nearer (-1). @param {number} sign */
  deeper(sign) {
    if (this.hand?.option === null || !this.hand || this.puzzle.dimension === 2) {
      return;
    }
    const next = behind(this.board, this.puzzle, this.options(), this.hand.option, sign);
    if (next !== null) {
      this.hand.depth = this.board.project(this.puzzle.middleOf(next))[2];
      this.move(next);
    }
  }

  /** Choose the next placed copy in a direction, to be taken up. @param {number[]} way */
  choosePlaced(way) {
    const options = this.game.placed.map(({ option }) => option);
    const from = this.chosen?.option ?? null;
    const next =
      from === null
        ? first(this.board, this.puzzle, options, () => true)
        : beside(this.board, this.puzzle, options, from, way);
    if (next !== null) {
      this.chosen = this.game.at(next);
      this.draw();
      this.say(`${this.nameAt(next)}: press Enter to pick it up.`, this.puzzle.where(next));
    }
  }

  /** Enter: drop what is in the hand, or take up what is chosen. */
  act() {
    if (this.hand) {
      this.drop();
    } else if (this.chosen) {
      this.lift(this.chosen);
      this.held.sticky = true;
    }
  }

  /** The pointer lets go: where it cannot lie, the part stays in the hand; away from the board it goes to the tray. */
  release() {
    if (this.held.option === null && !this.pointer) {
      this.away();
    } else {
      this.drop();
    }
  }

  drop() {
    if (!this.hand) {
      return;
    }
    this.hand.sticky = true; // until it finds a place
    const { option, from } = this.hand;
    if (option === null || !this.allows(option)) {
      this.tell();
      return;
    }
    const name = this.name;
    this.hand = null;
    this.chosen = null;
    if (from?.option === option) {
      this.changed();
    } else {
      this.game.put(option, from);
    }
    if (!this.wasSolved) {
      this.say(`${name} is placed. ${this.leftWords()}`);
    }
  }

  leftWords() {
    const { parts } = this.puzzle;
    const must = parts.reduce((sum, { low, high }, part) => sum + Math.max(0, low - (high - this.game.left(part))), 0);
    if (must) {
      return must === 1 ? "One part is left." : `${must} parts are left.`;
    }
    return this.position.full ? this.puzzle.broken(this.position.options).join(" ") : "";
  }

  /** Put what is in the hand, or what is chosen, into the tray. */
  away() {
    const one = this.hand?.from ?? (this.hand ? null : this.chosen);
    const name = one ? this.nameAt(one.option) : this.hand && this.name;
    this.hand = null;
    this.chosen = null;
    if (one) {
      this.game.remove(one);
    } else {
      this.changed();
    }
    if (name) {
      this.say(`${name} is in the tray.`);
    }
  }

  /** Empty the hand: what was taken up goes back to where it was. */
  cancel() {
    if (this.hand) {
      this.hand = null;
      this.changed();
    }
  }

  // The game

  undo() {
    this.cancel();
    this.game.undo();
  }

  redo() {
    this.cancel();
    this.game.redo();
  }

  clear() {
    this.cancel();
    this.game.clear();
    this.say("All parts are in the tray.");
  }

  /** Place an option as a hint. @param {number} option */
  give(option) {
    this.game.helped += 1;
    this.game.put(option);
    if (!this.wasSolved) {
      this.chosen = this.game.at(option); // so that one sees which it is
      this.draw();
      this.say(`${this.nameAt(option)} fits here.`);
    }
  }

  changed() {
    this.position = this.game.position();
    this.holes = [];
    const { solved } = this.position;
    const before = this.wasSolved;
    this.wasSolved = solved;
    if (!solved) {
      this.score = null;
    } else if (!before) {
      this.score = this.album.add(this.placed, this.game.helped ? null : this.game.seconds);
    }
    this.refresh();
    if (solved && !before) {
      this.say(this.panel.praise());
      this.host.dispatchEvent(new CustomEvent("solved"));
    }
  }

  // What is seen

  /** Mark cells until the board changes. @param {number[]} cells */
  point(cells) {
    this.holes = cells;
    this.draw();
  }

  draw() {
    const { hand, puzzle } = this;
    const placed = this.game.placed
      .filter((one) => one !== hand?.from)
      .map((one) => ({ ...one, part: puzzle.partOfOption(one.option) }));
    const ghost =
      hand && hand.option !== null ? { ...hand, option: hand.option, good: this.allows(hand.option) } : null;
    this.board.show({ placed, ghost, chosen: this.chosen, holes: this.holes });
    this.root.dataset.hand = !ghost ? "" : ghost.good ? "good" : "bad";
    const focused = document.activeElement; // some browsers take the focus away as soon as a button is disabled
    this.root.classList.toggle("fresh", Boolean(this.wasSolved && !hand && this.score?.isNew));
    this.panel.draw();
    this.keepFocus(focused);
  }

  /** A button that can no longer be pressed, or is gone, hands the focus to the board. @param {Element | null} focused */
  keepFocus(focused) {
    const isOurs = focused && (this.root.contains(focused) || !focused.isConnected);
    if (isOurs && (focused.matches(":disabled") || !focused.checkVisibility())) {
      this.view.focus({ preventScroll: true });
    }
  }

  refresh() {
    this.draw();
    Object.assign(this.root.dataset, { placed: this.placed.join(" "), solved: this.wasSolved });
  }

  /**
   * Show the part beside the pointer while it is not on the board; null hides it.
   * @param {number | null} x @param {number} [y]
   */
  show(x, y = 0) {
    const { hand, shadow } = this;
    const away = x === null || !hand || hand.option !== null;
    shadow.hidden = away;
    this.root.classList.toggle("carrying", Boolean(hand) && x !== null);
    if (!away) {
      const { colours } = this.puzzle.parts[hand.part];
      const shape = this.puzzle.shapeOf(hand.part, hand.way);
      const key = `${shape.id} ${hand.copy}`;
      if (shadow.dataset.key !== key) {
        shadow.dataset.key = key;
        this.board.portrait(shadow, shape, colours[hand.copy % colours.length], this.reach, hand.part, hand.copy);
      }
      shadow.style.transform = `translate(${x + this.grip[0]}px, ${y + this.grip[1]}px) translate(-50%, -50%)`;
    }
  }

  repaint() {
    this.ground += 1;
    this.refresh();
  }

  /** @param {string} words @param {string} [unseen] @param {string} [link] */
  say(words, unseen = "", link = "") {
    this.panel.say(words, unseen, link);
  }

  get placed() {
    return this.game.placed.map(({ option }) => option);
  }

  get solved() {
    return this.wasSolved;
  }

  focus() {
    this.view.focus({ focusVisible: false });
  }

  dispose() {
    this.game.keep();
    this.panel.dispose();
    this.carrying.dispose();
    this.dark.removeEventListener("change", this.darkened);
    document.removeEventListener("keydown", this.onKey);
    removeEventListener("hashchange", this.follow);
    this.board.dispose();
    this.root.remove();
  }
}
