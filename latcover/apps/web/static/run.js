// The panel of a run: start, pause, stop and status. Shared by solving, comparing, watching and designing.

import { dom, fill } from "./dom.js";
import { counted, number, seconds, showFault } from "./elements.js";
import { Busy } from "./faults.js";
import { host as api } from "./host.js";

/** @import { Child } from "./dom.js" */
/** @import { Model } from "./model.js" */
/** @import { Job, Standing } from "./web_types.js" */

/**
 * The status texts of a panel, for a run in progress and one that has ended.
 *
 * @typedef {{ going: (standing: Standing) => Child, ending: (standing: Standing) => Child | Child[] }} RunWords
 */

export class RunPanel {
  /** @type {boolean} */
  running;
  /** @type {boolean} */ paused;
  /** @type {any} */ id;
  /** @type {{} | null} */ trying;
  /** @type {() => void} */ unfollow;
  isQuiet = false; // nobody has asked for the run: another one may be started in its place

  /**
   * `job(more)` returns the job to start, `others` are further buttons that start it: [label, further fields of the job].
   * `spared(more)` says whether the page has served the press of such a button without a run.
   * `ended(standing)` is called at its end, `told(standing)` at every change; `words`
   * are the two functions that describe its status.
   * @param {{ model: Model, label: string, job: (more: Record<string, any>) => Job, others?: [string, Record<string, any>][], spared?: (more: Record<string, any>) => boolean, told?: (standing: Standing) => void, ended?: (standing: Standing) => void, words?: RunWords, }} options
   */
  constructor({ model, label, job, others = [], spared = () => false, told, ended, words = { going, ending } }) {
    this.job = job;
    this.spared = spared;
    this.told = told;
    this.ended = ended;
    this.words = words;
    this.resting = true;
    model.addEventListener("loading", () => this.rest(true));
    model.addEventListener("settled", () => this.rest(this.running || !model.data));
    /** @type {[string, Record<string, any>][]} */ const starts = [[label, {}], ...others];
    this.startButtons = starts.map(([words, more]) =>
      dom(
        "button",
        { type: "button", "aria-disabled": "true", onclick: () => this.resting || this.press(more) },
        words,
      ),
    );
    this.startButtons[0].className = "main";
    this.pauseButton = dom("button", { type: "button", onclick: () => this.pause(), hidden: true }, "Pause");
    this.stopButton = dom(
      "button",
      { type: "button", onclick: () => (this.trying ? this.leave() : this.act("stop")), hidden: true },
      "Stop",
    );
    this.anywayButton = dom(
      "button",
      { type: "button", onclick: () => this.start({ anyway: true }), hidden: true },
      "Search anyway",
    );
    this.bar = dom("progress", { max: 1, "aria-label": "search progress", hidden: true });
    this.status = dom("p", { class: "status", role: "status" });
    this.fault = dom("div", { class: "faults", role: "alert", hidden: true });
    this.row = dom("div", { class: "row" }, this.startButtons, this.pauseButton, this.stopButton, this.bar);
    this.element = dom("div", { class: "run" }, this.row, this.status, this.anywayButton, this.fault);
  }

  /**
   * Set whether a run can be started. Disabled buttons keep the focus, so that the keyboard continues from there.
   * @param {boolean} resting
   */
  rest(resting) {
    this.resting = resting;
    for (const button of this.startButtons) button.setAttribute("aria-disabled", String(Boolean(resting)));
  }

  /** @param {Record<string, any>} more */
  press(more) {
    this.isQuiet = false;
    return this.start(more);
  }

  /** Start the job without being asked: it may be replaced at any time. */
  startQuietly() {
    this.isQuiet = true;
    return this.start();
  }

  /** Start the job; *more* are further fields of it. */
  async start(more = {}) {
    if (this.spared(more)) return;
    this.leave();
    showFault(this.fault, null);
    fill(this.status, "starting");
    this.rest(!this.isQuiet);
    const trying = (this.trying = {});
    try {
      const job = { ...this.job(more), ...more };
      await this.begin(job, trying);
    } catch (fault) {
      if (trying !== this.trying) return;
      this.trying = null;
      this.stopButton.hidden = true;
      fill(this.status);
      showFault(this.fault, fault);
      this.rest(false);
    }
  }

  /**
   * Request a run until the server has room for it or the user gives up, which replaces *trying*.
   * @param {Job} job @param {object} trying
   */
  async begin(job, trying) {
    for (;;) {
      try {
        const { id } = await api.start(job);
        if (trying === this.trying) this.attach(id);
        else api.change(id, "stop").catch(() => {});
        return;
      } catch (fault) {
        if (!(fault instanceof Busy)) throw fault;
        if (trying !== this.trying) return;
        this.stopButton.hidden = false;
        const words = `The server is busy: ${fault.message}. This page keeps trying until you press Stop.`;
        if (this.status.textContent !== words) fill(this.status, words); // screen readers announce it
        await new Promise((resolve) => setTimeout(resolve, fault.wait));
        if (trying !== this.trying) return;
      }
    }
  }

  /** Follow a run that was started before. @param {string} run */
  attach(run) {
    this.trying = null;
    this.id = run;
    this.unfollow = api.follow(run, (now) => this.show(now));
  }

  /** Stop the run, and stop following it. */
  leave() {
    if (this.running) api.change(this.id, "stop").catch(() => {});
    this.detach();
  }

  /** Stop following the run. */
  detach() {
    this.unfollow?.();
    this.running = false;
    this.id = this.trying = null;
    for (const button of [this.pauseButton, this.stopButton, this.anywayButton, this.bar]) button.hidden = true;
    this.rest(false);
    showFault(this.fault, null);
    fill(this.status);
  }

  /** @param {string} action */
  async act(action) {
    try {
      await api.change(this.id, action);
    } catch (fault) {
      showFault(this.fault, fault);
    }
  }

  pause() {
    return this.act(this.paused ? "resume" : "pause");
  }

  /** @param {Standing} standing */
  show(standing) {
    const { state, pausable, progress, fault } = standing;
    this.running = state !== "ended";
    this.paused = state === "paused";
    this.rest(this.running && !this.isQuiet);
    this.pauseButton.hidden = !(this.running && pausable);
    this.pauseButton.textContent = this.paused ? "Resume" : "Pause";
    this.stopButton.hidden = !this.running;
    this.anywayButton.hidden = this.running || standing.summary?.stop !== "shown impossible";
    this.bar.hidden = !this.running;
    if (progress.share === null || progress.share === undefined) this.bar.removeAttribute("value");
    else this.bar.value = progress.share;
    fill(this.status, this.running ? this.words.going(standing) : this.words.ending(standing));
    showFault(this.fault, state === "ended" ? fault : null);
    this.told?.(standing);
    if (!this.running) this.ended?.(standing);
  }
}

/** @param {Standing} standing */
function going({ state, stage, found, progress, task }) {
  const words = [state === "paused" ? "paused" : stage];
  if (task === "solve") words.push(counted(found, "solution"));
  if (task === "count" && progress.covers) words.push(counted(progress.covers, "cover"));
  words.push(...(progress.known ?? []));
  if (progress.branches) words.push(counted(progress.branches, "branch", "branches"));
  if (progress.share) words.push(`${(100 * progress.share).toFixed(1)} % of the search`);
  if (progress.positions) words.push(counted(progress.positions, "position"));
  if (progress.seconds) words.push(seconds(progress.seconds));
  return words.join(" · ");
}

/** @param {Standing} standing */
function ending({ fault, reason, text, found, kept, task }) {
  if (fault) return "";
  const lines = (text ?? "").split("\n").filter(Boolean);
  if (reason) lines.push(`Ended early: ${reason}.`);
  if (task === "solve" && kept < found) lines.push(`The first ${number(kept)} of ${number(found)} can be browsed.`);
  return lines.map((line) => dom("span", {}, line));
}
