// The slopes of ALiBi for any number of heads, and the bias that one of them adds.
import { cursor, grid, heat, lab, plot, ticks } from "./draw.js";

lab("alibi-slopes", ({ figure, options, read, say, set }) => {
  const [fan, bias] = [plot(figure, "fan").firstElementChild, plot(figure, "bias")];

  const marks = cursor([bias], (i, j, by) => {
    const { heads, head } = options;
    const [numerator, denominator] = exponent(head, heads);
    const slope = 2 ** (-numerator / denominator);
    const lines = [
      `head ${head} of ${heads}: m = 2^(−${numerator}/${denominator}) = ${six(slope)}`,
      `query ${i}, key ${j}: ${j <= i
        ? `−${six(slope)} · |${i} − ${j}| = ${six(-slope * (i - j))}` : "hidden by the causal mask"}`,
    ];
    read(lines);
    if (by !== "start") say(lines.join(". "));
  }, [options.length - 1, options.length / 2]);

  return () => {
    const { heads, length } = options;
    figure.querySelector('input[name="head"]').max = heads;
    set("head", Math.min(options.head, heads));
    const slopes = Array.from({ length: heads }, (_, index) => {
      const [numerator, denominator] = exponent(index + 1, heads);
      return 2 ** (-numerator / denominator);
    });
    ticks(plot(figure, "fan"), [[0, 0], [100, length - 1]], [[0, 0], [100, `−${length - 1}`]]);
    fan.replaceChildren(...slopes.map((slope, index) => line(slope, index + 1 === options.head)));
    const [slope, end] = [slopes[options.head - 1], (length - 1) * Math.max(...slopes)];
    heat(bias, grid(length, length, (i, j) => (j <= i ? -slope * (i - j) : 0)), end);
    figure.querySelector(".scale span:last-child").textContent = six(-end);
    marks.again();
  };
});

/** [8h, n] of the slope 2^(−8h/n): the authors' rule, also where the number of heads is no power of two. */
function exponent(h, heads) {
  const power = 2 ** Math.floor(Math.log2(heads));
  return h <= power ? [8 * h, power] : [8 * (2 * (h - power) - 1), 2 * power];
}

function six(value) {
  return `${value < 0 ? "−" : ""}${Number(Math.abs(value).toPrecision(6))}`;
}

function line(slope, chosen) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "line");
  shape.setAttribute("x2", "100%");
  shape.setAttribute("y2", `${100 * slope}%`);
  shape.classList.toggle("chosen", chosen);
  return shape;
}
