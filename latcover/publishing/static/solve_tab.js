// The tab that solves the puzzle: a search with its progress, its solutions as they are found, and the stored one.

import { button, dom } from "./dom.js";
import { MOST_SHOWN, Search } from "./search.js";
import { unpack } from "./source.js";
import { mount } from "./viewer.js";

const UNDER = { all: "rotations and reflections", rotations: "rotations" };
const LONG = 600; // seconds: a search that takes longer is better made elsewhere
const SURE = 3; // seconds before a guess of the time left is worth showing

export class SolveTab {
  /** `stored` is the data of a solution that came with the page, or null. */
  constructor(element, puzzle, { symmetry, stored }) {
    this.puzzle = puzzle;
    this.search = new Search(puzzle, symmetry, () => this.tell());
    this.stored = stored;
    this.viewer = null;
    this.source = null; // what the viewer shows: the search's solutions, or the stored one
    this.start = button("Find all solutions", () => this.begin(), { class: "main" });
    this.end = button("Stop", () => this.search.stop(), { hidden: "" });
    this.reveal = button("Show a solution", () => {
      this.show(unpack(stored));
      this.picture.scrollIntoView({ block: "nearest" });
    });
    this.reveal.hidden = !stored;
    this.bar = dom("progress", { max: "1", value: "0", "aria-label": "How much is searched", hidden: "" });
    this.headline = dom("p", { class: "headline" });
    this.aloud = dom("p", { class: "aloud", role: "status" }); // what is read aloud: not every number on the way
    this.figures = dom("p", { class: "figures" });
    this.advice = dom("p", { class: "hint" });
    this.picture = dom("div", { class: "space", hidden: "" });
    element.append(
      dom("div", { class: "row" }, this.start, this.end, this.reveal, this.bar),
      this.headline, this.aloud, this.figures, this.advice, this.picture,
    );
    this.tell();
  }

  begin() {
    this.search.run();
    this.start.textContent = "Find them again";
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
      this.viewer.refresh();
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
      words.push("This search is long for a page. latcover on a machine of its own searches with all cores, and can go on where it stopped.");
    }
    if (search.different > MOST_SHOWN) {
      words.push(`The first ${number(MOST_SHOWN)} are shown, and all are counted.`);
    }
    return words.join(" ");
  }

  /** Show the solutions of a source. */
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
    return this.source === this.search.found ? { k: this.viewer.wanted } : { stored: true };
  }
}

function headline({ running, ended, fault, complete, different, total, under }) {
  if (fault) {
    return `The search failed: ${fault}.`;
  }
  if (!running && !ended) {
    return "";
  }
  const end = running ? " so far" : complete ? "" : ", and the search was stopped before its end";
  const least = running || complete ? "" : "at least ";
  if (different === 0) {
    return running ? "Searching …" : complete ? "There is no solution." : "No solution was found, and the search was stopped before its end.";
  }
  const words = `${least}${counted(different, "solution")}`;
  const all = UNDER[under] ? `${words} different under ${UNDER[under]}, ${least}${number(total)} in all` : `${words} in all`;
  return `${all[0].toUpperCase()}${all.slice(1)}${end}.`;
}

function figures({ running, ended, progress, fault }) {
  if (fault || (!running && !ended)) {
    return "";
  }
  const { branches, seconds, share } = progress;
  const words = [counted(branches, "branch", "branches")];
  if (running && seconds > 0) {
    words.push(`${number(Math.round(branches / seconds))} a second`, `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} % done`);
    const left = timeLeft(progress);
    if (seconds > SURE && Number.isFinite(left)) {
      words.push(`${duration(left)} left`);
    }
  } else if (!running) {
    words.push(`${seconds < 10 ? seconds.toFixed(2) : number(Math.round(seconds))} s in this browser`);
  }
  return words.join(" · ");
}

function timeLeft({ share, seconds }) {
  return share > 0 ? (seconds * (1 - share)) / share : Infinity;
}

function duration(seconds) {
  const steps = [[86400 * 365, "years"], [86400, "days"], [3600, "hours"], [60, "minutes"], [1, "seconds"]];
  const [size, name] = steps.find(([length]) => seconds >= 1.5 * length) ?? steps.at(-1);
  const many = Math.max(1, Math.round(seconds / size));
  const words = `about ${number(many)} ${many === 1 ? name.slice(0, -1) : name}`;
  return many > 1000 && name === "years" ? "more than a thousand years" : words;
}

function number(value) {
  return value.toLocaleString("en");
}

function counted(many, one, several = `${one}s`) {
  return `${number(many)} ${many === 1 ? one : several}`;
}
