// The eye is the camera. It turns, zooms, and keeps everything in view.

import { OrbitControls, PerspectiveCamera, Vector3 } from "./three.js";

/** @import { Point, Puzzle } from "./types.js" */

const FIELD = 28; // of view, in degrees
const MARGIN = 1.1; // around all in the first view
const FLAT_WAY = [0, -1e-3, 1]; // from above; quite straight above, no side would be up
const SOLID_WAY = [0.62, -1, 0.72]; // from a corner

/** @typedef {Pick<Puzzle, "dimension" | "size" | "low" | "high"> & { thickness?: number }} SeenBox */

export class Eye {
  /**
   * `changed` is called when the view changes; `smooth` says whether turning ends smoothly.
   * @param {HTMLCanvasElement} canvas @param {SeenBox} puzzle @param {boolean} smooth @param {() => void} changed
   */
  constructor(canvas, puzzle, smooth, changed) {
    this.puzzle = puzzle;
    this.middle = middleOf(puzzle);
    this.way = puzzle.dimension === 2 ? FLAT_WAY : SOLID_WAY;
    this.changed = changed;
    this.camera = new PerspectiveCamera(FIELD, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = smooth;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", changed);
    this.home(this.distance(this.boxReach()));
  }

  /** Half the sides of the box around the region. */
  boxReach() {
    const { low, high, thickness = 0 } = this.puzzle;
    const [x, y, z = thickness / 2] = high.map((value, k) => (value - low[k]) / 2);
    return new Vector3(x, y, z);
  }

  /** From the puzzle to the camera of the first view. */
  homeward() {
    return new Vector3(...this.way).normalize();
  }

  /**
   * Look from this side in the first view: [x, y, z], from the puzzle to the camera; null for the usual one.
   * @param {Point | null} way
   */
  lookFrom(way) {
    const flat = this.puzzle.dimension === 2;
    this.way = flat || !way ? (flat ? FLAT_WAY : SOLID_WAY) : way;
  }

  /**
   * The distance from which all of these are visible: [to the side, up, towards the camera] from the middle.
   * @param {number[][]} rows
   */
  distanceOf(rows) {
    const tangent = Math.tan((FIELD * Math.PI) / 360);
    const needed = rows.map(([side, up, near]) => near + (MARGIN * Math.max(up, side / this.camera.aspect)) / tangent);
    return Math.max(...needed);
  }

  /**
   * The distance, in the first view's direction, from which everything within `reach` of the middle is visible.
   * @param {Vector3} reach
   */
  distance(reach) {
    const towards = this.homeward();
    const right = new Vector3().crossVectors(this.camera.up, towards).normalize();
    const up = new Vector3().crossVectors(towards, right);
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => {
      const signs = [1, 2, 4].map((bit) => (corner & bit ? 1 : -1));
      const place = reach.clone().multiply(new Vector3(...signs));
      return [Math.abs(place.dot(right)), Math.abs(place.dot(up)), place.dot(towards)];
    });
    return this.distanceOf(rows);
  }

  /**
   * The first view, from a distance, of what is `aside` of the middle.
   * @param {number} distance @param {Vector3} [aside]
   */
  home(distance, aside = new Vector3()) {
    this.controls.target.copy(this.middle).add(aside);
    this.camera.position.copy(this.controls.target).addScaledVector(this.homeward(), distance);
    this.moved();
  }

  /** Move what the camera looks at, and the camera with it. @param {Vector3} by */
  shift(by) {
    this.controls.target.add(by);
    this.camera.position.add(by);
  }

  /** @param {number} right @param {number} up */
  turn(right, up) {
    this.controls.rotateLeft(-right);
    this.controls.rotateUp(-up);
    this.moved();
  }

  /** @param {number} factor */
  zoom(factor) {
    const way = this.camera.position.clone().sub(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(way, 1 / factor);
    this.moved();
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.camera.aspect = width / height;
  }

  moved() {
    this.controls.update();
    this.changed();
  }

  /**
   * Prepare to draw everything within `reach` of the middle, with the finest depths that this allows.
   * @param {number} reach
   */
  focus(reach) {
    const away = this.camera.position.distanceTo(this.controls.target);
    const radius = reach + this.controls.target.distanceTo(this.middle) + 6 * this.puzzle.size;
    this.camera.near = Math.max(away - radius, away / 200);
    this.camera.far = away + radius;
    this.camera.updateProjectionMatrix();
  }

  /** Continue turning. Returns whether it still moves. */
  glide() {
    return this.controls.enableDamping && this.controls.update();
  }

  dispose() {
    this.controls.dispose();
  }
}

/** @param {SeenBox} puzzle */
function middleOf({ low, high }) {
  const [x, y, z = 0] = low.map((value, k) => (value + high[k]) / 2);
  return new Vector3(x, y, z);
}
