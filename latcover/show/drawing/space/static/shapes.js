// Makes geometry from a shape's data (latcover.show.drawing.space.shape_data): triangles, and the lines along the edges.

import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  LineSegmentsGeometry,
  Matrix4,
  Quaternion,
  ShapeUtils,
  SphereGeometry,
  Vector2,
  Vector3,
} from "./three.js";
import { cross, dot, unit } from "./vectors.js";

/** @import { Box3 } from "three" */
/** @import { Geometry, Mark, Outline, Point, Puzzle, Shape, Solid } from "./types.js" */

const NEAR = 1e-4; // of the longest side of a cell: points closer than this are one
const DASHES = 3; // on each side of a cell along which a part is cut
const THICKER = 1.06; // than a slab: a mark at its side
const UP = new Vector3(0, 1, 0); // along which three.js makes its cylinders

/**
 * The body, the lines (null for balls, which have none) and the centre of a shape, relative to where it stands. And its
 * tints: for each group of the body's triangles its colour, or null for the colour of the part.
 *
 * `how` is {dimension, size, thickness} of the puzzle. Flat outlines become slabs of that thickness about `height`.
 * @param {Geometry} shape @param {Puzzle} how @param {number} [height]
 */
export function geometryOf(shape, how, height = 0) {
  const builder = new Builder(how);
  for (const patch of shape.patches ?? [{ colour: null }]) {
    const own = patch.outlines || patch.solid || patch.balls ? patch : shape;
    builder.begin(patch.colour);
    addFaces(builder, own.solid);
    addSlabs(builder, own.outlines ?? [], height);
    if (shape.balls) {
      addBalls(builder, shape, height, patch.balls);
    }
  }
  if (shape.necks) {
    builder.begin(shape.patches?.length === 1 ? shape.patches[0].colour : null);
    addNecks(builder, shape, height);
  }
  addEdges(builder, shape.solid);
  addRims(builder, shape.outlines ?? [], height, shape.cuts ?? []);
  addMarks(builder, shape.marks ?? [], height);
  return builder.finished();
}

/**
 * What stands at sides: areas of their own colours, which stand out a little.
 * @param {Builder} builder @param {Mark[]} marks @param {number} height
 */
function addMarks(builder, marks, height) {
  const { how } = builder;
  builder.how = { ...how, thickness: how.thickness * THICKER };
  for (const { colour, outlines, solid } of marks) {
    builder.begin(colour);
    addFaces(builder, solid);
    addSlabs(builder, outlines ?? [], height);
    addEdges(builder, solid);
    addRims(builder, outlines ?? [], height, []);
  }
  builder.how = how;
}

/**
 * The cut of a shape that stands at `bottom` by the layer at `height`, or undefined.
 * @param {Shape} shape @param {number} bottom @param {number} height @param {number} size
 */
export function slabAt(shape, bottom, height, size) {
  return (shape.slabs ?? []).find((slab) => Math.abs(bottom + slab.height - height) < 10 * NEAR * size);
}

export class Builder {
  /** @param {Puzzle} how */
  constructor(how) {
    this.how = how;
    /** @type {number[]} */
    this.positions = [];
    /** @type {number[]} */
    this.normals = [];
    /** @type {number[]} */
    this.places = []; // of textures, in sides of a cell
    /** @type {number[]} */
    this.triangles = [];
    /** @type {number[]} */
    this.lines = [];
    /** @type {(string | null)[]} */
    this.tints = [];
    /** @type {number[]} */
    this.starts = [];
  }

  /** What is added from now on has this colour. @param {string | null} colour */
  begin(colour) {
    this.tints.push(colour);
    this.starts.push(this.triangles.length);
  }

  /**
   * A flat area: points [x, y, z] of its rings, the outer one anticlockwise about `normal`.
   * @param {Point[][]} rings @param {Point} normal
   */
  addArea(rings, normal) {
    const [right, ahead] = axesOf(normal);
    const flat = rings.map((ring) => ring.map((p) => new Vector2(dot(p, right), dot(p, ahead))));
    const first = this.positions.length / 3;
    for (const ring of rings) {
      for (const point of ring) {
        this.addVertex(point, normal, [dot(point, right), dot(point, ahead)]);
      }
    }
    for (const corners of ShapeUtils.triangulateShape(flat[0], flat.slice(1))) {
      this.triangles.push(...corners.map((corner) => first + corner));
    }
  }

  /** @param {Point} point @param {Point} normal @param {number[]} place */
  addVertex(point, normal, place) {
    this.positions.push(...point);
    this.normals.push(...normal);
    this.places.push(place[0] / this.how.size, place[1] / this.how.size);
  }

  /** @param {Point} start @param {Point} end */
  addLine(start, end) {
    this.lines.push(...start, ...end);
  }

  /** A copy of a geometry, moved by `matrix`. @param {BufferGeometry} geometry @param {Matrix4} matrix */
  addGeometry(geometry, matrix) {
    const moved = geometry.clone().applyMatrix4(matrix);
    const [position, normal, index] = [moved.attributes.position, moved.attributes.normal, moved.index];
    const first = this.positions.length / 3;
    for (let k = 0; k < position.count; k += 1) {
      const point = [position.getX(k), position.getY(k), position.getZ(k)];
      this.addVertex(point, [normal.getX(k), normal.getY(k), normal.getZ(k)], point);
    }
    for (const corner of index?.array ?? []) {
      this.triangles.push(first + corner);
    }
    moved.dispose();
  }

  finished() {
    const body = new BufferGeometry();
    body.setAttribute("position", floats(this.positions, 3));
    body.setAttribute("normal", floats(this.normals, 3));
    body.setAttribute("uv", floats(this.places, 2));
    body.setIndex(this.triangles);
    this.starts.forEach((start, k) => body.addGroup(start, (this.starts[k + 1] ?? this.triangles.length) - start, k));
    body.computeBoundingBox();
    body.computeBoundingSphere();
    const lines = this.lines.length ? new LineSegmentsGeometry().setPositions(this.lines) : null;
    const box = /** @type {Box3} */ (body.boundingBox);
    const centre = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    return { body, lines, centre, tints: this.tints };
  }
}

/** @param {number[]} values @param {number} width */
function floats(values, width) {
  return new BufferAttribute(new Float32Array(values), width);
}

/** @param {Solid | undefined} solid @returns {(vertex: number) => Point} */
function cornersOf(solid) {
  return (v) => solid?.vertices.slice(3 * v, 3 * v + 3) ?? [];
}

/** @param {Builder} builder @param {Solid | undefined} solid */
function addFaces(builder, solid) {
  for (const rings of solid?.faces ?? []) {
    const points = rings.map((ring) => ring.map(cornersOf(solid)));
    builder.addArea(points, normalOf(points[0]));
  }
}

/** @param {Builder} builder @param {Solid | undefined} solid */
function addEdges(builder, solid) {
  const drawn = new Set();
  for (const ring of (solid?.faces ?? []).flat()) {
    ring.forEach((here, k) => {
      const there = ring[(k + 1) % ring.length];
      const name = here < there ? `${here} ${there}` : `${there} ${here}`;
      if (!drawn.has(name)) {
        drawn.add(name);
        builder.addLine(cornersOf(solid)(here), cornersOf(solid)(there));
      }
    });
  }
}

/** The heights between which a slab lies. @param {Builder} builder @param {number} height */
function levels(builder, height) {
  return [height - builder.how.thickness / 2, height + builder.how.thickness / 2];
}

/** @param {Builder} builder @param {Outline[]} outlines @param {number} height */
function addSlabs(builder, outlines, height) {
  const [low, high] = levels(builder, height);
  for (const flat of outlines.map((rings) => rings.map((ring) => split(ring, 2)))) {
    /** @param {number} z */
    const raised = (z) => flat.map((ring) => ring.map(([x, y]) => [x, y, z]));
    builder.addArea(raised(high), [0, 0, 1]);
    builder.addArea(
      raised(low).map((ring) => ring.reverse()),
      [0, 0, -1],
    );
    for (const ring of flat) {
      ring.forEach((here, k) => {
        const there = ring[(k + 1) % ring.length];
        const [x, y] = [there[0] - here[0], there[1] - here[1]];
        const length = Math.hypot(x, y) || 1;
        const wall = [
          [...here, low],
          [...there, low],
          [...there, high],
          [...here, high],
        ];
        builder.addArea([wall], [y / length, -x / length, 0]);
      });
    }
  }
}

/**
 * The lines along the edges of slabs.
 * @param {Builder} builder @param {Outline[]} outlines @param {number} height @param {number[]} cuts
 */
function addRims(builder, outlines, height, cuts) {
  const [low, high] = levels(builder, height);
  for (const ring of outlines.flat().map((values) => split(values, 2))) {
    ring.forEach((here, k) => {
      const there = ring[(k + 1) % ring.length];
      builder.addLine([...here, low], [...here, high]);
      for (const [a, b] of uncut(here, there, cuts, NEAR * builder.how.size)) {
        for (const z of [low, high]) {
          builder.addLine([...mixed(here, there, a), z], [...mixed(here, there, b), z]);
        }
      }
    });
  }
}

/**
 * The stretches of a side that are drawn, as shares of it: dashes if the part continues there round the region.
 * @param {number[]} here @param {number[]} there @param {number[]} cuts @param {number} near
 */
function uncut(here, there, cuts, near) {
  const along = [there[0] - here[0], there[1] - here[1]];
  const length = Math.hypot(...along);
  const found = [];
  for (let k = 0; k < cuts.length; k += 4) {
    const ends = [cuts.slice(k, k + 2), cuts.slice(k + 2, k + 4)].map((point) => {
      const way = [point[0] - here[0], point[1] - here[1]];
      const off = Math.abs(way[0] * along[1] - way[1] * along[0]) / length;
      return off < near ? (way[0] * along[0] + way[1] * along[1]) / length ** 2 : NaN;
    });
    const [from, to] = ends.sort((a, b) => a - b);
    if (from > -near / length && to < 1 + near / length) {
      found.push([from, to]);
    }
  }
  const drawn = [];
  let last = 0;
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    drawn.push([last, from]);
    for (let dash = 0; dash < DASHES; dash += 1) {
      const start = from + ((to - from) * (dash + 0.25)) / DASHES;
      drawn.push([start, start + ((to - from) * 0.5) / DASHES]);
    }
    last = to;
  }
  drawn.push([last, 1]);
  return drawn.filter(([from, to]) => to - from > near / length);
}

/**
 * Balls, or the chosen ones of them.
 * @param {Builder} builder @param {Geometry} shape @param {number} height @param {number[] | undefined} chosen
 */
function addBalls(builder, shape, height, chosen) {
  const disc = builder.how.dimension === 2;
  const template = disc
    ? new CylinderGeometry(1, 1, builder.how.thickness, 48).rotateX(Math.PI / 2)
    : new SphereGeometry(1, 32, 20);
  for (const [x, y, z, radius] of ballsOf(shape, height).filter((_, k) => !chosen || chosen.includes(k))) {
    builder.addGeometry(template, new Matrix4().makeScale(radius, radius, disc ? 1 : radius).setPosition(x, y, z));
  }
  template.dispose();
}

/** @param {Builder} builder @param {Geometry} shape @param {number} height */
function addNecks(builder, shape, height) {
  const balls = ballsOf(shape, height);
  for (const [a, b, radius] of split(shape.necks ?? [], 3)) {
    addNeck(builder, balls[a], balls[b], radius);
  }
}

/** @param {Geometry} shape @param {number} height */
function ballsOf(shape, height) {
  return split(shape.balls ?? [], 4).map(([x, y, z, r]) => [x, y, z + height, r]);
}

/** @param {Builder} builder @param {Point} start @param {Point} end @param {number} radius */
function addNeck(builder, start, end, radius) {
  const [from, to] = [start, end].map(([x, y, z]) => new Vector3(x, y, z));
  const way = to.clone().sub(from);
  const rod = new CylinderGeometry(radius, radius, way.length(), 20, 1, true);
  const turn = new Quaternion().setFromUnitVectors(UP, way.normalize());
  builder.addGeometry(rod, new Matrix4().compose(from.add(to).multiplyScalar(0.5), turn, new Vector3(1, 1, 1)));
  rod.dispose();
}

/** The unit normal of a flat ring of points (Newell's sum). @param {Point[]} ring @returns {Point} */
function normalOf(ring) {
  const sum = [0, 0, 0];
  ring.forEach((here, k) => {
    const there = ring[(k + 1) % ring.length];
    sum[0] += (here[1] - there[1]) * (here[2] + there[2]);
    sum[1] += (here[2] - there[2]) * (here[0] + there[0]);
    sum[2] += (here[0] - there[0]) * (here[1] + there[1]);
  });
  return unit(sum);
}

/** Two unit vectors perpendicular to `normal`; the three are right-handed. @param {Point} normal @returns {Point[]} */
function axesOf(normal) {
  const level = Math.hypot(normal[0], normal[1]);
  const right = level > NEAR ? [-normal[1] / level, normal[0] / level, 0] : [Math.sign(normal[2]), 0, 0];
  return [right, cross(normal, right)];
}

/** @param {number[]} here @param {number[]} there @param {number} share */
function mixed(here, there, share) {
  return [here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])];
}

/** @param {number[]} values @param {number} width @returns {number[][]} */
function split(values, width) {
  return Array.from({ length: values.length / width }, (_, k) => values.slice(width * k, width * k + width));
}
