// A run on the page: start, pause, stop, and how it stands. Shared by solving, comparing and watching.

import * as api from "./api.js";
import { counted, el, fill, number, seconds, showFault } from "./elements.js";

export class RunPanel {
  /**
   * `job()` gives what to start, `ended(standing)` is called when it has ended, `told(standing)` at every change; `words`
   * are two functions that say how it stands.
   */
  constructor({ model, label, job, told, ended, words = { going, ending } }) {
    Object.assign(this, { job, told, ended, words, resting: true });
    model.addEventListener("loading", () => this.rest(true));
    model.addEventListener("settled", () => this.rest(this.running || !model.data));
    this.startButton = el("button", { type: "button", class: "main", "aria-disabled": "true", onclick: () => this.resting || this.start() }, label);
    this.pauseButton = el("button", { type: "button", onclick: () => this.pause(), hidden: true }, "Pause");
    this.stopButton = el("button", { type: "button", onclick: () => (this.trying ? this.leave() : this.act("stop")), hidden: true }, "Stop");
    this.anywayButton = el("button", { type: "button", onclick: () => this.start({ anyway: true }), hidden: true }, "Search anyway");
    this.bar = el("progress", { max: 1, "aria-label": "share of the search that is done", hidden: true });
    this.status = el("p", { class: "status", role: "status" });
    this.fault = el("div", { class: "faults", role: "alert", hidden: true });
    this.element = el("div", { class: "run" },
      el("div", { class: "row" }, this.startButton, this.pauseButton, this.stopButton, this.bar), this.status, this.anywayButton, this.fault);
  }

  /** Whether it can be started. The button keeps the focus where it cannot, so that keys go on from there. */
  rest(resting) {
    this.resting = resting;
    this.startButton.setAttribute("aria-disabled", String(Boolean(resting)));
  }

  /** Start the job; *more* are further words of it. */
  async start(more = {}) {
    this.leave();
    showFault(this.fault, null);
    fill(this.status, "starting");
    this.rest(true);
    const trying = (this.trying = {});
    try {
      const job = { ...this.job(), ...more };
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

  /** Ask for a run until the server has room for it, or the user asks no more: then *trying* is no longer ours. */
  async begin(job, trying) {
    for (;;) {
      try {
        const { id } = await api.start(job);
        if (trying === this.trying) this.attach(id);
        else api.change(id, "stop").catch(() => {});
        return;
      } catch (fault) {
        if (!(fault instanceof api.Busy)) throw fault;
        if (trying !== this.trying) return;
        this.stopButton.hidden = false;
        const words = `The server is busy: ${fault.message}. This page tries again by itself, until you press Stop.`;
        if (this.status.textContent !== words) fill(this.status, words); // it is read aloud
        await new Promise((resolve) => setTimeout(resolve, fault.wait));
        if (trying !== this.trying) return;
      }
    }
  }

  /** Look at a run that was started before. */
  attach(run) {
    this.trying = null;
    this.id = run;
    this.unfollow = api.follow(run, (now) => this.show(now));
  }

  /** Stop what runs, and look at it no more. */
  leave() {
    if (this.running) api.change(this.id, "stop").catch(() => {});
    this.detach();
  }

  /** Look at it no more. */
  detach() {
    this.unfollow?.();
    this.running = false;
    this.id = this.trying = null;
    for (const button of [this.pauseButton, this.stopButton, this.anywayButton, this.bar]) button.hidden = true;
    this.rest(false);
    showFault(this.fault, null);
    fill(this.status);
  }

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

  show(standing) {
    const { state, pausable, progress, fault } = standing;
    this.running = state !== "ended";
    this.paused = state === "paused";
    this.rest(this.running);
    this.pauseButton.hidden = !(this.running && pausable);
    this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
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

function going({ state, stage, found, progress, task }) {
  const words = [state === "paused" ? "paused" : stage];
  if (task === "solve") words.push(counted(found, "solution"));
  if (task === "count" && progress.covers) words.push(counted(progress.covers, "cover"));
  if (progress.branches) words.push(counted(progress.branches, "branch", "branches"));
  if (progress.share) words.push(`${(100 * progress.share).toFixed(1)} % of the search`);
  if (progress.positions) words.push(counted(progress.positions, "position"));
  if (progress.seconds) words.push(seconds(progress.seconds));
  return words.join(" · ");
}

function ending({ fault, reason, text, found, kept, task }) {
  if (fault) return "";
  const lines = (text ?? "").split("\n").filter(Boolean);
  if (reason) lines.push(`Ended early: ${reason}.`);
  if (task === "solve" && kept < found) lines.push(`The first ${number(kept)} of ${number(found)} can be browsed.`);
  return lines.map((line) => el("span", {}, line));
}
