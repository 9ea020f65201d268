// What stands above the pages: the problems of the open file, its comment, and its versions.

import { ask } from "./ask.js";
import { choice, counted, el, field, fill } from "./elements.js";
import { Sharing } from "./sharing.js";
import { VersionList } from "./version_list.js";

export class FileBar {
  constructor(model, element, chooser) {
    Object.assign(this, { model, element, chooser });
    this.problems = el("span", { class: "row tight" });
    this.commentButton = el("button", { type: "button", onclick: () => this.editComment() }, "Comment");
    this.versions = new VersionList(model, chooser.versions);
    this.sharing = new Sharing(model);
    const versions = el("button", { type: "button", onclick: () => this.versions.open() }, "Versions");
    this.more = el("details", { class: "more" }, el("summary", { class: "button" }, "Problems"), el("div", { class: "menu" },
      el("button", { type: "button", onclick: () => this.do(() => model.copyProblem()) }, "Add a copy of this problem"),
      (this.removeButton = el("button", { type: "button", class: "danger", onclick: () => this.remove() }, "Take this problem out"))));
    fill(element, this.problems, this.commentButton, versions, this.more, this.sharing.element);
    for (const what of ["loaded", "changed", "kept"]) model.addEventListener(what, () => this.show());
    for (const what of ["loaded", "checked"]) model.addEventListener(what, () => model.isPuzzle && this.sharing.show());
    document.addEventListener("click", (event) => this.more.contains(event.target) || (this.more.open = false));
  }

  show() {
    const { model } = this;
    this.element.hidden = !model.isPuzzle;
    if (!model.isPuzzle) return;
    const { whole } = model;
    const names = whole.problems.length > 1 ? whole.names().map(([key, name]) => [key, key === whole.at ? model.name : name]) : [];
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

  do(work) {
    this.more.open = false;
    return this.chooser.attempt(work);
  }

  async remove() {
    this.more.open = false;
    const answer = await ask(`Take “${this.model.name}” out of this file? Undo brings it back.`, [["out", "Take it out"], ["", "Keep it"]]);
    if (answer) await this.do(() => this.model.removeProblem());
  }

  async editComment() {
    const { model } = this;
    const text = el("textarea", { rows: 10, cols: 60, maxlength: 100000, "aria-label": "Comment" });
    text.value = model.whole.comment;
    const hint = el("p", { class: "hint" }, "It belongs to the whole file, and stands in it: as comment in a puzzle file, and as the comment of a BurrTools file.");
    const answer = await ask("What is to be said of this file?", [["keep", "Keep it"], ["", "Leave it as it was"]], text, hint);
    if (answer) model.setComment(text.value.trimEnd());
  }
}
