// Submit and Run without leaving the page. One key an attempt, so that a double click or a retry is one submission.
import { alone, asPerson, keep, sent } from "./drafts.js";
import { announce, listen } from "./live.js";
import { showFaults } from "./own-input.js";
import { line, placed, send, toElement } from "./partial.js";
import { session } from "./storage.js";

const form = document.getElementById("submit");
const place = document.getElementById("verdict");
const key = form.elements.idempotency_key;
let sending = false;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (sending) return;
  post({ text: keep(), body: new URLSearchParams(new FormData(form, event.submitter)) }, true);
});

/** `again`: what cannot be sent now is sent once more, by itself, when the connection is back. */
async function post({ text, body }, again) {
  waitingToSend = null;
  busy(true);
  remember(`after ${newestSent()}`);
  session.writeJson(onItsWay, { key: key.value, body: String(body), at: Date.now() });
  const answer = await alone(() => send(form.action, body, { "Idempotency-Key": key.value, ...asPerson }));
  busy(false);
  if (!answer) {
    // The same key next time: if this one did arrive, it is not judged twice.
    place.replaceChildren(line(again
      ? "The server cannot be reached. Your code is kept in this browser. It is sent automatically once you are back online, unless you change it first."
      : "The server cannot be reached. Your code is kept in this browser; submit it again once you are back online."));
    if (again) waitingToSend = { text, body };
    return;
  }
  session.write(onItsWay, null);
  if (answer.part?.matches("[data-own-input]")) {
    remember(shownNow());
    return showFaults(answer.part);
  }
  if (answer.ok) {
    key.value = newKey();
    sent(text, numberOf(answer.part));
  }
  const tall = place.offsetHeight;
  place.replaceChildren(answer.part ?? line("The server sent no answer. Your code is kept in this browser; try again."));
  if (answer.part?.matches(".panel")) {
    // As tall as what stood here, until the verdict is there: what one looks at does not move meanwhile.
    if (answer.part.dataset.events) place.style.setProperty("min-height", `${tall}px`);
    placed(answer.part);
    remember(shownNow());
    announce(answer.part);
    listen(answer.part);
  }
  bringIntoView();
}

document.addEventListener("lectern:panel", (event) => {
  if (event.target.dataset.state === "finished") place.style.removeProperty("min-height");
});

// What could not be sent. Typing, choosing or pressing anything else calls it off.
let waitingToSend = null;
document.addEventListener("lectern:back", () => { if (waitingToSend && !sending) post(waitingToSend, false); });
for (const what of ["input", "change"]) form.closest(".workbench").addEventListener(what, cancel);

function cancel() {
  if (!waitingToSend) return;
  waitingToSend = null;
  session.write(onItsWay, null);
  place.querySelector(".notice p")?.replaceChildren("It was not sent. Your code is kept in this browser: submit it when you are ready.");
}

function busy(isBusy) {
  sending = isBusy;
  if (isBusy) place.setAttribute("aria-busy", "true");
  else place.removeAttribute("aria-busy");
  for (const button of form.elements) {
    if (button.name !== "kind" && button.name !== "own") continue;
    if (isBusy) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

// A reload or a step back finds the last verdict of this tab where it was, also in the middle of judging.
// A student who leaves before the answer finds what came of it, and never the verdict of what they sent before.
const shown = `lectern:shown:${form.dataset.slug}`;
const onItsWay = `lectern:sending:${form.dataset.slug}`;
const shownNow = () => pathOf(place);
const pathOf = (part) => part?.querySelector("header a[href^='/submissions/']")?.getAttribute("href");
const numberOf = (part) => pathOf(part)?.split("/").pop() ?? "";

/** The highest number that this page knows of, in its panel or from when it was loaded; 0: nothing was sent yet. */
function newestSent() {
  const loaded = Array.from(form.querySelectorAll("template[data-submission]"), ({ dataset }) => Number(dataset.submission));
  return Math.max(0, ...loaded, Number(numberOf(place)));
}

const remember = (path) => session.write(shown, path ?? null);

// A newcomer becomes somebody with the answer to their first sending. A reload before that answer makes them a stranger
// again, and what was sent is nobody's. So it is sent once more, with the key that it had: if it did arrive, it is not
// judged twice.
const SEND_AGAIN_MS = 30_000;

function sendAgain() {
  const { key: had, body, at } = session.readJson(onItsWay) ?? {};
  session.write(onItsWay, null);
  if (!had || Date.now() - at > SEND_AGAIN_MS) return;
  key.value = had;
  const said = new URLSearchParams(body);
  post({ text: said.get("source"), body: said }, true);
}

async function showAgain() {
  let path = session.read(shown);
  const before = /^after (\d+)$/.exec(path ?? "")?.[1];
  if (before && newestSent() <= Number(before)) return sendAgain();
  session.write(onItsWay, null);
  if (before) path = `/submissions/${newestSent()}`;
  if (!path) return;
  const answer = await fetch(path, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  if (answer && !answer.ok) return remember(null);
  const part = answer && toElement(await answer.text());
  if (sending || !part || place.querySelector(".panel")) return;
  remember(path);
  place.replaceChildren(part);
  placed(part);
  listen(part);
}
showAgain();

/** The verdict comes into sight. Where the results scroll by themselves, nothing else moves. */
function bringIntoView() {
  const pane = place.closest(".results");
  const isOwnScroller = getComputedStyle(pane).overflowY === "auto";
  const top = place.getBoundingClientRect().top;
  if (isOwnScroller) {
    const from = pane.getBoundingClientRect().top;
    if (top < from || top > from + pane.clientHeight * 0.6) pane.scrollBy({ top: top - from });
  } else if (top < 0 || top > innerHeight * 0.7) {
    place.scrollIntoView({ block: "start" });
  }
}

/** 128 random bits. Not crypto.randomUUID, which plain http on a classroom's network does not have. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
