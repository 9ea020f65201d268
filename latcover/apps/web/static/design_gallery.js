// A gallery of designed puzzles: pages of cards in a chosen order. Pictures are fetched when they become visible.

import { counted, number } from "./elements.js";
import { Fault } from "./faults.js";
import { host } from "./host.js";
import { button } from "./panels.js";
import { html, render, useEffect, useRef, useState } from "./preact.js";

/** @import { DesignRow } from "./web_types.js" */
/** @import { DesignFacts } from "./server_types.js" */

/** Open a puzzle on a page. @typedef {(k: number, page: string) => unknown} Open */

const ON_A_PAGE = 24;
const BETWEEN = 400; // milliseconds between redraws while more puzzles arrive

/** @param {DesignFacts} how */
const level = ({ level: steps }) => steps ?? [];
/** @param {number[]} a @param {number[]} b */
const before = (a, b) => {
  for (let k = 0; k < Math.max(a.length, b.length); k += 1) {
    const difference = (b[k] ?? 0) - (a[k] ?? 0);
    if (difference) return difference;
  }
  return 0;
};
/** @param {DesignFacts} a @param {DesignFacts} b */
const harder = (a, b) => (b.difficulty ?? -1) - (a.difficulty ?? -1);
/** @param {DesignFacts} how */
const play = ({ needed_play }) => needed_play ?? 0; // what does not turn needs none
/** @param {DesignFacts} how */
const copies = ({ parts }) => parts.reduce((sum, [, n]) => sum + n, 0);
/** @type {Record<string, [words: string, by: (a: DesignFacts, b: DesignFacts) => number, suits: (row: DesignFacts) => boolean]>} */
const ORDERS = {
  found: ["as found", () => 0, () => true],
  solutions: ["fewest solutions first", (a, b) => a.solutions - b.solutions, (row) => row.solutions !== undefined],
  most: ["most solutions first", (a, b) => b.solutions - a.solutions, (row) => row.solutions !== undefined],
  level: [
    "highest levels first",
    (a, b) => before(level(a), level(b)) || harder(a, b),
    (row) => Boolean(row.level?.length),
  ],
  easy: ["least play first", (a, b) => play(a) - play(b), (row) => Number.isFinite(row.needed_play)],
  tight: ["most play first", (a, b) => play(b) - play(a), (row) => Number.isFinite(row.needed_play)],
  difficulty: ["most difficult first", harder, (row) => Number.isFinite(row.difficulty)],
  parts: [
    "most kinds of parts first",
    (a, b) => b.parts.length - a.parts.length || copies(b) - copies(a),
    (row) => Boolean(row.parts),
  ],
};

export class Gallery {
  /** @type {string | null} */ chosen = null; // the order that the user has chosen
  /** @type {DesignRow[]} */ rows = [];
  /** @type {string[]} */ orders = [];
  /** @type {number | undefined} */ timer;
  run = "";
  wanted = 0;
  at = 0; // the page
  isSingle = false; // only puzzles with one solution are shown
  isFetching = false;

  /** @param {Open} open */
  constructor(open) {
    this.open = open;
    this.element = document.createElement("section");
    this.element.setAttribute("aria-label", "Gallery");
    this.forget();
  }

  forget() {
    this.run = "";
    this.rows = [];
    this.at = 0;
    this.isSingle = false;
    this.draw();
  }

  /**
   * Show the `kept` puzzles that a run has found so far; `orders` are the orders that suit it, the best first.
   * @param {string} run @param {number} kept @param {string[]} orders
   */
  async follow(run, kept, orders) {
    if (run !== this.run) {
      this.forget();
      this.run = run;
      this.orders = orders;
    }
    this.wanted = kept;
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      while (this.run === run && this.rows.length < this.wanted) {
        const { designs } = await host.designs(run, this.rows.length);
        if (this.run !== run || designs.length === 0) break;
        for (const facts of designs) this.rows.push({ ...facts, k: this.rows.length });
        if (this.element.hidden) this.draw();
        else this.timer ??= setTimeout(() => this.draw(), BETWEEN);
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault; // the run is gone; its panel says so
    } finally {
      this.isFetching = false;
    }
    if (this.run && this.run !== run) this.follow(this.run, this.wanted, this.orders);
  }

  /** @param {Partial<Gallery>} values */
  put(values) {
    Object.assign(this, values);
    this.draw();
  }

  /** The orders that say something of these puzzles, the one that is chosen, and the puzzles in it. */
  sorted() {
    const known = ["found", ...this.orders].filter((name) => this.rows.some(ORDERS[name][2]));
    const usual = this.orders.find((name) => known.includes(name)) ?? "found";
    const order = this.chosen && known.includes(this.chosen) ? this.chosen : usual;
    const single = this.rows.filter((row) => row.exact && row.solutions === 1);
    const isMixed = single.length > 0 && single.length < this.rows.length;
    const rows = [...(this.isSingle && isMixed ? single : this.rows)];
    const by = ORDERS[order][1];
    rows.sort((a, b) => by(a, b) || a.k - b.k);
    return { known, order, isMixed, rows };
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.element.hidden = this.rows.length === 0;
    render(this.element.hidden ? null : html`<${Rows} key=${this.run} gallery=${this} />`, this.element);
  }
}

/** @param {{ gallery: Gallery }} shown */
function Rows({ gallery }) {
  const { run, open } = gallery;
  const { known, order, isMixed, rows } = gallery.sorted();
  const [look, setLook] = useState(/** @type {number | null} */ (null)); // the puzzle that is shown large
  const pages = Math.max(1, Math.ceil(rows.length / ON_A_PAGE));
  const at = Math.max(0, Math.min(gallery.at, pages - 1));
  const first = at * ON_A_PAGE;
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  /** @param {string} text @param {string} label @param {number} page */
  const go = (text, label, page) => {
    const turn = () => {
      gallery.put({ at: page });
      heading.current?.focus({ preventScroll: true });
      gallery.element.scrollIntoView({ block: "start" });
    };
    return button(text, turn, { "aria-label": label, disabled: page === at || page < 0 || page >= pages });
  };
  return html`<div class="row browse">
      <h3 tabindex="-1" ref=${heading}>Gallery: ${counted(rows.length, "puzzle")}</h3>
      <label class="field inline">
        <span>order</span>
        <select
          value=${order}
          onChange=${(/** @type {any} */ event) => gallery.put({ chosen: event.target.value, at: 0 })}
        >
          ${known.map((name) => html`<option value=${name}>${ORDERS[name][0]}</option>`)}
        </select>
      </label>
      <label class="check" hidden=${!isMixed}>
        <input
          type="checkbox"
          checked=${gallery.isSingle}
          onChange=${(/** @type {any} */ event) => gallery.put({ isSingle: event.target.checked, at: 0 })}
        />only puzzles with one solution
      </label>
    </div>
    <ul class="gallery" role="list">
      ${rows.slice(first, first + ON_A_PAGE).map(
        (row) =>
          html`<li class="made" key=${row.k}>
            ${button(html`<${Picture} run=${run} row=${row} />`, () => setLook(row.k), {
              class: "picture",
              "aria-label": `Show details: ${row.words}`,
            })}
            <p class="parts-of" title=${row.words}>${row.words}</p>
            <${Badges} row=${row} /> <${Actions} run=${run} row=${row} open=${open} />
          </li>`,
      )}
    </ul>
    <div class="row browse" role="group" aria-label="Pages of the gallery" hidden=${pages === 1}>
      ${go("«", "first page", 0)} ${go("‹", "previous page", at - 1)}
      <span>${number(first + 1)}–${number(Math.min(first + ON_A_PAGE, rows.length))} of ${number(rows.length)}</span>
      ${go("›", "next page", at + 1)} ${go("»", "last page", pages - 1)}
    </div>
    <div class="row">
      <a class="button" download="designs.jsonl" href=${host.designsFile(run)}>Save all (JSON lines)</a>
    </div>
    ${
      look !== null &&
      html`<${Closer} run=${run} rows=${rows} first=${look} open=${open} close=${() => setLook(null)} />`
    }`;
}

/** @param {{ run: string, row: DesignRow, words?: string }} shown */
function Picture({ run, row, words = "" }) {
  const [isMissing, miss] = useState(false);
  if (isMissing) return html`<span class="hint">No picture: its solution takes too long to find.</span>`;
  const loading = words ? "eager" : "lazy";
  return html`<img
    loading=${loading}
    src=${host.designPicture(run, row.k)}
    alt=${words}
    onError=${() => miss(true)}
  />`;
}

/** @param {{ run: string, row: DesignRow, open: Open }} shown */
function Actions({ run, row, open }) {
  const { k, words } = row;
  /** @param {string} text @param {string} page @param {string} [name] */
  const go = (text, page, name) =>
    button(text, () => open(k, page), { "aria-label": `${text}: ${words}`, class: name });
  return html`<div class="actions">
    ${go("Open in the editor", "puzzle", "wide")} ${go("Play", "play")} ${go("Solve", "solve")}
    <a class="button wide" download="" aria-label=${`Download: ${words}`} href=${host.designFile(run, k)}>Download</a>
  </div>`;
}

/**
 * One puzzle large, with everything known about it.
 * @param {{ run: string, rows: DesignRow[], first: number, open: Open, close: () => void }} shown
 */
function Closer({ run, rows, first, open, close }) {
  const [k, look] = useState(first);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
    /** @type {HTMLElement | null | undefined} */ (dialog.current?.querySelector('[aria-label="close"]'))?.focus();
  }, []);
  const at = rows.findIndex((row) => row.k === k);
  const row = rows[at];
  if (!row) return null;
  /** @param {string} text @param {string} label @param {number} by */
  const step = (text, label, by) =>
    button(text, () => look(rows[at + by].k), { "aria-label": label, disabled: !(at + by in rows) });
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const by = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 }[event.key];
    if (!by || !(at + by in rows)) return;
    event.preventDefault();
    look(rows[at + by].k);
  };
  /** @type {Open} */
  const leave = (chosen, page) => {
    dialog.current?.close();
    return open(chosen, page);
  };
  return html`<dialog
    class="closer"
    aria-labelledby="closer"
    ref=${dialog}
    onClose=${close}
    onKeyDown=${key}
    onClick=${(/** @type {MouseEvent} */ event) => event.target === dialog.current && dialog.current?.close()}
  >
    <div class="row browse">
      <h3 id="closer">${row.title || row.name}</h3>
      ${step("‹", "previous", -1)} ${step("›", "next", 1)}
      ${button("✕", () => dialog.current?.close(), { "aria-label": "close" })}
    </div>
    <div class="large"><${Picture} key=${k} run=${run} row=${row} words=${`A solution: ${row.words}`} /></div>
    <${Badges} row=${row} />
    ${
      Boolean(row.notes?.length) &&
      html`<ul class="hint">
        ${row.notes.map((note) => html`<li>${note}</li>`)}
      </ul>`
    }
    <${Actions} run=${run} row=${row} open=${leave} />
  </dialog>`;
}

/** @param {{ row: DesignFacts }} shown */
function Badges({ row: { solutions, exact, level: steps, difficulty, badges = [] } }) {
  const one = exact && solutions === 1;
  const words = one ? "one solution" : `${exact ? "" : "at least "}${counted(solutions ?? 0, "solution")}`;
  return html`<p class="badges">
    ${solutions !== undefined && html`<span class=${one ? "badge one" : "badge"}>${words}</span>`}
    ${Boolean(steps?.length) && html`<span class="badge">level ${steps?.join(".")}</span>`}
    ${Number.isFinite(difficulty) && html`<span class="badge">difficulty ${difficulty?.toFixed(1)}</span>`}
    ${badges.map((text) => html`<span class="badge">${text}</span>`)}
  </p>`;
}
