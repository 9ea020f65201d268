// What the browser stores of designs besides their current state: the undo history and versions. Both may be large,
// so they are in the browser's database, which has far more room than the storage of designs.js.
//
// steps: {design, n, texts}, heads: {design, began, at} of a history (history.js), versions: see versions.js.

/** @import { Version } from "./web_types.js" */
/** @import { History } from "./history.js" */

const NAME = "latcover";
let opening;

function database() {
  opening ??= promised(
    Object.assign(indexedDB.open(NAME, 1), {
      /** @param {any} how */
      onupgradeneeded({ target: { result } }) {
        result.createObjectStore("steps", { keyPath: ["design", "n"] });
        result.createObjectStore("heads", { keyPath: "design" });
        result.createObjectStore("versions", { keyPath: "id", autoIncrement: true }).createIndex("design", "design");
      },
    }),
  );
  return opening;
}

/** @param {IDBRequest} request */
const promised = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * Do something in one transaction: `work` gets the stores by name and returns requests. It fails as a whole.
 * @param {IDBTransactionMode} mode @param {string[]} names
 * @param {(...stores: IDBObjectStore[]) => IDBRequest[] | void} work
 */
async function transact(mode, names, work) {
  const transaction = (await database()).transaction(names, mode);
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  const requests = work(...names.map((name) => transaction.objectStore(name)));
  transaction.commit?.(); // so that it completes even if the page is left now
  await done;
  return (requests ?? []).map((request) => request.result);
}

/** @param {string} design */
const ofDesign = (design) => IDBKeyRange.bound([design], [design, []]);

/** The stored history of a design: {states, at, began}; null if there is none. @param {string} design */
export async function keptSteps(design) {
  const [head, steps] = await transact("readonly", ["heads", "steps"], (heads, all) => [
    heads.get(design),
    all.getAll(ofDesign(design)),
  ]);
  if (!head) return null;
  const states = steps
    .filter((/** @type {any} */ { n }) => n >= head.began)
    .map((/** @type {any} */ { texts }) => texts);
  return { states, at: head.at - head.began, began: head.began };
}

/** Stores the histories of designs, and of a known history only the changes. */
export class Steps {
  /** Note a history that was read from here. @param {string} design @param {History} history */
  opened(design, history) {
    this.design = design;
    this.known = numbered(history);
  }

  /** @param {string} design @param {History} history */
  async keep(design, history) {
    const known = (design === this.design && this.known) || new Map();
    const now = numbered(history);
    [this.design, this.known] = [design, now];
    await transact("readwrite", ["heads", "steps"], (heads, steps) => {
      heads.put({ design, began: history.began, at: history.began + history.at });
      for (const [n, texts] of now) if (known.get(n) !== texts) steps.put({ design, n, texts });
      for (const n of known.keys()) if (!now.has(n)) steps.delete([design, n]);
    });
  }
}

/** @param {History} history */
const numbered = (history) => new Map(history.states.map((texts, k) => [history.began + k, texts]));

/** The versions of a design, the latest first. @param {string} design */
export async function versionsOf(design) {
  const [found] = await transact("readonly", ["versions"], (versions) => [versions.index("design").getAll(design)]);
  return found.reverse();
}

/** Store new or changed versions, and delete others. @param {Version[]} put @param {number[]} [gone] */
export async function changeVersions(put, gone = []) {
  await transact("readwrite", ["versions"], (versions) => {
    for (const id of gone) versions.delete(id);
    for (const version of put) versions.put(version);
  });
}

/** Delete everything stored here about a design. @param {string} design */
export async function forgetSteps(design) {
  const found = await versionsOf(design);
  await transact("readwrite", ["heads", "steps", "versions"], (heads, steps, versions) => {
    heads.delete(design);
    steps.delete(ofDesign(design));
    for (const { id } of found) versions.delete(id);
  });
}
