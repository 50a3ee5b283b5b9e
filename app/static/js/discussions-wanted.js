// Few who see a folded discussion open it: what it needs is loaded then.
import { loadStyle } from "./partial.js";

document.addEventListener("toggle", load, true);

async function load({ target }) {
  if (!target.matches("details[data-discussion]") || !target.open) return;
  document.removeEventListener("toggle", load, true);
  await loadStyle(new URL("../css/discussions.css", import.meta.url));
  await import("./discussions.js");
  for (const fold of document.querySelectorAll("details[data-discussion][open]")) fold.dispatchEvent(new Event("toggle"));
}
