// The text and the page beside it scroll together: headings, questions, cells, listings, figures and formulas are found
// in both, in their order, and between two of them the way is divided evenly.
const FENCE = /^\s*(`{3,}|~{3,}|:{3,})\s*(?:\{([a-z-]+)\})?/;
const KINDS = { question: ".question", "code-cell": ".cell", exercise: ".to-exercise", lab: ".lab", figure: "figure", listing: "pre.code, pre.output", heading: "h2, h3, h4, h5, h6", note: ".admonition" };
const NAMED = { tip: "note", warning: "note" };

/** [{kind, line}], each kind in its order; lines from 1. */
export function landmarksOf(text) {
  const found = [];
  let open = null;
  let isFormula = false;
  text.split("\n").forEach((line, index) => {
    const fence = line.match(FENCE);
    const isOpening = fence && (fence[1][0] === ":" ? fence[2] : open === null);
    if (open !== null) {
      if (fence && fence[1][0] === open[0] && fence[1].length >= open.length) open = null;
      return;
    }
    if (/^\s*\$\$/.test(line)) isFormula = !isFormula && !/^\s*\$\$.*\$\$\s*$/.test(line);
    else if (isOpening) {
      const kind = NAMED[fence[2]] ?? fence[2] ?? "listing";
      if (kind in KINDS) found.push({ kind, line: index + 1 });
      if (fence[1][0] !== ":") open = fence[1];
    } else if (!isFormula && /^#{2,6}\s/.test(line)) found.push({ kind: "heading", line: index + 1 });
  });
  return found;
}

/** Pairs of a line and a place on the page, in order. A kind that is not found as often on both sides is left out. */
export function pairs(text, page) {
  const inText = landmarksOf(text);
  const top = page.getBoundingClientRect().top - page.scrollTop;
  const both = [];
  for (const [kind, selector] of Object.entries(KINDS)) {
    const lines = inText.filter((one) => one.kind === kind);
    const elements = [...page.querySelectorAll(`[data-rendered] :is(${selector})`)]
      .filter((one) => kind === "question" || !one.closest(".question"));
    if (lines.length !== elements.length) continue;
    lines.forEach(({ line }, index) => both.push([line, elements[index].getBoundingClientRect().top - top]));
  }
  both.sort(([a], [b]) => a - b);
  const rising = both.filter(([, y], index) => both.slice(0, index).every(([, before]) => before <= y));
  return [[1, 0], ...rising.filter(([line]) => line > 1), [text.split("\n").length + 1, page.scrollHeight]];
}

const between = (known, value, from, to) => {
  const after = known.findIndex((pair) => pair[from] > value);
  if (after <= 0) return known[after === 0 ? 0 : known.length - 1][to];
  const [low, high] = [known[after - 1], known[after]];
  return low[to] + (high[to] - low[to]) * (value - low[from]) / Math.max(1e-6, high[from] - low[from]);
};

export function together(view, page) {
  let leader = null;
  let release = 0;
  const lead = (who, move) => {
    if (leader !== null && leader !== who) return;
    leader = who;
    clearTimeout(release);
    release = setTimeout(() => { leader = null; }, 150);
    requestAnimationFrame(move);
  };
  const isBeside = () => page.scrollHeight > page.clientHeight + 4 && page.clientHeight > 0 && getComputedStyle(page).overflowY !== "visible";
  const scroller = view.scrollDOM;

  scroller.addEventListener("scroll", () => lead("text", () => {
    if (!isBeside()) return;
    const block = view.lineBlockAtHeight(scroller.scrollTop);
    const line = view.state.doc.lineAt(block.from).number + (scroller.scrollTop - block.top) / Math.max(1, block.height);
    page.scrollTop = between(pairs(view.state.doc.toString(), page), line, 0, 1);
  }), { passive: true });

  page.addEventListener("scroll", () => lead("page", () => {
    if (!isBeside()) return;
    const line = between(pairs(view.state.doc.toString(), page), page.scrollTop, 1, 0);
    const whole = Math.max(1, Math.min(view.state.doc.lines, Math.floor(line)));
    const block = view.lineBlockAt(view.state.doc.line(whole).from);
    scroller.scrollTop = block.top + block.height * (line - whole);
  }), { passive: true });
}
