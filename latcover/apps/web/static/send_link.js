// Sends the open puzzle as a link that carries it whole, so that no server needs to store it.

import { addressOf, where } from "./address.js";
import { ask } from "./ask.js";
import { CARRIED, wordOf } from "./carried.js";
import { dom, fill } from "./dom.js";
import { counted, field } from "./elements.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";
import { take, textOfFile } from "./saving.js";

/** @import { ShippedSubject } from "./server_types.js" */

const IN_WORKSHOPS = ["puzzle", "play", "solve", "apart"]; // pages that a workshop has too
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const KEPT = "latcover.workshop"; // the address of a published workshop that this browser's user has given

/** Whether the address of this page leads nobody else here. */
const isLocal = () => location.protocol === "file:" || LOCAL.test(location.hostname);

/**
 * The address of a page with the open puzzle: by its name if it is shipped and unchanged, otherwise with all of it. With
 * the address of a workshop it leads there, and carries the puzzle.
 * @param {import("./model.js").Model} model @param {string} page @param {string} [workshop]
 */
async function linkOf(model, page, workshop = "") {
  const { query } = where();
  const shown = query.size && !workshop ? `?${query}` : "";
  const { form, name, problem } = /** @type {ShippedSubject} */ (model.base);
  const start = (workshop || location.href).split("#")[0];
  if (form === "shipped" && !model.edited && !workshop)
    return `${start}${addressOf(page, { name, problem: problem ?? "", design: "" })}${shown}`;
  const word = await wordOf(await textOfFile(model)).catch((fault) => {
    throw new Fault(fault.message);
  });
  return `${start}#${workshop && !IN_WORKSHOPS.includes(page) ? "puzzle" : page}/${CARRIED}${word}${shown}`;
}

/**
 * Show the link, to be copied or handed on. From a machine that others cannot reach it leads to a workshop, whose
 * address the user gives once; or the puzzle goes out as a file that anybody can open.
 * @param {import("./model.js").Model} model @param {string} page
 */
export async function sendLink(model, page) {
  /** @type {HTMLInputElement} */
  const text = dom("input", { readonly: true, class: "link", onfocus: () => text.select() });
  const about = dom("p", { class: "hint" });
  const said = dom("p", { class: "status", role: "status" });
  const ways = dom("div", { class: "row" });
  /** @param {string} workshop */
  const show = async (workshop) => {
    text.value = await linkOf(model, page, workshop);
    about.textContent = wordsOf(text.value, workshop);
  };
  const copy = async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      said.textContent = "The link is copied.";
    } catch {
      said.textContent = "The link is selected: copy it with Ctrl+C."; // this page may not write into the clipboard
    }
  };
  const hand = () => navigator.share({ title: model.name, url: text.value }).catch(() => {}); // they have changed their mind
  fill(
    ways,
    dom("button", { type: "button", class: "main", onclick: copy }, "Copy link"),
    "share" in navigator ? dom("button", { type: "button", onclick: hand }, "Hand on …") : null,
  );
  const asked = isLocal() ? workshopField(show, said) : null;
  await show(isLocal() ? kept() : "");
  await ask(
    "Send this puzzle",
    [["", "Close"]],
    about,
    field("link", text),
    ways,
    asked,
    api.knows.pages && model.isPuzzle ? fileButton(model, said) : null,
    said,
  );
}

/** @param {string} link @param {string} workshop */
function wordsOf(link, workshop) {
  const whole = link.includes(`/${CARRIED}`)
    ? `The whole puzzle is in the link (${counted(link.length, "character")}), and no server stores it. Later changes are not in it.`
    : "The link names this shipped puzzle.";
  if (!isLocal()) return whole;
  return workshop
    ? `${whole} It opens for everybody, in the workshop whose address stands below.`
    : `${whole} It leads to this machine, and so opens for nobody elsewhere: give the address of a published workshop once, and links lead there; or save a page to send.`;
}

/**
 * Asks for the address of a workshop, and remembers it.
 * @param {(workshop: string) => Promise<void>} show @param {HTMLElement} said
 */
function workshopField(show, said) {
  const place = dom("input", { type: "url", value: kept(), placeholder: "https://example.org/puzzles/workshop.html" });
  place.addEventListener("change", async () => {
    const address = place.value.trim();
    const isFit = !address || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol));
    said.textContent = isFit ? "" : "That is not the address of a page: it begins with https://.";
    if (!isFit) return;
    keep(address);
    await show(address);
  });
  return field("your workshop", place);
}

/**
 * Saves the puzzle as a page that holds all it needs.
 * @param {import("./model.js").Model} model @param {HTMLElement} said
 */
function fileButton(model, said) {
  const make = async () => {
    said.textContent = "Making the page …";
    try {
      said.textContent = `${take(await api.exported({ subject: model.subject(), form: "page" }))} Anybody can open it in a browser, to play, solve and take apart.`;
    } catch (fault) {
      said.textContent = fault.message;
    }
  };
  return dom("button", { type: "button", onclick: make }, "Save as a page that opens anywhere");
}

function kept() {
  try {
    return localStorage.getItem(KEPT) ?? api.home;
  } catch {
    return api.home;
  }
}

/** @param {string} address */
function keep(address) {
  try {
    if (address) localStorage.setItem(KEPT, address);
    else localStorage.removeItem(KEPT);
  } catch {
    // it lasts as long as the page
  }
}
