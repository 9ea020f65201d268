// The app: choosing a puzzle, and the pages. What is chosen stands in the address, so that it can be kept and sent.

import * as api from "./api.js";
import { Compare } from "./compare.js";
import { choice, el, field, fill, showFault } from "./elements.js";
import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { Model } from "./model.js";
import { Solve } from "./solve.js";
import { Watch } from "./watch.js";

const PAGES = ["puzzle", "solve", "watch", "compare", "files"];
const FIRST = "pent-10x6";
const $ = (id) => document.getElementById(id);
const model = new Model();

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

function drawChooser(about) {
  const groups = new Map();
  for (const puzzle of about.puzzles) groups.set(puzzle.lattice, [...(groups.get(puzzle.lattice) ?? []), puzzle]);
  const select = el("select", { id: "shipped", onchange: () => select.value && openShipped(select.value) }, el("option", { value: "" }, "choose …"));
  for (const [lattice, puzzles] of groups) {
    select.append(el("optgroup", { label: lattice }, puzzles.map(({ name, title }) => el("option", { value: name, title }, name))));
  }
  const lattices = choice([["", "choose …"], ...about.lattices.map(({ name }) => [name, name])], "", (name) => {
    if (name) openNew(about.lattices.find((lattice) => lattice.name === name));
    lattices.value = "";
  });
  lattices.id = "lattice";
  const upload = el("input", { type: "file", id: "upload", accept: about.suffixes.join(","), onchange: () => {
    if (upload.files.length) openFile(upload.files[0]);
    upload.value = "";
  } });
  fill($("chooser"), field("a shipped puzzle", select), field("a file of yours", upload), field("a new puzzle on", lattices), el("span", { id: "problems" }));
}

function openShipped(name) {
  return attempt(async () => {
    if (!(await model.take(() => api.open({ form: "shipped", name })))) return;
    offerProblems((problem) => attempt(() => model.take(() => api.open({ form: "shipped", name, problem }))));
    history.replaceState(null, "", `#${page()}/${encodeURIComponent(name)}`);
  });
}

function openFile(file, problem) {
  return attempt(async () => {
    if (!(await model.take(() => api.read(file, problem)))) return;
    $("shipped").value = "";
    offerProblems((other) => openFile(file, other));
    history.replaceState(null, "", `#${page()}`);
  });
}

function openNew(lattice) {
  return attempt(async () => {
    await model.openNew(lattice.name, lattice.dimension);
    $("shipped").value = "";
    fill($("problems"));
    show("puzzle");
  });
}

/** Where a file holds several puzzles: which. */
function offerProblems(open) {
  const { problems, name } = model.data;
  if (problems.length === 0) {
    fill($("problems"));
    return;
  }
  const select = choice(problems.map((problem) => [problem.name, problem.fault ? `${problem.name} (cannot be used)` : problem.name]), name, open);
  fill($("problems"), field(`one of its ${problems.length} puzzles`, select));
}

const page = () => PAGES.find((name) => !$(name).hidden) ?? "puzzle";

function show(name) {
  for (const other of PAGES) {
    const tab = $(`tab-${other}`);
    $(other).hidden = other !== name;
    tab.setAttribute("aria-selected", other === name);
    tab.tabIndex = other === name ? 0 : -1;
  }
  const [, puzzle] = location.hash.slice(1).split("/");
  history.replaceState(null, "", `#${name}${puzzle ? `/${puzzle}` : ""}`);
}

function drawTabs() {
  for (const name of PAGES) $(`tab-${name}`).addEventListener("click", () => show(name));
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = PAGES.indexOf(page()) + step;
    const next = Number.isFinite(at) ? PAGES[(at + PAGES.length) % PAGES.length] : PAGES.at(step < 0 ? 0 : -1);
    show(next);
    $(`tab-${next}`).focus();
  });
}

async function begin() {
  drawTabs();
  await attempt(async () => {
    const about = await api.about();
    $("version").textContent = about.version;
    drawChooser(about);
    for (const [kind, name] of [[Editor, "puzzle"], [Solve, "solve"], [Watch, "watch"], [Compare, "compare"], [Files, "files"]]) {
      new kind(model, $(name), about);
    }
    model.addEventListener("loaded", () => {
      for (const name of ["watch"]) $(`tab-${name}`).hidden = !model.isPuzzle;
      if (!model.isPuzzle && page() === "watch") show("puzzle");
    });
    const [wanted, puzzle] = location.hash.slice(1).split("/").map(decodeURIComponent);
    show(PAGES.includes(wanted) ? wanted : "puzzle");
    const known = about.puzzles.some(({ name }) => name === puzzle);
    $("shipped").value = known ? puzzle : FIRST;
    await openShipped($("shipped").value);
  });
}

begin();
