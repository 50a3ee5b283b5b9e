// What the desk's editor and a lesson's cells share of CodeMirror, which each brings along: a cell fetches it late.

export const colours = ({ HighlightStyle, tags }) => HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.self], color: "var(--code-keyword)", fontWeight: "500" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.definition(tags.className), tags.className], color: "var(--code-name)" },
  { tag: [tags.standard(tags.variableName), tags.meta], color: "var(--code-builtin)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--code-error)" },
]);

export const LOOKS = {
  ".cm-cursor": { borderLeft: "2px solid var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selected)" },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--selected)", boxShadow: "0 1px 0 var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { color: "var(--bad)", backgroundColor: "transparent" },
};

/** Of an editor with numbered lines that fills its pane: the student's and the author's. */
export const NUMBERED_LOOKS = {
  "&.cm-focused": { outline: "none" },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 0.75rem 0 0.5rem" },
  ".cm-gutters": { backgroundColor: "var(--page)", color: "var(--quiet)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.6rem 0 0", minWidth: "1.6rem" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--raised)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  ...LOOKS,
};

/** Typing over a selection. Left to itself the browser keeps the selection's look in a style attribute, which the
    page's policy refuses aloud. */
export const typeOver = ({ EditorView }) => EditorView.domEventHandlers({ beforeinput: (event, view) => {
  if (event.inputType !== "insertText" || !event.data || view.state.selection.main.empty || view.composing) return false;
  typeText({ EditorView }, view, event.data);
  event.preventDefault();
  return true;
} });

/** As if it came from the keyboard: an opening bracket brings its partner. */
export function typeText({ EditorView }, view, text) {
  const { from, to } = view.state.selection.main;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
  if (!isHandled) view.dispatch(insert());
}
