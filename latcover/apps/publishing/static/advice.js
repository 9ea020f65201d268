// What a search knows of a position: whether it can be finished, and how.

import { Position } from "./position.js";

/** @import { AnyEngine } from "./play_types.js" */
/** @import { Play } from "./play.js" */

const SECONDS = 6; // that a search may take

/**
 * Whether it is known if a position can be finished, and the options that finish it.
 *
 * @typedef {{ known: boolean, options: number[] | null }} Advice
 */

/** @type {Advice} */
const UNKNOWN = { known: false, options: null };

/**
 * Look for a way to finish a position. A promise of {known, options}: `known` is false if the search was cut off, and
 * `options` completes the position (null if nothing does). `engine` is an Engine, or a worker that answers as it does.
 * @param {AnyEngine} engine @param {Position} position @returns {Promise<Advice>}
 */
export async function finish(engine, position) {
  if (position.solved) {
    return { known: true, options: [] };
  }
  const { problem, options } = position.rest();
  if (problem.low.some((low, item) => low > problem.high[item])) {
    return { known: true, options: null };
  }
  /** @type {number[] | null} */ let found = null;
  const { puzzle } = position;
  /** @param {Int32Array[]} covers */
  const onCovers = (covers) => {
    const ways = covers.map((cover) => Array.from(cover, (option) => options[option]));
    found ??= ways.find((way) => !puzzle.broken([...position.options, ...way]).length) ?? null;
    return found === null;
  };
  const limits = puzzle.judges.length ? { seconds: SECONDS } : { covers: 1, seconds: SECONDS };
  const { stop } = await engine.search(problem, limits, { onCovers });
  return { known: found !== null || stop === "exhausted", options: found };
}

/**
 * Which of the options that finish a position is the best hint: the one that covers the cell with the fewest ways left to
 * cover it, because the player could have found that; one of the part that is held, if there is one.
 * @param {Position} position @param {number[]} options @param {number | null} [part]
 */
export function hintOf(position, options, part = null) {
  const { puzzle } = position;
  const real = options.filter((option) => puzzle.partOfOption(option) >= 0);
  const own = real.filter((option) => puzzle.partOfOption(option) === part);
  const ways = new Int32Array(puzzle.cover.low.length);
  for (const option of position.free()) position.eachItem(option, (item) => (ways[item] += 1));
  /** @param {number} option */
  const scarce = (option) => Math.min(...puzzle.cellsOf(option).map((cell) => ways[cell]));
  return (own.length ? own : real).sort((a, b) => scarce(a) - scarce(b) || a - b)[0] ?? null;
}

/** The cells that must be covered and that nothing can cover any more. @param {Position} position */
export function holesOf(position) {
  const { puzzle, used } = position;
  const covered = new Set();
  for (const option of position.free()) position.eachItem(option, (item) => covered.add(item));
  const cells = Array.from({ length: puzzle.cover.nCells }, (_, cell) => cell);
  return cells.filter((cell) => used[cell] < puzzle.cover.low[cell] && !covered.has(cell));
}

/** Gives hints in a game, and judges its positions: one search at a time, because the engine may have but one thread. */
export class Adviser {
  /** @param {Play} play @param {AnyEngine | Promise<AnyEngine> | null} engine */
  constructor(play, engine) {
    this.play = play;
    this.engine = engine;
    /** @type {Promise<Advice>} */
    this.asking = Promise.resolve(UNKNOWN);
  }

  /**
   * What a search finds out about a position; nothing, if the game has gone on meanwhile.
   * @param {Position} position
   */
  ask(position) {
    this.asking = this.asking.then(async () => {
      if (position !== this.play.position) {
        return UNKNOWN;
      }
      try {
        const engine = await this.engine;
        return engine ? await finish(engine, position) : UNKNOWN;
      } catch (error) {
        this.play.say(`The search failed: ${error.message}`);
        return UNKNOWN;
      }
    });
    return this.asking;
  }

  /** Place one part so that the puzzle can still be finished, or say that it cannot. */
  async hint() {
    const { play } = this;
    const part = play.hand?.part ?? null;
    play.cancel();
    const { position } = play;
    play.say("Looking for a way to finish…");
    const { known, options } = await this.ask(position);
    if (position !== play.position || !play.root.isConnected) {
      return;
    }
    const option = options && hintOf(position, options, part);
    if (option !== null) {
      play.give(option);
    } else if (options) {
      play.say("All parts are placed.");
    } else {
      await this.explain(position, known);
    }
  }

  /**
   * Say why a position cannot be finished: the hole that nothing fills, and which parts have to go.
   * @param {Position} position @param {boolean} known
   */
  async explain(position, known) {
    const { play } = this;
    if (!known || !play.placed.length) {
      play.say(known ? "This puzzle has no solution." : "Unknown: the search took too long.");
      return;
    }
    const holes = holesOf(position);
    const hole = holes.length
      ? `Nothing fills the hole there:${play.puzzle.whereCells(holes)}`
      : "No solution from here.";
    play.point(holes);
    play.say(`${hole} Looking for the part that has to go…`);
    const gone = await this.culprits(position);
    if (position !== play.position || !play.root.isConnected) {
      return;
    }
    const names = gone.map((option) => play.nameAt(option)).join(", ");
    if (gone.length === 1) {
      play.chosen = play.game.at(gone[0]); // so that one sees which it is
      play.draw();
    }
    play.say(`${hole} ${names ? `${names} ${gone.length === 1 ? "has" : "have"} to go.` : "Take a part back."}`);
  }

  /**
   * The options without which a position can be finished: one, the latest that is enough; or as few of the latest as it
   * takes. Nothing, if the time is up before this is known.
   * @param {Position} position @returns {Promise<number[]>}
   */
  async culprits(position) {
    const { options, puzzle } = position;
    const end = performance.now() + 1000 * SECONDS;
    /** @param {number[]} rest */
    const helps = async (rest) => {
      const engine = await this.engine;
      const isLate = !engine || performance.now() > end || position !== this.play.position;
      return !isLate && Boolean((await finish(engine, new Position(puzzle, rest))).options);
    };
    for (const option of [...options].reverse()) {
      if (await helps(options.filter((other) => other !== option))) {
        return [option];
      }
    }
    for (let left = options.length - 2; left > 0; left -= 1) {
      if (await helps(options.slice(0, left))) {
        return options.slice(left);
      }
    }
    return performance.now() > end ? [] : [...options];
  }
}
