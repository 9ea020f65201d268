// The board of a puzzle in space: the stage of the viewer, with the cells that are empty and the part in the hand.
// flat_board.js says what a board has.

import { AmbientLight, DirectionalLight, Mesh, LineSegments2, PerspectiveCamera, Scene, Vector3 } from "./three.js";
import { geometryOf } from "./shapes.js";
import { copiesOf } from "./play_puzzle.js";
import { Stage, rendererFor } from "./stage.js";

/** @import { WebGLRenderer } from "./three.js" */

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { BoardItem, BoardView, ShownCopy } from "./play_types.js" */
/** @import { Point, Shape } from "./types.js" */

const LOOKING = [0.62, -1, 0.72]; // at parts in the tray: from a corner, as at the puzzle
const TURN = Math.PI / 24; // by an arrow key
const ZOOM = 1.15;
const SIDE = 72; // of small pictures
const NOBODY = { onPick() {}, onHover() {} };

/**
 * What makes the small pictures of a page, on a canvas of its own: so no board is drawn again for them.
 * @type {WebGLRenderer | undefined}
 */
let portraitist;
/** @type {WeakMap<HTMLElement, Scene>} */ const wanted = new WeakMap(); // the last picture of each place

/** Whether the browser has WebGL. */
export function canDraw() {
  return Boolean(document.createElement("canvas").getContext("webgl2"));
}

export class SpaceBoard {
  /**
   * It throws an error if the browser has no WebGL.
   * @param {PlayPuzzle} puzzle @param {HTMLCanvasElement} canvas @param {HTMLElement} element
   */
  constructor(puzzle, canvas, element) {
    this.puzzle = puzzle;
    this.element = element;
    this.canvas = canvas;
    this.stage = new Stage(rendererFor(canvas), puzzle.puzzle, puzzle.parts, NOBODY);
    this.middle = this.stage.eye.middle.toArray();
    /** @type {number | null} */
    this.layer = null; // the highest that is shown; null: all
    /** @type {BoardItem[]} */
    this.items = [];
  }

  /**
   * Show only what reaches down to this layer or below, so that one can see what is inside; null: all.
   * @param {number | null} layer
   */
  choose(layer) {
    this.layer = layer;
    if (this.view) {
      this.show(this.view);
    }
  }

  /** Whether something that holds these cells is to be seen. @param {number[]} cells */
  reaches(cells) {
    const height = this.layer === null ? Infinity : this.puzzle.puzzle.heights[this.layer];
    return cells.some((cell) => this.puzzle.centres[cell][2] <= height + 0.3 * this.puzzle.size);
  }

  /** @param {BoardView} view */
  show(view) {
    this.view = view;
    const { placed, ghost, chosen, holes } = view;
    const { puzzle } = this;
    const taken = new Set(placed.flatMap(({ option }) => puzzle.cellsOf(option)));
    this.items = puzzle.units
      .map((at, cell) => this.cell(at, cell, holes.includes(cell)))
      .filter(({ cell }) => cell !== undefined && !taken.has(cell) && this.reaches([cell]));
    for (const one of placed) {
      const seen = this.reaches(puzzle.cellsOf(one.option));
      this.items.push(
        this.item(
          one,
          seen ? (chosen?.option === one.option ? "chosen" : "solid") : "glass",
          chosen?.option === one.option && seen ? "Ball" : "",
        ),
      );
    }
    if (ghost) {
      this.items.push({ ...this.item(ghost, ghost.good ? "good" : "bad", "Ball"), ghost: true });
    }
    this.stage.show(this.items, () => false, null);
  }

  /** @param {Point} at @param {number} cell @param {boolean} isHole @returns {BoardItem} */
  cell(at, cell, isHole) {
    const shape = this.puzzle.shapes[this.puzzle.cellShape[cell]];
    const look = isHole
      ? shape.balls
        ? "badBall"
        : "bad"
      : shape.patches
        ? "tinted"
        : shape.balls
          ? "cellBall"
          : "cell";
    return { part: -1, at, move: [0, 0, 0], shape, look, cell };
  }

  /**
   * `more` is added to the look of balls, which have no lines along their edges.
   * @param {ShownCopy} one @param {string} look @param {string} [more] @returns {BoardItem}
   */
  item(one, look, more = "") {
    const { option, copy, part } = one;
    const shape = this.puzzle.shapes[this.puzzle.optionShape[option]];
    return {
      part,
      copy,
      at: this.puzzle.placeOf(option),
      move: [0, 0, 0],
      shape,
      look: shape.balls ? look + more : look,
      one,
    };
  }

  /** A point of the window as one of the picture: from -1 to 1, y upwards. @param {number} x @param {number} y */
  within(x, y) {
    const box = this.canvas.getBoundingClientRect();
    return [(2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height];
  }

  /** @param {number} x @param {number} y */
  pieceAt(x, y) {
    const [right, up] = this.within(x, y);
    const found = this.stage.hit(right, up);
    const item = found && this.items[found.number];
    return !item ? null : item.ghost ? "ghost" : item.look === "glass" ? null : item.one;
  }

  /** The depth of the placed part at a point of the window. @param {number} x @param {number} y */
  wall(x, y) {
    const [right, up] = this.within(x, y);
    const found = this.stage.hit(right, up);
    const item = found && this.items[found.number];
    return item && !item.ghost && item.look !== "glass" ? this.depthOf(found.point) : Infinity;
  }

  /** @param {Vector3} point */
  depthOf(point) {
    const { camera } = this.stage.eye;
    return point.clone().sub(camera.position).dot(camera.getWorldDirection(new Vector3()));
  }

  /** @param {Point} place */
  project(place) {
    const point = new Vector3().fromArray(place);
    const { camera } = this.stage.eye;
    camera.updateMatrixWorld();
    camera.updateProjectionMatrix();
    const depth = this.depthOf(point);
    const { x, y } = point.project(camera);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return [((x + 1) / 2) * width, ((1 - y) / 2) * height, depth];
  }

  get unit() {
    const { right } = this.axes();
    const here = this.project(this.middle);
    const there = this.project(this.middle.map((value, k) => value + this.puzzle.size * right[k]));
    return Math.hypot(there[0] - here[0], there[1] - here[1]);
  }

  axes() {
    const { camera } = this.stage.eye;
    camera.updateMatrixWorld();
    const [right, up, towards] = [0, 1, 2].map((k) =>
      new Vector3().setFromMatrixColumn(camera.matrixWorld, k).toArray(),
    );
    return { right, up, towards };
  }

  /** @param {number[]} vector */
  turn([x, y]) {
    this.stage.eye.turn(x * TURN, y * TURN);
  }

  /** @param {number} sign */
  zoom(sign) {
    this.stage.eye.zoom(ZOOM ** sign);
  }

  home() {
    this.stage.home();
  }

  /** @param {boolean} still */
  hold(still) {
    this.stage.eye.controls.enabled = !still;
  }

  /**
   * @param {HTMLElement} place @param {Shape} shape @param {string} colour @param {number} reach @param {number} part
   * @param {number} copy
   */
  portrait(place, shape, colour, reach, part, copy) {
    const { centre } = this.stage.geometry(shape.id, () => geometryOf(shape, this.puzzle.puzzle));
    this.shoot(place, [this.mesh(shape, part, copy, centre.clone().negate())], 0.56 * reach);
  }

  /** A small picture of a solution. @param {HTMLElement} place @param {number[]} options */
  miniature(place, options) {
    const { low, high } = this.puzzle.puzzle;
    const meshes = copiesOf(this.puzzle, options).map(({ option, copy, part }) => {
      const at = this.puzzle.placeOf(option).map((x, axis) => x - this.middle[axis]);
      return this.mesh(this.puzzle.shapes[this.puzzle.optionShape[option]], part, copy, new Vector3(...at));
    });
    this.shoot(place, meshes, 0.56 * Math.hypot(...high.map((x, axis) => x - low[axis])));
  }

  /** @param {Shape} shape @param {number} part @param {number} copy @param {Vector3} at */
  mesh(shape, part, copy, at) {
    const { materials } = this.stage;
    const { body, lines, tints } = this.stage.geometry(shape.id, () => geometryOf(shape, this.puzzle.puzzle));
    const mesh = new Mesh(body, materials.bodies(this.puzzle.parts[part], copy, "solid", tints));
    mesh.position.copy(at);
    if (lines) {
      mesh.add(new LineSegments2(lines, materials.edge("solid")));
    }
    return mesh;
  }

  /**
   * Draw meshes around the origin, as seen from a distance at which a ball of this radius is seen whole.
   * @param {HTMLElement} place @param {Mesh[]} meshes @param {number} radius
   */
  async shoot(place, meshes, radius) {
    const canvas = place.querySelector("canvas") ?? place.appendChild(document.createElement("canvas"));
    const side = Math.round(SIDE * Math.min(devicePixelRatio, 2));
    canvas.width = canvas.height = side;
    const renderer = (portraitist ??= rendererFor(document.createElement("canvas")));
    if (renderer.domElement.width !== side) renderer.setSize(side, side, false);
    const scene = new Scene();
    const camera = new PerspectiveCamera(20, 1, 0.01, 1000);
    camera.up.set(0, 0, 1);
    const light = new DirectionalLight("#ffffff", Math.PI * 0.55);
    light.position.set(-0.35, 0.75, 1);
    camera.add(light, light.target);
    scene.add(new AmbientLight("#ffffff", Math.PI * 0.5), camera, ...meshes);
    camera.position
      .fromArray(LOOKING)
      .normalize()
      .multiplyScalar(radius / Math.tan((10 * Math.PI) / 180));
    camera.lookAt(0, 0, 0);
    wanted.set(place, scene);
    await renderer.compileAsync(scene, camera);
    if (wanted.get(place) !== scene) return;
    renderer.render(scene, camera);
    canvas.getContext("2d")?.drawImage(renderer.domElement, 0, 0);
  }

  /** @param {Shape[]} shapes */
  greatestReach(shapes) {
    return Math.max(...shapes.map(extent));
  }

  dispose() {
    this.stage.dispose();
  }
}

/** The longest way through the box around a shape. @param {Shape} shape */
function extent({ solid, balls = [] }) {
  const vertices = solid?.vertices ?? [];
  /** @type {Point[]} */ const points = [];
  for (let k = 0; k + 3 <= vertices.length; k += 3) {
    points.push(vertices.slice(k, k + 3));
  }
  for (let k = 0; k + 4 <= balls.length; k += 4) {
    const [x, y, z, r] = balls.slice(k, k + 4);
    points.push([x - r, y - r, z - r], [x + r, y + r, z + r]);
  }
  const spans = [0, 1, 2].map((axis) => {
    const values = points.map((point) => point[axis]);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.hypot(...spans);
}
