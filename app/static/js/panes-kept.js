// Where this person left the lines between the panes. No module, and first in the head: it has run before the first
// paint, so nothing moves. panes.js writes what is read here.
try {
  for (const [pane, percent] of Object.entries(JSON.parse(localStorage.getItem("lectern:panes")) ?? {})) {
    if (/^[a-z]+$/.test(pane) && percent > 0 && percent < 100) {
      document.documentElement.style.setProperty(`--pane-${pane}`, `${percent}%`);
    }
  }
} catch { /* a browser that keeps nothing opens with our proportions */ }
