// The pointer on the picture: what it clicks, and what it is on. The eye turns and zooms.

/** @import { PointerListener } from "./types.js" */

const CLICK = 6; // pixels that a pointer may move and still have clicked

export class Pointer {
  /**
   * `at(x, y)` gives the piece at a point of the picture, or null; `tell` is the `tell` of the stage.
   * @param {HTMLCanvasElement} canvas @param {(x: number, y: number) => number | null} at @param {PointerListener} tell
   */
  constructor(canvas, at, tell) {
    this.canvas = canvas;
    this.at = at;
    this.tell = tell;
    this.stop = new AbortController();
    /**
     * @param {"pointerdown" | "pointerup" | "pointermove" | "pointerleave"} name
     * @param {(event: PointerEvent) => void} act
     */
    const on = (name, act) => canvas.addEventListener(name, act, { signal: this.stop.signal });
    on("pointerdown", (event) => {
      this.down = event.isPrimary ? [event.clientX, event.clientY] : null; // a second finger clicks nothing
    });
    on("pointerup", (event) => this.released(event));
    on("pointermove", (event) => this.moved(event));
    on("pointerleave", () => tell.onHover(null, 0, 0));
  }

  /** @param {PointerEvent} event */
  released(event) {
    const [x, y] = this.down ?? [Infinity, Infinity];
    this.down = null;
    if (event.button === 0 && Math.hypot(event.clientX - x, event.clientY - y) < CLICK) {
      const { piece } = this.place(event);
      if (piece !== null) {
        this.tell.onPick(piece);
      }
    }
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (!event.buttons && event.pointerType !== "touch") {
      const { piece, x, y } = this.place(event);
      this.tell.onHover(piece, x, y);
    }
  }

  /** The piece under the pointer, or null, and where that is on the canvas, in pixels. @param {PointerEvent} event */
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { piece: this.at((2 * x) / box.width - 1, 1 - (2 * y) / box.height), x, y };
  }

  dispose() {
    this.stop.abort();
  }
}
