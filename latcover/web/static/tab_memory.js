// What this tab remembers of each puzzle, by what the server is asked of it, until the tab is closed: the runs it has seen.

const nameOf = (kind, subject) => kind + digest(JSON.stringify(subject));

export function keepOf(kind, subject, data) {
  try {
    sessionStorage.setItem(nameOf(kind, subject), JSON.stringify(data));
  } catch {
    // there is no room: it is forgotten with the page
  }
}

/** What was remembered last; an empty object where nothing was. */
export function keptOf(kind, subject) {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(kind, subject))) ?? {};
  } catch {
    return {};
  }
}

/** A short name for a text: 53 bits, which no two puzzles of a tab share. */
function digest(text) {
  let [one, two] = [0x811c9dc5, text.length];
  for (let k = 0; k < text.length; k += 1) {
    one = Math.imul(one ^ text.charCodeAt(k), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(k), 0x85ebca6b) ^ (two >>> 13);
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36);
}
