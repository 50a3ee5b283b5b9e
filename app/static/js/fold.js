// The statement's pane, folded and unfolded. On a wide screen that is a habit, kept for all exercises. On a narrow one,
// where the statement stands above the code, it is kept for each: panes-kept.js, which also reads both before the first paint.
import { local } from "./storage.js";

const root = document.documentElement;
const wide = matchMedia("(min-width: 60rem)"); // as in desk.css
const button = document.querySelector("[data-fold]");
const text = document.getElementById("statement-text");
const { slug } = document.getElementById("submit").dataset;

const name = () => (wide.matches ? "fold-wide" : "fold-narrow");

function fold(isFolded) {
  const hadFocus = text.contains(document.activeElement);
  root.classList.toggle(name(), isFolded);
  if (wide.matches) local.write("lectern:statement", isFolded ? "folded" : null);
  else local.write(`lectern:statement:${slug}`, isFolded ? "folded" : "open");
  if (isFolded && hadFocus) button.focus();
}

const toggle = () => fold(!root.classList.contains(name()));

button.addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  if (event.key !== "F8" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat) return;
  event.preventDefault();
  toggle();
});
// A link to a hint or a sample: what it leads to is shown.
addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !text.contains(target)) return;
  root.classList.remove(name());
  target.scrollIntoView();
});
