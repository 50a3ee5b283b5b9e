// Whether a key is meant for what someone types in: a field, the editor (which lives in a shadow root), a dialog.
export function isTyping(event) {
  const [target] = event.composedPath();
  return event.defaultPrevented || event.isComposing
    || (target instanceof Element && (target.isContentEditable || target.matches("input:not([type=radio], [type=checkbox]), textarea, select")));
}

/** A bare key, not part of a shortcut of the browser's or of assistive technology's. */
export function isBare(event, key) {
  return event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey;
}
