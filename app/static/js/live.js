// A verdict as it comes. An event is the whole panel, rendered anew; the last one has no data-events, and we hang up.
import { placed, toElement } from "./partial.js";

export function listen(panel) {
  if (!panel?.dataset.events) return;
  const source = new EventSource(panel.dataset.events);
  source.onmessage = (event) => {
    const next = toElement(event.data);
    unfoldAgain(panel, next);
    panel.replaceWith(next);
    panel = next;
    placed(panel);
    if (!panel.dataset.events) finish(source, panel);
  };
  // Lost on the way: the browser tries again by itself, and the stream begins with the present truth. Refused, it does
  // not, nor says why.
  source.onerror = async () => {
    document.dispatchEvent(new CustomEvent("lectern:lost"));
    if (source.readyState !== EventSource.CLOSED) return;
    if (await isAnothers(panel)) stopWaiting(panel);
    else setTimeout(() => listen(panel), 2000);
  };
}

/** A person who signs out, or in as someone else, in another tab may not see it any more. */
async function isAnothers(panel) {
  const answer = await fetch(panel.querySelector("header a").href, { method: "HEAD" }).catch(() => null);
  return [401, 403, 404].includes(answer?.status);
}

function stopWaiting(panel) {
  delete panel.dataset.events;
  panel.dataset.state = "unknown";
  panel.querySelector(".cases")?.remove(); // nothing of them is to come here
  panel.querySelector(".verdict").textContent = "Sent by someone else";
  panel.querySelector(".summary").textContent = "You are no longer signed in as the person who sent this. It is still being judged: sign in as before to see the verdict.";
}

/** What someone has unfolded or folded while they wait stays so. */
function unfoldAgain(before, next) {
  const cases = next.querySelectorAll(".cases > li");
  before.querySelectorAll(".cases > li").forEach((one, n) => {
    const [was, is] = [one, cases[n]].map((line) => line?.querySelector("details.why"));
    if (was && is) is.open = was.open;
  });
}

export function announce(panel) {
  const status = document.querySelector("[data-announce]");
  if (!status || panel.dataset.state !== "finished") return;
  status.textContent = [".verdict", ".diagnosis", ".summary", ".not-submitted"]
    .map((part) => panel.querySelector(part)?.textContent.trim().replace(/\.$/, "")).filter(Boolean).join(". ");
}

function finish(source, panel) {
  source.close();
  announce(panel);
}

for (const panel of document.querySelectorAll("[data-events]")) listen(panel);
