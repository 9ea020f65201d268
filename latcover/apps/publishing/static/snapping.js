// Where a part that is held comes to lie: the option that is meant by a place on the screen.
//
// `board.project([x, y, z])` is [x, y, depth] on the screen, x and y in pixels of the board, depth in lengths of the
// puzzle from the eye; `board.unit` is the size of a cell in pixels.

/** @import { Board, MeantPointer } from "./play_types.js" */
/** @import { PlayPuzzle } from "./play_puzzle.js" */

const AWAY = 1.6; // cells from the pointer: nothing is meant
const BESIDE = 0.75; // cells by which what is free may lie farther from the pointer than what is not
const ALONG = 0.35; // cells that a step on the screen takes at least

/**
 * The options of a part that is held one way round, each with its place on the screen.
 * @param {Board} board @param {PlayPuzzle} puzzle @param {number[]} options
 */
function places(board, puzzle, options) {
  return options.map((option) => {
    const [x, y, depth] = board.project(puzzle.middleOf(option));
    return { option, x, y, depth };
  });
}

/**
 * The option that the pointer means, or null.
 *
 * `pointer` is {x, y, depth, wall}: in space, `depth` is the depth that the player has chosen (null: none), and nothing
 * behind `wall` is meant, the depth of what the pointer is on. `allows(option)` says whether it may be put there.
 * @param {Board} board @param {PlayPuzzle} puzzle @param {number[]} options @param {MeantPointer} pointer
 * @param {(option: number) => boolean} allows
 */
export function meant(board, puzzle, options, pointer, allows) {
  const unit = board.unit;
  const near = places(board, puzzle, options)
    .map((place) => ({ ...place, off: Math.hypot(place.x - pointer.x, place.y - pointer.y) / unit }))
    .filter(({ off }) => off < AWAY);
  if (!near.length) {
    return null;
  }
  if (puzzle.dimension === 2) {
    return least(near, ({ off }) => off).option;
  }
  /** @param {{ depth: number }} options */
  const depthOf = ({ depth }) => depth / puzzle.size;
  const closest = Math.min(...near.map(({ off }) => off));
  if (pointer.depth !== null) {
    const wanted = pointer.depth / puzzle.size;
    return least(near, (place) => Math.abs(depthOf(place) - wanted) + 2 * (place.off - closest)).option;
  }
  // It falls as deep as nothing is in its way.
  const wall = pointer.wall / puzzle.size + 0.1;
  const free = near.filter((place) => place.off < closest + BESIDE && depthOf(place) < wall && allows(place.option));
  return free.length
    ? least(free, (place) => 2 * place.off - depthOf(place)).option
    : least(near, ({ off }) => off).option;
}

/**
 * The option next to another one in a direction on the screen ([x, y], y downwards); null if there is none.
 * @param {Board} board @param {PlayPuzzle} puzzle @param {number[]} options @param {number} from
 * @param {number[]} vector
 */
export function beside(board, puzzle, options, from, [x, y]) {
  const here = board.project(puzzle.middleOf(from));
  const unit = board.unit;
  const found = places(board, puzzle, options)
    .map((place) => {
      const [right, down] = [(place.x - here[0]) / unit, (place.y - here[1]) / unit];
      const along = right * x + down * y;
      const aside = Math.abs(right * y - down * x);
      return { ...place, along, cost: along + 2.5 * aside + (0.6 * Math.abs(place.depth - here[2])) / puzzle.size };
    })
    .filter(({ along }) => along > ALONG);
  return found.length ? least(found, ({ cost }) => cost).option : null;
}

/**
 * The next option behind another one, or before it if `sign` is -1; null if there is none.
 * @param {Board} board @param {PlayPuzzle} puzzle @param {number[]} options @param {number} from @param {number} sign
 */
export function behind(board, puzzle, options, from, sign) {
  const here = board.project(puzzle.middleOf(from));
  const found = places(board, puzzle, options)
    .map((place) => ({
      ...place,
      deeper: (sign * (place.depth - here[2])) / puzzle.size,
      off: Math.hypot(place.x - here[0], place.y - here[1]) / board.unit,
    }))
    .filter(({ deeper, off }) => deeper > 0.05 && off < 1.5 + deeper);
  return found.length ? least(found, ({ deeper, off }) => deeper + 2 * off).option : null;
}

/**
 * The option nearest to the middle of the board, or to a point on it; of those that are allowed, if any is.
 * @param {Board} board @param {PlayPuzzle} puzzle @param {number[]} options @param {(option: number) => boolean} allows
 * @param {number[]} [middle]
 */
export function first(board, puzzle, options, allows, middle = board.project(board.middle)) {
  const found = places(board, puzzle, options);
  const free = found.filter(({ option }) => allows(option));
  const choice = free.length ? free : found;
  return choice.length ? least(choice, ({ x, y }) => Math.hypot(x - middle[0], y - middle[1])).option : null;
}

/** @template Thing @param {Thing[]} list @param {(item: Thing) => number} cost */
function least(list, cost) {
  let best = list[0];
  let lowest = cost(best);
  for (const item of list.slice(1)) {
    const value = cost(item);
    if (value < lowest - 1e-9) {
      [best, lowest] = [item, value];
    }
  }
  return best;
}
