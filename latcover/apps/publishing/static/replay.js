// The check of a plan that takes a solution apart: every move is made with the drawings of the cells, as in
// latcover/core/model/replay.py. It shares nothing with the engine that made the plan.
//
// Two convex cells meet when the vector from centre to centre lies within their difference, whose planes come with the
// page. While one slides, the vector runs along a line, so each move is checked at all of its moments at once.

import { unpacked } from "./packing.js";
import { cartesian, dot, length, minus, plus, times } from "./vectors.js";

/** @import { ApartData, MovingCell } from "./play_types.js" */
/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { Plan, PlanSeparation, PlanStep } from "../../../../backends/wasm/engine_types.js" */
/** @import { Point } from "./types.js" */

/**
 * All faults of a plan for `options` of a PlayPuzzle, the pieces in their order; none for a right one.
 * @param {ApartData} apart @param {PlayPuzzle} play @param {number[]} options @param {Plan} plan @returns {string[]}
 */
export function replayFaults(apart, play, options, plan) {
  if (plan.n_pieces !== options.length) {
    return [`it is of ${plan.n_pieces} pieces, and the solution has ${options.length}`];
  }
  if (plan.flat) {
    return ["the pieces do not lie in a plane"];
  }
  if (plan.result !== "apart") {
    return plan.separations.length ? ["it gives moves, but no result"] : [];
  }
  const parts = options.map((option) => play.partOfOption(option));
  return [...leftOver(apart, parts, plan), ...new Replay(apart, play, options).faults(plan)];
}

/**
 * Groups that are not parted as they should be, or end up together although the puzzle does not allow it.
 * @param {ApartData} apart @param {number[]} parts @param {Plan} plan
 */
function leftOver(apart, parts, plan) {
  /** @param {number[]} a @param {number[]} b */
  const same = (a, b) => a.length === b.length && a.every((piece) => b.includes(piece));
  let groups = [parts.map((_, piece) => piece)];
  for (const { pieces, stays, removed } of plan.separations) {
    const parted =
      stays.length &&
      removed.length &&
      same([...stays, ...removed], pieces) &&
      !stays.some((piece) => removed.includes(piece));
    if (!parted || !groups.some((group) => same(group, pieces))) {
      return ["a group is not parted in two"];
    }
    groups = [...groups.filter((group) => !same(group, pieces)), stays, removed];
  }
  const bad = groups.filter(
    (group) =>
      group.length > 1 &&
      !mayStay(
        apart.groups,
        group.map((piece) => parts[piece]),
      ),
  );
  return bad.map((group) => `pieces ${group.join(", ")} are left together`);
}

/**
 * Whether there is a group of the puzzle to which pieces of these parts may belong.
 * @param {ApartData["groups"]} groups @param {number[]} parts
 */
function mayStay(groups, parts) {
  const names = new Set(parts.flatMap((part) => groups[part].map(([name]) => name)));
  /** @param {number} part */
  const copies = (part) => parts.filter((other) => other === part).length;
  /** @param {string} name @param {number} part */
  const takes = (name, part) =>
    groups[part].some(([own, most]) => own === name && (most === null || copies(part) <= most));
  return [...names].some((name) => parts.every((part) => takes(name, part)));
}

class Replay {
  /** @param {ApartData} apart @param {PlayPuzzle} play @param {number[]} options */
  constructor(apart, play, options) {
    this.apart = apart;
    const nodes = unpacked(apart.nodes);
    this.cells = options.map((option) =>
      play.cellsOf(option).map((cell) => ({ node: nodes[cell], at: play.centres[cell] })),
    );
    this.reaches = apart.radii.map((radius, node) => Math.max(radius, ...cornersOf(apart, node).map(length)));
  }

  /** @param {Plan} plan */
  faults(plan) {
    const found = [];
    let number = 0;
    for (const separation of plan.separations) {
      if (!separation.steps.length) {
        found.push("a separation has no moves");
      }
      for (const step of separation.steps) {
        number += 1;
        const fault = faultOfStep(separation, step) || this.make(separation, step);
        if (fault) {
          found.push(`move ${number} ${fault}`);
        }
      }
    }
    return found;
  }

  /** Make a move. Returns what is in its way, or "". @param {PlanSeparation} separation @param {PlanStep} step */
  make({ pieces }, step) {
    const way = times(step.distance, cartesian(step.direction, this.apart.basis));
    const staying = pieces.filter((piece) => !step.pieces.includes(piece)).flatMap((piece) => this.cells[piece]);
    const moving = step.pieces.flatMap((piece) => this.cells[piece]);
    const blocked = moving.some((a) => staying.some((b) => this.meet(a, b, way)));
    const free = blocked || !step.separates || this.clear(moving, staying, way);
    for (const piece of step.pieces) {
      this.cells[piece] = this.cells[piece].map(({ node, at }) => ({ node, at: plus(at, way) }));
    }
    return blocked ? "is blocked" : free ? "" : "does not take the pieces clear of the others";
  }

  /** Whether cell a, sliding `way`, meets cell b. @param {MovingCell} a @param {MovingCell} b @param {Point} way */
  meet(a, b, way) {
    const offset = minus(b.at, a.at);
    const share = Math.max(0, Math.min(1, dot(offset, way) / dot(way, way)));
    const gap = length(minus(offset, times(share, way)));
    const { radii, planes, deep } = this.apart;
    if (!planes) {
      return gap < radii[a.node] + radii[b.node] - deep;
    }
    if (gap >= this.reaches[a.node] + this.reaches[b.node]) {
      return false;
    }
    let [first, last] = [0, 1];
    for (const [x, y, z, height] of planes[a.node][b.node]) {
      const left = height - deep - dot([x, y, z], offset);
      const speed = -dot([x, y, z], way); // the vector is inside this plane while s * speed < left
      if (speed === 0 && left <= 0) {
        return false;
      }
      first = speed < 0 ? Math.max(first, left / speed) : first;
      last = speed > 0 ? Math.min(last, left / speed) : last;
    }
    return first < last;
  }

  /**
   * Whether cells that have slid `way` lie wholly beyond others.
   * @param {MovingCell[]} moving @param {MovingCell[]} staying @param {Point} way
   */
  clear(moving, staying, way) {
    const along = times(1 / length(way), way);
    /** @param {MovingCell} movingCell */
    const span = ({ node, at }) => {
      const reach = cornersOf(this.apart, node).map((corner) => dot(corner, along));
      const middle = dot(at, along);
      const radius = this.apart.radii[node];
      return [middle + Math.min(0, ...reach) - radius, middle + Math.max(0, ...reach) + radius];
    };
    const least = Math.min(...moving.map((cell) => span(cell)[0])) + length(way);
    return least >= Math.max(...staying.map((cell) => span(cell)[1])) - this.apart.deep;
  }
}

/** @param {ApartData} apart @param {number} node */
function cornersOf({ corners }, node) {
  const found = [];
  for (let k = 0; k < corners[node].length; k += 3) {
    found.push(corners[node].slice(k, k + 3));
  }
  return found;
}

/** What is wrong with a move by itself; "" if nothing is. @param {PlanSeparation} separation @param {PlanStep} step */
function faultOfStep({ pieces, steps, stays, removed }, step) {
  const movers = [...new Set(step.pieces)];
  const last = step === steps.at(-1);
  /** @param {number[]} group */
  const are = (group) => movers.length === group.length && movers.every((piece) => group.includes(piece));
  if (!movers.length || movers.length >= pieces.length || !movers.every((piece) => pieces.includes(piece))) {
    return "does not move a part of its group";
  }
  if (!(step.distance >= 1) || !step.direction.some((x) => x)) {
    return "goes nowhere";
  }
  if (step.separates !== last) {
    return step.separates ? "separates too early" : "should separate";
  }
  return last && !are(removed) && !are(stays) ? "does not remove the pieces that it should" : "";
}
