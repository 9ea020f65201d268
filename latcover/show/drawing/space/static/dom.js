// Elements of pages: text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | Node | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>} Attributes */

/**
 * An element of HTML with attributes and children; strings become text. Attributes called `onclick` and the like are
 * listeners. Attributes that are undefined, null or false are left out, and so are children that are undefined or null.
 *
 * Attributes are set in their order: an image begins to load at its `src`, so `loading` must come before it.
 * @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children @returns {HTMLElementTagNameMap[Name]}
 */
export function dom(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Name @param {Name} name @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @template {Element} Made @param {Made} element @param {Attributes} attributes @param {(Child | Child[])[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : `${value}`);
  }
  return fill(element, ...children);
}

/**
 * Replace the children of an element.
 * @template {Element} Made @param {Made} element @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const shown = children.flat().filter((child) => child !== null && child !== undefined);
  element.replaceChildren(...shown.map((child) => (typeof child === "number" ? `${child}` : child)));
  return element;
}

/**
 * A button that does something when it is pressed.
 * @param {Child} words @param {(event: MouseEvent) => unknown} act @param {Attributes} [attributes]
 */
export function button(words, act, attributes = {}) {
  return dom("button", { type: "button", onclick: act, ...attributes }, words);
}

/** Let the browser save a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = dom("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
