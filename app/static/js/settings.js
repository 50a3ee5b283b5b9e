// How the editor is to be, as this browser remembers it: the size of its letters, and Vim's keys.
import { Compartment, EditorView, Prec, closeCompletion } from "../vendor/codemirror.js";
import { local } from "./storage.js";

const SIZES = [0.76, 0.86, 1, 1.15, 1.35]; // rem
const USUAL = 1;
const keyOf = (name) => `lectern:editor:${name}`;
const vimKeys = new Compartment();

/** Vim's keys come before all others, so this stands first among the extensions. */
export const vimPlace = () => vimKeys.of([]);

export function followSettings(view, host) {
  const settings = document.querySelector("[data-editor-settings]");
  if (!settings) return;
  followSize(view, host, settings);
  followVim(view, settings);
}

function followSize(view, host, settings) {
  const [smaller, larger] = ["smaller", "larger"].map((name) => settings.querySelector(`[data-letters=${name}]`));
  const said = settings.querySelector("[data-letters=said]");
  let step = Math.min(SIZES.length - 1, Math.max(0, Number(local.read(keyOf("size")) ?? USUAL) || 0));
  const show = (words) => {
    host.style.setProperty("--editor-size", `${SIZES[step]}rem`);
    smaller.setAttribute("aria-disabled", step === 0);
    larger.setAttribute("aria-disabled", step === SIZES.length - 1);
    if (words) said.textContent = `Font size ${step + 1} of ${SIZES.length}`;
    view.requestMeasure();
  };
  const change = (by) => {
    step = Math.min(SIZES.length - 1, Math.max(0, step + by));
    local.write(keyOf("size"), step);
    show(true);
  };
  smaller.addEventListener("click", () => change(-1));
  larger.addEventListener("click", () => change(1));
  show(false);
}

function followVim(view, settings) {
  const box = settings.querySelector("[name=vim]");
  keepFocus(view);
  box.checked = local.read(keyOf("vim")) === "on";
  box.addEventListener("change", () => {
    local.write(keyOf("vim"), box.checked ? "on" : "off");
    setVim(view, box);
  });
  if (box.checked) setVim(view, box);
}

async function setVim(view, box) {
  const file = box.checked && await import("../vendor/vim.js").catch(() => null);
  if (box.checked && !file) { box.checked = false; return; }
  if (!box.checked) { view.dispatch({ effects: vimKeys.reconfigure([]) }); return; }
  file.Vim.defineEx("write", "w", (cm) => {
    document.dispatchEvent(new Event("lectern:save"));
    cm.openNotification(words("Saved now; drafts are saved automatically as well. Ctrl+Enter submits."), { bottom: true, duration: 4000 });
  });
  view.dispatch({ effects: vimKeys.reconfigure([escapeLeaves, file.vim({ status: true })]) });
}

/** Vim's line for `:` and `/` takes the focus with it when a message replaces it. Then the keys that follow would be the
    page's: `/` would search lessons. */
function keepFocus(view) {
  let line = null;
  view.root.addEventListener("focusin", ({ target }) => { line = target.matches(".cm-vim-panel input") ? target : null; });
  document.addEventListener("pointerdown", (event) => { if (!event.composedPath().includes(view.dom)) line = null; });
  new MutationObserver(() => {
    if (!line || line.isConnected) return;
    line = null;
    if (document.activeElement === document.body) view.focus();
  }).observe(view.dom, { childList: true, subtree: true });
}

/** Vim keeps Escape for itself, also where a list is open. That Tab leaves the editor after it stays true. */
const escapeLeaves = Prec.highest(EditorView.domEventHandlers({
  keydown(event, view) {
    if (event.key !== "Escape") return false;
    closeCompletion(view);
    view.setTabFocusMode(2000);
    return false;
  },
}));

function words(text) {
  return Object.assign(document.createElement("span"), { textContent: text });
}
