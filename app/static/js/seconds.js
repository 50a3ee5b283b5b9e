// How long a question was to be seen before it was answered: what is on another screen, or scrolled away, is not worked
// on. It goes along in the form's hidden field (data-seconds).
const begun = new WeakMap(); // field: { total, since } in milliseconds; since is null while it is not to be seen
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    for (const field of target.querySelectorAll("[data-seconds]")) turn(field, isIntersecting);
  }
});

watch(document);
document.addEventListener("lectern:swapped", ({ target }) => watch(target));
document.addEventListener("visibilitychange", () => {
  for (const field of document.querySelectorAll("[data-seconds]")) turn(field, begun.get(field)?.inView);
});
for (const type of ["submit", "input", "change"]) document.addEventListener(type, write, { capture: true });

function watch(root) {
  for (const field of root.querySelectorAll("[data-seconds]")) {
    if (begun.has(field)) continue;
    begun.set(field, { total: 0, since: null, inView: false });
    seen.observe(field.parentElement);
  }
}

function turn(field, inView) {
  const time = begun.get(field);
  if (!time) return;
  if (time.since !== null) time.total += performance.now() - time.since;
  time.inView = inView;
  time.since = inView && !document.hidden ? performance.now() : null;
}

function write({ target }) {
  for (const field of (target.form ?? target).querySelectorAll?.("[data-seconds]") ?? []) {
    const time = begun.get(field);
    if (!time) continue;
    turn(field, time.inView);
    field.value = (time.total / 1000).toFixed(1);
  }
}
