// The app: its pages, and what is open. Both stand in the address, so that they can be kept, sent and gone back to.

import * as api from "./api.js";
import { goTo, where } from "./address.js";
import { Chooser } from "./chooser.js";
import { Compare } from "./compare.js";
import { el, showFault } from "./elements.js";
import { Design } from "./design.js";
import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { LatticeEditor } from "./lattice_editor.js";
import { Model } from "./model.js";
import { Solve } from "./solve.js";
import { Watch } from "./watch.js";

const PAGES = ["puzzle", "solve", "watch", "compare", "design", "files"];
const $ = (id) => document.getElementById(id);
const model = new Model();
let chooser;

/** Do something that the server may refuse, and say so where it does. */
async function attempt(work) {
  showFault($("fault"), null);
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (fault) {
    if (!(fault instanceof api.Fault)) throw fault;
    showFault($("fault"), fault);
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

const page = () => PAGES.find((name) => !$(name).hidden) ?? "puzzle";

function show(wanted) {
  const known = PAGES.includes(wanted) && !$(`tab-${wanted}`).hidden;
  const name = known ? wanted : "puzzle";
  for (const other of PAGES) {
    const tab = $(`tab-${other}`);
    $(other).hidden = other !== name;
    tab.setAttribute("aria-selected", other === name);
    tab.tabIndex = other === name ? 0 : -1;
  }
}

/** Open a page, as a step that Back takes back. */
function turnTo(name) {
  if (name === page()) return;
  show(name);
  goTo(name, chooser ? chooser.at : where().place, true);
}

function drawTabs() {
  for (const name of PAGES) $(`tab-${name}`).addEventListener("click", () => turnTo(name));
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    const there = PAGES.filter((name) => !$(`tab-${name}`).hidden);
    const at = there.indexOf(page()) + step;
    const next = Number.isFinite(at) ? there[(at + there.length) % there.length] : there.at(step < 0 ? 0 : -1);
    turnTo(next);
    $(`tab-${next}`).focus();
  });
}

/** Say on every page which puzzle is open. */
function drawTitle() {
  const title = model.verdict.title || model.data.title;
  $("title").textContent = title;
  document.title = `${title} – latcover`;
  const words = chooser?.isLosing() ? "This browser has no room to keep the changes: download the puzzle before you leave." : "";
  $("unkept").textContent = words;
}

/** On a phone the choice of puzzles is folded, so that the picture comes first. */
function foldChoice() {
  const narrow = matchMedia("(max-width: 36rem)");
  const fold = () => ($("choosing").open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();
}

async function begin() {
  foldChoice();
  drawTabs();
  await attempt(async () => {
    const about = await api.about();
    $("version").textContent = about.version;
    for (const [kind, name] of [[Editor, "puzzle"], [Solve, "solve"], [Watch, "watch"], [Compare, "compare"], [Files, "files"]]) {
      new kind(model, $(name), about);
    }
    chooser = new Chooser(model, $("chooser"), about, { attempt, page, show: (name) => show(name) });
    new Design(model, $("design"), about, chooser);
    const lattices = new LatticeEditor((made) => chooser.openMade(made, "puzzle"));
    $("chooser").append(el("button", { type: "button", id: "own-lattice", onclick: () => attempt(() => lattices.open()) }, "Draw a lattice …"));
    model.addEventListener("loaded", () => {
      for (const name of ["watch", "design"]) $(`tab-${name}`).hidden = !model.isPuzzle;
      show(page());
    });
    for (const what of ["loaded", "checked", "kept"]) model.addEventListener(what, drawTitle);
    show(where().page);
    await chooser.start();
  });
}

begin();
