// Who answers the program: a server (api.js), or the page itself (page_api.js of a workshop). It says what it can, and a page
// that it cannot serve is absent. The program says as it begins who it is.

/** @typedef {typeof import("./api.js")} Host */

/** @type {Host} */
export const host = /** @type {any} */ ({});

/** @param {Partial<Host>} chosen what the page can be asked */
export function answerBy(chosen) {
  Object.assign(host, chosen);
}
