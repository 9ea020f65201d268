// Small helpers for elements, and for words on the page.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (`onclick` and the like are listeners, `undefined` and false are left out) and children.
 * Attributes are set in their order: an image begins to load at its `src`, so `loading` stands before it. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Put children in place of what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A labelled control: the label's text, then the control. */
export function field(text, control, hint) {
  const label = el("label", { class: "field" }, el("span", {}, text), control);
  if (hint) label.title = hint;
  return label;
}

/** A select with options [value, text], one chosen. */
export function choice(options, chosen, onchange) {
  const select = el("select", { onchange: () => onchange?.(select.value) });
  for (const [value, text] of options) {
    select.append(el("option", { value, selected: value === chosen }, text ?? value));
  }
  return select;
}

/** A number as people read it. */
export function number(value) {
  return value === null || value === undefined ? "–" : Number(value).toLocaleString("en-US");
}

/** A number and what it counts: "1 solution", "2 solutions". */
export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** Seconds as people read them. */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  return value < 1 ? `${(1000 * value).toFixed(value < 0.01 ? 2 : 0)} ms` : `${value.toFixed(1)} s`;
}

/** What went wrong, shown in an element that is read aloud; nothing where there is no fault. */
export function showFault(element, fault) {
  if (!fault) {
    element.hidden = true;
    fill(element);
    return;
  }
  const complaints = fault.complaints ?? [];
  const more = complaints.length > 1 ? el("ul", {}, complaints.map((text) => el("li", {}, text))) : null;
  fill(element, el("p", {}, complaints.length > 1 ? `${complaints.length} things are wrong:` : fault.message), more);
  element.hidden = false;
}

/** Hand a file to the browser, to be saved. */
export function save(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A control for a whole number from `least` to `most`, null where it is empty. What is none changes nothing: the browser says what is wrong. */
export function whole(value, least, placeholder, set, most = null) {
  const input = el("input", { type: "number", min: least, max: most, step: 1, value: value ?? "", placeholder, class: "short" });
  input.addEventListener("change", () => input.reportValidity() && set(input.value === "" ? null : Number(input.value)));
  return input;
}

/** Fields for the measures of a model, in millimetres; `values()` gives them as the server wants them. */
export function measures() {
  const inputs = Object.fromEntries([["edge", 20], ["clearance", 0.2], ["chamfer", 0]].map(([name, value]) =>
    [name, el("input", { type: "number", min: 0, step: "any", value, class: "short" })]));
  const element = el("span", { class: "row measures" }, field("length of a unit, mm", inputs.edge),
    field("gap between parts, mm", inputs.clearance), field("chamfer of edges, mm", inputs.chamfer));
  return {
    element,
    /** X3D shows parts as they are. */
    choose: (form) => (inputs.clearance.disabled = inputs.chamfer.disabled = form === "x3d"),
    values: () => Object.fromEntries(Object.entries(inputs).filter(([, input]) => !input.disabled).map(([name, input]) => [name, Number(input.value)])),
  };
}
