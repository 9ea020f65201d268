// Numbers from short text, as `latcover.show.drawing.space.packed_numbers` writes it; a page that makes its data itself has them
// as they are, because a worker hands typed arrays over without a copy.

/** @import { Packed } from "./types.js" */

const TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f4: Float32Array };

/** The whole numbers of a packed row. @param {Packed} given */
export function unpacked(given) {
  return typeof given === "string" ? new Int32Array(row(given)) : given;
}

/** The numbers of a packed row. @param {Packed} given */
export function unpackedFloats(given) {
  return new Float32Array(typeof given === "string" ? row(given) : given);
}

/** @param {string} text */
function row(text) {
  const [name, base64] = text.split(":");
  return new TYPES[/** @type {keyof typeof TYPES} */ (name)](bytesOf(base64).buffer);
}

/** Bytes in base64. Calling a function for each takes twenty times as long. @param {string} base64 */
export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k += 1) bytes[k] = text.charCodeAt(k);
  return bytes;
}
