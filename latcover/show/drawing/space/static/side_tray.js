// The tray of a film: where groups lie that have come off, in columns at the right of what is left, as the viewer sees it.

/** A rectangle in the picture: its middle, and half of its sides. @typedef {{ middle: number[], half: number[] }} Slot */

const SCALES = [1, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35, 0.28]; // that are tried, until all groups fit
const WIDE = 0.75; // of the width of what is in the middle: the width of the tray
const TALL = 1.1; // of its height

/**
 * The slots of groups, in their order, and the scale at which they lie there. `sizes` are the width and height of each at
 * its true size; `busy` is the rectangle of what is in the middle: [low, high].
 * @param {number[][]} sizes @param {number[][]} busy @param {number} gap @returns {{ slots: Slot[], scale: number }}
 */
export function trayOf(sizes, [low, high], gap) {
  const width = WIDE * (high[0] - low[0]);
  const widest = Math.max(...sizes.map(([wide]) => wide));
  const tallest = Math.max(...sizes.map(([, tall]) => tall));
  const scale =
    SCALES.find((one) => one * widest <= width && columns(sizes, one, heightAt(one), gap).right <= width) ??
    SCALES[SCALES.length - 1];
  /** @param {number} one */
  function heightAt(one) {
    return Math.max(TALL * (high[1] - low[1]), one * tallest);
  }
  const { slots, bottoms } = columns(sizes, scale, heightAt(scale), gap);
  const middle = (low[1] + high[1]) / 2;
  return {
    scale,
    slots: slots.map(({ column, middle: [x, y], half }) => ({
      middle: [high[0] + gap + x, middle + y - bottoms[column] / 2],
      half,
    })),
  };
}

/**
 * Groups in columns of at most a height, from the left and from the top; places are from the corner of the first one.
 * @param {number[][]} sizes @param {number} scale @param {number} height @param {number} gap
 */
function columns(sizes, scale, height, gap) {
  /** @type {(Slot & { column: number })[]} */
  const slots = [];
  /** @type {number[]} */
  const bottoms = []; // of each column, all of which are negative
  let [left, right, top] = [0, 0, 0];
  for (const size of sizes) {
    const [wide, tall] = size.map((side) => scale * side);
    if (top < 0 && tall - top > height) {
      [left, top] = [right + gap, 0];
    }
    right = Math.max(right, left + wide);
    const column = top < 0 ? bottoms.length - 1 : bottoms.length;
    slots.push({ column, middle: [left + wide / 2, top - tall / 2], half: [wide / 2, tall / 2] });
    bottoms[column] = top - tall;
    top -= tall + gap;
  }
  return { slots, bottoms, right };
}
