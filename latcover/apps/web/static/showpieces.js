// The small films of the page Start: a solved cube that turns, a burr that comes apart, a cube that is being cut. They are made
// of unit cubes, drawn from the back to the front on a plain canvas: so they are there at once, and cost no WebGL.

import { SHOWPIECES } from "./showpieces_data.js";
import { dot, length, minus, plus, times } from "./vectors.js";

/** @import { Showpiece } from "./showpieces_data.js" */

/** What a film shows at a time: how far each piece is, how much it is seen, and whether it has its colour. */
/** @typedef {{ by: number[], seen: number, coloured: number }} Look */

/** @typedef {{ width: number, height: number, pen: CanvasRenderingContext2D }} Sheet */

const RISE = 0.52; // of the eye above the ground, in radians
const TURN = 0.00035; // radians in a millisecond
const SWING = 0.35; // radians to each side, of what comes apart
const MOVE = 620; // milliseconds of a move
const REST = 1600; // before a film goes back, and forth
const PART = 520; // milliseconds until the next part of a cut has its colour
const APART = 0.26; // how far parts of a cut go from the middle, as a share of their place
const FAR = 2; // cells that a part that comes off goes until it is not seen
const GROUND = "#b9bcc4"; // of a cube that is not yet cut
const LINE = "rgb(20 20 24 / 0.85)";
const SIDES = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

/** @type {Record<string, (piece: Showpiece, time: number) => { yaw: number, looks: Look[] }>} */
const FILMS = {
  soma: (piece, time) => ({ yaw: 0.65 + TURN * time, looks: piece.pieces.map(() => still()) }),
  "burr-piston": (piece, time) => ({ yaw: 0.6 + SWING * Math.sin(time / 2600), looks: takenApart(piece, time) }),
  "cut-3x3x3-hard": (piece, time) => ({ yaw: 0.65 + SWING * Math.sin(time / 3000), looks: cut(piece, time) }),
};

/** The films that run, drawn together. */
export class Showpieces {
  constructor() {
    /** @type {{ canvas: HTMLCanvasElement, name: string, size: number }[]} */
    this.films = [];
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.waiting = 0;
  }

  /** A canvas with a film. @param {string} name */
  make(name) {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    this.films.push({ canvas, name, size: sizeOf(SHOWPIECES[name]) });
    return canvas;
  }

  /** Draw now, and go on as long as the page is seen. */
  run() {
    cancelAnimationFrame(this.waiting);
    this.draw(this.calm.matches ? REST + 2 * MOVE : performance.now());
  }

  /** @param {number} time */
  draw(time) {
    const seen = this.films.filter(({ canvas }) => canvas.checkVisibility());
    for (const { canvas, name, size } of seen) {
      const { yaw, looks } = FILMS[name](SHOWPIECES[name], time);
      paint(sheetOf(canvas), SHOWPIECES[name], looks, yaw, size);
    }
    if (seen.length && !this.calm.matches) {
      this.waiting = requestAnimationFrame((now) => this.draw(now));
    }
  }
}

/** @returns {Look} */
const still = () => ({ by: [0, 0, 0], seen: 1, coloured: 1 });

/**
 * The moves of a burr, one after another until its first part is off, and back again.
 * @param {Showpiece} piece @param {number} time
 */
function takenApart({ pieces, moves }, time) {
  const long = MOVE * moves.length;
  const passed = time % (2 * (long + REST));
  const done = passed < long + REST ? passed - REST : 2 * (long + REST) - passed;
  const looks = pieces.map(still);
  moves.forEach(({ pieces: movers, by }, k) => {
    const share = smooth((done - k * MOVE) / MOVE);
    const [last, whole] = [k === moves.length - 1, length(by)];
    for (const mover of movers) {
      const far = last ? share * Math.min(whole, FAR + 1) : share * whole;
      looks[mover].by = looks[mover].by.map((x, axis) => x + (far * by[axis]) / whole);
      looks[mover].seen = last ? 1 - share : 1;
    }
  });
  return looks;
}

/**
 * A cube whose parts get their colours one after another, and then stand apart.
 * @param {Showpiece} piece @param {number} time
 */
function cut({ pieces }, time) {
  const coloured = PART * pieces.length;
  const long = REST + coloured + 2 * MOVE + 2 * REST;
  const passed = time % long;
  const open = smooth((passed - REST / 2 - coloured) / MOVE) * smooth((long - passed) / MOVE);
  const all = middleOf(pieces.flatMap(({ cells }) => cells));
  return pieces.map(({ cells }, k) => ({
    by: middleOf(cells).map((x, axis) => open * APART * 2 * (x - all[axis])),
    seen: 1,
    coloured: smooth((passed - REST / 2 - k * PART) / PART) * smooth((long - passed) / MOVE),
  }));
}

/**
 * Draw pieces, as they are turned by `yaw` about the upright axis.
 * @param {Sheet} sheet @param {Showpiece} piece @param {Look[]} looks @param {number} yaw
 * @param {number} size how far the piece reaches from its middle
 */
function paint({ width, height, pen }, { pieces }, looks, yaw, size) {
  const middle = middleOf(pieces.flatMap(({ cells }) => cells));
  const unit = Math.min(width, height) / (2 * size);
  const axes = axesOf(yaw);
  /** @param {number[]} point */
  const onSheet = (point) => {
    const from = point.map((x, axis) => x - middle[axis]);
    return [width / 2 + unit * dot(axes.right, from), height / 2 - unit * dot(axes.up, from)];
  };
  const cubes = pieces.flatMap(({ cells, colour }, k) => {
    const own = new Set(cells.map(String));
    return cells.map((cell) => ({
      cell,
      own,
      look: looks[k],
      colour: mixed(GROUND, colour, looks[k].coloured),
      near: dot(
        axes.towards,
        cell.map((x, axis) => x + looks[k].by[axis]),
      ),
    }));
  });
  pen.clearRect(0, 0, width, height);
  for (const cube of cubes.sort((one, other) => one.near - other.near)) {
    if (cube.look.seen > 0.02) {
      face(pen, cube, axes, onSheet);
    }
  }
  pen.globalAlpha = 1;
}

/**
 * The sides of a cube that are seen, and lines where its part ends.
 * @param {CanvasRenderingContext2D} pen
 * @param {{ cell: number[], own: Set<string>, look: Look, colour: number[] }} cube
 * @param {ReturnType<typeof axesOf>} axes @param {(point: number[]) => number[]} onSheet
 */
function face(pen, { cell, own, look, colour }, axes, onSheet) {
  pen.globalAlpha = look.seen;
  for (const side of SIDES.filter((one) => dot(one, axes.towards) > 0 && !own.has(`${plus(cell, one)}`))) {
    const [along, across] = SIDES.filter((one) => dot(one, side) === 0 && one.some((x) => x > 0));
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([a, b]) => onSheet(cell.map((x, k) => x + look.by[k] + (side[k] + a * along[k] + b * across[k]) / 2)));
    const light = 0.62 + 0.38 * Math.max(0, dot(side, axes.light));
    pen.fillStyle = pen.strokeStyle = `rgb(${colour.map((x) => Math.round(light * x)).join(" ")})`;
    pen.lineWidth = 0.7;
    pen.beginPath();
    corners.forEach(([x, y]) => pen.lineTo(x, y));
    pen.closePath();
    pen.fill();
    pen.stroke();
    pen.strokeStyle = LINE;
    pen.lineWidth = 1.2;
    pen.lineCap = "round";
    pen.beginPath();
    [times(-1, across), along, across, times(-1, along)].forEach((way, k) => {
      const beside = plus(cell, way);
      if (look.coloured > 0.5 ? !own.has(`${beside}`) || own.has(`${plus(beside, side)}`) : false) {
        pen.moveTo(...two(corners[k]));
        pen.lineTo(...two(corners[(k + 1) % 4]));
      }
    });
    pen.stroke();
  }
}

/** A canvas at the size at which it is shown. @param {HTMLCanvasElement} canvas @returns {Sheet} */
function sheetOf(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const fine = Math.min(devicePixelRatio, 2);
  if (canvas.width !== Math.round(width * fine) || canvas.height !== Math.round(height * fine)) {
    canvas.width = Math.round(width * fine);
    canvas.height = Math.round(height * fine);
  }
  // In plain memory: to ask a graphics card for three canvases delays the first picture by 0.3 s where there is none.
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  pen.setTransform(fine, 0, 0, fine, 0, 0);
  return { width, height, pen };
}

/**
 * What is right, up, and towards the viewer; and where the light comes from, which turns with the viewer.
 * @param {number} yaw
 */
function axesOf(yaw) {
  const [cosine, sine] = [Math.cos(yaw), Math.sin(yaw)];
  const [flat, high] = [Math.cos(RISE), Math.sin(RISE)];
  const right = [cosine, sine, 0];
  const towards = [flat * sine, -flat * cosine, high];
  const up = [-high * sine, high * cosine, flat];
  const light = towards.map((x, k) => 0.45 * x - 0.5 * right[k] + 0.74 * up[k]);
  return { right, up, towards, light };
}

/** @param {Showpiece} piece */
function sizeOf({ pieces, moves }) {
  const cells = pieces.flatMap(({ cells: own }) => own);
  const middle = middleOf(cells);
  const reach = Math.max(...cells.map((cell) => length(minus(cell, middle))));
  return reach + (moves.length ? 1.2 : 0.9);
}

/** @param {number[][]} cells */
function middleOf(cells) {
  return [0, 1, 2].map((axis) => {
    const all = cells.map((cell) => cell[axis]);
    return (Math.min(...all) + Math.max(...all)) / 2;
  });
}

/** @param {string} from @param {string} to @param {number} share */
function mixed(from, to, share) {
  const [one, other] = [from, to].map((colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)));
  return one.map((x, k) => x + share * (other[k] - x));
}

/** @param {number[]} point @returns {[number, number]} */
const two = ([x, y]) => [x, y];

/** @param {number} share */
function smooth(share) {
  const x = Math.max(0, Math.min(share, 1));
  return x * x * (3 - 2 * x);
}
