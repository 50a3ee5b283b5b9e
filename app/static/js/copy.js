// A Copy button on every listing that is there to be read. What happened is said as well as shown.
const SHOWN_MS = 2000;
const status = Object.assign(document.createElement("p"), { className: "out-of-sight" });
status.setAttribute("role", "status");
document.querySelector("main").append(status);

function offer(listing) {
  const place = Object.assign(document.createElement("div"), { className: "copy" });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Copy" });
  button.setAttribute("aria-label", "Copy this code");
  button.addEventListener("click", () => copy(listing, button));
  place.append(button);
  listing.before(place);
}

async function copy(listing, button) {
  const isCopied = await navigator.clipboard.writeText(listing.textContent).then(() => true, () => false);
  if (!isCopied) getSelection().selectAllChildren(listing);  // a page without https may not write there
  button.textContent = isCopied ? "Copied" : "Selected";
  status.textContent = isCopied ? "Code copied." : "Code selected: copy it with Ctrl+C.";
  setTimeout(() => { button.textContent = "Copy"; status.textContent = ""; }, SHOWN_MS);
}

if (navigator.clipboard || window.getSelection) for (const listing of document.querySelectorAll(".prose pre.code")) {
  if (!listing.closest("form")) offer(listing);
}
