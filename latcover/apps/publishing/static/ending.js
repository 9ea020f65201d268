// The ending of a game: the picture, how long it took, what else there is to find, and where to go from here.

import { clock } from "./album.js";
import { button, dom } from "./dom.js";
import { handOn } from "./share.js";

/** @import { Play } from "./play.js" */

export class Ending {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.element = dom("div", { class: "banner", hidden: "" });
  }

  /** @param {boolean} solved */
  show(solved) {
    if (solved && this.element.hidden) {
      this.element.replaceChildren(this.picture(), this.words(), this.ways());
    }
    this.element.hidden = !solved;
  }

  picture() {
    const { board, placed } = this.play;
    const place = dom("div", { class: "pictured", "aria-hidden": "true" });
    board.miniature(place, placed);
    return place;
  }

  words() {
    const { game, score } = this.play;
    const help = game.helped ? `, ${game.helped} hint${game.helped === 1 ? "" : "s"}` : "";
    const moves = `${game.moves} move${game.moves === 1 ? "" : "s"}`;
    const title = score?.words ? score.words : `Solved in ${clock(game.seconds)} with ${moves}${help}.`;
    return dom("div", {}, dom("strong", {}, title), dom("p", {}, score?.words ? "" : this.more()));
  }

  /** What this solution is among all, and whether it was the fastest. */
  more() {
    const { puzzle, album, score } = this.play;
    const { different, total } = puzzle.known;
    const many = different ?? total;
    const kind = different !== undefined && total !== different ? "essentially different " : "";
    const best = score?.isBest ? "Your best time! " : "";
    if (many === 1) {
      return `${best}It is the only solution.`;
    }
    if (score) {
      return `${best}${score.isNew ? `You have found ${album.words()}.` : "You have found it before."}`;
    }
    return many === undefined ? "" : `It is one of ${many.toLocaleString("en")} ${kind}solutions.`;
  }

  ways() {
    const { play } = this;
    const again = button("Play again", () => play.clear());
    const send = button("Send", () => this.send(), { title: "A link to this puzzle, with your time" });
    const next = play.next();
    const words = next?.left ? "Next puzzle" : "All are solved: play another";
    return dom(
      "div",
      { class: "ways" },
      again,
      send,
      ...(next ? [dom("a", { href: next.href, class: "next", title: next.title }, `${words} →`)] : []),
    );
  }

  /** Hand on the link to the puzzle: not to the solution. */
  async send() {
    const { play } = this;
    const { title } = play.puzzle.puzzle;
    const { game, score } = play;
    const time = score?.words ? "" : ` in ${clock(game.seconds)} with ${game.moves} moves`;
    const url = `${location.href.split("#")[0]}#play`;
    const done = await handOn(title, url, `I have solved “${title}”${time}. Can you?`);
    play.say(done || "Copy this link:", "", done ? "" : url);
  }
}
