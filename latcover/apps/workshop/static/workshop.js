// The page "Workshop" of a published site: the program without a server.

import { START } from "./address.js";
import { attempt } from "./attempt.js";
import { Beginning } from "./beginning.js";
import { Chooser } from "./chooser.js";
import { CutTab } from "./cut_tab.js";
import { acceptDrops } from "./drop.js";
import { Editor } from "./editor.js";
import { showFault } from "./elements.js";
import { FileBar } from "./file_bar.js";
import { answerBy } from "./host.js";
import { turnTo } from "./kinds.js";
import { MadeTabs } from "./made_tabs.js";
import { Model } from "./model.js";
import * as pageApi from "./page_api.js";
import { SaveSheet } from "./save_sheet.js";
import { Shell } from "./shell.js";

/** @import { Catalogue } from "./server_types.js" */
/** @import { Host } from "./host.js" */

const { lattices, puzzles, others, sets } = globalThis.latcoverWorkshop;
const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** What the editor offers; a server offers more. */
const about = /** @type {Catalogue} */ (
  /** @type {unknown} */ ({ lattices: Object.values(lattices), puzzles, sets, suffixes: [".toml", ".xmpuzzle"] })
);

/** Say what went wrong: nothing here may fail in silence. @param {any} error */
function fail(error) {
  showFault($("fault"), { message: `This page has an error: ${error?.message ?? error}` });
}

async function begin() {
  addEventListener("error", ({ error, message }) => fail(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  answerBy(/** @type {Partial<Host>} */ (/** @type {unknown} */ (pageApi)));
  const model = new Model();
  /** @type {Record<string, any>} */ const free = {};
  /** @type {Record<string, any>} */ const shown = {};
  const shell = new Shell(model, { name: "Workshop", free, shown });
  const made = new MadeTabs(model, { play: $("play"), solve: $("solve"), apart: $("apart") });
  for (const name of ["play", "solve", "apart"]) shown[name] = { show: () => made.open(name) };
  shown.design = new CutTab(model, $("design"), () => turnTo("puzzle"));
  new Editor(model, $("puzzle"), about);
  const chooser = new Chooser(model, $("chooser"), about, {
    attempt,
    page: () => shell.page,
    show: (name) => shell.show(name),
  });
  new FileBar(model, $("file"), $("send"), chooser);
  new SaveSheet(model, $("save"), {});
  free[START] = new Beginning(
    $("starting"),
    { lattices, puzzles, others },
    {
      begin: (lattice) => chooser.begin(lattice),
      choose: () => $("upload").click(),
      open: () => chooser.at.design,
    },
  );
  acceptDrops((files) => chooser.take(() => chooser.readFiles(files)));
  await attempt(() => shell.begin(chooser));
}

begin();
