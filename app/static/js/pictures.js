// A picture that moves by itself can be held: it draws the eye from the words beside it, and some readers cannot bear
// that (WCAG 2.2.2). A page cannot reach into an image, so the picture is shown once more as it stands at this moment,
// and goes on from there. Where a reader asks for less motion, the picture does not move (its own style says so).
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
  for (const picture of document.querySelectorAll(".prose img.moves")) offer(picture);
}

function offer(picture) {
  const address = picture.src;
  let source = null;
  let moved = 0; // milliseconds, until it was last held or let go
  let since = performance.now();
  let isHeld = false;
  picture.addEventListener("load", () => { since = performance.now(); });

  const place = Object.assign(document.createElement("div"), { className: "copy" });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain" });
  const name = () => {
    button.textContent = isHeld ? "Play" : "Pause";
    button.setAttribute("aria-label", isHeld ? "Play this picture" : "Pause this picture");
  };
  name();
  button.addEventListener("click", async () => {
    const at = moved + (isHeld ? 0 : performance.now() - since);
    source ??= await fetch(address).then((reply) => (reply.ok ? reply.text() : null), () => null);
    if (source === null) return;
    moved = at;
    isHeld = !isHeld;
    picture.src = `data:image/svg+xml,${encodeURIComponent(source.replace(/<\/svg>\s*$/, `${styleAt(moved, isHeld)}</svg>`))}`;
    name();
  });
  place.append(button);
  picture.before(place);
}

/** As it stands after so many milliseconds. */
function styleAt(moved, isHeld) {
  const state = isHeld ? "paused" : "running";
  return `<style>*{animation-delay:-${Math.round(moved)}ms!important;animation-play-state:${state}!important}</style>`;
}
