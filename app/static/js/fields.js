// What the fields of templates/questions say, and how an answer is put into them. A field says by itself what it is.

/** null: nothing; else a text, a list of keys or of texts, or keys by keys. */
export function given(form) {
  const data = new FormData(form);
  const named = (start) => [...data].filter(([name]) => name.startsWith(start)).map(([name, value]) => [name.slice(start.length), String(value)]);
  if (form.querySelector("[name^=rank-]")) {
    const ranks = named("rank-");
    if (!ranks.some(([, rank]) => rank)) return null;
    return ranks.map((_, n) => { // as the server reads them: a place that none or several claim is empty
      const here = ranks.filter(([, rank]) => Number(rank) === n + 1);
      return here.length === 1 ? here[0][0] : "";
    });
  }
  if (form.querySelector("[name^=match-]")) {
    const pairs = named("match-").filter(([, key]) => key).sort(([one], [other]) => (one < other ? -1 : 1)); // as the server keeps them
    return pairs.length ? Object.fromEntries(pairs) : null;
  }
  if (form.querySelector("[name^=gap-]")) {
    const gaps = named("gap-").map(([, text]) => text);
    return gaps.some((text) => text.trim()) ? gaps : null;
  }
  const answers = data.getAll("answer").map(String);
  if (form.querySelector("[name=answer][type=checkbox]")) return answers.length ? answers : null;
  return answers[0]?.trim() ? answers[0] : null;
}

export function fill(form, words) {
  const keys = Array.isArray(words) ? words : words === null ? [] : [words];
  for (const field of form.querySelectorAll("[name=answer], [name^=rank-], [name^=match-], [name^=gap-]")) {
    const [, kind, place] = field.name.match(/^(rank|match|gap)-(.*)$/) ?? [];
    if (field.type === "radio" || field.type === "checkbox") field.checked = keys.includes(field.value);
    else if (kind === "rank") field.value = keys.includes(place) ? keys.indexOf(place) + 1 : "";
    else if (kind === "match") field.value = words?.[place] ?? "";
    else if (kind === "gap") field.value = keys[Number(place) - 1] ?? "";
    else field.value = words ?? "";
  }
  form.dispatchEvent(new CustomEvent("lectern:filled", { bubbles: true }));
}
