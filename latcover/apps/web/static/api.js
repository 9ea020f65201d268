// Requests to the server. Each is a promise; a refusal is a Fault with a message for the user.

import { Away, Busy, Fault } from "./faults.js";
import { unpack } from "./source.js";

/** @import { FileTable, Job, PartSource, Standing, Subject, Tiling } from "./web_types.js" */
/** @import { Catalogue, ExportRequest, JudgedLattice, PartNumbers, PartsAnswer, Playable, ProblemSolution, PuzzleData, PuzzleSolution, SomeDesigns } from "./server_types.js" */
/** @import { PuzzleScene, SceneData } from "./scene_types.js" */
/** @import { Source } from "./types.js" */

/** What the editor offers of puzzles: the workshop without a server knows less. */
export const knows = {
  rules: true,
  burrTools: true,
  severalProblems: true,
  pages: true,
  symmetries: ["all", "rotations", "none"], // under which solutions may be the same
};

/** How solutions are looked for where none is chosen to be taken apart: the deepest of them is played. */
export const firstSearch = { limit: 30, seconds: /** @type {number | null} */ (null) };

/** The ways to design of a host that cannot do all, and their fields. @type {Record<string, string[]> | null} */
export const ways = null;

/**
 * The solution that came with a published page: `comesApart`, with so many `turns`; the page can look for `slides`. `about`
 * says what it is, to those who have found others or not.
 * @type {{ source: () => Source, comesApart: boolean, turns: number, turning: boolean, slides: boolean, about: (isOther: boolean) => string } | null}
 */
export const stored = null;

/** No address of the app leads everybody here. */
export const home = "";

/** The pages that are served. */
export const pages = ["puzzle", "play", "solve", "best", "apart", "design", "watch", "compare"];

const [SOON, LATE] = [1000, 10000]; // milliseconds between attempts to reach the server

/** Watches whether the server answers: emits "away" and "back", and retries by itself. */
class Server extends EventTarget {
  away = false;
  /** @type {(() => void)[]} */ waiting = [];

  /** Note that the server did not answer. */
  missed() {
    if (this.away) return;
    this.away = true;
    this.dispatchEvent(new Event("away"));
    this.try(SOON);
  }

  /** @param {number} wait */
  try(wait) {
    setTimeout(async () => {
      try {
        if (!(await fetch("/api/about", { method: "HEAD" })).ok) throw new Error();
      } catch {
        this.try(Math.min(2 * wait, LATE));
        return;
      }
      this.away = false;
      this.dispatchEvent(new Event("back"));
      for (const work of this.waiting.splice(0)) work();
    }, wait);
  }

  /** Do something as soon as the server answers again. @param {() => unknown} work */
  whenBack(work) {
    this.waiting.push(work);
  }
}

export const server = new Server();

/** @param {string} path @param {RequestInit} [options] */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    server.missed();
    throw new Away("the server does not answer; is latcover serve still running?");
  }
  if (response.ok) return response;
  const said = await response.text();
  let fault;
  try {
    fault = JSON.parse(said);
  } catch {
    fault = { message: said || `the server answered ${response.status}` };
  }
  const wait = response.headers.get("Retry-After");
  throw wait === null
    ? new Fault(fault.message, fault.complaints)
    : new Busy(fault.message.trim(), 1000 * Number(wait));
}

/** @param {string} path @param {any} [data] */
function post(path, data) {
  const body = JSON.stringify(data ?? {});
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

/** @param {Promise<Response>} promise */
const json = async (promise) => (await promise).json();
/** @param {string} run */
const place = (run) => `/api/runs/${encodeURIComponent(run)}`;

/** @type {() => Promise<Catalogue>} */
export const about = () => json(ask("/api/about"));
/** @type {(subject: Subject) => Promise<PuzzleData>} */
export const open = (subject) => json(post("/api/open", { subject }));
/** `tell` says how far a page is that makes it itself. @type {(subject: Subject, symmetry: "all" | "none", tell?: (share: number) => void) => Promise<Playable>} */
export const playable = (subject, symmetry, _tell) => json(post("/api/play", { subject, symmetry }));
/** @type {() => Promise<Tiling[]>} */
export const tilings = () => json(ask("/api/tilings"));
/** @type {(about: { lattice?: FileTable, text?: string }) => Promise<JudgedLattice>} */
export const judgeLattice = (about) => json(post("/api/lattice", about));
/** @type {(about: { lattice?: FileTable, text?: string }) => Promise<PuzzleData>} */
export const beginOn = (about) => json(post("/api/lattice/puzzle", about));
/** @type {(from: PartSource) => Promise<PartsAnswer>} */
export const parts = (from) => json(post("/api/parts", { from }));
/** @type {(subject: Subject) => Promise<PuzzleScene>} */
export const scene = (subject) => json(post("/api/scene", { subject }));
/** @param {Subject} subject */
export const regionPicture = async (subject) => (await post("/api/region.svg", { subject })).blob();
/** @param {Subject} subject */
export const card = async (subject) => (await post("/api/card.svg", { subject })).blob();
/** @type {() => Promise<PartNumbers>} */
export const shipped = () => json(ask("/api/shipped"));
/** @param {string} name */
export const shippedPicture = (name) => `/api/shipped/${name}.svg`;
/** @param {string} name */
export const latticePicture = (name) => `/api/lattices/${name}.svg`;
/** @type {(job: Job) => Promise<Standing>} */
export const start = (job) => json(post("/api/runs", job));
/** @param {string} run @param {string} action */
export const change = (run, action) => json(post(`${place(run)}/${action}`));
/** @type {(run: string) => Promise<Standing>} */
export const standing = (run) => json(ask(place(run)));
/** The solutions of a run, as the viewer shows them. @param {Subject} subject @param {string} run */
export async function solutionsOf(subject, run) {
  const { puzzle, parts } = await scene(subject);
  const solution = async (/** @type {number} */ k) => unpack(await solutionScene(run, k)).solution(0);
  return { puzzle, parts, count: 0, solution };
}
/** How the solution of a run comes apart, as the viewer shows it. @param {string} run */
export const film = async (run) => unpack((await answer(run)).scene);
/** @param {string} run */
export const answer = (run) => json(ask(`${place(run)}/answer`));
/** @type {(run: string, k: number) => Promise<SceneData>} */
export const solutionScene = (run, k) => json(ask(`${place(run)}/solutions/${k}/scene`));
/** @type {(run: string, k: number) => Promise<PuzzleSolution | ProblemSolution>} */
export const solutionData = (run, k) => json(ask(`${place(run)}/solutions/${k}`));
/** @param {string} run @param {number} k */
export const solutionPicture = (run, k) => `${place(run)}/solutions/${k}.svg`;
/** @type {(run: string, from: number) => Promise<SomeDesigns>} */
export const designs = (run, from) => json(ask(`${place(run)}/designs?from=${from}`));
/** @param {string} run @param {number} k */
export const designPicture = (run, k) => `${place(run)}/designs/${k}.svg`;
/** @param {string} run @param {number} k */
export const designFile = (run, k) => `${place(run)}/designs/${k}.toml`;
/** @param {string} run @param {number} k */
export const designText = async (run, k) => (await ask(designFile(run, k))).text();
/** @param {string} run @param {number} k */
export const runPicture = (run, k) => `${place(run)}/pictures/${k}.svg`;
/** @param {string} run */
export const designsFile = (run) => `${place(run)}/designs.jsonl`;
/** @param {string} run */
export const solutionsFile = (run) => `${place(run)}/solutions.jsonl`;

/**
 * The puzzles of an uploaded file; of several files, those of the one that refers to the others.
 * @param {File[]} files @param {string} [problem] which of them to open @returns {Promise<PuzzleData>}
 */
export async function read([file, ...others], problem = "") {
  if (others.length) {
    const sent = await Promise.all(
      [file, ...others].map(async (one) => ({ name: one.name, content: await base64(one) })),
    );
    return json(post("/api/read", { files: sent, ...(problem ? { problem } : {}) }));
  }
  const query = new URLSearchParams({ name: file.name, ...(problem ? { problem } : {}) });
  return json(
    ask(`/api/read?${query}`, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } }),
  );
}

/** @param {File} file @returns {Promise<string>} */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(",") + 1));
    };
    reader.onerror = () => reject(new Fault(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
}

/**
 * Export {subject} or {run, solution} in a file format: the name of the file, its content, and remarks on it.
 * @param {ExportRequest} wanted
 */
export async function exported(wanted) {
  const response = await post("/api/export", wanted);
  const name = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  const remarks = decodeURIComponent(response.headers.get("Latcover-Remarks") ?? "");
  return { name: name ? name[1] : `puzzle.${wanted.form}`, blob: await response.blob(), remarks };
}

/** The standing of a run that the server no longer knows. @type {Omit<Standing, "id" | "fault">} */
const OVER = {
  task: "",
  state: "ended",
  stage: "",
  answered: false,
  pausable: false,
  found: 0,
  kept: 0,
  progress: {},
  figures: {},
  reason: "",
  summary: null,
  text: null,
};
const LOST = {
  message: "the run is lost: the server was restarted, or nobody watched the run for a long time. Start it again.",
  complaints: [],
};

/**
 * Follow a run: `tell` is called with its standing, at once and at every change. Returns a function that stops this.
 * @param {string} run @param {(standing: Standing) => void} tell
 */
export function follow(run, tell) {
  /** @type {EventSource} */
  let events;
  /** @type {number} */ let timer;
  let isLeft = false;
  /** @param {number} wait */
  const again = (wait) => isLeft || (timer = setTimeout(open, wait));
  const open = () => {
    events = new EventSource(`${place(run)}/events`);
    events.onmessage = (message) => {
      const standing = JSON.parse(message.data);
      if (standing.state === "ended") events.close();
      tell(standing);
    };
    events.onerror = async () => {
      const isOver = events.readyState === EventSource.CLOSED; // otherwise the server may be away, and the browser retries
      try {
        await standing(run);
        if (isOver) again(SOON);
      } catch (fault) {
        if (!isOver || isLeft) return;
        if (fault instanceof Busy) again(fault.wait);
        else tell({ ...OVER, id: run, fault: LOST });
      }
    };
  };
  open();
  return () => {
    isLeft = true;
    clearTimeout(timer);
    events.close();
  };
}

/** @type {Promise<void> | null} */
let engine = null;

/** The engine is there, with which the page itself solves; it is large, so it is loaded on demand. */
export function engineReady() {
  engine ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("./engine.js", import.meta.url).href;
    script.onload = () => resolve();
    script.onerror = () => {
      engine = null;
      reject(new Away("the server does not answer; is latcover serve still running?"));
    };
    document.head.append(script);
  });
  return engine;
}
