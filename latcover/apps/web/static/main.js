// The app: the program with a server.

import * as server from "./api.js";
import { PLANE, START } from "./address.js";
import { Apart } from "./apart.js";
import { attempt } from "./attempt.js";
import { Best } from "./best.js";
import { Chooser } from "./chooser.js";
import { Compare } from "./compare.js";
import { Design } from "./design.js";
import { acceptDrops } from "./drop.js";
import { Editor } from "./editor.js";
import { FileBar } from "./file_bar.js";
import { answerBy, host as api } from "./host.js";
import { LatticeEditor } from "./lattice_editor.js";
import { Model } from "./model.js";
import { Plane } from "./plane.js";
import { PlayPage } from "./play_page.js";
import { SaveSheet } from "./save_sheet.js";
import { Shell } from "./shell.js";
import { Solve } from "./solve.js";
import { SolveOptions } from "./solve_options.js";
import { Start } from "./start.js";
import { Watch } from "./watch.js";

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

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
  answerBy(server);
  watchServer();
  const model = new Model();
  /** @type {Record<string, any>} */ const free = {};
  /** @type {Record<string, any>} */ const shown = {};
  const shell = new Shell(model, { name: "latcover", free, shown });
  await attempt(async () => {
    const about = await api.about().catch((fault) => {
      api.server.whenBack(() => location.reload());
      throw fault;
    });
    $("version").textContent = about.version;
    new Editor(model, $("puzzle"), about);
    shown.play = new PlayPage(model, $("play"));
    const solve = (shown.solve = new Solve(model, $("solve"), new SolveOptions(model, about)));
    shown.apart = new Apart(model, $("apart"), solve);
    new Best(model, $("best"), about);
    new Watch(model, $("watch"), about);
    new Compare(model, $("compare"), about);
    const chooser = new Chooser(model, $("chooser"), about, {
      attempt,
      page: () => shell.page,
      show: (name) => shell.show(name),
      more: { words: "Draw a lattice …", act: () => lattices.open() },
    });
    const lattices = new LatticeEditor((made) => chooser.openMade(made, "puzzle"));
    new FileBar(model, $("file"), $("send"), chooser);
    new SaveSheet(model, $("save"), about, solve);
    new Design(model, $("design"), about, chooser);
    free[PLANE] = new Plane($(PLANE), about);
    free[START] = new Start($("starting"), about, {
      begin: (/** @type {string} */ lattice) => chooser.begin(lattice),
      choose: () => $("upload").click(),
      open: () => chooser.at.design,
    });
    acceptDrops((files) => chooser.take(() => chooser.readFiles(files)));
    await shell.begin(chooser);
  });
}

begin();
