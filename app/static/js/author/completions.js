// What can stand here: in TOML the keys and values that the JSON Schema knows, in Markdown the directives, their options
// and the names of exercises, in Python what the students' editor proposes.
import {
  Prec, acceptCompletion, autocompletion, completionKeymap, globalCompletion, keymap, localCompletionSource,
} from "../../vendor/codemirror.js";

export function completions(ending, { schema, directives }) {
  const sources = {
    toml: schema ? [inToml(schema)] : [], md: directives ? [inMarkdown(directives)] : [],
    py: [localCompletionSource, globalCompletion],
  }[ending] ?? [];
  return [
    autocompletion({ override: sources, icons: false, maxRenderedOptions: 60, closeOnBlur: true }),
    Prec.high(keymap.of([...completionKeymap, { key: "Tab", run: acceptCompletion }])),
  ];
}

// exercise.toml and course.toml

const inToml = (schema) => (context) => {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (/^\s*#/.test(before)) return null;
  const table = sectionAt(context.state.doc, line.number);
  const header = before.match(/^\s*\[([\w.]*)$/);
  if (header) return offer(context, header[1], tables(schema));
  const key = before.match(/^\s*([\w-]*)$/);
  const about = within(schema, table);
  if (key) {
    if (!context.explicit && key[1] === "") return null;
    return offer(context, key[1], Object.entries(about?.properties ?? {}).map(([name, one]) => option(name, resolve(schema, one), " = ")));
  }
  const value = before.match(/^\s*([\w-]+)\s*=\s*(?:\[.*?)?("?)([\w-]*)$/);
  const named = value && about?.properties?.[value[1]];
  if (!named) return null;
  const words = valuesOf(schema, named).map((one) => (typeof one === "string" ? { label: one, apply: value[2] ? one : `"${one}"` } : { label: String(one) }));
  return words.length ? offer(context, value[3], words) : null;
};

function sectionAt(doc, number) {
  for (let at = number; at > 0; at -= 1) {
    const found = doc.line(at).text.match(/^\s*\[([\w.]+)\]/);
    if (found) return found[1].split(".");
  }
  return [];
}

function resolve(schema, one) {
  const chosen = one?.$ref ? one : (one?.anyOf ?? one?.allOf ?? []).find(({ $ref }) => $ref) ?? one;
  if (!chosen?.$ref) return chosen;
  return chosen.$ref.replace(/^#\//, "").split("/").reduce((held, name) => held?.[name], schema);
}

function within(schema, path) {
  return path.reduce((held, name) => resolve(schema, held?.properties?.[name] ?? held?.additionalProperties), schema);
}

function tables(schema) {
  return Object.entries(schema.properties ?? {}).filter(([, one]) => (resolve(schema, one)?.properties || resolve(schema, one)?.additionalProperties))
    .map(([name, one]) => option(name, resolve(schema, one), "]"));
}

function valuesOf(schema, one) {
  const about = resolve(schema, one);
  if (!about) return [];
  if (about.type === "boolean") return [true, false];
  const branches = [...(about.anyOf ?? []), about.items].filter(Boolean);
  return [...(about.enum ?? (about.const === undefined ? [] : [about.const])), ...branches.flatMap((branch) => valuesOf(schema, branch))];
}

const option = (label, about, after) => ({
  label, apply: label + after, info: about?.description,
  detail: about?.default === undefined || about.default === null || typeof about.default === "object" ? "" : `default ${about.default}`,
});

// Lessons and statements

const inMarkdown = ({ names, options, types, exercises }) => (context) => {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const directive = before.match(/^(\s*)(:{3,}|`{3,})\{([a-z-]*)$/);
  if (directive) {
    const closed = line.text.slice(context.pos - line.from).startsWith("}");
    return offer(context, directive[3], names.map((label) => ({ label, apply: opening(label, directive[2], closed) })));
  }
  const exercise = before.match(/\{exercise\}\s+([a-z0-9-]*)$/);
  if (exercise) return offer(context, exercise[1], exercises.map((label) => ({ label })));
  const type = before.match(/^\s*:type:\s+([a-z]*)$/);
  if (type) return offer(context, type[1], types.map((label) => ({ label })));
  const setting = before.match(/^\s*:([a-z_]*)$/);
  const around = setting && directiveAt(context.state.doc, line.number);
  return around ? offer(context, setting[1], (options[around] ?? []).map((label) => ({ label, apply: `${label}: ` }))) : null;
};

/** With what closes it below; the cursor stays behind the name. */
function opening(label, fence, closed) {
  return (view, _, from, to) => {
    const end = closed ? "" : `} \n\n${fence}`;
    view.dispatch({
      changes: { from, to, insert: label + end }, selection: { anchor: from + label.length + (closed ? 1 : 2) }, userEvent: "input.complete",
    });
  };
}

function directiveAt(doc, number) {
  for (let at = number - 1; at > 0 && number - at < 12; at -= 1) {
    const found = doc.line(at).text.match(/^\s*(?::{3,}|`{3,})\{([a-z-]+)\}/);
    if (found) return found[1];
    if (!/^\s*:[a-z_-]+:/.test(doc.line(at).text)) return null;
  }
  return null;
}

const offer = (context, typed, options) => ({ from: context.pos - typed.length, options, validFor: /^[\w-]*$/ });
