// The engine in a worker, so that the page stays alive and a search can be ended at once.
//
//   import { EngineWorker } from "./engine_worker.js";
//   const engine = new EngineWorker(bytes);  // engine.wasm: ArrayBuffer, typed array, or WebAssembly.Module
//   const answer = await engine.search(problem, limits, on);  // as Engine.search; callbacks return nothing that matters
//   const plan = await engine.takeApart(geometry, limits, on);  // as Engine.takeApart
//   engine.stop();  // ends what runs: its promise is fulfilled with {stop: "cancelled", …} and the last figures. Usable again.
//   engine.close();  // ends the worker for good
//
// The worker is made from a blob of the engine's own code: no URL is loaded, no header is needed, and it runs from file:// too.
// Calls wait for each other. `latcover.backends.wasm.script()` gives both files as one classic script (globalThis.latcover =
// {Engine, EngineWorker, EngineError}); `latcover.backends.wasm.module()` gives the bytes of engine.wasm.

import { Engine, EngineError } from "./engine.js";

/** @import { ApartLimits, ApartListener, Plan, Problem, SearchAnswer, SearchLimits, SearchListener, SearchReport, SlidingData } from "./engine_types.js" */

// Runs in the worker. It sees nothing of this file but itself.
/** @param {any} scope */
function serveEngine(scope) {
  /** @type {Promise<any> | null} */
  let engine = null;
  /** @param {Int32Array[]} covers */
  const packed = (covers) => {
    const starts = new Int32Array(covers.length + 1);
    covers.forEach((cover, k) => (starts[k + 1] = starts[k] + cover.length));
    const options = new Int32Array(starts[covers.length]);
    covers.forEach((cover, k) => options.set(cover, starts[k]));
    return { starts, options };
  };
  scope.onmessage = async (/** @type {MessageEvent<Request>} */ { data: { bytes, call, args, wants } }) => {
    try {
      if (bytes) engine = Engine.load(bytes);
      if (!call) return;
      /** @type {SearchListener} */
      const on = {};
      if (wants.onCovers)
        on.onCovers = (covers) => {
          const batch = packed(covers);
          scope.postMessage({ batch }, [batch.starts.buffer, batch.options.buffer]);
        };
      if (wants.onProgress) on.onProgress = (report) => void scope.postMessage({ report });
      scope.postMessage({ answer: (await engine)[call](...args, on) });
    } catch (error) {
      scope.postMessage({ error: error.message, ours: error instanceof EngineError });
    }
  };
}

/**
 * What the worker is asked: first the engine's bytes, then calls.
 *
 * @typedef {{ bytes?: any, call?: string, args: any[], wants: { onCovers: boolean, onProgress: boolean } }} Request
 */

/**
 * A call that runs or waits.
 *
 * @typedef {{
 *   call: "search" | "takeApart", args: [any, any], on: any, done: (answer: any) => void, failed: (error: Error) => void,
 *   report: any, handed?: number,
 * }} Call
 */

class EngineWorker {
  #bytes;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Call | null} */
  #running = null; // {call, args, on, done, failed, report}
  /** @type {Call[]} */
  #waiting = [];
  #closed = false;

  /** @param {ArrayBuffer | ArrayBufferView | WebAssembly.Module} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /**
   * @param {Problem} problem
   * @param {SearchLimits} [limits]
   * @param {SearchListener} [on]
   * @returns {Promise<SearchAnswer>}
   */
  search(problem, limits = {}, on = {}) {
    return this.#enter("search", [problem, limits], on);
  }

  /**
   * @param {SlidingData} geometry
   * @param {ApartLimits} [limits]
   * @param {ApartListener} [on]
   * @returns {Promise<Plan>}
   */
  takeApart(geometry, limits = {}, on = {}) {
    return this.#enter("takeApart", [geometry, limits], on);
  }

  stop() {
    if (!this.#running) return;
    this.#end();
    const { call, args, report, done } = this.#running;
    done(call === "search" ? EngineWorker.#cutSearch(report) : EngineWorker.#cutPlan(args, report));
    this.#next();
  }

  close() {
    this.#closed = true;
    const left = [this.#running, ...this.#waiting].filter((call) => call !== null);
    this.#end();
    this.#running = null;
    this.#waiting = [];
    for (const { failed } of left) failed(new EngineError("the engine was closed"));
  }

  /**
   * @param {"search" | "takeApart"} call
   * @param {[any, any]} args
   * @param {any} on
   * @returns {Promise<any>}
   */
  #enter(call, args, on) {
    if (this.#closed) return Promise.reject(new EngineError("the engine was closed"));
    return new Promise((done, failed) => {
      this.#waiting.push({ call, args, on, done, failed, report: { covers: 0 } });
      if (!this.#running) this.#next();
    });
  }

  #next() {
    this.#running = this.#waiting.shift() ?? null;
    if (!this.#running) return;
    const { call, args, on, failed } = this.#running;
    try {
      this.#start().postMessage({ call, args, wants: { onCovers: Boolean(on.onCovers), onProgress: true } });
    } catch (error) {
      failed(error);
      this.#next();
    }
  }

  #start() {
    if (this.#worker) return this.#worker;
    const text = `"use strict";\n${EngineError}\n${Engine}\n(${serveEngine})(self);\n`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(url);
    this.#worker = worker;
    URL.revokeObjectURL(url);
    worker.onmessage = ({ data }) => this.#take(data);
    worker.onerror = (event) => this.#fail(event.message || "the worker of the engine did not start");
    worker.postMessage({ bytes: this.#bytes });
    return worker;
  }

  #end() {
    if (!this.#worker) return;
    this.#worker.onmessage = this.#worker.onerror = null;
    this.#worker.terminate();
    this.#worker = null;
  }

  /** @param {any} options */
  #take({ batch, report, answer, error, ours }) {
    const running = this.#running;
    if (!running) return;
    if (batch) {
      const { starts, options } = batch;
      const covers = Array.from({ length: starts.length - 1 }, (_, k) => options.subarray(starts[k], starts[k + 1]));
      running.report.covers = Math.max(running.report.covers, (running.handed = (running.handed ?? 0) + covers.length));
      running.on.onCovers?.(covers);
    } else if (report) {
      Object.assign(running.report, report);
      running.on.onProgress?.(report);
    } else if (answer) {
      running.done(answer);
      this.#next();
    } else if (error !== undefined) {
      running.failed(ours ? new EngineError(error) : new Error(error));
      this.#next();
    }
  }

  /** @param {string} message */
  #fail(message) {
    this.#end();
    this.#running?.failed(new EngineError(message));
    this.#next();
  }

  /**
   * @param {Partial<SearchReport> & { covers: number }} options
   * @returns {SearchAnswer}
   */
  static #cutSearch({ covers, branches = 0, seconds = 0 }) {
    return {
      stop: "cancelled",
      covers,
      branches,
      dead_ends: 0,
      deepest: 0,
      branches_by_level: [],
      setup_seconds: 0,
      search_seconds: seconds,
      first_seconds: null,
      kernel: "",
      note: "",
    };
  }

  /**
   * @param {[SlidingData, ApartLimits]} options
   * @param {{ states?: number }} options
   * @returns {Plan}
   */
  static #cutPlan([geometry, limits], { states = 0 }) {
    const pieces = limits.pieces ?? geometry.pieces;
    const none = { level: [], moves: null, steps: null, least: true, flat: false, reached: 0, separations: [] };
    return { result: "unknown", n_pieces: pieces.length, stop: "cancelled", states, ...none };
  }
}

export { EngineWorker };
