// What js/author/ needs beside codemirror.js: Markdown as Lectern reads it, and TOML. Students' pages never load this.
import { parser, parseCode } from "@lezer/markdown";
import { tags } from "@lezer/highlight";
import { Language, StreamLanguage, defineLanguageFacet, languageDataProp } from "@codemirror/language";
import { pythonLanguage } from "@codemirror/lang-python";
import { toml as tomlMode } from "@codemirror/legacy-modes/mode/toml";

const LINE = /^\s{0,3}(?::{3,}.*|:[a-z][a-z_-]*:(?:\s.*)?)$/;

/** `:::{note}` and the `:option:` lines below it: lines by themselves, whatever stands before and after. */
const directives = {
  defineNodes: [{ name: "Directive", block: true, style: tags.meta }],
  parseBlock: [{
    name: "Directive", before: "FencedCode",
    parse(context, line) {
      if (!LINE.test(line.text)) return false;
      context.addElement(context.elt("Directive", context.lineStart, context.lineStart + line.text.length));
      context.nextLine();
      return true;
    },
    endLeaf: (_, line) => LINE.test(line.text),
  }],
};

/** `$…$`: what stands between is no emphasis. */
const formulas = {
  defineNodes: [{ name: "Formula", style: tags.special(tags.string) }],
  parseInline: [{
    name: "Formula", before: "Escape",
    parse(context, next, at) {
      if (next !== 36) return -1;
      const [whole] = context.slice(at, context.end).match(/^(\$\$?)(?!\s)(?:\\.|[^$\\])+?\1/) ?? [];
      return whole ? context.addElement(context.elt("Formula", at, at + whole.length)) : -1;
    },
  }],
};

const data = defineLanguageFacet();
const configured = parser.configure([
  // Raw HTML is text here, and the `---` below a page's head underlines nothing.
  { remove: ["HTMLBlock", "HTMLTag", "SetextHeading"] }, directives, formulas,
  parseCode({ codeParser: (info) => (/^(\{code-cell\}\s*)?(py|python)/.test(info) ? pythonLanguage.parser : null) }),
  { props: [languageDataProp.add({ Document: data })] },
]);
export const markdown = () => new Language(data, configured, [], "markdown");
export const toml = () => StreamLanguage.define(tomlMode);
