// A puzzle as it is played: its cover problem, and what each option looks like. The data come from
// `latcover.apps.publishing.puzzle_data`.

import { unpacked } from "./packing.js";
import { RuleJudge } from "./rule_judges.js";

/** @import { CellData, Cover, CoverData, PlayData } from "./play_types.js" */

const FORMAT = 1;

export class PlayPuzzle {
  /** @type {Int32Array} */
  firstOption;
  /** @type {Int32Array} */ partOf;
  /** @type {number[][]} */ centres;
  /** @type {number[][]} */ units;
  /** @type {number[][]} */ lines;
  /** @type {Int32Array} */ cellShape;
  /** @type {Int32Array} */ optional;
  /** @type {Int32Array} */ optionOrientation;
  /** @type {Int32Array} */ optionShape;
  /** @type {Int32Array} */ optionStand;
  /** @type {Int32Array | null} */ handles;

  /** @param {PlayData} data */
  constructor(data) {
    if (data.format !== FORMAT) {
      throw new Error(`this page plays format ${FORMAT} of puzzles, not ${data.format}`);
    }
    this.digest = data.digest;
    this.puzzle = data.puzzle; // for the stage
    this.dimension = data.puzzle.dimension;
    this.size = data.puzzle.size;
    this.shapes = data.shapes;
    this.rules = data.rules;
    this.judged = data.judged ?? [];
    this.judges = this.judged.map((rule) => new RuleJudge(rule));
    this.known = data.known;
    this.itemWords = data.item_words;
    this.cover = coverOf(data.cover);
    this.readOptions(data.options);
    this.firstOrientation = unpacked(data.orientations.first);
    this.orientationShape = unpacked(data.orientations.shape);
    this.parts = data.parts.map((part) => ({ ...part, turns: unpacked(part.turns), to: unpacked(part.to) }));
    this.turns = data.turns;
    this.readCells(data.cells);
    /** @type {number[]} */
    this.fillers = []; // options that leave a cell empty
    this.readRanges();
  }

  /** @param {PlayData["options"]} options */
  readOptions(options) {
    this.optionOrientation = unpacked(options.orientation);
    this.optionShape = unpacked(options.shape);
    this.optionStand = unpacked(options.stand);
    this.handles = options.handle ? unpacked(options.handle) : null;
  }

  /** @param {CellData} cells */
  readCells({ centres, units, shape, optional }) {
    const width = centres.length / this.cover.nCells;
    this.centres = Array.from({ length: this.cover.nCells }, (_, cell) => {
      const [x, y, z = 0] = centres.slice(width * cell, width * cell + width);
      return [x, y, z];
    });
    this.units = Array.from({ length: this.cover.nCells }, (_, cell) => units.slice(3 * cell, 3 * cell + 3));
    this.cellShape = unpacked(shape);
    this.optional = unpacked(optional);
    // Of each cell the column, the row (from the top; in space from the front) and the layer.
    this.lines = [0, 1, 2].map((axis) => this.linesAlong(axis, axis === 1 && this.dimension === 2 ? -1 : 1));
  }

  /**
   * The number of each cell's line across an axis, from 1: lines are as far apart as the units of cells.
   * @param {number} axis @param {number} sign
   */
  linesAlong(axis, sign) {
    const places = this.units.map((unit) => sign * unit[axis]);
    const near = 1e-3 * this.size;
    const lines = [...places].sort((a, b) => a - b).filter((place, k, all) => !k || place - all[k - 1] > near);
    return places.map((place) => lines.findLastIndex((line) => line <= place + near) + 1);
  }

  /**
   * Where an option lies, for those who cannot see it: its rows and columns, and in space its layers.
   * @param {number} option
   */
  where(option) {
    return this.whereCells(this.cellsOf(option));
  }

  /** @param {number[]} cells */
  whereCells(cells) {
    const [columns, rows, layers] = this.lines.map((line) => cells.map((cell) => line[cell]));
    const [row, column] = [listed("row", rows), listed("column", columns)];
    const words = this.dimension === 2 ? row : `${listed("layer", layers)}, ${row} from the front`;
    return ` ${words[0].toUpperCase()}${words.slice(1)}, ${column}.`;
  }

  /** The options of each orientation stand together; those that leave a cell empty come last. */
  readRanges() {
    const n = this.orientationShape.length;
    this.firstOption = new Int32Array(n + 1);
    this.optionOrientation.forEach((orientation, option) => {
      if (orientation < 0) {
        this.fillers.push(option);
      } else {
        this.firstOption[orientation + 1] += 1;
      }
    });
    for (let k = 0; k < n; k += 1) {
      this.firstOption[k + 1] += this.firstOption[k];
    }
    this.partOf = new Int32Array(n);
    for (let part = 0; part < this.parts.length; part += 1) {
      this.partOf.fill(part, this.firstOrientation[part], this.firstOrientation[part + 1]);
    }
  }

  /** The part of an option; -1 if it leaves a cell empty. @param {number} option */
  partOfOption(option) {
    const orientation = this.optionOrientation[option];
    return orientation < 0 ? -1 : this.partOf[orientation];
  }

  /** How many orientations a part has. @param {number} part */
  orientations(part) {
    return this.firstOrientation[part + 1] - this.firstOrientation[part];
  }

  /** The orientation of an option within those of its part, counted from 0. @param {number} option */
  wayOf(option) {
    return this.optionOrientation[option] - this.firstOrientation[this.partOfOption(option)];
  }

  /** All options of a part in one of its orientations. @param {number} part @param {number} way */
  optionsOf(part, way) {
    const orientation = this.firstOrientation[part] + way;
    const [from, to] = [this.firstOption[orientation], this.firstOption[orientation + 1]];
    return Array.from({ length: to - from }, (_, k) => from + k);
  }

  /** @param {number} part @param {number} way */
  shapeOf(part, way) {
    return this.shapes[this.orientationShape[this.firstOrientation[part] + way]];
  }

  /** @param {number} option */
  itemsOf(option) {
    const { starts, items } = this.cover;
    return items.subarray(starts[option], starts[option + 1]);
  }

  /** @param {number} option */
  cellsOf(option) {
    return Array.from(this.itemsOf(option)).filter((item) => item < this.cover.nCells);
  }

  /** Where the shape of an option stands: [x, y, z]. @param {number} option */
  placeOf(option) {
    return this.units[this.optionStand[option]];
  }

  /** The point by which an option is held: the middle of its cells. @param {number} option */
  middleOf(option) {
    if (this.handles) {
      return this.centres[this.handles[option]]; // a middle says nothing where the region closes on itself
    }
    const cells = this.cellsOf(option).map((cell) => this.centres[cell]);
    return [0, 1, 2].map((axis) => cells.reduce((sum, place) => sum + place[axis], 0) / cells.length);
  }

  /** The way round that a part comes in: the first in which it fits anywhere. @param {number} part */
  firstWay(part) {
    for (let way = 0; way < this.orientations(part); way += 1) {
      if (this.optionsOf(part, way).length) {
        return way;
      }
    }
    return 0;
  }

  /**
   * The rules that these options break together, and that no item says: a sentence each.
   * @param {ArrayLike<number>} options
   */
  broken(options) {
    return this.judges.filter((judge) => !judge.keeps(options)).map(({ words }) => words);
  }

  /** The name of a part, and of the copy if there are several. @param {number} part @param {number | null} [copy] */
  nameOf(part, copy = null) {
    const { name, high } = this.parts[part];
    return copy === null || high < 2 ? name : `${name} ${copy + 1}`;
  }
}

/** @param {CoverData} data @returns {Cover} */
function coverOf(data) {
  const sizes = unpacked(data.sizes);
  const starts = new Int32Array(sizes.length + 1);
  sizes.forEach((size, option) => {
    starts[option + 1] = starts[option] + size;
  });
  return {
    starts,
    items: unpacked(data.items),
    low: unpacked(data.low),
    high: unpacked(data.high),
    colours: data.colours ? unpacked(data.colours) : null,
    nCells: data.n_cells,
    nParts: data.n_parts,
  };
}

/** Numbers in words, each once: "row 2", or "rows 1 to 3, 5". @param {string} noun @param {number[]} numbers */
function listed(noun, numbers) {
  const all = [...new Set(numbers)].sort((a, b) => a - b);
  const firsts = all.filter((n) => !all.includes(n - 1));
  const lasts = all.filter((n) => !all.includes(n + 1));
  const runs = firsts.map((first, k) => (first === lasts[k] ? `${first}` : `${first} to ${lasts[k]}`));
  return `${noun}${all.length > 1 ? "s" : ""} ${runs.join(", ")}`;
}

/**
 * Options as copies: those of each part are numbered.
 * @param {PlayPuzzle} puzzle @param {number[]} options @returns {{ option: number, copy: number, part: number }[]}
 */
export function copiesOf(puzzle, options) {
  const used = new Int32Array(puzzle.parts.length);
  return options.map((option) => {
    const part = puzzle.partOfOption(option);
    used[part] += 1;
    return { option, copy: used[part] - 1, part };
  });
}
