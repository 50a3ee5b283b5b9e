// The outline follows: the section that is being read is marked in it.
const links = [...document.querySelectorAll(".outline a[href^='#']")];
const headings = [...new Set(links.map((link) => decodeURIComponent(link.hash.slice(1))))]
  .map((id) => document.getElementById(id)).filter(Boolean);

function mark() {
  const line = innerHeight / 4;
  const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const read = headings.filter((heading) => heading.getBoundingClientRect().top <= line);
  const now = isAtEnd ? headings.at(-1) : read.at(-1);
  for (const link of links) {
    if (now && decodeURIComponent(link.hash.slice(1)) === now.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// Only when a heading comes to the line where reading happens, or leaves it, is there anything to do.
const observer = new IntersectionObserver(mark, { rootMargin: "0px 0px -75% 0px", threshold: [0, 1] });
for (const heading of headings) observer.observe(heading);
document.addEventListener("scrollend", mark);
