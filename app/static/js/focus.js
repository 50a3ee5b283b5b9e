// Focus: nothing but the text. The button or f begins it, Esc or f ends it; this tab remembers, the place is kept.
import { session } from "./storage.js";
import { isBare, isTyping } from "./search.js";

const KEPT = "lectern:focus";
const root = document.documentElement;
const button = document.querySelector("[data-focus]");

button.addEventListener("click", () => turn(!isOn()));
document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.repeat || document.querySelector("dialog[open]")) return;
  if (isBare(event, "f")) turn(!isOn());
  else if (event.key === "Escape" && isOn()) turn(false);
});
document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && isOn()) turn(false); });

function isOn() {
  return root.classList.contains("focused");
}

async function turn(on) {
  const place = topmost();
  show(on);
  session.write(KEPT, on ? "on" : null);
  back(place);
  // Where full screen is not to be had, what is around the text is hidden all the same.
  if (on) await root.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) await document.exitFullscreen().catch(() => {});
  back(place);
}

function show(on) {
  root.classList.toggle("focused", on);
  button.textContent = on ? "Leave focus" : "Focus";
  button.setAttribute("aria-pressed", String(on));
}

function topmost() {
  const element = [...document.querySelectorAll(".lesson > header, .prose > *")].find((one) => one.getBoundingClientRect().bottom > 0);
  return element && { element, top: element.getBoundingClientRect().top };
}

function back(place) {
  if (place && scrollY > 0) scrollBy({ top: place.element.getBoundingClientRect().top - place.top, behavior: "instant" });
}

if (session.read(KEPT)) show(true);
button.classList.add("ready");
