// A plan of the engine as the viewer wants it: the data of latcover.show.drawing.space.disassembly_data, in the same words.

import { unpacked } from "./packing.js";
import { cartesian, times } from "./vectors.js";

/** @import { ApartData } from "./play_types.js" */
/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { Plan, PlanSeparation, PlanStep, SlidingData } from "../../../../backends/wasm/engine_types.js" */
/** @import { Disassembly } from "./types.js" */

const PIECE = 6; // numbers

/**
 * What gives the engine the pieces of some options alone, which are few of very many.
 * @param {ApartData} apart @returns {(options: ArrayLike<number>) => SlidingData}
 */
export function slidingOf({ geometry, pieces }) {
  const rows = unpacked(pieces);
  return (options) => ({
    ...geometry,
    pieces: Array.from(options, (k) => Array.from(rows.subarray(PIECE * k, PIECE * (k + 1)))),
  });
}

/**
 * A plan that takes apart `options` of a PlayPuzzle by slides; `apart` is the page's data of taking apart. Parts that may
 * turn may come apart even if it finds no plan.
 * @param {ApartData} apart @param {PlayPuzzle} play @param {number[]} options @param {Plan} plan
 * @param {boolean} [mayTurn] @returns {Disassembly}
 */
export function disassemblyOf(apart, play, options, plan, mayTurn = false) {
  const names = namesOf(play, options);
  return {
    result: plan.result,
    words: `${resultInWords(plan)}${mayTurn && plan.result !== "apart" ? "; turns were not looked for" : ""}`,
    cells: options.map((option) => play.cellsOf(option).flatMap((cell) => play.centres[cell])),
    separations: plan.separations.map(({ pieces, stays, removed, steps }) => ({
      pieces,
      stays,
      removed,
      steps: steps.map((step) => ({
        pieces: step.pieces,
        by: times(step.distance, cartesian(step.direction, apart.basis)),
        separates: step.separates,
        words: moveInWords(step, names, apart.words[step.direction.join(",")]),
      })),
    })),
  };
}

/** @param {PlanStep} step @param {string[]} names @param {string} where */
function moveInWords({ pieces, distance, separates }, names, where) {
  const one = pieces.length === 1;
  const moving = pieces.map((piece) => names[piece]);
  const who = one ? `part ${moving[0]}` : `parts ${moving.slice(0, -1).join(", ")} and ${moving.at(-1)}`;
  const slide = one ? "slides" : "slide";
  if (!separates) {
    return `${who} ${slide} ${distance} ${where}`;
  }
  return `${who} ${slide} ${where} and ${one ? "comes off" : "come off together"}`;
}

/**
 * A name for each piece: its part's, with a number where several copies are used.
 * @param {PlayPuzzle} play @param {number[]} options
 */
function namesOf(play, options) {
  const parts = options.map((option) => play.partOfOption(option));
  return parts.map((part, piece) => {
    const many = parts.filter((other) => other === part).length > 1;
    const { name } = play.parts[part];
    return many ? `${name} ${parts.slice(0, piece + 1).filter((other) => other === part).length}` : name;
  });
}

/** What is known about taking a solution apart, in a few words. @param {Plan} plan */
function resultInWords({ result, stop, level, moves, steps, separations, n_pieces: pieces }) {
  if (result === "stuck") {
    return "it cannot be taken apart by sliding";
  }
  if (result === "unknown") {
    return `it is not known whether it comes apart (${stop || "a limit was met"})`;
  }
  if (!level.length || moves === null || steps === null) {
    return "there is nothing to take apart";
  }
  /** @param {number} many @param {string} noun */
  const counted = (many, noun) => `${many.toLocaleString("en")} ${noun}${many === 1 ? "" : "s"}`;
  const others = steps - moves;
  const freed = others ? `, and ${others} more, each of which frees a piece at once` : "";
  return `it comes apart with level ${level.join(".")}: ${counted(moves, "move")}${freed}${together(separations, pieces)}`;
}

/** @param {PlanSeparation[]} separations @param {number} pieces */
function together(separations, pieces) {
  const parted = separations.map((separation) => separation.pieces.join());
  const ends = separations.length
    ? separations.flatMap(({ stays, removed }) => [stays, removed])
    : [Array.from({ length: pieces }, (_, k) => k)];
  const whole = ends.some((group) => group.length > 1 && !parted.includes(group.join()));
  return whole ? "; some parts may stay together" : "";
}
