// Who answers the editor: a server (api.js), or the page itself (page_api.js of a workshop). The page says so as it begins.

/** @typedef {typeof import("./api.js")} Host */

/** @type {Host} */
export const host = /** @type {any} */ ({});

/** @param {Partial<Host>} chosen what the page can be asked */
export function answerBy(chosen) {
  Object.assign(host, chosen);
}
