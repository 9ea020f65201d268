// A gallery of puzzles that were made: pages of cards, in an order of one's choice. Pictures are fetched when they are seen.

import * as api from "./api.js";
import { choice, counted, el, fill, number } from "./elements.js";

const ON_A_PAGE = 24;
const BETWEEN = 400; // milliseconds between two drawings while more comes

const level = ({ level: steps }) => steps ?? [];
const before = (a, b) => {
  for (let k = 0; k < Math.max(a.length, b.length); k += 1) {
    const difference = (b[k] ?? 0) - (a[k] ?? 0);
    if (difference) return difference;
  }
  return 0;
};
const harder = (a, b) => (b.difficulty ?? -1) - (a.difficulty ?? -1);
const copies = ({ parts }) => parts.reduce((sum, [, n]) => sum + n, 0);
const ORDERS = {
  found: ["as they were found", () => 0, () => true],
  solutions: ["few solutions first", (a, b) => a.solutions - b.solutions, (row) => row.solutions !== undefined],
  most: ["many solutions first", (a, b) => b.solutions - a.solutions, (row) => row.solutions !== undefined],
  level: ["high levels first", (a, b) => before(level(a), level(b)) || harder(a, b), (row) => Boolean(row.level?.length)],
  difficulty: ["hard ones first", harder, (row) => Number.isFinite(row.difficulty)],
  parts: ["many kinds of parts first", (a, b) => b.parts.length - a.parts.length || copies(b) - copies(a), (row) => Boolean(row.parts)],
};

export class Gallery {
  /** `open(k, page)` opens a puzzle on a page of the app. */
  constructor({ open }) {
    this.open = open;
    this.heading = el("h3", { tabindex: "-1" }, "Gallery");
    this.sorter = el("span", {});
    this.only = el("input", { type: "checkbox", onchange: () => this.turn(0) });
    this.onlyOne = el("label", { class: "check" }, this.only, "only those with one solution");
    this.all = el("a", { class: "button", download: "designs.jsonl" }, "Save all (JSON lines)");
    this.list = el("ul", { class: "gallery", role: "list" });
    this.pager = el("div", { class: "row browse", role: "group", "aria-label": "Pages of the gallery" });
    this.element = el("section", { "aria-label": "Gallery", hidden: true },
      el("div", { class: "row browse" }, this.heading, this.sorter, this.onlyOne), this.list, this.pager, el("div", { class: "row" }, this.all));
    this.forget();
  }

  forget() {
    clearTimeout(this.timer);
    this.timer = null;
    this.run = null;
    this.rows = [];
    this.cards = new Map();
    this.order = this.known = null;
    this.at = 0;
    this.only.checked = false;
    this.element.hidden = true;
    fill(this.list);
  }

  /** Show what a run has made so far, `kept` puzzles; `orders` are those that suit it, the best first. */
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
      if (!(fault instanceof api.Fault)) throw fault; // the run is gone, which its panel says
    } finally {
      this.fetching = false;
    }
    if (this.run && this.run !== run) this.follow(this.run, this.wanted, this.orders);
  }

  drawSoon() {
    if (this.element.hidden) this.draw();
    else this.timer ??= setTimeout(() => this.draw(), BETWEEN);
  }

  turn(page) {
    this.at = page;
    this.draw();
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = null;
    this.element.hidden = this.rows.length === 0;
    if (this.element.hidden) return;
    const known = ["found", ...this.orders].filter((name) => this.rows.some(ORDERS[name][2]));
    if (known.join() !== this.known) {
      this.known = known.join();
      const chosen = known.includes(this.order) ? this.order : this.orders.find((name) => known.includes(name)) ?? "found";
      const select = choice(known.map((name) => [name, ORDERS[name][0]]), chosen, (name) => {
        [this.order, this.chosen] = [name, name];
        this.turn(0);
      });
      this.order = this.chosen ?? chosen;
      fill(this.sorter, el("label", { class: "field inline" }, el("span", {}, "in order"), select));
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

  /** Show these cards; those that stay keep their pictures, and the focus. */
  put(cards) {
    if (cards.length === this.list.children.length && cards.every((card, k) => card === this.list.children[k])) return;
    const focus = this.list.contains(document.activeElement) ? document.activeElement : null;
    fill(this.list, cards);
    if (focus && this.list.contains(focus)) focus.focus();
  }

  drawPager(pages, first, total) {
    this.heading.textContent = `Gallery: ${counted(total, "puzzle")}`;
    this.pager.hidden = pages === 1;
    if (this.pager.hidden) return;
    const go = (text, label, page, off) => el("button", { type: "button", "aria-label": label, disabled: off, onclick: () => {
      this.turn(page);
      this.heading.focus({ preventScroll: true });
      this.element.scrollIntoView({ block: "start" });
    } }, text);
    fill(this.pager, go("«", "first page", 0, this.at === 0), go("‹", "previous page", this.at - 1, this.at === 0),
      el("span", {}, `${number(first + 1)}–${number(Math.min(first + ON_A_PAGE, total))} of ${number(total)}`),
      go("›", "next page", this.at + 1, this.at === pages - 1), go("»", "last page", pages - 1, this.at === pages - 1));
  }

  card(row) {
    const known = this.cards.get(row.k);
    if (known) return known;
    const words = row.words;
    const picture = this.picture(row);
    const card = el("li", { class: "made" },
      el("button", { type: "button", class: "picture", "aria-label": `Look closer: ${words}`, onclick: () => this.look(row.k) }, picture),
      el("p", { class: "parts-of", title: words }, words), facts(row), this.actions(row, words));
    this.cards.set(row.k, card);
    return card;
  }

  picture(row) {
    const src = api.designPicture(this.run, row.k);
    const image = el("img", { loading: "lazy", src, alt: "", onerror: () => image.replaceWith(el("span", { class: "hint" }, "No picture: its solution takes too long to find.")) });
    return image;
  }

  actions(row, words) {
    const open = (page) => () => this.open(row.k, page);
    const save = el("a", { class: "button", href: api.designFile(this.run, row.k), download: "", "aria-label": `Download: ${words}` }, "Download");
    return el("div", { class: "actions" },
      el("button", { type: "button", class: "wide", "aria-label": `Open in the editor: ${words}`, onclick: open("puzzle") }, "Open in the editor"),
      el("button", { type: "button", "aria-label": `Solve: ${words}`, onclick: open("solve") }, "Solve"), save);
  }

  /** One of them, large, with all that is known of it. */
  look(k) {
    const dialog = el("dialog", { class: "closer", "aria-labelledby": "closer" });
    const show = (at) => {
      const row = this.rows[this.shown[at]];
      const words = row.words;
      const step = (text, label, to) => el("button", { type: "button", "aria-label": label, disabled: !(to in this.shown), onclick: () => show(to) }, text);
      const image = this.picture(row);
      image.setAttribute("loading", "eager");
      image.alt = `A solution: ${words}`;
      const focus = dialog.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
      const actions = this.actions(row, words);
      actions.addEventListener("click", (event) => event.target.closest("button") && dialog.close());
      fill(dialog, el("div", { class: "row browse" }, el("h3", { id: "closer" }, row.title || row.name),
        step("‹", "previous", at - 1), step("›", "next", at + 1), el("button", { type: "button", "aria-label": "close", onclick: () => dialog.close() }, "✕")),
      el("div", { class: "large" }, image), facts(row), row.notes?.length ? el("ul", { class: "hint" }, row.notes.map((note) => el("li", {}, note))) : null, actions);
      const again = focus && [...dialog.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === focus && !button.disabled);
      (again || dialog.querySelector('[aria-label="close"]')).focus();
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
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
    dialog.showModal();
    show(this.shown.indexOf(k));
  }
}

function facts({ solutions, exact, level: steps, difficulty, badges = [] }) {
  const badge = (text, kind = "") => el("span", { class: `badge ${kind}` }, text);
  const one = exact && solutions === 1;
  return el("p", { class: "badges" },
    solutions === undefined ? null : badge(one ? "one solution" : `${exact ? "" : "at least "}${counted(solutions, "solution")}`, one ? "one" : ""),
    steps?.length ? badge(`level ${steps.join(".")}`) : null,
    Number.isFinite(difficulty) ? badge(`difficulty ${difficulty.toFixed(1)}`) : null,
    badges.map((text) => badge(text)));
}
