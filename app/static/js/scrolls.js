// What is wider than the text, or taller than its box, scrolls in itself: then, and only then, the keyboard stops at it.
// The server, which cannot know, has it stop at every listing and table.
const SCROLL = "pre[tabindex='0'], div.table[tabindex='0'], div.math";

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight + 1) target.tabIndex = 0;
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
