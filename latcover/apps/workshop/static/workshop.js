// The page "Workshop" of a published site: the editor of the web app, without a server; and the tabs of a published page, which
// play, solve and take apart what is drawn.

import { goTo, START, where } from "./address.js";
import { attempt } from "./attempt.js";
import { Beginning } from "./beginning.js";
import { Chooser } from "./chooser.js";
import { CutTab } from "./cut_tab.js";
import { acceptDrops } from "./drop.js";
import { Editor } from "./editor.js";
import { showFault } from "./elements.js";
import { FileBar } from "./file_bar.js";
import { keepFocus } from "./focus.js";
import { answerBy } from "./host.js";
import { MadeTabs } from "./made_tabs.js";
import { Model } from "./model.js";
import * as pageApi from "./page_api.js";

/** @import { Catalogue } from "./server_types.js" */
/** @import { Host } from "./host.js" */

const PAGES = ["puzzle", "play", "solve", "apart", "cut"];
const { lattices, puzzles, sets } = globalThis.latcoverWorkshop;
const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** What the editor offers; a server offers more. */
const about = /** @type {Catalogue} */ (
  /** @type {unknown} */ ({ lattices: Object.values(lattices), puzzles, sets, suffixes: [".toml"] })
);
answerBy(/** @type {Partial<Host>} */ (/** @type {unknown} */ (pageApi)));
const model = new Model();
/** @type {Chooser} */
let chooser;
/** @type {Beginning} */
let beginning;
/** @type {MadeTabs} */
let tabs;
/** @type {CutTab} */
let cutting;

/**
 * Say what went wrong: nothing here may fail in silence.
 *
 * @param {any} error
 */
function fail(error) {
  showFault($("fault"), { message: `This page has an error: ${error?.message ?? error}` });
}

/** The open page. */
function page() {
  return $("starting").hidden ? (PAGES.find((name) => !$(name).hidden) ?? "puzzle") : START;
}

/**
 * Show a page; without a puzzle, where one begins.
 *
 * @param {string} wanted
 */
function show(wanted) {
  const name = wanted === START || !wanted ? START : PAGES.includes(wanted) ? wanted : "puzzle";
  const isLost = page() !== name && $("main").contains(document.activeElement);
  document.body.classList.toggle("at-start", name === START);
  $("starting").hidden = name !== START;
  for (const other of PAGES) {
    const tab = $(`tab-${other}`);
    $(other).hidden = other !== name;
    tab.setAttribute("aria-selected", String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
  }
  if (name === START) {
    beginning.show();
    document.title = "Workshop";
    return;
  }
  if (isLost) $(`tab-${name}`).focus({ preventScroll: true });
  if (name === "cut" && model.data) cutting.opened();
  else if (name !== "puzzle" && model.data) tabs.open(name);
}

/**
 * Open a page, with a history entry for Back.
 *
 * @param {string} name
 */
function turnTo(name) {
  if (name === page()) return;
  show(name);
  goTo(name, chooser.at, true);
}

function drawTabs() {
  for (const name of PAGES) $(`tab-${name}`).addEventListener("click", () => turnTo(name));
  $("tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const end = { Home: 0, End: PAGES.length - 1 }[event.key];
    if (!by && end === undefined) return;
    event.preventDefault();
    const next = PAGES[end ?? (PAGES.indexOf(page()) + by + PAGES.length) % PAGES.length];
    turnTo(next);
    $(`tab-${next}`).focus();
  });
}

/** Show the title of the open puzzle, and whether the browser keeps it. */
function drawTitle() {
  if (page() === START || !model.data) return;
  const title = model.verdict.title || model.data.title;
  $("puzzle-title").textContent = title;
  document.title = `${title} – Workshop`;
  $("unkept").textContent = chooser.isLosing()
    ? "This browser has no room to keep the changes: save the puzzle before you leave."
    : "";
}

/** The choice of puzzles is folded until it is wanted. */
function foldChoice() {
  const choosing = /** @type {HTMLDetailsElement} */ ($("choosing"));
  const fold = () => (choosing.open = false);
  model.addEventListener("loaded", fold);
  choosing.addEventListener("keydown", (event) => event.key === "Escape" && fold());
  document.addEventListener("pointerdown", ({ target }) => choosing.contains(/** @type {Node} */ (target)) || fold());
}

async function begin() {
  addEventListener("error", ({ error, message }) => fail(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  foldChoice();
  drawTabs();
  keepFocus();
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault(); // the address names the open page
    $("main").focus();
  });
  tabs = new MadeTabs(model, { play: $("play"), solve: $("solve"), apart: $("apart") });
  cutting = new CutTab(model, $("cut"), () => turnTo("puzzle"));
  new Editor(model, $("puzzle"), about);
  chooser = new Chooser(model, $("chooser"), about, { attempt, page, show });
  new FileBar(model, $("file"), $("send"), chooser);
  beginning = new Beginning(
    $("starting"),
    { lattices, puzzles },
    {
      begin: (lattice) => chooser.begin(lattice),
      choose: () => $("upload").click(),
      open: () => chooser.at.design,
    },
  );
  acceptDrops((files) => chooser.take(() => chooser.readFiles(files)));
  model.addEventListener("loaded", () => {
    cutting.clear();
    const there = where().page; // a link of the beginning names a page
    show(page() === START ? (PAGES.includes(there) ? there : "puzzle") : page());
  });
  for (const what of ["loaded", "checked", "kept"]) model.addEventListener(what, drawTitle);
  window.addEventListener("popstate", () => page() !== START && !model.data && attempt(() => chooser.start()));
  show(where().page);
  if (page() !== START) await attempt(() => chooser.start());
}

begin();
