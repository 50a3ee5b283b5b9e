// Makes what is committed beside this file: the CodeMirror bundle, the fonts, and the tests' axe-core.
// npm ci && npm run build
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import subsetFont from "subset-font";

const SERIF = "node_modules/@fontsource-variable/source-serif-4";
const CODE = "node_modules/@fontsource-variable/source-code-pro";
const MATH = "node_modules/@fontsource/stix-two-math";
const AXE = "node_modules/axe-core";
const TESTS = "../../../tests/browser";

await build({
  entryPoints: ["codemirror.entry.js"],
  outfile: "codemirror.js",
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  legalComments: "none",
});
await writeFile("codemirror.LICENSE", await licences([
  "@codemirror/autocomplete", "@codemirror/commands", "@codemirror/lang-python", "@codemirror/language",
  "@codemirror/state", "@codemirror/view", "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/python",
  "@marijn/find-cluster-break", "crelt", "style-mod", "w3c-keyname",
]));

await mkdir("fonts", { recursive: true });
// The optical-size axis makes the headings; italics are only ever set at text size.
await copyFile(`${SERIF}/files/source-serif-4-latin-opsz-normal.woff2`, "fonts/source-serif-4.woff2");
await copyFile(`${SERIF}/files/source-serif-4-latin-wght-italic.woff2`, "fonts/source-serif-4-italic.woff2");
await copyFile(`${SERIF}/files/source-serif-4-greek-wght-normal.woff2`, "fonts/source-serif-4-greek.woff2");
await copyFile(`${SERIF}/LICENSE`, "fonts/source-serif-4.LICENSE");
await copyFile(`${CODE}/files/source-code-pro-latin-wght-normal.woff2`, "fonts/source-code-pro.woff2");
await copyFile(`${CODE}/LICENSE`, "fonts/source-code-pro.LICENSE");
await writeFile("fonts/stix-two-math.woff2", await subsetFont(
  await readFile(`${MATH}/files/stix-two-math-latin-400-normal.woff2`), mathematics(), { targetFormat: "woff2" },
));
await copyFile(`${MATH}/LICENSE`, "fonts/stix-two-math.LICENSE");

await copyFile(`${AXE}/axe.min.js`, `${TESTS}/axe.min.js`);

/** What Temml writes: Latin, Greek, combining accents, primes, letterlike, arrows, operators, brackets, alphabets. */
function mathematics() {
  const blocks = [
    [0x20, 0x7e], [0xa0, 0xff], [0x300, 0x338], [0x370, 0x3ff], [0x2010, 0x2057], [0x2061, 0x2064], [0x20d0, 0x20ef],
    [0x2100, 0x214f], [0x2190, 0x21ff], [0x2200, 0x22ff], [0x2300, 0x23ff], [0x25a0, 0x25ff], [0x27c0, 0x27ff],
    [0x2900, 0x297f], [0x2a00, 0x2aff], [0x1d400, 0x1d7ff],
  ];
  return blocks.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))).join("");
}

async function licences(names) {
  const texts = await Promise.all(names.map(async (name) =>
    `${name}\n\n${await readFile(`node_modules/${name}/LICENSE`, "utf8")}`));
  return texts.join("\n\n");
}
