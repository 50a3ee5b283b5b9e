// Sends a form and gives back the part of the page that answers it, as an element; null when there was no answer.

export async function sendForm(form, submitter, headers = {}) {
  const body = new URLSearchParams(new FormData(form, submitter));
  try {
    const response = await fetch(form.action, {
      method: "POST", body, headers: { "Lectern-Partial": "1", ...headers }, redirect: "follow",
    });
    return { ok: response.ok, status: response.status, part: toElement(await response.text()) };
  } catch {
    return null;
  }
}

export function toElement(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  return holder.content.firstElementChild;
}

/** A quiet line in our own words, where the server could not give one. */
export function line(words) {
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.setAttribute("role", "alert");
  notice.append(Object.assign(document.createElement("p"), { textContent: words }));
  return notice;
}
