// The tab that solves the puzzle: a search with its progress, its solutions as they are found, and the stored one.

import { button, dom } from "./dom.js";
import { MOST_SHOWN, Search } from "./search.js";
import { unpack } from "./source.js";
import { mount } from "./viewer.js";

/** @import { PlayPuzzle } from "./play_puzzle.js" */
/** @import { PageData } from "./play_types.js" */
/** @import { Source } from "./types.js" */
/** @import { Viewer } from "./viewer.js" */

/** @type {Record<string, string>} */
const UNDER = { all: "rotations and reflections", rotations: "rotations" };
const LONG = 600; // seconds: a search that takes longer is better made elsewhere
const SURE = 3; // seconds before a guess of the time left is worth showing

export class SolveTab {
  /**
   * `stored` is the data of a solution that came with the page, or null.
   * @param {HTMLElement} element @param {PlayPuzzle} puzzle @param {PageData} data
   */
  constructor(element, puzzle, { symmetry, stored }) {
    this.puzzle = puzzle;
    this.search = new Search(puzzle, symmetry, () => this.tell());
    this.stored = stored;
    /** @type {Viewer | null} */
    this.viewer = null;
    /** @type {Source | null} */
    this.source = null; // what the viewer shows: the search's solutions, or the stored one
    this.start = button("Find all solutions", () => this.begin(), { class: "main" });
    this.end = button("Stop", () => this.search.stop(), { hidden: "" });
    this.reveal = button("Show a solution", () => {
      if (stored) {
        this.show(unpack(stored));
        this.viewer?.focus(); // the button is gone
      }
      this.picture.scrollIntoView({ block: "nearest" });
    });
    this.reveal.hidden = !stored;
    this.bar = dom("progress", { max: "1", value: "0", "aria-label": "Search progress", hidden: "" });
    this.headline = dom("p", { class: "headline" });
    this.aloud = dom("p", { class: "aloud", role: "status" }); // what is read aloud: not every number on the way
    this.figures = dom("p", { class: "figures" });
    this.advice = dom("p", { class: "hint" });
    this.picture = dom("div", { class: "space", hidden: "" });
    element.append(
      dom("div", { class: "row" }, this.start, this.end, this.reveal, this.bar),
      this.headline,
      this.aloud,
      this.figures,
      this.advice,
      this.picture,
    );
    this.tell();
  }

  begin() {
    this.search.run();
    this.start.textContent = "Search again";
    this.end.focus();
  }

  tell() {
    const { search } = this;
    const { running, different, found, progress } = search;
    const focused = document.activeElement === this.end;
    this.start.hidden = running;
    this.end.hidden = this.bar.hidden = !running;
    if (!running && focused) {
      this.start.focus();
    }
    this.bar.value = progress.share;
    this.headline.textContent = headline(search);
    this.aloud.textContent = running ? "Searching" : this.headline.textContent;
    this.figures.textContent = figures(search);
    this.advice.textContent = this.advise();
    if (found.count && this.source !== found) {
      this.show(found);
    } else if (found.count) {
      this.viewer?.refresh();
    }
    if (running && !different && this.source === found) {
      this.picture.hidden = true; // of an earlier search
      this.source = null;
    }
  }

  advise() {
    const { search } = this;
    const words = [];
    if (search.running && timeLeft(search.progress) > LONG) {
      words.push(
        "This search may take long in a browser. latcover on your machine uses all cores and can resume a search.",
      );
    }
    if (search.different > MOST_SHOWN) {
      words.push(`All are counted; the first ${number(MOST_SHOWN)} are shown.`);
    }
    return words.join(" ");
  }

  /** Show the solutions of a source. @param {Source} source */
  show(source) {
    this.viewer?.dispose();
    this.source = source;
    this.picture.hidden = false;
    this.viewer = mount(this.picture, source, { heading: "h3" });
    this.reveal.hidden = true;
  }

  /** The solution that is on the screen: {stored} or {k}, or null. */
  get shown() {
    if (!this.source) {
      return null;
    }
    return this.source === this.search.found ? { k: this.viewer?.wanted } : { stored: true };
  }
}

/** @param {Search} search */
function headline({ running, ended, fault, complete, different, total, under }) {
  if (fault) {
    return `The search failed: ${fault}.`;
  }
  if (!running && !ended) {
    return "";
  }
  const end = running ? " so far" : complete ? "" : ", stopped before the end";
  const least = running || complete ? "" : "at least ";
  if (different === 0) {
    return running
      ? "Searching …"
      : complete
        ? "There is no solution."
        : "No solution was found before the search was stopped.";
  }
  const words = `${least}${counted(different, "solution")}`;
  const all = UNDER[under]
    ? `${words} different under ${UNDER[under]}, ${least}${number(total)} in all`
    : `${words} in all`;
  return `${all[0].toUpperCase()}${all.slice(1)}${end}.`;
}

/** @param {Search} search */
function figures({ running, ended, progress, fault }) {
  if (fault || (!running && !ended)) {
    return "";
  }
  const { branches, seconds, share } = progress;
  const words = [counted(branches, "branch", "branches")];
  if (running && seconds > 0) {
    words.push(
      `${number(Math.round(branches / seconds))} a second`,
      `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} % done`,
    );
    const left = timeLeft(progress);
    if (seconds > SURE && Number.isFinite(left)) {
      words.push(`${duration(left)} left`);
    }
  } else if (!running) {
    words.push(`${seconds < 10 ? seconds.toFixed(2) : number(Math.round(seconds))} s in this browser`);
  }
  return words.join(" · ");
}

/** @param {{ share: number, seconds: number }} options */
function timeLeft({ share, seconds }) {
  return share > 0 ? (seconds * (1 - share)) / share : Infinity;
}

/** @param {number} seconds */
function duration(seconds) {
  /** @type {[number, string][]} */
  const steps = [
    [86400 * 365, "years"],
    [86400, "days"],
    [3600, "hours"],
    [60, "minutes"],
    [1, "seconds"],
  ];
  const [size, name] = steps.find(([length]) => seconds >= 1.5 * length) ?? [1, "seconds"];
  const many = Math.max(1, Math.round(seconds / size));
  const words = `about ${number(many)} ${many === 1 ? name.slice(0, -1) : name}`;
  return many > 1000 && name === "years" ? "more than a thousand years" : words;
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString("en");
}

/** @param {number} many @param {string} one @param {string} [several] */
function counted(many, one, several = `${one}s`) {
  return `${number(many)} ${many === 1 ? one : several}`;
}
