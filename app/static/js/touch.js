// Keys that a phone's keyboard lacks, as buttons below the editor. They leave the keyboard where it is.
import { indentLess, indentMore, redo, undo } from "../vendor/codemirror.js";

const COMMANDS = { undo, redo, indent: indentMore, dedent: indentLess };

export function followTouch(view) {
  for (const button of document.querySelectorAll("[data-edit]")) {
    button.disabled = false;
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      COMMANDS[button.dataset.edit](view);
      view.focus();
    });
  }
}
