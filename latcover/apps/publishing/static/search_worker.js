// What searches for all solutions in a worker of its own: the engine finds covers, and each is checked and judged here.
// So the page stays alive however many there are. search.js makes the worker, and puts the class Engine before this text.

import { Checker } from "./checker.js";
import { Judge, reduced } from "./judge.js";

/** @import { SearchReport } from "../../../../backends/wasm/engine_types.js" */
/** @import { SearchMessage } from "./play_types.js" */
/** @import { Cover, JudgedRule, SymmetryData } from "./play_types.js" */

const BETWEEN = 100; // milliseconds between two reports

self.onmessage = ({ data }) => {
  search(data).catch((error) => self.postMessage({ fault: error.message }));
};

/**
 * `cover` and `judged` are those of a PlayPuzzle; the first `most` solutions are handed over, and the others counted. `limit`
 * is how many are looked for, within so many `seconds`; null leaves that open.
 *
 * @param {{ bytes: ArrayBuffer, cover: Cover, judged: JudgedRule[], symmetry: SymmetryData, most: number, limit: number | null, seconds: number | null }} options
 */
async function search({ bytes, cover, judged, symmetry, most, limit, seconds }) {
  const engine = await Engine.load(bytes);
  const { problem, options } = reduced(cover, symmetry);
  const [judge, checker] = [new Judge(symmetry, judged), new Checker(cover)];
  /** @type {Required<Pick<SearchMessage, "different" | "total" | "progress" | "shown" | "orbits">>} */
  const told = { different: 0, total: 0, progress: null, shown: [], orbits: [] };
  let [handed, last, fault] = [0, 0, ""];
  const tell = (more = {}) => {
    last = performance.now();
    self.postMessage({ ...told, ...more });
    [told.shown, told.orbits] = [[], []];
  };
  /** @param {Int32Array[]} covers */
  const take = (covers) => {
    for (const one of covers) {
      const found = one.map((option) => options[option]);
      [fault] = checker.faults(found);
      if (fault) {
        return false;
      }
      const { keep, orbit } = judge.judge(found);
      if (keep) {
        told.different += 1;
        told.total += orbit;
        if (handed < most) {
          handed += 1;
          told.shown.push(found);
          told.orbits.push(orbit);
        }
        if (told.different === limit) {
          return false;
        }
      }
    }
    if (handed <= 1 || performance.now() - last > BETWEEN) {
      tell();
    }
    return true;
  };
  const answer = engine.search(
    problem,
    { seconds },
    {
      onCovers: take,
      onProgress: (/** @type {SearchReport} */ progress) => {
        told.progress = progress;
        if (performance.now() - last > BETWEEN) {
          tell();
        }
        return true;
      },
    },
  );
  tell(fault ? { fault: `a solution fails its check: ${fault}` } : { answer });
}
