// CodeMirror over the real textarea, which stays the form's truth: every change is written through.
// The editor lives in a shadow root, where its styles are adopted style sheets: the page's policy allows no others.
import {
  Compartment, EditorState, EditorView, HighlightStyle, Prec, bracketMatching, closeBrackets, closeBracketsKeymap, defaultKeymap,
  drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, history, historyKeymap,
  indentOnInput, indentUnit, indentWithTab, isolateHistory, keymap, lineNumbers, python, syntaxHighlighting, tags,
} from "../vendor/codemirror.js";
import { NUMBERED_LOOKS, colours, typeOver } from "./code-editor.js";
import { followPanels, isUnreadable, marks } from "./marks.js";
import { parseFaults } from "./parses.js";
import { followSettings, vimPlace } from "./settings.js";

/** Replace everything, as one step that can be undone. */
export function setSource(text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: isolateHistory.of("full") });
}

function upgrade(textarea) {
  const host = document.createElement("div");
  host.className = "editor";
  const root = host.attachShadow({ mode: "open", delegatesFocus: true });
  textarea.before(host);
  textarea.hidden = true;
  const view = new EditorView({ root, parent: root, state: EditorState.create({ doc: textarea.value, extensions: extensions(textarea) }) });
  document.querySelector(`label[for="${textarea.id}"]`)?.addEventListener("click", () => view.focus());
  document.addEventListener("click", (event) => goToLine(event, view));
  followPanels(view, textarea.form);
  followSettings(view, host);
  if (matchMedia("(pointer: coarse)").matches) import("./touch.js").then(({ followTouch }) => followTouch(view, showCursor), nothing);
  host.addEventListener("focusin", () => help(view), { once: true });
  view.coordsAtPos(0); // measured now, not a frame later: until then the lines' numbers stand at guessed heights
  return view;
}

/** What helps with typing is fetched when somebody comes to type: who reads the statement does not wait for it. */
const helpPlace = new Compartment();
const nothing = () => { /* the network was away: the editor is one without this */ };

function help(view) {
  Promise.all([import("./completion.js"), import("./signature.js")]).then(([{ completion }, { signatureHint }]) => {
    view.dispatch({ effects: helpPlace.reconfigure([completion(), signatureHint()]) });
  }, nothing);
}

function extensions(textarea) {
  return [
    Prec.highest(keymap.of([
      { key: "Mod-Enter", run: () => submit(textarea.form) }, { key: "Ctrl-Enter", run: () => submit(textarea.form) },
    ])),
    vimPlace(), helpPlace.of([]), marks(), parseFaults(isUnreadable),
    lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(),
    bracketMatching(), closeBrackets(), highlightActiveLine(), python(), indentUnit.of("    "), EditorState.tabSize.of(4),
    theme, syntaxHighlighting(colours({ HighlightStyle, tags })),
    EditorView.contentAttributes.of({
      "aria-label": "Your code in Python",
      "aria-description": "Tab indents. Escape, then Tab leaves the editor. Ctrl+Space suggests names.",
      tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false",
    }),
    keymap.of([
      { key: "Enter", run: dedentAfterEnd }, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab,
    ]),
    typeOver({ EditorView }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged || update.selectionSet) showCursor(update.view);
      if (!update.docChanged) return;
      textarea.value = update.state.doc.toString();
      textarea.dispatchEvent(new Event("input", { bubbles: true }));
    }),
  ];
}

/** On a narrow screen buttons and keys stand at the bottom, over the page: the line with the cursor is never below them. */
function showCursor(view) {
  view.requestMeasure({
    key: showCursor,
    read: () => {
      if (!view.hasFocus) return 0;
      const bars = Array.from(document.querySelectorAll(".actions, .touch-keys")).filter((bar) => getComputedStyle(bar).position === "fixed");
      const free = Math.min(...bars.map((bar) => bar.getBoundingClientRect().top));
      // Further down it is about to be scrolled to the editor's end.
      const end = view.scrollDOM.getBoundingClientRect().bottom;
      return Math.min(view.coordsAtPos(view.state.selection.main.head)?.bottom ?? 0, end) - free + SPACE;
    },
    write: (under) => { if (under > 0) scrollBy({ top: under, behavior: "instant" }); },
  });
}
const SPACE = 6; // pixels between the cursor and them

/** Nothing follows a `return` in its block. */
function dedentAfterEnd({ state, dispatch }) {
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  const [, indent, rest] = line.text.match(/^( {4,})(?:return|pass|raise|break|continue)\b(.*)$/) ?? [];
  if (!empty || head !== line.to || indent === undefined || isOpen(rest)) return false;
  const insert = `\n${indent.slice(4)}`;
  dispatch(state.update({ changes: { from: head, insert }, selection: { anchor: head + insert.length }, scrollIntoView: true, userEvent: "input" }));
  return true;
}

const isOpen = (text) => (text.match(/[([{]/g)?.length ?? 0) > (text.match(/[)\]}]/g)?.length ?? 0) || /(\\|"""|''')\s*$/.test(text);

function submit(form) {
  form.requestSubmit(form.querySelector('button[value="submit"]'));
  return true;
}

function goToLine(event, view) {
  const link = event.target.closest("[data-line]");
  if (!link) return;
  event.preventDefault();
  const line = view.state.doc.line(Math.min(Number(link.dataset.line), view.state.doc.lines));
  view.dispatch({ selection: { anchor: line.from, head: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
  view.focus();
}

const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "max(var(--editor-size, 0.86rem), var(--editor-least, 0px))", height: "100%" },
  ".cm-scroller": { fontFamily: "var(--code-face)", lineHeight: "1.45", overflow: "auto", fontVariantLigatures: "none" },
  "&.cm-focused .cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  ...NUMBERED_LOOKS,
  ".cm-panels": { backgroundColor: "transparent", color: "var(--quiet)", fontFamily: "var(--text-face)", fontSize: "var(--size-small)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--hairline)" },
  ".cm-tooltip": { backgroundColor: "var(--page)", border: "1px solid var(--control)", color: "var(--text)", fontFamily: "var(--code-face)", fontSize: "0.8rem", lineHeight: "1.5", zIndex: "20" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--code-face)", maxHeight: "13.5rem", maxWidth: "min(34rem, 92vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.12rem 0.6rem", minHeight: "1.5rem", lineHeight: "1.5" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--text)", boxShadow: "inset 3px 0 0 var(--accent)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "650", color: "var(--accent)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--quiet)", marginLeft: "0.9em" },
  ".cm-tooltip.cm-completionInfo": { padding: "0.45rem 0.7rem", maxWidth: "24rem" },
  "@media (max-width: 40rem)": { ".cm-tooltip.cm-completionInfo": { display: "none" } }, // it would lie over the list
  ".cm-card": { padding: "0", maxWidth: "min(34rem, 88vw)", overflowWrap: "anywhere" },
  ".cm-card code": { fontFamily: "inherit" },
  ".cm-card p": { margin: "0.3rem 0 0", fontFamily: "var(--text-face)", fontSize: "0.92rem", lineHeight: "1.4", color: "var(--quiet)", overflowWrap: "normal" },
  ".cm-tooltip-hover": { padding: "0.45rem 0.7rem" },
  ".cm-signature": { padding: "0.25rem 0.6rem", maxWidth: "min(38rem, 88vw)", color: "var(--quiet)", overflowWrap: "anywhere" },
  ".cm-signature b": { color: "var(--text)", fontWeight: "650", textDecoration: "underline", textUnderlineOffset: "0.2em" },
  ".cm-marks": { width: "1.3ch", textAlign: "center" },
  ".cm-sign, .cm-fault": { fontWeight: "700", cursor: "help" },
  ".cm-sign": { color: "var(--bad)" },
  ".cm-fault": { color: "var(--limit)" },
  ".cm-error": { textDecoration: "underline wavy 1px var(--bad)", textUnderlineOffset: "0.22em", textDecorationSkipInk: "none" },
  ".cm-words": { padding: "0.1rem 0.75rem 0.3rem 0.5rem", fontFamily: "var(--text-face)", fontSize: "0.95rem", lineHeight: "1.4", color: "var(--bad)", whiteSpace: "normal", position: "sticky", left: "2.6rem", maxWidth: "min(36rem, 80vw)", boxSizing: "border-box" },
  ".cm-words code": { fontFamily: "var(--code-face)", fontSize: "0.86em" },
  ".cm-shapes": { display: "inline-block", verticalAlign: "bottom", marginLeft: "1.2ch", color: "var(--quiet)", fontSize: "0.92em", overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap", userSelect: "none" },
  ".cm-shapes::before": { content: "'← '", color: "var(--accent)" },
  // The last margin takes back the empty line that an inline block leaves behind it.
  ".cm-shapes.below": { display: "block", marginLeft: "0", marginBottom: "-1lh", paddingLeft: "1ch", boxSizing: "border-box" },
  ".cm-shapes-panel": { padding: "0.2rem 0.5rem", display: "flex", gap: "0.8rem", alignItems: "baseline", fontStyle: "italic" },
  ".cm-shapes-panel button": { font: "inherit", color: "var(--text)", background: "none", border: "0", minHeight: "1.5rem", minWidth: "1.5rem", padding: "0 0.3rem", textDecoration: "underline", cursor: "pointer" },
  ".cm-vim-panel": { padding: "0.15rem 0.5rem", fontFamily: "var(--code-face)", minHeight: "1.6rem", color: "var(--text)" },
  ".cm-vim-panel input": { font: "inherit", color: "inherit", backgroundColor: "transparent" },
  "&:not(.cm-focused) .cm-fat-cursor, & .cm-fat-cursor": { background: "var(--accent)", color: "var(--on-accent) !important" },
  "&:not(.cm-focused) .cm-fat-cursor": { background: "none", outline: "1px solid var(--accent)", color: "transparent !important" },
});

const view = upgrade(document.querySelector("textarea.code"));
