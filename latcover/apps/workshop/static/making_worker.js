// What makes the data of a design in a worker of its own, so that the page stays alive however many placements there are.
// making.js makes the worker.

import { pageData } from "./page_data.js";
import { DesignFault } from "./placing.js";

const BETWEEN = 100; // milliseconds between two reports

self.onmessage = ({ data: { lattice, looks, design, under } }) => {
  let last = performance.now();
  const tell = (/** @type {number} */ share) => {
    if (performance.now() - last < BETWEEN) return;
    last = performance.now();
    self.postMessage({ share });
  };

  try {
    const made = pageData(lattice, looks, design, under, tell);
    self.postMessage({ data: made }, { transfer: [...new Set(buffersIn(made))] }); // handed over, so the page need not copy them
  } catch (fault) {
    self.postMessage({ fault: fault.message, isOfDesign: fault instanceof DesignFault });
  }
};

/** The memory of all typed arrays in data. @param {any} data @returns {Transferable[]} */
function buffersIn(data) {
  if (ArrayBuffer.isView(data)) return [/** @type {ArrayBuffer} */ (data.buffer)];
  return data && typeof data === "object" ? Object.values(data).flatMap(buffersIn) : [];
}
