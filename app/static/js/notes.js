// Notes and side remarks stand beside the line that they are about, where there is a margin; no two stand in one place.
// The notes are the list at the lesson's end, set elsewhere: read aloud, on paper and without room they stay there, and a
// reader without room opens a note below the line that refers to it.
const ROOM = matchMedia("screen and (min-width: 72rem)");
const GAP_PX = 12;
const article = document.querySelector("article.lesson");
const prose = article.querySelector(".prose");
const section = prose.querySelector(".footnotes");
const remarks = [...prose.querySelectorAll(":scope > .margin")];

function settle() {
  section?.classList.toggle("beside", ROOM.matches);
  for (const { note } of asides()) note.style.removeProperty("top");
  if (ROOM.matches) for (const [note, top] of tops()) note.style.setProperty("top", `${top}px`);
}

/** Each with the place that it should have: a remark's is where it was written, a note's the line that refers to it. */
function asides() {
  const notes = [...section?.querySelectorAll(":scope > ol > li") ?? []]
    .map((note) => ({ note, from: prose.querySelector(`.footnote-ref a[href="#${CSS.escape(note.id)}"]`)?.closest("sup") }));
  return [...notes.filter(({ from }) => from), ...remarks.map((note) => ({ note, from: note }))];
}

/** Where each goes: at its place or below the one before it; clear of what is wide there, above that if it fits. */
function tops() {
  const above = article.getBoundingClientRect().top;
  const placed = asides().map(({ note, from }) => ({ note, height: note.offsetHeight, top: from.getBoundingClientRect().top - above }))
    .sort((a, b) => a.top - b.top);
  const edge = Math.min(...placed.map(({ note }) => note.getBoundingClientRect().left));
  const wide = [...prose.children].filter((one) => !one.matches(".margin, .footnotes")).map((one) => one.getBoundingClientRect())
    .filter((box) => box.height > 0 && box.right > edge - GAP_PX)
    .map((box) => ({ top: box.top - above, bottom: box.bottom - above }));
  let free = 0;
  return placed.map(({ note, height, top }) => {
    const inTheWay = (at) => wide.find((box) => at < box.bottom + GAP_PX && at + height > box.top - GAP_PX);
    let place = Math.max(top, free);
    for (let box; (box = inTheWay(place));) {
      const higher = box.top - GAP_PX - height;
      place = higher >= free && higher < place && !inTheWay(higher) ? higher : box.bottom + GAP_PX;
    }
    free = place + height + GAP_PX;
    return [note, place];
  });
}

/** Where there is no room: the note below what refers to it, until the reference is pressed again. */
function toggle(event) {
  const link = event.target.closest?.(".footnote-ref a");
  const note = link && !ROOM.matches && document.getElementById(link.hash.slice(1));
  if (!note) return;
  event.preventDefault();
  const shown = article.querySelector(`.note-here[data-for="${CSS.escape(link.id)}"]`);
  link.setAttribute("aria-expanded", String(!shown));
  if (shown) return shown.remove();
  const here = Object.assign(document.createElement("aside"), { className: "note-here", tabIndex: -1 });
  here.dataset.for = link.id;
  here.setAttribute("aria-label", link.getAttribute("aria-label"));
  here.append(...note.cloneNode(true).childNodes);
  for (const one of here.querySelectorAll(".footnote-back")) one.remove();
  for (const one of here.querySelectorAll("[id]")) one.removeAttribute("id");
  const block = link.closest("li, p, .table, h2, h3, h4") ?? link.closest(".prose > *");
  if (block.localName === "li") block.append(here);
  else block.after(here);
  here.focus({ preventScroll: true });
}

function again(element) {
  const { parentElement, nextSibling } = element;
  element.remove();
  parentElement.insertBefore(element, nextSibling);
}

if (section || remarks.length) {
  settle();
  // Taken out and put back before anything is drawn, they are not seen to move to where they go.
  for (const one of [section, ...remarks]) if (one) again(one);
  new ResizeObserver(settle).observe(prose);
  ROOM.addEventListener("change", settle);
  document.fonts.ready.then(settle);
}
article.addEventListener("click", toggle);
