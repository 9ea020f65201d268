// The keyboard's focus is not lost: where what has it is hidden, disabled or taken away, something near it gets it.

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

export function keepFocus() {
  let last = null;
  let around = []; // what it lay in, the nearest first
  document.addEventListener("focusin", ({ target }) => {
    [last, around] = [target, []];
    for (let at = target.parentElement; at && at !== document.body; at = at.parentElement) around.push(at);
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget || !document.hasFocus()) return;
    setTimeout(() => target === last && canFocus(target) && document.activeElement === document.body && (last = null)); // its user has left it
  });
  const look = () => {
    if (!last || canFocus(last) || ![last, document.body].includes(document.activeElement)) return;
    const next = nearest(last, around);
    last = null;
    next?.focus({ preventScroll: true });
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "hidden", "open"] });
}

/** What can have the focus in the smallest part of the page that has any: what follows it, else the last before it. */
function nearest(lost, around) {
  for (const place of around) {
    const there = [...place.querySelectorAll(FOCUSABLE)].filter((one) => one !== lost && one.tabIndex >= 0 && canFocus(one));
    if (there.length === 0) continue;
    const follows = (one) => lost.isConnected && lost.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
    return there.find(follows) ?? there.at(-1);
  }
  return null;
}

function canFocus(element) {
  return element.isConnected && !element.disabled && element.checkVisibility();
}
