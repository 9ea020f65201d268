// The page "Workshop" of a published site: the program without a server.

import { START } from "./address.js";
import { Apart } from "./apart.js";
import { attempt } from "./attempt.js";
import { Chooser } from "./chooser.js";
import { PageCuts } from "./cut_run.js";
import { Design } from "./design.js";
import { acceptDrops } from "./drop.js";
import { Editor } from "./editor.js";
import { showFault } from "./elements.js";
import { FileBar } from "./file_bar.js";
import { answerBy } from "./host.js";
import { Model } from "./model.js";
import * as pageApi from "./page_api.js";
import { runsInPage } from "./page_runs.js";
import { PlayPage } from "./play_page.js";
import { SaveSheet } from "./save_sheet.js";
import { Shell } from "./shell.js";
import { Solve } from "./solve.js";
import { SolveOptions } from "./solve_options.js";
import { Start } from "./start.js";

/** @import { Catalogue } from "./server_types.js" */
/** @import { Host } from "./host.js" */

const { lattices, puzzles, others, sets } = globalThis.latcoverWorkshop;
const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const SHELF = { name: "", about: "" }; // the puzzles of this site, in their order
/** What the page offers; a server offers more. */
const offered = {
  lattices: Object.values(lattices),
  puzzles: puzzles.map((puzzle) => ({ ...puzzle, shelf: SHELF.name, solutions: null })),
  shelves: [SHELF],
  suffixes: [".toml", ".xmpuzzle"],
  ...{ others, sets },
};
const about = /** @type {Catalogue & { others: typeof others }} */ (/** @type {unknown} */ (offered));

/** Say what went wrong: nothing here may fail in silence. @param {any} error */
function fail(error) {
  showFault($("fault"), { message: `This page has an error: ${error?.message ?? error}` });
}

async function begin() {
  addEventListener("error", ({ error, message }) => fail(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  const cuts = new PageCuts(pageApi.open);
  const dataOf = async (/** @type {any} */ subject, /** @type {any} */ same) =>
    (await pageApi.playable(subject, same)).data;
  const answers = { ...pageApi, ...runsInPage(dataOf, { design: cuts.work }), ...cuts.answers() };
  answerBy(/** @type {Partial<Host>} */ (/** @type {unknown} */ (answers)));
  const model = new Model();
  /** @type {Record<string, any>} */ const free = {};
  /** @type {Record<string, any>} */ const shown = {};
  const shell = new Shell(model, { name: "Workshop", free, shown });
  shown.play = new PlayPage(model, $("play"));
  const solve = (shown.solve = new Solve(model, $("solve"), new SolveOptions(model, about)));
  shown.apart = new Apart(model, $("apart"), solve);
  new Editor(model, $("puzzle"), about);
  const chooser = new Chooser(model, $("chooser"), about, {
    attempt,
    page: () => shell.page,
    show: (name) => shell.show(name),
  });
  new Design(model, $("design"), about, chooser);
  new FileBar(model, $("file"), $("send"), chooser);
  new SaveSheet(model, $("save"), {});
  free[START] = new Start($("starting"), about, {
    begin: (lattice) => chooser.begin(lattice),
    choose: () => $("upload").click(),
    open: () => chooser.at.design,
  });
  acceptDrops((files) => chooser.take(() => chooser.readFiles(files)));
  await attempt(() => shell.begin(chooser));
}

begin();
