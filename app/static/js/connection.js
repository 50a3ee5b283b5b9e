// One quiet line for the whole site while the server cannot be reached. A module that fails to reach it says `lectern:lost`
// on the document; when it answers again, `lectern:back` is said there.
const SOON = 1000;
const SELDOM = 15_000;
const line = document.querySelector("[data-connection]");
let wait = null;  // milliseconds until the next question; null: nothing is wrong
let timer = 0;

addEventListener("offline", () => suspect());
addEventListener("online", () => { if (wait !== null) ask(); });
document.addEventListener("visibilitychange", () => { if (wait !== null && !document.hidden) ask(); });
document.addEventListener("lectern:lost", () => suspect());
if (!navigator.onLine) suspect();

function suspect() {
  if (wait !== null) return;
  wait = SOON;
  if (!navigator.onLine) say();
  timer = setTimeout(ask, SOON / 2);  // a network that was cut is seldom back at once
}

async function ask() {
  clearTimeout(timer);
  if (await answers()) return back();
  if (wait === null) return;
  say();
  timer = setTimeout(ask, wait);
  wait = Math.min(wait * 2, SELDOM);
}

/** A hotel's sign-in page answers too: only our own words count. */
async function answers() {
  try {
    const response = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    return response.ok && (await response.json()).status === "ok";
  } catch {
    return false;
  }
}

function say() {
  line.textContent = "No connection. Your work is kept; this line goes away once you are back online.";
}

function back() {
  if (wait === null) return;
  wait = null;
  line.textContent = "";
  document.dispatchEvent(new CustomEvent("lectern:back"));
}
