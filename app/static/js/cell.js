// A lesson's cells run in place. The textarea is the form's truth; an editor grows over it when somebody comes to it.
// A cell that continues others runs after them as they stand in the page, and says when its output no longer fits them.
import { LOOKS, colours, typeOver } from "./code-editor.js";
import { line, sendForm } from "./partial.js";

const cells = new Map();
for (const cell of document.querySelectorAll("[data-cell]")) begin(cell);
for (const parts of cells.values()) compare(parts); // a page that the browser kept has what was typed in it

function begin(cell) {
  const form = cell.querySelector("form");
  const code = form.querySelector(".cell-code");
  const textarea = form.elements.source;
  const parts = {
    cell, form, code, textarea, status: cell.querySelector(".cell-said"), place: cell.querySelector(".cell-place"),
    stale: cell.querySelector(".cell-stale"), after: (cell.dataset.after ?? "").split(" ").filter(Boolean).map((name) => cells.get(name)),
  };
  parts.ranAfter = parts.after.map(author); // what is shown at first was made with the author's code
  cells.set(cell.dataset.cell, parts);
  cell.querySelector("[data-unscripted]")?.remove();
  form.addEventListener("formdata", ({ formData }) => {
    for (const one of parts.after.filter(isEdited)) formData.append(`edited-${one.cell.dataset.cell}`, one.textarea.value);
  });
  code.classList.add("coloured");
  textarea.addEventListener("input", () => changed(parts));
  textarea.addEventListener("focus", () => upgrade(parts), { once: true });
  textarea.addEventListener("scroll", () => { code.querySelector("pre").scrollLeft = textarea.scrollLeft; });
  textarea.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(parts);
  });
  cell.addEventListener("click", (event) => {
    if (event.target.closest(".cell-reset")) {
      event.preventDefault();
      reset(parts);
    } else if (event.target.closest("[data-line]")) {
      event.preventDefault();
      goTo(parts, Number(event.target.closest("[data-line]").dataset.line));
    }
  });
  mark(parts, parts.place.querySelector("[data-error-line]")?.dataset.errorLine);
}

function author({ code }) {
  return code.querySelector("[data-author]").content.textContent;
}

function isEdited(parts) {
  return parts.textarea.value !== author(parts);
}

function textsAbove({ after }) {
  return after.map(({ textarea }) => textarea.value);
}

const resetLink = ({ form }) => form.querySelector(".cell-reset");

function changed(parts) {
  parts.code.classList.remove("coloured");
  resetLink(parts).hidden = !isEdited(parts);
  mark(parts, null);
  for (const other of cells.values()) if (other.after.includes(parts)) compare(other);
}

/** Whether the output was made after the cells above as they are now. */
function compare(parts) {
  if (!parts.stale) return;
  const isStale = textsAbove(parts).some((text, index) => text !== parts.ranAfter[index]);
  parts.cell.classList.toggle("out-of-date", isStale);
  parts.stale.hidden = !isStale;
  if (isStale) parts.status.textContent = "";
  const button = parts.form.querySelector("button");
  if (isStale) button.setAttribute("aria-describedby", parts.stale.id);
  else button.removeAttribute("aria-describedby");
}

async function run(parts) {
  const { form, place, status } = parts;
  if (place.getAttribute("aria-busy") === "true") return;
  const button = form.querySelector("button");
  place.setAttribute("aria-busy", "true");
  button.setAttribute("aria-disabled", "true");
  status.textContent = "Running…";
  const late = setTimeout(() => { status.textContent = "Still running. A cell may run for 10 seconds, and may have to wait its turn first."; }, 3000);
  const above = textsAbove(parts);
  const answer = await sendForm(form, button);
  clearTimeout(late);
  place.removeAttribute("aria-busy");
  button.removeAttribute("aria-disabled");
  place.replaceChildren(answer?.part ?? line("The server cannot be reached. Your code is still here; run it again."));
  const output = place.querySelector("[data-said]");
  status.textContent = output?.dataset.said ?? "";
  mark(parts, output?.dataset.errorLine);
  if (output) parts.ranAfter = above;
  compare(parts);
}

/** Back to what the author wrote, as one step that can be undone. */
function reset(parts) {
  const { textarea, view } = parts;
  if (view) {
    // A step of its own: within half a second of typing it would be undone together with what was typed.
    const annotations = parts.isolateHistory.of("full");
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: author(parts) }, annotations });
    view.focus();
  } else {
    textarea.value = author(parts);
    changed(parts);
    textarea.focus();
  }
}

function mark({ code }, number) {
  code.querySelector(".cell-mark")?.remove();
  if (!number) return;
  const bar = Object.assign(document.createElement("span"), { className: "cell-mark" });
  bar.style.setProperty("--line", number);
  code.append(bar);
}

function goTo({ textarea, view }, number) {
  if (view) {
    const found = view.state.doc.line(Math.min(number, view.state.doc.lines));
    view.dispatch({ selection: { anchor: found.from, head: found.to }, scrollIntoView: true });
    return view.focus();
  }
  const lines = textarea.value.split("\n");
  const from = lines.slice(0, number - 1).join("\n").length + (number > 1);
  textarea.focus();
  textarea.setSelectionRange(from, from + (lines[number - 1] ?? "").length);
}

/** CodeMirror over the textarea, fetched when somebody comes to a cell for the first time. */
async function upgrade(parts) {
  const { form, code, textarea } = parts;
  const editor = await import("../vendor/codemirror.js").catch(() => null);
  if (!editor) return;
  const { EditorState, EditorView, isolateHistory } = editor;
  parts.isolateHistory = isolateHistory;
  const host = Object.assign(document.createElement("div"), { className: "editor" });
  const root = host.attachShadow({ mode: "open", delegatesFocus: true });
  const hadFocus = document.activeElement === textarea;
  const selection = { anchor: textarea.selectionStart, head: textarea.selectionEnd };
  parts.view = new EditorView({
    root, parent: root,
    state: EditorState.create({ doc: textarea.value, selection, extensions: extensions(editor, parts) }),
  });
  textarea.before(host);
  textarea.hidden = true;
  code.classList.remove("coloured");
  form.dataset.upgraded = "";
  if (hadFocus) parts.view.focus();
}

function extensions(editor, { form, textarea }) {
  const { EditorView, keymap } = editor;
  const send = () => { form.requestSubmit(); return true; };
  return [
    editor.highlightSpecialChars(), editor.history(), editor.drawSelection(), editor.indentOnInput(),
    editor.bracketMatching(), editor.closeBrackets(), editor.python(), editor.indentUnit.of("    "),
    editor.EditorState.tabSize.of(4), theme(editor), editor.syntaxHighlighting(colours(editor)),
    EditorView.contentAttributes.of({
      "aria-label": textarea.getAttribute("aria-label"), "aria-description": "Ctrl+Enter runs it. Tab leaves the editor.",
      tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false",
    }),
    // Tab moves on, as everywhere in a text that is read; Control and ] indents
    keymap.of([
      { key: "Mod-Enter", run: send }, { key: "Ctrl-Enter", run: send },
      ...editor.closeBracketsKeymap, ...editor.defaultKeymap, ...editor.historyKeymap,
    ]),
    typeOver(editor),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      textarea.value = update.state.doc.toString();
      textarea.dispatchEvent(new Event("input", { bubbles: true }));
    }),
  ];
}

// Lines that go on beyond an edge have a shadow there: lessons.css tells how.
const EDGES = ["right", "left"].map((way) => `linear-gradient(to ${way}, var(--page) 40%, transparent) ${way === "right" ? "left" : "right"} / 2.2rem 100% no-repeat local`)
  .concat(["right", "left"].map((way) => `linear-gradient(to ${way}, var(--edge), transparent) ${way === "right" ? "left" : "right"} / 0.8rem 100% no-repeat scroll`))
  .join(", ");

const theme = ({ EditorView }) => EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "var(--size-code)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--code-face)", lineHeight: "var(--line-height)", overflow: "auto", fontVariantLigatures: "none",
    scrollbarWidth: "thin", scrollbarColor: "var(--control) transparent", background: EDGES,
  },
  ".cm-content": { padding: "var(--above) 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 0.2rem" },
  ...LOOKS,
});
