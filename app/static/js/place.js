// Where one stopped reading, kept in this browser; on coming back it is offered, never jumped to.
import { local } from "./storage.js";

const article = document.querySelector("article.lesson[data-lesson]");
const key = `lectern:place:${article.dataset.lesson}`;
const headings = [...article.querySelectorAll(".prose :is(h2, h3)[id]")];
const PAUSE_MS = 400;
let timer;

function here() {
  const end = article.querySelector(".prose").getBoundingClientRect().bottom + scrollY - innerHeight;
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
  return passed.length && { anchor: passed.at(-1).id, percent: Math.min(100, Math.max(0, Math.round((100 * scrollY) / Math.max(1, end)))) };
}

function keep() {
  const place = here();
  if (place) local.writeJson(key, place);
}

function kept() {
  const place = local.readJson(key);
  const heading = document.getElementById(place?.anchor ?? "");
  return heading && { heading, percent: Number(place.percent) || 0 };
}

function offer({ heading, percent }) {
  const line = document.createElement("aside");
  line.className = "continue";
  line.setAttribute("aria-label", "Where you were");
  const link = Object.assign(document.createElement("a"), { href: `#${heading.id}`, textContent: `Continue at “${heading.textContent.trim()}”` });
  const far = Object.assign(document.createElement("span"), { className: "meta", textContent: `${percent}% read` });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "No" });
  close.setAttribute("aria-label", "No, stay here");
  for (const one of [link, close]) one.addEventListener("click", () => line.remove());
  line.append(link, far, close);
  article.querySelector(".prose").before(line);
  addEventListener("scroll", () => { if (scrollY > innerHeight) line.remove(); }, { passive: true });
}

const place = article.dataset.read ? null : kept();
if (place && !location.hash && scrollY < innerHeight) offer(place);

if (article.dataset.read) local.write(key, null);
else {
  addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(keep, PAUSE_MS); }, { passive: true });
  addEventListener("pagehide", keep);
}
article.querySelector(".mark-read")?.addEventListener("submit", () => {
  removeEventListener("pagehide", keep);
  clearTimeout(timer);
  local.write(key, null);
});
