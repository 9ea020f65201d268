// Runs that the page makes itself, as a server makes them: each has a standing, which is told at every change. So a page that
// solves or takes apart does not see who works for it.

import { disassemblyOf, slidingOf } from "./disassembly.js";
import { counted, number } from "./elements.js";
import { LazyEngine } from "./engine_room.js";
import { Fault } from "./faults.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { replayFaults } from "./replay.js";
import { Search } from "./search.js";

/** @import { Plan } from "../../../../backends/wasm/engine_types.js" */
/** @import { FoundSolutions } from "./found.js" */
/** @import { PageData } from "./play_types.js" */
/** @import { Standing } from "./server_types.js" */
/** @import { Source } from "./types.js" */
/** @import { Subject } from "./web_types.js" */

const MOST_POSITIONS = 3_000_000; // to examine, of each solution
const SECONDS = 6; // of a search for a solution to take apart
const LONG = 600; // seconds: a search that takes longer is better made elsewhere
const FLAT = "Here parts are not taken apart: in the plane they are lifted off, and not every lattice has slides.";
const SLIDES = "The parts of this puzzle may turn; the page itself looks for slides alone.";
/** @type {Record<string, string>} */
const UNDER = { all: "rotations and reflections", rotations: "rotations" };

/** A job, as a server has it. @typedef {{ task: string, [more: string]: any }} PageJob */

/** What does the work of a task: it tells the run how it stands, and returns what is known at its end. */
/** @typedef {(run: PageRun, job: PageJob) => Promise<Partial<Standing>>} Work */

/** How a solution of those found comes apart. @typedef {{ k: number, plan: Plan, words: string, film: Source }} Taken */

export class PageRun {
  /** @type {Set<(standing: Standing) => void>} */ listeners = new Set();
  /** @type {FoundSolutions | null} */ found = null;
  /** @type {PageData | null} */ data = null;
  /** @type {Source | null} */ film = null;
  isStopped = false;
  stop = () => {}; // what works for it

  /** @param {string} id @param {string} task */
  constructor(id, task) {
    /** @type {Standing} */
    this.standing = {
      ...{ id, task, state: "running", stage: "placing the parts", reason: "", figures: {}, progress: {} },
      ...{ found: 0, kept: 0, summary: null, text: null, answered: false, fault: null, pausable: false },
    };
  }

  /** @param {Partial<Standing>} news */
  tell(news) {
    if (this.standing.state === "ended") return;
    this.standing = { ...this.standing, ...news };
    for (const listener of this.listeners) listener(this.standing);
  }

  /** @param {Work} work @param {PageJob} job */
  async begin(work, job) {
    await new Promise((resolve) => setTimeout(resolve)); // until it is seen that something has begun
    try {
      this.tell({ ...(await work(this, job)), state: "ended" });
    } catch (error) {
      const fault =
        error instanceof Fault ? error : { message: `The search failed: ${error.message}.`, complaints: [] };
      this.tell({ state: "ended", fault });
    }
  }
}

/**
 * What a host answers of runs that the page makes. `dataOf` makes the data of a puzzle, and `more` are further tasks.
 * @param {(subject: Subject, symmetry: "all" | "none") => Promise<PageData>} dataOf @param {Record<string, Work>} [more]
 */
export function runsInPage(dataOf, more = {}) {
  /** @type {Map<string, PageRun>} */ const runs = new Map();
  const engine = new LazyEngine();
  /** @type {Record<string, Work>} */
  const works = {
    solve: async (run, { subject, symmetry = "all", limit, seconds }) => {
      run.data = await dataOf(subject, symmetry);
      return solve(run, { limit, seconds });
    },
    apart: (run, job) => takeApart(run, of(job.run), job.solution, engine),
    ...more,
  };
  /** @param {string} id @returns {PageRun} */
  const of = (id) => {
    const run = runs.get(id);
    if (!run) throw new Fault("this page no longer has that search");
    return run;
  };
  return {
    firstSearch: { limit: 1, seconds: SECONDS },
    /** @param {PageJob} job */
    async start(job) {
      const run = new PageRun(`page-${runs.size + 1}`, job.task);
      runs.set(run.standing.id, run);
      run.begin(works[job.task], job);
      return run.standing;
    },
    /** @param {string} id @param {string} action */
    async change(id, action) {
      const run = of(id);
      if (action === "stop") run.isStopped = true;
      if (action === "stop") run.stop();
    },
    /** @param {string} id */
    standing: async (id) => of(id).standing,
    /** @param {string} id @param {(standing: Standing) => void} tell */
    follow(id, tell) {
      const { listeners, standing } = of(id);
      listeners.add(tell);
      if (standing.state === "ended") setTimeout(() => listeners.has(tell) && tell(standing));
      return () => listeners.delete(tell);
    },
    /** @param {Subject} _ @param {string} id */
    solutionsOf: async (_, id) => /** @type {Source} */ (of(id).found),
    /** @param {string} id */
    film: async (id) => /** @type {Source} */ (of(id).film),
  };
}

/**
 * Search for all solutions, or for some of them.
 * @param {PageRun} run @param {{ limit?: number | null, seconds?: number | null }} limits @returns {Promise<Partial<Standing>>}
 */
function solve(run, limits) {
  const { puzzle, symmetry } = /** @type {PageData} */ (run.data);
  return new Promise((resolve, reject) => {
    const search = new Search(new PlayPuzzle(puzzle), symmetry, () => {
      const { different: found, running, progress, fault } = search;
      const { share, seconds } = progress;
      const kept = search.found.count;
      const isLong = seconds > 1 && seconds * (1 - share) > LONG * share;
      const known = isLong ? ["this may take long in a browser: latcover on your machine uses all cores"] : [];
      if (running) run.tell({ stage: "searching", found, kept, progress: { ...progress, known } });
      else if (fault) reject(new Error(fault));
      else resolve({ found, kept, summary: { complete: search.complete }, text: wordsOf(search) });
    });
    run.found = search.found;
    run.stop = () => search.stop();
    search.run(limits);
  });
}

/** What a search has found, as the command line says it, and what it cost. @param {Search} search */
function wordsOf({ complete, different, total, under, progress: { branches, seconds } }) {
  const least = complete ? "" : "at least ";
  const words = `${least}${counted(different, "solution")}`;
  const all = UNDER[under]
    ? `${words} different under ${UNDER[under]}, ${least}${number(total)} in all`
    : `${words} in all`;
  const said = different
    ? `${all[0].toUpperCase()}${all.slice(1)}${complete ? "" : ", stopped before the end"}.`
    : complete
      ? "There is no solution."
      : "No solution was found before the search was stopped.";
  const time = seconds < 10 ? seconds.toFixed(2) : number(Math.round(seconds));
  return `${said}\n${counted(branches, "branch", "branches")} · ${time} s in this browser`;
}

/**
 * Take a solution of a run apart, or all of them, to show the deepest. Each plan is checked move by move.
 * @param {PageRun} run @param {PageRun} of @param {number | null} solution @param {LazyEngine} engine
 * @returns {Promise<Partial<Standing>>}
 */
async function takeApart(run, { found, data }, solution, engine) {
  const { apart, turning } = /** @type {PageData} */ (data);
  const solutions = /** @type {FoundSolutions} */ (found);
  const { covers, play, puzzle, parts } = solutions;
  if (!apart) throw new Fault(FLAT);
  const sliding = slidingOf(apart);
  run.stop = () => engine.stop();
  const many = solution === null ? covers.length : 1;
  const results = { apart: 0, stuck: 0, unknown: 0 };
  /** @type {Taken | null} */ let deepest = null;
  let examined = 0;
  for (; examined < many && !run.isStopped; examined += 1) {
    const k = solution ?? examined;
    const pieces = Array.from(covers[k]);
    const so = deepest?.plan.level.length ? `, deepest so far: level ${deepest.plan.level.join(".")}` : "";
    const stage = many > 1 ? `solution ${k + 1} of ${number(many)}${so}` : "taking the solution apart";
    const share = many > 1 ? examined / many : null;
    run.tell({ stage, progress: { share } });
    const onProgress = (/** @type {any} */ { states }) => run.tell({ progress: { share, positions: states } });
    const plan = await engine.takeApart(sliding(pieces), { states: MOST_POSITIONS }, { onProgress });
    if (plan.stop === "cancelled") break;
    const [fault] = replayFaults(apart, play, pieces, plan);
    if (fault) throw new Error(`the plan fails its check: ${fault}`);
    results[/** @type {keyof typeof results} */ (plan.result)] += 1;
    if (deepest && (plan.result !== "apart" || !isDeeper(plan.level, deepest.plan.level))) continue;
    const disassembly = disassemblyOf(apart, play, pieces, plan, turning);
    const shown = { ...(await solutions.solution(k)), disassembly };
    deepest = { k, plan, words: disassembly.words, film: { puzzle, parts, count: 1, solution: async () => shown } };
  }
  if (!deepest) return { text: "Stopped before the answer was known." };
  run.film = deepest.film;
  const words = `olution ${deepest.k + 1}: ${deepest.words}.`;
  const text = many > 1 ? `${tally(many, examined, results)}\nThe deepest is s${words}` : `S${words}`;
  return { text: turning ? `${text}\n${SLIDES}` : text, answered: true, summary: { place: deepest.k } };
}

/** @param {number} many @param {number} examined @param {{ apart: number, stuck: number, unknown: number }} results */
function tally(many, examined, { apart, stuck, unknown }) {
  const words = [`${counted(apart, "comes", "come")} apart`];
  if (stuck) words.push(`${number(stuck)} cannot by sliding`);
  if (unknown) words.push(`not known for ${number(unknown)}`);
  const rest = many - examined;
  const end = rest ? `${counted(rest, "solution")} not examined` : unknown ? "there may be deeper ones" : "complete";
  return `${counted(many, "solution")}: ${words.join(", ")} (${end}).`;
}

/**
 * Whether a level is greater than another one: its first number counts, then its second, and so on.
 * @param {number[]} level @param {number[]} other
 */
export function isDeeper(level, other) {
  const k = level.findIndex((moves, place) => moves !== other[place]);
  return k >= 0 && !(level[k] < other[k]);
}
