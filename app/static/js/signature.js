// Inside a call's parentheses: what it takes, the present parameter marked.
import { Prec, StateEffect, StateField, ViewPlugin, keymap, showTooltip, syntaxTree } from "../vendor/codemirror.js";
import { signatureOf } from "./completion.js";
import { described, entry, frameworkOf, load, members, ofArrays, frameworksIn, resolved } from "./names.js";

const close = StateEffect.define();
const arrived = StateEffect.define();

const hint = StateField.define({
  create: () => ({ call: null, closed: null, tooltip: null }),
  update(value, transaction) {
    const isClosing = transaction.effects.some((effect) => effect.is(close));
    const isNew = transaction.effects.some((effect) => effect.is(arrived));
    if (!transaction.docChanged && !transaction.selection && !isClosing && !isNew) return value;
    const call = callAt(transaction.state);
    const closedBefore = value.closed !== null ? transaction.changes.mapPos(value.closed) : null;
    const closed = isClosing ? call?.from ?? null : call?.from === closedBefore ? closedBefore : null;
    const tooltip = call && closed === null ? toTooltip(call, transaction.state) : null;
    return { call, closed, tooltip };
  },
  provide: (field) => showTooltip.from(field, (value) => value.tooltip),
});

export function signatureHint() {
  return [
    hint,
    fetcher,
    // Escape goes on from here: what follows it may be the Tab that leaves the editor.
    Prec.low(keymap.of([{ key: "Escape", run: closeHint }])),
  ];
}

function closeHint(view) {
  if (view.state.field(hint).tooltip) view.dispatch({ effects: close.of(null) });
  return false;
}

/** The innermost call whose parentheses hold the cursor: {callee, from, argument, keyword}. */
function callAt(state) {
  const { head, empty } = state.selection.main;
  if (!empty) return null;
  for (let node = syntaxTree(state).resolveInner(head, -1); node; node = node.parent) {
    if (["Body", "LambdaExpression", "Script"].includes(node.name)) return null;
    if (node.name !== "ArgList" || node.parent?.name !== "CallExpression" || head <= node.from) continue;
    const last = node.lastChild;
    if (last?.name === ")" && head >= last.to) continue;
    const callee = state.sliceDoc(node.parent.from, node.from).trim();
    return { callee, from: node.from, ...argumentAt(node, head, state) };
  }
  return null;
}

function argumentAt(list, head, state) {
  let argument = 0;
  let start = list.from + 1;
  for (const comma of list.getChildren(",")) {
    if (comma.from >= head) break;
    argument += 1;
    start = comma.to;
  }
  return { argument, keyword: state.sliceDoc(start, Math.max(start, head)).match(/^\s*(\w+)\s*=(?!=)/)?.[1] };
}

function toTooltip(call, state) {
  const signature = signatureFor(call.callee, state.doc.toString());
  if (!signature) return null;
  return { pos: call.from, above: true, arrow: false, create: () => ({ dom: toElement(call, signature) }) };
}

function signatureFor(callee, source) {
  const own = entry();
  if (own?.name === callee) return signatureOf(own);
  const path = /^[\w.]+$/.test(callee) ? resolved(callee, source) : null;
  if (path) return described(path)?.[1];
  const method = callee.match(/\.(\w+)$/)?.[1];
  if (!method) return undefined;
  const names = /\.at\s*\[[^\]]*\]\.\w+$/.test(callee) ? members("jax.Array.at") : ofArrays(frameworksIn(source));
  return names && Object.hasOwn(names, method) ? names[method][1] : undefined;
}

function toElement({ callee, argument, keyword }, signature) {
  const [, inside, after] = signature.match(/^\((.*)\)([^)]*)$/s) ?? [null, signature, ""];
  const parameters = split(inside);
  const present = presentOf(parameters, argument, keyword);
  const dom = document.createElement("div");
  dom.className = "cm-signature";
  dom.append(`${callee.match(/[\w.]*$/)[0].split(".").slice(-2).join(".")}(`);
  parameters.forEach((parameter, index) => {
    const part = document.createElement(index === present ? "b" : "span");
    part.textContent = parameter;
    dom.append(part, index < parameters.length - 1 ? ", " : "");
  });
  dom.append(`)${after}`);
  return dom;
}

/** By its keyword, else by place: `/` takes none, `*` and what follows is by keyword only, `*args` takes all that is left. */
function presentOf(parameters, argument, keyword) {
  if (keyword) return parameters.findIndex((one) => one.match(/^\w+/)?.[0] === keyword);
  let place = 0;
  for (const [index, one] of parameters.entries()) {
    if (one === "/") continue;
    if (one.startsWith("*")) return /^\*\w/.test(one) ? index : -1;
    if (place === argument) return index;
    place += 1;
  }
  return -1;
}

/** At the commas that stand in no bracket and no quotes. */
function split(text) {
  return text.match(/(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\]|\{[^{}]*\}|'[^']*'|[^,([{'])+/g)?.map((one) => one.trim()) ?? [];
}

/** Fetches what is known of the frameworks once a call of theirs is entered; the hint then shows by itself. */
const fetcher = ViewPlugin.define((view) => ({
  update(update) {
    if (!update.docChanged && !update.selectionSet) return;
    const call = update.state.field(hint).call;
    if (!call || update.state.field(hint).tooltip) return;
    const source = update.state.doc.toString();
    const path = resolved(call.callee, source);
    const wanted = path ? [frameworkOf(path)].filter(Boolean) : frameworksIn(source);
    if (wanted.every((framework) => members(framework))) return;
    Promise.all(wanted.map(load)).then(() => view.dispatch({ effects: arrived.of(null) }));
  },
}));
