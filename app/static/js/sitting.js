// One question of a sitting: revisions.js keeps its answer and saves it. The buttons that lead on wait until that is
// done; without this script they carry the answer themselves.
import { fill, given } from "./fields.js";
import { Revisions, connect } from "./revisions.js";

const PAUSE_MS = 500; // after the last key; what is picked is saved at once
const STOPPED_MS = 600; // after that

const form = document.getElementById("question");
const { sitting, slug, person, place } = form.dataset;
const conflict = form.querySelector("[data-conflict]");
const reading = form.querySelector("[data-read]");
const status = form.querySelector("[data-saved]");
const mark = document.querySelector(`.places button[value="${place}"]`);

let isUnreadable = mark.classList.contains("unreadable"); // as far as the server has read it
let stopped = 0;
let secondsBefore = Number(form.elements.seconds.value);
let shownSince = document.hidden ? null : performance.now();

// An answer and its flag are one text, which can be compared.
const textOf = ({ answer, flagged }) => JSON.stringify([answer, flagged]);
const fields = (text) => {
  const [answer, flagged] = JSON.parse(text);
  return { answer, flagged };
};
const inForm = () => textOf({ answer: given(form), flagged: form.elements.flagged.checked });

const record = new Revisions({
  ...fields(form.elements.base.value), revision: Number(form.elements.revision.value), read_as: null,
  problem: isUnreadable ? "Reload this page to see why." : null, remaining_seconds: null,
}, {
  address: `/api/v1/sittings/${sitting}/answers/${slug}`,
  keys: [`lectern:sitting:${person}:${sitting}:${slug}`],
  pause: PAUSE_MS,
  otherIn: "response",
  fields, textOf,
  extra: () => ({ seconds: seconds() }),
  follows: true,
  show: putBack,
  adopted(body) {
    form.elements.revision.value = body.revision;
    form.elements.base.value = textOf(body);
    document.dispatchEvent(new CustomEvent("lectern:time-left", { detail: body.remaining_seconds }));
  },
  saved(body, isAgain) {
    tell(isAgain ? "Saved again" : "Saved");
    if (record.isSaved) read(body);
  },
  failed(code) {
    unread();
    // In another tab, or after a long while.
    if (code === 401) tell("You are signed out. Your answer is kept in this browser and saved when you sign in.", "Sign in in a new tab", "/sessions/new");
    else tell("Not saved yet. Your answer is kept in this browser and saved when the server is back.");
  },
  refused(code, body) {
    if (code === 409) over(body?.error);
    else tell(body?.error?.message ?? "This cannot be saved.");
  },
  met(isTaken) {
    choose();
    if (isTaken && record.isSaved) {
      state();
      read(record.body);
      tell("Answered in another tab");
    } else if (!isTaken) {
      unread();
      tell("");
    }
  },
});
connect({ [place]: record }, `lectern:sitting:${sitting}`, {
  elsewhere: (name, body) => state(document.querySelector(`.places button[value="${name}"]`), body, Boolean(body.problem)),
});

form.addEventListener("input", (event) => {
  const isTyped = event.target.matches("input:not([type=radio], [type=checkbox]), textarea");
  changed(isTyped ? PAUSE_MS : 0);
});

function changed(pause) {
  record.edit(inForm(), pause);
  if (record.isClosed) return;
  state();
  clearTimeout(stopped);
  if (record.failures) return; // it is tried again in a while, with what stands here by then
  tell(record.isSaved || record.other ? "" : "Saving…");
}

function putBack(text) {
  const { answer, flagged } = fields(text);
  fill(form, answer);
  form.elements.flagged.checked = flagged;
}

function over(problem) {
  record.close();
  unread();
  tell([problem?.message, problem?.hint].filter(Boolean).join(" "), "See the result", `/sittings/${sitting}`);
}

// Two answers to choose from

function choose() {
  conflict.hidden = record.other === null;
  if (record.other) conflict.querySelector("[data-theirs]").textContent = words(record.other.body.answer);
}

function words(given) {
  if (given === null) return "without an answer";
  if (form.querySelector("select, [name^=gap-]")) return inMenus(given);
  const of = (name) => [...form.querySelectorAll("[name=answer]")].find((field) => field.value === name)?.closest("label")?.textContent.trim() ?? name;
  return (Array.isArray(given) ? given.filter(Boolean) : [given]).map(of).map((one) => `“${one}”`).join(", ");
}

/** Of gaps what is in them, of items what they are matched with: as a menu calls it, or as it was typed. */
function inMenus(given) {
  const named = (name) => form.querySelector(`option[value="${CSS.escape(name)}"]`)?.textContent ?? name;
  const labelled = ([place, name]) => `${form.querySelector(`[name="match-${CSS.escape(place)}"]`)?.labels[0].textContent.trim() ?? place}: ${named(name)}`;
  return Array.isArray(given) ? given.map((text) => `“${named(text)}”`).join(", ") : Object.entries(given).map(labelled).join(", ");
}

conflict.querySelector("[data-take]").addEventListener("click", (event) => {
  event.preventDefault();
  if (!record.other) return location.assign(event.target.href);
  record.takeOther();
  read(record.body);
  state();
  choose();
});

// Going on

form.addEventListener("submit", (event) => {
  form.elements.seconds.value = seconds();
  if (record.isClosed || (record.isSaved && !record.other && !record.saving)) return; // nothing in it is new: it only leads on
  event.preventDefault();
  leave(event.submitter);
});

let isWaiting = false;
async function leave(button) {
  if (isWaiting) return;
  isWaiting = true;
  record.isRefused = false;
  const isSaved = await (record.other ? record.keepMine() : record.save()); // both answers were seen: to go on keeps this one
  isWaiting = false;
  choose();
  if (isSaved || record.isClosed) setTimeout(() => form.requestSubmit(button)); // not while this event still goes on
}

document.addEventListener("lectern:time-up", (event) => event.detail.waitFor(record.save()));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    secondsBefore = seconds();
    shownSince = null;
  } else shownSince = performance.now();
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

function seconds() {
  return Math.round((secondsBefore + (shownSince === null ? 0 : (performance.now() - shownSince) / 1000)) * 10) / 10;
}

// In words

/** `link`: its words. From the page of a sitting that goes on it leads to a new tab. */
function tell(sentence, link = "", href = "") {
  const words = link ? `${sentence} ${link}` : sentence;
  if (status.textContent === words) return;
  status.replaceChildren(words.slice(0, words.length - link.length));
  if (link) status.append(Object.assign(document.createElement("a"), { href, target: record.isClosed ? "" : "_blank", textContent: link }));
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

function state(button = mark, { answer, flagged } = fields(record.now), isOdd = isUnreadable) {
  if (!button) return;
  const said = answer === null ? [] : isOdd ? ["unreadable"] : ["answered"];
  const states = [...said, ...(flagged ? ["flagged"] : [])];
  button.className = states.join(" ");
  button.querySelector("[data-state]").textContent = states.join(", ").replace("unreadable", "not readable yet");
}

// What was answered before this script ran, and what this browser had kept when the page went away

const shown = inForm();
if (!conflict.hidden) { // the server asks already
  record.now = shown;
  record.ask();
} else if (shown === record.server) {
  record.open();
  if (!record.isSaved) putBack(record.now);
}
changed(0);
choose();
