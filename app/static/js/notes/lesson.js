// Notes in a lesson: text is selected and highlighted, or written on; so is a section. Below the lesson all are listed.
import { local, session } from "../storage.js";
import { isBare, isTyping } from "../search.js";
import { begin, newKey, notesIn, put, unsent } from "./outbox.js";
import { paint } from "./paint.js";
import { isPicking, pick } from "./pick.js";
import { QUOTE_MAX, anchorOf, prose } from "./text.js";

const PAUSE_MS = 250; // a selection that is still being drawn
const article = document.querySelector("article.lesson");
const TYPED = `lectern:noting:${article.dataset.person}:${article.dataset.lesson}`;
const LAST_COLOUR = "lectern:highlight";
let list = document.getElementById("my-notes");
const tools = list.querySelector("[data-note-tools]").content.firstElementChild.cloneNode(true);
const part = (name) => tools.querySelector(`[data-${name}]`);
const [bar, card, said] = ["note-bar", "note-card", "note-said"].map(part);
const [signTemplate, sectionTemplate] = ["note-sign", "section-note"].map(part);
document.querySelector("main").append(bar, card, said);

const fields = card.querySelector("form").elements;

let chosen = null; // what the bar is for
let open = null; // the note on the card
let back = null; // where the keyboard was

const say = (words) => { said.textContent = words; };
const refsOf = (mark) => mark.dataset.notes.split(" ");
const short = (words) => (words.length > 60 ? `${words.slice(0, 59)}…` : words);

/** The server's notes, with what is not sent yet. */
function notes() {
  const all = new Map(notesIn(list).map((note) => [note.ref, note]));
  for (const item of Object.values(unsent())) {
    if (item.isDeleted) all.delete(item.ref);
    else all.set(item.ref, item);
  }
  return [...all.values()];
}

function show() {
  const held = document.activeElement?.matches(".note-sign") ? { ...document.activeElement.dataset } : null;
  paint(notes(), sign);
  if (held) signOf(held)?.focus({ preventScroll: true });
  for (const holder of prose.querySelectorAll(".section-note")) label(holder);
  list.querySelector("[data-notes-keys]").hidden = false;
}

/** A note that has just been stored is known by its key alone to what came before. */
function signOf({ ref, key }) {
  return [...prose.querySelectorAll(".note-sign")].find(({ dataset }) => dataset.ref === ref || (key && dataset.key === key));
}

function sign(note) {
  const button = signTemplate.cloneNode(true);
  Object.assign(button.dataset, { ref: note.ref, key: note.key ?? "" });
  button.classList.toggle("bare", !note.text);
  button.setAttribute("aria-label", note.text ? `Your note: ${short(note.text)}` : `Your highlight: ${short(note.quote)}`);
  return button;
}

// Sections

for (const heading of prose.querySelectorAll(":scope > :is(h2, h3)[id]")) {
  const holder = sectionTemplate.cloneNode(true);
  holder.dataset.section = heading.id;
  holder.classList.add(heading.localName);
  heading.after(holder);
}

const onSection = (id) => notes().findLast(({ quote, section }) => !quote && section === id);
const titleOf = (id) => document.getElementById(id)?.textContent.trim() || "the beginning of the lesson";

function label(holder) {
  const has = Boolean(onSection(holder.dataset.section));
  const button = holder.querySelector("button");
  holder.classList.toggle("has", has);
  button.setAttribute("aria-label", `${has ? "Your note" : "Write a note"} on “${titleOf(holder.dataset.section)}”`);
  button.title = has ? "Your note" : "Write a note";
}

function writeOnSection(id, near) {
  const key = newKey();
  openCard(onSection(id) ?? { ref: key, key, id: null, revision: 0, section: id, quote: "", before: "", after: "", colour: "yellow", text: "" }, near);
}

/** The section that is being read. */
function sectionNow() {
  const passed = [...prose.querySelectorAll(":is(h1, h2, h3, h4, h5, h6)[id]")].filter((heading) => heading.getBoundingClientRect().top < innerHeight / 2);
  return passed.at(-1) ?? null;
}

// Selecting

let timer = 0;
document.addEventListener("selectionchange", () => {
  clearTimeout(timer);
  timer = setTimeout(offer, PAUSE_MS);
});

/** What is selected of the lesson; null: nothing of it. */
function selected() {
  const selection = getSelection();
  if (selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(prose) || document.activeElement?.closest("textarea, input, .cm-editor, .editor")) return null;
  return { range, anchor: anchorOf(range) };
}

function offer() {
  const now = selected();
  const inside = now && prose.contains(now.range.commonAncestorContainer);
  if (!now || (!now.anchor && !inside)) return hide(bar);
  const isPossible = now.anchor !== null && !now.anchor.tooLong;
  chosen = isPossible ? now.anchor : null;
  for (const button of bar.querySelectorAll("button")) button.hidden = !isPossible;
  const words = !now.anchor ? "Questions, cells and exercises take no highlight. You can write a note on their section."
    : now.anchor.tooLong ? `Select up to ${QUOTE_MAX.toLocaleString("en")} characters.`
    : now.anchor.clipped ? "As far as the text goes: questions and cells are left out." : "";
  bar.querySelector("[data-bar-words]").textContent = words;
  place(bar, now.range);
}

bar.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
bar.addEventListener("click", ({ target }) => {
  if (selected()) offer(); // the bar may have come when less was selected
  const colour = target.closest("[data-colour]")?.dataset.colour;
  if (colour) highlight(colour);
  else if (target.closest("[data-write]")) write();
});
bar.addEventListener("keydown", (event) => {
  const buttons = [...bar.querySelectorAll("button")];
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === "Escape") leaveBar();
  else if (by) buttons.at((buttons.indexOf(document.activeElement) + by) % buttons.length).focus();
});

function leaveBar() {
  hide(bar);
  getSelection().removeAllRanges();
}

/** The note that is made of what is selected. */
function noteOf(anchor, colour) {
  const { section, quote, before, after } = anchor;
  const key = newKey();
  return { ref: key, key, id: null, revision: 0, section, quote, before, after, colour, text: "" };
}

function highlight(colour) {
  if (!chosen) return;
  local.write(LAST_COLOUR, colour);
  const note = noteOf(chosen, colour);
  leaveBar();
  keep(note);
  say(`Highlighted in ${colour}.`);
}

function write() {
  if (!chosen) return;
  const note = noteOf(chosen, lastColour());
  const range = getSelection().rangeCount ? getSelection().getRangeAt(0) : null;
  openCard(note, range);
  leaveBar();
}

const lastColour = () => ["yellow", "green", "blue"].find((colour) => colour === local.read(LAST_COLOUR)) ?? "yellow";

function keep(note) {
  put(note);
  show();
}

// The card

function openCard(note, near) {
  if (open) closeCard();
  back = document.activeElement;
  const typed = session.readJson(TYPED);
  open = note;
  const isThis = typed?.ref === note.ref;
  fields.text.value = isThis ? typed.text : note.text;
  for (const radio of fields.colour) radio.checked = radio.value === (isThis ? typed.colour : note.colour);
  card.querySelector("[data-colours]").hidden = !note.quote;
  card.querySelector("[data-about]").textContent = note.quote ? `“${short(note.quote)}”` : `On “${titleOf(note.section)}”`;
  card.querySelector("[data-delete]").hidden = !note.id && !unsent()[note.ref];
  status(unsent()[note.ref]?.refused ? "Not saved yet." : "");
  place(card, near);
  fields.text.focus({ preventScroll: true });
}

function status(words) {
  card.querySelector("[data-card-status]").textContent = words;
}

/** What is typed survives a reload, saved or not. */
card.addEventListener("input", () => {
  const isKept = session.writeJson(TYPED, { ...open, text: fields.text.value, colour: fields.colour.value });
  if (!isKept) status("This browser keeps nothing: save before you leave.");
});
card.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
card.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeCard();
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
  else return;
  event.preventDefault();
  event.stopPropagation();
});
card.querySelector("[data-close]").addEventListener("click", () => closeCard());
card.querySelector("[data-delete]").addEventListener("click", () => remove());

function save() {
  const note = { ...open, text: fields.text.value.trim(), colour: fields.colour.value };
  if (!note.quote && !note.text) return status("Write something, or cancel.");
  closeCard();
  keep(note);
  signOf(note)?.focus({ preventScroll: true });
  say("Note saved.");
}

function remove() {
  const note = open;
  closeCard();
  keep({ ...note, isDeleted: true });
  say("Deleted.");
}

function closeCard() {
  const again = (open && signOf(open)) ?? back;
  session.write(TYPED, null);
  open = null;
  hide(card);
  if (again?.isConnected && again !== document.body) again.focus({ preventScroll: true });
}

// Where they are shown

function place(box, near) {
  box.showPopover();
  const rects = near?.getClientRects?.() ?? [];
  const at = [...rects].at(-1) ?? { bottom: innerHeight / 3, left: innerWidth / 3 };
  const { width, height } = box.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8));
  const top = at.bottom + 8 + height > innerHeight ? Math.max(8, innerHeight - height - 8) : Math.max(8, at.bottom + 8);
  box.style.setProperty("left", `${left + scrollX}px`);
  box.style.setProperty("top", `${top + scrollY}px`);
}

function hide(box) {
  if (box.matches(":popover-open")) box.hidePopover();
  if (box === bar) chosen = null;
}

// Opening what is there

const noteBy = (ref) => notes().find((note) => note.ref === ref);

document.addEventListener("click", (event) => {
  const { target } = event;
  if (card.contains(target) || bar.contains(target)) return;
  const button = target.closest(".note-sign, .section-note button");
  const mark = target.closest("a, button, input, summary") ? null : target.closest("mark[data-notes]");
  const edit = target.closest("[data-edit-note]");
  if (button?.matches(".note-sign")) openCard(noteBy(button.dataset.ref), button);
  else if (button) writeOnSection(button.closest(".section-note").dataset.section, button);
  else if (mark && getSelection().isCollapsed) openCard(noteBy(refsOf(mark).at(-1)), mark);
  else if (edit && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    openCard(noteBy(String(JSON.parse(edit.closest("[data-note]").dataset.note).id)), edit);
  }
});

// The form below the list: a new list takes over what is typed in it, and so does a reload.

const below = () => list.querySelector(".new-note");

function fillBelow() {
  const begun = session.readJson(`${TYPED}:below`);
  if (!begun) return;
  below().elements.text.value = begun.text;
  below().elements.section.value = begun.section;
}

list.parentElement.addEventListener("input", ({ target }) => {
  if (!target.closest(".new-note")) return;
  const { text, section } = below().elements;
  session.writeJson(`${TYPED}:below`, { text: text.value, section: section.value });
});
fillBelow();

list.parentElement.addEventListener("submit", (event) => {
  const form = event.target.closest(".new-note");
  if (!form) return;
  event.preventDefault();
  session.write(`${TYPED}:below`, null);
  const key = newKey();
  keep({ ref: key, key, id: null, revision: 0, section: form.elements.section.value, quote: "", before: "", after: "", colour: "yellow", text: form.elements.text.value });
  form.reset();
  say("Note saved.");
});

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.repeat || isPicking() || open || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && bar.matches(":popover-open")) leaveBar();
  const isHighlight = isBare(event, "h");
  if (!isHighlight && !isBare(event, "n")) return;
  event.preventDefault();
  clearTimeout(timer);
  offer();
  if (chosen) return isHighlight ? highlight(lastColour()) : write();
  if (isHighlight) return pick(() => { offer(); bar.querySelector("button:not([hidden])")?.focus(); }, say);
  const heading = sectionNow();
  writeOnSection(heading?.id ?? "", heading);
});

// Whatever the server says

begin((fresh, words, ref) => {
  if (fresh) {
    const isOpen = list.querySelector("details").open;
    list.replaceWith(fresh);
    list = fresh;
    list.querySelector("details").open = isOpen || Boolean(words);
    fillBelow();
    // A new note has a number now.
    const stored = open && !open.id ? notesIn(list).find(({ key }) => key === open.key) : null;
    if (stored) open = { ...open, id: stored.id, ref: stored.ref, revision: stored.revision };
  }
  if (words) {
    list.querySelector("[data-notes-status]").textContent = words;
    say(words);
  }
  if (words && open?.ref === ref) status(words);
  show();
});
show();

// A tab that was closed leaves what was typed in it to the next one.
addEventListener("pagehide", () => { if (open) local.write(TYPED, session.read(TYPED)); });
const typed = session.readJson(TYPED) ?? local.readJson(TYPED);
local.write(TYPED, null);
if (typed && (typed.quote || typed.text)) {
  session.writeJson(TYPED, typed);
  openCard(noteBy(typed.ref) ?? typed, signOf(typed));
  status("You were writing this. It is not saved yet.");
}

/** A link to a note leads to the text that it is about; to the list, where that has gone. */
function follow() {
  const ref = location.hash.match(/^#note-(\d+)$/)?.[1];
  const note = ref && noteBy(ref);
  if (!note) return;
  const target = note.quote ? signOf(note) : prose.querySelector(`.section-note[data-section="${CSS.escape(note.section)}"] button`);
  if (!target) {
    list.querySelector("details").open = true;
    document.getElementById(`note-${ref}`).scrollIntoView({ block: "center" });
    return;
  }
  target.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}
addEventListener("hashchange", follow);
if (document.readyState === "complete") follow();
else addEventListener("load", () => requestAnimationFrame(() => setTimeout(follow))); // after the browser's own scrolling

// Paper has the notes in full.
addEventListener("beforeprint", () => { if (notes().length) list.querySelector("details").open = true; });
