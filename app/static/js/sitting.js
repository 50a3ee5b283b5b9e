// One question of a sitting. What is answered is kept in this browser at once and saved on the server by itself, with
// the revision that it was typed over, so that no tab and no device puts an older answer over a newer one. The buttons
// that lead on wait until that is done; without this script they carry the answer themselves.
import { fill, given } from "./fields.js";

const PAUSE_MS = 500; // after the last key; what is picked is saved at once
const STOPPED_MS = 600; // after that
const TIMEOUT_MS = 20_000;
const RETRY_MAX_MS = 30_000;

const form = document.getElementById("question");
const { attempt, slug, person, place } = form.dataset;
const conflict = form.querySelector("[data-conflict]");
const reading = form.querySelector("[data-read]");
const status = form.querySelector("[data-saved]");
const mark = document.querySelector(`.places button[value="${place}"]`);
const key = `lectern:sitting:${person}:${attempt}:${slug}`;
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(`lectern:sitting:${attempt}`) : null;
const tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");

let [answer, flagged] = JSON.parse(form.elements.base.value);
let isUnreadable = mark.classList.contains("unreadable"); // as far as the server has read it
let server = same(answer, flagged); // what the server has, as one text
let revision = Number(form.elements.revision.value);
let other = null; // another's answer, while it is to be chosen
let saving = null;
let timer = 0;
let stopped = 0;
let failures = 0;
let isOver = false;
let secondsBefore = Number(form.elements.seconds.value);
let shownSince = document.hidden ? null : performance.now();

function same(given, flag) {
  return JSON.stringify([given, flag]);
}

form.addEventListener("input", (event) => {
  const isTyped = event.target.matches("input:not([type=radio], [type=checkbox]), textarea");
  changed(isTyped ? PAUSE_MS : 0);
});

function changed(pause) {
  [answer, flagged] = [given(form), form.elements.flagged.checked];
  keep();
  state();
  clearTimeout(stopped);
  if (failures && !isSaved()) return; // it is tried again in a while, with what stands here by then
  failures = 0;
  tell(isSaved() ? "" : "Saving…");
  clearTimeout(timer);
  if (!isSaved()) timer = setTimeout(save, pause);
}

function isSaved() {
  return same(answer, flagged) === server;
}

// In this browser

function keep() {
  try {
    if (isSaved()) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ answer, flagged, revision, tab }));
  } catch { /* the page still has it */ }
}

function kept() {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
}

// On the server

async function save() {
  clearTimeout(timer);
  if (saving) await saving;
  if (isSaved() || other || isOver) return isSaved();
  const sent = same(answer, flagged);
  saving = put();
  const { code, body, wait } = await saving;
  saving = null;
  if (code === 200) settled(sent, body);
  else if (code === 409 && body?.response) meet(body.response);
  else if (code === 409) over(body?.error);
  else if (code === 401) signedOut();
  else if (code === 0 || code === 429 || code >= 500) later(wait);
  else tell(body?.error?.message ?? "This cannot be saved.");
  return isSaved();
}

async function put() {
  try {
    const response = await fetch(`/api/v1/attempts/${attempt}/answers/${slug}`, {
      method: "PUT", keepalive: true, signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ answer, revision, flagged, seconds: seconds() }),
    });
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { code: response.status, body: isJson ? await response.json() : null, wait: Number(response.headers.get("retry-after") ?? 0) };
  } catch {
    document.dispatchEvent(new Event("lectern:lost"));
    return { code: 0, body: null, wait: 0 };
  }
}

function settled(sent, body) {
  if (sent === same(answer, flagged) && sent !== same(body.answer, body.flagged)) {
    [answer, flagged] = [body.answer, body.flagged]; // kept otherwise than sent, as a NUL is: nobody waits for more
    fill(form, answer);
  }
  adopt(body);
  tell(failures ? "Saved again" : "Saved");
  failures = 0;
  channel?.postMessage({ slug, place, body });
  if (isSaved()) read(body);
  else if (sent !== same(answer, flagged)) timer = setTimeout(save, PAUSE_MS);
}

/** The server has this now, whoever sent it. */
function adopt(body) {
  revision = body.revision;
  server = same(body.answer, body.flagged);
  form.elements.revision.value = revision;
  form.elements.base.value = server;
  document.dispatchEvent(new CustomEvent("lectern:time-left", { detail: body.remaining_seconds }));
  keep();
}

function later(waitSeconds, sentence = "Not saved yet: kept in this browser, and sent when the server is back.", link) {
  failures += 1;
  unread();
  tell(sentence, link);
  timer = setTimeout(save, Math.max(waitSeconds * 1000, Math.min(RETRY_MAX_MS, 1000 * 2 ** failures)));
}

/** In another tab, or after a long while. */
function signedOut() {
  const link = Object.assign(document.createElement("a"), { href: "/sessions/new", target: "_blank", textContent: "Sign in, in another tab" });
  later(0, "You are signed out. What you answered is kept in this browser, and saved when you are back.", link);
}

function over(problem) {
  isOver = true;
  unread();
  const link = Object.assign(document.createElement("a"), { href: `/attempts/${attempt}`, textContent: "See the result" });
  tell([problem?.message, problem?.hint].filter(Boolean).join(" "), link);
  try { localStorage.removeItem(key); } catch { /* nothing was kept */ }
}

for (const [where, what] of [[window, "online"], [document, "lectern:back"]]) where.addEventListener(what, () => {
  if (failures) save();
});

// Two tabs, two devices

channel?.addEventListener("message", ({ data }) => {
  if (data.slug === slug) meet(data.body);
  else state(document.querySelector(`.places button[value="${data.place}"]`), data.body.answer, data.body.flagged, Boolean(data.body.problem));
});

/** Another's answer: taken where this tab has none of its own, and to be chosen where it has. */
function meet(body) {
  if (body.revision <= revision) return;
  const wasSaved = isSaved();
  if (wasSaved || same(body.answer, body.flagged) === same(answer, flagged)) {
    [answer, flagged] = [body.answer, body.flagged];
    if (wasSaved) fill(form, answer);
    form.elements.flagged.checked = flagged;
    adopt(body);
    read(body);
    state();
    tell("Answered in another tab");
  } else {
    other = body;
    conflict.querySelector("[data-theirs]").textContent = words(body.answer);
    conflict.hidden = false;
    unread();
    tell("");
  }
}

function words(given) {
  if (given === null) return "without an answer";
  const of = (name) => [...form.querySelectorAll("[name=answer]")].find((field) => field.value === name)?.closest("label")?.textContent.trim() ?? name;
  return (Array.isArray(given) ? given.filter(Boolean) : [given]).map(of).map((one) => `“${one}”`).join(", ");
}

conflict.querySelector("[data-take]").addEventListener("click", (event) => {
  event.preventDefault();
  if (!other) return location.assign(event.target.href);
  const taken = other;
  other = null;
  [answer, flagged] = [taken.answer, taken.flagged];
  fill(form, answer);
  form.elements.flagged.checked = flagged;
  adopt(taken);
  read(taken);
  state();
  conflict.hidden = true;
});

/** To go on with what stands here: it is saved over the other, which was seen. */
function mine() {
  if (!other) return;
  const seen = other;
  other = null;
  adopt(seen);
  conflict.hidden = true;
}

// Going on

form.addEventListener("submit", (event) => {
  const go = event.submitter?.value ?? "next";
  if (isOver) return;
  event.preventDefault();
  leave(go);
});

let isLeaving = false;
async function leave(go) {
  if (isLeaving) return;
  isLeaving = true;
  mine();
  if (await save() || isOver) {
    const data = new FormData(form);
    data.set("go", go);
    form.elements.seconds.value = seconds();
    const button = Object.assign(document.createElement("input"), { type: "hidden", name: "go", value: go });
    form.append(button);
    form.submit(); // nothing in it is new: it only leads on
    return;
  }
  isLeaving = false;
}

document.addEventListener("lectern:time-up", (event) => event.detail.waitFor(save()));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    secondsBefore = seconds();
    shownSince = null;
    save();
  } else {
    shownSince = performance.now();
    if (failures) save();
  }
});
addEventListener("pagehide", () => { if (!isSaved() && !isOver && !other && !saving) put(); });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

function seconds() {
  return Math.round((secondsBefore + (shownSince === null ? 0 : (performance.now() - shownSince) / 1000)) * 10) / 10;
}

// In words

function tell(sentence, link = null) {
  const said = link ? [sentence, " ", link] : [sentence];
  if (status.textContent !== said.map((piece) => piece.textContent ?? piece).join("")) status.replaceChildren(...said);
}

/** How the server reads it: said before it counts, so that a slip of notation costs nothing. Half a formula is no
 * problem: only someone who has stopped is told of one. */
function read({ read_as: readAs, problem }) {
  clearTimeout(stopped);
  const field = form.querySelector("input[type=text], textarea");
  if (!problem) {
    isUnreadable = false;
    state();
    field?.removeAttribute("aria-invalid");
    reading.replaceChildren(...(readAs ? ["We read this as ", code(readAs)] : []));
  } else {
    stopped = setTimeout(() => {
      isUnreadable = true;
      state();
      field?.setAttribute("aria-invalid", "true");
      const line = Object.assign(document.createElement("span"), { className: "unreadable" });
      line.append("Not readable yet. ", ...problem.split("`").map((piece, n) => n % 2 ? code(piece) : piece));
      reading.replaceChildren(line);
    }, STOPPED_MS);
  }
}

/** What stands there was said of another answer than the one that stands in the field. */
function unread() {
  clearTimeout(stopped);
  form.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
  reading.replaceChildren();
}

function code(words) {
  return Object.assign(document.createElement("code"), { textContent: words });
}

function state(button = mark, given = answer, flag = flagged, isOdd = isUnreadable) {
  if (!button) return;
  const said = given === null ? [] : isOdd ? ["unreadable"] : ["answered"];
  const states = [...said, ...(flag ? ["flagged"] : [])];
  button.className = states.join(" ");
  button.querySelector("[data-state]").textContent = states.join(", ").replace("unreadable", "not readable yet");
}

// What was answered before this script ran, and what this browser had kept when the page went away

const before = kept();
const shown = same(given(form), form.elements.flagged.checked);
if (!conflict.hidden) choose(given(form), form.elements.flagged.checked); // the server asks already
else if (shown !== server) changed(0);
else if (before && before.revision === revision) {
  putBack(before);
  changed(0);
} else if (before && same(before.answer, before.flagged) !== server) {
  putBack(before);
  choose(before.answer, before.flagged);
} else if (before) {
  keep();
}

function putBack(one) {
  fill(form, one.answer);
  form.elements.flagged.checked = one.flagged;
}

/** What the server has stands against what stands in the fields. */
function choose(mine, isFlagged) {
  const problem = isUnreadable ? "Load this page again to see why." : null;
  other = { answer, flagged, revision, read_as: null, problem, remaining_seconds: null };
  conflict.querySelector("[data-theirs]").textContent = words(answer);
  conflict.hidden = false;
  [answer, flagged] = [mine, isFlagged];
}
