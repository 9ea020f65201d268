// The dialog "Versions": a list of earlier states of the open design, with small pictures; view one, or restore it.

import { ask } from "./ask.js";
import { dom, fill } from "./dom.js";
import { counted, number } from "./elements.js";
import { thumbnail } from "./thumbnail.js";
import { problemsIn } from "./whole.js";
import { same } from "./history.js";
import { keyOf } from "./geometry.js";
import { MOST, WHY } from "./versions.js";

/** @import { Cell, Entry, KeptPart, Problem, Version } from "./web_types.js" */
/** @import { Model } from "./model.js" */
/** @import { Versions } from "./versions.js" */

const LARGE = 600; // cells; larger regions get no picture

export class VersionList {
  /** @type {HTMLOListElement} */
  list;
  /** @type {HTMLDivElement} */
  seen;
  /** @type {HTMLParagraphElement} */
  note;
  /** @type {any} */
  dialog;

  /**
   * @param {Model} model
   * @param {Versions} versions
   */
  constructor(model, versions) {
    this.model = model;
    this.versions = versions;
    versions.addEventListener("changed", () => this.dialog && this.draw());
  }

  open() {
    const name = dom("input", { maxlength: 100, placeholder: "a name", "aria-label": "name of this version" });
    this.list = dom("ol", { class: "versions" });
    this.seen = dom("div", { class: "seen" });
    this.note = dom("p", { class: "fault", role: "alert" });
    const form = dom(
      "form",
      { class: "row tight", onsubmit: (event) => this.keep(event, name) },
      name,
      dom("button", { class: "main" }, "Keep this version"),
    );
    const close = dom("button", { type: "button", onclick: () => this.dialog.close() }, "Close");
    this.dialog = dom(
      "dialog",
      { class: "wide", "aria-label": "Versions" },
      dom("div", { class: "row head" }, dom("h3", {}, "Versions"), close),
      form,
      this.note,
      dom(
        "p",
        { class: "hint" },
        `Versions without a name are kept automatically: when the design is opened, solved or saved, and after a pause. Beyond ${MOST}, older ones are thinned out. Named versions stay.`,
      ),
      dom("div", { class: "two" }, this.list, this.seen),
    );
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

  /**
   * @param {Event} event
   * @param {HTMLInputElement} input
   */
  async keep(event, input) {
    event.preventDefault();
    if (!this.versions.design()) {
      this.note.textContent = "Nothing has changed yet: this is the original puzzle.";
      return;
    }
    await this.versions.keep("named", { name: input.value.trim() || new Date().toLocaleString() });
    input.value = "";
  }

  async draw() {
    const found = await this.versions.list();
    if (!this.dialog) return;
    this.note.textContent = this.versions.fault ?? "";
    fill(
      this.list,
      found.length
        ? found.map((/** @type {Version} */ version) => this.row(version))
        : dom("li", { class: "hint" }, "None yet. The first change adds the first version."),
    );
    if (!found.some((/** @type {Version} */ { id }) => id === this.shown)) fill(this.seen);
  }

  /** @param {Version} version */
  row(version) {
    const isNow = same(version.texts, this.model.whole.texts());
    const about = [WHY[/** @type {keyof typeof WHY} */ (version.why)], version.facts, version.title]
      .filter(Boolean)
      .join(" · ");
    const picture = this.picture(version, 8);
    return dom(
      "li",
      {},
      dom(
        "button",
        {
          type: "button",
          class: "version",
          "aria-pressed": version.id === this.shown ? "true" : "false",
          "aria-current": isNow ? "true" : null,
          onclick: (event) => this.look(version, event.currentTarget),
        },
        dom("span", { class: "mini" }, picture),
        dom(
          "span",
          { class: "about" },
          dom("strong", {}, version.name || moment(version.when)),
          dom("span", { class: "hint" }, version.name ? `${moment(version.when)} · ${about}` : about),
          isNow ? dom("span", { class: "now" }, "current") : null,
        ),
      ),
    );
  }

  /**
   * Show a version in detail; the design does not change.
   *
   * @param {Version} version
   * @param {HTMLElement | null} button
   */
  look(version, button) {
    this.shown = version.id;
    for (const other of this.list.querySelectorAll(".version"))
      other.setAttribute("aria-pressed", String(other === button));
    const { model } = this;
    const isNow = same(version.texts, model.whole.texts());
    const problem = this.problem(version);
    const state = this.state(problem);
    const parts = state?.parts ?? [];
    const { problems } = model.whole;
    const there = problemsIn(version.texts);
    const other = there.filter(
      ({ key, state: text }) => problems.find((one) => one.key === key)?.state !== text,
    ).length;
    const facts = [
      state ? `The region has ${number(state.region.length)} cells.` : "",
      counted(parts.length, "kind of part", "kinds of parts") + ".",
      there.length > 1
        ? `The file has ${counted(there.length, "problem")}; ${other === 1 ? "one of them was" : `${number(other)} of them were`} different.`
        : "",
      version.texts[0] ? `Comment: ${version.texts[0]}` : "",
    ];
    fill(
      this.seen,
      dom("h4", {}, version.name || moment(version.when)),
      dom("p", {}, state ? state.name : problem.of),
      this.picture(version, 12),
      dom(
        "div",
        { class: "row tight" },
        parts
          .slice(0, 40)
          .map((/** @type {KeptPart} */ part) =>
            dom(
              "span",
              { class: "mini", title: part.name },
              this.drawn(part.cells, part.rgb ?? model.parts.find(({ name }) => name === part.name)?.rgb, 8),
            ),
          ),
      ),
      dom("p", { class: "hint" }, facts.filter(Boolean).join(" ")),
      dom(
        "div",
        { class: "row" },
        dom(
          "button",
          { type: "button", class: "main", disabled: isNow, onclick: () => this.back(version) },
          "Restore this version",
        ),
        dom("button", { type: "button", onclick: () => this.rename(version) }, version.name ? "Rename" : "Add a name"),
        dom("button", { type: "button", class: "danger", onclick: () => this.remove(version) }, "Delete version"),
      ),
    );
  }

  /** @param {Version} version */
  async rename(version) {
    const input = dom("input", { value: version.name, maxlength: 100, "aria-label": "name" });
    if (
      await ask(
        "A version with a name stays until you delete it.",
        [
          ["name", "Save name"],
          ["", "Cancel"],
        ],
        input,
      )
    ) {
      version.name = input.value.trim();
      await this.versions.rename(version, version.name);
      if (this.dialog) this.look(version, null);
    }
  }

  /** @param {Version} version */
  async remove(version) {
    if (
      !(await ask("Delete this version? This cannot be undone.", [
        ["delete", "Delete version"],
        ["", "Cancel"],
      ]))
    )
      return;
    await this.versions.remove(version);
    if (this.dialog) fill(this.seen);
  }

  /**
   * Restore a version: undo takes that back, and the current state becomes a version too.
   *
   * @param {Version} version
   */
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
   *
   * @param {Problem} problem
   */
  state(problem) {
    const text = problem.state || this.model.known.get(problem.of)?.first;
    return text ? JSON.parse(text) : null;
  }

  /**
   * @param {Version} version
   * @param {number} pixels
   */
  picture(version, pixels) {
    const state = this.state(this.problem(version));
    return state ? this.drawn(state.region, null, pixels) : null;
  }

  /**
   * @param {Entry[]} entries
   * @param {string | null} rgb
   * @param {number} pixels
   */
  drawn(entries, rgb, pixels) {
    const { model } = this;
    if (entries.length > LARGE) return dom("span", { class: "hint" }, `${number(entries.length)} cells`);
    const colour = new Map(entries.map(({ cell, colour: tint }) => [keyOf(cell), tint]));
    /** @param {Cell} cell */
    const tints = (cell) => model.colours[colour.get(keyOf(cell)) || -1]?.rgb ?? rgb ?? "var(--filled)";
    return thumbnail(
      model.lattice,
      entries.map(({ cell }) => cell),
      tints,
      pixels,
    );
  }
}

/** @param {number} when */
const moment = (when) => new Date(when).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
