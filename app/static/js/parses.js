// Where the source cannot be read as Python, said quietly, once the typing paused and the cursor is on another line.
import {
  EditorView, StateEffect, StateField, ViewPlugin, ensureSyntaxTree,
} from "../vendor/codemirror.js";

const PAUSE = 900; // milliseconds
const PARSE_MS = 60;
const OPEN = { "(": "This ( is never closed.", "[": "This [ is never closed.", "{": "This { is never closed." };
const UNREADABLE = "Python cannot read this line, or something just before it.";

const found = StateEffect.define(); // {from, text} or null

const field = StateField.define({
  create: () => null,
  update(fault, transaction) {
    let now = fault;
    // What was seen before an edit may be corrected by it: better silent than wrong.
    if (transaction.docChanged) now = null;
    for (const effect of transaction.effects) if (effect.is(found)) now = effect.value;
    return now;
  },
});

/** {from, text} of the line that cannot be read, or null: js/marks.js has the gutter for it. */
export const parseFault = (state) => state.field(field, false) ?? null;

/** `isKnown(state)`: the verdict says of this source that it cannot be read, and where. */
export function parseFaults(isKnown) {
  return [
    field,
    ViewPlugin.define((view) => {
      let timer = null;
      const look = () => {
        const fault = isKnown(view.state) ? null : faultIn(view.state);
        if (fault?.from !== view.state.field(field)?.from) view.dispatch({ effects: found.of(fault) });
      };
      return {
        update(update) {
          if (!update.docChanged && !update.selectionSet) return;
          clearTimeout(timer);
          timer = setTimeout(look, PAUSE);
        },
        destroy: () => clearTimeout(timer),
      };
    }),
    EditorView.updateListener.of(announceFault),
  ];
}

/** The first one, if the cursor is on another line. */
function faultIn(state) {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS);
  if (!tree) return null;
  let fault = null;
  tree.iterate({ enter: ({ node }) => {
    if (!fault && node.type.isError) fault = faultAt(node, state);
    return !fault;
  } });
  const here = state.doc.lineAt(state.selection.main.head).from;
  return fault && fault.from !== here && fault.seen !== here ? fault : null;
}

function faultAt(node, state) {
  const seen = state.doc.lineAt(node.from).from;
  for (let parent = node.parent; parent; parent = parent.parent) {
    const first = parent.firstChild;
    const isOpen = first && OPEN[first.name] && !parent.getChild({ "(": ")", "[": "]", "{": "}" }[first.name]);
    if (isOpen) return { from: state.doc.lineAt(first.from).from, seen, text: OPEN[first.name] };
  }
  return { from: seen, seen, text: UNREADABLE };
}

function announceFault({ state, startState, view }) {
  const fault = state.field(field);
  if (!fault || startState.field(field)?.from === fault.from) return;
  view.dispatch({ effects: EditorView.announce.of(`Line ${state.doc.lineAt(fault.from).number}: ${fault.text}`) });
}
