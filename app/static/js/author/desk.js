// The author's desk: what is typed is kept (revisions.js) and seen on the page beside it; saving makes it a revision.
import { follow } from "../checks.js";
import { Revisions, connect } from "../revisions.js";
import { toElement } from "../partial.js";
import { local } from "../storage.js";
import { edit, goToLine, insert, markFaults, setText } from "./editor.js";
import { addPictures } from "./pictures.js";
import { together } from "./together.js";

const PAUSE_MS = 1000;
const SEE_MS = 250;
const CHECK_AGAIN_MS = 8000; // when the server could not be reached

const desk = document.querySelector("[data-author-desk]");
const address = desk.dataset.authorDesk;
const form = document.getElementById("write");
const source = form.elements.text;
const { path, kind, slug, person } = form.dataset;
const status = form.querySelector("[data-draft]");
const choice = form.querySelector("[data-conflict]");
const held = (name) => form.querySelector(`template[data-${name}]`).content.textContent;
const json = (name) => { try { return JSON.parse(held(name)); } catch { return null; } };
let savedText = held("saved-text");
let message = "";

const view = edit(source, { path, save: () => save(), schema: json("schema"), directives: json("directives") });

// What is typed

const text = new Revisions({ text: source.value, revision: Number(form.dataset.unsaved) }, {
  address: `/api/v1/${kind}s/${slug}/unsaved/${path.split("/").map(encodeURIComponent).join("/")}`,
  keys: [`lectern:unsaved:${person}:${kind}:${slug}:${path}`],
  pause: PAUSE_MS,
  otherIn: "unsaved",
  stamp: { base: form.dataset.base },
  fields: (words) => ({ text: words }),
  textOf: (fields) => fields.text,
  extra: () => ({ base: form.dataset.base }),
  mayGo: () => !isSaving,
  show: (words) => setText(view, words),
  adopted({ revision }) { form.elements.unsaved.value = revision; },
  saved({ newest }) {
    if (newest) form.querySelector("[data-newer]").hidden = newest === form.dataset.newest;
    show();
  },
  failed: show,
  refused(code, body) {
    message = body?.error?.message ?? (code === 413 ? "This is too large to keep." : "This cannot be kept on the server.");
    show();
  },
  met(isTaken, where) {
    if (!isTaken) say(`This was changed ${where}. Both texts are kept. Choose one above the editor.`);
    choose();
    show();
  },
});
let isSaving = false;

source.addEventListener("input", () => {
  text.edit(source.value);
  show();
  see();
});

function choose() {
  choice.hidden = text.other === null;
  if (text.other === null) return;
  choice.querySelector("[data-words]").textContent = `You typed something else ${text.other.where}.`;
  for (const name of ["back", "done", "difference"]) choice.querySelector(`[data-${name}]`).hidden = true;
}
choice.querySelector("[data-mine]").addEventListener("click", () => { text.keepMine(); choose(); show(); });
choice.querySelector("[data-theirs]").addEventListener("click", () => { text.takeOther(); choose(); show(); });

function show() {
  const words = text.other ? "Two texts of yours: choose one above the editor."
    : text.isRefused ? `${message} It stays in this browser.`
    : text.failures ? "The server cannot be reached. Your text is kept in this browser."
    : text.now !== savedText ? (text.isSaved ? "Kept. Not saved as a revision yet." : "Keeping…") : "Saved.";
  if (status.textContent !== words) status.textContent = words;
  const mark = document.querySelector(".tree [aria-current]")?.parentElement;
  mark?.classList.toggle("typing", text.now !== savedText);
}

function say(words) { form.querySelector("[data-draft-said]").textContent = words; }

// Saved as a revision: the page stays, and takes from the answer what has changed around the text

form.addEventListener("submit", (event) => {
  event.preventDefault();
  save(event.submitter);
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s" && !event.defaultPrevented) {
    event.preventDefault();
    save();
  }
});

async function save(button = form.querySelector("button:not([name])")) {
  if (isSaving || !button) return;
  isSaving = true;
  const buttons = [...form.querySelectorAll(".bar button")];
  buttons.forEach((one) => one.setAttribute("aria-disabled", "true"));
  status.textContent = button.value === "publish" ? "Saving, then waiting for the checks…" : "Saving…";
  try {
    await text.saving;
    form.elements.base.value = form.dataset.base;
    form.elements.unsaved.value = text.revision;
    const sent = source.value;
    const body = new URLSearchParams(new FormData(form));
    body.set("text", sent);
    if (button.name) body.set(button.name, button.value);
    const reply = await fetch(form.action, { method: "POST", body });
    if (reply.redirected && reply.url.endsWith("/clashes")) {
      text.close(); // the server has it, and the next page shows it beside the other
      location.assign(reply.url);
      return;
    }
    take(new DOMParser().parseFromString(await reply.text(), "text/html"), sent, button);
  } catch {
    document.dispatchEvent(new Event("lectern:lost"));
    status.textContent = "The server cannot be reached. Your text is kept in this browser; save again when it is back.";
    say(status.textContent);
  } finally {
    isSaving = false;
    buttons.forEach((one) => one.removeAttribute("aria-disabled"));
  }
}

function take(answer, sent, button) {
  const newForm = answer.getElementById("write");
  if (!newForm) {
    const problem = answer.querySelector("main h1, .notice, main p");
    status.textContent = answer.querySelector("main")?.innerText.trim().split("\n").filter(Boolean).slice(0, 3).join(" ") || problem?.textContent || "This could not be saved.";
    say(status.textContent);
    return;
  }
  for (const part of [".desk-head", ".tree", ".pick-file", ".checks"]) {
    const [here, there] = [desk.querySelector(part), answer.querySelector(`[data-author-desk] ${part}`)];
    if (here && there) here.replaceWith(there);
  }
  Object.assign(form.dataset, { base: newForm.dataset.base, newest: newForm.dataset.newest, unsaved: newForm.dataset.unsaved });
  form.elements.message.value = "";
  text.page.stamp.base = newForm.dataset.base;
  savedText = sent;
  text.tried = [];
  text.serverHas({ text: sent, revision: Number(newForm.dataset.unsaved) });
  text.edit(source.value);
  form.querySelector("[data-newer]").hidden = true;
  const notice = desk.querySelector(".desk-head [role=alert]");
  show();
  say(notice ? notice.innerText : button.value === "publish" ? "Saved and published." : "Saved.");
  notice?.focus();
  followChecks();
}

// The page beside it

const page = document.querySelector("[data-seen]");
let seeing = 0;
let asked = null;

function see() {
  if (!page) return;
  clearTimeout(seeing);
  seeing = setTimeout(look, SEE_MS);
}

async function look() {
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(`${address}/views`, {
      method: "POST", headers: { "Content-Type": "application/json", "Lectern-Partial": "1" },
      body: JSON.stringify({ path, text: source.value }), signal: asked.signal,
    });
    if (answer.status === 429) { seeing = setTimeout(look, 2000); return; }
    if (!answer.ok) return;
    const seen = toElement(await answer.text());
    const before = page.querySelector("[data-view]");
    // What cannot be read leaves the last good page standing, with what is wrong above it.
    if ("unreadable" in seen.dataset && before) {
      before.querySelector(".faults")?.remove();
      const faults = seen.querySelector(".faults");
      if (faults) before.prepend(faults);
    } else {
      const top = page.scrollTop;
      page.replaceChildren(seen);
      page.scrollTop = top;
    }
    mark();
  } catch { /* the next key asks again */ }
}

/** The reader's faults and the gate's, each on its line. */
function mark() {
  const found = [...document.querySelectorAll("[data-seen] [data-line], [data-checks] [data-line]")]
    .filter((one) => [path, `${slug}/${path}`, ""].includes(one.dataset.path ?? ""))
    .map((one) => ({
      line: Number(one.dataset.line), severity: one.classList.contains("warning") || one.dataset.severity === "warning" ? "warning" : "error",
      text: (one.querySelector("[data-message]") ?? one).textContent.trim().replace(/\s+/g, " "),
    }));
  markFaults(view, found.filter(({ line }) => line > 0));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go], [data-checks] [data-line]");
  if (!link || (link.dataset.path && ![path, `${slug}/${path}`].includes(link.dataset.path))) return;
  if (event.target.closest("a") && !("go" in link.dataset)) return;
  event.preventDefault();
  goToLine(view, Number(link.dataset.go ?? link.dataset.line));
});

// The checks of the saved revision

let following = 0;

async function followChecks() {
  clearTimeout(following);
  const place = document.querySelector("[data-checks]");
  if (!place) return;
  const revision = form.dataset.newest;
  try {
    const answer = await fetch(place.dataset.checks + revision, { headers: { "Lectern-Partial": "1" } });
    if (!answer.ok || revision !== form.dataset.newest) return;
    const part = toElement(await answer.text());
    if (!part) return;
    place.replaceChildren(part);
    follow(part);
  } catch { following = setTimeout(followChecks, CHECK_AGAIN_MS); }
}
document.addEventListener("lectern:check", mark);

// Other files

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-pick-file]")) event.target.form.requestSubmit();
});

addPictures(view, { address, path, isProse: path.endsWith(".md"), insert: (words, at) => insert(view, words, at), say: (words) => { status.textContent = words; say(words); }, done: ({ revision }) => { form.dataset.newest = revision; see(); } });

const copy = local.readJson(text.page.keys[0]);
if (copy && copy.text === source.value) local.write(text.page.keys[0], null);
text.open();
if (source.value !== text.now) setText(view, text.now);
else text.edit(source.value);
connect({ text }, `lectern:author:${person}:${kind}:${slug}:${path}`);
choose();
show();
mark();
if (page) together(view, page);
followChecks();
