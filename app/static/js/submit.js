// Submit and Run without leaving the page. One key an attempt, so that a double click or a retry is one submission.
import { setSource } from "./editor.js";
import { announce, listen } from "./live.js";
import { line, sendForm, toElement } from "./partial.js";

const form = document.getElementById("submit");
const place = document.getElementById("verdict");
const source = form.elements.source;
const key = form.elements.idempotency_key;
let framework = form.elements.framework.value;
let sending = false;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending) return;
  sending = true;
  place.setAttribute("aria-busy", "true");
  for (const button of form.querySelectorAll("button[name=kind]")) button.setAttribute("aria-disabled", "true");
  keep();
  const answer = await sendForm(form, event.submitter, { "Idempotency-Key": key.value });
  sending = false;
  place.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("button[name=kind]")) button.removeAttribute("aria-disabled");
  if (!answer) {
    // The same key next time: if this one did arrive, it is not judged twice.
    place.replaceChildren(line("The server cannot be reached. Your code is kept in this browser; submit again when you are back."));
    return;
  }
  if (answer.ok) {
    key.value = newKey();
    sent();
  }
  place.replaceChildren(answer.part ?? line("The server sent no answer. Your code is kept in this browser; try again."));
  if (answer.part?.matches(".panel")) {
    remember(answer.part.querySelector("header a")?.getAttribute("href"));
    announce(answer.part);
    listen(answer.part);
  }
  bringIntoView();
});

// A reload or a step back finds the last verdict of this tab where it was, also in the middle of judging.
const shown = `lectern:shown:${form.dataset.slug}`;

function remember(path) {
  try {
    if (path) sessionStorage.setItem(shown, path);
    else sessionStorage.removeItem(shown);
  } catch { /* a browser that keeps nothing shows nothing */ }
}

async function showAgain() {
  let path = null;
  try { path = sessionStorage.getItem(shown); } catch { return; }
  if (!path) return;
  const answer = await fetch(path, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  if (answer && !answer.ok) return remember(null);
  const part = answer && toElement(await answer.text());
  if (sending || !part || place.querySelector(".panel")) return;
  place.replaceChildren(part);
  listen(part);
}
showAgain();

/** The verdict comes into sight; beside a statement, where the bench scrolls by itself, the code above stays in it too. */
function bringIntoView() {
  const bench = place.closest(".workbench");
  const top = place.getBoundingClientRect().top;
  if (top < innerHeight * 0.7) return;
  if (bench.scrollHeight > bench.clientHeight) bench.scrollBy({ top: top - innerHeight * 0.6 });
  else place.scrollIntoView({ block: "start" });
}

// A draft for each framework, in this browser only.
const draft = (name) => `lectern:draft:${form.dataset.slug}:${name}`;
const text = (template) => template?.content.textContent;
const starter = (name) => text(form.querySelector(`template[data-starter="${name}"]`));
const last = {};
for (const name of ["numpy", "jax", "torch"]) last[name] = text(form.querySelector(`template[data-last="${name}"]`)) ?? undefined;

source.addEventListener("input", () => {
  keep();
  offer(null);
});
form.addEventListener("change", (event) => {
  if (event.target.name !== "framework") return;
  framework = event.target.value;
  setSource(read(framework) ?? last[framework] ?? starter(framework));
});
// Starting over can be taken back, also where there is no Ctrl-Z, until something else is typed.
const restart = form.querySelector("[data-restart]");
const restartWords = restart.textContent;
let replaced = null;
restart.addEventListener("click", () => {
  const mine = replaced;
  const before = source.value;
  setSource(mine ?? starter(framework));
  offer(mine === null && before !== source.value ? before : null);
});

function offer(text) {
  replaced = text;
  restart.textContent = text === null ? restartWords : "Bring my code back";
}

if (!new URLSearchParams(location.search).has("from")) {
  const kept = read(framework);
  if (kept !== null && kept !== source.value) setSource(kept);
}

function keep() {
  try {
    const unchanged = source.value === (last[framework] ?? starter(framework));
    if (unchanged) localStorage.removeItem(draft(framework));
    else localStorage.setItem(draft(framework), source.value);
    form.querySelector("[data-draft]").textContent = unchanged ? "" : "Kept in this browser.";
  } catch {
    form.querySelector("[data-draft]").textContent = "This browser keeps no drafts.";
  }
}

/** What the server has is no draft any more: elsewhere or later, the desk opens with it. */
function sent() {
  last[framework] = source.value;
  keep();
}

function read(name) {
  try {
    return localStorage.getItem(draft(name));
  } catch {
    return null;
  }
}

/** 128 random bits. Not crypto.randomUUID, which plain http on a classroom's network does not have. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
