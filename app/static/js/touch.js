// Keys that a phone's keyboard lacks, in a row above it while someone types. They leave the focus in the editor, and so
// the keyboard where it is.
import { EditorView, indentLess, indentMore, redo, undo } from "../vendor/codemirror.js";
import { typeText } from "./code-editor.js";

const COMMANDS = { undo, redo, indent: indentMore, dedent: indentLess };
const ARROWS = { left: "ArrowLeft", right: "ArrowRight" };

export function followTouch(view, showCursor) {
  const row = document.querySelector(".touch-keys");
  for (const happens of ["pointerdown", "mousedown"]) row.addEventListener(happens, (event) => event.preventDefault());
  row.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    view.focus();
    press(view, button.dataset);
  });
  if (window.visualViewport) followKeyboard();
  // The row comes with the focus, and the keyboard after it: the line one came to is not below them.
  view.contentDOM.addEventListener("focus", () => showCursor(view));
  addEventListener("resize", () => showCursor(view));
}

/** As a key does: Vim and the open list of names hear of it first. */
function press(view, { edit, types }) {
  const key = types ?? ARROWS[edit];
  const event = key && new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  if (event && !view.contentDOM.dispatchEvent(event)) return;
  if (types) typeText({ EditorView }, view, types);
  else COMMANDS[edit]?.(view);
}

/** Where the keyboard lies over the page instead of making it shorter, the row is lifted by as much. */
function followKeyboard() {
  const root = document.documentElement;
  const lift = () => {
    const { height, offsetTop, scale } = visualViewport;
    const covered = scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - height - offsetTop));
    root.style.setProperty("--keyboard", `${covered}px`);
  };
  for (const happens of ["resize", "scroll"]) visualViewport.addEventListener(happens, lift);
  lift();
}
