// Calls the engine for tests/javascript.py: a line of JSON for each call, and one for its answer.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [script, module] = process.argv.slice(2);
const { Engine, EngineError } = await import(pathToFileURL(script));
const engine = await Engine.load(readFileSync(module));

for await (const line of createInterface({ input: process.stdin })) {
  const { call, args, stopAt } = JSON.parse(line);
  if (stopAt === "spoil" && call === "search") args[0].high = Int32Array.from(args[0].high); // taken as it is, not copied
  if (stopAt === "spoil" && call === "takeApart") {
    engine.takeApart(args[0]); // remembers the geometry
    args[0].cells = args[0].cells.map((number, k) => (k % 4 === 1 ? -number : number)); // all pieces are turned over
  }
  const found = [];
  const reports = [];
  const on = {
    onCovers: (covers) => {
      found.push(...covers.map((cover) => [...cover]));
      if (stopAt === "spoil") args[0].high.fill(0);
      return stopAt !== "onCovers";
    },
    onProgress: (report) => {
      reports.push(report);
      return stopAt !== "onProgress";
    },
  };
  let reply;
  try {
    reply = { ...engine[call](...args, on), found, reports };
  } catch (error) {
    reply = { error: error.message, ours: error instanceof EngineError };
  }
  console.log(JSON.stringify(reply, (_, value) => (typeof value === "bigint" ? String(value) : value)));
}
