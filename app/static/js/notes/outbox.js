// What was marked or written and is not on the server yet, kept in this browser until the server has it. It is sent one
// after the other: a newcomer's first two writes, on their way at once, would each make a guest.
import { send } from "../partial.js";
import { local } from "../storage.js";

const article = document.querySelector("article.lesson");
const { person, lesson } = article.dataset;
const KEY = `lectern:notes:${person}:${lesson}`;
let memory = {}; // where the browser keeps nothing
let isKept = true;
let isSending = false;
let heard = () => {};

// What was written by a guest goes on with the account they sign in to.
if (person) {
  const left = local.readJson(`lectern:notes::${lesson}`);
  if (left && local.writeJson(KEY, { ...left, ...local.readJson(KEY) })) local.write(`lectern:notes::${lesson}`, null);
}

/** `hear(part, words, ref)`: the new list of notes, or null, and what is to be said of the note `ref`, if anything. */
export function begin(hear) {
  heard = hear;
  document.addEventListener("lectern:back", flush);
  flush();
}

export function unsent() {
  return (isKept ? local.readJson(KEY) : null) ?? memory;
}

/** `item`: a note, with `id` and `revision` where the server knows it; `isDeleted`: to be deleted. */
export function put(item) {
  change((all) => { all[item.ref] = { ...item, stamp: crypto.getRandomValues(new Uint32Array(1))[0], refused: false }; });
  flush();
}

function drop(ref) {
  change((all) => { delete all[ref]; });
}

function change(edit) {
  const all = unsent();
  edit(all);
  memory = all;
  isKept = local.writeJson(KEY, Object.keys(all).length ? all : null);
}

async function flush() {
  if (isSending) return;
  isSending = true;
  try {
    for (let item = next(); item; item = next()) if (!await sendOne(item)) break;
  } finally {
    isSending = false;
  }
}

const next = () => Object.values(unsent()).find(({ refused }) => !refused);

/** Whether the server can be reached. */
async function sendOne(item) {
  if (item.isDeleted && !item.id) { // the server never had it
    drop(item.ref);
    return true;
  }
  const answer = await send(...addressed(item));
  if (answer === null || answer.status >= 500) {
    if (answer) document.dispatchEvent(new CustomEvent("lectern:lost"));
    heard(null, "The server cannot be reached. Your note is kept in this browser and saved when the server is back.", item.ref);
    return false;
  }
  if (answer.ok) done(item, answer.part);
  else if (answer.status === 404 && item.id) lost(item);
  else if (answer.status === 409) again(item);
  else refuse(item, answer);
  return true;
}

function addressed(item) {
  const fields = { colour: item.colour, text: item.text, revision: item.revision ?? 0 };
  if (item.id) return [`/me/notes/${item.id}${item.isDeleted ? "/deletion" : ""}`, new URLSearchParams(fields)];
  const { key, section, quote, before, after } = item;
  return [`/courses/${lesson}/notes`, new URLSearchParams({ ...fields, key, section, quote, before, after })];
}

/** It is stored. What was changed while it was on its way is a change of what is stored. */
function done(item, part) {
  const stored = notesIn(part).find(({ id, key }) => (item.id ? id === item.id : key === item.key));
  change((all) => {
    const now = all[item.ref];
    if (now?.stamp === item.stamp || !now) delete all[item.ref];
    else if (stored) {
      delete all[item.ref];
      all[refOf(stored)] = { ...now, ref: refOf(stored), id: stored.id, revision: stored.revision };
    }
  });
  heard(part, part.querySelector("[data-notes-status]").textContent, item.ref);
}

/** Deleted in another tab: what was written here goes on as a new note. */
function lost(item) {
  change((all) => {
    delete all[item.ref];
    if (!item.isDeleted && (item.quote || item.text)) {
      const key = newKey();
      all[key] = { ...item, id: null, revision: 0, key, ref: key };
    }
  });
  heard(null, item.isDeleted ? "" : "This note was deleted in another tab. It is kept as a new note.", item.ref);
  refresh();
}

/** Changed in another tab: it is not deleted before it was seen. */
function again(item) {
  drop(item.ref);
  refresh("This note was changed in another tab or on another device. It was not deleted.", item.ref);
}

function refuse(item, answer) {
  change((all) => { if (all[item.ref]) all[item.ref].refused = true; });
  heard(null, `Not saved, but kept in this browser. ${answer.part?.textContent.trim().replace(/\s+/g, " ") ?? ""}`, item.ref);
}

/** The list as the server has it now. */
export async function refresh(words = "", ref = null) {
  const answer = await fetch(`/courses/${lesson}/notes`, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  if (!answer?.ok) return;
  const holder = document.createElement("template");
  holder.innerHTML = (await answer.text()).trim();
  heard(holder.content.firstElementChild, words, ref);
}

export function notesIn(list) {
  return [...list.querySelectorAll("[data-note]")].map((entry) => JSON.parse(entry.dataset.note))
    .map((note) => ({ ...note, ref: refOf(note) }));
}

/** What a note is called on this page: the server's number, or the key of one that it does not have yet. */
export function refOf(note) {
  return note.id ? String(note.id) : note.key;
}

export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("-");
}
