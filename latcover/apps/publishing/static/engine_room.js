// Engines for a page. Each works in a worker of its own, which is made when it is first asked for something.

import { bytesOf } from "./packing.js";

/** @import { ApartLimits, ApartListener, Problem, SearchLimits, SearchListener, SlidingData } from "../../../../backends/wasm/engine_types.js" */

/** @type {ArrayBuffer | null} */
let bytes = null;

/** What engine.js of the site holds: the module of WebAssembly. */
export function wasm() {
  bytes ??= bytesOf(globalThis.latcover.wasm).buffer;
  return bytes;
}

export class LazyEngine {
  constructor() {
    /** @type {InstanceType<typeof globalThis.latcover.EngineWorker> | null} */
    this.engine = null;
  }

  made() {
    this.engine ??= new globalThis.latcover.EngineWorker(wasm());
    return this.engine;
  }

  /** @param {Problem} problem @param {SearchLimits} limits @param {SearchListener} on */
  search(problem, limits, on) {
    return this.made().search(problem, limits, on);
  }

  /** @param {SlidingData} geometry @param {ApartLimits} limits @param {ApartListener} on */
  takeApart(geometry, limits, on) {
    return this.made().takeApart(geometry, limits, on);
  }

  stop() {
    this.engine?.stop();
  }

  close() {
    this.engine?.close();
    this.engine = null;
  }
}
