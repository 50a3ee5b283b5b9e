// A verdict as it comes. An event is the whole panel, rendered anew; the last one has no data-events, and we hang up.
import { toElement } from "./partial.js";

export function listen(panel) {
  if (!panel?.dataset.events) return;
  const source = new EventSource(panel.dataset.events);
  source.onmessage = (event) => {
    const next = toElement(event.data);
    panel.replaceWith(next);
    panel = next;
    if (!panel.dataset.events) finish(source, panel);
  };
  // Lost on the way: the browser tries again by itself, and the stream begins with the present truth.
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(panel), 2000); };
}

export function announce(panel) {
  const status = document.querySelector("[data-announce]");
  if (!status || panel.dataset.state !== "finished") return;
  status.textContent = [".verdict", ".diagnosis", ".summary"]
    .map((part) => panel.querySelector(part)?.textContent.trim()).filter(Boolean).join(". ");
}

function finish(source, panel) {
  source.close();
  announce(panel);
}

for (const panel of document.querySelectorAll("[data-events]")) listen(panel);
