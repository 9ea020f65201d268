// Sends the open puzzle as a link that carries it whole, so that no server needs to store it.

import { addressOf, where } from "./address.js";
import { ask } from "./ask.js";
import { CARRIED, wordOf } from "./carried.js";
import { dom } from "./dom.js";
import { counted, field } from "./elements.js";
import { Fault } from "./faults.js";
import { textOfFile } from "./saving.js";

/** @import { ShippedSubject } from "./server_types.js" */

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The address of a page with the open puzzle: by its name if it is shipped and unchanged, otherwise with all of it.
 *
 * @param {import("./model.js").Model} model
 * @param {string} page
 */
async function linkOf(model, page) {
  const { query } = where();
  const shown = query.size ? `?${query}` : "";
  const { form, name, problem } = /** @type {ShippedSubject} */ (model.base);
  const start = location.href.split("#")[0];
  if (form === "shipped" && !model.edited)
    return `${start}${addressOf(page, { name, problem: problem ?? "", design: "" })}${shown}`;
  const word = await wordOf(await textOfFile(model)).catch((fault) => {
    throw new Fault(fault.message);
  });
  return `${start}#${page}/${CARRIED}${word}${shown}`;
}

/**
 * Show the link, to be copied or handed on.
 *
 * @param {import("./model.js").Model} model
 * @param {string} page
 */
export async function sendLink(model, page) {
  const link = await linkOf(model, page);
  const isWhole = link.includes(`/${CARRIED}`);
  /** @type {HTMLInputElement} */
  const text = dom("input", { readonly: true, value: link, class: "link", onfocus: () => text.select() });
  const said = dom("p", { class: "status", role: "status" });
  const copy = async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = "The link is copied.";
    } catch {
      said.textContent = "The link is selected: copy it with Ctrl+C."; // this page may not write into the clipboard
    }
  };
  const hand = () => navigator.share({ title: model.name, url: link }).catch(() => {}); // the user has changed their mind
  const words = [
    isWhole
      ? `The whole puzzle is in the link (${counted(link.length, "character")}), and no server stores it. Later changes are not in it.`
      : "The link names this shipped puzzle.",
    location.protocol === "file:"
      ? "This page is a file on this machine. On a web server its links work for everybody."
      : LOCAL.test(location.hostname)
        ? "It leads to this machine: it works for others who run latcover too. For everybody else, put what begins with # behind the address of a published workshop."
        : "",
  ];
  await ask(
    "Send this puzzle as a link",
    [["", "Close"]],
    dom("p", { class: "hint" }, words.join(" ")),
    field("link", text),
    dom(
      "div",
      { class: "row" },
      dom("button", { type: "button", class: "main", onclick: copy }, "Copy link"),
      "share" in navigator ? dom("button", { type: "button", onclick: hand }, "Hand on …") : null,
      said,
    ),
  );
}
