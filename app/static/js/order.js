// Lines are put in order by dragging or with buttons; the number fields that pages without scripts use keep the truth.
const ARROWS = { up: "M8 13V3M4 7l4-4 4 4", down: "M8 3v10M4 9l4 4 4-4", drag: "M3 5.5h10M3 10.5h10" };

const linesOf = (list) => [...list.children];
const words = (line) => line.querySelector("label").textContent.trim();

function begin(place) {
  const list = place.querySelector(".order-lines");
  place.classList.add("movable");
  place.querySelector("[data-order-how]").textContent = "Put the lines in the right order.";
  for (const line of linesOf(list)) {
    const rank = line.querySelector(".rank");
    rank.type = "hidden";
    const [up, down] = [["up", -1], ["down", 1]].map(([name, by]) => {
      const button = control("button", name);
      button.type = "button";
      button.setAttribute("aria-label", `Move ${name}: ${words(line)}`);
      button.addEventListener("click", () => shift(place, list, line, by, button));
      return button;
    });
    const handle = control("span", "drag");
    handle.addEventListener("pointerdown", (event) => drag(event, place, list, line));
    rank.after(handle, up, down);
  }
  ends(list);
  // A form that asks for an answer takes the lines as they stand; others (a sitting) know which were touched.
  if (place.querySelector(".rank[required]")) place.form.addEventListener("submit", () => number(list), { capture: true });
}

function control(tag, name) {
  const made = document.createElement(tag);
  made.className = `order-${name === "drag" ? "drag" : "move"}`;
  made.innerHTML = `<svg class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${ARROWS[name]}"/></svg>`;
  return made;
}

function shift(place, list, line, by, button) {
  const lines = linesOf(list);
  const at = lines.indexOf(line) + by;
  if (at < 0 || at >= lines.length) return;
  list.insertBefore(line, by < 0 ? lines[at] : lines[at].nextSibling);
  button.focus();
  moved(place, list, line);
}

function drag(event, place, list, line) {
  if (event.button) return;
  event.preventDefault();
  const before = linesOf(list).indexOf(line);
  list.setPointerCapture(event.pointerId); // the line itself is taken out and put back, and would lose it
  line.classList.add("dragged");
  const over = ({ clientY }) => {
    const next = linesOf(list).filter((one) => one !== line).find((one) => {
      const { top, height } = one.getBoundingClientRect();
      return clientY < top + height / 2;
    }) ?? null;
    if (line.nextElementSibling !== next) list.insertBefore(line, next);
  };
  const end = () => {
    list.removeEventListener("pointermove", over);
    line.classList.remove("dragged");
    if (linesOf(list).indexOf(line) !== before) moved(place, list, line);
  };
  list.addEventListener("pointermove", over);
  list.addEventListener("lostpointercapture", end, { once: true });
}

function moved(place, list, line) {
  const lines = linesOf(list);
  number(list);
  ends(list);
  place.querySelector(".order-moved").textContent = `${words(line)}: now line ${lines.indexOf(line) + 1} of ${lines.length}.`;
  for (const type of ["input", "change"]) line.querySelector(".rank").dispatchEvent(new Event(type, { bubbles: true }));
}

function number(list) {
  linesOf(list).forEach((line, n) => { line.querySelector(".rank").value = n + 1; });
}

/** The first goes no further up, the last no further down; their buttons keep the focus all the same. */
function ends(list) {
  linesOf(list).forEach((line, n, all) => {
    const [up, down] = line.querySelectorAll(".order-move");
    up.setAttribute("aria-disabled", n === 0);
    down.setAttribute("aria-disabled", n === all.length - 1);
  });
}

/** Numbers that were put into the fields: the lines stand as they are numbered. */
document.addEventListener("lectern:filled", ({ target }) => {
  for (const list of target.querySelectorAll(".movable .order-lines")) {
    const rank = (line) => Number(line.querySelector(".rank").value) || Infinity;
    list.append(...linesOf(list).sort((a, b) => rank(a) - rank(b)));
    ends(list);
  }
});

for (const place of document.querySelectorAll("[data-order]")) begin(place);
document.addEventListener("lectern:swapped", ({ target }) => {
  for (const place of target.querySelectorAll("[data-order]:not(.movable)")) begin(place);
});
