// Most who open a lesson write nothing on it: what notes need is loaded once there are some, or somebody moves.
import { loadStyle } from "../partial.js";
import { local, session } from "../storage.js";
import { isBare } from "../search.js";

const article = document.querySelector("article.lesson");
const place = `${article.dataset.person}:${article.dataset.lesson}`;
const isWritten = document.querySelector("[data-note]") !== null
  || [local, session].some((store) => ["notes", "noting"].some((what) => store.read(`lectern:${what}:${place}`)))
  || local.read(`lectern:notes::${article.dataset.lesson}`) !== null;
const SIGNS = ["pointermove", "pointerdown", "touchstart", "scroll", "keydown", "focusin", "selectionchange"];

if (isWritten) begin();
else for (const sign of SIGNS) document.addEventListener(sign, load, { passive: true });

async function load(event) {
  for (const sign of SIGNS) document.removeEventListener(sign, load);
  await begin();
  // The key that loaded it does what it would have done.
  if (isBare(event, "h") || isBare(event, "n")) event.target.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true }));
}

async function begin() {
  await loadStyle(new URL("../../css/notes.css", import.meta.url));
  await import("./lesson.js");
}
