// What this browser keeps for a page. A browser may refuse (a private window, no room left): then nothing is read, and
// `write` returns false.
function storeOf(name) {
  const read = (key) => {
    try { return window[name].getItem(key); } catch { return null; }
  };
  /** null removes it. */
  const write = (key, text) => {
    try {
      if (text === null) window[name].removeItem(key);
      else window[name].setItem(key, text);
      return true;
    } catch { return false; }
  };
  return {
    read, write,
    readJson: (key) => {
      try { return JSON.parse(read(key)); } catch { return null; }
    },
    writeJson: (key, value) => write(key, value === null ? null : JSON.stringify(value)),
    forget: (prefix) => {
      try { Object.keys(window[name]).filter((key) => key.startsWith(prefix)).forEach((key) => write(key, null)); } catch { /* nothing to forget */ }
    },
  };
}

export const local = storeOf("localStorage"); // all tabs, for good
export const session = storeOf("sessionStorage"); // this tab, until it is closed
