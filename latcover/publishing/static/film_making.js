// The film of a plan that takes a solution apart, as latcover/drawing/film.py makes it. source.js says what a film is.

import { cornersOf } from "./found.js";
import { AXES, cartesian, cross, dot, length, mean, minus, plus, times } from "./vectors.js";

const WAYS = [[0.62, -1, 0.72], [1, 0.62, 0.72], [-0.62, 1, 0.72], [-1, -0.62, 0.72]]; // the first is the usual one
const GAP = 0.8; // of the size of a cell: between groups that are set aside, as the viewer sees them
const WIDE = 1.5; // the width of a picture that has room at its sides, as a share of its height
const SIDEWARDS = 0.6; // how much longer a way to the wrong side counts
const GRID = 41; // places that are tried, along each axis
const HIDDEN = 0.7; // the share of cells of what moves that others may hide; if they hide more, they become glass
const LINE_OF_SIGHT = 0.7; // of the size of a cell: what is nearer to it hides a cell

const WORLD = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const rounded = (values, digits = 4) => values.map((value) => Math.round(value * 10 ** digits) / 10 ** digits + 0);

/** The film of a plan for `options` of a PlayPuzzle; `apart` is the page's data of taking apart. */
export function filmOf(apart, play, options, plan) {
  return new Studio(apart, play, options, plan).film();
}

class Studio {
  constructor(apart, play, options, plan) {
    Object.assign(this, { apart, play, plan, size: play.size, separations: plan.separations });
    this.cells = options.map((option) => play.cellsOf(option).map((cell) => play.centres[cell]));
    this.shapes = options.map((option) => {
      const { points, radii } = cornersOf(play.shapes[play.optionShape[option]]);
      return { points: points.map((point) => plus(point, play.placeOf(option))), radii };
    });
    this.names = namesOf(play, options);
    this.upright = this.boxes(WORLD);
    this.middle = middleOf(boxAround(this.upright));
  }

  film() {
    this.moments = this.allMoments();
    const way = times(1 / length(WAYS[0]), this.bestWay());
    const { result } = this.plan;
    const film = { result, words: resultInWords(this.plan), way: rounded(way), reaches: [], moves: [] };
    if (this.separations.length) {
      this.view = viewFrom(way);
      this.seen = this.boxes(this.view);
      this.starts = new Map(this.moments.filter(({ step }) => !step).map(({ separation, shifts }) => [separation, shifts]));
      this.parking = new Parking(this.busy(), this.onView(this.middle), GAP * this.size);
      const shots = this.shots();
      film.reaches = this.reaches(shots).map((rows) => rows.map((row) => rounded(row)));
      film.moves = shots.map(({ words, step, by, aside, glass, separation }) => ({
        words,
        pieces: step.pieces,
        by: rounded(by),
        aside: aside.map((group) => ({ pieces: group.pieces, by: rounded(group.by) })),
        glass,
        separation,
      }));
    }
    return film;
  }

  onView(point) {
    return this.view.map((axis) => dot(axis, point));
  }

  fromView([right, up, near]) {
    return AXES.map((axis) => right * this.view[0][axis] + up * this.view[1][axis] + near * this.view[2][axis]);
  }

  /** The box of each piece in its place, along axes. */
  boxes(axes) {
    return this.shapes.map(({ points, radii }) => [Math.min, Math.max].map((most, end) =>
      axes.map((axis) => most(...points.map((point, k) => dot(axis, point) + (end ? radii[k] : -radii[k]))))));
  }

  /** {separation, step, by, shifts}: before each separation (without a step), and after each of its moves. */
  allMoments() {
    let shifts = this.cells.map(() => [0, 0, 0]);
    const moved = (pieces, by) => {
      shifts = shifts.map((shift, piece) => (pieces.includes(piece) ? plus(shift, by) : shift));
    };
    const found = [];
    this.separations.forEach(({ pieces, steps }, separation) => {
      if (separation && !same(pieces, this.separations[separation - 1].stays)) {
        const here = pieces.map((piece) => this.upright[piece].map((end) => plus(end, shifts[piece])));
        moved(pieces, minus(this.middle, middleOf(boxAround(here))));
      }
      found.push({ separation, step: null, by: [0, 0, 0], shifts });
      for (const step of steps) {
        const by = times(step.distance, cartesian(step.direction, this.apart.basis));
        moved(step.pieces, by);
        found.push({ separation, step, by, shifts });
      }
    });
    return found;
  }

  /** The way towards the viewer from which most of what moves stands in front. */
  bestWay() {
    const middles = this.upright.map(middleOf);
    let nearer = [0, 0, 0];
    for (const { separation, step, shifts } of this.moments) {
      if (step) {
        const at = (pieces) => mean(pieces.map((piece) => plus(middles[piece], shifts[piece])));
        const rest = this.separations[separation].pieces.filter((piece) => !step.pieces.includes(piece));
        const apart = minus(at(step.pieces), at(rest));
        nearer = plus(nearer, times(1 / Math.max(length(apart), 1e-9), apart));
      }
    }
    const worth = rounded(WAYS.map((way) => dot(way, nearer)), 6);
    return WAYS[worth.indexOf(Math.max(...worth))];
  }

  shots() {
    let shifts = this.cells.map(() => [0, 0, 0]);
    const found = [];
    for (const moment of this.moments.filter(({ step }) => step)) {
      const { separation, step, by } = moment;
      const before = shifts;
      const after = shifts.map((shift, piece) => (step.pieces.includes(piece) ? plus(shift, by) : shift));
      const aside = step.separates ? this.setAside(moment, after) : [];
      const glass = step.separates ? [] : this.hiding(separation, step, [before, after]);
      shifts = after.map((shift, piece) =>
        aside.filter(({ pieces }) => pieces.includes(piece)).reduce((sum, group) => plus(sum, group.by), shift));
      found.push({ step, separation, by, after, settled: shifts, aside, glass, words: this.words(step) });
    }
    return found;
  }

  words({ pieces, direction, distance, separates }) {
    const one = pieces.length === 1;
    const names = pieces.map((piece) => this.names[piece]);
    const who = `${one ? "part" : "parts"} ${one ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`}`;
    const where = this.apart.words[direction.join(",")];
    const slide = one ? "slides" : "slide";
    if (!separates) {
      return `${who} ${slide} ${distance} ${where}`;
    }
    return `${who} ${slide} ${where} and ${one ? "comes off" : "come off together"}`;
  }

  /** Pieces that hide what moves, if much of it is hidden at any of some moments. */
  hiding(separation, step, moments) {
    const rest = this.separations[separation].pieces.filter((piece) => !step.pieces.includes(piece)).sort((a, b) => a - b);
    const found = new Set();
    for (const shifts of moments) {
      const seen = (piece) => this.cells[piece].map((cell) => this.onView(plus(cell, shifts[piece])));
      const movers = step.pieces.flatMap(seen);
      const hides = rest.map((piece) => {
        const cells = seen(piece);
        return movers.map((mover) => cells.some((cell) => {
          const apart = minus(cell, mover);
          return Math.hypot(apart[0], apart[1]) < LINE_OF_SIGHT * this.size && apart[2] > 0;
        }));
      });
      const hidden = movers.filter((_, k) => hides.some((row) => row[k])).length;
      if (hidden / movers.length > HIDDEN) {
        rest.filter((_, row) => hides[row].some(Boolean)).forEach((piece) => found.add(piece));
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  /** The box around a group, along the axes of the view. */
  box(group, shifts) {
    return boxAround(group.map((piece) => this.seen[piece].map((end) => plus(end, this.onView(shifts[piece])))));
  }

  /** The rectangle in which the groups in the middle move until their last moves. */
  busy() {
    const quiet = this.moments.filter(({ step }) => !step || !step.separates);
    const boxes = quiet.map(({ separation, shifts }) => this.box(this.separations[separation].pieces, shifts));
    return boxAround(boxes).map((end) => end.slice(0, 2));
  }

  /** Which groups go where after the last move of a separation. */
  setAside({ separation, by }, shifts) {
    const { stays, removed } = this.separations[separation];
    const following = this.separations[separation + 1]?.pieces ?? stays;
    const found = [];
    for (const [pieces, way] of [[removed, by], [stays, times(-1, by)]]) {
      if (!same(pieces, following)) {
        const place = this.parking.place(pieces, this.box(pieces, shifts), this.onView(way));
        found.push({ pieces, by: this.fromView(place) });
      }
    }
    if (!same(following, stays)) {
      this.parking.fetch(following);
      const start = this.starts.get(separation + 1);
      found.push({ pieces: following, by: minus(start[following[0]], shifts[following[0]]) });
    }
    return found;
  }

  /** How far all pieces reach from the middle until each separation is done. */
  reaches(shots) {
    const middle = this.onView(this.middle);
    let rows = [];
    return this.separations.map((_, number) => {
      for (const { after, settled } of shots.filter(({ separation }) => separation === number)) {
        for (const shifts of [after, settled]) {
          const here = this.seen.map((box, piece) => box.map((end) => minus(plus(end, this.onView(shifts[piece])), middle)));
          rows = [...rows, ...here.map(([low, high]) => [
            Math.max(Math.abs(low[0]), Math.abs(high[0])), Math.max(Math.abs(low[1]), Math.abs(high[1])), high[2],
          ])];
        }
      }
      rows = greatest(rows);
      return rows;
    });
  }
}

/** The rows that no other row exceeds in every column, sorted. */
function greatest(rows) {
  const known = new Map(rows.map((row) => rounded(row)).map((row) => [row.join(), row]));
  const all = [...known.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return all.filter((row) => !all.some((other) => other !== row && other.every((x, k) => x >= row[k])));
}

/** Where groups are set aside: around what is busy, as the viewer sees it. */
class Parking {
  constructor(busy, middle, gap) {
    Object.assign(this, { busy, middle, gap, taken: new Map() });
  }

  /** How far a group that now fills `box` goes, along the axes of the view; `way` is where it comes from. */
  place(group, box, way) {
    const half = minus(box[1], box[0]).map((x) => x / 2);
    const taken = [this.busy, ...this.taken.values()];
    const room = [0, 1].map((k) => half[k] + this.gap);
    const low = [0, 1].map((k) => Math.min(...taken.map((one) => one[0][k])) - room[k]);
    const high = [0, 1].map((k) => Math.max(...taken.map((one) => one[1][k])) + room[k]);
    let [best, least] = [null, Infinity];
    const far = Math.hypot(way[0], way[1]);
    for (let i = 0; i < GRID; i += 1) {
      for (let j = 0; j < GRID; j += 1) {
        const place = [i, j].map((n, k) => low[k] + (n * (high[k] - low[k])) / (GRID - 1));
        const free = taken.every((one) =>
          [0, 1].some((k) => place[k] <= one[0][k] - room[k] + 1e-9 || place[k] >= one[1][k] + room[k] - 1e-9));
        if (free) {
          const away = [(place[0] - this.middle[0]) / WIDE, place[1] - this.middle[1]];
          const distance = Math.hypot(...away);
          const along = far > 1e-9 ? (away[0] * way[0] + away[1] * way[1]) / (distance * far) : 0;
          const [cost] = rounded([distance * (1 + (SIDEWARDS * (1 - along)) / 2)], 6);
          [best, least] = cost < least ? [place, cost] : [best, least];
        }
      }
    }
    this.taken.set(group.join(), [0, 1].map((end) => [0, 1].map((k) => best[k] + (end ? half[k] : -half[k]))));
    return minus([...best, this.middle[2] - half[2]], middleOf(box));
  }

  /** A group goes to the middle. */
  fetch(group) {
    this.taken.delete(group.join());
  }
}

/** The axes of a picture: right, up, and towards the viewer. */
function viewFrom(towards) {
  const right = cross([0, 0, 1], towards);
  const unit = length(right) > 1e-6 ? times(1 / length(right), right) : [1, 0, 0];
  return [unit, cross(towards, unit), towards];
}

function boxAround(boxes) {
  return [Math.min, Math.max].map((most, end) => boxes[0][end].map((_, axis) => most(...boxes.map((box) => box[end][axis]))));
}

function middleOf([low, high]) {
  return times(1 / 2, plus(low, high));
}

function same(a, b) {
  return a.length === b.length && a.every((piece, k) => piece === b[k]);
}

/** A name for each piece: its part's, with a number where several copies are used. */
function namesOf(play, options) {
  const parts = options.map((option) => play.partOfOption(option));
  return parts.map((part, piece) => {
    const many = parts.filter((other) => other === part).length > 1;
    const { name } = play.parts[part];
    return many ? `${name} ${parts.slice(0, piece + 1).filter((other) => other === part).length}` : name;
  });
}

/** What is known about taking a solution apart, in a few words. */
export function resultInWords({ result, stop, level, moves, steps, separations, n_pieces: pieces }) {
  if (result === "stuck") {
    return "it cannot be taken apart by sliding";
  }
  if (result === "unknown") {
    return `it is not known whether it comes apart (${stop || "a limit was met"})`;
  }
  if (!level.length) {
    return "there is nothing to take apart";
  }
  const counted = (many, noun) => `${many.toLocaleString("en")} ${noun}${many === 1 ? "" : "s"}`;
  const others = steps - moves;
  const freed = others ? `, and ${others} more, each of which frees a piece at once` : "";
  return `it comes apart with level ${level.join(".")}: ${counted(moves, "move")}${freed}${together(separations, pieces)}`;
}

function together(separations, pieces) {
  const parted = separations.map((separation) => separation.pieces.join());
  const ends = separations.length ? separations.flatMap(({ stays, removed }) => [stays, removed]) : [Array.from({ length: pieces }, (_, k) => k)];
  return ends.some((group) => group.length > 1 && !parted.includes(group.join())) ? "; some parts may stay together" : "";
}
