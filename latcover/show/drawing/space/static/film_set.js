// Where a film is drawn: the stage at the size of its pictures, which nobody else moves meanwhile.

/** @import { Stage } from "./stage.js" */

export class FilmSet {
  /** @param {Stage} stage @param {number} width @param {number} height */
  constructor(stage, width, height) {
    this.stage = stage;
    this.before = { place: stage.player?.place ?? 0, away: stage.pieces.map(({ away }) => away) };
    this.page = document.createElement("canvas");
    Object.assign(this.page, { width, height });
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.page.getContext("2d", { willReadFrequently: true }));
    stage.hold(true);
    stage.renderer.setPixelRatio(1);
    stage.size(width, height);
    const parts = stage.pieces.filter(({ item, goal }) => item.part >= 0 && !goal);
    this.order = parts.sort((a, b) => stage.heightOf(a.number) - stage.heightOf(b.number) || a.number - b.number);
  }

  /** How many parts are built. */
  get count() {
    return this.order.length;
  }

  /** The picture at a place of the film. @param {number} place */
  apart(place) {
    const { player } = this.stage;
    if (player) {
      player.place = place;
    }
    this.stage.follow();
    return this.drawn();
  }

  /**
   * The picture in which each part, in its order, has come a share of its way: below 0 it is not there yet.
   * @param {(n: number) => number} share
   */
  built(share) {
    this.order.forEach((piece, n) => {
      const come = Math.max(0, Math.min(share(n), 1));
      piece.away = 1 - come * (2 - come);
    });
    return this.drawn();
  }

  drawn() {
    const { stage, page, pen } = this;
    stage.drawFilm();
    pen.fillStyle = stage.materials.ground.paper;
    pen.fillRect(0, 0, page.width, page.height);
    pen.drawImage(stage.canvas, 0, 0, page.width, page.height);
    return page;
  }

  /** Show again what was seen before. */
  end() {
    const { stage, before } = this;
    if (stage.player) {
      stage.player.place = before.place;
    }
    stage.pieces.forEach((piece, k) => (piece.away = before.away[k] ?? piece.away));
    stage.hold(false);
    stage.follow();
  }
}
