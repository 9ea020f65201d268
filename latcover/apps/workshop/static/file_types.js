// The types of what a puzzle file says. They come with the page's data: latcover makes them from the tables of its own reader
// (latcover/files/formats/puzzle_files/schema.py), so the page takes no value that latcover refuses.

import { entry } from "./tables.js";

/** @typedef {Record<string, any>} Schema a schema as schema.py makes it; the words that it uses are those of MISFITS */

const MOST_DIGITS = 4300; // of a whole number that Python reads
/** @type {Record<string, string>} */
const WORDS = {
  integer: "a whole number",
  number: "a number",
  string: "a text in quotes",
  boolean: "true or false",
  array: "a list in brackets [ ]",
  object: "a table",
};

/** @param {any} value */
export const isTable = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Whether a value is of a type; whole numbers are read as bigints, so 1.0 is none. @type {Record<string, (value: any) => boolean>} */
const IS = {
  integer: (value) => typeof value === "bigint" && value.toString().length <= MOST_DIGITS,
  number: (value) => typeof value === "bigint" || typeof value === "number",
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isTable,
};

/** For each word of a schema that bounds a value: whether the value breaks it. @type {[string, (value: any, bound: any) => boolean][]} */
const MISFITS = [
  ["type", (value, type) => !IS[type](value)],
  ["minimum", (value, least) => !(value >= least)], // so said, NaN breaks it
  ["maximum", (value, most) => !(value <= most)],
  ["pattern", (value, pattern) => !new RegExp(pattern).test(value)],
  ["maxLength", (value, most) => [...value].length > most], // of characters, as Python counts them
  ["minItems", (value, least) => value.length < least],
  ["maxItems", (value, most) => value.length > most],
  ["enum", (value, words) => !words.includes(value)],
];

/**
 * The first value that is not of its type, in words; null if all are.
 * @param {any} value @param {Schema} schema @param {Record<string, Schema>} tables those that schemas name
 * @param {string} where @returns {string | null}
 */
export function typeFault(value, schema, tables, where) {
  if (schema.$ref) {
    const table = entry(tables, schema.$ref.split("/").at(-1));
    return table ? typeFault(value, table, tables, where) : `${where} is a table that this page does not support`;
  }
  const must = `${where} must be ${schema.description ?? WORDS[schema.type] ?? "another value"}`;
  /** @type {Schema[]} */ const choices = (schema.anyOf ?? []).filter((/** @type {Schema} */ one) => !one.required);
  if (choices.length) {
    const faults = choices.map((one) => typeFault(value, one, tables, where));
    const near = choices.findIndex(({ $ref, type }) =>
      $ref ? isTable(value) : type === "array" && Array.isArray(value),
    );
    return faults.includes(null) ? null : (faults[near] ?? must);
  }
  if (MISFITS.some(([word, breaks]) => word in schema && breaks(value, schema[word]))) return must;
  if (Array.isArray(value) && schema.items)
    return first(
      value.map((one, k) => [one, schema.items, `${where}[${k}]`]),
      tables,
    );
  if (!isTable(value)) return null;
  const missing = (schema.required ?? []).find((/** @type {string} */ key) => {
    const own = entry(value, key);
    return own === undefined || (typeof own === "string" && isBlank(own));
  });
  if (missing) return `${where || "the file"} needs ${missing}`;
  const { properties = {}, additionalProperties: others } = schema;
  const unknown = Object.keys(value).find((key) => !entry(properties, key) && !others);
  if (unknown !== undefined) return `${where || "the file"} has the unknown key ${unknown}`;
  const place = (/** @type {string} */ key) => (where ? `${where}.${key}` : key);
  return first(
    Object.entries(value).map(([key, one]) => [one, entry(properties, key) ?? others, place(key)]),
    tables,
  );
}

/** Whether a text has nothing but what Python takes as blanks. @param {any} text */
export const isBlank = (text) => /^[^\S\ufeff]*$/.test(text.replace(/[\x1c-\x1f\x85]/g, ""));

/** @param {[value: any, schema: Schema, where: string][]} rows @param {Record<string, Schema>} tables */
function first(rows, tables) {
  for (const [value, schema, where] of rows) {
    const fault = typeFault(value, schema, tables, where);
    if (fault) return fault;
  }
  return null;
}

/** A value with numbers in place of bigints, where a number can be the same. @param {any} value @returns {any} */
export function withNumbers(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isTable(value)) return value;
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNumbers(one)])),
  );
}
