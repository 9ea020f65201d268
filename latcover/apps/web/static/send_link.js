// Sends the open puzzle as a link that carries it whole, so that no server needs to store it.

import { addressOf, where } from "./address.js";
import { ask } from "./ask.js";
import { CARRIED, wordOf } from "./carried.js";
import { counted } from "./elements.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";
import { keep, kept } from "./kept.js";
import { button, Entry, labelled } from "./panels.js";
import { h, html, useRef, useState } from "./preact.js";
import { take, textOfFile } from "./saving.js";

/** @import { Model } from "./model.js" */
/** @import { ShippedSubject } from "./server_types.js" */

const IN_WORKSHOPS = ["puzzle", "play", "solve", "apart"]; // pages that a workshop has too
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const EXAMPLE = "https://example.org/puzzles/workshop.html";
const KEPT = "latcover.workshop"; // the address of a published workshop that this browser's user has given

/** Whether the address of this page leads nobody else here. */
const isLocal = () => location.protocol === "file:" || LOCAL.test(location.hostname);

/**
 * The address of a page with the open puzzle: by its name if it is shipped and unchanged, otherwise with all of it. With
 * the address of a workshop it leads there, and carries the puzzle.
 * @param {Model} model @param {string} page @param {string} [workshop]
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
 * @param {Model} model @param {string} page
 */
export async function sendLink(model, page) {
  const workshop = isLocal() ? (kept(KEPT) ?? api.home) : "";
  const link = await linkOf(model, page, workshop);
  await ask("Send this puzzle", [["", "Close"]], h(Sending, { model, page, first: { link, workshop } }));
}

/** @param {{ model: Model, page: string, first: { link: string, workshop: string } }} shown */
function Sending({ model, page, first }) {
  const [{ link, workshop }, lead] = useState(first);
  const [address, type] = useState(first.workshop);
  const [said, say] = useState("");
  const place = useRef(/** @type {HTMLInputElement | null} */ (null));
  const select = () => place.current?.select();
  const copy = async () => {
    select();
    try {
      await navigator.clipboard.writeText(link);
      say("The link is copied.");
    } catch {
      say("The link is selected: copy it with Ctrl+C."); // this page may not write into the clipboard
    }
  };
  const hand = () => navigator.share({ title: model.name, url: link }).catch(() => {}); // they have changed their mind
  const settle = async () => {
    const given = address.trim();
    const isFit = !given || (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol));
    say(isFit ? "" : "That is not the address of a page: it begins with https://.");
    if (!isFit) return;
    keep(KEPT, given || null);
    lead({ link: await linkOf(model, page, given), workshop: given });
  };
  const saveFile = async () => {
    say("Making the page …");
    try {
      const saved = take(await api.exported({ subject: model.subject(), form: "page" }));
      say(`${saved} Anybody can open it in a browser, to play, solve and take apart.`);
    } catch (fault) {
      say(fault.message);
    }
  };
  return html`<p class="hint">${wordsOf(link, workshop)}</p>
    ${labelled("link", html`<input readonly class="link" value=${link} ref=${place} onFocus=${select} />`)}
    <div class="row">
      ${button("Copy link", copy, { class: "main" })} ${"share" in navigator && button("Hand on …", hand)}
    </div>
    ${isLocal() && h(Entry, { label: "your workshop", type: "url", value: address, put: type, onChange: settle, placeholder: EXAMPLE })}
    ${api.knows.pages && model.isPuzzle && button("Save as a page that opens anywhere", saveFile)}
    <p class="status" role="status">${said}</p>`;
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
