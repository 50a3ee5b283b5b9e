// Text is chosen with the arrows, where there is no mouse: a word, the next one, more of them.
import { prose } from "./text.js";

const BLOCKS = "p, li, h2, h3, h4, pre.code, figcaption, td, th";
const OUTSIDE = ".question, .cell, .lab, .to-exercise, .footnotes";
const selection = getSelection();
let picked = null; // what to do once it is chosen
let say = () => {};

/** Begins at the first text on the screen. `done()` is called with Enter. */
export function pick(done, tell) {
  const block = blocks().find((one) => one.getBoundingClientRect().top >= 0) ?? blocks().at(-1);
  if (!block) return;
  [picked, say] = [done, tell];
  begin(block);
  say("Choose text: arrows move by a word or a paragraph, Shift and arrows take more, Enter goes on, Esc ends.");
}

export const isPicking = () => picked !== null;

document.addEventListener("keydown", (event) => {
  if (!picked || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {
    ArrowRight: () => (event.shiftKey ? extend("forward") : move("forward")),
    ArrowLeft: () => (event.shiftKey ? extend("backward") : move("backward")),
    ArrowDown: () => (event.shiftKey ? toEnd() : step(1)),
    ArrowUp: () => step(-1),
    Enter: () => end(picked),
    Escape: () => end(() => selection.removeAllRanges()),
  }[event.key];
  if (act) {
    event.preventDefault();
    event.stopPropagation();
    act();
    if (picked) selection.focusNode?.parentElement?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Tab" || event.key.length === 1) {
    [picked] = [null];
  }
}, { capture: true });
document.addEventListener("pointerdown", () => { picked = null; });

function end(act) {
  picked = null;
  say("");
  act();
}

const blocks = () => [...prose.querySelectorAll(BLOCKS)].filter((one) => !one.closest(OUTSIDE) && one.textContent.trim());
const blockNow = () => selection.focusNode && (selection.focusNode.nodeType === Node.TEXT_NODE ? selection.focusNode.parentElement : selection.focusNode).closest(BLOCKS);

function begin(block) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) => (node.data.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP));
  const first = walker.nextNode();
  selection.collapse(first, first.data.search(/\S/));
  selection.modify("extend", "forward", "word");
}

function move(direction) {
  if (direction === "forward") {
    selection.collapseToEnd();
    selection.modify("extend", "forward", "word");
  } else {
    selection.collapseToStart();
    selection.modify("move", "backward", "word");
    selection.modify("extend", "forward", "word");
  }
}

function extend(direction) {
  selection.modify("extend", direction, "word");
}

function step(by) {
  const all = blocks();
  const to = all[all.indexOf(blockNow()) + by];
  if (to) begin(to);
}

function toEnd() {
  const block = blockNow();
  if (block) selection.extend(block, block.childNodes.length);
}
