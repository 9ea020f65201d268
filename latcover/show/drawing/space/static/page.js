// A page that holds its own data: the viewer on the whole of it.

import { unpack } from "./source.js";
import { mount } from "./viewer.js";

const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent ?? "");
const source = unpack(data);
const plays = source.count === 1; // the film of the only solution begins at once
const viewer = mount(/** @type {HTMLElement} */ (document.getElementById("viewer")), source, { plays });
viewer.focus();
