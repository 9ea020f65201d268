// A whole puzzle in an address: the text of its file, compressed (zlib) and written in base64url, behind an equals sign,
// as in #solve/=eJxTKC5NSs… . Whoever sends such an address sends the puzzle; nothing is stored anywhere.

export const CARRIED = "="; // no puzzle's name in an address begins with it
export const LONGEST = 8000; // characters: programs for messages cut longer addresses, or refuse them
const MOST_TEXT = 1000000; // characters of a text: a short word may unfold to more than a page can hold
const AT_ONCE = 0x8000; // bytes that become characters together

/** A puzzle cannot be carried, or the word that carries one is damaged. */
export class CarryingFault extends Error {}

/** The word that carries a text in an address, without the mark. @param {string} text */
export async function wordOf(text) {
  const packed = await streamed(new TextEncoder().encode(text), new CompressionStream("deflate"), Infinity);
  let signs = "";
  for (let k = 0; k < packed.length; k += AT_ONCE) signs += String.fromCharCode(...packed.subarray(k, k + AT_ONCE));
  const word = btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (word.length > LONGEST) {
    const size = `${word.length.toLocaleString("en-US")} characters, and ${LONGEST.toLocaleString("en-US")} is the most`;
    throw new CarryingFault(`the puzzle is too large for a link (${size}): send its file instead`);
  }
  return word;
}

/** The text that such a word carries. @param {string} word */
export async function textOf(word) {
  if (word.length > LONGEST)
    throw new CarryingFault("the link is longer than a link to a puzzle can be: ask for the puzzle's file instead");
  const damaged = "the link is damaged, perhaps because its end was cut off: copy it again, as a whole";
  if (!/^[\w-]+$/.test(word)) throw new CarryingFault(damaged);
  let bytes;
  try {
    const signs = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
    bytes = await streamed(packed, new DecompressionStream("deflate"), MOST_TEXT);
  } catch {
    throw new CarryingFault(damaged);
  }
  if (bytes.length > MOST_TEXT) throw new CarryingFault("the link carries more than a puzzle can be");
  return new TextDecoder().decode(bytes);
}

/**
 * Bytes through a stream that changes them; no more is read when there are more than so many.
 * @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} through @param {number} most
 */
async function streamed(bytes, through, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const pieces = [];
  let size = 0;
  while (size <= most) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  if (size > most) await reader.cancel();
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
