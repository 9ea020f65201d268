// What a search knows of a position: whether it can be finished, and how.

const SECONDS = 6; // that a search may take

/**
 * Look for a way to finish a position. A promise of {known, options}: `known` is false if the search was cut off, and
 * `options` completes the position (null if nothing does). `engine` is an Engine, or a worker that answers as it does.
 */
export async function finish(engine, position) {
  if (position.solved) {
    return { known: true, options: [] };
  }
  const { problem, options } = position.rest();
  if (problem.low.some((low, item) => low > problem.high[item])) {
    return { known: true, options: null };
  }
  let found = null;
  const onCovers = (covers) => {
    found = covers.length ? Array.from(covers[0], (option) => options[option]) : found;
  };
  const { stop } = await engine.search(problem, { covers: 1, seconds: SECONDS }, { onCovers });
  return { known: found !== null || stop === "exhausted", options: found };
}

/**
 * Which of the options that finish a position is the best hint: the one that covers the cell with the fewest ways left to
 * cover it, because the player could have found that; one of the part that is held, if there is one.
 */
export function hintOf(position, options, part = null) {
  const { puzzle } = position;
  const real = options.filter((option) => puzzle.partOfOption(option) >= 0);
  const own = real.filter((option) => puzzle.partOfOption(option) === part);
  const ways = new Int32Array(puzzle.cover.nCells);
  for (const option of position.rest().options) {
    for (const cell of puzzle.cellsOf(option)) {
      ways[cell] += 1;
    }
  }
  const scarce = (option) => Math.min(...puzzle.cellsOf(option).map((cell) => ways[cell]));
  return (own.length ? own : real).sort((a, b) => scarce(a) - scarce(b) || a - b)[0] ?? null;
}

/** Gives hints in a game, and judges its positions: one search at a time, because the engine may have but one thread. */
export class Adviser {
  constructor(play, engine) {
    this.play = play;
    this.engine = engine;
    this.asking = Promise.resolve();
  }

  /** What a search finds out about a position; nothing, if the game has gone on meanwhile. */
  ask(position) {
    this.asking = this.asking.then(async () => {
      const unknown = { known: false, options: null };
      if (position !== this.play.position) {
        return unknown;
      }
      try {
        return await finish(await this.engine, position);
      } catch (error) {
        this.play.say(`The search failed: ${error.message}`);
        return unknown;
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
      play.say("Nothing is left to place.");
    } else {
      const hopeless = play.placed.length ? "It cannot be finished from here: take something back." : "It has no solution.";
      play.say(known ? hopeless : "Not known: the search took too long.");
    }
  }
}
