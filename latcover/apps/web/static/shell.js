// The program around its pages: tabs, the title of the open puzzle, and the address, which names the page and the puzzle, so that
// they can be bookmarked, shared and revisited. It is the same with a server and without one.

import { goTo, START, where } from "./address.js";
import { attempt } from "./attempt.js";
import { showFault } from "./elements.js";
import { keepFocus } from "./focus.js";
import { host } from "./host.js";
import { PAGES_OF, tabOf } from "./kinds.js";

/** @import { Chooser } from "./chooser.js" */
/** @import { Model } from "./model.js" */

/** What is done as a page is shown, or left. @typedef {{ show?: () => unknown, hide?: () => unknown }} Shown */

const OF_PUZZLES = ["play", "best", "apart", "watch", "design"]; // pages that a bare cover problem does not have
/** Pages of earlier versions, and those that took their place. @type {Record<string, string>} */
const MOVED = { files: "puzzle", cut: "design" };
const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

export class Shell {
  /** @type {Chooser | undefined} */
  chooser; // once it is there

  /**
   * `free` are pages without a puzzle, by their names, and `shown` the others that want to know when they are.
   * @param {Model} model @param {{ name: string, free: Record<string, Shown>, shown: Record<string, Shown> }} how
   */
  constructor(model, { name, free, shown }) {
    this.model = model;
    this.name = name; // of the program, for the title of the window
    this.free = free;
    this.shown = shown;
    this.pages = Object.values(PAGES_OF).flat();
    this.tabs = Object.keys(PAGES_OF).filter((tab) => PAGES_OF[tab].some((page) => host.pages.includes(page)));
    for (const tab of Object.keys(PAGES_OF)) if (!this.tabs.includes(tab)) $(`tab-${tab}`).remove();
    for (const tab of this.tabs)
      $(`tab-${tab}`).addEventListener("click", (event) => this.press(tab, event.detail > 0));
    $("tabs").addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("turn", (event) => this.turn(/** @type {CustomEvent} */ (event).detail));
    this.foldChoice();
    keepFocus();
    document.querySelector(".skip")?.addEventListener("click", (event) => {
      event.preventDefault(); // the address names the open page
      $("main").focus();
    });
  }

  /**
   * Open what the address names. The pages have been made: they hear of a puzzle before they are shown.
   * @param {Chooser} chooser
   */
  async begin(chooser) {
    const { model } = this;
    this.chooser = chooser;
    model.addEventListener("loaded", () => this.loaded());
    for (const what of ["loaded", "checked", "kept"]) model.addEventListener(what, () => this.drawTitle());
    window.addEventListener("popstate", () => this.hasPuzzle && !model.data && attempt(() => chooser.start()));
    this.show(where().page);
    if (this.hasPuzzle) await chooser.start();
  }

  /** The page that is open. */
  get page() {
    const free = Object.keys(this.free).find((name) => !$(elementOf(name)).hidden);
    return free ?? this.pages.find((name) => !$(name).hidden) ?? "puzzle";
  }

  get hasPuzzle() {
    return !(this.page in this.free);
  }

  /** @param {string} name */
  serves(name) {
    const isPuzzle = this.model.isPuzzle || !this.model.data;
    return host.pages.includes(name) && (isPuzzle || !OF_PUZZLES.includes(name));
  }

  /** Show a page. If the focus would be lost with the previous page, it goes to this one. @param {string} asked */
  show(asked) {
    const wanted = MOVED[asked] ?? asked;
    if ((!wanted || wanted in this.free) && this.chooser) return this.showFree(wanted || START);
    const name = this.serves(wanted) ? wanted : "puzzle";
    const left = this.page;
    const isLost = left !== name && $("main").contains(document.activeElement);
    this.leave(name);
    for (const tab of this.tabs) {
      const isOpen = tab === tabOf(name);
      $(`tab-${tab}`).setAttribute("aria-selected", String(isOpen));
      $(`tab-${tab}`).tabIndex = isOpen ? 0 : -1;
    }
    $(name).hidden = false;
    if (left in this.free) scrollTo(0, 0);
    if (isLost) this.focus(name, left);
    if (this.model.data) this.shown[name]?.show?.();
  }

  /** @param {string} name @param {string} left the page before it */
  focus(name, left) {
    const kind = tabOf(left) === tabOf(name) && $(name).querySelector(`.kinds [data-page="${name}"]`);
    /** @type {HTMLElement} */ (kind || $(`tab-${tabOf(name)}`)).focus({ preventScroll: true });
  }

  /** @param {string} name */
  showFree(name) {
    if (name !== this.page) this.leave(name);
    document.body.classList.add(`at-${name}`);
    $(elementOf(name)).hidden = false;
    document.title = name === START ? this.name : `${name[0].toUpperCase()}${name.slice(1)} – ${this.name}`;
    showFault($("fault"), null);
    this.free[name].show?.();
  }

  /** Leave the open page for another one. @param {string} name */
  leave(name) {
    const left = this.page;
    if (left !== name) (this.free[left] ?? this.shown[left])?.hide?.();
    for (const other of Object.keys(this.free)) {
      document.body.classList.remove(`at-${other}`);
      $(elementOf(other)).hidden = true;
    }
    for (const other of this.pages) $(other).hidden = other !== name;
  }

  /** Open a page, with a history entry for Back. @param {string} name */
  turnTo(name) {
    if (name === this.page) return;
    this.show(name);
    goTo(name, this.chooser ? this.chooser.at : where().place, true);
  }

  /**
   * A tab is pressed. A pointer leaves the focus nowhere, so that keys are those of the page that was opened.
   * @param {string} tab @param {boolean} byPointer
   */
  press(tab, byPointer) {
    if (tabOf(this.page) !== tab) this.turnTo(PAGES_OF[tab][0]);
    if (byPointer) $(`tab-${tab}`).blur();
  }

  /** Something on a page leads to another one, and the focus with it. @param {string} name */
  turn(name) {
    this.turnTo(name);
    const [first] = /** @type {NodeListOf<HTMLElement>} */ ($(name).querySelectorAll("button"));
    if (document.activeElement === $(`tab-${tabOf(name)}`)) first?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    const there = this.tabs.filter((tab) => !$(`tab-${tab}`).hidden);
    const at = there.indexOf(tabOf(this.page)) + step;
    const next = Number.isFinite(at) ? there[(at + there.length) % there.length] : there.at(step < 0 ? 0 : -1);
    if (!next) return;
    this.turnTo(PAGES_OF[next].find((page) => this.serves(page)) ?? "puzzle");
    $(`tab-${next}`).focus();
  }

  /** A puzzle was opened: a link on a page without one names the page to show. */
  loaded() {
    for (const tab of this.tabs) $(`tab-${tab}`).hidden = !PAGES_OF[tab].some((page) => this.serves(page));
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".kinds [data-page]")))
      button.hidden = !this.serves(button.dataset.page ?? "");
    const there = where().page;
    this.show(this.hasPuzzle ? this.page : there && !(there in this.free) ? there : "puzzle");
  }

  /** Show the title of the open puzzle above every page, and whether the browser keeps it. */
  drawTitle() {
    const { model, chooser } = this;
    if (!this.hasPuzzle || !model.data) return;
    const title = model.verdict.title || model.data.title;
    $("title").textContent = $("title").title = title;
    document.title = `${title} – ${this.name}`;
    $("unkept").textContent = chooser?.isLosing()
      ? "This browser has no room to keep the changes: save the puzzle before you leave."
      : chooser?.noSteps
        ? "This browser has no room to keep the Undo history after you leave this page. The design itself is kept."
        : "";
  }

  /** The choice of puzzles is folded until it is wanted, so that the picture comes first. */
  foldChoice() {
    const choosing = /** @type {HTMLDetailsElement} */ ($("choosing"));
    const fold = () => (choosing.open = false);
    this.model.addEventListener("loaded", fold); // a puzzle has been chosen
    choosing.addEventListener("keydown", (event) => event.key === "Escape" && fold());
    document.addEventListener("pointerdown", ({ target }) => choosing.contains(/** @type {Node} */ (target)) || fold());
  }
}

/** @param {string} name */
const elementOf = (name) => (name === START ? "starting" : name);
