// The ways to design puzzles, as data: a description, the fields, and the request to the server.
//
// A field is {name, label, kind, usual, help}, and `options`, `step`, `placeholder` by its kind. Its bounds are those of the
// request (bounds.js) unless `min` and `max` are narrower. `when(values, at)`
// says whether it is shown, and `expert` folds it away. `at` has the model, and what the server offers (about). Values are
// those of the controls: texts, and true or false.

/** @import { FormContext, FormValues } from "./web_types.js" */
/** @import { Model } from "./model.js" */

const FEW_CELLS = 12; // regions up to this size can all be listed while the user waits

/** @param {FormValues | null} values @param {FormContext} options */
const isSolid = (values, { model }) => model.lattice.dimension === 3;
/** @param {any} text */
const numberOf = (text) => (String(text ?? "").trim() === "" ? null : Number(text));

const SEED = {
  name: "seed",
  label: "seed",
  kind: "number",
  usual: "1",
  expert: true,
  help: "another seed gives another sample",
};
const TIME = {
  name: "seconds",
  label: "time limit (seconds)",
  kind: "number",
  min: 1,
  max: (/** @type {FormContext} */ { about }) => about.seconds,
  usual: (/** @type {FormContext} */ { about }) => String(Math.min(60, about.seconds)),
};
/** Whether a cut should be hard to take apart, or hard to solve. */
const AIM = {
  name: "aim",
  label: "aim for",
  kind: "choice",
  usual: (/** @type {FormContext} */ at) => (isSolid(null, at) ? "level" : "hard"),
  options: (/** @type {FormContext} */ at) => [
    ...(isSolid(null, at) ? [["level", "many moves to take it apart"]] : []),
    ["hard", "a long search"],
  ],
};
const SYMMETRY = {
  name: "symmetry",
  label: "count as the same",
  kind: "choice",
  usual: "all",
  expert: true,
  options: [
    ["all", "rotations and reflections"],
    ["rotations", "rotations"],
    ["none", "none"],
  ],
};

/** @param {FormValues} values @param {FormContext} at */
const mayTurn = (values, at) => isSolid(values, at) && values.turns !== "never";
/**
 * Whether parts may turn, and how much room they have for it; usually as much as the words say.
 * @param {string} play @param {string} bevel
 */
const turning = (play, bevel) => [
  {
    name: "turns",
    label: "parts may turn",
    kind: "choice",
    usual: "never",
    options: [
      ["never", "no, they slide"],
      ["needed", "some must"],
      ["always", "yes"],
    ],
    when: isSolid,
  },
  {
    name: "play",
    label: "play",
    kind: "number",
    step: "any",
    usual: "",
    placeholder: play,
    help: "how much smaller than its cells each part is on every side, as a share of an edge",
    when: mayTurn,
  },
  {
    name: "bevel",
    label: "bevel",
    kind: "number",
    step: "any",
    usual: "",
    placeholder: bevel,
    help: "how much is cut off at edges",
    when: mayTurn,
  },
  {
    name: "needs_play",
    label: "the plan needs a play of",
    kind: "text",
    usual: "",
    placeholder: "any",
    help: "a range such as 0.02..0.03; ..0.02 is easy to turn, 0.04.. is tight",
    when: mayTurn,
  },
];

/** The fields that select which sets or regions are shown. @param {string} things */
const shown = (things) => [
  {
    name: "show",
    label: `show ${things} with`,
    kind: "choice",
    usual: "unique",
    options: [
      ["unique", "exactly one solution"],
      ["any", "any number of solutions"],
      ["few", "few solutions"],
      ["fewest", "the fewest solutions"],
      ["most", "the most solutions"],
    ],
  },
  {
    name: "at_most",
    label: "up to",
    kind: "number",
    usual: "5",
    help: "solutions",
    when: (/** @type {FormValues} */ { show }) => show === "few",
  },
];

/** The other fields of the ways that count the solutions of each candidate. @param {string} things */
const usual = (things) => [
  {
    name: "samples",
    label: `number of ${things}`,
    kind: "number",
    usual: "",
    placeholder: "usual",
    when: (/** @type {FormValues} */ { search }) => search === "sample" || search === "climb",
  },
  {
    name: "measure",
    label: "also measure",
    kind: "choice",
    usual: "",
    options: (/** @type {FormContext} */ at) => [
      ["", "nothing else"],
      ["difficulty", "how hard it is to solve"],
      ...(isSolid(null, at) ? [["level", "how it comes apart"]] : []),
    ],
    help: "this takes longer",
  },
  TIME,
  {
    name: "min_level",
    label: "minimum level",
    kind: "text",
    usual: "",
    placeholder: "any",
    expert: true,
    when: isSolid,
    help: "such as 5 or 5.2; level: moves until the first part is free",
  },
  SEED,
  {
    name: "branches",
    label: "give up on each after",
    kind: "number",
    usual: "",
    placeholder: "never",
    expert: true,
    help: "branches of the search",
    when: (/** @type {FormValues} */ { search }) => search !== "all",
  },
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
function wantedOfWalk({ sizes, aim, min_level, play, bevel, limit, holes, patience, seed, ...others }) {
  return {
    sizes: sizes.trim() || null,
    hard: aim === "hard",
    min_level: numberOf(min_level),
    play: numberOf(play),
    bevel: numberOf(bevel),
    limit: numberOf(limit),
    holes: numberOf(holes),
    patience: numberOf(patience),
    seed: numberOf(seed),
    ...others,
  };
}

/** Whether the number of copies of some part varies. @param {Model} model */
export const isFamily = (model) => model.parts.some((part) => part.low !== part.high);

export const WAYS = [
  {
    name: "sets",
    label: "Sets of parts",
    about:
      "Some parts may be left out, or used several times. Which sets of them fill the region? Each set is a puzzle of its own.",
    orders: ["level", "difficulty", "solutions", "most", "parts"],
    fields: [
      ...shown("sets"),
      {
        name: "search",
        label: "examine",
        kind: "choice",
        usual: "auto",
        options: [
          ["auto", "all sets if that is quick"],
          ["all", "all sets"],
          ["sample", "a random sample of sets"],
          ["climb", "sets improved step by step"],
        ],
      },
      ...usual("sets"),
      {
        name: "both_hands",
        label: "only sets that are their own mirror images",
        kind: "flag",
        usual: false,
        expert: true,
      },
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
      {
        name: "symmetric",
        label: "shape",
        kind: "choice",
        usual: "1",
        options: [
          ["1", "any"],
          ["2", "with a symmetry"],
          ["4", "with 4 symmetries or more"],
        ],
      },
      {
        name: "search",
        label: "examine",
        kind: "choice",
        usual: (/** @type {FormContext} */ { model }) => (model.volumes()[2] > FEW_CELLS ? "sample" : "auto"),
        options: [
          ["auto", "all regions if there are few"],
          ["all", "all regions"],
          ["sample", "a random sample of regions"],
        ],
      },
      ...usual("regions"),
    ],
    wanted: (/** @type {FormValues} */ { symmetric, ...values }) => ({
      ...counted(values),
      symmetric: Number(symmetric),
    }),
  },
  {
    name: "cut",
    label: "Cut the region",
    about: "Cut the region into parts that fit together in only one way. The current parts of the puzzle are ignored.",
    orders: ["level", "difficulty", "easy", "tight"],
    fields: [
      {
        name: "parts",
        label: "number of parts",
        kind: "number",
        usual: (/** @type {FormContext} */ { model }) =>
          String(Math.max(2, Math.min(12, Math.round(model.region.size / 5)))),
      },
      {
        name: "sizes",
        label: "cells per part",
        kind: "text",
        usual: "",
        placeholder: "about equal",
        help: "a range such as 4..6, or every size: 4,4,5,6",
      },
      {
        name: "alike",
        label: "any two parts",
        kind: "choice",
        usual: "different",
        options: [
          ["any", "may be equal"],
          ["different", "must differ"],
          ["no_mirrors", "must not be mirror images either"],
        ],
      },
      AIM,
      {
        name: "min_level",
        label: "minimum level",
        kind: "number",
        usual: "",
        placeholder: "any",
        when: isSolid,
        help: "moves until the first part is free",
      },
      ...turning("0.04", "0"),
      { name: "limit", label: "puzzle limit", kind: "number", usual: "12", placeholder: "never" },
      TIME,
      { name: "no_rods", label: "no part is a straight rod", kind: "flag", usual: false, expert: true },
      { name: "no_flat", label: "no part is flat", kind: "flag", usual: false, expert: true, when: isSolid },
      { name: "asymmetric", label: "no part has a symmetry", kind: "flag", usual: false, expert: true },
      {
        name: "one_order",
        label: "comes apart in only one order",
        kind: "flag",
        usual: false,
        expert: true,
        when: isSolid,
      },
      { name: "holes", label: "empty cells inside", kind: "number", usual: "0" },
      {
        name: "patience",
        label: "restart after",
        kind: "number",
        usual: "",
        placeholder: "3000",
        expert: true,
        help: "cuts without improvement",
      },
      SEED,
    ],
    /** @param {FormValues} values */
    wanted({ parts, alike, ...walk }) {
      return {
        parts: numberOf(parts),
        different: alike !== "any",
        no_mirrors: alike === "no_mirrors",
        ...wantedOfWalk(walk),
      };
    },
  },
  {
    name: "grow",
    label: "Grow a solution",
    about:
      "Change cells between the parts of a solution, so that the puzzle comes apart later and has only one solution. The shape of the puzzle stays.",
    orders: ["level", "difficulty", "easy", "tight"],
    fields: [
      {
        name: "keep_outside",
        label: "only cells inside change",
        kind: "flag",
        usual: true,
        help: "the puzzle looks the same",
      },
      {
        name: "sizes",
        label: "cells per part",
        kind: "text",
        usual: "",
        placeholder: "about as now",
        help: "a range such as 4..6, or every size: 4,4,5,6",
      },
      AIM,
      {
        name: "min_level",
        label: "minimum level",
        kind: "number",
        usual: "",
        placeholder: "higher than now",
        when: isSolid,
        help: "moves until the first part is free",
      },
      {
        name: "holes",
        label: "empty cells",
        kind: "number",
        usual: "",
        placeholder: "as many as now",
      },
      ...turning("as now", "as now"),
      { name: "limit", label: "puzzle limit", kind: "number", usual: "12", placeholder: "never" },
      TIME,
      { name: "different", label: "any two parts must differ", kind: "flag", usual: false, expert: true },
      { name: "no_rods", label: "no part is a straight rod", kind: "flag", usual: false, expert: true },
      { name: "asymmetric", label: "no part has a symmetry", kind: "flag", usual: false, expert: true },
      {
        name: "one_order",
        label: "comes apart in only one order",
        kind: "flag",
        usual: false,
        expert: true,
        when: isSolid,
      },
      {
        name: "patience",
        label: "new round after",
        kind: "number",
        usual: "",
        placeholder: "1000",
        expert: true,
        help: "cuts without improvement",
      },
      SEED,
    ],
    wanted: wantedOfWalk,
  },
];
