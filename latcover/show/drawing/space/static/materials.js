// The materials of parts: their colours from the data, patterns from the 25th part on, and faint forms of them.

import { luminance } from "./colours.js";
import { CanvasTexture, Color, LineMaterial, MeshLambertMaterial, RepeatWrapping, SRGBColorSpace } from "./three.js";

/** @import { Part, Pattern } from "./types.js" */
/** @import { MeshLambertMaterialParameters } from "three" */
/** @import { LineMaterialParameters } from "three/addons/lines/LineMaterial.js" */

// What is drawn depends on the ground: colours fade towards `paper`, and a cell that stays empty looks like `empty`.
/** @typedef {Record<string, string>} Ground */

/** @type {{ light: Ground, dark: Ground }} */
const GROUNDS = {
  light: {
    paper: "#f2f2ee",
    empty: "#e4e4dc",
    outline: "#9a9a92",
    solid: "#222222",
    quiet: "#a8a8a0",
    faint: "#a0a098",
    good: "#12813a",
    bad: "#c8261d",
    chosen: "#1a4fd6",
  },
  dark: {
    paper: "#2b2f35",
    empty: "#4a4e55",
    outline: "#6a6e75",
    solid: "#101113",
    quiet: "#15171a",
    faint: "#7d8188",
    good: "#3fd07a",
    bad: "#ff6b5e",
    chosen: "#7fb0f5",
  },
};
const HELD = { transparent: true, opacity: 0.85 };
// Transparent things are drawn last, in the order of renderOrder, so one piece can shine through the others.
/**
 * @type {Record<string, { line: string, width?: number, fade?: number, to?: string, body?: MeshLambertMaterialParameters, edge?: LineMaterialParameters, }>}
 */
const STATES = {
  outline: { line: "outline", edge: { depthWrite: false } },
  solid: { line: "solid" },
  // Stands still while others move, whose lines are in front where they meet its own.
  quiet: { line: "quiet", edge: { polygonOffset: true, polygonOffsetFactor: 0.5, polygonOffsetUnits: 8 } },
  shining: { line: "solid", body: { transparent: true }, edge: { transparent: true } },
  faint: {
    line: "faint",
    body: { transparent: true, opacity: 0.12, depthWrite: false },
    edge: { transparent: true, opacity: 0.6, depthWrite: false },
  },
  // What is played by hand: a cell to fill; a part in the hand, which is seen through others; the one to take up.
  cell: {
    line: "faint",
    body: { transparent: true, opacity: 0.05, depthWrite: false },
    edge: { transparent: true, opacity: 0.35, depthWrite: false },
  },
  tinted: {
    line: "faint",
    body: { transparent: true, opacity: 0.28, depthWrite: false },
    edge: { transparent: true, opacity: 0.35, depthWrite: false },
  },
  glass: {
    line: "faint",
    body: { transparent: true, opacity: 0.08, depthWrite: false },
    edge: { transparent: true, opacity: 0.4, depthWrite: false },
  },
  cellBall: { line: "faint", body: { transparent: true, opacity: 0.4, depthWrite: false } },
  goodBall: { line: "good", fade: 0.45, to: "good", body: HELD },
  badBall: { line: "bad", fade: 0.75, to: "bad", body: { ...HELD, opacity: 0.7 } },
  chosenBall: { line: "chosen", fade: 0.5, to: "chosen" },
  good: { line: "good", width: 3, body: HELD, edge: { transparent: true, depthTest: false } },
  bad: { line: "bad", width: 3, body: { ...HELD, opacity: 0.45 }, edge: { transparent: true, depthTest: false } },
  chosen: { line: "chosen", width: 4 },
};
const DARK = 0.06; // of luminance: dark lines cannot be seen on darker colours
const HALO = 4; // of the white lines under them, in a puzzle with dark cells
const WIDTH = 1.7; // of lines, in pixels of the page
const TILE = 8; // the side of a pattern's square in its own units
const PIXELS = 64; // the side of its picture
const TILES = 3; // along the side of a cell

export class Materials {
  /** `dark`: whether the ground is. @param {boolean} dark */
  constructor(dark) {
    this.ground = GROUNDS[dark ? "dark" : "light"];
    /** @type {Map<string, any>} */
    this.made = new Map();
  }

  /**
   * The materials for all tints of a copy (from 0) of a part, or of an empty cell. `state` is a name in STATES.
   * @param {Part | undefined} part @param {number} copy @param {string} state @param {(string | null)[]} tints
   */
  bodies(part, copy, state, tints) {
    return tints.map((tint) => this.body(part, copy, state, tint));
  }

  /** @param {Part | undefined} part @param {number} copy @param {string} state @param {string | null} tint */
  body(part, copy, state, tint) {
    const colour = tint ?? (part ? part.colours[copy % part.colours.length] : this.ground.empty);
    const pattern = tint ? null : (part?.pattern ?? null);
    return this.get(`body ${colour} ${pattern?.path} ${state}`, () => {
      const { fade = 0, to = "paper" } = STATES[state];
      const pale = new Color(colour).lerp(new Color(this.ground[to]), fade);
      const paint = pattern ? { map: texture(`#${pale.getHexString()}`, pattern) } : { color: pale };
      // The lines along the edges lie in the faces, and must cover them.
      const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 16 };
      return new MeshLambertMaterial({ ...STATES[state].body, ...paint, ...behind });
    });
  }

  /** Whether a dark line cannot be seen on one of these tints. @param {(string | null)[]} tints */
  areDark(tints) {
    return tints.some((tint) => tint && luminance(tint) < DARK);
  }

  /** @param {string} state */
  edge(state) {
    return this.get(`edge ${state}`, () => {
      const { edge, line, width = WIDTH } = STATES[state];
      return new LineMaterial({ ...edge, color: new Color(this.ground[line]), linewidth: width });
    });
  }

  /**
   * The material of the white lines that lie between the bodies and the dark lines, and are wider than these.
   * @param {string} state
   */
  halo(state) {
    return this.get(`halo ${state}`, () => {
      const between = { polygonOffset: true, polygonOffsetFactor: 0.5, polygonOffsetUnits: 8 };
      return new LineMaterial({ ...STATES[state].edge, ...between, color: new Color("#ffffff"), linewidth: HALO });
    });
  }

  /**
   * @template {MeshLambertMaterial | LineMaterial} Made @param {string} name @param {() => Made} make @returns {Made}
   */
  get(name, make) {
    if (!this.made.has(name)) {
      this.made.set(name, make());
    }
    return this.made.get(name);
  }

  dispose() {
    for (const material of this.made.values()) {
      material.map?.dispose();
      material.dispose();
    }
  }
}

/** A pattern on its colour, as in pictures in files. @param {string} colour @param {Pattern} pattern */
function texture(colour, { path, angle }) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PIXELS;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = colour;
  pen.fillRect(0, 0, PIXELS, PIXELS);
  pen.scale(PIXELS / TILE, PIXELS / TILE);
  pen.strokeStyle = dark(colour) ? "rgb(255 255 255 / 0.55)" : "rgb(0 0 0 / 0.55)";
  pen.stroke(new Path2D(path));
  const made = new CanvasTexture(canvas);
  made.colorSpace = SRGBColorSpace;
  made.wrapS = made.wrapT = RepeatWrapping;
  made.repeat.set(TILES, TILES);
  made.rotation = (angle * Math.PI) / 180;
  return made;
}

/** @param {string} colour */
function dark(colour) {
  return luminance(colour) < 0.18; // where black and white stand out alike
}
