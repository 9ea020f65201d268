// The bar above the pages: the problems of the open file, its comment, and its versions.

import { confirmed } from "./ask.js";
import { counted } from "./elements.js";
import { host } from "./host.js";
import { button, Choice, Held, Menu } from "./panels.js";
import { html, render } from "./preact.js";
import { sendLink } from "./send_link.js";
import { Sharing } from "./sharing.js";
import { VersionList } from "./version_list.js";

/** @import { Model } from "./model.js" */
/** @import { Chooser } from "./chooser.js" */

const MOST = 32; // letters of a comment that are shown

export class FileBar {
  /** @param {Model} model @param {HTMLElement} element @param {HTMLElement} send @param {Chooser} chooser */
  constructor(model, element, send, chooser) {
    this.model = model;
    this.element = element;
    this.chooser = chooser;
    this.versions = new VersionList(model, chooser.versions);
    this.sharing = new Sharing(model);
    this.send = send;
    send.addEventListener("click", () => this.do(() => sendLink(model, chooser.page())));
    for (const what of ["loaded", "changed", "kept"]) model.addEventListener(what, () => this.draw());
    for (const what of ["loaded", "checked"]) model.addEventListener(what, () => model.isPuzzle && this.sharing.show());
  }

  draw() {
    const { model, versions, sharing } = this;
    this.element.hidden = this.send.hidden = !model.isPuzzle;
    if (!model.isPuzzle) return;
    const { whole } = model;
    const names = whole.names().map(([key, name]) => [key, key === whole.at ? model.name : name]);
    const [line] = whole.comment.split("\n");
    const comment = line.length > MOST ? `${line.slice(0, MOST - 2)}…` : line;
    const choose = (/** @type {string} */ key) => this.do(() => this.chooser.turnTo(key));
    const several = Choice({
      id: "problem",
      label: `one of ${counted(names.length, "problem")}`,
      value: whole.at,
      options: names,
      choose,
    });
    render(
      html`<span class="row tight">${names.length > 1 && several}</span>
        ${button(comment ? `Comment: ${comment}` : "Comment", () => this.editComment())}
        ${button("Versions", () => versions.open())}
        ${
          host.knows.severalProblems &&
          html`<${Menu} words="Problems">
            ${button("Duplicate this problem", () => this.do(() => model.copyProblem()))}
            ${button("Remove this problem", () => this.remove(), { class: "danger", disabled: names.length < 2 })}
          <//>`
        }
        <${Held} class="" nodes=${[sharing.element]} />`,
      this.element,
    );
  }

  /** @param {() => unknown} work */
  do(work) {
    this.fold();
    return this.chooser.attempt(work);
  }

  /** The menu is shut before what it leads to. */
  fold() {
    const menu = this.element.querySelector("details");
    if (menu) menu.open = false;
  }

  async remove() {
    this.fold();
    const question = `Remove “${this.model.name}” from this file? Undo restores it.`;
    if (await confirmed(question, "Remove problem")) await this.do(() => this.model.removeProblem());
  }

  async editComment() {
    const { model } = this;
    let text = model.whole.comment;
    const write = (/** @type {any} */ event) => (text = event.target.value);
    const fields = html`<textarea
        rows="10"
        cols="60"
        maxlength="100000"
        aria-label="Comment"
        value=${text}
        onInput=${write}
      />
      <p class="hint">The comment belongs to the whole file. Puzzle files and BurrTools files both store it.</p>`;
    if (await confirmed("Comment on this file", "Save comment", fields)) model.setComment(text.trimEnd());
  }
}
