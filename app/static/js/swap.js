// A question is answered, a hint opened in place: the section is replaced by the one that the server sends back.
import { line, sendForm, toElement } from "./partial.js";

document.addEventListener("submit", async (event) => {
  const place = event.target.closest("[data-swap]");
  if (!place) return;
  event.preventDefault();
  if (place.getAttribute("aria-busy") === "true") return;
  place.setAttribute("aria-busy", "true");
  const answer = await sendForm(event.target, event.submitter);
  place.removeAttribute("aria-busy");
  if (answer?.ok || answer?.part?.matches("[data-swap]")) {
    put(place, answer.part);
    answer.part.querySelector("[role=status]")?.focus({ preventScroll: true });
  } else {
    place.querySelector("[role=status]").replaceChildren(
      answer?.part ?? line("The server cannot be reached. Nothing is lost; try again."));
  }
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-swap] a[data-again]");
  if (!link) return;
  event.preventDefault();
  const answer = await fetch(link.href, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  if (!answer?.ok) return location.assign(link.href);
  const part = toElement(await answer.text());
  put(link.closest("[data-swap]"), part);
  part.querySelector("input:not([type=hidden])")?.focus();
});

/** The modules that upgrade what stands in a part (order.js, seconds.js) are told of one that came later. */
function put(place, part) {
  place.replaceWith(part);
  part.dispatchEvent(new CustomEvent("lectern:swapped", { bubbles: true }));
}
