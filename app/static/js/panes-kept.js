// Where this person left the lines between the panes, and whether the statement is folded. No module, and first in the
// head: it has run before the first paint, so nothing moves. panes.js and fold.js write what is read here.
try {
  const root = document.documentElement;
  for (const [pane, percent] of Object.entries(JSON.parse(localStorage.getItem("lectern:panes")) ?? {})) {
    if (/^[a-z]+$/.test(pane) && percent > 0 && percent < 100) root.style.setProperty(`--pane-${pane}`, `${percent}%`);
  }
  const slug = location.pathname.split("/")[2];
  // This tab finds its last verdict again: there is room for it from the start.
  root.classList.toggle("has-verdict", sessionStorage.getItem(`lectern:shown:${slug}`) !== null);
  root.classList.toggle("fold-wide", localStorage.getItem("lectern:statement") === "folded");
  // On a phone the first visit is for reading; from the second on, the code is in sight. A link to a place in it shows it.
  const narrow = `lectern:statement:${slug}`;
  const isToPlace = !["", "#code", "#source"].includes(location.hash);
  root.classList.toggle("fold-narrow", localStorage.getItem(narrow) === "folded" && !isToPlace);
  if (localStorage.getItem(narrow) === null) localStorage.setItem(narrow, "folded");
} catch { /* a browser that keeps nothing opens with our proportions */ }
