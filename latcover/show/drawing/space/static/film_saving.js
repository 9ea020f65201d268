// Save what the viewer shows as a film: a disassembly, or a solution that is built part by part.

import { button, dom, save } from "./dom.js";
import { KINDS, filmFile } from "./film_files.js";

/** @import { Filmed } from "./film_files.js" */
/** @import { Viewer } from "./viewer.js" */

const STILL = { before: 600, after: 1200 }; // milliseconds in which nothing moves, at the ends of a film
const PART = { flight: 520, between: 300 }; // milliseconds: of a part that comes, and until the next one does

export class FilmSaving {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.stopped = false;
    this.video = button("Video", () => this.save("video"), { title: "Save as a WebM video" });
    this.gif = button("GIF", () => this.save("gif"), { title: "Save as an animated GIF" });
    this.end = button("Stop", () => (this.stopped = true), { hidden: "" });
    this.told = dom("span", { role: "status" });
    const row = dom("div", { class: "row" }, this.video, this.gif, this.end, this.told);
    this.element = dom("fieldset", { class: "saving" }, dom("legend", {}, "Save a film"), row);
  }

  /** Make the file, and hand it over to be saved. @param {"gif" | "video"} kind */
  async save(kind) {
    const { viewer } = this;
    if (!viewer.stage) {
      return;
    }
    this.stopped = false;
    this.busy(true);
    const { width, height, suffix } = KINDS[kind];
    const set = viewer.stage.filmSet(width, height);
    try {
      const file = await filmFile(kind, this.filmed(set), (share) => this.tell(share));
      if (file) {
        save(file, `${viewer.source.puzzle.name || "film"}.${suffix}`);
      }
      this.told.textContent = file ? "Saved." : "Stopped.";
    } catch (fault) {
      this.told.textContent = `Not saved: ${fault.message}`;
    } finally {
      set.end();
      this.busy(false);
    }
  }

  /** @param {boolean} busy */
  busy(busy) {
    const focused = [this.video, this.gif, this.end].some((one) => one === document.activeElement);
    this.video.hidden = this.gif.hidden = busy;
    this.end.hidden = !busy;
    if (focused) {
      (busy ? this.end : this.video).focus();
    }
  }

  /** @param {number} share */
  tell(share) {
    this.told.textContent = `${Math.floor(100 * share)} %`;
    return !this.stopped && this.viewer.root.isConnected;
  }

  /** @param {import("./film_set.js").FilmSet} set @returns {Filmed} */
  filmed(set) {
    const { film } = this.viewer.player;
    const long = film ? film.durations : PART.between * Math.max(0, set.count - 1) + PART.flight;
    return {
      duration: STILL.before + long + STILL.after,
      draw: (time) => {
        const passed = Math.max(0, Math.min(time - (film ? STILL.before : 0), long));
        return film ? set.apart(film.placeAt(passed)) : set.built((n) => (passed - n * PART.between) / PART.flight);
      },
    };
  }
}
