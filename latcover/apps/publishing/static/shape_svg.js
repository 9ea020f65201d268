// A flat shape as SVG, from its data (latcover.show.drawing.space.shape_data): the same geometry as every other picture.

import { svg } from "./dom.js";

/** @import { Geometry, Outline } from "./types.js" */

/**
 * A group that shows a shape in a colour, which its patches and marks may replace; y points upwards in the data.
 * @param {Geometry} shape @param {string} colour
 */
export function drawnShape(shape, colour) {
  const group = svg("g", {});
  for (const patch of shape.patches ?? [{ colour: null }]) {
    const own = patch.outlines || patch.balls ? patch : shape;
    const fill = patch.colour ?? colour;
    if (own.outlines) {
      group.append(svg("path", { d: pathOf(own.outlines), fill, class: "area", stroke: fill }));
    }
  }
  for (const { colour: own, outlines, sign } of shape.marks ?? []) {
    group.append(svg("path", { d: pathOf(outlines ?? []), fill: own, class: "mark" }));
    if (sign) {
      const [letter, x, y, size, ink] = sign;
      group.append(svg("text", { x, y: -y, "font-size": size, dy: 0.36 * size, fill: ink, class: "sign" }, letter));
    }
  }
  if (shape.outlines) {
    group.append(svg("path", { d: pathOf(shape.outlines), class: "rim" }));
  }
  for (let k = 0; k + 4 <= (shape.cuts?.length ?? 0); k += 4) {
    const [x1, y1, x2, y2] = (shape.cuts ?? []).slice(k, k + 4);
    group.append(svg("line", { x1, y1: -y1, x2, y2: -y2, class: "cut" }));
  }
  addBalls(group, shape, colour);
  return group;
}

/** @param {SVGGElement} group @param {Geometry} shape @param {string} colour */
function addBalls(group, shape, colour) {
  const balls = rows(shape.balls ?? [], 4);
  for (const [a, b, radius] of rows(shape.necks ?? [], 3)) {
    const ends = { x1: balls[a][0], y1: -balls[a][1], x2: balls[b][0], y2: -balls[b][1] };
    group.append(svg("line", { ...ends, class: "neck-rim", "stroke-width": 2 * radius }));
    group.append(svg("line", { ...ends, class: "neck", stroke: colour, "stroke-width": 1.8 * radius }));
  }
  balls.forEach(([cx, cy, , r], k) => {
    const patch = (shape.patches ?? []).find(({ balls: own }) => !own || own.includes(k));
    group.append(svg("circle", { cx, cy: -cy, r: 0.97 * r, fill: patch?.colour ?? colour, class: "rim ball" }));
  });
}

/** The box around a shape: [left, top, width, height], y downwards. @param {Geometry} shape */
export function boxOf(shape) {
  const points = (shape.outlines ?? []).flat().flatMap((ring) => rows(ring, 2));
  for (const [x, y, , r] of rows(shape.balls ?? [], 4)) {
    points.push([x - r, y - r], [x + r, y + r]);
  }
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => -y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** @param {Outline[]} outlines */
function pathOf(outlines) {
  return outlines
    .flat()
    .map(
      (ring) =>
        `M${rows(ring, 2)
          .map(([x, y]) => `${x} ${-y}`)
          .join("L")}Z`,
    )
    .join("");
}

/** @param {number[]} values @param {number} width @returns {number[][]} */
function rows(values, width) {
  return Array.from({ length: values.length / width }, (_, k) => values.slice(width * k, width * k + width));
}
