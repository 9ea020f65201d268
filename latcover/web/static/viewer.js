// The viewer: one solution of a puzzle at a time, to be turned, zoomed, exploded, taken apart and cut into layers.
//
//   import { mount } from "./viewer.js";
//   import { unpack } from "./source.js";
//   const viewer = mount(element, unpack(data));
//
// `mount(element, source)` fills an element with the view and everything that works it; viewer.css must be loaded.
// source.js says what a source is. It returns
//   show(k)     show solution k, counted from 0; a promise that is fulfilled when it is drawn
//   refresh()   call it when source.count has grown
//   dispose()   take everything away again
//   element     where it stands
// The element must have a height of its own (as `height: 100vh`), which the viewer fills.

export function mount(element, source) {
  throw new Error("not drawn yet");
}
