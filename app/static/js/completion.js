// What could be meant: names of the source, of the exercise and of the frameworks, each with what it takes and does.
import {
  Prec, acceptCompletion, autocompletion, completionKeymap, globalCompletion, hoverTooltip, keymap,
  localCompletionSource, syntaxTree,
} from "../vendor/codemirror.js";
import { aliases, described, entry, frameworkOf, frameworksIn, load, members, ofArrays, resolved } from "./names.js";

const KINDS = { function: "function", class: "class", constant: "constant", property: "property", namespace: "namespace" };
const SILENT = ["String", "FormatString", "Comment", "ContinuedString"];

export function completion() {
  return [
    autocompletion({
      override: [afterDot, fromModule, ...[localCompletionSource, exerciseNames, importedNames, globalCompletion].map(notInImport)],
      icons: false, maxRenderedOptions: 60, closeOnBlur: true,
    }),
    Prec.high(keymap.of([...completionKeymap, { key: "Tab", run: acceptCompletion }])),
    hoverTooltip(meaning, { hoverTime: 450 }),
  ];
}

/** `np.` and what lies under it; `x.` and what an array has; `x.at[i].`; `self.` in a module. */
async function afterDot(context) {
  const before = context.matchBefore(/[\w.\])]*\.\w*/);
  if (!before || silent(context)) return null;
  const dot = before.text.lastIndexOf(".");
  const source = context.state.doc.toString();
  const from = before.from + dot + 1;
  const object = context.state.sliceDoc(Math.max(0, from - 200), from - 1).match(/[A-Za-z_][\w.]*$/)?.[0];
  const path = object && resolved(object, source);
  if (path !== null && path !== undefined && frameworkOf(path)) {
    await load(frameworkOf(path));
    return members(path) ? { from, options: toOptions(members(path)), validFor: /^\w*$/ } : null;
  }
  if (path) return null;
  const frameworks = frameworksIn(source);
  await Promise.all(frameworks.map(load));
  return { from, options: ofObject(object, context.state.sliceDoc(Math.max(0, from - 200), from), source, frameworks), validFor: /^\w*$/ };
}

function ofObject(object, before, source, frameworks) {
  if (/\.at\s*\[[^\]]*\]\.$/.test(before)) return toOptions(members("jax.Array.at") ?? {});
  if (object !== "self") return toOptions(ofArrays(frameworks));
  const own = [...new Set(Array.from(source.matchAll(/\bself\.(\w+)/g), ([, name]) => name))];
  const module = Object.values(aliases(source)).some((path) => path.startsWith("torch")) ? "torch.nn.Module" : "flax.linen.Module";
  return [...own.map((label) => ({ label, type: "property", boost: 2 })), ...toOptions(members(module) ?? {})];
}

/** `from jax import `: what there is to import. */
async function fromModule(context) {
  const before = context.matchBefore(/^\s*from\s+[\w.]+\s+import\s+[\w\s,(]*/);
  const module = before?.text.match(/from\s+([\w.]+)/)[1];
  if (!module || !frameworkOf(module)) return null;
  await load(frameworkOf(module));
  const word = context.matchBefore(/\w*/);
  return members(module) ? { from: word.from, options: toOptions(members(module)), validFor: /^\w*$/ } : null;
}

/** What a module has is all that its import line can name. */
const notInImport = (propose) => (context) => (context.matchBefore(/^\s*from\s+[\w.]+\s+import\s.*/) ? null : propose(context));

/** The entry and its parameters, also where the source does not hold them yet. */
function exerciseNames(context) {
  const word = nameBefore(context);
  const given = word && entry();
  if (!given) return null;
  const options = [
    { label: given.name, type: "function", detail: `(${given.parameters.map(([name]) => name).join(", ")})`, info: `returns ${given.returns}` },
    ...given.parameters.map(([label, type]) => ({ label, type: "variable", detail: type })),
  ];
  return { from: word.from, options: notIn(context, options), validFor: /^\w*$/ };
}

/** What the local names lack: `F` of `import torch.nn.functional as F` with the module it stands for. */
function importedNames(context) {
  const word = nameBefore(context);
  if (!word) return null;
  const found = Object.entries(aliases(context.state.doc.toString()));
  const options = found.map(([label, path]) => ({ label, type: "namespace", detail: path === label ? undefined : path }));
  return { from: word.from, options: notIn(context, options), validFor: /^\w*$/ };
}

function nameBefore(context) {
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (silent(context) || !word && !context.explicit) return null;
  if (word && context.state.sliceDoc(word.from - 1, word.from) === ".") return null;
  return word ?? { from: context.pos };
}

/** Without what the local names propose already. */
function notIn(context, options) {
  const local = new Set(localCompletionSource(context)?.options.map(({ label }) => label));
  return options.filter(({ label }) => !local.has(label));
}

const silent = (context) => context.tokenBefore(SILENT) !== null;

function toOptions(names) {
  return Object.entries(names).map(([label, [kind, signature, summary]]) => ({
    label, type: KINDS[kind], detail: brief(signature), info: summary || signature ? () => card(label, signature, summary) : undefined,
  }));
}

/** Beside the name there is room for the first parameters; all of them stand in the card. */
const brief = (signature) => (signature.length > 34 ? `${signature.slice(0, 33)}…` : signature);

export function card(name, signature, summary) {
  const dom = document.createElement("div");
  dom.className = "cm-card";
  const code = Object.assign(document.createElement("code"), { textContent: name + signature });
  dom.append(code);
  if (summary) dom.append(Object.assign(document.createElement("p"), { textContent: `${summary}.`.replace(/([.…])\.$/, "$1") }));
  return dom;
}

/** What the name under the pointer is. */
async function meaning(view, at) {
  const node = syntaxTree(view.state).resolveInner(at, 1);
  if (!["VariableName", "PropertyName"].includes(node.name)) return null;
  const start = view.state.sliceDoc(Math.max(0, node.from - 200), node.from).match(/(?:[A-Za-z_]\w*\.)*$/)[0];
  const name = start + view.state.sliceDoc(node.from, node.to);
  const said = await saidOf(name, view.state.doc.toString());
  return said && { pos: node.from, end: node.to, above: true, create: () => ({ dom: card(name, said[1], said[2]) }) };
}

async function saidOf(name, source) {
  const own = entry();
  if (own?.name === name) return ["function", signatureOf(own), ""];
  const path = resolved(name, source);
  if (!path || !frameworkOf(path)) return null;
  await load(frameworkOf(path));
  return described(path);
}

/** The exercise's entry, as a person writes it. */
export function signatureOf({ parameters, returns }) {
  return `(${parameters.map(([name, type]) => `${name}: ${type}`).join(", ")}) -> ${returns}`;
}
