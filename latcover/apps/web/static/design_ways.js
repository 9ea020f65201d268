// The ways to design puzzles, as data: a description, the fields, and the request to the host.
//
// A field is {name, label, kind, usual, help}, and `options`, `step`, `placeholder` by its kind. Its bounds are those of the
// request (bounds.js) unless `min` and `max` are narrower. `when(values, at)`
// says whether it is shown, and `expert` folds it away. `at` has the model, and what the host offers (about). Values are
// those of the controls: texts, and true or false.

/** @import { FormContext, FormField, FormValues } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const FEW_CELLS = 12; // regions up to this size can all be listed while the user waits

/** @param {FormValues | null} values @param {FormContext} options */
const isSolid = (values, { model }) => model.lattice.dimension === 3;
/** @param {any} text */
const numberOf = (text) => (String(text ?? "").trim() === "" ? null : Number(text));

/**
 * Fields by their kinds; `more` has what few of them have.
 * @param {string} name @param {string} label @param {Partial<FormField>} [more] @returns {FormField}
 */
const number = (name, label, more) => ({ name, label, kind: "number", usual: "", ...more });
/** @type {typeof number} */
const text = (name, label, more) => ({ name, label, kind: "text", usual: "", ...more });
/** @type {typeof number} */
const flag = (name, label, more) => ({ name, label, kind: "flag", usual: false, expert: true, ...more });
/**
 * @param {string} name @param {string} label @param {FormField["options"]} options the first is usual
 * @param {Partial<FormField>} [more] @returns {FormField}
 */
const choice = (name, label, options, more) => {
  const usual = (/** @type {FormContext} */ at) =>
    (typeof options === "function" ? options(at) : options)?.[0][0] ?? "";
  return { name, label, kind: "choice", usual, options, ...more };
};

const SEED = number("seed", "seed", { usual: "1", expert: true, help: "another seed gives another sample" });
const TIME = number("seconds", "time limit (seconds)", {
  min: 1,
  max: ({ about }) => about.seconds,
  usual: ({ about }) => String(Math.min(60, about.seconds)),
});
const LIMIT = number("limit", "puzzle limit", { usual: "12", placeholder: "never" });
/** Whether a cut should be hard to take apart, or hard to solve. */
const AIM = choice("aim", "aim for", (at) => [
  ...(isSolid(null, at) ? [["level", "many moves to take it apart"]] : []),
  ["hard", "a long search"],
]);
const SYMMETRY = choice(
  "symmetry",
  "count as the same",
  [
    ["all", "rotations and reflections"],
    ["rotations", "rotations"],
    ["none", "none"],
  ],
  { expert: true },
);
const NO_RODS = flag("no_rods", "no part is a straight rod");
const ASYMMETRIC = flag("asymmetric", "no part has a symmetry");
const ONE_ORDER = flag("one_order", "comes apart in only one order", { when: isSolid });
const TURNS = [
  ["never", "no, they slide"],
  ["needed", "some must"],
  ["always", "yes"],
];

/** @param {string} usual */
const minLevel = (usual) =>
  number("min_level", "minimum level", {
    placeholder: usual,
    when: isSolid,
    help: "moves until the first part is free",
  });

/** @param {string} label @param {string} usual */
const patience = (label, usual) =>
  number("patience", label, { placeholder: usual, expert: true, help: "cuts without improvement" });

/** @param {string} usual */
const sizes = (usual) =>
  text("sizes", "cells per part", { placeholder: usual, help: "a range such as 4..6, or every size: 4,4,5,6" });

/**
 * Whether parts may turn, and how much room they have for it; usually as much as the words say.
 * @param {string} play @param {string} bevel
 */
function turning(play, bevel) {
  /** @param {FormValues} values @param {FormContext} at */
  const when = (values, at) => isSolid(values, at) && values.turns !== "never";
  const room = "how much smaller than its cells each part is on every side, as a share of an edge";
  const range = "a range such as 0.02..0.03; ..0.02 is easy to turn, 0.04.. is tight";
  return [
    choice("turns", "parts may turn", TURNS, { when: isSolid }),
    number("play", "play", { step: "any", placeholder: play, help: room, when }),
    number("bevel", "bevel", { step: "any", placeholder: bevel, help: "how much is cut off at edges", when }),
    text("needs_play", "the plan needs a play of", { placeholder: "any", help: range, when }),
  ];
}

/** The fields that select which sets or regions are shown. @param {string} things */
const shown = (things) => [
  choice("show", `show ${things} with`, [
    ["unique", "exactly one solution"],
    ["any", "any number of solutions"],
    ["few", "few solutions"],
    ["fewest", "the fewest solutions"],
    ["most", "the most solutions"],
  ]),
  number("at_most", "up to", { usual: "5", help: "solutions", when: ({ show }) => show === "few" }),
];

/** The other fields of the ways that count the solutions of each candidate. @param {string} things */
const usual = (things) => [
  number("samples", `number of ${things}`, {
    placeholder: "usual",
    when: ({ search }) => search === "sample" || search === "climb",
  }),
  choice(
    "measure",
    "also measure",
    (at) => [
      ["", "nothing else"],
      ["difficulty", "how hard it is to solve"],
      ...(isSolid(null, at) ? [["level", "how it comes apart"]] : []),
    ],
    { help: "this takes longer" },
  ),
  TIME,
  text("min_level", "minimum level", {
    placeholder: "any",
    expert: true,
    when: isSolid,
    help: "such as 5 or 5.2; level: moves until the first part is free",
  }),
  SEED,
  number("branches", "give up on each after", {
    placeholder: "never",
    expert: true,
    help: "branches of the search",
    when: ({ search }) => search !== "all",
  }),
  SYMMETRY,
];

/** The part of the request that these fields describe. @param {FormValues} values */
function counted({ show, at_most, samples, measure, min_level, seed, branches, ...others }) {
  return {
    at_most: show === "unique" ? 1 : show === "few" ? numberOf(at_most) : null,
    extreme: ["fewest", "most"].includes(show) ? show : null,
    samples: numberOf(samples),
    measure: measure || null,
    min_level: min_level || null,
    seed: numberOf(seed),
    branches: numberOf(branches),
    ...others,
  };
}

/** What cuts and growth have in common: both are walks from one cut to the next. @param {FormValues} values */
function wantedOfWalk({ sizes: own, aim, ...others }) {
  const numbers = ["min_level", "play", "bevel", "limit", "holes", "patience", "seed"];
  const read = Object.fromEntries(numbers.map((name) => [name, numberOf(others[name])]));
  return { ...others, ...read, sizes: own.trim() || null, hard: aim === "hard" };
}

/** Whether the number of copies of some part varies. @param {Model} model */
export const isFamily = (model) => model.parts.some((part) => part.low !== part.high);

/** @type {{ name: string, label: string, about: string, orders: string[], fields: FormField[], wanted: (values: FormValues) => Record<string, any> }[]} */
export const WAYS = [
  {
    name: "sets",
    label: "Sets of parts",
    about:
      "Some parts may be left out, or used several times. Which sets of them fill the region? Each set is a puzzle of its own.",
    orders: ["level", "difficulty", "solutions", "most", "parts"],
    fields: [
      ...shown("sets"),
      choice("search", "examine", [
        ["auto", "all sets if that is quick"],
        ["all", "all sets"],
        ["sample", "a random sample of sets"],
        ["climb", "sets improved step by step"],
      ]),
      ...usual("sets"),
      flag("both_hands", "only sets that are their own mirror images"),
    ],
    wanted: counted,
  },
  {
    name: "regions",
    label: "Regions",
    about:
      "Which regions do the parts of this puzzle fill? Each region is a puzzle with the same parts. The current region of the puzzle is ignored.",
    orders: ["level", "difficulty", "solutions", "most"],
    fields: [
      ...shown("regions"),
      choice("symmetric", "shape", [
        ["1", "any"],
        ["2", "with a symmetry"],
        ["4", "with 4 symmetries or more"],
      ]),
      choice(
        "search",
        "examine",
        [
          ["auto", "all regions if there are few"],
          ["all", "all regions"],
          ["sample", "a random sample of regions"],
        ],
        { usual: ({ model }) => (model.volumes()[2] > FEW_CELLS ? "sample" : "auto") },
      ),
      ...usual("regions"),
    ],
    wanted: ({ symmetric, ...values }) => ({ ...counted(values), symmetric: Number(symmetric) }),
  },
  {
    name: "cut",
    label: "Cut the region",
    about: "Cut the region into parts that fit together in only one way. The current parts of the puzzle are ignored.",
    orders: ["level", "difficulty", "easy", "tight"],
    fields: [
      number("parts", "number of parts", {
        usual: ({ model }) => String(Math.max(2, Math.min(12, Math.round(model.region.size / 5)))),
      }),
      sizes("about equal"),
      choice(
        "alike",
        "any two parts",
        [
          ["any", "may be equal"],
          ["different", "must differ"],
          ["no_mirrors", "must not be mirror images either"],
        ],
        { usual: "different" },
      ),
      AIM,
      minLevel("any"),
      ...turning("0.04", "0"),
      LIMIT,
      TIME,
      NO_RODS,
      flag("no_flat", "no part is flat", { when: isSolid }),
      ASYMMETRIC,
      ONE_ORDER,
      number("holes", "empty cells inside", { usual: "0" }),
      patience("restart after", "3000"),
      SEED,
    ],
    wanted: ({ parts, alike, ...walk }) => ({
      parts: numberOf(parts),
      different: alike !== "any",
      no_mirrors: alike === "no_mirrors",
      ...wantedOfWalk(walk),
    }),
  },
  {
    name: "grow",
    label: "Grow a solution",
    about:
      "Change cells between the parts of a solution, so that the puzzle comes apart later and has only one solution. The shape of the puzzle stays.",
    orders: ["level", "difficulty", "easy", "tight"],
    fields: [
      flag("keep_outside", "only cells inside change", {
        usual: true,
        expert: false,
        help: "the puzzle looks the same",
      }),
      sizes("about as now"),
      AIM,
      minLevel("higher than now"),
      number("holes", "empty cells", { placeholder: "as many as now" }),
      ...turning("as now", "as now"),
      LIMIT,
      TIME,
      flag("different", "any two parts must differ"),
      NO_RODS,
      ASYMMETRIC,
      ONE_ORDER,
      patience("new round after", "1000"),
      SEED,
    ],
    wanted: wantedOfWalk,
  },
];
