// An element into which a board draws.

import { h, html, useLayoutEffect, useRef } from "./preact.js";

/**
 * An element that `draw` fills, again whenever `of` changes: the name of what is drawn.
 * @param {{ tag?: string, draw: (place: HTMLElement) => void, of: string, [own: string]: unknown }} shown
 */
export function Drawn({ tag = "span", draw, of, ...own }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => (place.current ? draw(place.current) : undefined), [of]);
  return html`<${tag} ...${own} ref=${place} />`;
}
