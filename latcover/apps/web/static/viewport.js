// The window of a canvas: which rectangle of the picture it shows. Only the user moves it.

import { boxOf } from "./geometry.js";

/** @import { Cell, Entry, Lattice, PictureBox } from "./web_types.js" */

const ROOM = 2.2; // cells between a shape and the edge of the first window
const FINEST = 120; // pixels for a cell

/** A class that extends this one has redraw(), which draws the window and returns whether its cells are few enough. */
export class Viewport {
  size = { width: 640, height: 460 };

  /** @param {{ lattice: Lattice, chosen: Map<string, Entry>, kept: Record<string, any>, pixels: number }} how */
  constructor({ lattice, chosen, kept, pixels }) {
    this.lattice = lattice;
    this.chosen = chosen;
    this.kept = kept;
    this.pixels = pixels;
    this.size = kept.size ?? this.size;
    this.box = kept.box ?? this.wanted();
  }

  entries() {
    return [...this.chosen.values()];
  }

  redraw() {
    return true;
  }

  /** Pixels for a unit of the picture. */
  get scale() {
    return this.size.width / this.box.width;
  }

  /** The window that shows the whole shape with room around it: {x, y, width, height}, y downwards. */
  wanted() {
    const { lattice, size } = this;
    const cells = this.chosen.size ? this.entries().map((entry) => entry.cell) : [[0, ...lattice.basis.map(() => 0)]];
    const all = boxOf(lattice, cells);
    const room = 2 * ROOM * lattice.size;
    const scale = Math.min(
      this.pixels / lattice.size,
      size.width / (all.width + room),
      size.height / (all.height + room),
    );
    return this.around([all.x + all.width / 2, all.y + all.height / 2], scale);
  }

  /** A window about a point. @param {number[]} point @param {number} scale */
  around([x, y], scale) {
    const [width, height] = [this.size.width / scale, this.size.height / scale];
    return { x: x - width / 2, y: y - height / 2, width, height };
  }

  /**
   * The canvas has another size: what it shows stays where it is, once somebody has drawn on it.
   * @param {number} width @param {number} height
   */
  resized(width, height) {
    if (!width || !height || (width === this.size.width && height === this.size.height)) return;
    const { scale } = this;
    this.size = this.kept.size = { width, height };
    if (this.kept.used) this.show({ ...this.box, width: width / scale, height: height / scale });
    else this.fit();
  }

  /** Show the whole shape. */
  fit() {
    this.show(this.wanted());
  }

  /** Show the whole shape, if a part of it lies outside. */
  comprise() {
    const { box } = this;
    const all = boxOf(
      this.lattice,
      this.entries().map((entry) => entry.cell),
    );
    const inside = all.x >= box.x && all.x + all.width <= box.x + box.width;
    if (!(inside && all.y >= box.y && all.y + all.height <= box.y + box.height)) this.fit();
  }

  /** Show another window, if its cells are not too many. @param {PictureBox} box */
  show(box) {
    const before = this.box;
    this.box = this.kept.box = box;
    if (!this.redraw()) this.box = this.kept.box = before;
  }

  /** Move the window by pixels. @param {number} right @param {number} down */
  pan(right, down) {
    this.kept.used = true;
    this.show({ ...this.box, x: this.box.x - right / this.scale, y: this.box.y - down / this.scale });
  }

  /** Enlarge about a point of the canvas, in pixels. @param {number} factor @param {number[]} [point] */
  zoom(factor, [right, down] = [this.size.width / 2, this.size.height / 2]) {
    const { box, scale } = this;
    this.kept.used = true;
    const wanted = Math.min(scale * factor, FINEST / this.lattice.size);
    const [x, y] = [box.x + right / scale, box.y + down / scale];
    this.show({
      x: x - right / wanted,
      y: y - down / wanted,
      width: this.size.width / wanted,
      height: this.size.height / wanted,
    });
  }

  /** Move the window until a cell is in it. @param {Cell} cell */
  reveal(cell) {
    const { box } = this;
    const one = boxOf(this.lattice, [cell]);
    /** @param {number} from @param {number} length @param {number} at @param {number} size */
    const into = (from, length, at, size) => (at < from ? at - from : Math.max(0, at + size - from - length));
    const [right, down] = [into(box.x, box.width, one.x, one.width), into(box.y, box.height, one.y, one.height)];
    if (right || down) this.show({ ...box, x: box.x + right, y: box.y + down });
  }
}
