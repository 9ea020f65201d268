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
    self.postMessage({ data: pageData(lattice, looks, design, under, tell) });
  } catch (fault) {
    self.postMessage({ fault: fault.message, isOfDesign: fault instanceof DesignFault });
  }
};
