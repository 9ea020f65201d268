// What other scripts of a published page put into its global scope.

import type { Engine as EngineClass, EngineError as ErrorClass } from "../../../../backends/wasm/engine.js";
import type { EngineWorker as WorkerClass } from "../../../../backends/wasm/engine_worker.js";
import type { ListedPuzzle, PageData } from "./play_types.js";

declare global {
  /** engine.js of a site. */
  var latcover: {
    Engine: typeof EngineClass;
    EngineError: typeof ErrorClass;
    EngineWorker: typeof WorkerClass;
    wasm: string; // the module, in base64
    searching: string; // the script of search_worker.js
  };
  /** The script of a puzzle. */
  var latcoverPuzzle: PageData;
  /** The puzzles of a site; a page alone has none. */
  var latcoverSite: ListedPuzzle[] | undefined;
  /** Stands before the text of search_worker.js. */
  var Engine: typeof EngineClass;
}
