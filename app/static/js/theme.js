// Light, dark or as the system: chosen without leaving the page. The server renders the cookie, so nothing flashes.
document.querySelector(".theme").addEventListener("submit", (event) => {
  event.preventDefault();
  const theme = event.submitter.value;
  document.cookie = `lectern_theme=${theme}; path=/; max-age=${theme ? 31536000 : 0}; samesite=lax`;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  for (const button of event.currentTarget.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button === event.submitter));
  }
});
