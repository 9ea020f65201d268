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
