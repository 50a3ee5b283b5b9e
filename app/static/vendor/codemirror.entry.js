// What js/editor.js and the modules beside it need of CodeMirror 6; the last lines are what vim.entry.js and
// author.entry.js share with it.
export { EditorState, Compartment, Prec, RangeSet, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, ViewPlugin, WidgetType, keymap, gutter, hoverTooltip, lineNumbers,
  highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, drawSelection, showPanel, showTooltip, tooltips,
} from "@codemirror/view";
export {
  defaultKeymap, history, historyKeymap, indentLess, indentMore, indentWithTab, isolateHistory, redo, undo,
} from "@codemirror/commands";
export {
  HighlightStyle, syntaxHighlighting, indentOnInput, indentUnit, bracketMatching, ensureSyntaxTree, syntaxTree,
} from "@codemirror/language";
export {
  acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap,
} from "@codemirror/autocomplete";
export { globalCompletion, localCompletionSource, python, pythonLanguage } from "@codemirror/lang-python";
export { tags } from "@lezer/highlight";

export {
  CharCategory, EditorSelection, Facet, MapMode, RangeSetBuilder, codePointAt, codePointSize, combineConfig,
  findClusterBreak, fromCodePoint,
} from "@codemirror/state";
export { Direction, getDialog, getDrawSelectionConfig, getPanel, runScopeHandlers, showDialog } from "@codemirror/view";
export {
  cursorCharBackward, cursorCharLeft, cursorLineBoundaryBackward, cursorLineBoundaryForward, indentSelection,
  insertNewlineAndIndent,
} from "@codemirror/commands";
export {
  Language, StreamLanguage, StringStream, defineLanguageFacet, foldCode, languageDataProp, matchBrackets,
} from "@codemirror/language";
export { IterMode, NodeProp, NodeSet, NodeType, Parser, Tree, parseMixed } from "@lezer/common";
export { Tag, styleTags } from "@lezer/highlight";
