// Vim's keys, loaded only where someone switched them on. CodeMirror itself is codemirror.js: two would not know each other.
export { Vim, getCM, vim } from "@replit/codemirror-vim";
