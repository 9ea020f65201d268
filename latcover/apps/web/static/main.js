// The app: its pages, and the open puzzle. The address names both, so that they can be bookmarked, shared and revisited.

import * as server from "./api.js";
import { goTo, PLANE, START, where } from "./address.js";
import { attempt } from "./attempt.js";
import { Best } from "./best.js";
import { Chooser } from "./chooser.js";
import { Compare } from "./compare.js";
import { dom } from "./dom.js";
import { showFault } from "./elements.js";
import { Design } from "./design.js";
import { acceptDrops } from "./drop.js";
import { Editor } from "./editor.js";
import { FileBar } from "./file_bar.js";
import { Files } from "./files.js";
import { keepFocus } from "./focus.js";
import { answerBy, host as api } from "./host.js";
import { LatticeEditor } from "./lattice_editor.js";
import { Model } from "./model.js";
import { Plane } from "./plane.js";
import { Solve } from "./solve.js";
import { Start } from "./start.js";
import { Watch } from "./watch.js";

const PAGES = ["puzzle", "solve", "best", "design", "files", "watch", "compare"];
const OF_PUZZLES = ["best", "watch", "design"]; // pages that a bare cover problem does not have
const FURTHER = ["watch", "compare"]; // pages whose tabs come with More
const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
answerBy(server);
const model = new Model();
/** @type {Chooser} */
let chooser;
/** @type {Start} */
let start;
/** @type {Plane | undefined} */
let plane;

/** The open page. */
function page() {
  if (!$("starting").hidden) return START;
  return $(PLANE).hidden ? (PAGES.find((name) => !$(name).hidden) ?? "puzzle") : PLANE;
}

const isPuzzle = () => model.isPuzzle || !model.data; // and no bare cover problem
const hasPuzzle = () => ![START, PLANE].includes(page());

/**
 * Show a page. If the focus would be lost with the previous page, it goes to the tab of this one.
 *
 * @param {string} wanted
 */
function show(wanted) {
  if ((!wanted || wanted === START || wanted === PLANE) && start) return showFree(wanted || START);
  const known = PAGES.includes(wanted) && (isPuzzle() || !OF_PUZZLES.includes(wanted));
  const name = known ? wanted : "puzzle";
  const left = page();
  const isLost = left !== name && $("main").contains(document.activeElement);
  leaveFree();
  showFurther(!$("further").hidden && !FURTHER.includes(name));
  for (const other of PAGES) {
    const tab = $(`tab-${other}`);
    $(other).hidden = other !== name;
    tab.setAttribute("aria-selected", String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
  }
  if (left === START || left === PLANE) scrollTo(0, 0);
  if (isLost) $(`tab-${name}`).focus({ preventScroll: true });
}

/**
 * A page without a puzzle: "start" has ways to begin, and everything that can be opened; on "plane" one draws a shape.
 *
 * @param {string} name
 */
function showFree(name) {
  if (name !== page()) leaveFree();
  document.body.classList.add(`at-${name}`);
  $(name === START ? "starting" : PLANE).hidden = false;
  for (const other of PAGES) $(other).hidden = true;
  document.title = name === START ? "latcover" : "Plane – latcover";
  showFault($("fault"), null);
  (name === START ? start : plane)?.show();
}

function leaveFree() {
  if (!$(PLANE).hidden) plane?.hide();
  document.body.classList.remove("at-start", "at-plane");
  $("starting").hidden = $(PLANE).hidden = true;
}

/**
 * Open a page, with a history entry for Back.
 *
 * @param {string} name
 */
function turnTo(name) {
  if (name === page()) return;
  show(name);
  goTo(name, chooser ? chooser.at : where().place, true);
}

/**
 * Show the tabs that come with More, or More itself.
 *
 * @param {boolean} folded
 */
function showFurther(folded) {
  $("further").hidden = !folded;
  for (const name of FURTHER) $(`tab-${name}`).hidden = folded || (OF_PUZZLES.includes(name) && !isPuzzle());
}

function drawTabs() {
  $("further").addEventListener("click", () => {
    showFurther(false);
    $(`tab-${FURTHER.find((name) => !$(`tab-${name}`).hidden)}`).focus();
  });
  for (const name of PAGES) $(`tab-${name}`).addEventListener("click", () => turnTo(name));
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    const there = PAGES.filter((name) => !$(`tab-${name}`).hidden);
    const at = there.indexOf(page()) + step;
    const next = Number.isFinite(at) ? there[(at + there.length) % there.length] : there.at(step < 0 ? 0 : -1);
    turnTo(next ?? "");
    $(`tab-${next}`).focus();
  });
}

/** Show the title of the open puzzle above every page. */
function drawTitle() {
  if (!hasPuzzle()) return;
  const title = model.verdict.title || model.data.title;
  $("title").textContent = $("title").title = title;
  document.title = `${title} – latcover`;
  const words = chooser?.isLosing()
    ? "This browser has no room to keep the changes: download the puzzle before you leave."
    : chooser?.noSteps
      ? "This browser has no room to keep the Undo history after you leave this page. The design itself is kept."
      : "";
  $("unkept").textContent = words;
}

/** The choice of puzzles is folded until it is wanted, so that the picture comes first. */
function foldChoice() {
  const choosing = /** @type {HTMLDetailsElement} */ ($("choosing"));
  const fold = () => (choosing.open = false);
  model.addEventListener("loaded", fold); // a puzzle has been chosen
  choosing.addEventListener("keydown", (event) => event.key === "Escape" && fold());
  document.addEventListener("pointerdown", ({ target }) => choosing.contains(/** @type {Node} */ (target)) || fold());
}

/** Show when the server is away, and when it is back. */
function watchServer() {
  api.server.addEventListener("away", () => {
    $("server").className = "fault";
    $("server").textContent =
      "The server does not answer. You can go on editing: this browser keeps every change. This page reconnects by itself.";
  });
  api.server.addEventListener("back", () => {
    $("server").className = "good";
    $("server").textContent = "The server is back.";
    setTimeout(() => api.server.away || ($("server").textContent = ""), 8000);
  });
}

async function begin() {
  watchServer();
  foldChoice();
  drawTabs();
  keepFocus();
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault(); // the address names the open page
    $("main").focus();
  });
  await attempt(async () => {
    const about = await api.about().catch((fault) => {
      api.server.whenBack(() => location.reload());
      throw fault;
    });
    $("version").textContent = about.version;
    new Editor(model, $("puzzle"), about);
    new Solve(model, $("solve"), about);
    new Best(model, $("best"), about);
    new Watch(model, $("watch"), about);
    new Compare(model, $("compare"), about);
    new Files(model, $("files"), about);
    chooser = new Chooser(model, $("chooser"), about, { attempt, page, show });
    new FileBar(model, $("file"), $("send"), chooser);
    new Design(model, $("design"), about, chooser);
    const lattices = new LatticeEditor((made) => chooser.openMade(made, "puzzle"));
    $("chooser").append(
      dom(
        "button",
        { type: "button", id: "own-lattice", onclick: () => attempt(() => lattices.open()) },
        "Draw a lattice …",
      ),
    );
    plane = new Plane($(PLANE), about);
    start = new Start($("starting"), about, {
      begin: (/** @type {string} */ lattice) => chooser.begin(lattice),
      choose: () => $("upload").click(),
      open: () => chooser.at.design,
    });
    acceptDrops((files) => chooser.take(() => chooser.readFiles(files)));
    model.addEventListener("loaded", () => {
      for (const name of ["best", "design"]) $(`tab-${name}`).hidden = !model.isPuzzle;
      const there = where().page; // a link on the page Start names a page
      show(hasPuzzle() ? page() : PAGES.includes(there) ? there : "puzzle");
    });
    for (const what of ["loaded", "checked", "kept"]) model.addEventListener(what, drawTitle);
    window.addEventListener("popstate", () => hasPuzzle() && !model.data && attempt(() => chooser.start()));
    show(where().page);
    if (hasPuzzle()) await chooser.start();
  });
}

begin();
