// Sends a form and gives back the part of the page that answers it, as an element; null when there was no answer.

export function sendForm(form, submitter, headers = {}) {
  return send(form.action, new URLSearchParams(new FormData(form, submitter)), headers);
}

/** What could not be sent is reported to connection.js. */
export async function send(address, body, headers = {}) {
  try {
    const response = await fetch(address, {
      method: "POST", body, headers: { "Lectern-Partial": "1", ...headers }, redirect: "follow",
    });
    return { ok: response.ok, status: response.status, part: toElement(await response.text()) };
  } catch {
    document.dispatchEvent(new CustomEvent("lectern:lost"));
    return null;
  }
}

export function toElement(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  return holder.content.firstElementChild;
}

/** Tell all who listen (marks in the editor, the array viewer) that this panel now stands on the page. */
export function placed(panel) {
  panel.dispatchEvent(new CustomEvent("lectern:panel", { bubbles: true }));
}

/** A quiet line in our own words, where the server could not give one. */
export function line(words) {
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.setAttribute("role", "alert");
  notice.append(Object.assign(document.createElement("p"), { textContent: words }));
  return notice;
}

/** Resolves when the sheet applies, or could not be had: then the page works, plainly. */
export function loadStyle(url) {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: url });
  return new Promise((resolve) => {
    sheet.onload = sheet.onerror = resolve;
    document.head.append(sheet);
  });
}
