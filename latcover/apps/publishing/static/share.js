// Links to a position of a puzzle: #play?at=1a.2b.3c&of=d1 names the options in place, and of which version of the puzzle.

/** @import { PlayPuzzle } from "./play_puzzle.js" */

import { Position } from "./position.js";

const LETTERS = 8; // of the puzzle's digest: its options have other numbers in another version

/** Whether an address is of this page: in the app it names the puzzle too. @param {string} page */
const isPlay = (page) => page === "play" || page.startsWith("play/");

/** The address of this page with a position. @param {PlayPuzzle} puzzle @param {number[]} options */
export function linkTo(puzzle, options) {
  const at = options.map((option) => option.toString(36)).join(".");
  const [here] = location.hash.slice(1).split("?");
  return `${location.href.split("#")[0]}#${isPlay(here) ? here : "play"}?at=${at}&of=${puzzle.digest.slice(0, LETTERS)}`;
}

/**
 * The options that the address names; null if it names none, or a text that says why they cannot be shown. The address
 * then forgets them, since the game goes on from there.
 * @param {PlayPuzzle} puzzle @returns {number[] | string | null}
 */
export function linked(puzzle) {
  const [name, query] = location.hash.slice(1).split("?");
  const asked = new URLSearchParams(query);
  const at = asked.get("at");
  if (!isPlay(name) || at === null) {
    return null;
  }
  history.replaceState(history.state, "", `#${name}`);
  if (asked.get("of") !== puzzle.digest.slice(0, LETTERS)) {
    return "The link is of another version of this puzzle.";
  }
  const options = at ? at.split(".").map((word) => parseInt(word, 36)) : [];
  const position = new Position(puzzle);
  for (const option of options) {
    if (!(puzzle.partOfOption(option) >= 0) || !position.allows(option)) {
      return "The link is damaged.";
    }
    position.add(option);
  }
  return options;
}

/**
 * Hand a link on: to what the system offers on a phone, otherwise into the clipboard. Returns what was done, in words; ""
 * if the link must be copied by hand.
 * @param {string} title @param {string} url @param {string} [words] what is said of the link
 */
export async function handOn(title, url, words = "") {
  try {
    if (matchMedia("(pointer: coarse)").matches && navigator.share) {
      await navigator.share({ title, url, ...(words ? { text: words } : {}) });
      return "Link shared.";
    }
    await navigator.clipboard.writeText(words ? `${words} ${url}` : url);
    return words ? "Your words and the link are copied." : "Link to this position copied.";
  } catch (fault) {
    return /** @type {Error} */ (fault).name === "AbortError" ? "Link not shared." : "";
  }
}
