// The ground of a film: nothing but the soft shadow of what is above it.

import { DirectionalLight, Mesh, PlaneGeometry, ShadowMaterial, PCFShadowMap, Vector3 } from "./three.js";

/** @import { Scene, WebGLRenderer } from "three" */

const DARK = 0.16; // of the shadow
const PIXELS = 512; // the side of the picture in which it is found
const BLUR = 4; // how soft it is, in its pixels
const ABOVE = [-0.25, -0.3, 1]; // from where its light comes

export class Ground {
  /** @param {WebGLRenderer} renderer @param {Scene} scene */
  constructor(renderer, scene) {
    renderer.shadowMap.type = PCFShadowMap;
    this.renderer = renderer;
    this.plane = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: DARK, depthWrite: false }));
    this.plane.receiveShadow = true;
    this.plane.renderOrder = -2; // before everything else
    this.light = new DirectionalLight("#ffffff", 0); // it lights nothing: the colours of the parts stay what they are
    this.light.castShadow = true;
    this.light.shadow.mapSize.set(PIXELS, PIXELS);
    this.light.shadow.radius = BLUR;
    scene.add(this.plane, this.light, this.light.target);
    this.show(null, new Vector3(), 1);
  }

  /**
   * Lie at a height, under all that is within a radius of the middle; null: no ground.
   * @param {number | null} height @param {Vector3} middle @param {number} radius
   */
  show(height, middle, radius) {
    this.renderer.shadowMap.enabled = this.plane.visible = this.light.visible = height !== null;
    if (height === null) {
      return;
    }
    this.plane.position.set(middle.x, middle.y, height - 0.002 * radius);
    this.plane.scale.setScalar(6 * radius);
    this.light.target.position.copy(middle);
    this.light.position.copy(middle).addScaledVector(new Vector3(...ABOVE).normalize(), 3 * radius);
    const { camera } = this.light.shadow;
    Object.assign(camera, {
      left: -radius,
      right: radius,
      bottom: -radius,
      top: radius,
      near: radius,
      far: 6 * radius,
    });
    camera.updateProjectionMatrix();
  }

  dispose() {
    this.plane.geometry.dispose();
    this.plane.material.dispose();
    this.light.dispose();
  }
}
