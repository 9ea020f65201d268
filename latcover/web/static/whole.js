// The whole file that is open: its comment, and its problems with the edits of each. One problem is looked at; see model.js.
//
// As a list of texts, for history and versions: the comment, then of each problem its key, its name in the file as it
// was opened ("" where that holds one alone), and what can be edited of it, "" where that is as in the file.

export class Whole {
  /** What the server said of a file. */
  constructor({ subject, problems, comment = "", name }) {
    const { problem, edits, ...file } = subject;
    const names = problems.filter(({ fault }) => !fault).map((each) => each.name);
    this.file = file; // the subject without a problem
    this.comment = this.said = comment;
    this.problems = names.length > 1 ? names.map((of) => ({ key: of, of, state: "" })) : [{ key: "", of: problem ?? "", state: "" }];
    this.at = names.length > 1 ? problem ?? name : "";
    this.opened = this.texts();
  }

  get current() {
    return this.of(this.at);
  }

  of(key) {
    return this.problems.find((problem) => problem.key === key);
  }

  /** What the open problem is called in the file, as the server is asked. */
  subject(problem = this.current) {
    return problem.of ? { ...this.file, problem: problem.of } : this.file;
  }

  texts() {
    return [this.comment, ...this.problems.flatMap(({ key, of, state }) => [key, of, state])];
  }

  /** Take over texts; the open problem stays open, if it is among them. */
  take(texts) {
    [this.comment] = texts;
    this.problems = problemsIn(texts);
    if (!this.current) this.at = this.problems[0].key;
  }

  /** The problem in which texts differ from these, for whoever wants to see the change; the open one where it does. */
  changed(texts) {
    const before = new Map(this.problems.map(({ key, state }) => [key, state]));
    const there = problemsIn(texts);
    const moved = there.filter(({ key, state }) => before.get(key) !== state);
    const stays = there.find(({ key }) => key === this.at);
    return stays && (moved.includes(stays) || !moved.length) ? stays : moved[0] ?? there[0];
  }

  /** Another problem after the open one: a copy of it as it is now, with a name of its own. */
  copy(state) {
    const { of } = this.current;
    let key = `${of}+`;
    while (this.of(key)) key += "+";
    this.problems.splice(this.problems.indexOf(this.current) + 1, 0, { key, of, state });
    return key;
  }

  /** What each problem is called. */
  names() {
    return this.problems.map((problem) => {
      if (problem.read !== problem.state) Object.assign(problem, { read: problem.state, name: problem.state ? JSON.parse(problem.state).name : "" });
      return [problem.key, problem.name || problem.of];
    });
  }
}

/** The problems that texts hold, which begin with the comment. */
export function problemsIn([, ...texts]) {
  const found = [];
  for (let k = 0; k < texts.length; k += 3) found.push({ key: texts[k], of: texts[k + 1], state: texts[k + 2] });
  return found;
}
