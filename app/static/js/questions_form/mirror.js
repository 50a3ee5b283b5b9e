// A question's form and its text, each the other's mirror while one types. The server makes one of the other, so that
// what is shown here is what would be saved; the side that is typed in is never replaced under the cursor.
import { send } from "../partial.js";

const PAUSE_MS = 500;
let timer = null;
let latest = 0;

const editor = () => document.querySelector("[data-mirrors]");
document.documentElement.classList.add("scripted"); // css: no buttons for what happens by itself

document.addEventListener("input", ({ target }) => {
  const side = target.closest("[data-mirror]")?.dataset.mirror;
  if (!side) return;
  clearTimeout(timer);
  timer = setTimeout(() => mirror(side, side === "text" || target.matches("select")), PAUSE_MS);
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-mirrors] [data-more]")) return;
  event.preventDefault();
  mirror("form", true);
});

/** `from`: the side that was typed in. `hasChanged`: the form has other fields now. */
async function mirror(from, hasChanged) {
  clearTimeout(timer);
  const form = editor().querySelector("form");
  const body = new URLSearchParams(new FormData(form));
  body.set("do", from);
  const number = ++latest;
  const answer = await send(form.action, body);
  if (number !== latest || !answer?.part?.matches("[data-mirrors]")) return;
  editor().querySelector("[data-told]").replaceWith(answer.part.querySelector("[data-told]"));
  if (from === "form" && answer.ok) {
    editor().querySelector("#question-text").value = answer.part.querySelector("#question-text").value;
  }
  if (hasChanged && answer.ok) renew(answer.part.querySelector("[data-mirror=form]"));
}

/** The form with its new fields; the focus stays in the same field. */
function renew(part) {
  const name = document.activeElement?.closest("[data-mirror=form]") && document.activeElement.name;
  editor().querySelector("[data-mirror=form]").replaceWith(part);
  if (name) part.querySelector(`[name="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}
