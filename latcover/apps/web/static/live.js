// The number of solutions, while one draws: counted in the page for puzzles that take less than a second. The last change wins.

import { slidingOf } from "./disassembly.js";
import { LazyEngine } from "./engine_room.js";
import { counted, number } from "./elements.js";
import { Fault } from "./faults.js";
import { host } from "./host.js";
import { isDeeper } from "./page_runs.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { html } from "./preact.js";
import { Search } from "./search.js";

/** @import { Model } from "./model.js" */
/** @import { PageData } from "./play_types.js" */

const MOST_WORK = 2500; // cells of the region times parts
const MOST_OPTIONS = 20_000;
const SECOND = 1000; // that a search may take
const OF_COLOURS = ["stands_on", "apart", "across", "exchangeable"]; // rules of which every page knows
const FEW = 20; // solutions that are all taken apart
const MOST_POSITIONS = 50_000;

export class Live {
  /** @type {Search | null} */
  search = null;
  /** @type {LazyEngine | null} */ engine = null;
  turn = 0;
  said = ""; // what was counted
  isReady = false; // to be solved
  isOld = false; // what is said was counted before the last change

  /** `redraw` shows what is said, after each change of it. @param {Model} model @param {() => void} redraw */
  constructor(model, redraw) {
    this.model = model;
    this.redraw = redraw;
    model.addEventListener("loaded", () => this.ask());
    model.addEventListener("changed", () => this.stop());
    model.addEventListener("checked", () => this.ask());
  }

  /** The puzzle has changed: what was counted is old. */
  stop() {
    this.turn += 1;
    this.model.isSmall = false;
    this.isOld = true;
    this.search?.stop();
    this.engine?.close();
    this.search = this.engine = null;
  }

  async ask() {
    this.stop();
    const { model, turn } = this;
    const { faults } = model.verdict;
    this.isReady = model.isPuzzle && !faults.length && !model.stale;
    if (!this.isReady || model.region.size * model.parts.length > MOST_WORK) return this.tell("");
    try {
      const [{ data, isWhole }] = await Promise.all([this.judged(), host.engineReady()]);
      if (turn !== this.turn) return undefined;
      if (data.puzzle.cover.n_options > MOST_OPTIONS) return this.tell("");
      return this.count(data, turn, isWhole);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return this.tell(""); // the page Solve says what is wrong
    }
  }

  /**
   * The data of the puzzle; without its rules on parts if a page does not judge these. Such rules only refuse solutions, so it
   * tells whether the puzzle is small, but no number.
   */
  async judged() {
    const { edits, ...own } = /** @type {any} */ (this.model.subject());
    const playable = async (/** @type {any} */ subject) => (await host.playable(subject, "all")).data;
    try {
      return { data: await playable(this.model.subject()), isWhole: true };
    } catch (fault) {
      const { rules, ...rest } = edits ?? this.model.edits();
      const known = Object.entries(rules).filter(([name]) => OF_COLOURS.includes(name));
      if (!(fault instanceof Fault) || known.length === Object.keys(rules).length) throw fault;
      const data = await playable({ ...own, edits: { ...rest, rules: Object.fromEntries(known) } });
      return { data, isWhole: false };
    }
  }

  /** @param {PageData} data @param {number} turn @param {boolean} isWhole */
  count(data, turn, isWhole) {
    const puzzle = new PlayPuzzle(data.puzzle);
    const limit = setTimeout(() => turn === this.turn && this.search?.stop(), SECOND);
    this.search = new Search(puzzle, data.symmetry, (search) => {
      if (search.running || turn !== this.turn) return;
      clearTimeout(limit);
      this.tell(isWhole ? words(search) : "");
      this.model.isSmall = search.complete;
      if (search.complete) this.model.tell("counted");
      if (isWhole && search.complete && search.found.count && search.found.count <= FEW && data.apart)
        this.level(data, search, turn);
    });
    this.search.run();
  }

  /**
   * Add how deep the solutions are, where there are few.
   * @param {PageData} data @param {Search} search @param {number} turn
   */
  async level({ apart }, search, turn) {
    const engine = (this.engine = new LazyEngine());
    const limit = setTimeout(() => engine.stop(), SECOND);
    /** @type {number[]} */ let deepest = [];
    let [stuck, known] = [0, true];
    const sliding = slidingOf(/** @type {any} */ (apart));
    for (const cover of search.found.covers) {
      const plan = await engine.takeApart(sliding(cover), { states: MOST_POSITIONS }, {}).catch(() => null); // it was closed
      if (turn !== this.turn || !plan) return clearTimeout(limit);
      stuck += plan.result === "stuck" ? 1 : 0;
      known &&= plan.result === "stuck" || plan.result === "apart";
      if (plan.result === "apart" && isDeeper(plan.level, deepest)) deepest = plan.level;
    }
    clearTimeout(limit);
    engine.close();
    const all = stuck === search.found.count;
    const said = all ? "no slides take it apart" : deepest.length && known ? `level ${deepest.join(".")}` : "";
    if (said) this.tell(`${words(search)} · ${said}`);
  }

  /** What is counted, in words. */
  words() {
    return html`<p class=${`good live ${this.isOld ? "old" : ""}`} role="status" hidden=${!this.isReady}>
      Ready to solve${this.said}
    </p>`;
  }

  /** @param {string} said */
  tell(said) {
    this.isOld = false;
    this.said = said ? ` · ${said}` : "";
    this.redraw();
  }
}

/** @param {Search} search */
function words({ different, complete }) {
  if (complete) return different ? counted(different, "solution") : "no solution";
  return different ? `more than ${number(different)} solutions` : "";
}
