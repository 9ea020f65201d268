// The stage draws one solution in three dimensions. It draws only when something has changed.

import {
  AmbientLight,
  DirectionalLight,
  Group,
  LineSegments2,
  Mesh,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "./three.js";
import { Eye } from "./eye.js";
import { FilmSet } from "./film_set.js";
import { Ground } from "./ground.js";
import { Materials } from "./materials.js";
import { Pointer } from "./pointer.js";
import { geometryOf, slabAt } from "./shapes.js";

/** @import { Box3 } from "three" */
/** @import { BodyGeometry, Piece, Item, Part, PointerListener, Puzzle } from "./types.js" */
/** @import { Player } from "./player.js" */

const LEAVING = 4; // cells that a part goes when it is taken out
const MOVING = 280; // milliseconds that it takes
const LOW = 0.5; // the height of an empty cell of a flat puzzle, of that of parts
const PALE = ["faint", "cell", "tinted", "glass"]; // states of what is nearly invisible, and needs no halo
const PREPARING = -1; // in place of the number of what waits for the browser
const KEPT = 4000; // geometries that are kept for later solutions

/** A renderer for a canvas. It throws an error if the browser has no WebGL. @param {HTMLCanvasElement} canvas */
export function rendererFor(canvas) {
  return new WebGLRenderer({ canvas, antialias: true, alpha: true });
}

export class Stage {
  /** @type {Pointer} */
  pointer;
  /** @type {() => void} */ restored;
  /** @type {() => void} */ darkened;
  /** @type {ResizeObserver} */ watcher;
  /** @type {Scene} */ scene;
  /** @type {Group} */ group;
  /** @type {Ground} */ ground;
  /** @type {LineSegments2 | undefined} */ outline;

  /**
   * `tell` is {onPick(item), onHover(item or null, x, y)}, which are called for the pointer; items are numbers in the solution.
   * `renderer` comes from `rendererFor`.
   * @param {WebGLRenderer} renderer @param {Puzzle} puzzle @param {Part[]} parts @param {PointerListener} tell
   */
  constructor(renderer, puzzle, parts, tell) {
    this.renderer = renderer;
    this.canvas = renderer.domElement;
    this.puzzle = puzzle;
    this.parts = parts;
    this.tell = tell;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.materials = new Materials(this.dark.matches);
    /** @type {Map<string, BodyGeometry>} */
    this.geometries = new Map();
    /** @type {Piece[]} */
    this.pieces = [];
    this.explosion = 0;
    /** @type {number | null} */
    this.layer = null;
    /** @type {number | null} */
    this.shining = null;
    /** @type {Player | null} */
    this.player = null; // of what is shown, if it has a film
    /** @type {{ move: number, pieces: Set<number>, glass: Set<number> } | null} */
    this.lit = null; // the numbers of the pieces that move in the film, and of those that are glass; null: all are alike
    /** @type {number | null} */
    this.waiting = null; // for the browser to draw; 0: nothing is drawn any more
    this.last = 0; // when something moved, in milliseconds
    this.held = false; // while a film is saved
    this.isReady = false; // to draw
    this.eye = new Eye(this.canvas, puzzle, !this.calm.matches, () => this.invalidate());
    this.fitted = this.distance(); // for which the camera has been placed
    this.aimed = new Vector3(); // from the middle: where it looks
    this.build();
    this.listen();
  }

  build() {
    this.scene = new Scene();
    this.group = new Group();
    // A face that looks at the light has exactly its colour of the palette, because three.js divides by pi.
    const flat = this.puzzle.dimension === 2;
    const light = new DirectionalLight("#ffffff", Math.PI * (flat ? 0.3 : 0.55));
    light.position.fromArray(flat ? [0, 0, 1] : [-0.35, 0.75, 1]);
    this.eye.camera.add(light, light.target);
    light.target.position.set(0, 0, 0);
    const everywhere = new AmbientLight("#ffffff", Math.PI * (flat ? 0.7 : 0.5));
    this.scene.add(everywhere, this.eye.camera, this.group);
    this.ground = new Ground(this.renderer, this.scene);
    const { shape, at } = this.puzzle.outline;
    const outline = geometryOf(shape, this.puzzle);
    outline.body.dispose();
    if (outline.lines) {
      this.outline = new LineSegments2(outline.lines, this.materials.edge("outline"));
      this.outline.renderOrder = -1; // before the parts, whose edges must cover it
      this.outline.position.fromArray(at);
      this.scene.add(this.outline);
    }
  }

  listen() {
    this.pointer = new Pointer(this.canvas, (x, y) => this.at(x, y), this.tell);
    this.restored = () => this.invalidate();
    this.canvas.addEventListener("webglcontextrestored", this.restored);
    this.darkened = () => this.repaint();
    this.dark.addEventListener("change", this.darkened);
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(/** @type {HTMLElement} */ (this.canvas.parentElement));
  }

  /**
   * Show the items of a solution; those that `isOut(item)` are left out from the beginning. `player` plays its film, if it
   * has one: {film, place, advance(milliseconds, calm)}. Items of a game also have a `copy` and a `look`, a state of
   * materials.js.
   * @param {Item[]} items @param {(number: number) => boolean} isOut @param {Player | null} player
   */
  show(items, isOut, player) {
    const way = player?.film?.data.way ?? null;
    const turned = `${way}` !== `${this.player?.film?.data.way ?? null}`;
    this.player = player?.film ? player : null;
    this.lit = null;
    this.eye.lookFrom(way);
    this.ground.show(this.player?.film?.data.ground ?? null, this.eye.middle, this.radius());
    this.forgetOld();
    const used = new Map();
    this.pieces = items.map((item, number) => {
      const copy = item.copy ?? used.get(item.part) ?? 0;
      used.set(item.part, copy + 1);
      const out = isOut(number) ? 1 : 0;
      const geometry = this.geometry(item.shape.id, () => geometryOf(item.shape, this.puzzle));
      return { item, copy, number, geometry, away: out, goal: out, shown: null };
    });
    this.dress();
    if (turned) {
      this.home();
    } else {
      this.refit();
    }
  }

  /** Make the meshes of all pieces in the chosen layer. */
  dress() {
    this.group.clear();
    for (const piece of this.pieces) {
      const geometry = this.layerOf(piece);
      piece.shown = geometry ? this.meshOf(piece, geometry) : null;
      if (piece.shown) {
        this.group.add(piece.shown);
      }
    }
    this.colour();
  }

  /** @param {Piece} piece */
  layerOf(piece) {
    if (this.layer === null || this.puzzle.dimension === 2) {
      return piece.geometry;
    }
    const { shape, at } = piece.item;
    const slab = slabAt(shape, at[2], this.puzzle.heights[this.layer], this.puzzle.size);
    return slab && this.geometry(`${shape.id} ${slab.height}`, () => geometryOf(slab, this.puzzle, slab.height));
  }

  /** @param {Piece} piece @param {BodyGeometry} geometry */
  meshOf(piece, geometry) {
    const mesh = new Mesh(geometry.body);
    mesh.userData.piece = piece;
    mesh.userData.tints = geometry.tints;
    mesh.castShadow = piece.item.part >= 0;
    if (piece.item.part < 0 && this.puzzle.dimension === 2) {
      mesh.scale.z = LOW; // so that a part that bends across an empty junction covers it
    }
    if (geometry.lines) {
      const halo = new LineSegments2(geometry.lines);
      halo.userData.halo = true;
      mesh.add(halo, new LineSegments2(geometry.lines));
    }
    return mesh;
  }

  /** @param {string} name @param {() => BodyGeometry} make @returns {BodyGeometry} */
  geometry(name, make) {
    const found = this.geometries.get(name) ?? make();
    this.geometries.delete(name); // what was used last stands last
    this.geometries.set(name, found);
    return found;
  }

  forgetOld() {
    for (const [name, { body, lines }] of this.geometries) {
      if (this.geometries.size <= KEPT) {
        return;
      }
      body.dispose();
      lines?.dispose();
      this.geometries.delete(name);
    }
  }

  /** Give every piece its material. While one piece shines, the others are faint. */
  colour() {
    const haloed = this.pieces.some(({ geometry }) => this.materials.areDark(geometry.tints));
    for (const { item, copy, number, shown, goal } of this.pieces) {
      const tints = shown?.userData.tints;
      if (shown) {
        const alone = this.shining !== null && !this.pieces[this.shining]?.goal;
        const glass = this.lit && this.lit.glass.has(number);
        const faint = item.part < 0 || (alone && number !== this.shining) || glass;
        const quiet = this.lit && !this.lit.pieces.has(number);
        const state = item.look ?? (faint ? "faint" : alone ? "shining" : quiet ? "quiet" : "solid");
        shown.material = this.materials.bodies(this.parts[item.part], copy, state, tints);
        shown.renderOrder = ["shining", "good", "bad", "goodBall", "badBall"].includes(state) ? 1 : 0;
        for (const lines of /** @type {LineSegments2[]} */ (shown.children)) {
          const { halo } = lines.userData;
          lines.material = halo ? this.materials.halo(state) : this.materials.edge(state);
          lines.visible = !halo || (haloed && !PALE.includes(state));
          lines.renderOrder = shown.renderOrder + (halo ? 0.1 : 0.2); // all lines are drawn after all halos
        }
        shown.userData.pickable = item.part >= 0 && !goal;
      }
    }
    this.invalidate();
  }

  /** The system has become dark, or light. */
  repaint() {
    this.materials.dispose();
    this.materials = new Materials(this.dark.matches);
    if (this.outline) {
      this.outline.material = this.materials.edge("outline");
    }
    this.colour();
  }

  /** Let one piece shine through the others, or none. @param {number | null} number */
  shine(number) {
    if (this.shining !== number) {
      this.shining = number;
      this.colour();
    }
  }

  /** Take a piece out, or put it back. @param {number} number @param {boolean} out */
  take(number, out) {
    this.pieces[number].goal = out ? 1 : 0;
    if (this.calm.matches) {
      this.pieces[number].away = this.pieces[number].goal;
    }
    this.colour();
  }

  /** @param {number | null} layer */
  choose(layer) {
    this.layer = layer;
    this.dress();
  }

  /** Move the pieces apart: 0 together, 1 fully. The picture keeps its size on the screen. @param {number} share */
  explode(share) {
    this.explosion = share;
    this.refit();
  }

  home() {
    this.fitted = this.distance();
    this.aimed = this.aim();
    this.eye.home(this.fitted, this.aimed);
  }

  /** Keep the size of the picture on the screen, and its middle, when more or less of it is to be seen. */
  refit() {
    const [before, was] = [this.fitted, this.aimed];
    this.fitted = this.distance();
    this.aimed = this.aim();
    this.eye.shift(this.aimed.clone().sub(was));
    this.eye.zoom(before / this.fitted);
  }

  /** How much of its way to show a whole film the camera has gone. */
  drawnBack() {
    const { film, place } = this.player ?? {};
    return film && place ? film.drawnBack(place) : 0;
  }

  /** From the middle of the puzzle to where the camera looks in the first view. */
  aim() {
    const { film } = this.player ?? {};
    return film ? new Vector3(...film.data.aim).multiplyScalar(this.drawnBack()) : new Vector3();
  }

  /** Draw what the player has come to. */
  follow() {
    const lit = this.player?.film?.lit(this.player.place) ?? null;
    if (lit?.move !== this.lit?.move) {
      this.lit = lit;
      this.colour();
    }
    if (this.outline) {
      this.outline.visible = !this.player?.place; // of the place that the pieces leave
    }
    this.invalidate();
  }

  /** The distance from which everything can be seen, in the first view's direction. */
  distance() {
    const usual = this.eye.distance(this.reach());
    const { film } = this.player ?? {};
    const needed = film ? Math.max(usual, this.eye.distanceOf([film.data.reach])) : usual;
    return usual + this.drawnBack() * (needed - usual);
  }

  /** How far the region, and the exploded parts, reach from the middle along each axis. */
  reach() {
    const found = this.eye.boxReach();
    for (const piece of this.explosion ? this.pieces : []) {
      const { min, max } = /** @type {Box3} */ (piece.geometry.body.boundingBox);
      const centre = this.outward(piece).addScaledVector(new Vector3().fromArray(piece.item.move), this.explosion);
      const half = max.clone().sub(min).multiplyScalar(0.5);
      found.max(new Vector3(Math.abs(centre.x), Math.abs(centre.y), Math.abs(centre.z)).add(half));
    }
    return found;
  }

  /** How far all that is shown reaches from the middle, whichever way. */
  radius() {
    const { aim = [], reach = [] } = this.player?.film?.data ?? {};
    return Math.max(this.reach().length(), 1.3 * (Math.hypot(...aim) + Math.hypot(...reach)));
  }

  /** From the middle of the puzzle to the middle of a piece in its place. @param {Piece} piece */
  outward({ item, geometry }) {
    return geometry.centre.clone().add(new Vector3().fromArray(item.at)).sub(this.eye.middle);
  }

  /** How high the middle of a piece stands. @param {number} number */
  heightOf(number) {
    return this.outward(this.pieces[number]).z;
  }

  resized() {
    const { clientWidth: width, clientHeight: height } = /** @type {HTMLElement} */ (this.canvas.parentElement);
    if (width && height && !this.held) {
      this.size(width, height);
    }
  }

  /** @param {number} width @param {number} height */
  size(width, height) {
    this.renderer.setSize(width, height, false);
    this.eye.resize(width, height);
    this.refit();
  }

  /**
   * The stage for a film, with pictures of this size; until its end() nothing else is drawn.
   * @param {number} width @param {number} height
   */
  filmSet(width, height) {
    return new FilmSet(this, width, height);
  }

  /** @param {boolean} held */
  hold(held) {
    this.held = held;
    if (!held) {
      this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
      this.resized();
    }
  }

  /** Draw a picture of a film at once. */
  drawFilm() {
    this.refit();
    this.pieces.forEach((piece) => this.put(piece));
    this.render();
  }

  render() {
    this.eye.focus(this.radius());
    this.renderer.render(this.scene, this.eye.camera);
  }

  invalidate() {
    if (!this.held) {
      this.waiting ??= requestAnimationFrame((time) => this.frame(time));
    }
  }

  /** @param {number} time */
  frame(time) {
    this.waiting = null;
    if (this.held) {
      return;
    }
    if (!this.isReady) {
      this.prepare();
      return;
    }
    const passed = this.last ? Math.min(time - this.last, 50) : 16;
    const playing = this.player?.advance(passed, this.calm.matches) ?? false;
    const moving = this.step(passed / MOVING) || playing;
    this.last = moving ? time : 0;
    if (playing || this.fitted !== this.distance() || !this.aimed.equals(this.aim())) {
      this.refit();
    }
    this.render();
    if (this.eye.glide() || moving) {
      this.invalidate();
    }
  }

  /** Let the graphics card translate what draws, before the first picture: the page would stand still until it is done. */
  async prepare() {
    this.waiting = PREPARING;
    await this.renderer.compileAsync(this.scene, this.eye.camera);
    this.isReady = true;
    if (this.waiting === PREPARING) {
      this.waiting = null;
      this.invalidate();
    }
  }

  /** The picture as an image. It is drawn again, because the browser does not keep it after showing it. */
  picture() {
    this.renderer.render(this.scene, this.eye.camera);
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }

  /** Move pieces that come or go by a share of their way. Returns whether any is still moving. @param {number} share */
  step(share) {
    let moving = false;
    for (const piece of this.pieces) {
      const left = piece.goal - piece.away;
      piece.away += Math.sign(left) * Math.min(Math.abs(left), share);
      moving ||= piece.away !== piece.goal;
      this.put(piece);
    }
    return moving;
  }

  /** @param {Piece} piece */
  put(piece) {
    const { item, away, number, shown } = piece;
    if (!shown) {
      return;
    }
    const leaving = this.player?.film && (this.player.place || this.explosion);
    shown.visible = away < 1 && !(leaving && item.part < 0); // nothing is left around cells that stay empty
    shown.position.fromArray(item.at);
    shown.quaternion.identity();
    if (this.player?.film && this.player.place) {
      const { turn, shift, scale = 1 } = this.player.film.pose(number, this.player.place);
      const [x, y, z] = turn;
      shown.matrix.set(x[0], x[1], x[2], 0, y[0], y[1], y[2], 0, z[0], z[1], z[2], 0, 0, 0, 0, 1); // made anew to draw
      shown.quaternion.setFromRotationMatrix(shown.matrix);
      shown.position.applyQuaternion(shown.quaternion).multiplyScalar(scale).add(new Vector3().fromArray(shift));
      shown.scale.setScalar(scale);
    } else if (item.part >= 0) {
      shown.scale.setScalar(1);
    }
    if (this.explosion || away) {
      const way = new Vector3().fromArray(item.move);
      shown.position.addScaledVector(way, this.explosion);
      way.length() > 1e-9 ? way.normalize() : way.set(0, 0, 1);
      shown.position.addScaledVector(way, away * away * LEAVING * this.puzzle.size);
    }
  }

  /** The piece at a point of the picture (from -1 to 1, y upwards), or null. @param {number} x @param {number} y */
  at(x, y) {
    return this.hit(x, y)?.number ?? null;
  }

  /** The same with the place of that point in space: {number, point}, or null. @param {number} x @param {number} y */
  hit(x, y) {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.eye.camera);
    const meshes = this.group.children.filter((mesh) => mesh.visible && mesh.userData.pickable);
    const [found] = ray.intersectObjects(meshes, false);
    return found ? { number: found.object.userData.piece.number, point: found.point } : null;
  }

  dispose() {
    this.pointer.dispose();
    this.canvas.removeEventListener("webglcontextrestored", this.restored);
    this.dark.removeEventListener("change", this.darkened);
    this.watcher.disconnect();
    cancelAnimationFrame(this.waiting ?? 0);
    this.waiting = 0;
    this.eye.dispose();
    for (const { body, lines } of this.geometries.values()) {
      body.dispose();
      lines?.dispose();
    }
    this.outline?.geometry.dispose();
    this.ground.dispose();
    this.materials.dispose();
    this.renderer.dispose();
  }
}
