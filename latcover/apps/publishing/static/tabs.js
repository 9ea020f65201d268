// Tabs: arrow keys walk along them, and the address tells which is open.

export class Tabs {
  /**
   * `opened(name)` is called when a tab is opened, also for the first time.
   * @param {HTMLElement} list @param {(name: string) => void} opened
   */
  constructor(list, opened) {
    /** @type {HTMLButtonElement[]} */
    this.tabs = Array.from(list.querySelectorAll('[role="tab"]'));
    this.opened = opened;
    for (const tab of this.tabs) {
      tab.disabled = false; // until now a click would have been lost
      tab.addEventListener("click", (event) => this.clicked(event, tab));
      tab.addEventListener("keydown", (event) => this.pressed(event, tab));
    }
    addEventListener("hashchange", () => this.open(this.asked()));
    this.open(this.asked());
  }

  /** The tab that the address names, or the first. */
  asked() {
    const [wanted] = location.hash.slice(1).split("?");
    return nameOf(this.tabs.find((tab) => nameOf(tab) === wanted) ?? this.tabs[0]);
  }

  /**
   * A pointer leaves the focus nowhere, so that keys are those of what was opened.
   * @param {MouseEvent} event @param {HTMLButtonElement} tab
   */
  clicked({ detail }, tab) {
    this.choose(nameOf(tab));
    if (detail) {
      tab.blur();
    }
  }

  /** @param {string} name */
  choose(name) {
    history.replaceState(null, "", `#${name}`);
    this.open(name);
  }

  /** @param {string} name */
  open(name) {
    for (const tab of this.tabs) {
      const chosen = nameOf(tab) === name;
      tab.setAttribute("aria-selected", `${chosen}`);
      tab.tabIndex = chosen ? 0 : -1;
      /** @type {HTMLElement} */ (document.getElementById(nameOf(tab))).hidden = !chosen;
    }
    this.opened(name);
  }

  /** @param {KeyboardEvent} event @param {HTMLButtonElement} tab */
  pressed(event, tab) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const end = { Home: 0, End: this.tabs.length - 1 }[event.key];
    if (by || end !== undefined) {
      const next = this.tabs[end ?? (this.tabs.indexOf(tab) + by + this.tabs.length) % this.tabs.length];
      event.preventDefault();
      next.focus();
      this.choose(nameOf(next));
    }
  }
}

/** @param {HTMLElement} tab */
function nameOf(tab) {
  return tab.id.slice("tab-".length);
}
