// Keeps the keyboard focus: if the focused element is hidden, disabled or removed, a nearby element gets the focus.

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

export function keepFocus() {
  /** @type {HTMLElement | null} */
  let last = null;
  /** @type {HTMLElement[]} */
  let around = []; // its ancestors, the nearest first
  document.addEventListener("focusin", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    [last, around] = [target, []];
    for (let at = target.parentElement; at && at !== document.body; at = at.parentElement) around.push(at);
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget || !document.hasFocus()) return;
    setTimeout(() => target === last && canFocus(target) && document.activeElement === document.body && (last = null)); // the user has left it
  });
  const look = () => {
    if (!last || canFocus(last) || ![last, document.body].includes(/** @type {HTMLElement} */ (document.activeElement)))
      return;
    const next = nearest(last, around);
    last = null;
    next?.focus({ preventScroll: true });
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled", "hidden", "open"],
  });
}

/**
 * The element to focus, in the smallest ancestor that has one: the next one, or else the last before it.
 * @param {HTMLElement} lost @param {HTMLElement[]} around
 */
function nearest(lost, around) {
  for (const place of around) {
    const there = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(FOCUSABLE)]).filter(
      (one) => one !== lost && one.tabIndex >= 0 && canFocus(one),
    );
    if (there.length === 0) continue;
    /** @param {HTMLElement} one */
    const follows = (one) => lost.isConnected && lost.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
    return there.find(follows) ?? there.at(-1);
  }
  return null;
}

/** @param {any} element */
function canFocus(element) {
  return element.isConnected && !element.disabled && element.checkVisibility();
}
