// Makes what is committed beside this file: the CodeMirror bundle, Vim's keys and an author's languages, the fonts, and the tests' axe-core.
// npm ci && npm run build
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import subsetFont from "subset-font";

const SERIF = "node_modules/@fontsource-variable/source-serif-4";
const CODE = "node_modules/@fontsource-variable/source-code-pro";
const MATH = "node_modules/@fontsource/stix-two-math";
const AXE = "node_modules/axe-core";
const TESTS = "../../../tests/browser";

/** What Temml writes: Latin, Greek, accents, the operators and letters of most formulas; then all else that it can. */
const USUAL = [
  [0x20, 0x7e], [0xa0, 0xa0], [0xac, 0xac], [0xb1, 0xb1], [0xb4, 0xb4], [0xb7, 0xb7], [0xd7, 0xd7], [0xf7, 0xf7],
  [0x300, 0x30c], [0x391, 0x3c9], [0x2010, 0x2016], [0x2018, 0x2019], [0x201c, 0x201d], [0x2026, 0x2026],
  [0x2032, 0x2033], [0x203e, 0x203e], [0x2061, 0x2064], [0x20d7, 0x20d7], [0x210e, 0x210e], [0x2112, 0x2112],
  [0x2115, 0x2115], [0x211d, 0x211d], [0x2124, 0x2124], [0x2190, 0x2194], [0x21a6, 0x21a6], [0x21a9, 0x21a9], [0x21d2, 0x21d2],
  [0x21d4, 0x21d4], [0x2200, 0x2200], [0x2202, 0x2203], [0x2205, 0x2209], [0x220f, 0x220f], [0x2211, 0x2212],
  [0x2217, 0x221a], [0x221d, 0x221e], [0x2225, 0x2225], [0x2227, 0x222b], [0x223c, 0x223c], [0x2248, 0x2248],
  [0x2260, 0x2261], [0x2264, 0x2265], [0x226a, 0x226b], [0x2282, 0x2282], [0x2286, 0x2286], [0x2295, 0x2295],
  [0x2297, 0x2297], [0x2299, 0x2299], [0x22a4, 0x22a4], [0x22c5, 0x22c5], [0x22ee, 0x22f1], [0x2308, 0x230b],
  [0x23de, 0x23df], [0x27e8, 0x27e9], [0x1d400, 0x1d467], [0x1d49f, 0x1d49f], [0x1d4a9, 0x1d4aa], [0x1d6e2, 0x1d71b], [0x1d7ce, 0x1d7d7],
];
const UNUSUAL = [
  [0xa1, 0xab], [0xad, 0xb0], [0xb2, 0xb3], [0xb5, 0xb6], [0xb8, 0xd6], [0xd8, 0xf6], [0xf8, 0xff], [0x30d, 0x338],
  [0x370, 0x390], [0x3ca, 0x3ff], [0x2017, 0x2017], [0x201a, 0x201b], [0x201e, 0x2025], [0x2027, 0x2031],
  [0x2034, 0x203d], [0x203f, 0x2057], [0x20d0, 0x20d6], [0x20d8, 0x20ef], [0x2100, 0x210d], [0x210f, 0x2111],
  [0x2113, 0x2114], [0x2116, 0x211c], [0x211e, 0x2123], [0x2125, 0x214f], [0x2195, 0x21a5], [0x21a7, 0x21a8], [0x21aa, 0x21d1],
  [0x21d3, 0x21d3], [0x21d5, 0x21ff], [0x2201, 0x2201], [0x2204, 0x2204], [0x220a, 0x220e], [0x2210, 0x2210],
  [0x2213, 0x2216], [0x221b, 0x221c], [0x221f, 0x2224], [0x2226, 0x2226], [0x222c, 0x223b], [0x223d, 0x2247],
  [0x2249, 0x225f], [0x2262, 0x2263], [0x2266, 0x2269], [0x226c, 0x2281], [0x2283, 0x2285], [0x2287, 0x2294],
  [0x2296, 0x2296], [0x2298, 0x2298], [0x229a, 0x22a3], [0x22a5, 0x22c4], [0x22c6, 0x22ed], [0x22f2, 0x2307],
  [0x230c, 0x23dd], [0x23e0, 0x23ff], [0x25a0, 0x25ff], [0x27c0, 0x27e7], [0x27ea, 0x27ff], [0x2900, 0x297f],
  [0x2a00, 0x2aff], [0x1d468, 0x1d49e], [0x1d4a0, 0x1d4a8], [0x1d4ab, 0x1d6e1], [0x1d71c, 0x1d7cd], [0x1d7d8, 0x1d7ff],
];

const MODULE = { bundle: true, minify: true, format: "esm", target: ["es2022"], legalComments: "none" };
await build({ ...MODULE, entryPoints: ["codemirror.entry.js"], outfile: "codemirror.js" });
await build({ ...MODULE, entryPoints: ["vim.entry.js"], outfile: "vim.js", plugins: [besideCodeMirror()] });
await build({ ...MODULE, entryPoints: ["author.entry.js"], outfile: "author.js", plugins: [besideCodeMirror()] });
await writeFile("codemirror.LICENSE", await licences([
  "@codemirror/autocomplete", "@codemirror/commands", "@codemirror/lang-python", "@codemirror/language",
  "@codemirror/state", "@codemirror/view", "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/python",
  "@marijn/find-cluster-break", "crelt", "style-mod", "w3c-keyname",
]));

await writeFile("vim.LICENSE", await licences(["@codemirror/search", "@replit/codemirror-vim", "crelt"]));
await writeFile("author.LICENSE", await licences(["@codemirror/legacy-modes", "@lezer/markdown"]));

await mkdir("fonts", { recursive: true });
// A page may weigh 200 KB before the editor, and fonts are most of it: the letters and the weights that pages use.
// Headings of the first order have the cut for large sizes, at one weight; the axis itself would double the text face.
const WEIGHTS = { min: 400, max: 650 };
await font("source-serif-4", `${SERIF}/files/source-serif-4-latin-wght-normal.woff2`, latin(), { wght: WEIGHTS });
await font("source-serif-4-display", `${SERIF}/files/source-serif-4-latin-opsz-normal.woff2`, latin(), { wght: 400, opsz: 44 });
await font("source-serif-4-italic", `${SERIF}/files/source-serif-4-latin-wght-italic.woff2`, latin(), { wght: 400 });
await font("source-serif-4-greek", `${SERIF}/files/source-serif-4-greek-wght-normal.woff2`, text([[0x370, 0x3ff]]), { wght: WEIGHTS });
await font("source-code-pro", `${CODE}/files/source-code-pro-latin-wght-normal.woff2`, latin(), { wght: WEIGHTS });
await copyFile(`${SERIF}/LICENSE`, "fonts/source-serif-4.LICENSE");
await copyFile(`${CODE}/LICENSE`, "fonts/source-code-pro.LICENSE");
// What nearly every formula needs, and the rest, which a browser fetches when a formula has it (unicode-range in tokens.css).
const MATHS = `${MATH}/files/stix-two-math-latin-400-normal.woff2`;
await font("stix-two-math", MATHS, text(USUAL));
await font("stix-two-math-more", MATHS, text([[0x20, 0x20], ...UNUSUAL]));
await copyFile(`${MATH}/LICENSE`, "fonts/stix-two-math.LICENSE");

await copyFile(`${AXE}/axe.min.js`, `${TESTS}/axe.min.js`);

/** Whatever codemirror.js holds is taken from there, so that the page has one copy of it. */
function besideCodeMirror() {
  const held = /^(@codemirror\/(state|view|commands|language|lang-python)|@lezer\/(common|highlight))$/;
  return {
    name: "beside-codemirror",
    setup: ({ onResolve }) => onResolve({ filter: held }, () => ({ path: "./codemirror.js", external: true })),
  };
}

async function font(name, file, letters, variationAxes = {}) {
  await writeFile(`fonts/${name}.woff2`, await subsetFont(await readFile(file), letters, {
    targetFormat: "woff2", variationAxes, noHinting: true,
  }));
}

function latin() {
  return text([
    [0x20, 0x7e], [0xa0, 0xff], [0x131, 0x131], [0x141, 0x142], [0x152, 0x153], [0x160, 0x161], [0x178, 0x178],
    [0x17d, 0x17e], [0x2c6, 0x2c6], [0x2dc, 0x2dc], [0x2010, 0x2027], [0x2030, 0x2033], [0x2039, 0x203a],
    [0x2044, 0x2044], [0x20ac, 0x20ac], [0x2122, 0x2122], [0x2190, 0x2193], [0x2212, 0x2212], [0x2248, 0x2248],
    [0x2260, 0x2260], [0x2264, 0x2265],
  ]);
}

function text(ranges) {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))).join("");
}

async function licences(names) {
  const texts = await Promise.all(names.map(async (name) =>
    `${name}\n\n${await readFile(`node_modules/${name}/LICENSE`, "utf8")}`));
  return texts.join("\n\n");
}
