// Saves the open file with all its problems, in our own format or as a BurrTools file.

import { save } from "./dom.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";

/** @import { Model } from "./model.js" */

export const BURRTOOLS = "xmpuzzle";

/** Save the open file. Returns the message for the user. @param {Model} model */
export async function saveToml(model) {
  if (model.whole.problems.length > 1) return saveWhole(model, "toml");
  const toml = await textOfFile(model);
  const name = `${plain(model.name)}.toml`;
  save(new Blob([toml], { type: "application/toml" }), name);
  model.tell("saved");
  return `${name} was saved.`;
}

/** The open file as text in our own format. @param {Model} model */
export async function textOfFile(model) {
  if (model.whole.problems.length > 1) return (await wholeAs(model, "toml")).blob.text();
  const { toml, faults } = await model.judged();
  if (!toml) throw new Fault(`the puzzle cannot be saved in its current state: ${faults.join("; ")}.`);
  return toml;
}

/** Save it as a BurrTools file; the server names everything that such a file cannot express. @param {Model} model */
export const saveBurrTools = (model) => saveWhole(model, BURRTOOLS);

/** Save a web site of it, in a ZIP file. @param {Model} model */
export const saveSite = (model) => saveWhole(model, "site");

/** @param {Model} model @param {string} form */
async function saveWhole(model, form) {
  const made = await wholeAs(model, form);
  model.tell("saved");
  return take(made);
}

/** @param {Model} model @param {string} form */
const wholeAs = async (model, form) =>
  api.exported({ subject: await model.file(), form, ...(model.data.file ? { name: model.data.file } : {}) });

/** Save a file. Returns the message for the user. @param {{ name: string, blob: Blob, remarks: string }} options */
export function take({ name, blob, remarks }) {
  save(blob, name);
  return `${name} was saved.${remarks ? ` Note: ${remarks}.` : ""}`;
}

/** @param {string} name */
export const plain = (name) => name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 80) || "puzzle";
