// What was sent before: kept up to date, read on without leaving the page, and brought back into the editor.
import { restore } from "./drafts.js";
import { toElement } from "./partial.js";

const compare = document.querySelector(".history .compare");
const details = compare.closest("details");
let isStale = false;

document.addEventListener("lectern:panel", (event) => {
  if (event.target.dataset.state !== "finished") return;
  isStale = true;
  refresh();
});
details.addEventListener("toggle", async () => {
  // The times in it are the reader's own. The desk is the heaviest page: this comes when the list is looked at.
  if (details.open) await import("./day.js").catch(() => null);
  refresh();
});

async function refresh() {
  if (!isStale || !details.open || compare.querySelector("input[name=pick]:checked")) return;
  isStale = false;
  const list = compare.dataset.list;
  const lines = await fetched(list);
  if (!lines || list !== compare.dataset.list) return; // the other list was chosen in the meantime
  compare.querySelector(".sent").replaceWith(lines);
  compare.querySelector(".with").hidden = false; // the first of all is here now: there is something to compare
}

compare.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-older], [data-restore], [data-which]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.matches("[data-which]")) await choose(link);
  else if (link.matches("[data-older]")) await older(link);
  else await bringBack(link);
});

/** The other list in the place of this one; from now on that one is kept up to date. */
async function choose(link) {
  compare.dataset.list = link.href;
  const lines = await fetched(link.href);
  if (!lines) { location.assign(link.href); return; }
  if (compare.dataset.list !== link.href) return;
  compare.querySelector(".sent").replaceWith(lines);
  lines.querySelector("[data-which][aria-current]").focus();
}

async function older(link) {
  const lines = await fetched(link.href);
  if (!lines) { location.assign(link.href); return; }
  lines.querySelector(".lists").remove();
  const first = lines.querySelector("a");
  link.closest(".older").replaceWith(...lines.children);
  first?.focus();
}

async function bringBack(link) {
  const answer = await fetch(`/submissions/${link.dataset.restore}/source`).catch(() => null);
  if (answer?.ok) restore(await answer.text(), link.dataset.framework);
  else location.assign(link.href);
}

async function fetched(path) {
  const answer = await fetch(path, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  return answer?.ok ? toElement(await answer.text()) : null;
}
