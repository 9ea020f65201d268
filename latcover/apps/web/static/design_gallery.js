// A gallery of designed puzzles: pages of cards in a chosen order. Pictures are fetched when they become visible.

import { dom, fill } from "./dom.js";
import { choice, counted, number } from "./elements.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";

/** @import { DesignRow } from "./web_types.js" */
/** @import { DesignFacts } from "./server_types.js" */

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
  /** @type {string} */
  order;
  /** @type {number[]} */ shown;
  /** @type {string} */ run;
  /** @type {string[]} */ orders;
  /** @type {DesignRow[]} */ rows;
  /** @type {Map<number, HTMLElement>} */ cards;
  /** @type {number | undefined} */ timer;
  /** @type {string | null} */ known;
  /** @type {number} */ at;
  /** @type {boolean} */ fetching;

  /**
   * `open(k, page)` opens a puzzle on a page of the app.
   * @param {{ open: (k: number, page: string) => unknown }} options
   */
  constructor({ open }) {
    /** @type {string | null} */
    this.chosen = null; // the order that the user has chosen
    this.open = open;
    this.heading = dom("h3", { tabindex: "-1" }, "Gallery");
    this.sorter = dom("span", {});
    this.only = dom("input", { type: "checkbox", onchange: () => this.turn(0) });
    this.onlyOne = dom("label", { class: "check" }, this.only, "only puzzles with one solution");
    this.all = dom("a", { class: "button", download: "designs.jsonl" }, "Save all (JSON lines)");
    this.list = dom("ul", { class: "gallery", role: "list" });
    this.pager = dom("div", { class: "row browse", role: "group", "aria-label": "Pages of the gallery" });
    this.element = dom(
      "section",
      { "aria-label": "Gallery", hidden: true },
      dom("div", { class: "row browse" }, this.heading, this.sorter, this.onlyOne),
      this.list,
      this.pager,
      dom("div", { class: "row" }, this.all),
    );
    this.forget();
  }

  forget() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.run = "";
    this.rows = [];
    this.cards = new Map();
    this.order = "";
    this.known = null;
    this.at = 0;
    this.only.checked = false;
    this.element.hidden = true;
    fill(this.list);
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
      this.all.href = api.designsFile(run);
    }
    this.wanted = kept;
    if (this.fetching) return;
    this.fetching = true;
    try {
      while (this.run === run && this.rows.length < this.wanted) {
        const { designs } = await api.designs(run, this.rows.length);
        if (this.run !== run || designs.length === 0) break;
        for (const facts of designs) this.rows.push({ ...facts, k: this.rows.length });
        this.drawSoon();
      }
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault; // the run is gone; its panel says so
    } finally {
      this.fetching = false;
    }
    if (this.run && this.run !== run) this.follow(this.run, this.wanted, this.orders);
  }

  drawSoon() {
    if (this.element.hidden) this.draw();
    else this.timer ??= setTimeout(() => this.draw(), BETWEEN);
  }

  /** @param {number} page */
  turn(page) {
    this.at = page;
    this.draw();
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.element.hidden = this.rows.length === 0;
    if (this.element.hidden) return;
    const known = ["found", ...this.orders].filter((name) => this.rows.some(ORDERS[name][2]));
    if (known.join() !== this.known) {
      this.known = known.join();
      const chosen = known.includes(this.order)
        ? this.order
        : (this.orders.find((name) => known.includes(name)) ?? "found");
      const select = choice(
        known.map((name) => [name, ORDERS[name][0]]),
        chosen,
        (name) => {
          [this.order, this.chosen] = [name, name];
          this.turn(0);
        },
      );
      this.order = this.chosen ?? chosen;
      fill(this.sorter, dom("label", { class: "field inline" }, dom("span", {}, "order"), select));
      select.value = this.order;
    }
    const single = this.rows.filter((row) => row.exact && row.solutions === 1);
    this.onlyOne.hidden = single.length === 0 || single.length === this.rows.length;
    const rows = [...(this.only.checked && !this.onlyOne.hidden ? single : this.rows)];
    const by = ORDERS[this.order][1];
    rows.sort((a, b) => by(a, b) || a.k - b.k);
    this.shown = rows.map((row) => row.k);
    const pages = Math.max(1, Math.ceil(rows.length / ON_A_PAGE));
    this.at = Math.max(0, Math.min(this.at, pages - 1));
    const first = this.at * ON_A_PAGE;
    this.drawPager(pages, first, rows.length);
    this.put(rows.slice(first, first + ON_A_PAGE).map((row) => this.card(row)));
  }

  /** Show these cards; cards that stay keep their pictures and the focus. @param {HTMLElement[]} cards */
  put(cards) {
    if (cards.length === this.list.children.length && cards.every((card, k) => card === this.list.children[k])) return;
    const focus = this.list.contains(document.activeElement) ? document.activeElement : null;
    fill(this.list, cards);
    if (focus && this.list.contains(focus)) /** @type {HTMLElement} */ (focus).focus();
  }

  /** @param {number} pages @param {number} first @param {number} total */
  drawPager(pages, first, total) {
    this.heading.textContent = `Gallery: ${counted(total, "puzzle")}`;
    this.pager.hidden = pages === 1;
    if (this.pager.hidden) return;
    /** @param {string} text @param {string} label @param {number} page @param {boolean} off */
    const go = (text, label, page, off) =>
      dom(
        "button",
        {
          type: "button",
          "aria-label": label,
          disabled: off,
          onclick: () => {
            this.turn(page);
            this.heading.focus({ preventScroll: true });
            this.element.scrollIntoView({ block: "start" });
          },
        },
        text,
      );
    fill(
      this.pager,
      go("«", "first page", 0, this.at === 0),
      go("‹", "previous page", this.at - 1, this.at === 0),
      dom("span", {}, `${number(first + 1)}–${number(Math.min(first + ON_A_PAGE, total))} of ${number(total)}`),
      go("›", "next page", this.at + 1, this.at === pages - 1),
      go("»", "last page", pages - 1, this.at === pages - 1),
    );
  }

  /** @param {DesignRow} row */
  card(row) {
    const known = this.cards.get(row.k);
    if (known) return known;
    const words = row.words;
    const picture = this.picture(row);
    const card = dom(
      "li",
      { class: "made" },
      dom(
        "button",
        { type: "button", class: "picture", "aria-label": `Show details: ${words}`, onclick: () => this.look(row.k) },
        picture,
      ),
      dom("p", { class: "parts-of", title: words }, words),
      facts(row),
      this.actions(row, words),
    );
    this.cards.set(row.k, card);
    return card;
  }

  /** @param {DesignRow} row */
  picture(row) {
    const src = api.designPicture(this.run, row.k);
    /** @type {HTMLImageElement} */
    const image = dom("img", {
      loading: "lazy",
      src,
      alt: "",
      onerror: () =>
        image.replaceWith(dom("span", { class: "hint" }, "No picture: its solution takes too long to find.")),
    });
    return image;
  }

  /** @param {DesignRow} row @param {string} words */
  actions(row, words) {
    /** @param {string} page */
    const open = (page) => () => this.open(row.k, page);
    const save = dom(
      "a",
      { class: "button", href: api.designFile(this.run, row.k), download: "", "aria-label": `Download: ${words}` },
      "Download",
    );
    return dom(
      "div",
      { class: "actions" },
      dom(
        "button",
        { type: "button", class: "wide", "aria-label": `Open in the editor: ${words}`, onclick: open("puzzle") },
        "Open in the editor",
      ),
      dom("button", { type: "button", "aria-label": `Solve: ${words}`, onclick: open("solve") }, "Solve"),
      save,
    );
  }

  /** Show one puzzle large, with everything known about it. @param {number} k */
  look(k) {
    const dialog = dom("dialog", { class: "closer", "aria-labelledby": "closer" });
    /** @param {number} at */
    const show = (at) => {
      const row = this.rows[this.shown[at]];
      const words = row.words;
      /** @param {string} text @param {string} label @param {number} to */
      const step = (text, label, to) =>
        dom(
          "button",
          { type: "button", "aria-label": label, disabled: !(to in this.shown), onclick: () => show(to) },
          text,
        );
      const image = this.picture(row);
      image.setAttribute("loading", "eager");
      image.alt = `A solution: ${words}`;
      const focus = dialog.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
      const actions = this.actions(row, words);
      actions.addEventListener(
        "click",
        (event) => /** @type {Element} */ (event.target).closest("button") && dialog.close(),
      );
      fill(
        dialog,
        dom(
          "div",
          { class: "row browse" },
          dom("h3", { id: "closer" }, row.title || row.name),
          step("‹", "previous", at - 1),
          step("›", "next", at + 1),
          dom("button", { type: "button", "aria-label": "close", onclick: () => dialog.close() }, "✕"),
        ),
        dom("div", { class: "large" }, image),
        facts(row),
        row.notes?.length
          ? dom(
              "ul",
              { class: "hint" },
              row.notes.map((note) => dom("li", {}, note)),
            )
          : null,
        actions,
      );
      const again =
        focus &&
        [...dialog.querySelectorAll("button")].find(
          (button) => button.getAttribute("aria-label") === focus && !button.disabled,
        );
      (again || /** @type {HTMLElement} */ (dialog.querySelector('[aria-label="close"]'))).focus();
      at = this.shown.indexOf(row.k);
      dialog.onkeydown = (event) => {
        const by = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 }[event.key];
        if (!by || !(at + by in this.shown)) return;
        event.preventDefault();
        show(at + by);
      };
    };
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // a click beside the dialog
    dialog.showModal();
    show(this.shown.indexOf(k));
  }
}

/** @param {DesignFacts} how */
function facts({ solutions, exact, level: steps, difficulty, badges = [] }) {
  /** @param {string} text @param {string} [kind] */
  const badge = (text, kind = "") => dom("span", { class: `badge ${kind}` }, text);
  const one = exact && solutions === 1;
  return dom(
    "p",
    { class: "badges" },
    solutions === undefined
      ? null
      : badge(one ? "one solution" : `${exact ? "" : "at least "}${counted(solutions, "solution")}`, one ? "one" : ""),
    steps?.length ? badge(`level ${steps.join(".")}`) : null,
    Number.isFinite(difficulty) ? badge(`difficulty ${difficulty?.toFixed(1)}`) : null,
    badges.map((text) => badge(text)),
  );
}
