// What a verdict says of lines, on those lines: an error with its words, a trace's shapes. A mark goes with its line
// through edits elsewhere, and goes away when the line itself is edited.
import {
  Decoration, EditorView, GutterMarker, Prec, RangeSet, StateEffect, StateField, ViewPlugin, WidgetType, gutter, keymap,
  showPanel,
} from "../vendor/codemirror.js";
import { parseFault } from "./parses.js";
import { session } from "./storage.js";

const LEAST_ROOM = 150; // pixels: with less beside the code, the shapes stand below it
const MAX_NOTES = 3; // of one line: a comprehension can assign many things

const place = StateEffect.define(); // [{from, kind: "error" | "shapes", text}], in the place of all there are
const clear = StateEffect.define(); // "shapes", or null for all

const field = StateField.define({
  create: () => [],
  update(marks, transaction) {
    let kept = transaction.docChanged ? marks.map((mark) => moved(mark, transaction)).filter(Boolean) : marks;
    for (const effect of transaction.effects) {
      if (effect.is(place)) kept = effect.value;
      if (effect.is(clear)) kept = effect.value ? kept.filter(({ kind }) => kind !== effect.value) : [];
    }
    return kept;
  },
  provide: (field) => [
    EditorView.decorations.compute([field], (state) => decorations(state.field(field), state.doc)),
    showPanel.from(field, (marks) => (marks.some(({ kind }) => kind === "shapes") ? shapesPanel : null)),
  ],
});

export function marks() {
  return [
    field,
    gutter({ class: "cm-marks", markers: toGutter, initialSpacer: () => new Sign("!", "") }),
    announcer,
    fitter,
    // Escape goes on from here: what follows it may be the Tab that leaves the editor.
    Prec.low(keymap.of([{ key: "Escape", run: hideShapes }])),
  ];
}

/** Read each panel that comes, and mark what it says of lines that are still as they were sent. */
export function followPanels(view, form) {
  const kept = `lectern:sent:${form.dataset.slug}`;
  let sent = null;
  form.addEventListener("submit", () => {
    if (document.getElementById("verdict").getAttribute("aria-busy") === "true") return; // this one is not sent
    sent = view.state.doc.toString();
    session.write(kept, sent);
    view.dispatch({ effects: clear.of(null) });
  });
  document.addEventListener("lectern:panel", ({ target }) => {
    sent ??= session.read(kept);
    if (sent === null || target.dataset.state !== "finished") return;
    const found = [...errorsIn(target), ...shapesIn(target)];
    const marks = found.flatMap((mark) => placed(mark, sent, view.state.doc)).sort((a, b) => a.from - b.from);
    view.dispatch({ effects: place.of(marks) });
  });
}

/** One an error line: cases that end in the same words are one mark. */
function errorsIn(panel) {
  const lines = new Map();
  for (const { dataset } of panel.querySelectorAll("[data-mark=error]")) {
    const texts = lines.get(dataset.line) ?? new Set();
    lines.set(dataset.line, texts.add(dataset.text));
  }
  return Array.from(lines, ([line, texts]) => ({ line: Number(line), kind: "error", text: [...texts].slice(0, 2).join(" · ") }));
}

/** The first time of what each line did: `x  (N, T) = (2, 4) float32`. */
function shapesIn(panel) {
  return Array.from(panel.querySelectorAll(".trace .told")).flatMap((row) => {
    const notes = Array.from(row.querySelectorAll(":scope > .notes > p, :scope > .notes > details > summary"), noteOf).filter(Boolean);
    const more = notes.length > MAX_NOTES ? " …" : "";
    const text = notes.slice(0, MAX_NOTES).join("; ") + more;
    return text ? [{ line: Number(row.querySelector("[data-line]").dataset.line), kind: "shapes", text }] : [];
  });
}

function noteOf(note) {
  const times = words(note.querySelector(".times"));
  const seen = Array.from(note.querySelectorAll(".saw:not(.raised)"), (saw) => {
    const name = words(saw.querySelector(":scope > b")) || words(saw.querySelector(":scope > i"));
    const shape = [words(saw.querySelector(".shape")), words(saw.querySelector(".dtype"))].filter(Boolean).join(" ");
    return shape ? `${name}  ${shape}` : `${name} = ${words(saw.querySelector(".range"))}`;
  });
  return seen.length ? (times ? `${times} ` : "") + seen.join(", ") : "";
}

const words = (element) => element?.textContent.replace(/\s+/g, " ").trim() ?? "";

/** Where a line of what was sent is now: at the beginning and at the end of the source, what is not changed is known. */
function placed({ line, ...mark }, sent, doc) {
  const before = sent.split("\n");
  if (line < 1 || line > before.length) return [];
  let same = 0;
  while (same < Math.min(before.length, doc.lines) && before[same] === doc.line(same + 1).text) same += 1;
  if (line <= same) return [{ ...mark, from: doc.line(line).from }];
  const fromEnd = before.length - line;
  for (let back = 0; back <= fromEnd; back += 1) {
    if (doc.lines - back < 1 || before[before.length - 1 - back] !== doc.line(doc.lines - back).text) return [];
  }
  return [{ ...mark, from: doc.line(doc.lines - fromEnd).from }];
}

function moved(mark, { startState, state, changes }) {
  const from = changes.mapPos(mark.from, 1);
  const line = state.doc.lineAt(from);
  const isSame = line.from === from && line.text === startState.doc.lineAt(mark.from).text;
  return isSame ? { ...mark, from } : null;
}

function decorations(marks, doc) {
  const ranges = marks.flatMap(({ from, kind, text }) => {
    const line = doc.lineAt(from);
    if (kind === "shapes") return text ? [Decoration.widget({ widget: new Shapes(text, line.length), side: 1 }).range(line.to)] : [];
    const start = line.from + line.text.search(/\S|$/);
    const underline = start < line.to ? [Decoration.mark({ class: "cm-error" }).range(start, line.to)] : [];
    return [...underline, Decoration.widget({ widget: new Words(text), side: 2, block: true }).range(line.to)];
  });
  return Decoration.set(ranges, true);
}

/** The error's words, below its line. */
class Words extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const dom = Object.assign(document.createElement("div"), { className: "cm-words" });
    // `code` between backticks, as in the verdict
    this.text.split("`").forEach((part, index) => {
      dom.append(index % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : part);
    });
    return dom;
  }
}

/** A trace's shapes, at the end of the line; `columns` characters of code stand before them. */
class Shapes extends WidgetType {
  constructor(text, columns) { super(); Object.assign(this, { text, columns }); }
  eq(other) { return other.text === this.text && other.columns === this.columns; }
  toDOM(view) {
    const dom = Object.assign(document.createElement("span"), { className: "cm-shapes", textContent: this.text, title: this.text });
    dom.dataset.columns = this.columns;
    fit(dom, view);
    return dom;
  }
}

function fit(dom, view) {
  const wide = view.scrollDOM.clientWidth - (view.dom.querySelector(".cm-gutters")?.offsetWidth ?? 0) - 24;
  const beside = wide - Number(dom.dataset.columns) * view.defaultCharacterWidth - 16;
  dom.classList.toggle("below", beside < LEAST_ROOM);
  dom.style.setProperty("max-width", `${Math.max(0, Math.floor(beside < LEAST_ROOM ? wide : beside))}px`);
}

/** The shapes are never wider than the editor, also after it became narrower or its letters larger. */
const fitter = ViewPlugin.define((view) => ({
  update(update) {
    if (!update.geometryChanged) return;
    view.requestMeasure({ key: fit, read: () => null, write: () => {
      for (const dom of view.contentDOM.querySelectorAll(".cm-shapes")) fit(dom, view);
    } });
  },
}));

class Sign extends GutterMarker {
  constructor(sign, text) { super(); Object.assign(this, { sign, text }); }
  eq(other) { return other.sign === this.sign && other.text === this.text; }
  toDOM() { return Object.assign(document.createElement("span"), { className: SIGNS[this.sign], textContent: this.sign, title: this.text }); }
}

const SIGNS = { "!": "cm-sign", "?": "cm-fault" };

/** An error of the verdict, whose words stand below its line, and where the source cannot be read as it is now. Each
    fault once: Python says on one line what the parser here may see on another. */
function toGutter({ state }) {
  const errors = state.field(field).filter(({ kind }) => kind === "error");
  const fault = isUnreadable(state) ? null : parseFault(state);
  const signs = errors.map(({ from }) => new Sign("!", "").range(from));
  if (fault && !errors.some(({ from }) => from === fault.from)) signs.push(new Sign("?", fault.text).range(fault.from));
  return RangeSet.of(signs, true);
}

/** Whether the verdict says, on a line that is as it was sent, that Python cannot read the source. */
export const isUnreadable = (state) => state.field(field).some(({ kind, text }) => kind === "error" && UNREADABLE.test(text));
const UNREADABLE = /^(Syntax|Indentation|Tab)Error\b/;

function hideShapes(view) {
  if (view.state.field(field).some(({ kind }) => kind === "shapes")) view.dispatch({ effects: clear.of("shapes") });
  return false;
}

function shapesPanel(view) {
  const dom = Object.assign(document.createElement("div"), { className: "cm-shapes-panel" });
  const hide = Object.assign(document.createElement("button"), { type: "button", textContent: "Hide" });
  hide.setAttribute("aria-label", "Hide the shapes beside your lines");
  hide.addEventListener("click", () => { hideShapes(view); view.focus(); });
  dom.append("Beside your lines: what the trace saw. ", hide);
  return { dom };
}

/** A marked line says its mark when the cursor comes to it. */
const announcer = EditorView.updateListener.of(({ state, startState, selectionSet, view }) => {
  const line = state.doc.lineAt(state.selection.main.head);
  if (!selectionSet || line.number === startState.doc.lineAt(startState.selection.main.head).number) return;
  const said = state.field(field).filter(({ from }) => from === line.from).map(({ kind, text }) => `${kind === "error" ? "Error" : "Assigned"}: ${text}`);
  if (said.length) view.dispatch({ effects: EditorView.announce.of(`Line ${line.number}. ${said.join(". ")}`) });
});
