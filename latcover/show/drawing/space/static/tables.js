// Tables whose keys people write: names of lattices, motions, groups, colours.

/**
 * What a table holds under a key, or undefined. Every object also answers to words such as "constructor": those are no entries.
 * @template T @param {Record<string, T>} table @param {string} key @returns {T | undefined}
 */
export const entry = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);
