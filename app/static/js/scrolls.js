// What is wider than its place, or taller than its box, scrolls in itself: then, and only then, the keyboard stops at it
// and its edges show it (data-scrolls). The server, which cannot know, has the keyboard stop at every listing and table.
const SCROLL = "pre[tabindex='0'], div.table[tabindex='0'], div.math, .cell-code > textarea";

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isWider = target.scrollWidth > target.clientWidth;
    target.toggleAttribute("data-scrolls", isWider && target.localName !== "textarea");
    if (target.localName === "textarea") target.parentElement.classList.toggle("cut", isWider);
    else if (isWider || target.scrollHeight > target.clientHeight + 1) target.tabIndex = 0;
    else if (target !== document.activeElement) target.removeAttribute("tabindex");
  }
});

function watch(root) {
  if (root.matches?.(SCROLL)) observer.observe(root);
  for (const one of root.querySelectorAll?.(SCROLL) ?? []) observer.observe(one);
}

watch(document);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) addedNodes.forEach(watch);
}).observe(document.body, { childList: true, subtree: true });
