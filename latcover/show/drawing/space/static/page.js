// A page that holds its own data: the viewer on the whole of it.

import { unpack } from "./source.js";
import { mount } from "./viewer.js";

const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent ?? "");
const viewer = mount(/** @type {HTMLElement} */ (document.getElementById("viewer")), unpack(data));
viewer.focus();
