// The text of a file in blocks: what stands before the first table, and then each table of the top level with all within it. So
// what nobody has changed is written back as it was, with its comments.

import { parse, stringify } from "./toml.js";

/** @typedef {{ key: string, text: string }} Block `key` is "" for what stands before the first table */

const HEADER = /^[ \t]*\[\[?[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))/;

/** @param {string} text @returns {Block[]} */
export function blocksOf(text) {
  /** @type {Block[]} */ const found = [{ key: "", text: "" }];
  let part = ""; // lines that are not a whole block yet: a line of an art or of a list may look like a header
  for (const line of text.split(/(?<=\n)/)) {
    const [isHeader, a, b, c] = HEADER.exec(line) ?? [];
    const last = found[found.length - 1];
    if (isHeader && isWhole(part)) {
      last.text += part;
      part = "";
      const key = a ?? b ?? c;
      const isWithin = /^[ \t]*\[\[?[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\./.test(line) && last.key === key;
      if (!isWithin) found.push({ key, text: "" });
    }
    part += line;
  }
  found[found.length - 1].text += part;
  return found;
}

/** @param {string} text */
function isWhole(text) {
  try {
    parse(text, { integersAsBigInt: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The text of a table. A value that `before` has under the same key, as one object or as one of a list, is written as it stood.
 * @param {Record<string, any>} data @param {{ data: Record<string, any>, blocks: Block[] } | null} before
 */
export function textOfTables(data, before) {
  /** @type {Map<unknown, string>} */ const written = new Map();
  const blocks = before?.blocks ?? [];
  const own = new Set(blocks.map(({ key }) => key));
  const lists = Object.entries(before?.data ?? {}).filter(([key]) => own.has(key));
  for (const [key, value] of lists) {
    const texts = blocks.filter((block) => block.key === key).map(({ text }) => text);
    const values = Array.isArray(value) ? value : [value];
    if (texts.length === values.length) values.forEach((one, k) => written.set(one, texts[k]));
  }
  const isApart = (/** @type {unknown} */ value) =>
    written.has(value) ||
    (typeof value === "object" && value !== null && (!Array.isArray(value) || typeof value[0] === "object"));
  const head = Object.entries(data).filter(([, value]) => !isApart(value));
  const tables = Object.entries(data).filter(([, value]) => isApart(value));
  const old = Object.entries(before?.data ?? {}).filter(([key]) => !own.has(key));
  const stays = before && old.length === head.length && head.every(([key, value]) => before.data[key] === value);
  const first = stays ? blocks[0].text : stringify(Object.fromEntries(head));
  const rest = tables.flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (one) => written.get(one) ?? stringify({ [key]: Array.isArray(value) ? [one] : one }),
    ),
  );
  return `${[first, ...rest]
    .map((text) => text.trim())
    .filter(Boolean)
    .join("\n\n")}\n`;
}
