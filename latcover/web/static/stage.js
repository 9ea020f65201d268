// The stage: the three-dimensional picture of one solution. Draws only when something has changed.

import {
  AmbientLight, DirectionalLight, Group, LineSegments2, Mesh, OrbitControls,
  PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from "./three.js";
import { Materials } from "./materials.js";
import { geometryOf, slabAt } from "./shapes.js";

const FIELD = 28; // of view, in degrees
const MARGIN = 1.1; // around all in the first view
const SPREAD = 1.6; // how far parts move apart when exploded fully, times their distance from the middle
const MOVING = 280; // milliseconds that a part takes to come and go
const KEPT = 4000; // geometries that are kept for later solutions
const CLICK = 6; // pixels that a pointer may move and still have clicked

/** What draws on a canvas; throws where the browser has no WebGL. */
export function rendererFor(canvas) {
  return new WebGLRenderer({ canvas, antialias: true, alpha: true });
}

export class Stage {
  /**
   * `tell` is {onPick(item), onHover(item or null, x, y)}: what the pointer did, items by their number in the solution.
   *
   * `renderer` comes from `rendererFor`.
   */
  constructor(renderer, puzzle, parts, tell) {
    this.renderer = renderer;
    this.canvas = renderer.domElement;
    this.puzzle = puzzle;
    this.parts = parts;
    this.tell = tell;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.materials = new Materials();
    this.geometries = new Map();
    this.pieces = [];
    this.explosion = 0;
    this.layer = null;
    this.shining = null;
    this.middle = middleOf(puzzle);
    this.build();
    this.listen();
  }

  build() {
    this.scene = new Scene();
    this.group = new Group();
    this.camera = new PerspectiveCamera(FIELD, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    // A face that looks at the light has its colour from the palette exactly: three.js divides by pi.
    const flat = this.puzzle.dimension === 2;
    const light = new DirectionalLight("#ffffff", Math.PI * (flat ? 0.3 : 0.55));
    light.position.set(...(flat ? [0, 0, 1] : [-0.35, 0.75, 1]));
    this.camera.add(light, light.target);
    light.target.position.set(0, 0, 0);
    this.scene.add(new AmbientLight("#ffffff", Math.PI * (flat ? 0.7 : 0.5)), this.camera, this.group);
    const { shape, at } = this.puzzle.outline;
    const outline = geometryOf(shape, this.puzzle);
    outline.body.dispose();
    if (outline.lines) {
      this.outline = new LineSegments2(outline.lines, this.materials.edge("outline"));
      this.outline.renderOrder = -1; // before the parts, whose edges lie upon it
      this.outline.position.set(...at);
      this.scene.add(this.outline);
    }
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = !this.calm.matches;
    this.controls.dampingFactor = 0.12;
    this.home();
  }

  listen() {
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.controls.addEventListener("change", () => this.invalidate());
    this.canvas.addEventListener("pointerdown", (event) => { this.down = [event.clientX, event.clientY]; }, { signal });
    this.canvas.addEventListener("pointerup", (event) => this.released(event), { signal });
    this.canvas.addEventListener("pointermove", (event) => this.hovered(event), { signal });
    this.canvas.addEventListener("pointerleave", () => this.tell.onHover(null, 0, 0), { signal });
    this.canvas.addEventListener("webglcontextrestored", () => this.invalidate(), { signal });
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(this.canvas.parentElement);
  }

  /** Show the items of a solution; those that `isOut(item)` are left out from the beginning. */
  show(items, isOut) {
    this.forgetOld();
    this.group.clear();
    const used = new Map();
    this.pieces = items.map((item, number) => {
      const copy = used.get(item.part) ?? 0;
      used.set(item.part, copy + 1);
      const out = isOut(number) ? 1 : 0;
      const geometry = this.geometry(item.shape.id, () => geometryOf(item.shape, this.puzzle));
      return { item, copy, number, geometry, away: out, goal: out, shown: null };
    });
    this.dress();
  }

  /** Make what is seen of each piece in the chosen layer. */
  dress() {
    this.group.clear();
    for (const piece of this.pieces) {
      const geometry = this.layerOf(piece);
      piece.shown = geometry && this.meshOf(piece, geometry);
      if (piece.shown) {
        this.group.add(piece.shown);
      }
    }
    this.colour();
  }

  layerOf(piece) {
    if (this.layer === null || this.puzzle.dimension === 2) {
      return piece.geometry;
    }
    const { shape, at } = piece.item;
    const slab = slabAt(shape, at[2], this.puzzle.heights[this.layer], this.puzzle.size);
    return slab && this.geometry(`${shape.id} ${slab.height}`, () => geometryOf(slab, this.puzzle, slab.height));
  }

  meshOf(piece, geometry) {
    const mesh = new Mesh(geometry.body);
    mesh.userData.piece = piece;
    if (geometry.lines) {
      mesh.add(new LineSegments2(geometry.lines));
    }
    return mesh;
  }

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

  /** Give every piece its material: others fade where one shines. */
  colour() {
    for (const { item, copy, number, shown, goal } of this.pieces) {
      if (shown) {
        const alone = this.shining !== null && !this.pieces[this.shining]?.goal;
        const faint = item.part < 0 || (alone && number !== this.shining);
        const state = faint ? "faint" : alone ? "shining" : "solid";
        shown.material = this.materials.body(this.parts[item.part], copy, state);
        shown.renderOrder = state === "shining" ? 1 : 0;
        for (const lines of shown.children) {
          lines.material = this.materials.edge(state);
          lines.renderOrder = shown.renderOrder;
        }
        shown.userData.pickable = item.part >= 0 && !goal;
      }
    }
    this.invalidate();
  }

  /** Let one piece shine through the others, or none. */
  shine(number) {
    if (this.shining !== number) {
      this.shining = number;
      this.colour();
    }
  }

  /** Take a piece out, or put it back. */
  take(number, out) {
    this.pieces[number].goal = out ? 1 : 0;
    if (this.calm.matches) {
      this.pieces[number].away = this.pieces[number].goal;
    }
    this.colour();
  }

  choose(layer) {
    this.layer = layer;
    this.dress();
  }

  /** Move the pieces apart: 0 together, 1 fully. The picture keeps its size on the screen. */
  explode(share) {
    const before = this.distance();
    this.explosion = share;
    this.zoom(before / this.distance());
  }

  moved() {
    this.reach();
    this.controls.update();
    this.invalidate();
  }

  /** The first view: from a corner, or straight from above where all is flat. */
  home() {
    this.controls.target.copy(this.middle);
    this.camera.position.copy(this.middle).addScaledVector(this.homeward(), this.distance());
    this.moved();
  }

  /** How far away the whole box is seen from the first view's direction. */
  distance() {
    const tangent = Math.tan((FIELD * Math.PI) / 360);
    const towards = this.homeward();
    const right = new Vector3().crossVectors(this.camera.up, towards).normalize();
    const up = new Vector3().crossVectors(towards, right);
    const { x, y, z } = this.extent();
    const needed = [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-1, 1].map((c) => {
      const corner = new Vector3(a * x, b * y, c * z);
      const across = Math.max(Math.abs(corner.dot(up)), Math.abs(corner.dot(right)) / this.camera.aspect);
      return corner.dot(towards) + (MARGIN * across) / tangent;
    })));
    return Math.max(...needed);
  }

  /** How far the region, or the parts where they stand apart, reach from the middle along each axis. */
  extent() {
    const { low, high, thickness } = this.puzzle;
    const [x, y, z = thickness / 2] = high.map((value, k) => (value - low[k]) / 2);
    const found = new Vector3(x, y, z);
    for (const { item, geometry } of this.explosion ? this.pieces : []) {
      const box = geometry.body.boundingBox;
      const centre = geometry.centre.clone().add(new Vector3(...item.at)).sub(this.middle);
      const reach = (axis) => Math.abs(centre[axis]) * (1 + SPREAD * this.explosion) + (box.max[axis] - box.min[axis]) / 2;
      found.max(new Vector3(reach("x"), reach("y"), reach("z")));
    }
    return found;
  }

  /** From the puzzle to the camera of the first view. */
  homeward() {
    return new Vector3(...(this.puzzle.dimension === 2 ? [0, -1e-3, 1] : [0.62, -1, 0.72])).normalize();
  }

  /** Let the camera see from very near to very far, as the puzzle is large or small. */
  reach() {
    const away = this.camera.position.distanceTo(this.controls.target);
    const { low, high } = this.puzzle;
    const radius = (1 + SPREAD) * (Math.hypot(...high.map((value, k) => value - low[k])) + 2 * this.puzzle.size);
    this.camera.near = Math.max(away - radius, away / 200);
    this.camera.far = away + radius;
    this.camera.updateProjectionMatrix();
  }

  turn(right, up) {
    this.controls.rotateLeft(-right);
    this.controls.rotateUp(-up);
    this.moved();
  }

  zoom(factor) {
    const way = this.camera.position.clone().sub(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(way, 1 / factor);
    this.moved();
  }

  resized() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) {
      return;
    }
    const before = this.distance();
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.zoom(before / this.distance());
  }

  invalidate() {
    this.waiting ??= requestAnimationFrame((time) => this.frame(time));
  }

  frame(time) {
    this.waiting = null;
    const passed = this.last ? Math.min(time - this.last, 50) : 16;
    const moving = this.step(passed / MOVING);
    this.last = moving ? time : 0;
    this.reach();
    this.renderer.render(this.scene, this.camera);
    this.drawn = (this.drawn ?? 0) + 1;
    const turning = this.controls.enableDamping && this.controls.update();
    if (moving || turning) {
      this.invalidate();
    }
  }

  /** Move pieces that come or go by a share of their way; whether any is still under way. */
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

  /** How high the middle of a piece stands. */
  topOf(number) {
    const { item, geometry } = this.pieces[number];
    return item.at[2] + geometry.centre.z;
  }

  put({ item, geometry, away, shown }) {
    if (!shown) {
      return;
    }
    shown.visible = away < 1;
    shown.position.set(...item.at);
    if (this.explosion || away) {
      const outward = geometry.centre.clone().add(shown.position).sub(this.middle);
      shown.position.addScaledVector(outward, SPREAD * this.explosion);
      const level = outward.length() > 1e-9 ? outward.normalize() : new Vector3(0, 0, 1);
      shown.position.addScaledVector(level, away * away * 4 * this.puzzle.size);
    }
  }

  /** The piece under the pointer, or null. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.camera);
    const meshes = this.group.children.filter((mesh) => mesh.visible && mesh.userData.pickable);
    return ray.intersectObjects(meshes, false)[0]?.object.userData.piece.number ?? null;
  }

  released(event) {
    const [x, y] = this.down ?? [Infinity, Infinity];
    this.down = null;
    if (event.button === 0 && Math.hypot(event.clientX - x, event.clientY - y) < CLICK) {
      const number = this.at(event);
      if (number !== null) {
        this.tell.onPick(number);
      }
    }
  }

  hovered(event) {
    if (event.buttons || event.pointerType === "touch") {
      return;
    }
    const box = this.canvas.getBoundingClientRect();
    this.tell.onHover(this.at(event), event.clientX - box.left, event.clientY - box.top);
  }

  dispose() {
    this.stop.abort();
    this.watcher.disconnect();
    cancelAnimationFrame(this.waiting);
    this.waiting = 0; // nothing is drawn any more
    this.controls.dispose();
    for (const { body, lines } of this.geometries.values()) {
      body.dispose();
      lines?.dispose();
    }
    this.outline?.geometry.dispose();
    this.materials.dispose();
    this.renderer.dispose();
  }
}

function middleOf({ low, high }) {
  const [x, y, z = 0] = low.map((value, k) => (value + high[k]) / 2);
  return new Vector3(x, y, z);
}
