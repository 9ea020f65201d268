// What panels share that are components: a labelled choice, and elements that are made elsewhere.

import { html, useLayoutEffect, useRef } from "./preact.js";

/**
 * A labelled select of options [value, words].
 * @param {{ label: string, value?: string, choose: (value: string) => void, options: string[][] }} shown
 */
export function Choice({ label, value, choose, options }) {
  return html`<label class="field">
    <span>${label}</span>
    <select value=${value} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
      ${options.map(([name, words]) => html`<option value=${name}>${words}</option>`)}
    </select>
  </label>`;
}

/**
 * Elements that are made elsewhere, such as small pictures.
 * @param {{ nodes: Node[], class?: string, title?: string }} shown
 */
export function Held({ nodes, class: name = "mini", title }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => place.current?.replaceChildren(...nodes));
  return html`<span class=${name} title=${title} ref=${place} />`;
}
