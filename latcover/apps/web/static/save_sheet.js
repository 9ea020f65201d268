// The one place that saves: the puzzle as a file, as a web site and as parts to print, and the solution that the page Solve shows.

import { BOUNDS } from "./bounds.js";
import { save } from "./dom.js";
import { Fault } from "./faults.js";
import { host as api } from "./host.js";
import { OnPaper } from "./paper.js";
import { button, Choice, Faults, Line } from "./panels.js";
import { h, html, render, useState } from "./preact.js";
import { plain, saveBurrTools, saveSite, saveToml, take } from "./saving.js";

/** @import { Catalogue, Sheet } from "./server_types.js" */
/** @import { Solve } from "./solve.js" */
/** @import { Model } from "./model.js" */

/** Do what saves a file; it says how that went. @typedef {(work: () => unknown) => unknown} Attempt */

/** The measures of a model, in millimetres. @typedef {{ edge: number, clearance: number, chamfer: number }} Measured */

/** @type {Measured} */
const USUAL = { edge: 20, clearance: 0.2, chamfer: 0 };
/** @type {Record<keyof Measured, string>} */
const MEASURES = { edge: "unit length, mm", clearance: "gap between parts, mm", chamfer: "edge chamfer, mm" };

export class SaveSheet {
  /**
   * The button `opener` opens the sheet; `solve` is the page that shows solutions, if there is one that can save them.
   * @param {Model} model @param {HTMLElement} opener
   * @param {Partial<Catalogue>} about what can be written; without a server only puzzle files
   * @param {Solve | null} solve
   */
  constructor(model, opener, about, solve = null) {
    this.model = model;
    this.about = about;
    this.solve = solve;
    this.state = { said: "", fault: /** @type {Fault | null} */ (null) };
    this.dialog = document.createElement("dialog");
    this.dialog.className = "wide save-sheet";
    this.dialog.setAttribute("aria-label", "Save");
    this.dialog.addEventListener("close", () => this.dialog.remove());
    opener.addEventListener("click", () => this.open());
    window.addEventListener("popstate", () => this.dialog.close());
    for (const what of ["loaded", "checked"])
      model.addEventListener(what, () => {
        opener.hidden = !model.data;
        if (this.dialog.open) this.draw();
      });
  }

  open() {
    this.tell("", null);
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  /** @param {string} said @param {Fault | null} fault */
  tell(said, fault) {
    this.state = { said, fault };
    this.draw();
  }

  /** @type {Attempt} */
  attempt = async (work) => {
    this.tell("writing", null);
    try {
      this.tell(/** @type {string | undefined} */ (await work()) ?? "", null);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.tell("", fault);
    }
  };

  draw() {
    const { model, about, solve, state } = this;
    render(
      html`<div class="row head">
          <h3>Save</h3>
          ${button("Close", () => this.dialog.close())}
        </div>
        <p class="status" role="status">${state.said}</p>
        ${h(Faults, { fault: state.fault })}
        <div class="sheets">
          ${solve?.run && solve.kept && html`<${Solution} solve=${solve} about=${about} attempt=${this.attempt} />`}
          ${model.isPuzzle && html`<${Puzzle} model=${model} about=${about} attempt=${this.attempt} />`}
          ${model.isPuzzle && about.models && html`<${Parts} model=${model} about=${about} attempt=${this.attempt} />`}
          ${about.forms && html`<${Others} model=${model} about=${about} attempt=${this.attempt} />`}
          ${model.isPuzzle && html`<${Text} model=${model} />`}
        </div>`,
      this.dialog,
    );
  }
}

/** @param {{ lengths: Measured, measure: (lengths: Measured) => void }} shown */
function Lengths({ lengths, measure }) {
  const kind = { type: "number", step: "any", required: true, class: "short" };
  const field = (/** @type {keyof Measured} */ name) =>
    h(Line, {
      ...{ label: MEASURES[name], ...kind, ...BOUNDS.measures[name], value: `${lengths[name]}` },
      set: (text) => measure({ ...lengths, [name]: Number(text) }),
    });
  return html`<span class="row measures">${field("edge")} ${field("clearance")} ${field("chamfer")}</span>`;
}

/** @param {{ solve: Solve, about: Catalogue, attempt: Attempt  }} shown */
function Solution({ solve, about, attempt }) {
  const { view, model } = solve;
  const [run, number] = [/** @type {string} */ (solve.run), solve.current + 1];
  const forms = [...about.pictures, ...about.models];
  const [form, choose] = useState("html");
  const [lengths, measure] = useState(USUAL);
  /** @param {string} as @param {number | null} solution @param {Record<string, any>} [more] */
  const write = async (as, solution, more = {}) => take(await api.exported({ run, solution, form: as, ...more }));
  const isModel = about.models.some(({ name }) => name === form);
  const saveOne = () => write(form, solve.current, isModel ? { measures: lengths } : {});
  const savePixels = async () => {
    const picture = await solve.viewer?.picture();
    if (picture) save(picture, `solution-${number}.png`);
  };
  const saveAsSeen = () => {
    const explode = solve.viewer?.apart ?? 0;
    return write("glb", solve.current, { measures: { ...lengths, ...(explode ? { explode } : {}) } });
  };
  /** @param {string} words @param {() => unknown} work */
  const deed = (words, work) => button(words, () => attempt(work));
  return html`<section>
    <h4>The solution as it is seen</h4>
    <div class="row">
      ${
        view === "flat" &&
        html`<a class="button" download=${`solution-${number}.svg`} href=${api.solutionPicture(run, solve.current)}
          >Save this picture (SVG)</a
        >`
      }
      ${view === "space" && deed("Save this picture (PNG)", savePixels)}
      ${view === "space" && deed("Save this picture in space (GLB)", saveAsSeen)}
    </div>
    ${
      model.isPuzzle &&
      html`<h4>The solution as a file</h4>
        <div class="row">
          <${Choice}
            label="save as"
            value=${form}
            choose=${choose}
            options=${forms.map(({ name, about: words }) => [name, words])}
          />
          ${isModel && h(Lengths, { lengths, measure })} ${deed("Save this solution", saveOne)}
        </div>
        <h4>On paper</h4>
        <${OnPaper}
          papers=${about.papers}
          save=${(/** @type {string} */ as, /** @type {Sheet} */ sheet, /** @type {boolean} */ one) =>
            attempt(() => write(as, one ? solve.current : null, { sheet }))}
        />`
    }
    <h4>All solutions</h4>
    <div class="row">
      ${model.isPuzzle && deed("Save all as a page (HTML)", () => write("html", null))}
      <a class="button" download="" href=${api.solutionsFile(run)}>Save all (JSON lines)</a>
    </div>
  </section>`;
}

/** @param {{ model: Model, about: Partial<Catalogue>, attempt: Attempt }} shown */
function Puzzle({ model, about, attempt }) {
  const savePicture = async () =>
    save(await api.regionPicture(model.subject()), `${plain(model.verdict.title || model.name)}.svg`);
  /** @param {string} words @param {() => unknown} work */
  const deed = (words, work) => button(words, () => attempt(work));
  return html`<section>
    <h4>The puzzle</h4>
    <div class="row">
      ${deed("Save as TOML", () => saveToml(model))}
      ${api.knows.burrTools && deed("Save as BurrTools file (.xmpuzzle)", () => saveBurrTools(model))}
      ${about.forms && deed("Save a picture of the region (SVG)", savePicture)}
      ${about.forms && deed("Publish as a web site (ZIP)", () => saveSite(model))}
    </div>
    ${
      about.forms &&
      html`<p class="hint">
        The site lets everybody play the puzzle, solve it and take it apart, even offline. Unpack it and open
        index.html, or put it on any web server.
      </p>`
    }
  </section>`;
}

/** @param {{ model: Model, about: Partial<Catalogue>, attempt: Attempt  }} shown */
function Parts({ model, about, attempt }) {
  const forms = about.models ?? [];
  const [form, choose] = useState(forms[0].name);
  const [lengths, measure] = useState(USUAL);
  const work = async () => take(await api.exported({ subject: model.subject(), form, measures: lengths }));
  return html`<section>
    <h4>Parts for 3D printing</h4>
    <div class="row">
      <${Choice}
        label="model file"
        value=${form}
        choose=${choose}
        options=${forms.map(({ name, about: words }) => [name, words])}
      />
      ${h(Lengths, { lengths, measure })} ${button("Save parts", () => attempt(work))}
    </div>
    <p class="hint">Every copy of every part, side by side.</p>
  </section>`;
}

/** @param {{ model: Model, about: Partial<Catalogue>, attempt: Attempt }} shown */
function Others({ model, about, attempt }) {
  const forms = about.forms ?? [];
  const [form, choose] = useState(forms[0].name);
  const work = async () => take(await api.exported({ subject: model.subject(), form }));
  return html`<section>
    <h4>For other programs</h4>
    <div class="row">
      <${Choice}
        label="format"
        value=${form}
        choose=${choose}
        options=${forms.map(({ name, about: words }) => [name, `${name}: ${words}`])}
      />
      ${button("Save", () => attempt(work))}
    </div>
  </section>`;
}

/** @param {{ model: Model }} shown */
function Text({ model }) {
  const several = model.whole.problems.length > 1;
  const words = several ? "# The file holds several problems. This is only the one that is open.\n" : "";
  const text = model.verdict.toml
    ? words + model.verdict.toml
    : api.server.away
      ? "The server does not answer. The file is shown here when it is back."
      : "The puzzle cannot be saved in its current state.";
  return html`<section>
    <h4>The text of its file</h4>
    <pre class="listing" tabindex="0" aria-label="The puzzle's file">${text}</pre>
  </section>`;
}
