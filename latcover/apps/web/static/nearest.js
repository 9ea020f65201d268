// The names that are most like one that is not known.

const MOST = 3;

/**
 * At most three names, the nearest first; none that has nothing to do with it.
 * @param {string} word @param {string[]} names
 */
export function nearest(word, names) {
  const wanted = word.toLowerCase();
  const far = names.map((name) => ({ name, far: distance(wanted, name.toLowerCase()) }));
  const near = far.filter(({ name, far: steps }) => steps <= Math.max(2, 0.5 * Math.max(word.length, name.length)));
  const apart = near.length
    ? near
    : far.filter(({ name }) => wanted.split(/\W+/).some((part) => name.startsWith(part)));
  return apart
    .sort((one, other) => one.far - other.far || one.name.localeCompare(other.name))
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** How many letters must be put in, left out or changed. @param {string} one @param {string} other */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, k) => k);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let k = 0; k < other.length; k += 1)
      next.push(Math.min(next[k] + 1, row[k + 1] + 1, row[k] + (one[i] === other[k] ? 0 : 1)));
    row = next;
  }
  return row[other.length];
}
