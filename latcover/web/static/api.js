// The server: every request is a promise; what it refuses is a Fault with a paragraph for the user.

export class Fault extends Error {
  constructor(message, complaints = []) {
    super(message);
    this.complaints = complaints;
  }
}

/** The server does not answer at all. */
export class Away extends Fault {}

/** The server has no room now; to be asked again after so many milliseconds. */
export class Busy extends Fault {
  constructor(message, wait) {
    super(message);
    this.wait = wait * (0.8 + 0.4 * Math.random()); // pages that were refused together come again one by one
  }
}

const [SOON, LATE] = [1000, 10000]; // milliseconds between two tries to reach a server that is away

/** Whether the server answers: tells "away" and "back", and tries again by itself. */
class Server extends EventTarget {
  away = false;
  waiting = [];

  /** It did not answer. */
  missed() {
    if (this.away) return;
    this.away = true;
    this.dispatchEvent(new Event("away"));
    this.try(SOON);
  }

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

  /** Do something as soon as it answers again. */
  whenBack(work) {
    this.waiting.push(work);
  }
}

export const server = new Server();

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
  throw wait === null ? new Fault(fault.message, fault.complaints) : new Busy(fault.message.trim(), 1000 * wait);
}

function post(path, data) {
  const body = JSON.stringify(data ?? {});
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

const json = async (promise) => (await promise).json();
const place = (run) => `/api/runs/${encodeURIComponent(run)}`;

export const about = () => json(ask("/api/about"));
export const open = (subject) => json(post("/api/open", { subject }));
export const tilings = () => json(ask("/api/tilings"));
export const judgeLattice = (about) => json(post("/api/lattice", about));
export const beginOn = (about) => json(post("/api/lattice/puzzle", about));
export const parts = (from) => json(post("/api/parts", { from }));
export const scene = (subject) => json(post("/api/scene", { subject }));
export const regionPicture = async (subject) => (await post("/api/region.svg", { subject })).blob();
export const card = async (subject) => (await post("/api/card.svg", { subject })).blob();
export const shipped = () => json(ask("/api/shipped"));
export const shippedPicture = (name) => `/api/shipped/${name}.svg`;
export const start = (job) => json(post("/api/runs", job));
export const change = (run, action) => json(post(`${place(run)}/${action}`));
export const standing = (run) => json(ask(place(run)));
export const answer = (run) => json(ask(`${place(run)}/answer`));
export const solutionScene = (run, k) => json(ask(`${place(run)}/solutions/${k}/scene`));
export const solutionData = (run, k) => json(ask(`${place(run)}/solutions/${k}`));
export const solutionPicture = (run, k) => `${place(run)}/solutions/${k}.svg`;
export const designs = (run, from) => json(ask(`${place(run)}/designs?from=${from}`));
export const designPicture = (run, k) => `${place(run)}/designs/${k}.svg`;
export const designFile = (run, k) => `${place(run)}/designs/${k}.toml`;
export const designText = async (run, k) => (await ask(designFile(run, k))).text();
export const designsFile = (run) => `${place(run)}/designs.jsonl`;
export const solutionsFile = (run) => `${place(run)}/solutions.jsonl`;

/** The puzzles of a file of the user's; of several files, those of the one that names the others. */
export async function read([file, ...others]) {
  if (others.length) {
    const sent = await Promise.all([file, ...others].map(async (one) => ({ name: one.name, content: await base64(one) })));
    return json(post("/api/read", { files: sent }));
  }
  const query = new URLSearchParams({ name: file.name });
  return json(ask(`/api/read?${query}`, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } }));
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Fault(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
}

/** A file to take away, of {subject} or {run, solution}, in a form: its name, its content and what is to be known of it. */
export async function exported(wanted) {
  const response = await post("/api/export", wanted);
  const name = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  const remarks = decodeURIComponent(response.headers.get("Latcover-Remarks") ?? "");
  return { name: name ? name[1] : `puzzle.${wanted.form}`, blob: await response.blob(), remarks };
}

const LOST = { message: "the run is lost: the server was closed, or nobody looked at it for long. Start it again.", complaints: [] };

/** Follow a run: `tell` is called with how it stands, at once and whenever that changes. Returns what ends it. */
export function follow(run, tell) {
  let events, timer, isLeft = false;
  const again = (wait) => isLeft || (timer = setTimeout(open, wait));
  const open = () => {
    events = new EventSource(`${place(run)}/events`);
    events.onmessage = (message) => {
      const standing = JSON.parse(message.data);
      if (standing.state === "ended") events.close();
      tell(standing);
    };
    events.onerror = async () => {
      const isOver = events.readyState === EventSource.CLOSED; // else the server may be away, and the browser goes on trying
      try {
        await standing(run);
        if (isOver) again(SOON);
      } catch (fault) {
        if (!isOver || isLeft) return;
        if (fault instanceof Busy) again(fault.wait);
        else tell({ id: run, state: "ended", stage: "", found: 0, kept: 0, progress: {}, figures: {}, fault: LOST });
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
