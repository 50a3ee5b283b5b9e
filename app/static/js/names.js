// What the frameworks' names mean: which dotted name an alias stands for in this source, and what is known of it.
// What is known lies in a file a framework, made from the installed libraries, and is fetched when first asked for.

const FRAMEWORKS = { numpy: "numpy", jax: "jax", flax: "jax", torch: "torch" };
const ARRAYS = { numpy: "numpy.ndarray", jax: "jax.Array", torch: "torch.Tensor" };
const known = {};
const asked = {};

/** The framework whose file tells of a dotted name, or undefined. */
export const frameworkOf = (path) => FRAMEWORKS[path.split(".")[0]];

/** The file of a framework, in time. */
export function load(framework) {
  asked[framework] ??= import(`./completions/${framework}.js`).then(
    (file) => { known[framework] = file.default.modules; },
    () => { delete asked[framework]; /* the network was away: asked again at the next name */ },
  );
  return asked[framework];
}

/** What lies under a dotted name, as {name: [kind, signature, summary]}, if its file is here; else undefined. */
export const members = (path) => known[frameworkOf(path)]?.[path];

/** What one dotted name is: [kind, signature, summary], or undefined. */
export function described(path) {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? undefined : members(path.slice(0, dot))?.[path.slice(dot + 1)];
}

/** alias → dotted name, of every import in the source. */
export function aliases(source) {
  const found = {};
  for (const [, list] of source.matchAll(/^[ \t]*import[ \t]+([^#\n]+)/gm)) {
    for (const [name, alias] of pairs(list)) found[alias ?? name.split(".")[0]] = alias ? name : name.split(".")[0];
  }
  for (const [, module, list] of source.matchAll(/^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^#\n]+)/gm)) {
    for (const [name, alias] of pairs(list.replace(/[()]|#.*$/gm, " "))) found[alias ?? name] = `${module}.${name}`;
  }
  return found;
}

const pairs = (list) => list.split(",").map((one) => one.trim().split(/\s+as\s+/)).filter(([name]) => /^[\w.]+$/.test(name));

/** The dotted name that an expression such as `np.linalg.norm` stands for, or null where it does not begin with an import. */
export function resolved(expression, source) {
  const [head, ...rest] = expression.split(".");
  const found = aliases(source);
  return Object.hasOwn(found, head) ? [found[head], ...rest].join(".") : null;
}

/** The frameworks that a source imports; the chosen one where it imports none. */
export function frameworksIn(source) {
  const found = new Set(Object.values(aliases(source)).map(frameworkOf).filter(Boolean));
  const chosen = document.querySelector("input[name=framework]:checked")?.value;
  return found.size ? [...found] : chosen in ARRAYS ? [chosen] : [];
}

/** What an array has in these frameworks: of two that have the same name, the first one's. */
export function ofArrays(frameworks) {
  return Object.assign({}, ...frameworks.map((framework) => members(ARRAYS[framework]) ?? {}).reverse());
}

/** The exercise's own entry: {name, parameters: [[name, type]], returns}, as the page states it. */
export function entry() {
  const said = document.querySelector("[data-entry]");
  if (!said) return null;
  const { name, names, types, returns } = JSON.parse(said.dataset.entry);
  return { name, parameters: names.map((one, index) => [one, types[index]]), returns };
}
