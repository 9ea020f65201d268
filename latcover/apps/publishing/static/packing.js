// Whole numbers from short text, as `latcover.apps.publishing.short_numbers` writes it.

/** @import { Packed } from "./play_types.js" */

/** @type {Record<string, Uint8ArrayConstructor | Uint16ArrayConstructor | Int32ArrayConstructor>} */
const TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array };

/**
 * The numbers of a packed row, as an Int32Array.
 *
 * @param {Packed} text
 */
export function unpacked(text) {
  const [name, base64] = text.split(":");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return Int32Array.from(new TYPES[name](bytes.buffer));
}
