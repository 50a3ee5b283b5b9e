// CodeMirror over the real textarea, which stays the form's truth: every change is written through.
// The editor lives in a shadow root, where its styles are adopted style sheets: the page's policy allows no others.
import {
  EditorState, EditorView, HighlightStyle, bracketMatching, closeBrackets, closeBracketsKeymap, defaultKeymap,
  drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, history, historyKeymap,
  indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, python, syntaxHighlighting, tags,
} from "../vendor/codemirror.js";

/** Replace everything, as one step that can be undone. */
export function setSource(text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
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
  document.getElementById("editor-keys").hidden = false;
  return view;
}

function extensions(textarea) {
  return [
    lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(),
    bracketMatching(), closeBrackets(), highlightActiveLine(), python(), indentUnit.of("    "), EditorState.tabSize.of(4),
    theme, syntaxHighlighting(colours),
    EditorView.contentAttributes.of({
      "aria-label": "Your code in Python", "aria-description": "Tab indents. Escape, then Tab leaves the editor.",
      tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false",
    }),
    keymap.of([
      { key: "Mod-Enter", run: () => submit(textarea.form) }, { key: "Ctrl-Enter", run: () => submit(textarea.form) },
      ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab,
    ]),
    EditorView.domEventHandlers({ beforeinput: typeOver }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      textarea.value = update.state.doc.toString();
      textarea.dispatchEvent(new Event("input", { bubbles: true }));
    }),
  ];
}

/** Typing over a selection. Left to itself the browser keeps the selection's look in a style attribute, which the
    page's policy refuses aloud. */
function typeOver(event, view) {
  const { from, to, empty } = view.state.selection.main;
  if (event.inputType !== "insertText" || !event.data || empty || view.composing) return false;
  const insert = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, event.data, insert));
  if (!isHandled) view.dispatch(insert());
  event.preventDefault();
  return true;
}

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
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "0.86rem", minHeight: "inherit", maxHeight: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code-face)", lineHeight: "1.55", overflow: "auto", fontVariantLigatures: "none" },
  ".cm-content": { padding: "0.75rem 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 0.75rem 0 0.5rem" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--quiet)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.6rem 0 0", minWidth: "2rem" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--raised)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  ".cm-cursor": { borderLeft: "2px solid var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selected)" },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--selected)", boxShadow: "0 1px 0 var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { color: "var(--bad)", backgroundColor: "transparent" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.self], color: "var(--code-keyword)", fontWeight: "500" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.definition(tags.className), tags.className], color: "var(--code-name)" },
  { tag: [tags.standard(tags.variableName), tags.meta], color: "var(--code-builtin)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--code-error)" },
]);

const view = upgrade(document.querySelector("textarea.code"));
