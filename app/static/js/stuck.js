// Who is stuck now, asked for again while the page is in sight. Without this, the page has a link that does the same.
import { toElement } from "./partial.js";

const AGAIN_MS = 10_000;
const told = document.querySelector("[data-stuck-told]");

async function lookAgain() {
  const list = document.querySelector("[data-stuck]");
  if (!list || document.hidden) return;
  const answer = await fetch(list.dataset.stuck, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  if (!answer) return document.dispatchEvent(new CustomEvent("lectern:lost"));
  if (!answer.ok) return clearInterval(timer); // signed out, or no longer in the class
  const next = toElement(await answer.text());
  if (next.innerHTML === list.innerHTML) return;
  const place = focusedIn(list);
  list.replaceWith(next);
  if (place) next.querySelector(`a[href="${CSS.escape(place)}"]`)?.focus({ preventScroll: true });
  const count = next.querySelectorAll("li").length;
  if (told) told.textContent = count === 1 ? "1 student is stuck now." : `${count} students are stuck now.`;
}

/** The address of the link in it that has the focus. */
function focusedIn(list) {
  return list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
}

const timer = setInterval(lookAgain, AGAIN_MS);
document.addEventListener("visibilitychange", lookAgain);
