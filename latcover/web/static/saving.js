// The open file as a file to take away: in our own form, or as a BurrTools file. With all its problems.

import * as api from "./api.js";
import { save } from "./elements.js";

export const BURRTOOLS = "xmpuzzle";

/** Hand the file that is open to the browser; what is to be said of it. */
export async function saveToml(model) {
  if (model.whole.problems.length > 1) return saveWhole(model, "toml");
  const { toml, faults } = await model.judged();
  if (!toml) throw new api.Fault(`the puzzle cannot be written as it is: ${faults.join("; ")}.`);
  const name = `${plain(model.name)}.toml`;
  save(new Blob([toml], { type: "application/toml" }), name);
  model.tell("saved");
  return `${name} was written.`;
}

/** The same as a BurrTools file; the server names all that such a file cannot say. */
export const saveBurrTools = (model) => saveWhole(model, BURRTOOLS);

async function saveWhole(model, form) {
  const made = await api.exported({ subject: await model.file(), form, ...(model.data.file ? { name: model.data.file } : {}) });
  model.tell("saved");
  return take(made);
}

/** Hand a file to the browser; what is to be said of it. */
export function take({ name, blob, remarks }) {
  save(blob, name);
  return `${name} was written.${remarks ? ` Note: ${remarks}.` : ""}`;
}

export const plain = (name) => name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 80) || "puzzle";
