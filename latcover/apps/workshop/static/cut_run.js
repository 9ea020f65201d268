// Designs that the page makes itself: the region is cut at random into parts, and cuts are kept whose parts fit together in
// only one way. In space they also come apart.

import { countSolutions, partsOf, randomCut } from "./cutting.js";
import { slidingOf } from "./disassembly.js";
import { counted } from "./elements.js";
import { LazyEngine } from "./engine_room.js";
import { Fault } from "./faults.js";
import { keyOf } from "./geometry.js";
import { coloursOf } from "./looks.js";
import { pageData } from "./page_data.js";
import { DesignFault } from "./placing.js";
import { PlayPuzzle } from "./play_puzzle.js";
import { replayFaults } from "./replay.js";
import { thumbnail, thumbnailScale } from "./thumbnail.js";

/** @import { Plan } from "../../../../backends/wasm/engine_types.js" */
/** @import { PageJob, PageRun } from "./page_runs.js" */
/** @import { DesignFacts, Standing } from "./server_types.js" */
/** @import { Design, WorkshopLattice } from "./workshop_types.js" */

const MOST_WAYS = 100; // in which the parts of a cut fit together: others are passed over
const MOST_POSITIONS = 300_000; // when a cut is taken apart

/** A cut, the number of its solutions, and how it comes apart. @typedef {{ design: Design, different: number, plan: Plan | null }} Cut */

/** A cut as the gallery shows it. @typedef {{ facts: DesignFacts, text: string, picture: string, file: string }} Shown */

export class PageCuts {
  /** @type {Map<string, Shown[]>} */ runs = new Map();

  /** `open` gives the data of a subject. @param {(subject: any) => Promise<any>} open */
  constructor(open) {
    this.open = open;
  }

  /** @param {PageRun} run @param {PageJob} job @returns {Promise<Partial<Standing>>} */
  work = async (run, { subject, wanted }) => {
    const { design, lattice } = await this.open(subject);
    /** @type {Shown[]} */ const shown = [];
    this.runs.set(run.standing.id, shown);
    const engine = new LazyEngine();
    run.stop = () => engine.close();
    const { parts: many, limit } = wanted;
    const began = performance.now();
    /** @type {Cut | null} */ let best = null; // while none has one solution
    try {
      for (let tried = 0; !run.isStopped && shown.length < (limit ?? Infinity); tried += 1) {
        const progress = { looked: tried, seconds: (performance.now() - began) / 1000 };
        run.tell({ stage: "cutting", progress, found: shown.length, kept: shown.length });
        /** @type {number} */ const most = shown.length ? 1 : best ? best.different - 1 : MOST_WAYS;
        /** @type {Cut | null} */
        const cut = await attempt(lattice, design, many, most, engine).catch((error) => {
          if (!run.isStopped) throw error;
          return null; // the engine was closed
        });
        if (cut?.different === 1) shown.push(await this.shownOf(lattice, cut, shown.length));
        else best = cut ?? best;
      }
    } catch (fault) {
      throw fault instanceof DesignFault ? new Fault(fault.message) : fault;
    } finally {
      engine.close();
    }
    let text = `${counted(shown.length, "puzzle")} of ${counted(many, "part")} with exactly one solution.`;
    if (!shown.length) text = best ? "Stopped: the best cut has several solutions." : "Stopped before a cut was found.";
    if (!shown.length && best) shown.push(await this.shownOf(lattice, best, 0));
    return { found: shown.length, kept: shown.length, text };
  };

  /** @param {WorkshopLattice} lattice @param {Cut} cut @param {number} k @returns {Promise<Shown>} */
  async shownOf(lattice, { design, different, plan }, k) {
    const { region, parts } = design;
    const edits = { name: `${design.name} cut ${k + 1}`, title: "", region: { cells: region.cells }, parts };
    const { toml, faults } = await this.open({ form: "new", lattice: lattice.name, edits }); // rules and colours do not stay
    if (!toml) throw new Fault(`the cut cannot be written: ${faults.join("; ")}`);
    const colours = coloursOf(globalThis.latcoverWorkshop.looks, parts);
    const tints = new Map(
      parts.flatMap(({ placed }, n) => placed.flat().map((/** @type {any} */ cell) => [keyOf(cell), colours[n]])),
    );
    const tint = (/** @type {any} */ cell) => tints.get(keyOf(cell)) ?? "none";
    const [picture] = thumbnail(lattice, region.cells, tint, 3 * thumbnailScale(lattice, [region.cells]));
    picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    const words = parts.map(({ name, low }) => (low > 1 ? `${low} × ${name}` : name)).join(" ");
    /** @type {DesignFacts} */
    const facts = {
      ...{ name: edits.name, title: "", words, parts: parts.map(({ name, low }) => [name, low]) },
      ...{ solutions: different, exact: true, level: plan?.level.length ? plan.level : null, notes: [] },
    };
    return {
      facts,
      text: toml,
      picture: addressOf(picture.outerHTML, "image/svg+xml"),
      file: addressOf(toml, "application/toml"),
    };
  }

  /** @param {string} id */
  of(id) {
    const found = this.runs.get(id);
    if (!found) throw new Fault("this page no longer has that search");
    return found;
  }

  /** What a host answers of designs. */
  answers() {
    return {
      /** @param {string} id @param {number} from */
      designs: async (id, from) => ({
        designs: this.of(id)
          .slice(from)
          .map(({ facts }) => facts),
      }),
      /** @param {string} id @param {number} k */
      designPicture: (id, k) => this.of(id)[k].picture,
      /** @param {string} id @param {number} k */
      designFile: (id, k) => this.of(id)[k].file,
      /** @param {string} id @param {number} k */
      designText: async (id, k) => this.of(id)[k].text,
      /** @param {string} id */
      designsFile: (id) =>
        addressOf(
          this.of(id)
            .map(({ facts, text }) => `${JSON.stringify({ ...facts, toml: text })}\n`)
            .join(""),
          "application/jsonl",
        ),
    };
  }
}

/** @param {string} text @param {string} type */
const addressOf = (text, type) => URL.createObjectURL(new Blob([text], { type }));

/**
 * One cut, if its parts fit together in few enough ways.
 * @param {WorkshopLattice} lattice @param {Design} design @param {number} many parts @param {number} most ways
 * @param {LazyEngine} engine @returns {Promise<Cut | null>}
 */
async function attempt(lattice, design, many, most, engine) {
  const { cells } = design.region;
  if (lattice.nodes.some(({ secondary }) => secondary))
    throw new Fault("Sticks are not cut here: their parts may cross. latcover on your machine cuts them.");
  if (many > cells.length) throw new Fault(`The region has fewer cells than ${counted(many, "part")}.`);
  const pieces = randomCut(lattice, cells, many, Math.random);
  if (!pieces) throw new Fault("The region lies in pieces that do not touch, so it is not cut into connected parts.");
  const region = { cells, optional: cells.map(() => false), max_empty: null };
  const { name, title } = design;
  const cut = { name, title, region, parts: partsOf(lattice, pieces) };
  const told = await countSolutions(lattice, cut, engine, most);
  if (!told || told.different > most) return null;
  if (!told.found) throw new Error("the search does not find the cut itself");
  if (told.different === 1) {
    const all = await countSolutions(lattice, cut, engine, told.total, "none");
    if (!all) return null;
    if (all.total !== told.total) throw new Error("two counts of a cut differ");
  }
  const plan = await planOf(lattice, cut, Array.from(told.found), engine);
  return plan && plan.result !== "apart" ? null : { design: cut, different: told.different, plan };
}

/**
 * How a solution comes apart, where parts slide; the plan is checked move by move.
 * @param {WorkshopLattice} lattice @param {Design} design @param {number[]} pieces @param {LazyEngine} engine
 */
async function planOf(lattice, design, pieces, engine) {
  const { puzzle, apart } = lattice.slides
    ? pageData(lattice, globalThis.latcoverWorkshop.looks, design)
    : { apart: null, puzzle: null };
  if (!apart || !puzzle) return null;
  const plan = await engine.takeApart(slidingOf(apart)(pieces), { states: MOST_POSITIONS }, {});
  const [fault] = replayFaults(apart, new PlayPuzzle(puzzle), pieces, plan);
  if (fault) throw new Error(`a plan fails its check: ${fault}`);
  return plan;
}
