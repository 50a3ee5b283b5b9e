// What the gate found, as it comes. An event is the whole panel, rendered again; the last has no data-events.
// A page with a panel (the editor's) calls follow; each panel that comes is announced as "lectern:check".
import { placed, toElement } from "./partial.js";

const SHOWN_MS = 2000;
const REFUSED_MS = 3000;

export function follow(panel) {
  show(panel);
  if (!panel.dataset.events) return;
  const source = new EventSource(panel.dataset.events);
  source.onmessage = ({ data }) => {
    if (!panel.isConnected) return source.close(); // the editor asked for another revision's
    const next = toElement(data);
    unfoldAgain(panel, next);
    panel.replaceWith(next);
    panel = next;
    show(panel);
    if (!panel.dataset.events) source.close();
  };
  // Lost on the way, the browser tries again by itself; refused, it does not.
  source.onerror = () => {
    document.dispatchEvent(new CustomEvent("lectern:lost"));
    if (source.readyState === EventSource.CLOSED) setTimeout(() => panel.isConnected && follow(panel), REFUSED_MS);
  };
}

/** The faults of a panel, for the marks in an editor: those with a line, and those of a whole file (line null). */
export function faultsOf(panel) {
  return [...panel.querySelectorAll("[data-code]")].map((one) => ({
    path: one.dataset.path, line: Number(one.dataset.line) || null, severity: one.dataset.severity, code: one.dataset.code,
    message: one.querySelector("[data-message]")?.textContent ?? "", hint: one.querySelector("[data-hint]")?.textContent ?? "",
  }));
}

function show(panel) {
  offerCopies(panel);
  placed(panel);
  const detail = { state: panel.dataset.state, ok: panel.dataset.ok, revision: panel.dataset.revision, faults: faultsOf(panel) };
  panel.dispatchEvent(new CustomEvent("lectern:check", { bubbles: true, detail }));
}

function unfoldAgain(before, next) {
  for (const is of next.querySelectorAll("details[data-keep]")) {
    const was = before.querySelector(`details[data-keep="${is.dataset.keep}"]`);
    if (was) is.open = was.open;
  }
}

function offerCopies(panel) {
  for (const snippet of panel.querySelectorAll("[data-snippet]:not(.has-copy)")) {
    snippet.classList.add("has-copy");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Copy this case" });
    const status = Object.assign(document.createElement("span"), { className: "out-of-sight" });
    status.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      const isCopied = await navigator.clipboard?.writeText(snippet.textContent).then(() => true, () => false);
      if (!isCopied) getSelection().selectAllChildren(snippet); // a page without https may not write there
      button.textContent = isCopied ? "Copied" : "Selected";
      status.textContent = isCopied ? "Case copied." : "Case selected: copy it with Ctrl+C.";
      setTimeout(() => { button.textContent = "Copy this case"; status.textContent = ""; }, SHOWN_MS);
    });
    snippet.after(button, status);
  }
}

for (const panel of document.querySelectorAll("[data-check]")) follow(panel);
