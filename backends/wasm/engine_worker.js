// The engine in a worker, so that the page stays alive and a search can be ended at once.
//
//   import { EngineWorker } from "./engine_worker.js";
//   const engine = new EngineWorker(bytes);  // latcover.wasm: ArrayBuffer, typed array, or WebAssembly.Module
//   const answer = await engine.search(problem, limits, on);  // as Engine.search; callbacks return nothing that matters
//   const plan = await engine.takeApart(geometry, limits, on);  // as Engine.takeApart
//   engine.stop();  // ends what runs: its promise is fulfilled with {stop: "cancelled", …} and the last figures. Usable again.
//   engine.close();  // ends the worker for good
//
// The worker is made from a blob of the engine's own code: no URL is loaded, no header is needed, and it runs from file:// too.
// Calls wait for each other. `latcover.backends.wasm.script()` gives both files as one classic script (globalThis.latcover =
// {Engine, EngineWorker, EngineError}); `latcover.backends.wasm.module()` gives the bytes of latcover.wasm.
