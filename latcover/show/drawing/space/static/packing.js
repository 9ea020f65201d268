// Numbers from short text, as `latcover.show.drawing.space.packed_numbers` writes it.

/** @import { Packed } from "./types.js" */

const TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f4: Float32Array };

/** The whole numbers of a packed row. @param {Packed} text */
export function unpacked(text) {
  return Int32Array.from(row(text));
}

/** The numbers of a packed row. @param {Packed} text */
export function unpackedFloats(text) {
  return Float32Array.from(row(text));
}

/** @param {Packed} text */
function row(text) {
  const [name, base64] = text.split(":");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TYPES[/** @type {keyof typeof TYPES} */ (name)](bytes.buffer);
}
