// Where an accepted solution stands: asked for once its panel is on the page, so that no verdict waits for it.
import { toElement } from "./partial.js";

document.addEventListener("lectern:panel", (event) => fill(event.target));

async function fill(panel) {
  const place = panel.querySelector("[data-standing]");
  if (!place) return;
  const answer = await fetch(place.dataset.standing, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  const part = answer?.ok && toElement(await answer.text());
  if (part) place.replaceWith(part);
}
