// A film as a WebM file: what browsers encode, picture by picture, within the few elements of Matroska that players need.

const ELEMENT = {
  head: 0x1a45dfa3,
  version: 0x4286,
  readVersion: 0x42f7,
  longestId: 0x42f2,
  longestSize: 0x42f3,
  type: 0x4282,
  typeVersion: 0x4287,
  typeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  muxer: 0x4d80,
  writer: 0x5741,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  number: 0xd7,
  uid: 0x73c5,
  kind: 0x83,
  codec: 0x86,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  cluster: 0x1f43b675,
  time: 0xe7,
  block: 0xa3,
};
const VIDEO = 1;
const KEY = 0x80; // a picture that needs no other
const MILLISECOND = 1_000_000; // nanoseconds

/** An encoded picture: when it is shown, in milliseconds. @typedef {{ bytes: Uint8Array, time: number, key: boolean }} Picture */

/**
 * The bytes of a file.
 * @param {Picture[]} pictures
 * @param {{ width: number, height: number, codec: "V_VP8" | "V_VP9", duration: number }} how
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function webm(pictures, { width, height, codec, duration }) {
  const head = element("head", [
    whole("version", 1),
    whole("readVersion", 1),
    whole("longestId", 4),
    whole("longestSize", 8),
    text("type", "webm"),
    whole("typeVersion", 2),
    whole("typeReadVersion", 2),
  ]);
  const info = element("info", [
    whole("scale", MILLISECOND),
    text("muxer", "latcover"),
    text("writer", "latcover"),
    real("duration", duration),
  ]);
  const track = element("track", [
    whole("number", 1),
    whole("uid", 1),
    whole("kind", VIDEO),
    text("codec", codec),
    element("video", [whole("width", width), whole("height", height)]),
  ]);
  return joined([head, element("segment", [info, element("tracks", [track]), ...clusters(pictures)])]);
}

/** A cluster begins with each picture that needs no other. @param {Picture[]} pictures */
function clusters(pictures) {
  const starts = pictures.flatMap(({ key }, k) => (key || k === 0 ? [k] : []));
  return starts.map((from, n) => {
    const own = pictures.slice(from, starts[n + 1]);
    const blocks = own.map(({ bytes, time, key }) => {
      const late = Math.round(time - own[0].time);
      const lead = Uint8Array.of(0x81, late >> 8, late & 0xff, key ? KEY : 0); // of track 1
      return element("block", [lead, bytes]);
    });
    return element("cluster", [whole("time", Math.round(own[0].time)), ...blocks]);
  });
}

/** @param {keyof typeof ELEMENT} name @param {Uint8Array[]} parts */
function element(name, parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return joined([Uint8Array.from(bytesOf(ELEMENT[name])), Uint8Array.of(0x01, ...bytesOf(size, 7)), ...parts]);
}

/** @param {keyof typeof ELEMENT} name @param {number} value */
const whole = (name, value) => element(name, [Uint8Array.from(bytesOf(value))]);

/** @param {keyof typeof ELEMENT} name @param {string} value */
const text = (name, value) => element(name, [new TextEncoder().encode(value)]);

/** @param {keyof typeof ELEMENT} name @param {number} value */
function real(name, value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(name, [bytes]);
}

/**
 * The bytes of a whole number, the greatest first.
 * @param {number} value @param {number} [least] how many there are at least
 */
function bytesOf(value, least = 1) {
  const found = [];
  for (let left = value; left > 0 || found.length < least; left = Math.floor(left / 256)) {
    found.unshift(left % 256);
  }
  return found;
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
