// Elements of HTML: text is always text, never markup.

/** An element with attributes and children; strings become text. */
export function dom(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** A button that does something when it is pressed. */
export function button(words, act, attributes = {}) {
  const element = dom("button", { type: "button", ...attributes }, words);
  element.addEventListener("click", act);
  return element;
}
