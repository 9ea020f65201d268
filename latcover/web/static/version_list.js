// The dialog "Versions": a list of what the open design was, with a small picture of each; look at one, and go back to it.

import { ask } from "./ask.js";
import { counted, el, fill, number } from "./elements.js";
import { thumbnail } from "./grid.js";
import { problemsIn } from "./whole.js";
import { same } from "./history.js";
import { keyOf } from "./geometry.js";
import { MOST, WHY } from "./versions.js";

const LARGE = 600; // cells of which no picture is drawn

export class VersionList {
  constructor(model, versions) {
    Object.assign(this, { model, versions });
    versions.addEventListener("changed", () => this.dialog && this.draw());
  }

  open() {
    const name = el("input", { maxlength: 100, placeholder: "a name", "aria-label": "name of this version" });
    this.list = el("ol", { class: "versions" });
    this.seen = el("div", { class: "seen" });
    this.note = el("p", { class: "fault", role: "alert" });
    const form = el("form", { class: "row tight", onsubmit: (event) => this.keep(event, name) }, name, el("button", { class: "main" }, "Keep this version"));
    const close = el("button", { type: "button", onclick: () => this.dialog.close() }, "Close");
    this.dialog = el("dialog", { class: "wide", "aria-label": "Versions" },
      el("div", { class: "row head" }, el("h3", {}, "Versions"), close), form, this.note,
      el("p", { class: "hint" }, `Versions without a name are kept by themselves: when the design is opened, solved or saved, and after a pause. From ${MOST} on, the older ones are thinned out. Those with a name stay.`),
      el("div", { class: "two" }, this.list, this.seen));
    document.body.append(this.dialog);
    const leave = () => this.dialog?.close();
    this.dialog.addEventListener("close", () => {
      this.dialog.remove();
      this.dialog = null;
      window.removeEventListener("popstate", leave);
    });
    window.addEventListener("popstate", leave);
    this.dialog.showModal();
    return this.draw();
  }

  async keep(event, input) {
    event.preventDefault();
    if (!this.versions.design()) {
      this.note.textContent = "Nothing is changed yet: this is the puzzle as it comes.";
      return;
    }
    await this.versions.keep("named", { name: input.value.trim() || new Date().toLocaleString() });
    input.value = "";
  }

  async draw() {
    const found = await this.versions.list();
    if (!this.dialog) return;
    this.note.textContent = this.versions.fault ?? "";
    fill(this.list, found.length ? found.map((version) => this.row(version)) : el("li", { class: "hint" }, "None yet: the first is kept with the first change."));
    if (!found.some(({ id }) => id === this.shown)) fill(this.seen);
  }

  row(version) {
    const isNow = same(version.texts, this.model.whole.texts());
    const about = [WHY[version.why], version.facts, version.title].filter(Boolean).join(" · ");
    const picture = this.picture(version, 8);
    return el("li", {}, el("button", { type: "button", class: "version", "aria-pressed": version.id === this.shown ? "true" : "false", "aria-current": isNow ? "true" : null, onclick: (event) => this.look(version, event.currentTarget) },
      el("span", { class: "mini" }, picture),
      el("span", { class: "about" }, el("strong", {}, version.name || moment(version.when)), el("span", { class: "hint" }, version.name ? `${moment(version.when)} · ${about}` : about), isNow ? el("span", { class: "now" }, "as it is now") : null)));
  }

  /** Look closer at a version; the design stays as it is. */
  look(version, button) {
    this.shown = version.id;
    for (const other of this.list.querySelectorAll(".version")) other.setAttribute("aria-pressed", other === button);
    const { model } = this;
    const isNow = same(version.texts, model.whole.texts());
    const problem = this.problem(version);
    const state = this.state(problem);
    const parts = state?.parts ?? [];
    const { problems } = model.whole;
    const there = problemsIn(version.texts);
    const other = there.filter(({ key, state: text }) => problems.find((one) => one.key === key)?.state !== text).length;
    const facts = [state ? `The region has ${number(state.region.length)} cells.` : "", counted(parts.length, "kind of part", "kinds of parts") + ".",
      there.length > 1 ? `The file has ${counted(there.length, "problem")}; ${other === 1 ? "one of them was" : `${number(other)} of them were`} different.` : "", version.texts[0] ? `Comment: ${version.texts[0]}` : ""];
    fill(this.seen, el("h4", {}, version.name || moment(version.when)), el("p", {}, state ? state.name : problem.of), this.picture(version, 12),
      el("div", { class: "row tight" }, parts.slice(0, 40).map((part) => el("span", { class: "mini", title: part.name }, this.drawn(part.cells, part.rgb ?? model.parts.find(({ name }) => name === part.name)?.rgb, 8)))),
      el("p", { class: "hint" }, facts.filter(Boolean).join(" ")),
      el("div", { class: "row" },
        el("button", { type: "button", class: "main", disabled: isNow, onclick: () => this.back(version) }, "Go back to this version"),
        el("button", { type: "button", onclick: () => this.rename(version) }, version.name ? "Rename it" : "Give it a name"),
        el("button", { type: "button", class: "danger", onclick: () => this.remove(version) }, "Delete it")));
  }

  async rename(version) {
    const input = el("input", { value: version.name, maxlength: 100, "aria-label": "name" });
    if (await ask("A version with a name stays until you delete it.", [["name", "Name it"], ["", "Leave it"]], input)) {
      version.name = input.value.trim();
      await this.versions.rename(version, version.name);
      if (this.dialog) this.look(version, null);
    }
  }

  async remove(version) {
    if (!(await ask("Delete this version? It cannot be brought back.", [["delete", "Delete it"], ["", "Keep it"]]))) return;
    await this.versions.remove(version);
    if (this.dialog) fill(this.seen);
  }

  /** Make the design what it was: undo takes that back, and what it was before is a version too. */
  async back(version) {
    await this.versions.keep("left");
    this.dialog?.close();
    await this.model.goTo(version.texts);
  }

  problem(version) {
    const problems = problemsIn(version.texts);
    return problems.find(({ key }) => key === version.at) ?? problems[0];
  }

  /** What could be edited of a problem; null where this page does not know it, because nobody looked at it yet. */
  state(problem) {
    const text = problem.state || this.model.known.get(problem.of)?.first;
    return text ? JSON.parse(text) : null;
  }

  picture(version, pixels) {
    const state = this.state(this.problem(version));
    return state ? this.drawn(state.region, null, pixels) : null;
  }

  drawn(entries, rgb, pixels) {
    const { model } = this;
    if (entries.length > LARGE) return el("span", { class: "hint" }, `${number(entries.length)} cells`);
    const colour = new Map(entries.map(({ cell, colour: tint }) => [keyOf(cell), tint]));
    const tints = (cell) => model.colours[colour.get(keyOf(cell)) || -1]?.rgb ?? rgb ?? "var(--filled)";
    return thumbnail(model.lattice, entries.map(({ cell }) => cell), tints, pixels);
  }
}

const moment = (when) => new Date(when).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
