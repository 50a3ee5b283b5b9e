// Notes on the page: each stretch of text as a <mark>, and after it a sign that the keyboard reaches.
import { find, prose, readText } from "./text.js";

/** Marks the notes that have a quotation, instead of what was marked before. `sign` makes one's button. */
export function paint(notes, sign) {
  clear();
  const text = readText();
  const placed = notes.filter(({ quote }) => quote)
    .map((note) => ({ note, place: find(note, text) })).filter(({ place }) => place !== null);
  const last = new Map();
  for (const unit of text.units) {
    const here = placed.filter(({ place: [from, to] }) => from < unit.at + unit.length && to > unit.at);
    if (!here.length || unit.wall) continue;
    const marks = unit.formula ? markFormula(unit, here) : markText(unit, here);
    for (const { mark, notes: own } of marks) for (const note of own) last.set(note, mark);
  }
  for (const [note, mark] of last) after(mark).after(sign(note));
}

function clear() {
  for (const one of prose.querySelectorAll(".note-sign")) one.remove();
  for (const mark of prose.querySelectorAll("mark[data-notes]")) mark.replaceWith(...mark.childNodes);
  prose.normalize();
}

/** The text in pieces: a new one begins where a note begins or ends. */
function markText(unit, here) {
  const words = unit.node.data;
  const offset = (at) => (at <= unit.at ? 0 : at >= unit.at + unit.length ? words.length : unit.offsets[at - unit.at]);
  const spans = here.map(({ note, place: [from, to] }) => ({ note, from: offset(from), to: offset(to) }));
  const cuts = [...new Set([0, words.length, ...spans.flatMap(({ from, to }) => [from, to])])].sort((one, other) => one - other);
  const marks = [];
  const pieces = cuts.slice(1).map((to, index) => {
    const from = cuts[index];
    const own = spans.filter((span) => span.from <= from && span.to >= to).map(({ note }) => note);
    const piece = words.slice(from, to);
    // Between two blocks stands a line end, which is no place for an element.
    if (!own.length || !piece.trim() && !unit.node.parentElement.closest("p, li, td, th, pre, h1, h2, h3, h4, h5, h6, figcaption")) return piece;
    const mark = newMark(own);
    mark.textContent = piece;
    marks.push({ mark, notes: own });
    return mark;
  });
  unit.node.replaceWith(...pieces);
  return marks;
}

/** A formula between words; one on a line of its own is left as it is. */
function markFormula(unit, here) {
  if (unit.formula.closest(".math")) return [];
  const own = here.map(({ note }) => note);
  const mark = newMark(own);
  unit.formula.replaceWith(mark);
  mark.append(unit.formula);
  return [{ mark, notes: own }];
}

function newMark(notes) {
  const mark = document.createElement("mark");
  mark.className = `highlight ${notes.at(-1).colour}`;
  mark.dataset.notes = notes.map(({ ref }) => ref).join(" ");
  return mark;
}

/** Not within a link or code: a button there would be part of it. */
function after(mark) {
  let element = mark;
  while (element.parentElement.matches("a, code, em, strong, span, sup, mark")) element = element.parentElement;
  while (element.nextElementSibling?.matches(".note-sign") && element.nextSibling === element.nextElementSibling) element = element.nextElementSibling;
  return element;
}
