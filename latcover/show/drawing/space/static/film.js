// A film: where the pieces of a solution are while it is taken apart. film_making.js makes its data: {way, moves, reaches}.
//   way      from where to look, [x, y, z]
//   moves    each {words, pieces, by, turn, aside, glass, separation}: the items `pieces` go `by` [x, y, z], or turn; then
//            groups of items go aside, or to the middle, each {pieces, by}; glass: items that would hide what moves;
//            separation: an index into reaches
//   reaches  how far everything reaches from the middle until then, as seen from there: [side, up, towards the viewer] …
//
// A place in a film is a number: 3 is after three moves, 3.5 is within the fourth. A move has two stretches: its pieces
// slide or turn, and then groups go aside.

import { REST as STILL, slid, turned } from "./poses.js";
import { minus, times } from "./vectors.js";

/** @import { FilmData, Point, Pose, Turn } from "./types.js" */

const SLIDE = [350, 170, 900]; // milliseconds of a slide: at least, for each cell of its way, at most besides
const TURN = 14; // milliseconds for each degree of a turn, besides the least of a slide
const ASIDE = 750; // milliseconds in which groups go aside
const REST = 260; // milliseconds after each move
const AHEAD = 0.6; // of a slide: until then the view has become as wide as the move needs

export class Film {
  /**
   * `data` are those of a film, of `count` items; `size` is that of a cell.
   *
   * @param {FilmData} data
   * @param {number} count
   * @param {number} size
   */
  constructor(data, count, size) {
    this.data = data;
    this.moves = data.moves;
    /** @type {Pose[][]} */
    this.starts = [Array.from({ length: count }, () => STILL)]; // where all are before each move, and at the end
    /** @type {Pose[][]} */
    this.middles = []; // where all are when the pieces of a move have slid or turned
    this.times = this.moves.map(({ by, turn, aside }) => {
      const [least, each, most] = SLIDE;
      const degrees = turn ? Math.abs(turn.path[turn.path.length - 1][0]) : 0;
      const slide = least + Math.min(most, (each * Math.hypot(...by)) / size) + TURN * degrees;
      return { slide, aside: aside.length ? ASIDE : 0 };
    });
    for (const { pieces, by, turn, aside } of this.moves) {
      const middle = moved(this.starts[this.starts.length - 1], pieces, by, turn);
      this.middles.push(middle);
      this.starts.push(aside.reduce((all, group) => moved(all, group.pieces, group.by), middle));
    }
  }

  get last() {
    return this.moves.length;
  }

  /**
   * The milliseconds of the move at a place, with the rest after it.
   *
   * @param {number} place
   */
  duration(place) {
    const { slide, aside } = this.times[Math.min(Math.floor(place), this.last - 1)];
    return slide + aside + REST;
  }

  /**
   * The milliseconds of a move that have passed at a place within it.
   *
   * @param {number} place
   */
  passed(place) {
    return (place % 1) * this.duration(place);
  }

  /**
   * Where piece `number` is, from where it stands in the solution.
   *
   * @param {number} number
   * @param {number} place
   * @returns {Pose}
   */
  pose(number, place) {
    const k = Math.min(Math.floor(place), this.last);
    const from = this.starts[k][number];
    if (place === k || !from) {
      return from ?? STILL;
    }
    const [done, set] = this.shares(place);
    const [middle, to] = [this.middles[k][number], this.starts[k + 1][number]];
    const { turn, pieces } = this.moves[k];
    const now = turn && pieces.includes(number) ? turned(from, turn, done) : slid(from, part(done, from, middle));
    return slid(now, part(set, middle, to));
  }

  /**
   * Which shares of the two stretches of a move are done.
   *
   * @param {number} place
   */
  shares(place) {
    const { slide, aside } = this.times[Math.floor(place)];
    const passed = this.passed(place);
    return [smooth(passed / slide), aside ? smooth((passed - slide) / aside) : 0];
  }

  /**
   * The number of the move that a place shows, counted from 0: the one that runs, or that was made last.
   *
   * @param {number} place
   */
  shown(place) {
    return Math.ceil(place) - 1;
  }

  /**
   * What the move that is shown makes stand out: {move, pieces, glass}, sets of the numbers of pieces that move and that
   * would hide them; null where all is together, and at the end.
   *
   * @param {number} place
   */
  lit(place) {
    if (place === 0 || place === this.last) {
      return null;
    }
    const move = this.shown(place);
    const { pieces, glass } = this.moves[move];
    return { move, pieces: new Set(pieces), glass: new Set(glass) };
  }

  /**
   * The distance from which everything can be seen, between the usual one `together` and what the moves need.
   *
   * @param {number} place
   * @param {number} together
   * @param {(rows: number[][]) => number} needed
   */
  distance(place, together, needed) {
    /** @param {number} k */
    const at = (k) =>
      k === 0 ? together : Math.max(together, needed(this.data.reaches[this.moves[k - 1].separation]));
    const k = Math.floor(place);
    return place === k
      ? at(k)
      : at(k) + smooth(this.passed(place) / (AHEAD * this.times[k].slide)) * (at(k + 1) - at(k));
  }
}

/**
 * @param {Pose[]} all
 * @param {number[]} pieces
 * @param {Point} by
 * @param {Turn} [turn]
 */
function moved(all, pieces, by, turn) {
  const found = [...all];
  for (const number of pieces) {
    found[number] = turn ? turned(all[number], turn, 1) : slid(all[number], by);
  }
  return found;
}

/**
 * A share of the way between the places of two poses.
 *
 * @param {number} share
 * @param {Pose} from
 * @param {Pose} to
 */
const part = (share, from, to) => times(share, minus(to.shift, from.shift));

/**
 * From 0 to 1, slow at both ends.
 *
 * @param {number} share
 */
function smooth(share) {
  const x = Math.max(0, Math.min(share, 1));
  return x * x * (3 - 2 * x);
}
