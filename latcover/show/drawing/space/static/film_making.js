// The film of a disassembly: where every piece is after each move, and from where to look.
//
// One group at a time is in the middle. When a move has parted it in two, the group that is not taken apart next is laid
// into a tray beside it (side_tray.js), on the same ground, and smaller if there are many. So the camera can stay close.

import { boxAround, cornersOf, middleOf } from "./boxes.js";
import { REST, WORLD, endOf, momentOf, placed, scaled, slid, turned, turnedBack } from "./poses.js";
import { trayOf } from "./side_tray.js";
import { AXES, cross, dot, length, mean, minus, plus, rounded, times } from "./vectors.js";

/** @import { Box, Disassembly, FilmData, Group, Item, Point, Pose, Puzzle, Step, Turn } from "./types.js" */
/** @import { Slot } from "./side_tray.js" */

const FLAT_WAYS = [[0, 0, 1]];
const SOLID_WAYS = [
  [0.62, -1, 0.72], // the usual one
  [1, 0.62, 0.72],
  [-0.62, 1, 0.72],
  [-1, -0.62, 0.72],
];
const GAP = 0.5; // of the size of a cell: between groups in the tray, as the viewer sees them
const NEAR = 0.4; // of how far all reaches towards the viewer: what is nearest is not at the border of the picture
const LEAVING = 0.8; // the share of what leaves that must be seen at the end of its way
const HIDDEN = 0.7; // the share of cells of what moves that others may hide; if they hide more, they become glass
const SWEPT = [0.25, 0.5, 0.75]; // shares of a turn at which pieces reach farther than at its ends
const LINE_OF_SIGHT = 0.7; // of the size of a cell: what is nearer to it hides a cell

/**
 * A group before it is parted (without a step), or after one of its moves; `poses` is where each piece is, and
 * `swept` that and where the pieces are while they turn. The middle of a turn is where it is in the film.
 *
 * @typedef {{ separation: number, step: Step | null, by: Point, turn?: Turn, poses: Pose[], swept: Pose[][] }} Moment
 */

/**
 * A move, and what goes aside after it.
 *
 * @typedef {{ step: Step, by: Point, turn?: Turn, aside: Group[], glass: number[] }} Shot
 */

/**
 * The film of a disassembly with at least one separation. `items` are those of the solution, its pieces first.
 * @param {Disassembly} disassembly @param {Item[]} items @param {Puzzle} puzzle @returns {FilmData}
 */
export function filmOf(disassembly, items, puzzle) {
  return new Studio(disassembly, items, puzzle).film();
}

class Studio {
  /** @param {Disassembly} disassembly @param {Item[]} items @param {Puzzle} puzzle */
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
    const quiet = this.moments.filter(({ step }) => !step || !step.separates);
    /** @param {Point[]} axes */
    const around = (axes) =>
      boxAround(quiet.flatMap((moment) => moment.swept.map((poses) => this.box(this.groupOf(moment), poses, axes))));
    this.busy = around(this.view); // the box in which the groups in the middle move until their last moves
    this.ground = around(WORLD)[0][2]; // on which the tray is
    const laid = this.moments.flatMap((moment) => this.laidAside(moment).map((pieces) => ({ pieces, moment })));
    const sizes = laid.map(({ pieces, moment }) => minus(...ends(this.box(pieces, moment.poses))).slice(0, 2));
    const { slots, scale } = trayOf(sizes, this.busy, GAP * this.size);
    this.scale = scale;
    /** @type {Map<string, Slot>} */
    this.slots = new Map(laid.map(({ pieces }, k) => [pieces.join(), slots[k]]));
  }

  film() {
    const shots = this.shots();
    const box = this.stageBox();
    const middle = middleOf(box);
    return {
      way: rounded(this.way),
      aim: rounded(minus(this.fromView([middle[0], middle[1], this.onView(this.middle)[2]]), this.middle)),
      ground: rounded([this.ground])[0],
      reach: rounded([...minus(box[1], middle).slice(0, 2), NEAR * (box[1][2] - this.onView(this.middle)[2])]),
      moves: shots.map(({ step, by, turn, aside, glass }) => ({
        words: step.words,
        pieces: step.pieces,
        by: rounded(by),
        ...(turn ? { turn } : {}),
        aside: aside.map(({ pieces, about, by: way, scale, over }) => ({
          pieces,
          about: rounded(about),
          by: rounded(way),
          scale,
          over: rounded(over),
        })),
        glass,
      })),
    };
  }

  /** @param {Moment} moment */
  groupOf({ separation }) {
    return this.separations[separation].pieces;
  }

  /** The groups that are laid into the tray after a moment. @param {Moment} moment */
  laidAside({ separation, step }) {
    const { stays, removed } = this.separations[separation];
    return step?.separates ? [removed, stays].filter((group) => !same(group, this.following(separation))) : [];
  }

  /** The group that is in the middle after a separation. @param {number} separation */
  following(separation) {
    return this.separations[separation + 1]?.pieces ?? this.separations[separation].stays;
  }

  /** The box, along the axes of the view, of all that is seen from the first move on. */
  stageBox() {
    const leaving = this.moments
      .filter(({ step }) => step?.separates)
      .map(({ step, poses }) => {
        const box = this.box(/** @type {Step} */ (step).pieces, poses);
        const middle = middleOf(box);
        return box.map((end) => plus(middle, times(2 * LEAVING - 1, minus(end, middle))));
      });
    const near = this.busy[1][2];
    const tray = [...this.slots.values()].map(({ middle, half }) =>
      [-1, 1].map((end) => [middle[0] + end * half[0], middle[1] + end * half[1], near]),
    );
    return boxAround([this.busy, ...leaving, ...tray]);
  }

  /** @param {Point} point */
  onView(point) {
    return this.view.map((axis) => dot(axis, point));
  }

  /** @param {Point} point */
  fromView([right, up, near]) {
    return AXES.map((axis) => right * this.view[0][axis] + up * this.view[1][axis] + near * this.view[2][axis]);
  }

  /** The box of each piece in its place, along axes. @param {Point[]} axes @returns {Box[]} */
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
    /** @type {Moment[]} */ const found = [];
    this.separations.forEach(({ pieces, steps }, separation) => {
      if (separation && !same(pieces, this.separations[separation - 1].stays)) {
        const back = minus(
          this.middle,
          middleOf(boxAround(pieces.map((piece) => this.boxOf(piece, poses[piece], WORLD)))),
        );
        poses = moved(poses, pieces, (pose) => slid(pose, back));
        pieces.forEach((piece) => (away[piece] = plus(away[piece], back)));
      }
      found.push({ separation, step: null, by: [0, 0, 0], poses, swept: [poses] });
      for (const step of steps) {
        const turn = step.turn && { ...step.turn, middle: plus(step.turn.middle, away[step.pieces[0]]) };
        const before = poses;
        poses = moved(poses, step.pieces, (pose) => (turn ? turned(pose, turn, endOf(turn)) : slid(pose, step.by)));
        const swept = turn
          ? SWEPT.map((share) => moved(before, step.pieces, (pose) => turned(pose, turn, momentOf(turn, share))))
          : [];
        found.push({ separation, step, by: step.by, turn, poses, swept: [...swept, poses] });
      }
    });
    return found;
  }

  /** The way towards the viewer from which most of what moves stands in front. @param {Point[]} ways */
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

  /** @returns {Shot[]} */
  shots() {
    let poses = this.cells.map(() => REST);
    /** @type {Shot[]} */ const found = [];
    for (const moment of this.moments) {
      const { separation, step, by, turn } = moment;
      if (!step) {
        continue;
      }
      const before = poses;
      /** @param {number} share */
      const at = (share) =>
        moved(before, step.pieces, (pose) =>
          turn ? turned(pose, turn, momentOf(turn, share)) : slid(pose, times(share, by)),
        );
      const after = at(1);
      const aside = step.separates ? this.setAside(moment, after) : [];
      const glass = step.separates ? [] : this.hiding(separation, step, [before, after]);
      poses = aside.reduce(
        (all, group) => moved(all, group.pieces, (pose) => slid(scaled(pose, group.scale, group.about), group.by)),
        after,
      );
      found.push({ step, by, turn, aside, glass });
    }
    return found;
  }

  /**
   * Pieces that hide what moves, if much of it is hidden at any of some moments.
   * @param {number} separation @param {Step} step @param {Pose[][]} moments
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

  /** The box around a group. @param {number[]} group @param {Pose[]} poses @param {Point[]} [axes] those of the view */
  box(group, poses, axes = this.view) {
    return boxAround(group.map((piece) => this.boxOf(piece, poses[piece], axes)));
  }

  /** The box of a piece along axes. @param {number} piece @param {Pose} pose @param {Point[]} axes @returns {Box} */
  boxOf(piece, { turn, shift }, axes) {
    const by = axes.map((axis) => dot(axis, shift));
    const still = axes === WORLD ? this.upright : this.seen;
    const box = turn === WORLD ? still[piece] : this.boxes(turnedBack(axes, turn), [this.shapes[piece]])[0];
    return box.map((end) => plus(end, by));
  }

  /**
   * Which groups go where after the last move of a separation.
   * @param {Moment} moment @param {Pose[]} poses @returns {Group[]}
   */
  setAside(moment, poses) {
    const found = this.laidAside(moment).map((pieces) => this.laid(pieces, poses));
    const following = this.following(moment.separation);
    if (!same(following, this.separations[moment.separation].stays)) {
      found.push(this.fetched(moment.separation, following, poses));
    }
    return found;
  }

  /**
   * How a group goes into the tray: it lies on the ground where the viewer sees its slot.
   * @param {number[]} pieces @param {Pose[]} poses @returns {Group}
   */
  laid(pieces, poses) {
    const slot = /** @type {Slot} */ (this.slots.get(pieces.join()));
    const about = this.fromView(middleOf(this.box(pieces, poses)));
    const upright = this.box(pieces, poses, WORLD);
    const high = this.ground + this.scale * (about[2] - upright[0][2]); // of its middle above the ground
    // Along the line of sight through the slot up to that height.
    const near = this.way;
    const there = this.fromView([...slot.middle, 0]);
    const place = plus(there, times((high - there[2]) / Math.max(near[2], 1e-3), near));
    return { pieces, about, by: minus(place, about), scale: this.scale, over: this.over(pieces, poses) };
  }

  /**
   * How a group comes back into the middle.
   * @param {number} separation @param {number[]} pieces @param {Pose[]} poses @returns {Group}
   */
  fetched(separation, pieces, poses) {
    const start = this.starts.get(separation + 1) ?? poses;
    const [from, to] = [poses[pieces[0]], start[pieces[0]]];
    const scale = 1 / (from.scale ?? 1);
    return { pieces, about: from.shift, by: minus(to.shift, from.shift), scale, over: this.over(pieces, start) };
  }

  /**
   * How far a group rises towards the viewer on its way between the middle and the tray, so that it passes in front.
   * @param {number[]} pieces @param {Pose[]} poses
   */
  over(pieces, poses) {
    const deep = this.busy[1][2] - this.onView(this.middle)[2];
    const [low, high] = this.box(pieces, poses);
    return times(deep + (high[2] - low[2]) / 2, this.way);
  }
}

/** The ends of a box, the high one first. @param {Box} box @returns {[Point, Point]} */
const ends = ([low, high]) => [high, low];

/**
 * Poses some of which have changed.
 * @param {Pose[]} poses @param {number[]} pieces @param {(pose: Pose) => Pose} change
 */
const moved = (poses, pieces, change) => poses.map((pose, piece) => (pieces.includes(piece) ? change(pose) : pose));

/** The axes of a picture: right, up, and towards the viewer. @param {Point} towards @returns {Point[]} */
function viewFrom(towards) {
  const right = cross([0, 0, 1], towards);
  const unit = length(right) > 1e-6 ? times(1 / length(right), right) : [1, 0, 0];
  return [unit, cross(towards, unit), towards];
}

/** @param {number[]} a @param {number[]} b */
function same(a, b) {
  return a.length === b.length && a.every((piece, k) => piece === b[k]);
}
