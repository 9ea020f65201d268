// Films as files: a GIF, or a WebM video. Every picture is drawn at its own time of the film, so that a file does not depend
// on how fast the machine is.

import { GIFEncoder, applyPalette, quantize } from "./gifenc.js";
import { webm } from "./webm.js";

/** @import { Picture } from "./webm.js" */

/**
 * What is filmed: how many milliseconds it takes, and what draws the picture at one of them.
 *
 * @typedef {{ duration: number, draw: (time: number) => HTMLCanvasElement }} Filmed
 */

/**
 * How a kind of file is made: its pictures in a second, its size in pixels, and how many seconds it may last; what takes
 * longer is played faster.
 *
 * @typedef {{ rate: number, width: number, height: number, most: number, suffix: string }} FilmKind
 */

/** @type {{ gif: FilmKind, video: FilmKind }} */
export const KINDS = {
  gif: { rate: 12.5, width: 480, height: 360, most: 30, suffix: "gif" }, // a GIF counts in hundredths of a second
  video: { rate: 25, width: 960, height: 720, most: 90, suffix: "webm" },
};
const SAMPLES = 6; // pictures from which the colours of a GIF are chosen
const COLOURS = 255; // and one for what has not changed
const BITS = 4_000_000; // of a second of video
const KEY_EVERY = 25; // pictures
/** @type {["V_VP9" | "V_VP8", string][]} */
const CODECS = [
  ["V_VP9", "vp09.00.31.08"],
  ["V_VP8", "vp8"],
];

/**
 * The file of a film. `goOn(share)` is told how far it is; once it returns false, this is null.
 * @param {"gif" | "video"} name @param {Filmed} filmed @param {(share: number) => boolean} goOn
 * @returns {Promise<Blob | null>}
 */
export async function filmFile(name, filmed, goOn) {
  const kind = KINDS[name];
  const seconds = Math.min(kind.most, filmed.duration / 1000);
  const count = Math.max(2, Math.round(seconds * kind.rate));
  /** @param {number} k */
  const draw = (k) => filmed.draw((k / (count - 1)) * filmed.duration);
  if (name === "gif") {
    return gif(kind, count, draw, goOn);
  }
  const codec = await codecOf(kind);
  return codec ? encoded(kind, count, draw, goOn, codec) : recorded(kind, count, draw, goOn);
}

/**
 * @param {FilmKind} kind @param {number} count @param {(k: number) => HTMLCanvasElement} draw
 * @param {(share: number) => boolean} goOn
 */
async function gif({ width, height, rate }, count, draw, goOn) {
  /** @param {number} k */
  const pixels = (k) =>
    /** @type {CanvasRenderingContext2D} */ (draw(k).getContext("2d")).getImageData(0, 0, width, height).data;
  const samples = Array.from({ length: SAMPLES }, (_, k) => pixels(Math.round((k * (count - 1)) / (SAMPLES - 1))));
  const all = new Uint8ClampedArray(samples.reduce((sum, one) => sum + one.length, 0));
  samples.forEach((one, k) => all.set(one, k * one.length));
  const colours = quantize(all, COLOURS);
  const palette = [...colours, [0, 0, 0]]; // the last stands for what has not changed
  const unchanged = palette.length - 1;
  const file = GIFEncoder();
  /** @type {Uint8Array | null} */ let before = null;
  for (let k = 0; k < count; k++) {
    if (!goOn(k / count)) {
      return null;
    }
    const now = applyPalette(pixels(k), colours);
    const last = before;
    const shown = last ? now.map((colour, at) => (colour === last[at] ? unchanged : colour)) : now;
    const delay = k === count - 1 ? 2000 : 1000 / rate;
    file.writeFrame(shown, width, height, {
      palette: last ? undefined : palette,
      delay,
      transparent: Boolean(last),
      transparentIndex: unchanged,
      dispose: 1, // what is drawn stays
    });
    before = now;
    await breath();
  }
  file.finish();
  return new Blob([file.bytes()], { type: "image/gif" });
}

/** The first codec with which this browser encodes picture by picture. @param {FilmKind} kind */
async function codecOf({ width, height }) {
  for (const codec of "VideoEncoder" in globalThis ? CODECS : []) {
    const { supported } = await VideoEncoder.isConfigSupported({ codec: codec[1], width, height, bitrate: BITS });
    if (supported) {
      return codec;
    }
  }
  return null;
}

/**
 * @param {FilmKind} kind @param {number} count @param {(k: number) => HTMLCanvasElement} draw
 * @param {(share: number) => boolean} goOn @param {["V_VP9" | "V_VP8", string]} codec
 */
async function encoded({ width, height, rate }, count, draw, goOn, [name, codec]) {
  /** @type {Picture[]} */
  const pictures = [];
  /** @type {Error | null} */ let fault = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      pictures.push({ bytes, time: chunk.timestamp / 1000, key: chunk.type === "key" });
    },
    error: (error) => (fault = error),
  });
  encoder.configure({ codec, width, height, bitrate: BITS, framerate: rate });
  for (let k = 0; k < count && !fault; k++) {
    if (!goOn(k / count)) {
      encoder.close();
      return null;
    }
    const frame = new VideoFrame(draw(k), { timestamp: (k * 1e6) / rate, duration: 1e6 / rate });
    encoder.encode(frame, { keyFrame: k % KEY_EVERY === 0 });
    frame.close();
    do {
      await breath();
    } while (encoder.encodeQueueSize > 4);
  }
  if (!fault) {
    await encoder.flush();
  }
  if (fault) {
    throw fault;
  }
  encoder.close();
  const bytes = webm(pictures, { width, height, codec: name, duration: (count * 1000) / rate });
  return new Blob([bytes], { type: "video/webm" });
}

/**
 * A browser that encodes only as it plays: the film takes its time.
 * @param {FilmKind} kind @param {number} count @param {(k: number) => HTMLCanvasElement} draw
 * @param {(share: number) => boolean} goOn
 */
async function recorded({ rate }, count, draw, goOn) {
  const stream = draw(0).captureStream(rate);
  const recorder = new MediaRecorder(stream, { mimeType: "video/webm", videoBitsPerSecond: BITS });
  /** @type {Blob[]} */ const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  const start = performance.now();
  let whole = true;
  for (let k = 0; k < count && whole; k++) {
    whole = goOn(k / count);
    draw(k);
    await new Promise((done) => setTimeout(done, Math.max(0, start + (1000 * (k + 1)) / rate - performance.now())));
  }
  recorder.stop();
  await ended;
  return whole ? new Blob(parts, { type: "video/webm" }) : null;
}

/** Let the page draw, and answer its user. */
const breath = () => new Promise((done) => setTimeout(done));
