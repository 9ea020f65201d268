// The puzzle of a published page: what the program asks of a puzzle that is open, and the host that answers for it.

import { runsInPage } from "./page_runs.js";
import { unpack } from "./source.js";

/** @import { PageData } from "./play_types.js" */
/** @import { Host } from "./host.js" */
/** @import { Subject } from "./web_types.js" */

export class Exhibit extends EventTarget {
  isPuzzle = true;
  isSmall = false; // nothing is solved for those who want to play
  solved = "";

  /** @param {PageData} data */
  constructor({ puzzle }) {
    super();
    const { title, dimension } = puzzle.puzzle;
    this.name = title;
    this.data = /** @type {any} */ ({ title });
    this.lattice = /** @type {any} */ ({ space: dimension === 3 });
    this.of = puzzle.digest;
  }

  /** @returns {Subject} */
  subject() {
    return { form: "shipped", name: this.of };
  }

  /** @param {string} what */
  tell(what) {
    this.dispatchEvent(new Event(what));
  }
}

/** What a page answers whose data were stored when it was published. @param {PageData} data @param {string[]} pages */
export function exhibitHost(data, pages) {
  const { apart, stored, among, turning, turns } = data;
  const slides = apart !== null;
  const came = `came with the page${among ? `: ${among}` : ""}`;
  /** @param {boolean} isOther whether another solution is chosen */
  const about = (isOther) => {
    const which = isOther || !slides ? "The solution" : "No solution has been found here yet. This one";
    const made = turns
      ? `The plan that came with the page has ${turns === 1 ? "a turn" : `${turns} turns`}`
      : "The parts of this puzzle may turn";
    const lifted = slides ? "the page itself looks for slides alone" : "no part is lifted off";
    return `${which} ${came}.${turning ? ` ${made}; ${lifted}.` : ""}`;
  };
  return /** @type {Partial<Host>} */ (
    /** @type {unknown} */ ({
      ...runsInPage(async () => data),
      pages,
      server: Object.assign(new EventTarget(), { away: false, whenBack: () => {} }),
      stored: stored && {
        source: () => unpack(stored),
        comesApart: Boolean(stored.disassemblies),
        ...{ turns, turning, slides, about },
      },
    })
  );
}
