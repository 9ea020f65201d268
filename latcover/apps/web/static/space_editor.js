// A 3D editor of a shape: a click on a face fills the cell behind it. By mouse, touch or keyboard.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  Group,
  LineMaterial,
  LineSegments2,
  LineSegmentsGeometry,
  Mesh,
  MeshLambertMaterial,
  Raycaster,
  Scene,
  ShapeUtils,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "./three.js";
import { Eye } from "./eye.js";
import { dom } from "./dom.js";
import { centre, cross, dot, keyOf, words } from "./geometry.js";
import { isDark, normalOf } from "./isometric.js";
import { shifted } from "./motions.js";

/** @import { Cell, Entry, Filling, Lattice } from "./web_types.js" */
/** @import { Shaping } from "./shaping.js" */

const CLICK = 6; // pixels that a pointer may move during a click
const MANY = 250; // number of balls above which each is drawn with fewer faces
const STEP = Math.PI / 16; // of a turn by keys
const FLATTER = [1, 1, 0.4]; // few shapes are as high as they are wide
const TOOLS = [
  ["add", "Add"],
  ["take", "Take away"],
  ["paint", "Paint"],
];
const FIRST = 4; // cells that the view of a small shape is wide
const EASE = 260; // milliseconds in which the view follows a shape that has grown
const HELP = "Click a face: a cell is added there. The other button takes one away. Drag to turn.";
const KEYS =
  "Keys: arrows, Page up and Page down move the cursor, Space fills or empties, Shift and arrows turn, + and − zoom, 0 shows all.";

const shared = { tool: "add" }; // it stays when another shape is chosen
/** @type {WebGLRenderer | null} */
let renderer = null; // one for the page

/** The renderer of the page. It throws an error if the browser has no WebGL. */
function rendererOfPage() {
  renderer ??= new WebGLRenderer({ canvas: document.createElement("canvas"), antialias: true, alpha: true });
  return renderer;
}

/**
 * What was made of a cell: its visible faces, the lines around them, and itself if it is a ball.
 *
 * @typedef {{ cell: Cell, look: { fill: string, faint?: boolean }, surface: Surface, lines: Map<string, number[]>, balls: any[] }} DrawnCell
 */

export class SpaceEditor {
  /** @type {Map<string, DrawnCell>} */
  drawn = new Map();
  many = false;
  made = 0; // cells that the last change made anew, for tests
  /** @type {HTMLCanvasElement & { pointOf?: any, made?: () => number }} */ canvas;
  /** @type {number[] | null} */ down;
  /** @type {any[]} */ balls = [];
  /** @type {number | null} */ waiting;
  /** @type {string} */ haunted;
  /** @type {boolean} */ waits;
  /** @type {boolean} */ fitted;
  /** @type {any} */
  eased = null; // {from, ends, since}: the view is following a shape that has grown
  /** @type {MediaQueryList} */ dark;
  /** @type {ResizeObserver} */ watcher;
  /** @type {Scene} */ scene;
  /** @type {Group} */ bodies;
  /** @type {Group} */ ghost;
  /** @type {Group} */ mark;
  /** @type {Eye} */ eye;

  /**
   * `kept` stores the cursor and the view for the next editor of the same shape.
   * @param {Shaping} shaping @param {Record<string, any>} kept
   */
  constructor(shaping, kept) {
    this.shaping = shaping;
    this.lattice = shaping.lattice;
    this.kept = kept;
    this.tool = shared.tool;
    if (this.tool === "paint" && !shaping.how.tinted) this.tool = "add";
    this.cursor = kept.cursor ?? this.entries()[0]?.cell ?? [0, ...this.lattice.basis.map(() => 0)];
    this.stop = new AbortController();
    this.said = dom("p", { class: "said", role: "status" });
    this.field = dom("div", { class: "field-of-view" });
    const tools = TOOLS.filter(([name]) => name !== "paint" || shaping.how.tinted).map(([name, text]) =>
      dom(
        "label",
        { class: "radio" },
        dom("input", {
          type: "radio",
          name: `space-tool ${shaping.how.name}`,
          value: name,
          checked: name === this.tool,
          onchange: () => (shared.tool = this.tool = name),
        }),
        text,
      ),
    );
    this.tools = dom("span", { class: "group", role: "group", "aria-label": "What a click in space does" }, tools);
    this.element = dom(
      "div",
      { class: "space-editor" },
      this.field,
      this.said,
      dom("p", { class: "hint", title: KEYS }, HELP),
    );
  }

  entries() {
    return [...this.shaping.chosen.values()];
  }

  /** Start drawing, once the element is in the page. */
  begin() {
    try {
      this.canvas = rendererOfPage().domElement;
    } catch {
      this.said.textContent = "This browser shows nothing in space: it has no WebGL.";
      return;
    }
    for (const [name, value] of Object.entries({
      tabindex: "0",
      role: "application",
      "aria-label": `${this.shaping.how.name} in space. ${KEYS}`,
    })) {
      this.canvas.setAttribute(name, value);
    }
    this.canvas.made = () => this.made; // for tests
    this.canvas.pointOf = (/** @type {Cell} */ cell, /** @type {Cell} */ beside) => this.pointOf(cell, beside); // for tests: where to click
    this.field.append(this.canvas);
    rendererOfPage().setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new Scene();
    this.bodies = new Group();
    this.ghost = new Group();
    this.mark = new Group();
    this.scene.add(this.bodies, this.mark, this.ghost, new AmbientLight("#ffffff", Math.PI * 0.55));
    this.eye = new Eye(
      this.canvas,
      { dimension: 3, size: this.lattice.size, ...this.seen() },
      !matchMedia("(prefers-reduced-motion: reduce)").matches,
      () => this.invalidate(),
    );
    const light = new DirectionalLight("#ffffff", Math.PI * 0.5);
    light.position.set(-0.35, 0.75, 1);
    this.eye.camera.add(light, light.target);
    light.target.position.set(0, 0, 0);
    this.scene.add(this.eye.camera);
    this.listen();
    this.draw();
    const { gaze } = this.kept;
    if (gaze) {
      this.eye.camera.position.copy(gaze.position);
      this.eye.controls.target.copy(gaze.target);
      this.eye.moved();
    }
  }

  listen() {
    const { signal } = this.stop;
    /** @param {string} name @param {(event: any) => unknown} act @param {AddEventListenerOptions} [options] */
    const on = (name, act, options = {}) => this.canvas.addEventListener(name, act, { signal, ...options });
    on("pointerdown", (event) => {
      this.down = event.isPrimary ? [event.clientX, event.clientY] : null; // a second finger does not click
      this.haunt(null);
    });
    on("pointerup", (event) => this.released(event));
    on(
      "pointermove",
      (event) => !event.buttons && event.pointerType !== "touch" && this.haunt(this.pick(event), event.shiftKey),
    );
    on("pointerleave", () => this.haunt(null));
    on("contextmenu", (event) => event.preventDefault());
    on("keydown", (event) => this.key(event));
    for (const name of ["focus", "blur"]) on(name, () => this.drawCursor());
    on("webglcontextrestored", () => this.invalidate());
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    const anew = () => {
      this.drawn.clear();
      this.draw();
    };
    this.dark.addEventListener("change", anew, { signal });
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(this.field);
  }

  // What is seen

  /** The box around all cells. */
  box() {
    const cells = this.entries().length ? this.entries().map((entry) => entry.cell) : [this.cursor];
    const points = cells.map((cell) => centre(this.lattice, cell));
    const half = 0.55 * this.lattice.size;
    return {
      low: [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k])) - half),
      high: [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])) + half),
    };
  }

  /** The box that the view shows: that of the cells, or a few cells wide. */
  seen() {
    const { low, high } = this.box();
    const wide = (FIRST / 2) * this.lattice.size;
    const middle = low.map((value, k) => (value + high[k]) / 2);
    return {
      low: middle.map((x, k) => Math.min(low[k], x - wide * FLATTER[k])),
      high: middle.map((x, k) => Math.max(high[k], x + wide * FLATTER[k])),
    };
  }

  /** Where the shape has grown beyond the view: move away until it is in the view again, without turning. */
  follow() {
    const { camera, controls } = this.eye;
    const { low, high } = this.box();
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (bits) => new Vector3(...low.map((value, k) => ((bits >> k) & 1 ? high[k] : value))),
    );
    camera.updateMatrixWorld();
    const isIn = corners.every((corner) => {
      const { x, y } = corner.clone().project(camera);
      return Math.abs(x) < 1 && Math.abs(y) < 1;
    });
    if (isIn) return;
    const middle = new Vector3(...low.map((value, k) => (value + high[k]) / 2));
    const towards = camera.position.clone().sub(controls.target);
    const axes = [0, 1, 2].map((k) => new Vector3().setFromMatrixColumn(camera.matrixWorld, k));
    const rows = corners.map((corner) => {
      const [side, up, near] = axes.map((axis) => corner.clone().sub(middle).dot(axis));
      return [Math.abs(side), Math.abs(up), near];
    });
    const length = Math.max(towards.length(), this.eye.distanceOf(rows));
    const ends = { target: middle, position: middle.clone().addScaledVector(towards.normalize(), length) };
    this.eye.middle = middle;
    this.eased = {
      from: { target: controls.target.clone(), position: camera.position.clone() },
      ends,
      since: performance.now(),
    };
  }

  /** Continue to follow. Returns whether it is not done. */
  ease() {
    if (!this.eased) return false;
    const { from, ends, since } = this.eased;
    const past = this.eye.controls.enableDamping ? Math.min(1, (performance.now() - since) / EASE) : 1;
    const share = past * past * (3 - 2 * past);
    this.eye.controls.target.lerpVectors(from.target, ends.target, share);
    this.eye.camera.position.lerpVectors(from.position, ends.position, share);
    this.eye.controls.update();
    if (past === 1) this.eased = null;
    return past < 1;
  }

  home() {
    const { low, high } = this.seen();
    this.eye.puzzle = { ...this.eye.puzzle, low, high };
    this.eye.middle = new Vector3(...low.map((value, k) => (value + high[k]) / 2));
    this.eye.home(this.eye.distance(this.eye.boxReach()));
  }

  resized() {
    const { clientWidth: width, clientHeight: height } = this.field;
    if (!width || !height) return;
    rendererOfPage().setSize(width, height, false);
    this.eye.resize(width, height);
    if (!this.fitted && !this.kept.gaze) this.home();
    this.fitted = true;
    this.invalidate();
  }

  /** Draw the shape after a change. */
  draw() {
    if (!this.eye || this.waits) return;
    this.waits = true;
    // A frame later, so that the layers answer at once however large the shape is.
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.waits = false;
        if (!this.stop.signal.aborted) this.rebuild();
      }),
    );
  }

  /** Draw what has changed: the cells that look otherwise than before, and those beside them. The others stay as they were made. */
  rebuild() {
    clear(this.bodies);
    const { chosen } = this.shaping;
    const many = this.entries().length > MANY;
    if (many !== this.many) this.drawn.clear();
    this.many = many;
    const looks = new Map([...chosen].map(([key, entry]) => [key, this.shaping.how.solid(entry)]));
    const changed = [...looks].filter(([key, look]) => !sameLook(this.drawn.get(key)?.look, look)).map(([key]) => key);
    const gone = [...this.drawn.keys()].filter((key) => !looks.has(key));
    const cells = [
      ...changed.map((key) => /** @type {Entry} */ (chosen.get(key)).cell),
      ...gone.map((key) => /** @type {DrawnCell} */ (this.drawn.get(key)).cell),
    ];
    const beside = cells.flatMap(([node, ...x]) =>
      this.lattice.nodes[node].beside.map((step) => keyOf(this.shaping.home(shifted(step, x)))),
    );
    const anew = new Set([...changed, ...beside.filter((key) => looks.has(key))]);
    for (const key of gone) this.drawn.delete(key);
    const colours = new Map(); // asking the page for each cell would take longer than drawing
    /** @param {string} text */
    const coloured = (text) => colours.get(text) ?? colours.set(text, this.colour(text)).get(text);
    for (const key of anew) {
      const { cell } = /** @type {Entry} */ (chosen.get(key));
      const look = /** @type {{ fill: string, faint?: boolean }} */ (looks.get(key));
      /** @type {DrawnCell} */ const made = { cell, look, surface: new Surface(), lines: new Map(), balls: [] };
      /** @param {Cell} there */
      const hides = (there) => {
        const other = looks.get(keyOf(there));
        return other && (look.faint || !other.faint);
      };
      this.addCell(cell, coloured(look.fill), made, hides, many);
      this.drawn.set(key, made);
    }
    this.made = anew.size;
    this.assemble();
    this.drawCursor();
    this.haunt(null);
    if (this.fitted) this.follow();
    this.invalidate();
  }

  /** What is drawn of all cells, as few bodies: solid and faint ones, dark lines, and pale ones on dark cells. */
  assemble() {
    const drawn = [...this.drawn.values()];
    this.balls = drawn.flatMap(({ balls }) => balls);
    [false, true].forEach((faint) => {
      const own = drawn.filter(({ look, surface }) => Boolean(look.faint) === faint && surface.places.length);
      if (!own.length) return;
      const surfaces = own.map(({ surface }) => surface);
      const see = faint ? { transparent: true, opacity: 0.38, depthWrite: false } : {};
      const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 16 };
      const mesh = new Mesh(geometryOf(surfaces), new MeshLambertMaterial({ vertexColors: true, ...behind, ...see }));
      mesh.userData.sides = surfaces.flatMap(({ sides }) => sides);
      this.bodies.add(mesh);
    });
    [this.dark.matches ? "#0c0d0f" : "#22262c", "#8d96a3"].forEach((colour, pale) => {
      const own = drawn.filter(({ look }) => isDark(look.fill) === Boolean(pale));
      const lines = new Map(own.flatMap((one) => [...one.lines]));
      if (lines.size) this.bodies.add(this.linesOf([...lines.values()].flat(), colour, 1.6));
    });
  }

  /**
   * Add the visible faces of a cell, and the lines around them.
   * @param {Cell} cell @param {any} colour @param {Pick<DrawnCell, "surface" | "lines" | "balls">} made
   * @param {(cell: Cell) => boolean | undefined} hides @param {boolean} [many]
   */
  addCell(cell, colour, { surface, lines, balls }, hides, many = false) {
    const node = this.lattice.nodes[cell[0]];
    const at = centre(this.lattice, cell);
    if (node.radius) {
      balls.push({ cell, at, radius: node.radius });
      surface.addBall(at, node.radius, colour, many);
      return;
    }
    for (const face of facesOf(this.lattice)[cell[0]]) {
      if (face.across && hides(shifted(face.across, cell.slice(1)))) continue;
      surface.addFace(face, at, colour, { cell, face });
      face.ring.forEach((/** @type {number} */ here, /** @type {number} */ k) => {
        const ends = [here, face.ring[(k + 1) % face.ring.length]].map((v) =>
          (node.vertices ?? [])[v].map((x, axis) => x + at[axis]),
        );
        const name = ends[0].map((x, axis) => Math.round((x + ends[1][axis]) * 500)).join();
        lines.set(name, ends.flat());
      });
    }
  }

  /**
   * @param {number[]} values @param {string | Color} colour @param {number} width @param {Record<string, any>} [more]
   */
  linesOf(values, colour, width, more = {}) {
    return new LineSegments2(
      new LineSegmentsGeometry().setPositions(values),
      new LineMaterial({ color: new Color(colour), linewidth: width, ...more }),
    );
  }

  /** The value of a colour of the page; three.js does not know CSS variables. @param {string} text */
  colour(text) {
    const name = text.match(/^var\((.*)\)$/)?.[1];
    return new Color(name ? getComputedStyle(this.element).getPropertyValue(name).trim() : text);
  }

  /**
   * One cell alone, translucent, with its lines above all.
   * @param {Group} group @param {Cell} cell @param {string} colour @param {number} opacity
   */
  phantom(group, cell, colour, opacity) {
    const surface = new Surface();
    const lines = new Map();
    this.addCell(cell, this.colour(colour), { surface, lines, balls: [] }, () => false);
    if (opacity) {
      const see = {
        transparent: true,
        opacity,
        depthWrite: false,
        polygonOffset: true,
        polygonOffsetFactor: -1,
        polygonOffsetUnits: -4,
      };
      group.add(new Mesh(geometryOf([surface]), new MeshLambertMaterial({ vertexColors: true, ...see })));
    }
    const node = this.lattice.nodes[cell[0]];
    const drawn = node.radius ? this.circles(centre(this.lattice, cell), node.radius) : [...lines.values()].flat();
    const rim = this.linesOf(drawn, this.colour(colour), opacity ? 2 : 3, {
      transparent: true,
      depthTest: Boolean(opacity),
    });
    rim.renderOrder = 2;
    group.add(rim);
  }

  /** Three circles around a ball. @param {number[]} at @param {number} radius */
  circles(at, radius) {
    /** @param {number} k @param {number} angle */
    const points = (k, angle) =>
      at.map(
        (x, axis) => x + 1.01 * radius * (axis === k ? 0 : axis === (k + 1) % 3 ? Math.cos(angle) : Math.sin(angle)),
      );
    const turn = Array.from({ length: 48 }, (_, n) => [(n * Math.PI) / 24, ((n + 1) * Math.PI) / 24]);
    return [0, 1, 2].flatMap((k) => turn.flatMap(([a, b]) => [...points(k, a), ...points(k, b)]));
  }

  /** Draw the cell at the cursor; it is the only visible one if the shape is empty. */
  drawCursor() {
    if (!this.eye) return;
    clear(this.mark);
    const alone = !this.shaping.chosen.size;
    if (alone || this.canvas.matches(":focus-visible"))
      this.phantom(this.mark, this.cursor, "var(--ring)", alone ? 0.15 : 0);
    this.invalidate();
  }

  /** Show what a click would do; `found` is what is under the pointer. @param {any} found @param {boolean} [other] */
  haunt(found, other = false) {
    const deed = found && this.deed(found, other ? "other" : this.tool);
    const name = deed ? `${deed.entry ? "fill" : "empty"} ${keyOf(deed.cell)}` : "";
    if (name === this.haunted) return;
    this.haunted = name;
    clear(this.ghost);
    if (deed) this.phantom(this.ghost, deed.seen, deed.entry ? "var(--mark)" : "var(--bad)", 0.5);
    this.canvas.style.cursor = deed ? "pointer" : "grab";
    this.invalidate();
  }

  invalidate() {
    this.waiting ??= requestAnimationFrame(() => this.frame());
  }

  frame() {
    this.waiting = null;
    if (!this.eye || this.stop.signal.aborted) return;
    if (this.ease()) this.invalidate();
    const { low, high } = this.box();
    const { middle } = this.eye;
    this.eye.focus(
      Math.hypot(...middle.toArray().map((at, k) => Math.max(Math.abs(low[k] - at), Math.abs(high[k] - at)))),
    );
    rendererOfPage().render(this.scene, this.eye.camera);
    if (this.eye.glide()) this.invalidate();
  }

  // What is done

  /**
   * What a click with a tool does: {cell, seen (where it is drawn), entry (null: it is emptied)}; null for nothing.
   * @param {{ cell: Cell | null, beside: Cell | null }} options @param {string} tool
   */
  deed({ cell, beside }, tool) {
    const { shaping } = this;
    const kind = tool === "other" ? (this.tool === "take" ? "add" : "take") : tool;
    if (kind === "add")
      return beside && !shaping.chosen.has(keyOf(shaping.home(beside)))
        ? { cell: shaping.home(beside), seen: beside, entry: shaping.how.paint() }
        : null;
    if (!cell) return null;
    return { cell, seen: cell, entry: kind === "take" ? null : shaping.how.paint() };
  }

  /** @param {{ cell: Cell, entry: Filling | null } | null} deed */
  do(deed) {
    if (!deed) return;
    this.cursor = deed.cell;
    this.shaping.put(deed.cell, deed.entry);
    this.shaping.changed();
    this.say();
  }

  /** @param {PointerEvent & { target: any }} event */
  released(event) {
    const [x, y] = this.down ?? [Infinity, Infinity];
    this.down = null;
    if (event.button === 1 || Math.hypot(event.clientX - x, event.clientY - y) >= CLICK) return;
    const found = this.pick(event);
    if (found) this.do(this.deed(found, event.button === 2 || event.shiftKey ? "other" : this.tool));
  }

  say() {
    const entry = this.shaping.chosen.get(keyOf(this.shaping.home(this.cursor)));
    this.said.textContent = `cell ${words(this.lattice, this.cursor)}: ${entry ? this.shaping.how.look(entry).label : "empty"}`;
  }

  /** @param {KeyboardEvent & { target: any }} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (arrows && event.shiftKey) this.eye.turn(-arrows[0] * STEP, arrows[1] * STEP);
    else if (arrows) this.go(this.onGround(arrows));
    else if (event.key === "PageUp" || event.key === "PageDown") this.go([0, 0, event.key === "PageUp" ? 1 : -1]);
    else if (event.key === " " || event.key === "Enter") this.flip();
    else if (event.key === "Delete" || event.key === "Backspace")
      this.do({ cell: this.shaping.home(this.cursor), entry: null });
    else if (event.key === "+" || event.key === "=") this.eye.zoom(1.2);
    else if (event.key === "-") this.eye.zoom(1 / 1.2);
    else if (event.key === "0") this.home();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  flip() {
    const cell = this.shaping.home(this.cursor);
    const entry = this.shaping.chosen.get(keyOf(cell));
    this.do({ cell, entry: entry && this.shaping.how.same(entry) ? null : this.shaping.how.paint() });
    this.drawCursor();
  }

  /** A direction on the ground: to the right, or away from the viewer. @param {number[]} options */
  onGround([right, away]) {
    const towards = this.eye.camera.position.clone().sub(this.eye.controls.target);
    const length = Math.hypot(towards.x, towards.y) || 1;
    const [x, y] = [-towards.x / length, -towards.y / length];
    return [right * y + away * x, -right * x + away * y, 0];
  }

  /** Move the cursor to the neighbour that lies most in a direction. @param {number[]} way */
  go(way) {
    const at = centre(this.lattice, this.cursor);
    let [best, most] = [/** @type {number[] | null} */ (null), 0.25];
    for (const step of this.lattice.nodes[this.cursor[0]].beside) {
      const next = shifted(step, this.cursor.slice(1));
      const to = centre(this.lattice, next).map((x, k) => x - at[k]);
      const along = dot(to, way) / (Math.hypot(...to) || 1);
      if (along > most + 1e-6) [best, most] = [next, along];
    }
    if (best) this.cursor = best;
    this.drawCursor();
    this.say();
  }

  /**
   * What is under the pointer: the cell, and the one across the visible face; null if nothing is.
   * @param {PointerEvent & { target: any }} event
   */
  pick(event) {
    const box = this.canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(
      new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height),
      this.eye.camera,
    );
    if (!this.shaping.chosen.size)
      return ray.intersectObjects(
        this.mark.children.filter((mesh) => mesh instanceof Mesh),
        false,
      ).length
        ? { cell: null, beside: this.cursor }
        : null;
    const ball = this.ballAt(ray.ray);
    if (ball) return { cell: ball.cell, beside: this.nearest(ball.cell, ball.point) };
    const meshes = this.bodies.children.filter((mesh) => mesh.userData.sides);
    const hit = this.balls.length ? null : ray.intersectObjects(meshes, false)[0];
    if (!hit) return null;
    const { cell, face } = hit.object.userData.sides[hit.faceIndex ?? 0];
    const { x, y, z } = hit.point;
    return { cell, beside: face.across ? shifted(face.across, cell.slice(1)) : this.nearest(cell, [x, y, z]) };
  }

  /** @param {any} how */
  ballAt({ origin, direction }) {
    const [from, way] = [origin, direction].map(({ x, y, z }) => [x, y, z]);
    let [best, least] = [/** @type {{ cell: any, point: number[] } | null} */ (null), Infinity];
    for (const { cell, at, radius } of this.balls) {
      const to = at.map((/** @type {number} */ x, /** @type {number} */ k) => x - from[k]);
      const along = dot(to, way);
      const inside = radius ** 2 - dot(to, to) + along ** 2;
      const away = along - Math.sqrt(Math.max(0, inside));
      if (inside > 0 && away < least) [best, least] = [{ cell, point: from.map((x, k) => x + away * way[k]) }, away];
    }
    return best;
  }

  /** The neighbour whose centre lies nearest to a point on a cell. @param {Cell} cell @param {number[]} point */
  nearest(cell, point) {
    let [best, least] = [/** @type {number[] | null} */ (null), Infinity];
    for (const step of this.lattice.nodes[cell[0]].beside) {
      const next = shifted(step, cell.slice(1));
      const away = Math.hypot(...centre(this.lattice, next).map((x, k) => x - point[k]));
      if (away < least - 1e-6) [best, least] = [next, away];
    }
    return best;
  }

  /**
   * The position on the page of a cell's side to a neighbour: [x, y]; null until all is drawn and the view is at rest.
   * @param {Cell} cell @param {Cell} beside
   */
  pointOf(cell, beside) {
    if (this.waits || this.eased || this.waiting) return null;
    const [at, to] = [cell, beside].map((one) => centre(this.lattice, one));
    const face = facesOf(this.lattice)[cell[0]].find(
      (/** @type {any} */ { across }) => across && keyOf(shifted(across, cell.slice(1))) === keyOf(beside),
    );
    const point = face
      ? face.middle.map((/** @type {number} */ x, /** @type {number} */ k) => x + at[k])
      : at.map((x, k) => (x + to[k]) / 2);
    this.eye.camera.updateMatrixWorld();
    const { x, y } = new Vector3(...point).project(this.eye.camera);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + ((x + 1) / 2) * box.width, box.top + ((1 - y) / 2) * box.height];
  }

  dispose() {
    if (this.stop.signal.aborted) return;
    this.stop.abort();
    if (!this.eye) return;
    const { position } = this.eye.camera;
    this.kept.cursor = this.cursor;
    this.kept.gaze = { position: position.clone(), target: this.eye.controls.target.clone() };
    cancelAnimationFrame(this.waiting ?? 0);
    this.watcher.disconnect();
    this.eye.dispose();
    for (const group of [this.bodies, this.ghost, this.mark]) clear(group);
  }
}

/** @param {any} group */
function clear(group) {
  for (const child of group.children) {
    child.geometry.dispose();
    child.material.dispose();
  }
  group.clear();
}

const known = new WeakMap();

/**
 * The faces of each node's cell: their ring, corners as triangles, normal, middle, and the cell across.
 * @param {Lattice} lattice
 */
function facesOf(lattice) {
  if (!known.has(lattice))
    known.set(
      lattice,
      lattice.nodes.map((node) =>
        (node.faces ?? []).map((ring, k) => {
          const points = ring.map((v) => (node.vertices ?? [])[v]);
          const normal = normalOf(points);
          const right = points[1].map((x, axis) => x - points[0][axis]);
          const ahead = cross(normal, right);
          const flat = points.map((p) => new Vector2(dot(p, right), dot(p, ahead)));
          const corners = ShapeUtils.triangulateShape(flat, [])
            .flat()
            .map((corner) => points[corner]);
          const middle = [0, 1, 2].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
          return { ring, normal, corners, middle, across: node.across?.[k] };
        }),
      ),
    );
  return known.get(lattice);
}

/** Coloured triangles, and the cell that each belongs to. */
class Surface {
  constructor() {
    /** @type {number[]} */
    this.places = [];
    /** @type {number[]} */
    this.normals = [];
    /** @type {number[]} */
    this.colours = [];
    /** @type {any[]} */
    this.sides = [];
  }

  /**
   * @param {{ corners: number[][], normal: number[] }} options @param {number[]} at
   * @param {{ r: number, g: number, b: number }} options @param {unknown} side
   */
  addFace({ corners, normal }, at, { r, g, b }, side) {
    corners.forEach(([x, y, z], k) => {
      this.places.push(x + at[0], y + at[1], z + at[2]);
      this.normals.push(...normal);
      this.colours.push(r, g, b);
      if (k % 3 === 0) this.sides.push(side);
    });
  }

  /**
   * @param {number[]} at @param {number} radius @param {{ r: number, g: number, b: number }} options
   * @param {boolean} many
   */
  addBall(at, radius, { r, g, b }, many) {
    const corners = cornersOfBall(many);
    for (let k = 0; k < corners.length; k += 3) {
      for (let axis = 0; axis < 3; axis += 1) {
        this.places.push(at[axis] + radius * corners[k + axis]);
        this.normals.push(corners[k + axis]);
      }
      this.colours.push(r, g, b);
    }
  }
}

/** @param {Surface[]} surfaces */
function geometryOf(surfaces) {
  const made = new BufferGeometry();
  for (const [name, of] of /** @type {[string, "places" | "normals" | "colours"][]} */ ([
    ["position", "places"],
    ["normal", "normals"],
    ["color", "colours"],
  ])) {
    const values = new Float32Array(surfaces.reduce((size, surface) => size + surface[of].length, 0));
    let at = 0;
    for (const surface of surfaces) {
      values.set(surface[of], at);
      at += surface[of].length;
    }
    made.setAttribute(name, new BufferAttribute(values, 3));
  }
  return made;
}

/** @param {{ fill: string, faint?: boolean } | undefined} one @param {{ fill: string, faint?: boolean }} other */
const sameLook = (one, other) => one?.fill === other.fill && Boolean(one.faint) === Boolean(other.faint);

const spheres = new Map();

/** The corners of the triangles of a ball of radius 1. @param {boolean} many */
function cornersOfBall(many) {
  if (!spheres.has(many)) {
    const { attributes, index } = many ? new SphereGeometry(1, 14, 10) : new SphereGeometry(1, 28, 18);
    spheres.set(
      many,
      [...(index?.array ?? [])].flatMap((k) => [
        attributes.position.getX(k),
        attributes.position.getY(k),
        attributes.position.getZ(k),
      ]),
    );
  }
  return spheres.get(many);
}
