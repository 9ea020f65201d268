// The page "Start": ways to begin, the designs stored in this browser, and pictures of the puzzles that the host has.

import { START, addressOf, showQuery, where } from "./address.js";
import { designs, remove } from "./designs.js";
import { counted } from "./elements.js";
import { host } from "./host.js";
import { askLattice, latticeButtons } from "./lattice_choice.js";
import { button, Held } from "./panels.js";
import { html, render, useEffect, useMemo, useRef, useState } from "./preact.js";
import { Showpieces } from "./showpieces.js";
import { entry } from "./tables.js";

/** @import { Entry, Place } from "./web_types.js" */
/** @import { Catalogue, ShippedPuzzle } from "./server_types.js" */
/** @import { Shown } from "./preact.js" */

const CUBES = { least: 2, most: 6, usual: 3, part: 5 }; // cells along an edge; and of a part, usually
const FEW = { wide: 6, narrow: 2 }; // designs that are shown at first
const NEAR = "100px"; // of the window: pictures so near to it are asked for
const narrow = matchMedia("(max-width: 36rem)");
/** Of each design: its stored text, and the address of the picture of that. @type {Map<string, { key: string, address: string }>} */
const pictures = new Map();

/** What the page leads to: begin(lattice), choose() for a file, and open(): the identifier of the open design. */
/** @typedef {{ begin: (lattice: string) => unknown, choose: () => unknown, open: () => string }} Act */

/** What is offered; `others` are puzzles that are only played on their own pages. */
/** @typedef {Pick<Catalogue, "puzzles" | "shelves" | "lattices" | "suffixes"> & { others?: { name: string, title: string }[] }} Offered */

export class Start {
  find = ""; // the words of the search
  all = false; // whether all designs are shown
  /** @type {Record<string, number | null> | null} */ parts = null; // how many each puzzle has
  showpieces = new Showpieces();

  /** @param {HTMLElement} element @param {Offered} about @param {Act} act */
  constructor(element, about, act) {
    this.element = element;
    this.about = about;
    this.act = act;
    this.films = Object.fromEntries(
      ["soma", "burr-piston", "cut-3x3x3-hard"].map((name) => [name, this.showpieces.make(name)]),
    );
    this.draw();
  }

  /** The page is shown: designs may have changed since it was last visible. */
  show() {
    this.find = where().query.get("find") ?? "";
    this.draw();
    this.showpieces.run();
    if (!this.parts && "shipped" in host)
      host.shipped().then(
        ({ parts }) => this.put({ parts }),
        () => {}, // the numbers are only missing
      );
  }

  /** @param {Partial<Start>} values */
  put(values) {
    Object.assign(this, values);
    this.draw();
  }

  draw() {
    const { about, element } = this;
    const isShipped = "shipped" in host; // else they are of a site
    const { puzzles, others = [] } = about;
    render(
      html`<${Own} start=${this} />
        <section aria-labelledby="deeds-title">
          <h2 id="deeds-title">What would you like to do?</h2>
          <${Deeds} start=${this} />
        </section>
        ${
          puzzles.length + others.length > 0 &&
          html`<section aria-labelledby="shipped-title">
            <${Shelves} start=${this} title=${isShipped ? "Shipped puzzles" : "Change a puzzle of this site"} />
            ${others.length > 0 && html`<${Others} others=${others} />`}
          </section>`
        }`,
      element,
    );
  }
}

/** @param {{ start: Start }} shown */
function Deeds({ start: { about, act, films } }) {
  const names = about.lattices.map(({ name }) => name);
  const lattices = useMemo(() => latticeButtons(names, (lattice) => act.begin(lattice)), []);
  const has = (/** @type {string} */ wanted) =>
    about.puzzles.some(({ name }) => name === wanted) && "shippedPicture" in host;
  const beginOther = async () => {
    const lattice = await askLattice(about.lattices);
    if (lattice) act.begin(lattice);
  };
  /** @param {string} title @param {Shown} picture @param {string} words @param {Shown} how */
  const deed = (title, picture, words, how) =>
    html`<article class="deed">
      ${picture}
      <h3>${title}</h3>
      <p>${words}</p>
      <div class="how">${how}</div>
    </article>`;
  const film = (/** @type {string} */ name) => html`<${Held} class="film" nodes=${[films[name]]} />`;
  return html`<div class="deeds">
    ${
      has("soma") &&
      deed(
        "Solve one",
        film("soma"),
        "All 240 ways to build the Soma cube, found in a moment, to be turned in space.",
        html`<a class="button main" href="#solve/soma">Solve the Soma cube</a
          ><a class="button" href="#play/soma" aria-label="Play the Soma cube">Play</a>`,
      )
    }
    ${
      has("burr-piston") &&
      deed(
        "Take one apart",
        film("burr-piston"),
        "Six sticks that hold each other. Nine moves until the first comes free: watch them all.",
        html`<a class="button main" href="#apart/burr-piston">Take a burr apart</a>`,
      )
    }
    ${deed(
      "Have one made",
      film("cut-3x3x3-hard"),
      "latcover cuts a cube into parts that fit together in only one way.",
      html`<${CutCube} />`,
    )}
    ${deed(
      "Draw your own",
      html`<${Held} class="on-lattices" nodes=${[lattices]} />`,
      "Click cells to make a shape and its parts. latcover says what fits.",
      html`<button type="button" onClick=${beginOther}>Other lattices …</button>`,
    )}
    ${
      host.pages.includes("best") &&
      html`<p class="hint files">Or draw a shape, and see <a href="#plane">whether it tiles the plane</a>.</p>`
    }
    <p class="hint files">
      Or open a file: <button type="button" class="link" onClick=${() => act.choose()}>choose one</button>, or drop it
      anywhere here (${about.suffixes.join(", ")}).
    </p>
  </div>`;
}

/** The size of a cube, and into how many parts it is cut; the page Design cuts. */
function CutCube() {
  const { least, most, usual, part } = CUBES;
  const [edge, setEdge] = useState(usual);
  const [many, setMany] = useState("");
  const parts = many || `${Math.max(2, Math.min(12, Math.round(edge ** 3 / part)))}`;
  /** @param {SubmitEvent} event */
  const cut = (event) => {
    event.preventDefault();
    document.dispatchEvent(new CustomEvent("cut-cube", { detail: { edge, parts: Number(parts) } }));
  };
  return html`<form class="row" onSubmit=${cut}>
    <label
      >cube
      <select
        value=${edge}
        onChange=${(/** @type {any} */ event) => {
          setEdge(Number(event.target.value));
          setMany("");
        }}
      >
        ${Array.from({ length: most - least + 1 }, (_, k) => least + k).map(
          (size) => html`<option value=${size}>${size} × ${size} × ${size}</option>`,
        )}
      </select>
    </label>
    <label
      >parts
      <input
        type="number"
        min="2"
        max="12"
        required
        class="short"
        value=${parts}
        onInput=${(/** @type {any} */ event) => setMany(event.target.value)}
      />
    </label>
    <button class="main">Cut it</button>
  </form>`;
}

/**
 * A puzzle as a card that opens it, and a way to play it at once.
 * @param {{ place: Place, title: string, picture: Shown, small: Shown, hidden?: boolean, children?: Shown }} shown
 */
function Card({ place, title, picture, small, hidden = false, children }) {
  return html`<li hidden=${hidden}>
    <a class="card" href=${addressOf("puzzle", place)}>
      <span class="picture">${picture}</span>
      <strong>${title}</strong>
      <small>${small}</small>
    </a>
    <a class="button play" href=${addressOf("play", place)} aria-label=${`Play ${title}`}>Play</a>
    ${children}
  </li>`;
}

/** A picture that is asked for when it is nearly seen. @param {{ ask: () => string | Promise<string> }} shown */
function Picture({ ask }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [address, show] = useState("");
  const [isMissing, miss] = useState(false);
  useEffect(() => {
    const seen = new IntersectionObserver(
      (rows) => {
        if (!rows.some(({ isIntersecting }) => isIntersecting)) return;
        seen.disconnect();
        Promise.resolve(ask()).then(show, () => miss(true)); // the editor shows what is wrong with it
      },
      { rootMargin: NEAR },
    );
    if (place.current) seen.observe(place.current);
    return () => seen.disconnect();
  }, []);
  if (isMissing) return html`<span class="hint">no picture</span>`;
  return html`<img ref=${place} alt="" width="180" height="136" src=${address || undefined} />`;
}

/** The designs of this browser. @param {{ start: Start }} shown */
function Own({ start }) {
  const { act, all } = start;
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const kept = designs().filter(({ base, edited }) => edited || base.form !== "shipped");
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const few = narrow.matches ? FEW.narrow : FEW.wide;
  const shown = all ? kept : kept.slice(0, few);
  const more = () => {
    start.put({ all: true });
    /** @type {NodeListOf<HTMLElement> | undefined} */ (section.current?.querySelectorAll(".card"))?.[few]?.focus();
  };
  /** @param {{ id: string, title: string }} design */
  const forget = ({ id, title }) => {
    remove(id, title, () => start.draw());
    const next = section.current?.querySelector(".card") ?? start.element.querySelector("#search, button");
    /** @type {HTMLElement | null} */ (next)?.focus();
  };
  return html`<section class="own" aria-labelledby="own-title" hidden=${!kept.length} ref=${section}>
    <h2 id="own-title">Continue where you left off</h2>
    <ul class="cards">
      ${shown.map((design) => {
        const { id, title, base, state } = design;
        const isOpen = id === act.open();
        const key = JSON.stringify([base, state]);
        const picture =
          state && html`<${Picture} key=${key} ask=${() => regionOf(id, key, base, JSON.parse(state))} />`; // a cover problem has no cells
        return html`<${Card}
          key=${id}
          place=${{ design: id }}
          title=${title}
          picture=${picture}
          small=${isOpen ? "open now" : when.format(design.when)}
        >
          ${
            !isOpen &&
            button("×", () => forget(design), {
              class: "drop",
              title: "Delete design (can be undone)",
              "aria-label": `Delete ${title}`,
            })
          }
        <//>`;
      })}
    </ul>
    ${kept.length > shown.length && html`<button type="button" onClick=${more}>Show all ${kept.length}</button>`}
  </section>`;
}

/** The puzzles of the host, on shelves, with a field that finds them. @param {{ start: Start, title: string }} shown */
function Shelves({ start, title }) {
  const { about, find, parts } = start;
  const wanted = find.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  const shelves = about.shelves.map((shelf) => {
    const puzzles = about.puzzles.filter((puzzle) => puzzle.shelf === shelf.name);
    puzzles.sort((a, b) => Number(a.solutions === 0) - Number(b.solutions === 0)); // those without a solution come last
    const cards = puzzles.map((puzzle) => {
      const many = partsOf(puzzle, parts);
      const { name, title: own, lattice } = puzzle;
      const text = `${name} ${own} ${lattice} ${shelf.name} ${shelf.about} ${many}`.toLowerCase();
      const isFound = wanted.every((word) => text.includes(word));
      found += Number(isFound);
      return { puzzle, many, isFound };
    });
    return { shelf, cards };
  });
  /** @param {any} event */
  const search = ({ target }) => {
    start.put({ find: target.value });
    showQuery(START, { find: target.value });
  };
  const said = found === 0 ? "No shipped puzzle matches." : `${counted(found, "puzzle")} found.`;
  return html`<div class="finding">
      <h2 id="shipped-title">${title}</h2>
      <input
        type="search"
        id="search"
        placeholder="cube, hexagonal, 12 …"
        aria-label="Find a puzzle"
        value=${find}
        onInput=${search}
      />
    </div>
    <p class="hint" role="status">${wanted.length > 0 && said}</p>
    <div>
      ${shelves
        .filter(({ cards }) => cards.length)
        .map(
          ({ shelf, cards }) =>
            html`<section class="shelf" key=${shelf.name} hidden=${!cards.some(({ isFound }) => isFound)}>
              <h3>${shelf.name}<small>${shelf.about}</small></h3>
              <ul class="cards">
                ${cards.map(
                  ({ puzzle, many, isFound }) =>
                    html`<${Card}
                      key=${puzzle.name}
                      place=${{ name: puzzle.name }}
                      title=${puzzle.title || puzzle.name}
                      hidden=${!isFound}
                      picture=${html`<${Picture} ask=${() => host.shippedPicture(puzzle.name)} />`}
                      small=${html`<span class=${parts || !("shipped" in host) ? undefined : "awaited"}>${many}</span>
                        <span>${solutionsOf(puzzle)}</span><code>${puzzle.name}</code>`}
                    />`,
                )}
              </ul>
            </section>`,
        )}
    </div>`;
}

/** Puzzles that the page does not draw. @param {{ others: { name: string, title: string }[] }} shown */
function Others({ others }) {
  return html`<p class="hint">
      These are on lattices of their own, which this page does not draw. They are played on their own pages; latcover on
      your machine changes them:
    </p>
    <ul class="plain others">
      ${others.map(
        ({ name, title }) => html`<li><a href=${`puzzles/${encodeURIComponent(name)}.html`}>${title}</a></li>`,
      )}
    </ul>`;
}

/** How many parts a puzzle has, in words; room is left for them until they are counted. @param {ShippedPuzzle} puzzle @param {Start["parts"]} parts */
function partsOf({ name }, parts) {
  if (!parts) return "shipped" in host ? "12 parts" : "";
  const most = entry(parts, name);
  return most === undefined ? "" : most === null ? "any number of parts" : counted(most, "part");
}

/** @param {ShippedPuzzle} puzzle */
const solutionsOf = ({ solutions }) =>
  solutions === null ? "" : solutions === 0 ? "no solution" : counted(solutions, "solution");

/**
 * The address of a picture of the region of a design; colours that its file lacks are left out.
 * @param {string} id @param {string} key @param {any} base @param {{ name: string, region: Entry[] }} state
 */
async function regionOf(id, key, base, { name, region }) {
  /** @param {(entry: Entry) => number} colour */
  const draw = (colour) => {
    const cells = region.map(({ cell }) => cell);
    const optional = region.map(({ optional: may }) => (may ? 1 : 0));
    return host.card({ ...base, edits: { name, parts: [], region: { cells, colours: region.map(colour), optional } } });
  };
  const known = pictures.get(id);
  if (known?.key === key) return known.address;
  const blob = await draw(({ colour }) => colour).catch((fault) => {
    if (region.some(({ colour }) => colour)) return draw(() => 0);
    throw fault;
  });
  const address = URL.createObjectURL(blob);
  if (known) URL.revokeObjectURL(known.address);
  pictures.set(id, { key, address });
  return address;
}
