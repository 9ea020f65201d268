// Solutions that this page has found, as a source for the viewer (source.js says what a source is).

const FULL = 1.6; // how far parts move when they are fully apart, as a share of their distance from the middle

export class Found {
  /** `puzzle` is a PlayPuzzle. */
  constructor(puzzle) {
    this.play = puzzle;
    const { heights } = puzzle.puzzle;
    this.puzzle = { ...puzzle.puzzle, heights: heights.slice(0, 1) }; // shapes for play are not cut into layers
    this.parts = puzzle.parts;
    this.clear();
  }

  clear() {
    this.covers = []; // the options of each
    this.orbits = [];
  }

  get count() {
    return this.covers.length;
  }

  add(options, orbit) {
    const part = (option) => this.play.partOfOption(option);
    const placed = Array.from(options).filter((option) => part(option) >= 0);
    this.covers.push(Int32Array.from(placed.sort((a, b) => part(a) - part(b) || a - b)));
    this.orbits.push(orbit);
  }

  async solution(k) {
    return { number: k + 1, image: 1, orbit: this.orbits[k], items: this.items(k), film: null };
  }

  /** What is drawn: the options of a solution, and then the cells that stay empty. */
  items(k) {
    const { play } = this;
    const options = Array.from(this.covers[k]);
    const boxes = options.map((option) => boxOf(play, option));
    const middle = middleOf(joined(boxes));
    const placed = options.map((option, n) => ({
      part: play.partOfOption(option),
      at: play.placeOf(option),
      move: middleOf(boxes[n]).map((x, axis) => FULL * (x - middle[axis])),
      shape: play.shapes[play.optionShape[option]],
    }));
    const covered = new Set(options.flatMap((option) => play.cellsOf(option)));
    const empty = play.units.flatMap((at, cell) =>
      covered.has(cell) ? [] : [{ part: -1, at, move: [0, 0, 0], shape: play.shapes[play.cellShape[cell]] }],
    );
    return [...placed, ...empty];
  }
}

/** The box around an option's shape in its place: [low, high]. */
export function boxOf(play, option) {
  const at = play.placeOf(option);
  const { points, radii } = cornersOf(play.shapes[play.optionShape[option]]);
  const low = [0, 1, 2].map((axis) => at[axis] + Math.min(...points.map((point, n) => point[axis] - radii[n])));
  const high = [0, 1, 2].map((axis) => at[axis] + Math.max(...points.map((point, n) => point[axis] + radii[n])));
  return [low, high];
}

/** The corners and balls of a shape: {points, radii}; the radius of a corner is 0. */
export function cornersOf({ outlines = [], solid = { vertices: [] }, balls = [] }) {
  const points = [];
  const radii = [];
  for (const ring of outlines.flat()) {
    for (let k = 0; k < ring.length; k += 2) {
      points.push([ring[k], ring[k + 1], 0]);
      radii.push(0);
    }
  }
  for (let k = 0; k < solid.vertices.length; k += 3) {
    points.push(solid.vertices.slice(k, k + 3));
    radii.push(0);
  }
  for (let k = 0; k < balls.length; k += 4) {
    points.push(balls.slice(k, k + 3));
    radii.push(balls[k + 3]);
  }
  return { points, radii };
}

function joined(boxes) {
  return [0, 1].map((end) => [0, 1, 2].map((axis) => Math[end ? "max" : "min"](...boxes.map((box) => box[end][axis]))));
}

function middleOf([low, high]) {
  return low.map((x, axis) => (x + high[axis]) / 2);
}
