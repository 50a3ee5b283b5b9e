// The array viewer comes to the desk when there is something for it to view: until then its weight is the page's.
const wanted = (part) => part.querySelector("[data-arrays]")
  ?? [...part.querySelectorAll("a[data-arrays-from]")].find((link) => !link.closest("details:not([open])"));
const look = (part) => { if (wanted(part)) import("./arrays.js"); };

document.addEventListener("lectern:panel", (event) => look(event.target));
document.addEventListener("toggle", (event) => look(event.target), true);
look(document);
