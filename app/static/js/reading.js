// "We read this as (N, T, d_model)" under a field while someone types. The field names where to ask (data-reading) and
// which variant (data-variant); the line under it is there from the start, so that nothing moves.
const PAUSE_MS = 200;
const PROBLEM_MS = 1000; // half a formula is no problem: only someone who has stopped is told of one
const waiting = new WeakMap();

document.addEventListener("input", ({ target }) => {
  if (!target.matches?.("[data-reading]")) return;
  const typing = waiting.get(target);
  clearTimeout(typing?.timer);
  clearTimeout(typing?.late);
  typing?.request.abort();
  const next = { request: new AbortController(), at: performance.now() };
  waiting.set(target, next);
  if (!target.value.trim()) return say(target);
  next.timer = setTimeout(() => ask(target, next), PAUSE_MS);
});

async function ask(field, typing) {
  const { reading, variant } = field.dataset;
  try {
    const response = await fetch(reading, {
      method: "POST", signal: typing.request.signal, headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ variant: Number(variant), answer: field.value }),
    });
    if (!response.ok) return say(field);
    const { read_as, problem } = await response.json();
    if (waiting.get(field) !== typing) return;
    if (read_as !== null) return say(field, "We read this as ", read_as);
    say(field);
    const words = problem && `${problem.message} ${problem.hint}`;
    if (words) typing.late = setTimeout(() => say(field, ...words.split("`")), PROBLEM_MS - (performance.now() - typing.at));
  } catch { /* typed on, or no connection: answering says so, reading is quiet */ }
}

/** Every second piece is code. */
function say(field, ...pieces) {
  const line = field.parentElement.querySelector(".reading");
  line.replaceChildren(...pieces.map((piece, n) => n % 2 ? Object.assign(document.createElement("code"), { textContent: piece }) : piece));
}
