// Light, dark or as the system: chosen without leaving the page. The server renders the cookie, so nothing flashes.
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".theme")) return;
  event.preventDefault();
  const theme = event.submitter.value;
  document.cookie = `lectern_theme=${theme}; path=/; max-age=${theme ? 31536000 : 0}; samesite=lax`;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  for (const button of document.querySelectorAll(".theme button")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
});
