// What the page Draw says of the puzzle: how much of the region the parts hold, and what is still to be done or odd.

import { number } from "./elements.js";
import { button } from "./panels.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./preact.js";

/** @import { Verdict } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const VOLUME = /^the volume cannot fit/; // what the meter says better, where the sums tell it

/** Whether the parts can hold a number of cells that the region needs, as far as sums tell. @param {Model} model */
function fits(model) {
  const [region, optional, fewest, most] = model.volumes();
  return region > 0 && fewest <= region && most >= region - optional;
}

/** How many cells the parts hold of those that are to be filled, as a bar and in a few words. @param {{ model: Model }} shown */
export function Meter({ model }) {
  const [region, optional, fewest, most] = model.volumes();
  const free = optional ? `, ${number(optional)} more may be` : "";
  const over = fewest > region ? ` · ${number(fewest - region)} too many` : "";
  const more = most === Infinity ? " or more" : ` to ${number(most)}`;
  const held = fewest === most ? number(fewest) : number(fewest) + more;
  const share = Math.min(1, (fewest === most ? fewest : Math.min(most, region)) / Math.max(1, region));
  return html`<div class=${`meter ${fits(model) ? "whole" : ""} ${over && "over"}`}>
    <span class="bar" aria-hidden="true"><span class="held" style=${{ width: `${100 * share}%` }} /></span>
    <p class="sum" role="status">
      ${`${number(region - optional)} to fill${free} · ${held} of ${number(region)} held${over}`}
    </p>
  </div>`;
}

/**
 * What is still to be done before the puzzle can be solved, and what is odd about it. It asks for nothing, so nothing is red.
 * What has no room is shown at a press, above the canvas.
 * @param {{ model: Model }} shown
 */
export function Notes({ model }) {
  const { verdict, isPuzzle } = model;
  const [open, unfold] = useState(/** @type {Verdict | null} */ (null)); // the verdict that is unfolded
  const [isCut, cut] = useState(false);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const isOpen = open === verdict;
  const measure = () => {
    const list = /** @type {HTMLElement} */ (place.current?.firstChild);
    cut(list.scrollHeight > list.clientHeight + 1);
  };
  useLayoutEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(/** @type {HTMLElement} */ (place.current));
    return () => observer.disconnect();
  }, []);
  const todo = verdict.faults.filter((text) => !(isPuzzle && !fits(model) && VOLUME.test(text)));
  return html`<div class=${`verdict ${isOpen ? "open" : ""}`} role="status" ref=${place}>
    <ul>
      ${todo.map((text) => html`<li class="fault">${text}</li>`)}
      ${verdict.warnings.map((text) => html`<li class="warning">${text}</li>`)}
    </ul>
    ${button(isOpen ? "less" : "all", () => unfold(isOpen ? null : verdict), {
      hidden: !isOpen && !isCut,
      "aria-expanded": String(isOpen),
    })}
  </div>`;
}
