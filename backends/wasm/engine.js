// The search and the disassembler for JavaScript: in a page, in a worker of it, and in Node. It needs latcover.wasm and no network.
//
//   import { Engine } from "./engine.js";
//   const engine = await Engine.load(bytes);  // latcover.wasm: ArrayBuffer, typed array, Response, URL, or WebAssembly.Module
//
//   const answer = engine.search(problem, limits, on);
//     problem   the arrays of a CoverProblem (latcover/cover/problem.py), each a plain or a typed array of whole numbers:
//                 {starts, items, low, high, colours?, n_cells?, n_parts?, neighbour_starts?, neighbours?}
//               `starts` are option_starts, `items` option_items, `colours` option_colours.
//     limits    {covers?, branches?, seconds?, counts?, restarts?, seed?}; all may be left out, null is no limit.
//                 counts    true: covers are counted and not handed over
//                 restarts  true: look for one cover by random restarts, which is quick where a search in order is not
//                 seed      of the restarts, a whole number below 2^32
//               `limit` is another name of `covers`.
//     on        {onCovers(covers), onProgress(report)}; both may be left out.
//                 covers    a list of Int32Array: the options of each cover, in the order of their choice. Each was checked.
//                 report    {share, branches, covers, seconds}; share is the part of the tree that is done, from 0 to 1
//               A callback that returns false stops the search.
//     answer    {stop, covers, branches, dead_ends, deepest, branches_by_level, setup_seconds, search_seconds, first_seconds,
//                kernel, note}
//                 stop      "exhausted", "cover_limit", "branch_limit", "time_limit" or "cancelled"
//                 note      why dancing links searched in place of bitmaps, or ""
//               Numbers are plain numbers, exact up to 2^53.
//
//   const plan = engine.takeApart(geometry, limits, on);
//     geometry  what latcover.assembly.geometry.sliding_data(puzzle, placements) gives, from Python
//     limits    {pieces?, states?, seconds?}
//                 pieces    which of geometry.pieces lie together, as their numbers: a cover, if these are the options'
//                           placements. If it is left out, all of them.
//                 states    how many positions of pieces to examine at most, 10,000,000 if left out
//     on        {onProgress({states, seconds})}; returning false stops
//     plan      what Disassembly.as_json() gives in Python. Pieces are numbered in the order of `pieces`.
//
// A mistake in what is given throws an EngineError with a message for people. The engine can be used again after it.
