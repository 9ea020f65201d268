// The check of every cover before it is shown. It knows nothing of the search or of symmetry: it counts.

/** All faults of a set of options as a solution of a cover problem, whose arrays PlayPuzzle reads; none for a right one. */
export function faults(cover, options) {
  const { starts, items, low, high, colours } = cover;
  const found = [];
  const times = new Int32Array(low.length);
  const shown = new Int32Array(low.length).fill(-1);
  if (new Set(options).size !== options.length) {
    found.push("an option is chosen twice");
  }
  for (const option of options) {
    if (!(option >= 0 && option + 1 < starts.length)) {
      return [...found, `there is no option ${option}`];
    }
    for (let k = starts[option]; k < starts[option + 1]; k += 1) {
      const [item, colour] = [items[k], colours ? colours[k] : 0];
      const again = shown[item] >= 0;
      if (again && (colour > 0 || shown[item] > 0) && colour !== shown[item]) {
        found.push(`item ${item} is held in two colours`);
      }
      times[item] += again && colour > 0 ? 0 : 1; // together in one colour they count once
      shown[item] = colour;
    }
  }
  low.forEach((least, item) => {
    if (times[item] < least || times[item] > high[item]) {
      found.push(`item ${item} is held ${times[item]} times, not ${least} to ${high[item]}`);
    }
  });
  return found;
}
