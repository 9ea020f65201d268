// Versions of a design: earlier states that the user may want to restore. Some are kept automatically, others by name.
//
// A version is {id, design, when, why, name, title, texts, at, facts}: `texts` is the whole file (whole.js), `at` the
// problem that was open, `facts` a line about it. Named versions stay, and so does the first; of the
// others the older ones are thinned out.

import { changeVersions, versionsOf } from "./vault.js";
import { same } from "./history.js";

/** @import { Version } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const PAUSE = 60000; // milliseconds without a change after which a version is kept
export const MOST = 40; // versions without a name, of a design
const ROOM = 30e6; // characters of all of them
export const WHY = {
  opened: "as it was opened",
  again: "when it was opened again",
  solved: "when it was solved",
  saved: "when it was saved as a file",
  pause: "after a pause",
  left: "before a version was restored",
};

export class Versions extends EventTarget {
  /** @type {string} */
  fault;
  /** @type {number} */ timer;

  /** `design()` returns the identifier of the open design, or "". @param {Model} model @param {() => string} design */
  constructor(model, design) {
    super();
    this.model = model;
    this.design = design;
    this.work = Promise.resolve();
    model.addEventListener("changed", () => this.wait());
    model.addEventListener("solved", () => this.keep("solved", { facts: model.solved }));
    model.addEventListener("saved", () => this.keep("saved"));
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep("pause"), PAUSE);
  }

  /**
   * Keep a version of the open design; *more* are further fields of it. Calls run one after another.
   * @param {string} why @param {Partial<Version>} [more]
   */
  keep(why, more = {}) {
    const { model } = this;
    clearTimeout(this.timer);
    const design = this.design();
    if (!design || !model.isPuzzle) return this.work;
    const title = model.verdict.title || model.name;
    const version = {
      design,
      when: Date.now(),
      why,
      name: "",
      facts: "",
      title,
      texts: model.whole.texts(),
      at: model.whole.at,
      ...more,
    };
    this.work = this.work
      .then(() => this.add(version))
      .catch(() => {
        this.fault = "This browser has no room, or no permission, to keep versions. Save the puzzle as a file.";
      });
    return this.work.then(() => this.dispatchEvent(new Event("changed")));
  }

  /** @param {Version} version */
  async add(version) {
    const found = await versionsOf(version.design);
    const last = found[0];
    if (last && same(last.texts, version.texts) && last.at === version.at && !(last.name && version.name)) {
      const facts = version.facts || last.facts;
      const why = version.facts || version.name ? version.why : last.why;
      await changeVersions([{ ...last, why, facts, name: version.name || last.name }]);
      return;
    }
    const gone = thinned([version, ...found]);
    await changeVersions(
      [version],
      gone.map(({ id }) => /** @type {number} */ (id)),
    );
    this.fault = "";
  }

  list() {
    return this.work.then(() => versionsOf(this.design())).catch(() => []);
  }

  /** @param {Version} version @param {string} name */
  async rename(version, name) {
    await changeVersions([{ ...version, name }]);
    this.dispatchEvent(new Event("changed"));
  }

  /** @param {Version} version */
  async remove(version) {
    await changeVersions([], [/** @type {number} */ (version.id)]);
    this.dispatchEvent(new Event("changed"));
  }
}

/**
 * The versions to delete, of a list with the latest first: in the older half, those that are followed soonest.
 * @param {Version[]} versions
 */
function thinned(versions) {
  const unnamed = versions.filter(({ name, why }) => !name && why !== "opened");
  const gone = [];
  /** @param {Version} how */
  const size = ({ texts }) => texts.reduce((sum, text) => sum + text.length, 0);
  let room = unnamed.reduce((sum, version) => sum + size(version), 0);
  while (unnamed.length > MOST || (room > ROOM && unnamed.length > 2)) {
    /** @param {number} k */
    const gap = (k) => unnamed[k - 1].when - unnamed[k].when;
    let least = unnamed.length - 1;
    for (let k = least; k >= unnamed.length / 2; k -= 1) if (gap(k) < gap(least)) least = k;
    const [version] = unnamed.splice(least, 1);
    room -= size(version);
    gone.push(version);
  }
  return gone;
}
