// An input of one's own: kept for each exercise in this browser; what the server found wrong with it stands beside it.
import { local } from "./storage.js";

const form = document.getElementById("submit");
const { slug, person } = form.dataset; // person: "" for a guest, whose input goes on with the account they sign in to
const keyOf = (whose) => `lectern:input:${whose}:${slug}`;
const KEPT = keyOf(person);
const fieldsOf = (place) => [...place.querySelectorAll("textarea.literal")];

document.addEventListener("input", (event) => {
  const place = event.target.closest("[data-own-input]");
  if (!place) return;
  forgive(event.target);
  keep(place);
});
document.addEventListener("click", (event) => {
  const place = event.target.closest("[data-sample-again]")?.closest("[data-own-input]");
  if (!place) return;
  for (const field of fieldsOf(place)) {
    field.value = field.dataset.sample;
    forgive(field);
  }
  keep(place);
});
// Taken: what was wrong before is not any more.
document.addEventListener("lectern:panel", () => fieldsOf(document).forEach(forgive));

const place = document.querySelector("[data-own-input]"); // none where every case is a script
if (place) open(place);
if (place && !place.open) {
  const kept = local.readJson(KEPT) ?? local.readJson(keyOf("")) ?? {};
  for (const field of fieldsOf(place)) field.value = kept[field.name] ?? field.value;
}

/** The server's answer to what it could not read: the same fields, with what is wrong. */
export function showFaults(part) {
  document.querySelector("[data-own-input]").replaceWith(part);
  open(part);
  part.querySelector("[aria-invalid]")?.focus();
}

function open(place) {
  place.querySelector("[data-sample-again]").hidden = false;
}

function forgive(field) {
  field.removeAttribute("aria-invalid");
  field.setAttribute("aria-describedby", `${field.id}-type`);
  document.getElementById(`${field.id}-fault`)?.remove();
}

function keep(place) {
  const fields = fieldsOf(place);
  const isSample = fields.every((field) => field.value === field.dataset.sample);
  if (person) local.write(keyOf(""), null); // it is theirs by now, and not the next one's
  local.writeJson(KEPT, isSample ? null : Object.fromEntries(fields.map((field) => [field.name, field.value])));
}
