// Does what may be refused, and shows the refusal at the head of the page.

import { showFault } from "./elements.js";
import { Fault } from "./faults.js";

/** @param {() => unknown} work */
export async function attempt(work) {
  const place = /** @type {HTMLElement} */ (document.getElementById("fault"));
  showFault(place, null);
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    showFault(place, fault);
    place.scrollIntoView({ block: "nearest" });
  } finally {
    document.body.removeAttribute("aria-busy");
    document.documentElement.classList.remove("opening"); // the first attempt opens the page
  }
}
