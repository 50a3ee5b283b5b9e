// The lines between the panes of the desk: dragged by mouse, pen or finger, moved by the arrow keys, remembered for
// all exercises. A line says in per cent how much of its parent the pane before it has.
import { local } from "./storage.js";

const KEPT = "lectern:panes";
const STEP = 2;
const RANGE = { x: [25, 65], y: [30, 85] };  // as in desk.css

for (const line of document.querySelectorAll(".splitter")) upgrade(line);

function upgrade(line) {
  const pane = document.getElementById(line.dataset.splits);
  const [least, most] = RANGE[line.dataset.axis];
  const attributes = {
    role: "separator", tabindex: "0", "aria-label": line.dataset.word, "aria-controls": pane.id,
    "aria-orientation": line.dataset.axis === "x" ? "vertical" : "horizontal", "aria-valuemin": least, "aria-valuemax": most,
  };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
  const tell = () => line.setAttribute("aria-valuenow", Math.round(share(line, pane)));
  const move = (percent) => {
    const to = Math.min(most, Math.max(least, percent));
    document.documentElement.style.setProperty(`--pane-${pane.id}`, `${to.toFixed(1)}%`);
    tell();
    return Number(to.toFixed(1));
  };
  const reset = () => {
    document.documentElement.style.removeProperty(`--pane-${pane.id}`);
    keep(pane.id, null);
    tell();
  };
  tell();
  const sizes = new ResizeObserver(tell);
  for (const element of [line.parentElement, pane]) sizes.observe(element);
  line.addEventListener("dblclick", reset);
  line.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter") return reset();
    const to = target(event.key, line.dataset.axis, share(line, pane), least, most);
    if (to === null) return;
    event.preventDefault();
    keep(pane.id, move(to));
  });
  line.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    line.setPointerCapture(event.pointerId);
    line.dataset.held = "";
    let moved = null;
    const follow = (event) => { moved = move(at(line, event)); };
    line.addEventListener("pointermove", follow);
    line.addEventListener("lostpointercapture", () => {
      line.removeEventListener("pointermove", follow);
      delete line.dataset.held;
      if (moved !== null) keep(pane.id, moved);
    }, { once: true });
  });
}

function target(key, axis, now, least, most) {
  const [back, forth] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  return { [back]: now - STEP, [forth]: now + STEP, Home: least, End: most }[key] ?? null;
}

/** Per cent of the parent that the pane has, as it stands: our own proportions are in the style sheet. */
function share(line, pane) {
  const [all, mine] = [line.parentElement, pane].map((element) => element.getBoundingClientRect());
  const [part, whole] = line.dataset.axis === "x" ? [mine.width, all.width] : [mine.height, all.height];
  return whole ? (part / whole) * 100 : 50;
}

function at(line, event) {
  const all = line.parentElement.getBoundingClientRect();
  return line.dataset.axis === "x" ? ((event.clientX - all.left) / all.width) * 100 : ((event.clientY - all.top) / all.height) * 100;
}

function keep(name, percent) {
  const kept = local.readJson(KEPT) ?? {};
  if (percent === null) delete kept[name];
  else kept[name] = percent;
  local.writeJson(KEPT, kept);
}
