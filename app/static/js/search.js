// The palette: / or Ctrl-K opens it anywhere, results come as one types, the arrows choose. Nothing that is typed is kept.
import { toElement } from "./partial.js";

const PAUSE_MS = 90;
const palette = document.getElementById("palette");
const input = palette.querySelector("input");
const place = palette.querySelector("[data-found]");
let asked = "";
let answered = "";
let timer;
let asking = new AbortController();

document.addEventListener("keydown", (event) => {
  const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (!isShortcut && (!isBare(event, "/") || isTyping(event))) return;
  event.preventDefault();
  open();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-search]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
});

function open() {
  palette.showModal();
  input.select();
  input.focus();
}

palette.addEventListener("click", (event) => {
  const link = event.target.closest("a[role=option]");
  // A place on this very page: nothing is loaded, so the palette would stay before it.
  if (event.target === palette || event.target.closest("[data-close]") || (link && isHere(link))) palette.close();
});
palette.addEventListener("close", () => clearTimeout(timer));

input.addEventListener("input", () => {
  asked = input.value.trim();
  clearTimeout(timer);
  timer = setTimeout(ask, asked ? PAUSE_MS : 0);
});

input.addEventListener("keydown", (event) => {
  const options = [...place.querySelectorAll("[role=option]")];
  const now = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (event.isComposing) return;
  if (event.key === "ArrowDown") choose(options, now + 1 < options.length ? now + 1 : 0);
  else if (event.key === "ArrowUp") choose(options, now > 0 ? now - 1 : options.length - 1);
  else if (event.key === "Enter" && options[now] && answered === asked) options[now].click();
  else return;
  event.preventDefault();
});

async function ask() {
  asking.abort();
  asking = new AbortController();
  const words = asked;
  if (!words) return show(null, words);
  try {
    const response = await fetch(`/search?q=${encodeURIComponent(words.slice(0, 200))}`, {
      headers: { "Lectern-Partial": "1" }, signal: asking.signal,
    });
    if (response.ok) show(toElement(await response.text()), words);
  } catch { /* another letter was typed, or the server is away: Enter still leads to the page */ }
}

function show(found, words) {
  answered = place.dataset.words = words;
  place.replaceChildren(...(found ? [found] : []));
  const options = [...place.querySelectorAll("[role=option]")];
  input.setAttribute("aria-expanded", String(options.length > 0));
  input.setAttribute("aria-controls", options.length ? "palette-list" : "palette-found");
  choose(options, 0);
  place.scrollTop = 0;
}

function choose(options, index) {
  for (const option of options) option.setAttribute("aria-selected", "false");
  const chosen = options[index];
  if (!chosen) return input.removeAttribute("aria-activedescendant");
  chosen.setAttribute("aria-selected", "true");
  chosen.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", chosen.id);
}

function isHere(link) {
  return link.hash && link.origin + link.pathname === location.origin + location.pathname;
}

// Whether a key is meant for what someone types in: a field, the editor (which lives in a shadow root), a dialog.
export function isTyping(event) {
  const [target] = event.composedPath();
  return event.defaultPrevented || event.isComposing
    || (target instanceof Element && (target.isContentEditable || target.matches("input:not([type=radio], [type=checkbox]), textarea, select")));
}

/** A bare key, not part of a shortcut of the browser's or of assistive technology's. */
export function isBare(event, key) {
  return event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey;
}
