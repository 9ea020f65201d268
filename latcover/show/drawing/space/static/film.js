// A film: where the pieces of a solution are while it is taken apart. film_making.js makes its data:
//   way      from where to look, [x, y, z]
//   aim      from the middle of the puzzle to the middle of the picture, from the first move on
//   reach    how far everything reaches from there, as seen from there: [side, up, towards the viewer]
//   ground   the height on which what has come off lies
//   moves    each {words, pieces, by, turn, aside, glass}: the items `pieces` go `by` [x, y, z], or turn; then groups of
//            items go aside, or to the middle; glass: items that would hide what moves
//
// A place in a film is a number: 3 is after three moves, 3.5 is within the fourth. A move has two stretches: its pieces
// slide or turn, and then groups go aside.

import { REST as STILL, endOf, momentOf, reachOf, scaled, slid, turned } from "./poses.js";
import { minus, plus, times } from "./vectors.js";

/** @import { FilmData, Giving, Group, Point, Pose, Turn } from "./types.js" */

const SLIDE = [350, 170, 900]; // milliseconds of a slide: at least, for each cell of its way, at most besides
const TURN = 14; // milliseconds for each degree of a turn, besides the least of a slide
const ASIDE = 750; // milliseconds in which groups go aside
const REST = 260; // milliseconds after each move
const LARGER = 5; // how much larger than true small shifts are shown, if asked …
const LARGEST = 0.4; // … unless that is more than this share of the size of a cell
const AHEAD = 0.6; // of a slide: until then the camera has drawn back

export class Film {
  /**
   * `data` are those of a film, of `count` items; `size` is that of a cell.
   * @param {FilmData} data @param {number} count @param {number} size
   */
  constructor(data, count, size) {
    this.data = data;
    this.moves = data.moves;
    this.size = size;
    this.enlarged = 0; // from 0, small shifts are shown true, to 1, larger
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
      this.starts.push(aside.reduce((all, group) => gone(all, group), middle));
    }
  }

  get last() {
    return this.moves.length;
  }

  /** The milliseconds of the move at a place, with the rest after it. @param {number} place */
  duration(place) {
    const { slide, aside } = this.times[Math.min(Math.floor(place), this.last - 1)];
    return slide + aside + REST;
  }

  /** The milliseconds of all moves. */
  get durations() {
    return this.moves.reduce((sum, _, k) => sum + this.duration(k), 0);
  }

  /** The place after some milliseconds. @param {number} passed */
  placeAt(passed) {
    let left = passed;
    for (let k = 0; k < this.last; k++) {
      const long = this.duration(k);
      if (left < long) {
        return k + left / long;
      }
      left -= long;
    }
    return this.last;
  }

  /** The milliseconds of a move that have passed at a place within it. @param {number} place */
  passed(place) {
    return (place % 1) * this.duration(place);
  }

  /**
   * Where piece `number` is, from where it stands in the solution.
   * @param {number} number @param {number} place @returns {Pose}
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
    const own = turn?.giving?.find(({ piece }) => piece === number);
    const now =
      turn && (own || pieces.includes(number))
        ? turned(from, turn, momentOf(turn, done), own?.path, this.larger(own, pieces))
        : slid(from, part(done, from, middle));
    return set ? this.onWay(now, to, set, number, k) : now;
  }

  /**
   * Where a piece is that goes aside, or comes to the middle: on its way it rises towards the viewer.
   * @param {Pose} from @param {Pose} to @param {number} share @param {number} number @param {number} move
   */
  onWay(from, to, share, number, move) {
    const { over = [0, 0, 0] } = this.moves[move].aside.find(({ pieces }) => pieces.includes(number)) ?? {};
    const [before, after] = [from.scale ?? 1, to.scale ?? 1];
    const shift = plus(from.shift, plus(part(share, from, to), times(Math.sin(Math.PI * share), over)));
    return { turn: to.turn, shift, scale: before + share * (after - before) };
  }

  /** Whether any piece gives way while others turn. */
  get yields() {
    return this.moves.some(({ turn, pieces }) => turn?.giving?.some(({ piece }) => !pieces.includes(piece)));
  }

  /**
   * How much larger than true the path of a piece is shown: only of one that returns to rest.
   * @param {Giving | undefined} own @param {number[]} movers
   */
  larger(own, movers) {
    if (!own || !this.enlarged || movers.includes(own.piece)) {
      return 1;
    }
    const most = Math.max(1, Math.min(LARGER, (LARGEST * this.size) / Math.max(reachOf(own.path), 1e-9)));
    return 1 + this.enlarged * (most - 1);
  }

  /** Which shares of the two stretches of a move are done. @param {number} place */
  shares(place) {
    const { slide, aside } = this.times[Math.floor(place)];
    const passed = this.passed(place);
    return [smooth(passed / slide), aside ? smooth((passed - slide) / aside) : 0];
  }

  /**
   * The number of the move that a place shows, counted from 0: the one that runs, or that was made last.
   * @param {number} place
   */
  shown(place) {
    return Math.ceil(place) - 1;
  }

  /**
   * What the move that is shown makes stand out: {move, pieces, glass}, sets of the numbers of pieces that move and that
   * would hide them; null where all is together, and at the end.
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
   * How much of the way the camera has gone, from where it shows all together, 0, to where it shows the whole film, 1.
   * @param {number} place
   */
  drawnBack(place) {
    return place >= 1 || !this.last ? Math.min(place, 1) : smooth(this.passed(place) / (AHEAD * this.times[0].slide));
  }
}

/** @param {Pose[]} all @param {Group} group */
function gone(all, { pieces, about, by, scale }) {
  const found = [...all];
  for (const number of pieces) {
    found[number] = slid(scaled(all[number], scale, about), by);
  }
  return found;
}

/** @param {Pose[]} all @param {number[]} pieces @param {Point} by @param {Turn} [turn] */
function moved(all, pieces, by, turn) {
  const found = [...all];
  for (const number of pieces) {
    found[number] = turn ? turned(all[number], turn, endOf(turn)) : slid(all[number], by);
  }
  return found;
}

/** A share of the way between the places of two poses. @param {number} share @param {Pose} from @param {Pose} to */
const part = (share, from, to) => times(share, minus(to.shift, from.shift));

/** From 0 to 1, slow at both ends. @param {number} share */
function smooth(share) {
  const x = Math.max(0, Math.min(share, 1));
  return x * x * (3 - 2 * x);
}
