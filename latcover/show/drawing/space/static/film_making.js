// The film of a disassembly: where every piece is after each move, and from where to look.
//
// One group at a time is in the middle. When a move has parted it in two, the group that is not taken apart next is set
// aside: beside what is in the middle, as the viewer sees it, and a little behind, so that it hides no move.

import { boxAround, cornersOf, middleOf } from "./boxes.js";
import { Parking } from "./parking.js";
import { REST, WORLD, placed, slid, turned, turnedBack } from "./poses.js";
import { AXES, cross, dot, length, mean, minus, plus, rounded, times } from "./vectors.js";

/** @import { Box, Disassembly, FilmData, Group, Item, Point, Pose, Puzzle, Step, Turn } from "./types.js" */

const FLAT_WAYS = [[0, 0, 1]];
const SOLID_WAYS = [
  [0.62, -1, 0.72], // the usual one
  [1, 0.62, 0.72],
  [-0.62, 1, 0.72],
  [-1, -0.62, 0.72],
];
const GAP = 0.8; // of the size of a cell: between groups that are set aside, as the viewer sees them
const HIDDEN = 0.7; // the share of cells of what moves that others may hide; if they hide more, they become glass
const SWEPT = [0.25, 0.5, 0.75]; // shares of a turn at which pieces reach farther than at its ends
const LINE_OF_SIGHT = 0.7; // of the size of a cell: what is nearer to it hides a cell

/**
 * A group before it is parted (without a step), or after one of its moves; `poses` is where each piece is. The middle of
 * a turn is where it is in the film.
 *
 * @typedef {{ separation: number, step: Step | null, by: Point, turn?: Turn, poses: Pose[] }} Moment
 */

/**
 * A move, and what goes aside after it.
 *
 * @typedef {{
 *   step: Step, separation: number, by: Point, turn?: Turn, swept: Pose[][], settled: Pose[], aside: Group[],
 *   glass: number[],
 * }} Shot
 */

/**
 * The film of a disassembly with at least one separation. `items` are those of the solution, its pieces first.
 *
 * @param {Disassembly} disassembly
 * @param {Item[]} items
 * @param {Puzzle} puzzle
 * @returns {FilmData}
 */
export function filmOf(disassembly, items, puzzle) {
  return new Studio(disassembly, items, puzzle).film();
}

class Studio {
  /**
   * @param {Disassembly} disassembly
   * @param {Item[]} items
   * @param {Puzzle} puzzle
   */
  constructor({ separations, cells }, items, { dimension, size }) {
    this.separations = separations;
    this.size = size;
    this.cells = cells.map((row) => Array.from({ length: row.length / 3 }, (_, k) => row.slice(3 * k, 3 * k + 3)));
    this.shapes = items.slice(0, cells.length).map(({ shape, at }) => {
      const { points, radii } = cornersOf(shape);
      return { points: points.map((point) => plus(point, at)), radii };
    });
    this.upright = this.boxes(WORLD);
    this.middle = middleOf(boxAround(this.upright));
    this.moments = this.allMoments();
    const ways = dimension === 2 ? FLAT_WAYS : SOLID_WAYS;
    this.way = times(1 / length(ways[0]), this.bestWay(ways));
    this.view = viewFrom(this.way);
    this.seen = this.boxes(this.view);
    this.starts = new Map(this.moments.filter(({ step }) => !step).map((moment) => [moment.separation, moment.poses]));
    this.parking = new Parking(this.busy(), this.onView(this.middle), GAP * this.size);
  }

  film() {
    const shots = this.shots();
    return {
      way: rounded(this.way),
      reaches: this.reaches(shots).map((rows) => rows.map((row) => rounded(row))),
      moves: shots.map(({ step, by, turn, aside, glass, separation }) => ({
        words: step.words,
        pieces: step.pieces,
        by: rounded(by),
        ...(turn ? { turn } : {}),
        aside: aside.map((group) => ({ pieces: group.pieces, by: rounded(group.by) })),
        glass,
        separation,
      })),
    };
  }

  /** @param {Point} point */
  onView(point) {
    return this.view.map((axis) => dot(axis, point));
  }

  /** @param {Point} point */
  fromView([right, up, near]) {
    return AXES.map((axis) => right * this.view[0][axis] + up * this.view[1][axis] + near * this.view[2][axis]);
  }

  /**
   * The box of each piece in its place, along axes.
   *
   * @param {Point[]} axes
   * @returns {Box[]}
   */
  boxes(axes, shapes = this.shapes) {
    return shapes.map(({ points, radii }) =>
      [Math.min, Math.max].map((most, end) =>
        axes.map((axis) => most(...points.map((point, k) => dot(axis, point) + (end ? radii[k] : -radii[k])))),
      ),
    );
  }

  /** Before each separation (without a step), and after each of its moves. */
  allMoments() {
    let poses = this.cells.map(() => REST);
    const away = this.cells.map(() => [0, 0, 0]); // how far pieces are from where their turns were found
    /** @type {Moment[]} */
    const found = [];
    this.separations.forEach(({ pieces, steps }, separation) => {
      if (separation && !same(pieces, this.separations[separation - 1].stays)) {
        const back = minus(
          this.middle,
          middleOf(boxAround(pieces.map((piece) => this.boxOf(piece, poses[piece], WORLD)))),
        );
        poses = moved(poses, pieces, (pose) => slid(pose, back));
        pieces.forEach((piece) => (away[piece] = plus(away[piece], back)));
      }
      found.push({ separation, step: null, by: [0, 0, 0], poses });
      for (const step of steps) {
        const turn = step.turn && { ...step.turn, middle: plus(step.turn.middle, away[step.pieces[0]]) };
        poses = moved(poses, step.pieces, (pose) => (turn ? turned(pose, turn, 1) : slid(pose, step.by)));
        found.push({ separation, step, by: step.by, turn, poses });
      }
    });
    return found;
  }

  /**
   * The way towards the viewer from which most of what moves stands in front.
   *
   * @param {Point[]} ways
   */
  bestWay(ways) {
    const middles = this.upright.map(middleOf);
    let nearer = [0, 0, 0];
    for (const { separation, step, poses } of this.moments) {
      if (step) {
        /** @param {number[]} pieces */
        const at = (pieces) => mean(pieces.map((piece) => placed(poses[piece], middles[piece])));
        const rest = this.separations[separation].pieces.filter((piece) => !step.pieces.includes(piece));
        const apart = minus(at(step.pieces), at(rest));
        nearer = plus(nearer, times(1 / Math.max(length(apart), 1e-9), apart));
      }
    }
    const worth = rounded(
      ways.map((way) => dot(way, nearer)),
      6,
    );
    return ways[worth.indexOf(Math.max(...worth))];
  }

  shots() {
    let poses = this.cells.map(() => REST);
    const found = [];
    for (const moment of this.moments) {
      const { separation, step, by, turn } = moment;
      if (!step) {
        continue;
      }
      const before = poses;
      /** @param {number} share */
      const at = (share) =>
        moved(before, step.pieces, (pose) => (turn ? turned(pose, turn, share) : slid(pose, times(share, by))));
      const after = at(1);
      const swept = turn ? [...SWEPT.map(at), after] : [after];
      const aside = step.separates ? this.setAside(moment, after) : [];
      const glass = step.separates ? [] : this.hiding(separation, step, [before, after]);
      poses = aside.reduce((all, group) => moved(all, group.pieces, (pose) => slid(pose, group.by)), after);
      found.push({ step, separation, by, turn, swept, settled: poses, aside, glass });
    }
    return found;
  }

  /**
   * Pieces that hide what moves, if much of it is hidden at any of some moments.
   *
   * @param {number} separation
   * @param {Step} step
   * @param {Pose[][]} moments
   */
  hiding(separation, step, moments) {
    const rest = this.separations[separation].pieces
      .filter((piece) => !step.pieces.includes(piece))
      .sort((a, b) => a - b);
    const found = new Set();
    for (const poses of moments) {
      /** @param {number} piece */
      const seen = (piece) => this.cells[piece].map((cell) => this.onView(placed(poses[piece], cell)));
      const movers = step.pieces.flatMap(seen);
      const hides = rest.map((piece) => {
        const cells = seen(piece);
        return movers.map((mover) =>
          cells.some((cell) => {
            const apart = minus(cell, mover);
            return Math.hypot(apart[0], apart[1]) < LINE_OF_SIGHT * this.size && apart[2] > 0;
          }),
        );
      });
      const hidden = movers.filter((_, k) => hides.some((row) => row[k])).length;
      if (hidden / movers.length > HIDDEN) {
        rest.filter((_, row) => hides[row].some(Boolean)).forEach((piece) => found.add(piece));
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  /**
   * The box around a group, along the axes of the view.
   *
   * @param {number[]} group
   * @param {Pose[]} poses
   */
  box(group, poses) {
    return boxAround(group.map((piece) => this.boxOf(piece, poses[piece], this.view)));
  }

  /**
   * The box of a piece along axes.
   *
   * @param {number} piece
   * @param {Pose} pose
   * @param {Point[]} axes
   * @returns {Box}
   */
  boxOf(piece, { turn, shift }, axes) {
    const by = axes.map((axis) => dot(axis, shift));
    const still = axes === WORLD ? this.upright : this.seen;
    const box = turn === WORLD ? still[piece] : this.boxes(turnedBack(axes, turn), [this.shapes[piece]])[0];
    return box.map((end) => plus(end, by));
  }

  /** The rectangle in which the groups in the middle move until their last moves. */
  busy() {
    const quiet = this.moments.filter(({ step }) => !step || !step.separates);
    const boxes = quiet.map(({ separation, poses }) => this.box(this.separations[separation].pieces, poses));
    return boxAround(boxes).map((end) => end.slice(0, 2));
  }

  /**
   * Which groups go where after the last move of a separation.
   *
   * @param {Moment} moment
   * @param {Pose[]} poses
   */
  setAside({ separation, by }, poses) {
    const { stays, removed } = this.separations[separation];
    const following = this.separations[separation + 1]?.pieces ?? stays;
    const found = [];
    for (const [pieces, way] of [
      [removed, by],
      [stays, times(-1, by)],
    ]) {
      if (!same(pieces, following)) {
        const place = this.parking.place(pieces, this.box(pieces, poses), this.onView(way));
        found.push({ pieces, by: this.fromView(place) });
      }
    }
    if (!same(following, stays)) {
      this.parking.fetch(following);
      const start = this.starts.get(separation + 1) ?? poses;
      found.push({ pieces: following, by: minus(start[following[0]].shift, poses[following[0]].shift) });
    }
    return found;
  }

  /**
   * How far all pieces reach from the middle until each separation is done.
   *
   * @param {Shot[]} shots
   */
  reaches(shots) {
    const middle = this.onView(this.middle);
    /** @type {number[][]} */
    let rows = [];
    return this.separations.map((_, number) => {
      for (const { swept, settled } of shots.filter(({ separation }) => separation === number)) {
        for (const poses of [...swept, settled]) {
          const here = poses.map((pose, piece) => this.boxOf(piece, pose, this.view).map((end) => minus(end, middle)));
          rows = [
            ...rows,
            ...here.map(([low, high]) => [
              Math.max(Math.abs(low[0]), Math.abs(high[0])),
              Math.max(Math.abs(low[1]), Math.abs(high[1])),
              high[2],
            ]),
          ];
        }
      }
      rows = greatest(rows);
      return rows;
    });
  }
}

/**
 * Poses some of which have changed.
 *
 * @param {Pose[]} poses
 * @param {number[]} pieces
 * @param {(pose: Pose) => Pose} change
 */
const moved = (poses, pieces, change) => poses.map((pose, piece) => (pieces.includes(piece) ? change(pose) : pose));

/**
 * The rows that no other row exceeds in every column, sorted.
 *
 * @param {number[][]} rows
 */
function greatest(rows) {
  const known = new Map(rows.map((row) => rounded(row)).map((row) => [row.join(), row]));
  const all = [...known.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return all.filter((row) => !all.some((other) => other !== row && other.every((x, k) => x >= row[k])));
}

/**
 * The axes of a picture: right, up, and towards the viewer.
 *
 * @param {Point} towards
 * @returns {Point[]}
 */
function viewFrom(towards) {
  const right = cross([0, 0, 1], towards);
  const unit = length(right) > 1e-6 ? times(1 / length(right), right) : [1, 0, 0];
  return [unit, cross(towards, unit), towards];
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
function same(a, b) {
  return a.length === b.length && a.every((piece, k) => piece === b[k]);
}
