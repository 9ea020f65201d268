// The dialog "Versions": a list of earlier states of the open design, with small pictures; view one, or restore it.

import { confirmed, openDialog } from "./ask.js";
import { counted, number } from "./elements.js";
import { keyOf } from "./geometry.js";
import { same } from "./history.js";
import { Held } from "./panels.js";
import { html, render } from "./preact.js";
import { thumbnail } from "./thumbnail.js";
import { MOST, WHY } from "./versions.js";
import { problemsIn } from "./whole.js";

/** @import { Cell, Entry, KeptPart, Problem, Version } from "./web_types.js" */
/** @import { Model } from "./model.js" */
/** @import { Versions } from "./versions.js" */

const LARGE = 600; // cells; larger regions get no picture

export class VersionList {
  /** @type {HTMLDialogElement | null} */
  dialog = null;
  /** @type {number | undefined} */
  shown; // the version that is looked at
  note = "";

  /** @param {Model} model @param {Versions} versions */
  constructor(model, versions) {
    this.model = model;
    this.versions = versions;
    versions.addEventListener("changed", () => this.draw());
  }

  open() {
    this.dialog = openDialog({ class: "wide", label: "Versions" });
    this.dialog.addEventListener("close", () => (this.dialog = null));
    return this.draw();
  }

  async draw() {
    if (!this.dialog) return;
    /** @type {Version[]} */ const found = await this.versions.list();
    if (!this.dialog) return;
    const seen = found.find(({ id }) => id === this.shown);
    render(
      html`<div class="row head">
          <h3>Versions</h3>
          <button type="button" onClick=${() => this.dialog?.close()}>Close</button>
        </div>
        <form class="row tight" onSubmit=${(/** @type {any} */ event) => this.keep(event)}>
          <input name="name" maxlength="100" placeholder="a name" aria-label="name of this version" />
          <button class="main">Keep this version</button>
        </form>
        <p class="fault" role="alert">${this.versions.fault || this.note}</p>
        <p class="hint">
          Versions without a name are kept automatically: when the design is opened, solved or saved, and after a pause.
          Beyond ${MOST}, older ones are thinned out. Named versions stay.
        </p>
        <div class="two">
          <ol class="versions">
            ${found.map((version) => this.row(version))}
            ${!found.length && html`<li class="hint">None yet. The first change adds the first version.</li>`}
          </ol>
          <div class="seen">${seen && this.details(seen)}</div>
        </div>`,
      this.dialog,
    );
  }

  /** @param {any} event */
  async keep(event) {
    event.preventDefault();
    const { name: input } = event.target.elements;
    this.note = this.versions.design() ? "" : "Nothing has changed yet: this is the original puzzle.";
    if (this.note) return this.draw();
    await this.versions.keep("named", { name: input.value.trim() || new Date().toLocaleString() });
    input.value = "";
    return undefined;
  }

  /** @param {Version} version */
  row(version) {
    const isNow = same(version.texts, this.model.whole.texts());
    const words = [WHY[/** @type {keyof typeof WHY} */ (version.why)], version.facts, version.title];
    const about = words.filter(Boolean).join(" · ");
    const look = () => {
      this.shown = version.id;
      this.draw();
    };
    return html`<li key=${version.id}>
      <button
        type="button"
        class="version"
        aria-pressed=${String(version.id === this.shown)}
        aria-current=${isNow ? "true" : null}
        onClick=${look}
      >
        <${Held} nodes=${this.picture(version, 8)} />
        <span class="about">
          <strong>${version.name || moment(version.when)}</strong>
          <span class="hint">${version.name ? `${moment(version.when)} · ${about}` : about}</span>
          ${isNow && html`<span class="now">current</span>`}
        </span>
      </button>
    </li>`;
  }

  /** A version in detail; to look at it changes nothing. @param {Version} version */
  details(version) {
    const { model } = this;
    const problem = this.problem(version);
    const state = this.state(problem);
    /** @type {KeptPart[]} */ const parts = state?.parts ?? [];
    const there = problemsIn(version.texts);
    const before = new Map(model.whole.problems.map(({ key, state: text }) => [key, text]));
    const other = there.filter(({ key, state: text }) => before.get(key) !== text).length;
    const facts = [
      state ? `The region has ${number(state.region.length)} cells.` : "",
      `${counted(parts.length, "kind of part", "kinds of parts")}.`,
      there.length > 1
        ? `The file has ${counted(there.length, "problem")}; ${other === 1 ? "one of them was" : `${number(other)} of them were`} different.`
        : "",
      version.texts[0] ? `Comment: ${version.texts[0]}` : "",
    ];
    /** @param {KeptPart} part */
    const colourOf = (part) => part.rgb ?? model.parts.find(({ name }) => name === part.name)?.rgb ?? null;
    return html`<h4>${version.name || moment(version.when)}</h4>
      <p>${state ? state.name : problem.of}</p>
      <${Held} nodes=${this.picture(version, 12)} />
      <div class="row tight">
        ${parts
          .slice(0, 40)
          .map((part) => html`<${Held} title=${part.name} nodes=${this.drawn(part.cells, colourOf(part), 8)} />`)}
      </div>
      <p class="hint">${facts.filter(Boolean).join(" ")}</p>
      <div class="row">
        <button
          type="button"
          class="main"
          disabled=${same(version.texts, model.whole.texts())}
          onClick=${() => this.back(version)}
        >
          Restore this version
        </button>
        <button type="button" onClick=${() => this.rename(version)}>${version.name ? "Rename" : "Add a name"}</button>
        <button type="button" class="danger" onClick=${() => this.remove(version)}>Delete version</button>
      </div>`;
  }

  /** @param {Version} version */
  async rename(version) {
    let name = version.name;
    const write = (/** @type {any} */ event) => (name = event.target.value);
    const field = html`<input value=${name} maxlength="100" aria-label="name" onInput=${write} />`;
    if (!(await confirmed("A version with a name stays until you delete it.", "Save name", field))) return;
    version.name = name.trim();
    await this.versions.rename(version, version.name);
    await this.draw();
  }

  /** @param {Version} version */
  async remove(version) {
    const question = "Delete this version? This cannot be undone.";
    if (await confirmed(question, "Delete version")) await this.versions.remove(version);
  }

  /** Restore a version: undo takes that back, and the current state becomes a version too. @param {Version} version */
  async back(version) {
    await this.versions.keep("left");
    this.dialog?.close();
    await this.model.goTo(version.texts);
  }

  /** @param {Version} version */
  problem(version) {
    const problems = problemsIn(version.texts);
    return problems.find(({ key }) => key === version.at) ?? problems[0];
  }

  /**
   * The state of a problem; null if this page does not know it, because the problem was never shown.
   * @param {Problem} problem
   */
  state(problem) {
    const text = problem.state || this.model.known.get(problem.of)?.first;
    return text ? JSON.parse(text) : null;
  }

  /** @param {Version} version @param {number} pixels */
  picture(version, pixels) {
    const state = this.state(this.problem(version));
    return state ? this.drawn(state.region, null, pixels) : [];
  }

  /** @param {Entry[]} entries @param {string | null} rgb @param {number} pixels @returns {Node[]} */
  drawn(entries, rgb, pixels) {
    const { model } = this;
    if (entries.length > LARGE) return [new Text(`${number(entries.length)} cells`)];
    const colour = new Map(entries.map(({ cell, colour: tint }) => [keyOf(cell), tint]));
    /** @param {Cell} cell */
    const tints = (cell) => model.colours[colour.get(keyOf(cell)) || -1]?.rgb ?? rgb ?? "var(--filled)";
    const cells = entries.map(({ cell }) => cell);
    return thumbnail(model.lattice, cells, tints, pixels);
  }
}

/** @param {number} when */
const moment = (when) => new Date(when).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
