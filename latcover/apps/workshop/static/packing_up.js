// Whole numbers as short text, which packing.js reads: as `latcover.show.drawing.space.packed_numbers` writes it.

/** @import { Packed } from "./types.js" */

const AT_ONCE = 1 << 13; // bytes that become text together

/** @param {ArrayLike<number>} values @returns {Packed} */
export function packed(values) {
  const row = Int32Array.from(values);
  const low = row.reduce((least, value) => Math.min(least, value), 0);
  const high = row.reduce((most, value) => Math.max(most, value), 0);
  const [name, kind] =
    low < 0 || high > 65535 ? ["i4", Int32Array] : high > 255 ? ["u2", Uint16Array] : ["u1", Uint8Array];
  const bytes = new Uint8Array(new /** @type {any} */ (kind)(row).buffer);
  let text = "";
  for (let k = 0; k < bytes.length; k += AT_ONCE) text += String.fromCharCode(...bytes.subarray(k, k + AT_ONCE));
  return `${name}:${btoa(text)}`;
}
