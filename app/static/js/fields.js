// What the fields of templates/questions say, and how an answer is put into them. A field says by itself what it is.

/** null: nothing; else a text, or a list of keys. */
export function given(form) {
  const data = new FormData(form);
  if (form.querySelector("[name^=rank-]")) {
    const ranks = [...data].filter(([name]) => name.startsWith("rank-"));
    if (!ranks.some(([, rank]) => rank)) return null;
    return ranks.map((_, n) => { // as the server reads them: a place that none or several claim is empty
      const here = ranks.filter(([, rank]) => Number(rank) === n + 1);
      return here.length === 1 ? here[0][0].slice("rank-".length) : "";
    });
  }
  const answers = data.getAll("answer").map(String);
  if (form.querySelector("[name=answer][type=checkbox]")) return answers.length ? answers : null;
  return answers[0]?.trim() ? answers[0] : null;
}

export function fill(form, words) {
  const keys = Array.isArray(words) ? words : words === null ? [] : [words];
  for (const field of form.querySelectorAll("[name=answer], [name^=rank-]")) {
    if (field.type === "radio" || field.type === "checkbox") field.checked = keys.includes(field.value);
    else if (field.name.startsWith("rank-")) field.value = keys.includes(field.name.slice(5)) ? keys.indexOf(field.name.slice(5)) + 1 : "";
    else field.value = words ?? "";
  }
  form.dispatchEvent(new CustomEvent("lectern:filled", { bubbles: true }));
}
