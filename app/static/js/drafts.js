// What is typed is kept: in this browser at once, on the server about a second later, each time with the revision it
// began from, so that no tab and no device overwrites what it has not seen. Whichever version gives way is set aside.
import { setSource } from "./editor.js";
import { toElement } from "./partial.js";

const PAUSE_MS = 1000; // after the last key
const LONGEST_MS = 5000; // while keys go on
const TIMEOUT_MS = 20_000;
const RETRY_MAX_MS = 60_000;
const KEEPALIVE_MAX = 60_000; // bytes; browsers refuse more than 64 KiB
const ASIDE_MAX = 8;

const form = document.getElementById("submit");
const source = form.elements.source;
const { slug, person } = form.dataset; // person: "" for a guest, who may be about to sign in and goes on with this
const tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");
const status = form.querySelector("[data-draft]");
const notice = form.querySelector("[data-conflict]");
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(`lectern:drafts:${person}:${slug}`) : null;

const text = (template) => template?.content.textContent ?? null;
const starter = (name) => text(form.querySelector(`template[data-starter="${name}"]`));
const drafts = {};
for (const { value } of form.querySelectorAll("input[name=framework]")) drafts[value] = known(value);
let framework = form.elements.framework.value;
let isFromElsewhere = new URLSearchParams(location.search).has("from"); // an older submission, until it is changed
let canStore = true;

/** What the server had when it sent this page, and what this tab makes of it. */
function known(name) {
  const last = form.querySelector(`template[data-last="${name}"]`);
  const at = last ? Date.parse(last.dataset.writtenAt) : null;
  return {
    text: text(last) ?? starter(name), // what the server has
    now: null, // what this tab has; null: not opened yet
    revision: Number(last?.dataset.revision ?? 0),
    submission: last?.dataset.submission ?? "",
    isDraft: last?.dataset.kind === "draft",
    at, savedAt: last?.dataset.kind === "draft" ? at : null,
    tried: [], // texts sent last, whose answer may have been lost
    other: null, // another's version, while it is to be chosen
    isOpen: false,
    saving: null, since: null, timer: 0, failures: 0, refused: null,
  };
}

// In and out of the editor

source.addEventListener("input", () => {
  if (isFromElsewhere) leaveOlder();
  keep();
  offer(null);
});
form.addEventListener("change", (event) => {
  if (event.target.name !== "framework") return;
  save(framework);
  framework = event.target.value;
  isFromElsewhere = false;
  open(drafts[framework]);
});

/** Gives back what is in the editor now. */
export function keep() {
  const draft = drafts[framework];
  draft.now = source.value;
  draft.refused = null;
  if (draft.now === draft.text) {
    forget(framework);
    clearTimeout(draft.timer);
    draft.since = null;
    draft.failures = 0;
  } else {
    store(framework);
    schedule(framework);
  }
  show();
  return draft.now;
}

/** What the server has as a submission needs no draft: elsewhere or later, the desk opens with it. */
export function sent(words) {
  const draft = Object.values(drafts).find(({ now }) => now === words) ?? drafts[framework]; // another may be open now
  Object.assign(draft, { text: words, isDraft: false, savedAt: Date.now() });
  keep();
}

/** An earlier text takes the editor over, as one step that can be undone; what it replaces is set aside. */
export function restore(words, name) {
  const radio = form.querySelector(`input[name=framework][value="${name}"]`);
  if (radio && name !== framework) {
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const draft = drafts[framework];
  if (source.value !== words && (draft.isDraft || source.value !== draft.text)) setAside(framework, source.value, Date.now());
  setSource(words);
}

function open(draft) {
  if (draft.now === null) {
    const kept = read(framework);
    draft.now = kept?.source ?? draft.text;
    draft.tried = kept?.tried ?? [];
    if (kept) store(framework);
    draft.isOpen = true;
    const began = kept && kept.revision === draft.revision && kept.submission === draft.submission;
    const isServers = draft.revision > 0 || draft.submission;
    if (kept && !began && isServers && kept.source !== draft.text && !draft.tried.includes(draft.text)) {
      draft.other = { source: draft.text, revision: draft.revision, at: draft.at, where: "in another tab or on another device" };
    }
  }
  if (source.value === draft.now) keep();
  else setSource(draft.now);
  choose();
}

/** An older submission was opened and is now changed: the draft that it takes the place of is set aside. */
function leaveOlder() {
  isFromElsewhere = false;
  const draft = drafts[framework];
  const kept = read(framework);
  if (kept && kept.source !== source.value) setAside(framework, kept.source, kept.at);
  else if (draft.isDraft) setAside(framework, draft.text, draft.at);
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
  setSource(mine ?? starter(framework));
  offer(mine === null && before !== source.value ? before : null);
});

function offer(words) {
  replaced = words;
  restart.textContent = words === null ? restartWords : "Bring my code back";
}

// On the server

function schedule(name) {
  const draft = drafts[name];
  if (draft.other || draft.failures) return; // a choice or a retry is due
  draft.since ??= Date.now();
  clearTimeout(draft.timer);
  draft.timer = setTimeout(save, Math.max(0, Math.min(PAUSE_MS, draft.since + LONGEST_MS - Date.now())), name);
}

let isSending = false;
let putting = Promise.resolve();

/** Nothing is saved beside what `send` sends: a newcomer's first two writes, on their way at once, would each make a
 * guest, and the browser would be the one who has not sent the submission. */
export async function alone(send) {
  isSending = true;
  await putting;
  return send().finally(() => { isSending = false; });
}

async function save(name) {
  const draft = drafts[name];
  clearTimeout(draft.timer);
  if (isSending) {
    draft.timer = setTimeout(save, PAUSE_MS, name);
    return;
  }
  if (draft.saving !== null || draft.other || draft.refused || draft.now === null || draft.now === draft.text) return;
  const words = draft.saving = draft.now;
  draft.tried = [...draft.tried.slice(-1), words];
  draft.since = null;
  store(name);
  const { status: code, body, wait } = await (putting = put(name, words, draft.revision));
  draft.saving = null;
  if (code === 200) settled(name, words, body);
  else if (code === 409 && body?.draft) {
    draft.revision = Math.min(draft.revision, body.draft.revision - 1); // a server restored from a backup counts anew
    meet(name, { ...body.draft, at: Date.parse(body.draft.saved_at), where: "in another tab or on another device" });
  } else if (code === 0 || code === 429 || code >= 500) later(name, wait);
  else draft.refused = code === 413 ? "Too large to be saved: kept in this browser." : "Kept in this browser; it cannot be saved.";
  show();
}

async function put(name, words, revision) {
  const body = JSON.stringify({ source: words, revision });
  try {
    const answer = await fetch(`/exercises/${slug}/drafts/${name}`, {
      method: "PUT", body, headers: { "Content-Type": "application/json" },
      keepalive: new Blob([body]).size < KEEPALIVE_MAX, signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    return { status: answer.status, body: isJson ? await answer.json() : null, wait: Number(answer.headers.get("retry-after") ?? 0) };
  } catch {
    document.dispatchEvent(new Event("lectern:lost"));
    return { status: 0, body: null, wait: 0 };
  }
}

function settled(name, words, { revision }) {
  const draft = drafts[name];
  if (draft.failures) say("Your code is saved again.");
  Object.assign(draft, { text: words, revision, isDraft: true, savedAt: Date.now(), failures: 0 });
  channel?.postMessage({ name, source: words, revision, at: draft.savedAt });
  if (draft.now === words) forget(name);
  else { store(name); schedule(name); }
}

/** The server cannot be reached, or has no time: again, each time twice as late, and at once when the network is back. */
function later(name, waitSeconds) {
  const draft = drafts[name];
  if (!draft.failures) say("The server cannot be reached. Your code is kept in this browser, and saved when it is back.");
  draft.failures += 1;
  draft.timer = setTimeout(save, Math.max(waitSeconds * 1000, Math.min(RETRY_MAX_MS, 1000 * 2 ** draft.failures)), name);
}

for (const [place, what] of [[window, "online"], [document, "lectern:back"]]) place.addEventListener(what, () => {
  for (const name of Object.keys(drafts)) if (drafts[name].failures) save(name);
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") save(framework);
  else look();
});
addEventListener("pageshow", (event) => { if (event.persisted) look(); });
addEventListener("pagehide", () => {
  const draft = drafts[framework];
  if (draft.other || draft.refused || draft.now === null || draft.now === draft.text || draft.saving === draft.now) return;
  draft.tried = [...draft.tried.slice(-1), draft.now];
  store(framework);
  put(framework, draft.now, draft.revision); // the answer finds nobody; the copy in this browser stays until it is known
});

/** Back at this tab: has another device saved meanwhile? */
async function look() {
  const name = framework;
  if (!drafts[name].revision || drafts[name].saving !== null) return;
  try {
    const answer = await fetch(`/exercises/${slug}/drafts/${name}`);
    const body = answer.ok ? await answer.json() : null;
    if (body) meet(name, { ...body, at: Date.parse(body.saved_at), where: "on another device" });
  } catch { /* there is no hurry */ }
}

channel?.addEventListener("message", ({ data }) => {
  if (drafts[data.name]) meet(data.name, { ...data, where: "in another tab" });
});

// Two versions: nothing is taken from anybody, and nothing is lost either way

function meet(name, other) {
  const draft = drafts[name];
  if (other.revision <= (draft.other?.revision ?? draft.revision)) return;
  const isMine = other.source === draft.now || draft.now === null;
  if (isMine || draft.tried.includes(other.source)) {
    Object.assign(draft, { text: other.source, revision: other.revision, isDraft: true, savedAt: other.at, at: other.at, other: null });
    if (isMine) forget(name);
    else schedule(name);
  } else {
    clearTimeout(draft.timer);
    draft.other = other;
    if (draft.now !== draft.text) store(name); // what was saved before the other came is no unsaved edit of this tab's
    if (name === framework) say(`This was changed ${other.where}. Both versions are kept: choose above the editor.`);
  }
  if (name === framework) { choose(); show(); }
}

/** The choice, where there is one; it waits as long as it likes. */
function choose() {
  const { other } = drafts[framework];
  notice.hidden = other === null;
  if (other === null) return;
  asks(true);
  notice.querySelector("[data-words]").textContent = `This was changed ${other.where}, ${clock(other.at)}.`;
}

notice.querySelector("[data-mine]").addEventListener("click", () => decide("Yours is kept. The other version is set aside in this browser.", () => {
  const { other } = drafts[framework];
  setAside(framework, other.source, other.at);
  adopt(other);
  keep();
  save(framework);
}));
notice.querySelector("[data-theirs]").addEventListener("click", () => decide("This is the other version. Yours is set aside in this browser.", () => {
  const { other, now } = drafts[framework];
  setAside(framework, now, Date.now());
  adopt(other);
  setSource(other.source);
}));
notice.querySelector("[data-difference]").addEventListener("click", async () => {
  const answer = await fetch(`/exercises/${slug}/drafts/${framework}/differences`, {
    method: "POST", headers: { "Content-Type": "application/json", "Lectern-Partial": "1" },
    body: JSON.stringify({ source: source.value }),
  }).catch(() => null);
  const lines = answer?.ok ? toElement(await answer.text()) : null;
  const place = notice.querySelector("[data-lines]");
  place.replaceChildren(lines ?? "The difference cannot be shown just now.");
  place.hidden = false;
});
notice.querySelector("[data-back]").addEventListener("click", () => {
  if (asides[0]) bringBack(asides[0]);
  notice.hidden = true;
});
notice.querySelector("[data-done]").addEventListener("click", () => { notice.hidden = true; });

function adopt(other) {
  Object.assign(drafts[framework], { text: other.source, revision: other.revision, isDraft: true, savedAt: other.at, other: null, failures: 0 });
}

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
let asides = parsed(asideKey) ?? [];

function setAside(name, words, at, from = null) {
  if (!words?.trim() || words === starter(name)) return;
  const others = asides.filter((one) => one.source !== words && (from === null || one.from !== from));
  asides = [{ framework: name, source: words, at, from }, ...others].slice(0, ASIDE_MAX);
  writeAsides();
}

function bringBack(aside) {
  asides = asides.filter((one) => one !== aside);
  restore(aside.source, aside.framework);
  writeAsides();
}

function writeAsides() {
  try { localStorage.setItem(asideKey, JSON.stringify(asides)); } catch { /* this page still has them */ }
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
    line.querySelector("[data-discard]").addEventListener("click", () => {
      asides = asides.filter((one) => one !== aside);
      writeAsides();
    });
    return line;
  }));
}

// In this browser

function keyOf(name) {
  return `lectern:draft:${person}:${slug}:${name}`;
}

function read(name) {
  // What was typed by a guest goes on with whoever they turn out to be; what one account left is not another's.
  return parsed(keyOf(name)) ?? (person ? parsed(`lectern:draft::${slug}:${name}`) : null);
}

function store(name) {
  const { now, revision, submission, tried } = drafts[name];
  const held = parsed(keyOf(name));
  const isOthers = held && held.tab !== tab && ![now, drafts[name].text, ...tried].includes(held.source);
  if (isOthers && drafts[name].isOpen) setAside(name, held.source, held.at, held.tab);
  try {
    localStorage.setItem(keyOf(name), JSON.stringify({ source: now, revision, submission, tried, tab, at: Date.now() }));
    if (person) localStorage.removeItem(`lectern:draft::${slug}:${name}`);
    canStore = true;
  } catch {
    canStore = false;
  }
}

/** The server has it. Another tab's copy stays that tab's. */
function forget(name) {
  const held = parsed(keyOf(name));
  if (!held || (held.tab !== tab && held.source !== drafts[name].text)) return;
  try { localStorage.removeItem(keyOf(name)); } catch { /* nothing was kept */ }
}

function parsed(key) {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
}

// In words

function show() {
  const words = wordsFor(drafts[framework]);
  if (status.textContent !== words) status.textContent = words;
}

function wordsFor(draft) {
  if (draft.now === draft.text || draft.now === null) return draft.savedAt ? `Saved${ago(draft.savedAt)}` : "";
  if (!canStore && (draft.failures || draft.refused)) return "Not saved, and this browser keeps nothing: copy your code before you leave.";
  if (draft.other) return "Kept in this browser; two versions are to choose from.";
  if (draft.refused) return draft.refused;
  return draft.failures ? "Kept in this browser; not saved yet." : "Saving…";
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
list();
if (isFromElsewhere) drafts[framework].now = null;
else open(drafts[framework]);
show();
