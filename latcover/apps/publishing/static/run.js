// The panel of a run: start, pause, stop and status. Shared by all pages that ask for something that takes its time.

import { counted, number, seconds } from "./elements.js";
import { Busy } from "./faults.js";
import { host } from "./host.js";
import { button, Faults } from "./panels.js";
import { html, render } from "./preact.js";

/** @import { Model } from "./model.js" */
/** @import { Shown } from "./preact.js" */
/** @import { Job, Standing } from "./web_types.js" */

const SURE = 3; // seconds before a guess of the time left is worth showing

/** What is asked besides the fields of the page. @typedef {Record<string, any>} More */

/**
 * `job(more)` returns the job to start, `others()` are further buttons that start it: [label, further fields of the job].
 * `spared(more)` says whether the page has served the press of such a button without a run. `told(standing)` is called at
 * every change, `ended(standing)` at the end, and `drawn()` when the panel has changed. `words` describe a run in progress
 * and one that has ended, line by line; `head` and `tail` are shown before and after the buttons.
 *
 * @typedef {{ model: Pick<Model, "addEventListener" | "data">, label: string, job: (more: More) => Job, others?: () => [string, More][], spared?: (more: More) => boolean, told?: (standing: Standing) => void, ended?: (standing: Standing) => void, words?: RunWords, head?: () => Shown, tail?: () => Shown }} RunOptions
 */

/** @typedef {{ going: (standing: Standing) => string, ending: (standing: Standing) => Shown[] }} RunWords */

export class RunPanel {
  running = false;
  paused = false;
  /** @type {string | null} */ id = null;
  /** @type {{} | null} */ trying = null; // while the host has no room
  /** @type {(() => void) | null} */ unfollow = null;
  /** @type {Standing | null} */ standing = null;
  /** @type {any} */ problem = null;
  isQuiet = false; // nobody has asked for the run: another one may be started in its place
  isBusy = false;
  isGivenUp = false; // somebody did not want to wait
  resting = true; // no run can be started
  said = "";

  /** @param {RunOptions} how */
  constructor(how) {
    this.how = { words: { going, ending }, ...how };
    this.element = document.createElement("div");
    this.element.className = "run";
    how.model.addEventListener("loading", () => this.rest(true));
    how.model.addEventListener("settled", () => this.rest(this.running || !how.model.data));
    queueMicrotask(() => this.draw()); // when its page is made
  }

  /** Buttons that cannot be pressed keep the focus, so that the keyboard continues from there; it is not lost with others. */
  draw() {
    const { how, running, standing, problem } = this;
    const held = this.element.contains(document.activeElement);
    const share = standing?.progress.share ?? undefined;
    const isVain = !running && standing?.summary?.stop === "shown impossible";
    /** @param {[string, More]} start @param {number} k */
    const starter = ([words, more], k) =>
      button(words, () => this.resting || this.press(more), {
        class: k ? undefined : "main",
        "aria-disabled": String(this.resting),
      });
    render(
      html`<div class="row">
          ${how.head?.()}
          ${[[how.label, {}], ...(how.others?.() ?? [])].map((/** @type {any} */ start, k) => starter(start, k))}
          ${running && standing?.pausable && button(this.paused ? "Resume" : "Pause", () => this.pause())}
          ${(running || this.isBusy) && button("Stop", () => (this.trying ? this.giveUp() : this.act("stop")))}
          ${running && html`<progress max="1" aria-label="search progress" value=${share} />`} ${how.tail?.()}
        </div>
        <p class="status" role="status">
          ${running || !standing ? this.said : how.words.ending(standing).map((line) => (typeof line === "string" ? html`<span>${line}</span>` : line))}
        </p>
        ${isVain && button("Search anyway", () => this.start({ anyway: true }))} <${Faults} fault=${problem} />`,
      this.element,
    );
    if (held && !this.element.contains(document.activeElement))
      /** @type {HTMLElement | null} */ (this.element.querySelector("button.main"))?.focus();
  }

  /** @param {boolean} resting whether no run can be started */
  rest(resting) {
    this.resting = resting;
    this.draw();
  }

  /** Show what went wrong. @param {any} problem */
  fail(problem) {
    this.problem = problem;
    this.draw();
  }

  /** @param {More} more */
  press(more) {
    this.isQuiet = false;
    return this.start(more);
  }

  /** Start the job without being asked: it may be replaced at any time. */
  startQuietly() {
    this.isQuiet = true;
    return this.start();
  }

  /** Start the job; *more* are further fields of it. @param {More} more */
  async start(more = {}) {
    if (this.how.spared?.(more)) return;
    this.leave();
    this.said = "starting";
    this.rest(!this.isQuiet);
    const trying = (this.trying = {});
    try {
      await this.begin({ ...this.how.job(more), ...more }, trying);
    } catch (problem) {
      if (trying !== this.trying) return;
      this.detach();
      this.fail(problem);
    }
  }

  /**
   * Request a run until the host has room for it or the user gives up, which replaces *trying*.
   * @param {Job} job @param {object} trying
   */
  async begin(job, trying) {
    while (trying === this.trying) {
      try {
        const { id } = await host.start(job);
        if (trying === this.trying) this.attach(id);
        else host.change(id, "stop").catch(() => {});
        return;
      } catch (fault) {
        if (!(fault instanceof Busy)) throw fault;
        if (trying !== this.trying) return;
        this.isBusy = true;
        this.said = `The server is busy: ${fault.message}. This page keeps trying until you press Stop.`;
        this.draw();
        await new Promise((resolve) => setTimeout(resolve, fault.wait));
      }
    }
  }

  /** Follow a run that was started before. @param {string} run */
  attach(run) {
    this.trying = null;
    this.isBusy = false;
    this.id = run;
    this.unfollow = host.follow(run, (now) => this.show(now));
  }

  /** Do not wait any longer until there is room. */
  giveUp() {
    this.leave();
    this.isGivenUp = true;
  }

  /** Stop the run, and stop following it. */
  leave() {
    this.isGivenUp = false;
    if (this.running && this.id) host.change(this.id, "stop").catch(() => {});
    this.detach();
  }

  /** Stop following the run. */
  detach() {
    this.unfollow?.();
    this.running = this.isBusy = false;
    this.id = this.trying = this.standing = this.problem = null;
    this.said = "";
    this.rest(false);
  }

  /** @param {string} action */
  act(action) {
    return host.change(/** @type {string} */ (this.id), action).catch((problem) => this.fail(problem));
  }

  pause() {
    return this.act(this.paused ? "resume" : "pause");
  }

  /** @param {Standing} standing */
  show(standing) {
    this.standing = standing;
    this.running = standing.state !== "ended";
    this.paused = standing.state === "paused";
    this.problem = this.running ? null : standing.fault;
    this.said = this.how.words.going(standing);
    this.rest(this.running && !this.isQuiet);
    this.how.told?.(standing);
    if (!this.running) this.how.ended?.(standing);
  }
}

/** @param {Standing} standing */
function going({ state, stage, found, progress, task }) {
  const { covers, known, branches, share, positions, seconds: passed } = progress;
  const words = [state === "paused" ? "paused" : stage];
  if (task === "solve") words.push(counted(found, "solution"));
  if (task === "count" && covers) words.push(counted(covers, "cover"));
  words.push(...(known ?? []));
  if (branches) words.push(counted(branches, "branch", "branches"));
  if (branches && passed) words.push(`${number(Math.round(branches / passed))} a second`);
  if (share) words.push(`${(100 * share).toFixed(1)} % of the search`);
  if (positions) words.push(counted(positions, "position"));
  if (passed) words.push(seconds(passed));
  if (share && passed && passed > SURE) words.push(`${duration((passed * (1 - share)) / share)} left`);
  return words.join(" · ");
}

/** @param {Standing} standing */
function ending({ fault, reason, text, found, kept, task }) {
  if (fault) return [];
  const lines = (text ?? "").split("\n").filter(Boolean);
  if (reason) lines.push(`Ended early: ${reason}.`);
  if (task === "solve" && kept < found) lines.push(`The first ${number(kept)} of ${number(found)} can be browsed.`);
  return lines;
}

/** @param {number} time in seconds */
function duration(time) {
  /** @type {[number, string][]} */
  const steps = [
    [86400 * 365, "year"],
    [86400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"],
  ];
  const [size, name] = steps.find(([length]) => time >= 1.5 * length) ?? [1, "second"];
  const many = Math.max(1, Math.round(time / size));
  return many > 1000 && name === "year" ? "more than a thousand years" : `about ${counted(many, name)}`;
}
