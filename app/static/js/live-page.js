// With `serve --edit`: what is saved in a folder shows on the page that is open.
//
// What the server sent is kept beside the page, part for part. When something has changed the page is asked for again,
// and only where the server's two versions differ is the page touched: what somebody typed, unfolded or scrolled to,
// and what scripts have made of a part, stays. This module stands before all others, so that it finds the page as it
// was sent.
const SHOWN = "#main, [data-live]";
const SCRIPTED = "[data-cell], [data-lab]"; // a script makes more of these when the page opens: the browser opens it again
const LISTS = ["/", "/exercises", "/courses"];
const here = subjectOf(location.pathname);
const sent = new Map(); // of each node as it was sent: where it stands on the page
const parts = [...document.querySelectorAll(SHOWN)].map(kept);

const EDITOR = "form#submit"; // what is written there is its own script's, and kept as a draft
let source, isAsking = false, isLate = false, mustReload = false;

addEventListener("pageshow", listen);
document.addEventListener("visibilitychange", () => (document.hidden ? hangUp() : listen()));

/** A browser keeps six streams at most open to a server: pages that nobody looks at have none. */
function listen() {
  if (source || document.hidden || !(here || LISTS.includes(location.pathname))) return;
  source = new EventSource("/live/events");
  source.onopen = update; // what was saved before, or while the server was away
  source.onmessage = ({ data }) => concerns(JSON.parse(data)) && update();
}

function hangUp() {
  source?.close();
  source = null;
}

function subjectOf(path) {
  const [, kind, slug] = /^(?:\/preview)?\/(exercise|course)s\/([^/]+)/.exec(path) ?? [];
  return kind && { kind, slug: decodeURIComponent(slug) };
}

/** A lesson names the exercises that it embeds; the lists show everything. */
function concerns({ kind, slug }) {
  if (!here) return true;
  return kind === here.kind ? slug === here.slug : here.kind === "course";
}

/** One at a time; what changes meanwhile is asked for afterwards. */
async function update() {
  if (isAsking) return (isLate = true);
  isAsking = true;
  const html = await fetch(location.href).then((answer) => answer.text()).catch(() => null);
  if (html !== null) show(new DOMParser().parseFromString(html, "text/html"));
  isAsking = false;
  if (isLate) {
    isLate = false;
    update();
  }
}

function show(page) {
  const next = [...page.querySelectorAll(SHOWN)];
  if (next.length !== parts.length) return location.reload();
  const scripts = missing(page, "script[src]", "src"), styles = missing(page, "link[rel=stylesheet]", "href");
  styles.forEach((style) => document.head.append(document.importNode(style, true)));
  document.title = page.title;
  const place = topmost();
  parts.forEach((part, n) => change(part, next[n]));
  hold(place);
  if (mustReload) return location.reload(); // scrolled and filled in as it was
  for (const { src, type } of scripts) document.head.append(Object.assign(document.createElement("script"), { src, type }));
  document.dispatchEvent(new CustomEvent("lectern:live"));
}

/** What the page's head has now and had not: a first cell brings its style and its script. */
function missing(page, selector, name) {
  const known = new Set([...document.querySelectorAll(selector)].map((one) => one.getAttribute(name)));
  return [...page.head.querySelectorAll(selector)].filter((one) => !known.has(one.getAttribute(name)));
}

/** Nothing is inserted above what is being read without the page moving along. */
function topmost() {
  const element = [...document.querySelectorAll("#main .prose > *, #main li, #main .entry")].find((one) => one.getBoundingClientRect().bottom > 0);
  return element && { element, top: element.getBoundingClientRect().top };
}

function hold(place) {
  if (!place?.element.isConnected || scrollY === 0) return;
  scrollBy({ top: place.element.getBoundingClientRect().top - place.top, behavior: "instant" });
}

/** A copy of this part as it was sent, whose every node knows its place on the page. */
function kept(live) {
  const copy = live.cloneNode(true);
  pair(copy, live);
  return copy;
}

function pair(copy, live) {
  sent.set(copy, live);
  copy.childNodes.forEach((child, n) => pair(child, live.childNodes[n]));
}

/** Make the page's part what it is in `next`, and what is kept of it too; returns what is kept. */
function change(old, next) {
  if (old.isEqualNode(next)) return old;
  const live = sent.get(old);
  const stand = !live.isConnected && old.id ? document.getElementById(old.id) : null;
  if (stand) return replace(old, stand, next); // another has taken its place: a question that was answered
  if (old.nodeType === Node.ELEMENT_NODE && old.matches(EDITOR)) {
    if (starters(old) !== starters(next)) mustReload = true;
    return old;
  }
  if (old.nodeType === Node.ELEMENT_NODE && old.matches(SCRIPTED) && !essence(old).isEqualNode(essence(next))) mustReload = true;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.data = live.data = next.data;
    return old;
  }
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) [old, live].forEach((one) => one.removeAttribute(name));
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) [old, live].forEach((one) => one.setAttribute(name, value));
  }
  changeChildren(old, live, [...next.childNodes]);
  return old;
}

function replace(old, stand, next) {
  const copy = document.importNode(next, true), shown = document.importNode(next, true);
  old.replaceWith(copy);
  stand.replaceWith(shown);
  return placed(copy, shown);
}

/** Scripts that make more of a part than was sent are told that it is new (`lectern:swapped`). */
function placed(copy, shown) {
  pair(copy, shown);
  if (shown.nodeType === Node.ELEMENT_NODE) {
    if (shown.matches(SCRIPTED) || shown.querySelector(SCRIPTED)) mustReload = true;
    shown.dispatchEvent(new CustomEvent("lectern:swapped", { bubbles: true }));
  }
  return copy;
}

function starters(form) {
  return [...form.querySelectorAll("template[data-starter]")].map((one) => one.dataset.starter + one.innerHTML).join();
}

/** A cell without its output, which comes later. */
function essence(node) {
  const copy = node.cloneNode(true);
  copy.querySelectorAll(".cell-place, [role=status]").forEach((one) => one.remove());
  return copy;
}

function changeChildren(old, live, next) {
  const before = [...old.childNodes];
  const partners = partnersOf(before, next);
  for (const node of before) if (!partners.has(node)) remove(node);
  const nextOf = new Map([...partners].map(([node, partner]) => [partner, node]));
  let last = null; // of what is kept, the one that was placed last
  for (const node of next) {
    const known = nextOf.get(node);
    last = known ? change(known, node) : insert(node, old, live, last);
  }
}

/** Which of the new nodes each old one becomes: equal ones first, in order; between them, like and like. */
function partnersOf(before, next) {
  const partners = new Map();
  let start = 0, end = 0;
  while (start < before.length && start < next.length && before[start].isEqualNode(next[start])) partners.set(before[start], next[start++]);
  const most = Math.min(before.length, next.length) - start;
  while (end < most && before.at(-1 - end).isEqualNode(next.at(-1 - end))) partners.set(before.at(-1 - end), next.at(-1 - end++));
  const left = before.slice(start, before.length - end), right = next.slice(start, next.length - end);
  let at = 0;
  for (const node of left) {
    const same = right.findIndex((one, n) => n >= at && one.isEqualNode(node));
    if (same < 0) continue;
    pairUp(left, right, partners, node, at, same);
    partners.set(node, right[same]);
    at = same + 1;
  }
  pairUp(left, right, partners, null, at, right.length);
  return partners;
}

/** Before `node` (null: to the end), the old ones that have no partner, with the new ones from `at` to `until`. */
function pairUp(left, right, partners, node, at, until) {
  const stop = node ? left.indexOf(node) : left.length;
  let first = stop;
  while (first > 0 && !partners.has(left[first - 1])) first -= 1;
  for (const one of left.slice(first, stop)) {
    const like = right.findIndex((other, n) => n >= at && n < until && isLike(one, other));
    if (like < 0) continue;
    partners.set(one, right[like]);
    at = like + 1;
  }
}

function isLike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");
}

function remove(node) {
  sent.get(node)?.remove();
  node.remove();
}

/** After what was placed last, on the page too; what scripts have moved elsewhere is no guide. */
function insert(node, old, live, last) {
  const copy = document.importNode(node, true), shown = document.importNode(node, true);
  let before = last;
  while (before && sent.get(before)?.parentNode !== live) before = before.previousSibling;
  if (last) last.after(copy);
  else old.prepend(copy);
  if (before) sent.get(before).after(shown);
  else live.prepend(shown);
  return placed(copy, shown);
}

listen();
