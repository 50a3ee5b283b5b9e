// CodeMirror over the author's textarea, which stays the form's truth: Markdown, Python or TOML by the file's name, what
// can be completed there, and the lines that something is wrong with.
import {
  Decoration, EditorState, EditorView, HighlightStyle, Prec, StateEffect, StateField, bracketMatching, closeBrackets,
  closeBracketsKeymap, defaultKeymap, drawSelection, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, history, historyKeymap, hoverTooltip, indentOnInput, indentUnit, indentWithTab, isolateHistory,
  keymap, lineNumbers, python, syntaxHighlighting, tags,
} from "../../vendor/codemirror.js";
import { markdown, toml } from "../../vendor/author.js";
import { NUMBERED_LOOKS, colours, typeOver } from "../code-editor.js";
import { completions } from "./completions.js";

const LANGUAGES = { md: markdown, py: python, toml };

export function edit(textarea, { path, save, schema, directives }) {
  const host = document.createElement("div");
  host.className = "editor";
  const root = host.attachShadow({ mode: "open", delegatesFocus: true });
  textarea.before(host);
  textarea.hidden = true;
  const ending = path.split(".").pop();
  const language = LANGUAGES[ending]?.() ?? [];
  const isProse = ending === "md";
  const view = new EditorView({
    root, parent: root,
    state: EditorState.create({ doc: textarea.value, extensions: [
      Prec.highest(keymap.of([{ key: "Mod-s", run: () => { save(); return true; }, preventDefault: true }])),
      faultsField, faultTooltip, lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(),
      indentOnInput(), bracketMatching(), isProse ? [] : closeBrackets(), highlightActiveLine(), language,
      indentUnit.of(ending === "py" ? "    " : "  "), EditorState.tabSize.of(4),
      isProse ? EditorView.lineWrapping : [], completions(ending, { schema, directives }),
      theme, syntaxHighlighting(prose), syntaxHighlighting(colours({ HighlightStyle, tags })),
      EditorView.contentAttributes.of({
        "aria-label": path, "aria-description": "Tab indents. Escape, then Tab leaves the editor. Ctrl+Space suggests. Ctrl+S saves.",
        tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: String(isProse),
      }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      typeOver({ EditorView }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        textarea.value = update.state.doc.toString();
        textarea.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    ] }),
  });
  document.querySelector(`label[for="${textarea.id}"]`)?.addEventListener("click", () => view.focus());
  view.coordsAtPos(0);
  return view;
}

/** Replace everything, as one step that can be undone. */
export function setText(view, text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: isolateHistory.of("full") });
}

export function insert(view, text, at = view.state.selection.main.head) {
  view.dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length }, scrollIntoView: true, userEvent: "input" });
}

export function goToLine(view, number) {
  const line = view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines)));
  view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
  view.focus();
}

// What is wrong, on its line: [{ line, severity, text }]

const place = StateEffect.define();

export function markFaults(view, faults) {
  view.dispatch({ effects: place.of(faults) });
}

const faultsField = StateField.define({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    let now = marks.map(changes);
    for (const effect of effects) {
      if (!effect.is(place)) continue;
      const byLine = new Map();
      for (const fault of effect.value) {
        const line = Math.max(1, Math.min(fault.line, state.doc.lines));
        byLine.set(line, [...(byLine.get(line) ?? []), fault]);
      }
      now = Decoration.set([...byLine].sort(([a], [b]) => a - b).map(([line, found]) => Decoration.line({
        class: found.some(({ severity }) => severity === "error") ? "cm-wrong" : "cm-doubtful",
        words: found.map(({ text }) => text),
      }).range(state.doc.line(line).from)));
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const faultTooltip = hoverTooltip((view, at) => {
  const line = view.state.doc.lineAt(at);
  const words = [];
  view.state.field(faultsField).between(line.from, line.from, (_, __, { spec }) => { words.push(...spec.words); });
  return words.length === 0 ? null : { pos: line.from, above: true, create: () => {
    const dom = document.createElement("div");
    dom.className = "cm-card";
    dom.append(...words.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
    return { dom };
  } };
});

const prose = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "650", color: "var(--text)" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strong, fontWeight: "650" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.monospace, color: "var(--code-builtin)" },
  { tag: tags.quote, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--quiet)" },
  { tag: [tags.propertyName, tags.atom], color: "var(--code-name)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "0.86rem", height: "100%" },
  ".cm-scroller": { fontFamily: "var(--code-face)", lineHeight: "1.5", overflow: "auto", fontVariantLigatures: "none" },
  ...NUMBERED_LOOKS,
  ".cm-wrong": { boxShadow: "inset 3px 0 0 var(--bad)", textDecoration: "underline wavy 1px var(--bad)", textUnderlineOffset: "0.22em" },
  ".cm-doubtful": { boxShadow: "inset 3px 0 0 var(--limit)" },
  ".cm-tooltip": { backgroundColor: "var(--page)", border: "1px solid var(--control)", color: "var(--text)", fontFamily: "var(--code-face)", fontSize: "0.8rem", lineHeight: "1.5", zIndex: "20" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--code-face)", maxHeight: "13.5rem", maxWidth: "min(34rem, 92vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.12rem 0.6rem", minHeight: "1.5rem", lineHeight: "1.5" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--text)", boxShadow: "inset 3px 0 0 var(--accent)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "650", color: "var(--accent)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--quiet)", marginLeft: "0.9em" },
  ".cm-tooltip.cm-completionInfo": { padding: "0.45rem 0.7rem", maxWidth: "24rem" },
  "@media (max-width: 40rem)": { ".cm-tooltip.cm-completionInfo": { display: "none" } },
  ".cm-card": { padding: "0.4rem 0.7rem", maxWidth: "min(34rem, 88vw)", fontFamily: "var(--text-face)", fontSize: "0.92rem" },
  ".cm-card p": { margin: "0" },
});
