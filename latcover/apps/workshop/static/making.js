// The data of a design, made in a worker. The last request wins: an earlier one that is not done is dropped.

import { Fault } from "./faults.js";

/** @import { PageData, SymmetryData } from "./play_types.js" */
/** @import { Design, WorkshopLattice } from "./workshop_types.js" */

/** @typedef {{ key: string, promise: Promise<PageData>, drop: () => void, tell: (share: number) => void }} Request */

/** @type {Request | null} */
let last = null; // who asks again for the same, gets the same

/**
 * @param {WorkshopLattice} lattice @param {Design} design @param {SymmetryData["under"]} under
 * @param {(share: number) => void} tell how far it is, from 0 to 1 @returns {Promise<PageData>}
 */
export function made(lattice, design, under, tell) {
  const key = JSON.stringify([lattice.name, design, under]);
  if (last?.key === key) {
    last.tell = tell;
    return last.promise;
  }
  last?.drop();
  const { looks, making } = globalThis.latcoverWorkshop;
  const url = URL.createObjectURL(new Blob([`"use strict";\n${making}`], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  /** @type {Request} */ const own = { key, promise: /** @type {any} */ (null), drop: () => {}, tell };
  own.promise = new Promise((resolve, reject) => {
    const fail = (/** @type {Error} */ fault) => {
      worker.terminate();
      if (!(fault instanceof Fault) && last === own) last = null;
      reject(fault);
    };
    own.drop = () => fail(new Fault("The puzzle has changed meanwhile."));
    worker.onmessage = ({ data: { share, data, fault, isOfDesign } }) => {
      if (share !== undefined) return own.tell(share);
      if (!data) return fail(isOfDesign ? new Fault(fault) : new Error(fault));
      worker.terminate();
      return resolve(data);
    };
    worker.onerror = ({ message }) => fail(new Error(message));
    worker.postMessage({ lattice, looks, design, under });
  });
  last = own;
  return own.promise;
}
