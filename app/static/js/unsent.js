// What is typed or picked in a lesson's question and not sent is kept in this browser, and stands there again after a
// reload. Nothing is sent by it. The key has the person, so that nobody finds what another left, and which numbers the
// question was asked with, so that an answer never stands under others.
import { fill, given } from "./fields.js";
import { local } from "./storage.js";

const { person } = document.querySelector("article.lesson").dataset; // "" for a guest

const formOf = (place) => place.querySelector("form");
const keyOf = (place) => `lectern:answer:${person}:${place.id}:${place.dataset.numbers}`;

function keep(place) {
  local.writeJson(keyOf(place), given(formOf(place)));
}

function forget(place) {
  local.write(keyOf(place), null);
}

function putBack(place) {
  const answer = local.readJson(keyOf(place));
  if (answer === null) return;
  fill(formOf(place), answer);
  place.prepend(Object.assign(document.createElement("p"), { className: "meta unsent", textContent: "Kept in this browser, not sent yet" }));
  formOf(place).querySelector("[data-reading]")?.dispatchEvent(new Event("input", { bubbles: true })); // says how it is read
}

for (const type of ["input", "change"]) {
  document.addEventListener(type, ({ target }) => {
    const place = target.closest?.(".question");
    if (place) keep(place);
  });
}

// An answer that was judged is the server's now; one that could not be read is still only here.
document.addEventListener("lectern:swapped", ({ target }) => {
  if (!target.matches(".question")) return;
  if (target.querySelector(".mark.unreadable")) keep(target);
  else if (target.matches(".answered")) forget(target);
  else putBack(target); // asked with other numbers: what was begun there
});

for (const place of document.querySelectorAll(".question:not(.answered)")) putBack(place);
for (const place of document.querySelectorAll(".question.answered")) forget(place); // answered while no script ran
