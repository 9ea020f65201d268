// The bar above the pages: the problems of the open file, its comment, and its versions.

import { ask } from "./ask.js";
import { dom, fill } from "./dom.js";
import { choice, counted, field, menu } from "./elements.js";
import { host } from "./host.js";
import { sendLink } from "./send_link.js";
import { Sharing } from "./sharing.js";
import { VersionList } from "./version_list.js";

/** @import { Model } from "./model.js" */
/** @import { Chooser } from "./chooser.js" */

export class FileBar {
  /** @type {string} */
  drawn;

  /** @param {Model} model @param {HTMLElement} element @param {HTMLElement} send @param {Chooser} chooser */
  constructor(model, element, send, chooser) {
    this.model = model;
    this.element = element;
    this.chooser = chooser;
    this.problems = dom("span", { class: "row tight" });
    this.commentButton = dom("button", { type: "button", onclick: () => this.editComment() }, "Comment");
    this.versions = new VersionList(model, chooser.versions);
    this.sharing = new Sharing(model);
    const versions = dom("button", { type: "button", onclick: () => this.versions.open() }, "Versions");
    this.more = menu(
      "Problems",
      dom("button", { type: "button", onclick: () => this.do(() => model.copyProblem()) }, "Duplicate this problem"),
      (this.removeButton = dom(
        "button",
        { type: "button", class: "danger", onclick: () => this.remove() },
        "Remove this problem",
      )),
    );
    this.more.hidden = !host.knows.severalProblems;
    send.addEventListener("click", () => this.do(() => sendLink(model, chooser.page())));
    this.send = send;
    fill(element, this.problems, this.commentButton, versions, this.more, this.sharing.element);
    for (const what of ["loaded", "changed", "kept"]) model.addEventListener(what, () => this.show());
    for (const what of ["loaded", "checked"]) model.addEventListener(what, () => model.isPuzzle && this.sharing.show());
  }

  show() {
    const { model } = this;
    this.element.hidden = this.send.hidden = !model.isPuzzle;
    if (!model.isPuzzle) return;
    const { whole } = model;
    const names =
      whole.problems.length > 1 ? whole.names().map(([key, name]) => [key, key === whole.at ? model.name : name]) : [];
    const drawn = JSON.stringify([names, whole.at]);
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      const select = choice(names, whole.at, (key) => this.do(() => this.chooser.turnTo(key)));
      select.id = "problem";
      fill(this.problems, names.length ? field(`one of ${counted(names.length, "problem")}`, select) : []);
    }
    this.removeButton.disabled = names.length < 2;
    const [line] = whole.comment.split("\n");
    this.commentButton.textContent = line ? `Comment: ${line.length > 32 ? `${line.slice(0, 30)}…` : line}` : "Comment";
  }

  /** @param {() => unknown} work */
  do(work) {
    this.more.open = false;
    return this.chooser.attempt(work);
  }

  async remove() {
    this.more.open = false;
    const answer = await ask(`Remove “${this.model.name}” from this file? Undo restores it.`, [
      ["out", "Remove problem"],
      ["", "Cancel"],
    ]);
    if (answer) await this.do(() => this.model.removeProblem());
  }

  async editComment() {
    const { model } = this;
    const text = dom("textarea", { rows: 10, cols: 60, maxlength: 100000, "aria-label": "Comment" });
    text.value = model.whole.comment;
    const hint = dom(
      "p",
      { class: "hint" },
      "The comment belongs to the whole file. Puzzle files and BurrTools files both store it.",
    );
    const answer = await ask(
      "Comment on this file",
      [
        ["keep", "Save comment"],
        ["", "Cancel"],
      ],
      text,
      hint,
    );
    if (answer) model.setComment(text.value.trimEnd());
  }
}
