// A discussion is opened in place, and what is sent in it answers in place: the part is replaced by the server's.
import { line, sendForm, toElement } from "./partial.js";

document.addEventListener("toggle", async (event) => {
  const fold = event.target;
  if (!fold.matches("details[data-discussion]") || !fold.open || isWriting(fold)) return;
  const place = fold.querySelector("[data-thread]");
  place.setAttribute("aria-busy", "true");
  const answer = await fetch(fold.dataset.discussion, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  place.removeAttribute("aria-busy");
  if (answer) put(place, toElement(await answer.text()));
}, true);

document.addEventListener("submit", async (event) => {
  const place = event.target.closest("[data-thread]");
  if (!place) return;
  event.preventDefault();
  if (place.getAttribute("aria-busy") === "true") return;
  place.setAttribute("aria-busy", "true");
  const answer = await sendForm(event.target, event.submitter);
  place.removeAttribute("aria-busy");
  if (answer?.part?.matches("[data-thread]")) {
    put(place, answer.part);
    show(answer.part);
  } else {
    const told = place.querySelector("[data-told]");
    told.replaceChildren(answer?.part ?? line("The server cannot be reached. What you wrote is still here; try again."));
    told.focus();
  }
});

/** Older questions, and a link to a post, stay in place where the discussion is a part of another page. */
document.addEventListener("click", async (event) => {
  const link = event.target.closest("details[data-discussion] [data-thread] > p > a");
  const fold = link?.closest("details[data-discussion]");
  if (!fold || event.metaKey || event.ctrlKey || !link.pathname.endsWith(fold.dataset.discussion)) return;
  event.preventDefault();
  const answer = await fetch(link.href, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  if (!answer?.ok) return location.assign(link.href);
  put(fold.querySelector("[data-thread]"), toElement(await answer.text()));
});

/** What is typed and not sent is not replaced. */
function isWriting(fold) {
  return [...fold.querySelectorAll("textarea")].some((area) => area.value !== area.defaultValue);
}

/** A refusal is no discussion: it stands in one, so that it is fetched again the next time. */
function put(place, part) {
  if (part.matches("[data-thread]")) return place.replaceWith(part);
  const told = place.querySelector("[data-told]") ?? place;
  told.replaceChildren(part);
}

function show(thread) {
  const post = document.getElementById(thread.dataset.at ?? "");
  const place = post ?? thread.querySelector(".preview, .notice")?.closest("form, [data-told]") ?? thread.querySelector("[data-told]");
  place.scrollIntoView({ block: "nearest" });
  (place.matches("form") ? place.querySelector("textarea") : place).focus({ preventScroll: true });
}
