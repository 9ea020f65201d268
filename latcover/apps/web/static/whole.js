// The whole open file: its comment, and its problems with the edits of each. One problem is shown; see model.js.
//
// As a list of texts, for history and versions: the comment, then for each problem its key, its name in the file as it
// was opened ("" where that holds one alone), and its state, "" if unchanged.

/** @import { Problem, Subject } from "./web_types.js" */
/** @import { PuzzleData, TextSubject } from "./server_types.js" */

export class Whole {
  /** The data of the server on a file. @param {PuzzleData} data */
  constructor({ subject, problems = [], comment = "", name }) {
    const { problem, edits, ...file } = /** @type {TextSubject} */ (subject);
    const names = problems.filter(({ fault }) => !fault).map((each) => each.name);
    this.file = file; // the subject without a problem
    this.comment = this.said = comment;
    /** @type {Problem[]} */
    this.problems =
      names.length > 1 ? names.map((of) => ({ key: of, of, state: "" })) : [{ key: "", of: problem ?? "", state: "" }];
    this.at = names.length > 1 ? (problem ?? name) : "";
    this.opened = this.texts();
  }

  get current() {
    return this.of(this.at);
  }

  /** @param {string} key @returns {Problem} */
  of(key) {
    return /** @type {Problem} */ (this.problems.find((problem) => problem.key === key));
  }

  /** The name of the open problem in the file, for requests to the server. @returns {Subject} */
  subject(problem = this.current) {
    return problem.of ? { ...this.file, problem: problem.of } : this.file;
  }

  texts() {
    return [this.comment, ...this.problems.flatMap(({ key, of, state }) => [key, of, state])];
  }

  /** Load texts; the open problem stays open if it is among them. @param {string[]} texts */
  take(texts) {
    [this.comment] = texts;
    this.problems = problemsIn(texts);
    if (!this.current) this.at = this.problems[0].key;
  }

  /**
   * The problem in which texts differ from these, so that the change can be shown; preferably the open one.
   * @param {string[]} texts
   */
  changed(texts) {
    const before = new Map(this.problems.map(({ key, state }) => [key, state]));
    const there = problemsIn(texts);
    const moved = there.filter(({ key, state }) => before.get(key) !== state);
    const stays = there.find(({ key }) => key === this.at);
    return stays && (moved.includes(stays) || !moved.length) ? stays : (moved[0] ?? there[0]);
  }

  /** Add a copy of the open problem after it, with a new name. @param {string} state */
  copy(state) {
    const { of } = this.current;
    let key = `${of}+`;
    while (this.of(key)) key += "+";
    this.problems.splice(this.problems.indexOf(this.current) + 1, 0, { key, of, state });
    return key;
  }

  /** The names of all problems, each after its key. @returns {[key: string, name: string][]} */
  names() {
    return this.problems.map((problem) => {
      if (problem.read !== problem.state)
        Object.assign(problem, { read: problem.state, name: problem.state ? JSON.parse(problem.state).name : "" });
      return [problem.key, problem.name || problem.of];
    });
  }
}

/** The problems in texts, which begin with the comment. @param {string[]} options @returns {Problem[]} */
export function problemsIn([, ...texts]) {
  const found = [];
  for (let k = 0; k < texts.length; k += 3) found.push({ key: texts[k], of: texts[k + 1], state: texts[k + 2] });
  return found;
}
