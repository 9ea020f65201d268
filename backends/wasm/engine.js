// The search and the disassembler for JavaScript: in a page, in a worker of it, and in Node. It needs engine.wasm and no network.
//
//   import { Engine } from "./engine.js";
//   const engine = await Engine.load(bytes);  // engine.wasm: ArrayBuffer, typed array, Response, URL, or WebAssembly.Module
//
//   const answer = engine.search(problem, limits, on);
//     problem   the arrays of a CoverProblem (latcover/core/cover/problem.py), each a plain or a typed array of whole numbers:
//                 {starts, items, low, high, colours?, n_cells?, n_parts?, neighbour_starts?, neighbours?}
//               `starts` are option_starts, `items` option_items, `colours` option_colours.
//     limits    {covers?, branches?, seconds?, counts?, restarts?, seed?}; all may be left out, null is no limit.
//                 counts    true: covers are counted and not handed over
//                 restarts  true: look for one cover by random restarts, which is quick where a search in order is not
//                 seed      of the restarts, a whole number below 2^32
//               `limit` is another name of `covers`.
//     on        {onCovers(covers), onProgress(report)}; both may be left out.
//                 covers    a list of Int32Array: the options of each cover, in the order of their choice. Each was checked.
//                 report    {share, branches, covers, seconds}; share is the part of the tree that is done, from 0 to 1
//               A callback that returns false stops the search.
//     answer    {stop, covers, branches, dead_ends, deepest, branches_by_level, setup_seconds, search_seconds, first_seconds,
//                kernel, note}
//                 stop      "exhausted", "cover_limit", "branch_limit", "time_limit" or "cancelled"
//                 note      why dancing links searched in place of bitmaps, or ""
//               Numbers are plain numbers, exact up to 2^53.
//
//   const plan = engine.takeApart(geometry, limits, on);
//     geometry  what latcover.lab.assembly.geometry.sliding_data(puzzle, placements) gives, from Python
//     limits    {pieces?, states?, seconds?}
//                 pieces    which of geometry.pieces lie together, as their numbers: a cover, if these are the options'
//                           placements. If it is left out, all of them.
//                 states    how many positions of pieces to examine at most, 10,000,000 if left out
//     on        {onProgress({states, seconds})}; returning false stops
//     plan      what Disassembly.as_json() gives in Python. Pieces are numbered in the order of `pieces`.
//
// A mistake in what is given throws an EngineError with a message for people. The engine can be used again after it.

/** @import { ApartLimits, ApartListener, EngineSeparation, Host, Plan, PlanSeparation, Problem, SearchAnswer, SearchLimits, SearchListener, SlidingData } from "./engine_types.js" */

class EngineError extends Error {}

// All that the engine needs is within this class and EngineError: engine_worker.js hands their text to a worker.
class Engine {
  /** @param {any} source */
  static async load(source) {
    if (source instanceof WebAssembly.Module) return new Engine(source);
    if (typeof source === "string" || source instanceof URL) source = await fetch(source);
    if (typeof Response !== "undefined" && source instanceof Response) {
      if (!source.ok) throw new EngineError(`the engine could not be fetched: ${source.status} ${source.statusText}`);
      source = await source.arrayBuffer();
    }
    return new Engine(await WebAssembly.compile(source));
  }

  #module;
  /** @type {{ geometry: SlidingData | null, arrays: (Int32Array | BigInt64Array)[] }} */
  #taken = { geometry: null, arrays: [] }; // of the last call of takeApart

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /** @param {Problem} problem @param {SearchLimits} [limits] @param {SearchListener} [on] @returns {SearchAnswer} */
  search(problem, limits = {}, on = {}) {
    const { starts, items, low, high, colours, neighbourStarts, neighbours, nCells, nParts } = Engine.#read(problem);
    const limited = limits.covers ?? limits.limit;
    const covers = Engine.#limit(limited, "covers");
    const branches = Engine.#limit(limits.branches, "branches");
    const seconds = Engine.#limit(limits.seconds, "seconds");
    const seed = limits.seed ?? 0;
    if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)
      throw new EngineError("the seed must be a whole number from 0 to 2^32 - 1");
    if (limits.restarts && limits.counts) throw new EngineError("restarts look for one cover and cannot count");
    if (limits.restarts && branches < Infinity) throw new EngineError("restarts know no limit of branches");
    const counts = Boolean(limits.counts) && covers === Infinity; // with a limit of covers, they are found and thrown away
    /** @type {((cover: Int32Array) => string) | null} */
    let check = null; // made with the first cover, when the search has found the arrays to be sound
    /** @type {any} */ let answer = null;
    /** @type {Host} */
    const host = {
      /** @param {string} text */
      answer: (text) => (answer = JSON.parse(text)),
      covers: (memory, at, n, options) => {
        check ??= Engine.#checkOf({ starts, items, low, high, colours });
        const ends = new Int32Array(memory, at, 2 * (n + 1)); // of 64 bits each, the lower half first
        const all = new Int32Array(memory, options, ends[2 * n]);
        const found = [];
        for (let k = 0; k < n; k++) {
          const cover = all.slice(ends[2 * k], ends[2 * k + 2]);
          const fault = check(cover);
          if (fault) throw new EngineError(`a cover fails its check: ${fault}`);
          found.push(cover);
        }
        return limits.counts || !on.onCovers ? true : on.onCovers(found) !== false;
      },
      /** @param {number} share @param {number} branches @param {number} covers @param {number} seconds */
      progress: (share, branches, covers, seconds) =>
        !on.onProgress || on.onProgress({ share, branches, covers, seconds }) !== false,
    };
    this.#call(host, (instance, put) => {
      const arrays = [starts, items, low, high, colours, neighbourStarts, neighbours].flatMap(put);
      const way = limits.restarts ? 2 : counts ? 1 : 0;
      instance.search(
        ...arrays,
        nCells,
        nParts,
        limits.restarts ? Math.min(covers, 1) : covers,
        branches,
        seconds,
        way,
        seed,
      );
    });
    if (answer.words) {
      const exact = answer.words.reduceRight(
        (/** @type {bigint} */ sum, /** @type {number} */ word) => (sum << 64n) + BigInt(word),
        0n,
      );
      answer.covers = exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
      delete answer.words;
    }
    return answer;
  }

  /** @param {SlidingData} geometry @param {ApartLimits} [limits] @param {ApartListener} [on] @returns {Plan} */
  takeApart(geometry, limits = {}, on = {}) {
    const numbers = limits.pieces ?? geometry.pieces.map((_, k) => k);
    const pieces = Array.from(numbers, (k) => {
      if (!geometry.pieces[k]) throw new EngineError(`there is no piece ${k}`);
      return geometry.pieces[k];
    });
    if (geometry.flat)
      return Engine.#plan({ result: "apart", stop: "", least: true, states: 0, reached: 0 }, [], pieces.length, true);
    const states = Engine.#limit(limits.states === undefined ? 10_000_000 : limits.states, "states");
    const seconds = Engine.#limit(limits.seconds, "seconds");
    if (pieces.length === 0 || pieces.length > 256)
      throw new EngineError(`1 to 256 pieces can be taken apart, not ${pieces.length}`);
    if (this.#taken.geometry !== geometry) {
      /** @param {"slides" | "hits" | "shape_starts" | "cells"} name */
      const ints = (name) => Engine.#ints(geometry[name], name);
      /** @param {"hit_starts"} name */
      const longs = (name) => Engine.#longs(geometry[name], name);
      const arrays = [ints("slides"), longs("hit_starts"), ints("hits"), ints("shape_starts"), ints("cells")];
      this.#taken = { geometry, arrays };
    }
    const { n_nodes: nNodes, n_kinds: nKinds } = geometry;
    /** @type {any} */ let found = null;
    /** @type {Host} */
    const host = {
      /** @param {string} text */
      answer: (text) => (found = JSON.parse(text)),
      progress: (_, states, __, seconds) => !on.onProgress || on.onProgress({ states, seconds }) !== false,
    };
    this.#call(host, (instance, put) => {
      const arrays = [
        ...this.#taken.arrays,
        Engine.#ints(pieces.flat(), "pieces"),
        Engine.#ints(geometry.limits, "limits"),
      ].flatMap(put);
      instance.take_apart(...arrays, nNodes, nKinds, states, seconds);
    });
    const separations = Engine.#told(geometry, pieces, found.separations);
    const fault = Engine.#replayFault(geometry, pieces, separations);
    if (fault) throw new EngineError(`a disassembly fails its check: ${fault}`);
    return Engine.#plan(found, separations, pieces.length, false);
  }

  // Runs `call` in an instance of its own, so that its memory goes with it, and a fault harms no other call.
  /** @param {Host} host @param {(instance: any, put: (array: Int32Array | BigInt64Array) => number[]) => void} call */
  #call(host, call) {
    /** @type {any} */
    let memory = null;
    /** @param {number} at @param {number} length */
    const text = (at, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
    /** @type {any} */
    const instance = new WebAssembly.Instance(this.#module, {
      latcover: {
        /** @param {number} at @param {number} length */
        fail: (at, length) => {
          throw new EngineError(text(at, length));
        },
        /** @param {number} at @param {number} length */
        answer: (at, length) => host.answer(text(at, length)),
        /** @param {number} at @param {number} n @param {number} options */
        covers: (at, n, options) => (host.covers?.(memory.buffer, at, n, options) ? 1 : 0),
        progress: (/** @type {[number, number, number, number]} */ ...figures) => (host.progress(...figures) ? 1 : 0),
      },
      wasi_snapshot_preview1: {
        clock_time_get: (/** @type {number} */ _, /** @type {number} */ __, /** @type {number} */ at) => {
          new DataView(memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
          return 0;
        },
        // The library would write its last words here before it gives up.
        fd_write: () => 8,
        fd_seek: () => 8,
        fd_close: () => 8,
      },
    }).exports;
    memory = instance.memory;
    instance._initialize();
    /** @param {Int32Array | BigInt64Array} array */
    const put = (array) => {
      const at = instance.allocate(array.byteLength);
      new Uint8Array(memory.buffer, at, array.byteLength).set(
        new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      );
      return [at, array.length];
    };
    try {
      call(instance, put);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError)
        throw new EngineError(`the engine broke off: ${error.message}`, { cause: error });
      throw error;
    }
  }

  /** @param {Problem} problem */
  static #read(problem) {
    const n = problem.n_cells ?? 0;
    /** @param {keyof Problem} name @param {(given: any, name: string) => Int32Array} type */
    const given = (name, type) => (problem[name] == null ? new Int32Array(0) : type(problem[name], name));
    return {
      starts: Engine.#longs(problem.starts, "starts"),
      items: Engine.#ints(problem.items, "items"),
      low: Engine.#ints(problem.low, "low"),
      high: Engine.#ints(problem.high, "high"),
      colours: given("colours", Engine.#ints),
      neighbours: given("neighbours", Engine.#ints),
      nCells: Engine.#int(n, "n_cells"),
      nParts: Engine.#int(problem.n_parts ?? 0, "n_parts"),
      neighbourStarts:
        problem.neighbour_starts == null
          ? new BigInt64Array(Math.max(n, 0) + 1)
          : Engine.#longs(problem.neighbour_starts, "neighbour_starts"),
    };
  }

  /** @param {number | null | undefined} limit @param {string} name */
  static #limit(limit, name) {
    if (limit === undefined || limit === null) return Infinity;
    if (typeof limit !== "number" || !(limit >= 0))
      throw new EngineError(`a limit of ${name} must be a number from 0 on, or null`);
    return name === "seconds" ? limit : Math.ceil(limit);
  }

  /** @param {number} number @param {string} name */
  static #int(number, name) {
    if (!Number.isInteger(number) || Math.abs(number) >= 2 ** 31)
      throw new EngineError(`${name} must be a whole number of 32 bits, not ${number}`);
    return number;
  }

  /** @param {any} values @param {string} name @returns {ArrayLike<number>} */
  static #list(values, name) {
    const is = Array.isArray(values) || (ArrayBuffer.isView(values) && !(values instanceof DataView));
    if (!is) throw new EngineError(`${name} must be a list of whole numbers`);
    return /** @type {any} */ (values);
  }

  /** @param {any} values @param {string} name @returns {Int32Array} */
  static #ints(values, name) {
    if (values instanceof Int32Array) return values;
    return Int32Array.from(Engine.#list(values, name), (number, at) => Engine.#int(Number(number), `${name}[${at}]`));
  }

  /** @param {any} values @param {string} name @returns {BigInt64Array} */
  static #longs(values, name) {
    if (values instanceof BigInt64Array) return values;
    return BigInt64Array.from(Engine.#list(values, name), (number, at) =>
      BigInt(Engine.#int(Number(number), `${name}[${at}]`)),
    );
  }

  // A function that says what is wrong with a cover; "" if nothing is. It goes by the rules alone.
  /** @param {{ starts: BigInt64Array, items: Int32Array, low: Int32Array, high: Int32Array, colours: Int32Array }} options */
  static #checkOf({ starts, items, low, high, colours }) {
    const nOptions = starts.length - 1;
    const ends = Int32Array.from(starts, Number);
    const needed = low.reduce((sum, least) => sum + Number(least > 0), 0);
    const held = new Int32Array(low.length);
    const colour = new Int32Array(low.length);
    const chosen = new Uint8Array(nOptions);
    /** @type {number[]} */ const touched = [];
    return (/** @type {Int32Array} */ cover) => {
      let fault = "";
      for (const option of cover) {
        if (!(option >= 0 && option < nOptions) || chosen[option]) fault ||= `option ${option}`;
        if (fault) break;
        chosen[option] = 1;
        for (let k = ends[option]; k < ends[option + 1]; k++) {
          const item = items[k];
          const its = colours.length ? colours[k] : 0;
          if (held[item] === 0) {
            touched.push(item);
            colour[item] = its;
            held[item] = 1;
          } else if (its === 0 || its !== colour[item]) {
            held[item]++; // in one colour, an item is held once however often
          }
        }
      }
      let met = 0;
      for (const item of touched) {
        if (low[item] > 0) met++;
        if (held[item] < low[item] || held[item] > high[item]) fault ||= `item ${item} is held ${held[item]} times`;
        held[item] = 0;
      }
      if (met < needed) fault ||= `${needed - met} items are not held`;
      touched.length = 0;
      for (const option of cover) chosen[option] = 0;
      return fault;
    };
  }

  // The separations with their moves in steps of the lattice: see Assembler._told in latcover/lab/assembly/taking_apart.py.
  /**
   * @param {SlidingData} geometry @param {number[][]} pieces @param {EngineSeparation[]} separations
   * @returns {PlanSeparation[]}
   */
  static #told(geometry, pieces, separations) {
    const { dimension, scales, slides } = geometry;
    const nDirections = scales.length;
    const shifts = pieces.map((piece) => piece.slice(3, 3 + dimension));
    /** @param {number[]} vector @param {number} number */
    const along = (vector, number) => vector.reduce((sum, x, axis) => sum + x * scales[number][axis], 0);
    /** @param {"low" | "high"} side @param {number} piece @param {number} number */
    const reach = (side, piece, number) => geometry[side][pieces[piece][0] * nDirections + number];
    // After how many steps the movers lie wholly beyond the others.
    /** @param {number[]} movers @param {number[]} stays @param {number} number @param {boolean} forwards */
    const clear = (movers, stays, number, forwards) => {
      const [ahead, behind] = forwards ? [movers, stays] : [stays, movers];
      const low = Math.min(...ahead.map((k) => along(shifts[k], number) + reach("low", k, number)));
      const high = Math.max(...behind.map((k) => along(shifts[k], number) + reach("high", k, number)));
      return Math.max(1, Math.ceil(high - low - 1e-6));
    };
    return separations.map(({ pieces: group, stays, removed, moves }) => ({
      pieces: group,
      stays,
      removed,
      steps: moves.map((move) => {
        const sign = move.steps > 0 ? 1 : -1;
        const direction = slides
          .slice(12 * move.direction, 12 * move.direction + dimension)
          .map((x) => (x === 0 ? 0 : sign * x));
        const distance = move.separates ? clear(move.pieces, stays, move.direction, sign > 0) : Math.abs(move.steps);
        for (const piece of move.pieces) shifts[piece] = shifts[piece].map((x, axis) => x + distance * direction[axis]);
        return { pieces: move.pieces, direction, distance, separates: move.separates };
      }),
    }));
  }

  // What is wrong with a disassembly; "" if nothing is. The moves are made one step at a time, cell against cell: nothing of
  // the search is used but what one cell meets on one step.
  /** @param {SlidingData} geometry @param {number[][]} pieces @param {PlanSeparation[]} separations */
  static #replayFault(geometry, pieces, separations) {
    const { n_nodes: nNodes, hit_starts: starts, hits, shape_starts: shapes, cells, slides } = geometry;
    const met = starts.slice(1).map((end, k) => {
      const offsets = new Set();
      for (let at = 3 * starts[k]; at < 3 * end; at += 3) offsets.add(`${hits[at]},${hits[at + 1]},${hits[at + 2]}`);
      return offsets;
    });
    const steps = geometry.scales.map((_, d) => slides.slice(12 * d, 12 * d + 3));
    const bodies = pieces.map(([shape, , , ...place]) =>
      Array.from({ length: shapes[shape + 1] - shapes[shape] }, (_, k) => {
        const [node, ...at] = cells.slice(4 * (shapes[shape] + k), 4 * (shapes[shape] + k + 1));
        return { node, at: at.map((x, axis) => x + place[axis]) };
      }),
    );
    /** @param {number} piece @param {number[]} step @param {number} sign */
    const shift = (piece, step, sign) =>
      bodies[piece].forEach(({ at }) => step.forEach((x, axis) => (at[axis] += sign * x)));
    // Whether two pieces meet while the first goes one step forwards from where it is.
    /** @param {number} mover @param {number} other @param {number} d */
    const meets = (mover, other, d) =>
      bodies[mover].some((a) =>
        bodies[other].some((b) =>
          met[(d * nNodes + a.node) * nNodes + b.node].has(b.at.map((x, axis) => x - a.at[axis]).join()),
        ),
      );
    /** @param {Iterable<number>} group */
    const names = (group) => [...group].sort((a, b) => a - b).join();
    const groups = new Set([names(pieces.keys())]);
    for (const { pieces: group, stays, removed, steps: moves } of separations) {
      if (!groups.delete(names(group))) return "a group is parted that is not there";
      if (names([...stays, ...removed]) !== names(group) || !stays.length || !removed.length)
        return "a group is not parted in two";
      if (moves.some((move, k) => move.separates !== (k === moves.length - 1)))
        return "the last move must separate, and no other";
      if (names(moves[moves.length - 1].pieces) !== names(removed))
        return "the last move does not remove what is removed";
      for (const { pieces: movers, direction, distance } of moves) {
        const ahead = steps.findIndex((step) => direction.every((x, axis) => x === step[axis]));
        const d =
          ahead >= 0
            ? ahead
            : steps.findIndex((step) =>
                direction.every((x, axis) => x === -step[axis] || (x === 0 && step[axis] === 0)),
              );
        if (d < 0) return "there is no such direction";
        const still = group.filter((piece) => !movers.includes(piece));
        if (still.length === 0 || movers.some((piece) => !group.includes(piece)))
          return "others move than the group has";
        for (let n = 0; n < distance; n++) {
          if (ahead < 0) movers.forEach((piece) => shift(piece, steps[d], -1)); // a step back meets what the step forth does
          if (movers.some((mover) => still.some((other) => meets(mover, other, d))))
            return `pieces ${movers} meet others on their way`;
          if (ahead >= 0) movers.forEach((piece) => shift(piece, steps[d], 1));
        }
      }
      groups.add(names(stays)).add(names(removed));
    }
    return "";
  }

  // As Disassembly.as_json in latcover/core/model/disassembly.py, where the level is explained.
  /**
   * @param {Pick<Plan, "result" | "stop" | "least" | "states" | "reached">} options
   * @param {PlanSeparation[]} separations @param {number} nPieces @param {boolean} flat @returns {Plan}
   */
  static #plan({ result, stop, least, states, reached }, separations, nPieces, flat) {
    /** @param {number[]} one @param {number[]} other */
    const same = (one, other) => one.length === other.length && one.every((x, k) => x === other[k]);
    /** @param {number} at @returns {{ level: number[], at: number }} */
    const levelFrom = (at) => {
      const root = separations[at++];
      const level = [root.steps.length];
      for (const group of [root.stays, root.removed]) {
        if (at >= separations.length || !same(separations[at].pieces, group)) continue;
        const below = levelFrom(at);
        at = below.at;
        if (Math.max(...below.level) > 1) level.push(...below.level);
      }
      return { level, at };
    };
    const level = flat ? (nPieces > 1 ? [1] : []) : separations.length > 0 ? levelFrom(0).level : [];
    const apart = result === "apart";
    return {
      result,
      level,
      moves: apart ? level.reduce((sum, n) => sum + n, 0) : null,
      steps: apart ? separations.reduce((sum, separation) => sum + separation.steps.length, 0) : null,
      n_pieces: nPieces,
      least,
      flat,
      states,
      reached,
      stop,
      separations,
    };
  }
}

export { Engine, EngineError };
