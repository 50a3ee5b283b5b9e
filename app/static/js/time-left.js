// The time that a sitting has left: counted down from what the server said, by a clock that nobody can set. The module
// that hears from the server how much is left says so with `lectern:time-left`; when it is over, `lectern:time-up` lets
// others finish what they are about, and the sitting is submitted.
const SAID_AT = [[300, "Five minutes left."], [60, "One minute left."]]; // seconds
const SOON_MAX = 300; // and no more than the last quarter: a short sitting does not begin with a warning

const place = document.querySelector("[data-time-left]");
const clock = place.querySelector("[data-clock]");
const said = document.querySelector("[data-time-said]");
const until = place.querySelector("[data-until]");
const { sitting } = place.dataset;
const soon = Math.min(SOON_MAX, Number(place.dataset.timeGiven) / 4);
let endsAt = 0; // on the clock of performance.now()
let isEnding = false;

function set(seconds) {
  endsAt = performance.now() + seconds * 1000;
  tick();
}

function left() {
  return Math.max(0, (endsAt - performance.now()) / 1000);
}

let before = Infinity;
function tick() {
  const seconds = left();
  const words = inWords(seconds);
  if (clock.textContent !== words) clock.textContent = words;
  place.toggleAttribute("data-soon", seconds <= soon);
  for (const [at, sentence] of SAID_AT) if (before > at && seconds <= at && seconds > at - 30) said.textContent = sentence;
  before = seconds;
  if (seconds === 0) end();
}

function inWords(seconds) {
  const whole = Math.ceil(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  said.textContent = "Time is up. Your answers are being submitted.";
  until.textContent = "time is up";
  const waits = [];
  document.dispatchEvent(new CustomEvent("lectern:time-up", { detail: { waitFor: (one) => waits.push(one) } }));
  await Promise.allSettled(waits);
  const now = await ask();
  if (now?.state === "open" && now.remaining_seconds > 0.5) { // they were given more
    isEnding = false;
    until.textContent = "";
    return set(now.remaining_seconds);
  }
  if (now === null) { // the server submits what it has; we look again when it can be reached
    said.textContent = "Time is up, and the server cannot be reached. Your saved answers count.";
    until.textContent = "time is up; your saved answers count";
    isEnding = false;
    before = Infinity;
    return document.addEventListener("lectern:back", end, { once: true });
  }
  if (now.state === "submitted") return location.replace(`/sittings/${sitting}`);
  const form = Object.assign(document.createElement("form"), { method: "post", action: `/sittings/${sitting}/submission` });
  document.body.append(form);
  form.submit();
}

async function ask() {
  try {
    const answer = await fetch(`/api/v1/sittings/${sitting}`, { signal: AbortSignal.timeout(10_000) });
    return answer.ok ? await answer.json() : null;
  } catch {
    document.dispatchEvent(new Event("lectern:lost"));
    return null;
  }
}

/** A machine that slept counted nothing meanwhile: the server knows. */
async function look() {
  const now = await ask();
  if (now?.state === "submitted") location.replace(`/sittings/${sitting}`);
  else if (now && now.remaining_seconds !== null) set(now.remaining_seconds);
}

document.addEventListener("lectern:time-left", (event) => { if (event.detail !== null) set(event.detail); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
addEventListener("pageshow", (event) => { if (event.persisted) look(); });

set(Number(place.dataset.timeLeft) - performance.now() / 1000); // the page was on its way for that long
setInterval(() => { if (!isEnding && endsAt) tick(); }, 250);
