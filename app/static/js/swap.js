// A question is answered in place: its section is replaced by the one that the server sends back.
import { line, sendForm } from "./partial.js";

document.addEventListener("submit", async (event) => {
  const place = event.target.closest("[data-swap]");
  if (!place) return;
  event.preventDefault();
  if (place.getAttribute("aria-busy") === "true") return;
  place.setAttribute("aria-busy", "true");
  const answer = await sendForm(event.target, event.submitter);
  place.removeAttribute("aria-busy");
  if (answer?.ok || answer?.part?.matches("[data-swap]")) {
    place.replaceWith(answer.part);
    answer.part.querySelector("[role=status]")?.focus({ preventScroll: true });
  } else {
    place.querySelector("[role=status]").replaceChildren(
      answer?.part ?? line("The server cannot be reached. Your answer is still here; try again."));
  }
});
