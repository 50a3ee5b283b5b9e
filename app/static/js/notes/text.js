// The lesson's text as one line of characters, each of which knows where it stands on the page. Notes are about
// stretches of it. A formula is one piece; a question, a cell or an exercise is a wall, which no note goes across.
const WALLS = ".question, .cell, .lab, .to-exercise, .footnotes";
const UNREAD = ".copy, .footnote-ref, .footnote-back, .side-note, .sidenote, .section-note, .note-sign, .ask, script, template";
const WALL = "\uFFFC";
const AROUND = 32; // characters of what stands before and after
export const QUOTE_MAX = 1500;

export const prose = document.querySelector("article.lesson .prose");

/** `units`: pieces in order, each with its place in `line`. `sections`: where each heading begins. */
export function readText() {
  const units = [];
  const sections = [{ id: "", at: 0 }];
  let line = "";

  function add(unit, text) {
    units.push({ ...unit, at: line.length, length: text.length });
    line += text;
  }

  function addText(node) {
    const offsets = [];
    let text = "";
    for (const [offset, sign] of [...node.data].reduce(withOffsets, { at: 0, all: [] }).all) {
      const isSpace = /\s/.test(sign);
      if (isSpace && /\s$/.test(line + text)) continue;
      for (let unit = 0; unit < sign.length; unit++) offsets.push(offset + unit);
      text += isSpace ? " " : sign;
    }
    if (text) add({ node, offsets }, text);
  }

  (function walk(parent) {
    for (const child of parent.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) addText(child);
      else if (child.nodeType !== Node.ELEMENT_NODE || child.matches(UNREAD)) continue;
      else if (child.matches(WALLS)) add({ wall: child }, WALL);
      else if (child.localName === "math") add({ formula: child }, written(child));
      else {
        if (/^h[1-6]$/.test(child.localName) && child.id) sections.push({ id: child.id, at: line.length });
        walk(child);
      }
    }
  })(prose);
  return { line, units, sections };
}

const JOINTS = { msub: "_", msup: "^", mfrac: "/" };

/** A formula as one would type it: d_model, x^2, i = 1. */
function written(element) {
  if (!element.children.length) return element.localName === "mo" ? element.textContent.replace(/[=≈≠<>≤≥→⋅·×+−∈≡]/, " $& ") : element.textContent;
  return [...element.children].map(written).join(JOINTS[element.localName] ?? "");
}

function withOffsets(state, sign) {
  state.all.push([state.at, sign]);
  state.at += sign.length;
  return state;
}

/** What is selected as {section, quote, before, after}. `clipped`: it went on across a wall. null: nothing of the text
 * is. `tooLong`: more than a note may be about. */
export function anchorOf(range, text = readText()) {
  let [from, to, clipped] = [null, null, false];
  for (const unit of text.units) {
    if (!range.intersectsNode(unit.node ?? unit.formula ?? unit.wall)) continue;
    if (unit.wall) {
      if (from !== null && hasWords(text.line, from, to)) { clipped = true; break; }
      [from, to, clipped] = [null, null, true];
      continue;
    }
    const [first, last] = part(unit, range);
    if (first === last) continue;
    from ??= unit.at + first;
    to = unit.at + last;
  }
  if (from === null || !hasWords(text.line, from, to)) return null;
  while (text.line[from] === " ") from++;
  while (text.line[to - 1] === " ") to--;
  return {
    section: sectionAt(text, from), quote: text.line.slice(from, to), clipped, tooLong: to - from > QUOTE_MAX,
    before: around(text.line.slice(Math.max(0, from - AROUND), from), -1),
    after: around(text.line.slice(to, to + AROUND), 0),
  };
}

const hasWords = (line, from, to) => /\S/.test(line.slice(from, to));
const around = (words, which) => words.split(WALL).at(which);

/** Of a text, which of its characters are in the range; of a formula all. */
function part(unit, range) {
  if (unit.formula) return [0, unit.length];
  const before = (offset) => unit.offsets.filter((one) => one < offset).length;
  return [
    unit.node === range.startContainer ? before(range.startOffset) : 0,
    unit.node === range.endContainer ? before(range.endOffset) : unit.length,
  ];
}

function sectionAt(text, at) {
  return text.sections.findLast((section) => section.at <= at).id;
}

/** Where a note's quotation stands now, as [from, to); null: it has gone. Where it stands more than once, the place with
 * the same words around it counts, then the same section, then the nearest. */
export function find(note, text) {
  const begin = text.sections.find(({ id }) => id === note.section)?.at ?? 0;
  const near = (from, to) => alike(text.line.slice(0, from), note.before) + alikeAfter(text.line.slice(to), note.after);
  const best = places(text.line, note.quote).map(([from, to]) => ({
    from, to, rank: [near(from, to), Number(sectionAt(text, from) === note.section), -Math.abs(from - begin)],
  })).sort(byRank)[0];
  return best ? [best.from, best.to] : null;
}

const byRank = (one, other) => {
  const at = one.rank.findIndex((value, index) => value !== other.rank[index]);
  return at < 0 ? 0 : other.rank[at] - one.rank[at];
};

function places(line, quote) {
  const exact = occurrences(line, quote);
  if (exact.length) return exact.map((at) => [at, at + quote.length]);
  // Spaces, quotation marks and dashes may have been set otherwise: letters and digits say the same.
  const [folded, wanted] = [fold(line), fold(quote)];
  if (!wanted.words) return [];
  return occurrences(folded.words, wanted.words)
    .map((at) => [folded.at[at], folded.at[at + wanted.words.length - 1] + 1])
    .filter(([from, to]) => !line.slice(from, to).includes(WALL));
}

function occurrences(line, words) {
  const found = [];
  for (let at = line.indexOf(words); at >= 0; at = line.indexOf(words, at + 1)) found.push(at);
  return found;
}

function fold(line) {
  const at = [];
  let words = "";
  for (let index = 0; index < line.length; index++) {
    if (!/[\p{L}\p{N}\p{Surrogate}]/u.test(line[index])) continue;
    words += line[index];
    at.push(index);
  }
  return { words, at };
}

/** How many characters at the end are the same. */
function alike(line, words) {
  let count = 0;
  while (count < words.length && line.at(-1 - count) === words.at(-1 - count)) count++;
  return count;
}

function alikeAfter(line, words) {
  let count = 0;
  while (count < words.length && line[count] === words[count]) count++;
  return count;
}
