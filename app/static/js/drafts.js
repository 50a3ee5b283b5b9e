// The drafts of an exercise, one for each framework (revisions.js keeps and saves them). Of two versions the one that
// gives way is set aside in this browser.
import { setSource } from "./editor.js";
import { toElement } from "./partial.js";
import { Revisions, connect } from "./revisions.js";
import { local } from "./storage.js";

const PAUSE_MS = 1000; // after the last key
const ASIDE_MAX = 8;
const SIGNED_OUT = "You are signed out. Your code is kept in this browser: sign in as before to save it.";

const form = document.getElementById("submit");
const source = form.elements.source;
const { slug, person } = form.dataset; // person: "" for a guest, who may be about to sign in and goes on with this
const status = form.querySelector("[data-draft]");
const notice = form.querySelector("[data-conflict]");

const text = (template) => template?.content.textContent ?? null;
const starter = (name) => text(form.querySelector(`template[data-starter="${name}"]`));
/** Whose page this is: the server takes it of nobody else (app/people/identity.py). */
export const asPerson = person ? { "Lectern-Person": person } : {};
const drafts = {};
for (const { value } of form.querySelectorAll("input[name=framework]")) drafts[value] = draftFor(value);
let framework = form.elements.framework.value;
let isFromElsewhere = new URLSearchParams(location.search).has("from"); // an older submission, until it is changed

/** What the server had when it sent this page. */
function draftFor(name) {
  const last = form.querySelector(`template[data-last="${name}"]`);
  const isDraft = last?.dataset.kind === "draft";
  const body = { source: text(last) ?? starter(name), revision: Number(last?.dataset.revision ?? 0), saved_at: last?.dataset.writtenAt };
  const draft = new Revisions(body, {
    address: `/api/v1/exercises/${slug}/drafts/${name}`,
    // What was typed by a guest goes on with the account they sign in to; what one account left is not another's.
    keys: [person, ...(person ? [""] : [])].map((whose) => `lectern:draft:${whose}:${slug}:${name}`),
    pause: PAUSE_MS,
    otherIn: "draft",
    headers: asPerson,
    stamp: { submission: last?.dataset.submission ?? "" },
    grows: ["submission"],
    fields: (words) => ({ source: words }),
    textOf: (fields) => fields.source,
    mayGo: () => !isSending,
    show: setSource,
    adopted({ saved_at: at }, isOwn) {
      Object.assign(draft, { isDraft: true, savedAt: isOwn ? Date.now() : Date.parse(at) });
    },
    saved(_, isAgain) {
      if (isAgain) say("Your code is saved again.");
      show();
    },
    failed(code) {
      draft.isSignedOut = code === 401;
      if (draft.failures !== 1) return show();
      say(draft.isSignedOut ? SIGNED_OUT : "The server cannot be reached. Your code is kept in this browser and saved when the server is back.");
      show();
    },
    refused(code) {
      draft.refusal = code === 413 ? "Too large to save. Your code is kept in this browser." : "This cannot be saved. Your code is kept in this browser.";
      show();
    },
    met(isTaken, where) {
      if (name !== framework) return;
      if (!isTaken) say(`This was changed ${where}. Both versions are kept. Choose one above the editor.`);
      choose();
      show();
    },
    displaced(copy) {
      if (draft.isOpen) setAside(name, copy.source, copy.at, copy.tab);
    },
  });
  return Object.assign(draft, { isDraft, isOpen: false, refusal: "", savedAt: isDraft ? Date.parse(body.saved_at) : null });
}

// In and out of the editor

source.addEventListener("input", () => {
  keep();
  offer(null);
});
form.addEventListener("change", (event) => {
  if (event.target.name !== "framework") return;
  drafts[framework].save();
  framework = event.target.value;
  isFromElsewhere = false;
  open(drafts[framework]);
});

/** Gives back what is in the editor now. */
export function keep() {
  if (isFromElsewhere) leaveOlder();
  drafts[framework].edit(source.value);
  show();
  return source.value;
}

// Vim's `:w`
document.addEventListener("lectern:save", () => {
  keep();
  drafts[framework].save();
});

/** What the server has as a submission needs no draft: the desk opens with it. `number`: the submission's, if known. */
export function sent(words, number) {
  const draft = Object.values(drafts).find(({ now }) => now === words) ?? drafts[framework]; // another may be open now
  Object.assign(draft, { server: words, isDraft: false, savedAt: Date.now() });
  if (number) draft.page.stamp.submission = number;
  keep();
  if (draft.isSaved) draft.keepForAWhile();
}

/** An earlier text takes the editor over, as one step that can be undone; what it replaces is set aside. */
export function restore(words, name) {
  const radio = form.querySelector(`input[name=framework][value="${name}"]`);
  if (radio && name !== framework) {
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const draft = drafts[framework];
  if (source.value !== words && (draft.isDraft || source.value !== draft.server)) setAside(framework, source.value, Date.now());
  setSource(words);
}

function open(draft) {
  if (draft.now === null) {
    draft.open();
    draft.isOpen = true;
  }
  if (source.value === draft.now) keep();
  else setSource(draft.now);
  choose();
}

/** An older submission was opened and is now changed, sent or run: the draft that it takes the place of is set aside. */
function leaveOlder() {
  isFromElsewhere = false;
  const draft = drafts[framework];
  const kept = draft.copy();
  if (kept && kept.source !== source.value) setAside(framework, kept.source, kept.at);
  else if (draft.isDraft) setAside(framework, draft.server, draft.savedAt);
  const address = new URL(location.href);
  address.searchParams.delete("from"); // a reload now finds the draft
  history.replaceState(history.state, "", address);
}

// Starting over can be taken back, also where there is no Ctrl-Z, until something else is typed.
const restart = form.querySelector("[data-restart]");
const restartWords = restart.textContent;
let replaced = null;
restart.addEventListener("click", () => {
  const mine = replaced;
  const before = source.value;
  const draft = drafts[framework];
  // A reload forgets how to undo it.
  if (mine === null && !isFromElsewhere && (draft.isDraft || before !== draft.server)) setAside(framework, before, Date.now());
  setSource(mine ?? starter(framework));
  offer(mine === null && before !== source.value ? before : null);
});

function offer(words) {
  replaced = words;
  restart.textContent = words === null ? restartWords : "Undo reset";
}

// On the server

let isSending = false;

/** Nothing is saved beside what `send` sends: a newcomer's first two writes, on their way at once, would each make a
 * guest, and the browser would be the one who has not sent the submission. */
export async function alone(send) {
  isSending = true;
  await Promise.all(Object.values(drafts).map(({ saving }) => saving));
  if (drafts[framework].now !== null) drafts[framework].goes(); // what cannot be judged now is kept as a draft
  return send().finally(() => { isSending = false; });
}

/** Back at this tab: has another device saved meanwhile? */
async function look() {
  const draft = drafts[framework];
  if (!draft.revision || draft.saving) return;
  try {
    const answer = await fetch(draft.page.address);
    if (answer.ok) draft.meet(await answer.json(), "on another device");
  } catch { /* there is no hurry */ }
}

connect(drafts, `lectern:desk:${person}:${slug}`, { back: look });

// The choice between two versions, and what has given way

/** The choice, where there is one; it waits as long as it likes. */
function choose() {
  const { other } = drafts[framework];
  notice.hidden = other === null;
  if (other === null) return;
  asks(true);
  notice.querySelector("[data-words]").textContent = `This was changed ${other.where}, ${clock(other.body.saved_at)}.`;
}

notice.querySelector("[data-mine]").addEventListener("click", () => decide("Yours is kept. The other version is set aside in this browser.", () => {
  const { other } = drafts[framework];
  setAside(framework, other.text, Date.parse(other.body.saved_at));
  drafts[framework].keepMine();
}));
notice.querySelector("[data-theirs]").addEventListener("click", () => decide("You now have the other version. Yours is set aside in this browser.", () => {
  setAside(framework, drafts[framework].now, Date.now());
  drafts[framework].takeOther();
}));
notice.querySelector("[data-difference]").addEventListener("click", async () => {
  const answer = await fetch(`/exercises/${slug}/drafts/${framework}/differences`, {
    method: "POST", headers: { "Content-Type": "application/json", "Lectern-Partial": "1" },
    body: JSON.stringify({ source: source.value }),
  }).catch(() => null);
  const lines = answer?.ok ? toElement(await answer.text()) : null;
  const place = notice.querySelector("[data-lines]");
  place.replaceChildren(lines ?? "The difference cannot be shown right now.");
  place.hidden = false;
});
notice.querySelector("[data-back]").addEventListener("click", () => {
  if (asides[0]) bringBack(asides[0]);
  notice.hidden = true;
});
notice.querySelector("[data-done]").addEventListener("click", () => { notice.hidden = true; });

function decide(words, change) {
  change();
  asks(false);
  notice.hidden = false;
  notice.querySelector("[data-words]").textContent = words;
  say(words);
  notice.querySelector("[data-back]").focus();
  show();
}

function asks(whether) {
  for (const name of ["mine", "theirs", "difference"]) notice.querySelector(`[data-${name}]`).hidden = !whether;
  for (const name of ["back", "done"]) notice.querySelector(`[data-${name}]`).hidden = whether;
  notice.querySelector("[data-lines]").hidden = true;
}

// Set aside: in this browser, until it is brought back or discarded

const asideKey = `lectern:aside:${person}:${slug}`;
let asides = local.readJson(asideKey) ?? [];
let areKept = true; // by this browser, where other tabs set aside too

function readAsides() {
  if (areKept) asides = local.readJson(asideKey) ?? [];
}
addEventListener("storage", ({ key }) => {
  if (key !== asideKey) return;
  readAsides();
  list();
});

function setAside(name, words, at, from = null) {
  if (!words?.trim() || words === starter(name)) return;
  readAsides();
  const others = asides.filter((one) => one.source !== words && (from === null || one.from !== from));
  asides = [{ framework: name, source: words, at, from }, ...others].slice(0, ASIDE_MAX);
  writeAsides();
}

function bringBack(aside) {
  remove(aside);
  restore(aside.source, aside.framework);
}

function remove(aside) {
  readAsides();
  asides = asides.filter((one) => one.source !== aside.source || one.framework !== aside.framework);
  writeAsides();
}

function writeAsides() {
  areKept = local.writeJson(asideKey, asides);
  list();
}

function list() {
  const section = document.querySelector("[data-asides]");
  if (!section) return;
  section.hidden = asides.length === 0;
  section.querySelector("ul").replaceChildren(...asides.map((aside) => {
    const line = section.querySelector("template").content.firstElementChild.cloneNode(true);
    line.querySelector("[data-words]").textContent = `${clock(aside.at)}, ${form.querySelector(`input[value="${aside.framework}"]`)?.closest("label").textContent.trim() ?? aside.framework}, ${aside.source.split("\n").length} lines`;
    line.querySelector("[data-bring]").addEventListener("click", () => bringBack(aside));
    line.querySelector("[data-discard]").addEventListener("click", () => remove(aside));
    return line;
  }));
}

// In words

function show() {
  const words = wordsFor(drafts[framework]);
  if (status.textContent !== words) status.textContent = words;
}

function wordsFor(draft) {
  if (draft.isSaved) return draft.savedAt ? `Saved${ago(draft.savedAt)}` : "";
  if (!draft.isKept && (draft.failures || draft.isRefused)) return "Not saved, and this browser cannot keep it. Copy your code before you leave.";
  if (draft.other) return "Kept in this browser. Choose one of the two versions.";
  if (draft.isRefused) return draft.refusal;
  if (draft.failures && draft.isSignedOut) return SIGNED_OUT;
  return draft.failures ? "Kept in this browser, not saved yet." : "Saving…";
}

function ago(at) {
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  if (seconds < 3) return "";
  if (seconds < 10) return ` ${Math.floor(seconds)} s ago`;
  if (seconds < 60) return ` ${Math.floor(seconds / 10) * 10} s ago`;
  return seconds < 3600 ? ` ${Math.floor(seconds / 60)} min ago` : `, ${clock(at)}`;
}

function clock(at) {
  const then = new Date(at);
  const isToday = then.toDateString() === new Date().toDateString();
  return then.toLocaleString(document.documentElement.lang || [], {
    hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(isToday ? {} : { day: "numeric", month: "long" }),
  });
}

/** Read aloud where screens are read: what changes, not each tick. */
function say(words) {
  form.querySelector("[data-draft-said]").textContent = words;
}

setInterval(show, 3000);
// Of two that met when somebody signed in, the older one.
for (const aside of form.querySelectorAll("template[data-aside]")) setAside(aside.dataset.aside, text(aside), Date.now());
list();
if (isFromElsewhere) drafts[framework].now = null;
else open(drafts[framework]);
show();
