// A note beside the line that refers to it, where there is room; the link to the notes at the end works in any case.
const ROOM = matchMedia("(min-width: 72rem)");
const article = document.querySelector("article.lesson");
let shown = null;

function show(event) {
  const link = event.target.closest?.(".footnote-ref a");
  if (!link || !ROOM.matches || document.documentElement.classList.contains("focused")) return;
  const note = document.getElementById(link.hash.slice(1));
  if (!note || shown?.dataset.for === link.id) return;
  hide();
  shown = document.createElement("aside");
  shown.className = "side-note";
  shown.dataset.for = link.id;
  shown.setAttribute("aria-label", link.getAttribute("aria-label"));
  shown.append(...[...note.cloneNode(true).childNodes]);
  for (const one of shown.querySelectorAll(".footnote-back")) one.remove();
  for (const one of shown.querySelectorAll("[id]")) one.removeAttribute("id");
  shown.style.setProperty("top", `${link.getBoundingClientRect().top - article.getBoundingClientRect().top}px`);
  article.append(shown);
}

function hide() {
  shown?.remove();
  shown = null;
}

// It stays, so that its own links can be followed, until Esc, another note, or a click elsewhere.
article.addEventListener("mouseover", show);
article.addEventListener("focusin", show);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
document.addEventListener("click", (event) => { if (!event.target.closest(".side-note, .footnote-ref")) hide(); });
ROOM.addEventListener("change", hide);
