// The ending of a game: the picture, how long it took, what else there is to find, and where to go from here.

import { clock } from "./album.js";
import { Drawn } from "./drawn.js";
import { counted, number } from "./elements.js";
import { button } from "./panels.js";
import { h, html, useMemo } from "./preact.js";
import { handOn } from "./share.js";

/** @import { Play } from "./play.js" */

/** @param {{ play: Play }} shown */
export function Ending({ play }) {
  const [title, more] = praise(play);
  const next = useMemo(() => play.next(), []);
  const draw = (/** @type {HTMLElement} */ place) => play.board.miniature(place, play.placed);
  return html`<div class="banner">
    ${h(Drawn, { class: "pictured", "aria-hidden": "true", draw, of: `${play.placed} ${play.ground}` })}
    <div>
      <strong>${title}</strong>
      <p>${more}</p>
    </div>
    <div class="ways">
      ${button("Play again", () => play.clear())}
      ${button("Send", () => send(play), { title: "A link to this puzzle, with your time" })}
      ${
        next &&
        html`<a href=${next.href} class="next" title=${next.title}
          >${next.left ? "Next puzzle" : "All are solved: play another"} →</a
        >`
      }
    </div>
  </div>`;
}

/** What is said of a solution, and what else there is to say. @param {Play} play */
export function praise({ game, score, puzzle, album }) {
  if (score?.words) {
    return [score.words, ""];
  }
  const help = game.helped ? `, ${counted(game.helped, "hint")}` : "";
  const title = `Solved in ${clock(game.seconds)} with ${counted(game.moves, "move")}${help}.`;
  const { different, total } = puzzle.known;
  const many = different ?? total;
  const kind = different !== undefined && total !== different ? "essentially different " : "";
  const best = score?.isBest ? "Your best time! " : "";
  if (many === 1) {
    return [title, `${best}It is the only solution.`];
  }
  if (score) {
    return [title, `${best}${score.isNew ? `You have found ${album.words()}.` : "You have found it before."}`];
  }
  return [title, many === undefined ? "" : `It is one of ${number(many)} ${kind}solutions.`];
}

/** Hand on the link to the puzzle: not to the solution. @param {Play} play */
async function send(play) {
  const { title } = play.puzzle.puzzle;
  const { game, score } = play;
  const time = score?.words ? "" : ` in ${clock(game.seconds)} with ${counted(game.moves, "move")}`;
  const url = `${location.href.split("#")[0]}#play`;
  const done = await handOn(title, url, `I have solved “${title}”${time}. Can you?`);
  play.say(done || "Copy this link:", "", done ? "" : url);
}
