// Query and key turned by their positions; the score is the sum of what the planes add, and sees m − n only.
import { digits, lab, plot } from "./draw.js";

const START = { q: [0.9, 0.4, 0.3, 0.8], k: [0.6, -0.5, 0.9, 0.2] };

lab("rotation", ({ figure, options, read, say, set }) => {
  function redraw() {
    const { m, n, base } = options;
    const turned = { q: rotate(START.q, m, base), k: rotate(START.k, n, base) };
    for (const i of [0, 1]) {
      for (const name of ["q", "k"]) point(plot(figure, `plane-${i}`).querySelector(`.${name}`), turned[name].slice(2 * i));
    }
    const parts = [0, 2].map((i) => turned.q[i] * turned.k[i] + turned.q[i + 1] * turned.k[i + 1]);
    const terms = `${digits(parts[0])} ${parts[1] < 0 ? "−" : "+"} ${digits(Math.abs(parts[1]))}`;
    const lines = [`m − n = ${m} − ${n} = ${digits(m - n, 0)}`,
                   `R(${m})q · R(${n})k = ${terms} = ${digits(parts[0] + parts[1])}`];
    read(lines);
    say(lines.join(". "));
  }

  figure.querySelector(".controls").addEventListener("click", ({ target }) => {
    const by = Number(target.closest("button")?.dataset.by ?? 0);
    const both = ["m", "n"].map((name) => options[name] + by);
    if (!by || Math.min(...both) < 0 || Math.max(...both) > 32) return;
    set("m", both[0]);
    set("n", both[1]);
    redraw();
  });
  return redraw;
});

function rotate(vector, position, base) {
  return vector.map((value, column) => {
    const angle = position * base ** (-2 * Math.floor(column / 2) / vector.length);
    return column % 2
      ? vector[column - 1] * Math.sin(angle) + value * Math.cos(angle)
      : value * Math.cos(angle) - vector[column + 1] * Math.sin(angle);
  });
}

function point(arrow, [x, y]) {
  const place = (shape, names, far = 1) => {
    shape.setAttribute(names[0], x * far);
    shape.setAttribute(names[1], -y * far);
  };
  place(arrow.querySelector(".turned"), ["x2", "y2"]);
  place(arrow.querySelector("circle"), ["cx", "cy"]);
  place(arrow.querySelector("text"), ["x", "y"], 1.17);
}
