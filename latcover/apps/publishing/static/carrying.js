// The pointer: a mouse, a pen or a finger takes parts up, carries them and lets them go.
//
// A part is carried by dragging it, or it is taken up by a click and then follows the mouse until the next click. A finger
// moves a part that was taken up by a tap: another tap says where, and a tap on the part drops it. What is in the hand is
// turned by the other button of the mouse, or by a second finger.

/** @import { Play } from "./play.js" */
/** @import { Drag, PlacedCopy } from "./play_types.js" */

const STILL = 6; // pixels that a pointer may move and still have clicked
const ABOVE = 56; // pixels by which a part hovers above the finger that has taken it from the tray

export class Carrying {
  /**
   * `play` is the game on the page: see play.js.
   * @param {Play} play @param {HTMLElement} view @param {HTMLElement} tray
   */
  constructor(play, view, tray) {
    this.play = play;
    this.view = view; // the element of the board
    /** @type {Drag | null} */
    this.down = null; // {kind, x, y, moved, part or one, touch}
    this.stop = new AbortController();
    /**
     * @param {EventTarget} target @param {string} name @param {(event: any) => unknown} act
     * @param {AddEventListenerOptions} [more]
     */
    const on = (target, name, act, more = {}) =>
      target.addEventListener(name, act, { signal: this.stop.signal, ...more });
    on(tray, "pointerdown", (event) => this.pressedTray(event));
    on(view, "pointerdown", (event) => this.pressedBoard(event), { capture: true });
    on(view, "wheel", (event) => this.wheeled(event), { capture: true, passive: false });
    on(window, "pointermove", (event) => this.moved(event));
    on(window, "pointerup", (event) => this.released(event));
    on(window, "pointercancel", () => this.cancelled());
    on(window, "pointerdown", (event) => this.second(event));
    on(window, "mousedown", (event) => event.button === 2 && this.play.hand && this.play.turn("turn"));
    on(view, "contextmenu", (event) => this.play.hand && event.preventDefault());
  }

  /** @param {PointerEvent} event */
  pressedTray(event) {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".part"));
    if (button && event.button === 0 && event.isPrimary) {
      this.begin(event, { kind: "tray", part: Number(button.dataset.part) });
    }
  }

  /** @param {PointerEvent} event */
  pressedBoard(event) {
    if (event.button !== 0 || !event.isPrimary || /** @type {Element} */ (event.target).closest("button")) {
      return;
    }
    const { play } = this;
    const there = play.board.pieceAt(event.clientX, event.clientY);
    const touch = event.pointerType !== "mouse";
    if (there === "ghost" && (touch || !play.hand?.sticky)) {
      this.begin(event, { kind: "hand" });
    } else if (play.hand) {
      this.begin(event, { kind: play.puzzle.dimension === 2 ? "hand" : "ground", aim: true });
      if (touch && play.puzzle.dimension === 2) {
        this.hover(event);
      }
    } else {
      this.begin(event, there && there !== "ghost" ? { kind: "piece", one: there } : { kind: "ground" });
    }
    play.board.hold(this.down?.kind !== "ground");
  }

  /** @param {PointerEvent} event @param {Pick<Drag, "kind"> & Partial<Drag>} more */
  begin(event, more) {
    const touch = event.pointerType !== "mouse";
    this.down = {
      x: event.clientX,
      y: event.clientY,
      moved: false,
      touch,
      before: this.play.hand?.option ?? null,
      part: -1,
      one: null,
      ...more,
    };
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const { down, play } = this;
    if (!event.isPrimary) {
      return;
    }
    if (!down) {
      if (play.hand?.sticky && event.pointerType === "mouse" && (this.within(event) || play.hand.option === null)) {
        this.hover(event); // on its way to a button it stays where it was
      }
      return;
    }
    if (!down.moved && Math.hypot(event.clientX - down.x, event.clientY - down.y) < STILL) {
      return;
    }
    if (!down.moved) {
      down.moved = true;
      this.started(down);
    }
    if (down.kind !== "ground") {
      this.hover(event);
    }
  }

  /** A drag has begun. @param {Drag} down */
  started(down) {
    const { play } = this;
    if (down.kind === "tray") {
      play.take(down.part);
      play.grip = [0, down.touch ? -ABOVE : 0];
    } else if (down.one) {
      play.lift(down.one);
      play.grip = this.gripAt(down);
    } else if (down.kind === "hand" && !down.aim) {
      play.grip = this.gripAt(down);
    }
  }

  /**
   * From the pointer to the middle of the part, so that it does not jump when it is taken up.
   * @param {{ x: number, y: number }} options
   */
  gripAt({ x, y }) {
    const { play } = this;
    const box = this.view.getBoundingClientRect();
    const [a, b] = play.board.project(play.puzzle.middleOf(play.held.option ?? 0));
    return [a - (x - box.left), b - (y - box.top)];
  }

  /**
   * Whether the part that the pointer carries is over the board.
   * @param {{ clientX: number, clientY: number }} options
   */
  within({ clientX, clientY }) {
    const box = this.view.getBoundingClientRect();
    const [x, y] = [clientX + this.play.grip[0], clientY + this.play.grip[1]];
    return x > box.left && x < box.right && y > box.top && y < box.bottom;
  }

  /** @param {PointerEvent} event */
  hover(event) {
    const { play } = this;
    const box = this.view.getBoundingClientRect();
    const [x, y] = [event.clientX + play.grip[0], event.clientY + play.grip[1]];
    play.hover(this.within(event) ? { x: x - box.left, y: y - box.top, clientX: x, clientY: y } : null);
    play.show(event.clientX, event.clientY);
  }

  /** @param {PointerEvent} event */
  released(event) {
    const { down, play } = this;
    if (!down || !event.isPrimary) {
      return;
    }
    this.down = null;
    play.board.hold(false);
    const { kind, moved, touch } = down;
    if (kind === "tray" && !moved) {
      play.choose(down.part, !touch);
    } else if (down.one && !moved) {
      play.lift(down.one);
      play.grip = touch ? [0, 0] : this.gripAt(down);
      play.held.sticky = true;
    } else if (kind === "ground") {
      this.clicked(event, down);
    } else if (!moved && touch) {
      this.tapped(down);
    } else if (play.hand) {
      this.hover(event);
      play.release();
    }
    play.show(null);
  }

  /** @param {PointerEvent} event @param {Drag} drag */
  clicked(event, { moved, touch, aim }) {
    const { play } = this;
    if (moved || !aim) {
      return;
    }
    this.hover(event);
    if (!touch) {
      play.release();
    }
  }

  /** @param {Drag} down */
  tapped(down) {
    const { play } = this;
    if (play.hand?.option !== null && (!down.aim || play.hand?.option === down.before)) {
      play.drop();
    }
  }

  /** A second finger, while the first carries a part. @param {PointerEvent} event */
  second(event) {
    if (!event.isPrimary && this.down?.moved && this.down.kind !== "ground") {
      this.play.turn("turn");
    }
  }

  cancelled() {
    if (this.down?.moved && this.down.kind !== "ground") {
      this.play.cancel();
    }
    this.down = null;
    this.play.board.hold(false);
    this.play.show(null);
  }

  /** @param {WheelEvent} event */
  wheeled(event) {
    if (this.play.hand && this.play.puzzle.dimension === 3) {
      event.preventDefault();
      event.stopPropagation();
      this.play.deeper(Math.sign(event.deltaY));
    }
  }

  dispose() {
    this.stop.abort();
  }
}
