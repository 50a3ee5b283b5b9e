// How far this browser is from UTC, so that days and times are the reader's own; the server writes them so, and here
// they are written anew where it could not know, or where the clocks have been changed between then and now.
const minutes = String(-new Date().getTimezoneOffset());
if (!document.cookie.split("; ").includes(`lectern_offset=${minutes}`)) {
  document.cookie = `lectern_offset=${minutes}; path=/; max-age=31536000; samesite=lax`;
}

for (const time of document.querySelectorAll("time[data-offset]")) {
  const at = new Date(time.dateTime);
  if (time.dataset.offset === String(-at.getTimezoneOffset())) continue;
  const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  time.textContent = `${day}, ${at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}
