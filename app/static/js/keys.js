// The chords of the desk, also from outside the editor: before CodeMirror and the browser make something else of them.
const form = document.getElementById("submit");
const panes = [document.getElementById("statement"), document.getElementById("code"), document.getElementById("results")];

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.altKey) return;
  if (event.key === "F6" && !event.ctrlKey && !event.metaKey) return toPane(event);
  // A link opens with these keys, and a field inside the editor, such as its search, has a meaning of its own for them.
  const at = event.composedPath()[0];
  if (event.key !== "Enter" || at.closest?.("a, summary, button, input, [popover]")) return;
  const kind = chord(event);
  const writes = event.target.closest?.(".editor, textarea");
  // Shift-Enter on a link is the browser's, and elsewhere nobody's.
  if (!kind || (kind === "run" && !writes)) return;
  const own = event.target.closest?.(".own-input");
  const button = own && kind !== "submit"
    ? own.querySelector(`button[name=own][value=${kind}]`) : form.querySelector(`button[name=kind][value=${kind}]`);
  if (!button || (event.target.form ?? form) !== form) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) form.requestSubmit(button);
}, { capture: true });

function chord(event) {
  const control = event.ctrlKey || event.metaKey;
  if (control) return event.shiftKey ? "trace" : "submit";
  return event.shiftKey ? "run" : null;
}

/** To the next pane; past the last one F6 is the browser's again, or nobody would get out. */
function toPane(event) {
  const here = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = panes[here + (event.shiftKey ? -1 : 1)];
  if (!next || (here < 0 && event.shiftKey)) return;
  event.preventDefault();
  // Not the editor's outside: the first that can be focused in it is what scrolls, where nobody can type.
  const editor = next.querySelector(".editor")?.shadowRoot.querySelector("[contenteditable]");
  (next.id === "code" ? editor ?? next.querySelector("textarea") : next).focus();
  next.scrollIntoView({ block: "nearest" });
}
