// A fault at its place on the page, and words for numbers.

import { Away } from "./faults.js";
import { host } from "./host.js";
import { Complaints } from "./panels.js";
import { h, render } from "./preact.js";

/** The fault that an element shows. @type {WeakMap<HTMLElement, unknown>} */
const shown = new WeakMap();

/** A number as people read it. @param {number | string | null | undefined} value */
export function number(value) {
  return value === null || value === undefined ? "–" : Number(value).toLocaleString("en-US");
}

/**
 * A number and what it counts: "1 solution", "2 solutions".
 * @param {number} value @param {string} one @param {string} [many]
 */
export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** Seconds as people read them. @param {number | null | undefined} value */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  return value < 1 ? `${(1000 * value).toFixed(value < 0.01 ? 2 : 0)} ms` : `${value.toFixed(1)} s`;
}

/**
 * Show an error in an element that screen readers announce; no fault clears it. That the server does not answer is shown
 * until it does.
 * @param {HTMLElement} element @param {{ message: string, complaints?: string[] } | null | undefined} fault
 */
export function showFault(element, fault) {
  element.hidden = !fault;
  render(fault ? h(Complaints, { fault }) : null, element);
  shown.set(element, fault);
  if (fault instanceof Away) host.server.whenBack(() => shown.get(element) === fault && showFault(element, null));
}
