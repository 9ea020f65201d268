// What each key does in a game. The help in panel.js lists them.

/** @import { Play } from "./play.js" */

/** @type {Record<string, (play: Play, sign: number) => unknown>} */
const KEYS = {
  ArrowLeft: (play, sign) => arrow(play, sign, [-1, 0]),
  ArrowRight: (play, sign) => arrow(play, sign, [1, 0]),
  ArrowUp: (play, sign) => arrow(play, sign, [0, -1]),
  ArrowDown: (play, sign) => arrow(play, sign, [0, 1]),
  PageDown: (play) => play.deeper(1),
  PageUp: (play) => play.deeper(-1),
  Enter: (play) => play.act(),
  " ": (play) => play.act(),
  Delete: (play) => play.away(),
  Backspace: (play) => play.away(),
  Escape: (play) => play.cancel(),
  r: (play, sign) => play.turn("turn", sign),
  t: (play, sign) => play.turn(play.puzzle.dimension === 3 ? "tip" : "turn", sign),
  y: (play, sign) => play.turn(play.puzzle.dimension === 3 ? "roll" : "turn", sign),
  f: (play) => play.turn("flip"),
  n: (play, sign) => play.turn("next", sign),
  l: (play, sign) => play.panel.stepLayer(sign),
  u: (play, sign) => (sign > 0 ? play.undo() : play.redo()),
  h: (play) => play.engine && play.adviser.hint(),
  "+": (play) => play.board.zoom(1),
  "=": (play) => play.board.zoom(1),
  "-": (play) => play.board.zoom(-1),
  0: (play) => play.board.home(),
};
const ON_THE_BOARD = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageDown", "PageUp", "Enter", " "];

/**
 * An arrow moves the part; with Shift it turns the picture.
 * @param {Play} play @param {number} sign @param {number[]} way
 */
function arrow(play, sign, way) {
  sign > 0 ? play.step(way) : play.board.turn(way);
}

/**
 * A key of the game, or one that is pressed while nothing on the page has the focus.
 * @param {Play} play @param {KeyboardEvent} event
 */
export function pressed(play, event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = /** @type {Element} */ (event.target);
  const nowhere = target === document.body;
  if (nowhere ? !play.root.checkVisibility() : !play.root.contains(target)) {
    return;
  }
  if (target.closest("input, select, textarea") || event.altKey) {
    return;
  }
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" || key === "y") {
      event.preventDefault();
      key === "y" || event.shiftKey ? play.redo() : play.undo();
    }
    return;
  }
  const moves = target === play.view || (nowhere && (play.hand || play.placed.length));
  if (ON_THE_BOARD.includes(key) && !moves) {
    return; // elsewhere they scroll and press
  }
  if (/^[1-9]$/.test(key) && Number(key) <= play.puzzle.parts.length) {
    play.choose(Number(key) - 1, false);
  } else if (KEYS[key]) {
    KEYS[key](play, event.shiftKey ? -1 : 1);
  } else {
    return;
  }
  event.preventDefault();
}
