// Dot products between positions in both tables; the reading compares a pair with all pairs as far apart.
import { cursor, digits, dot, encoding, grid, heat, lab, plot, randomTable } from "./draw.js";

lab("position-similarity", ({ figure, options, read, say }) => {
  const places = [plot(figure, "sinusoidal"), plot(figure, "learned")];
  let matrices = compute();

  const marks = cursor(places, (a, b, by) => {
    const lines = ["PE", "P"].map((name, index) => line(name, matrices[index], a, b));
    read(lines);
    if (by !== "start") say(lines.join(". "));
    for (const place of places) mark(place.querySelectorAll(".same line"), Math.abs(a - b));
  }, [2, 5]);

  function compute() {
    const { max_len, d_model, base, cosine } = options;
    const tables = [grid(max_len, d_model, (pos, i) => encoding(pos, i, d_model, base)), randomTable(max_len, d_model)];
    return tables.map((table) => {
      const rows = cosine ? table.map((row) => row.map((value) => value / Math.sqrt(dot(row, row)))) : table;
      return grid(max_len, max_len, (a, b) => dot(rows[a], rows[b]));
    });
  }

  function line(name, matrix, a, b) {
    const apart = Math.abs(a - b);
    const same = matrix.slice(apart).map((row, index) => row[index]);
    const pair = options.cosine ? `cos(${name}[${a}], ${name}[${b}])` : `${name}[${a}]·${name}[${b}]`;
    const range = `${digits(Math.min(...same))} to ${digits(Math.max(...same))}`;
    return `${pair} = ${digits(matrix[a][b])}; all pairs ${apart} apart: ${range}`;
  }

  function mark([above, below], apart) {
    const [from, to] = [`${100 * apart / options.max_len}%`, `${100 - 100 * apart / options.max_len}%`];
    above.setAttribute("x1", from);
    above.setAttribute("y2", to);
    below.setAttribute("y1", from);
    below.setAttribute("x2", to);
  }

  return () => {
    matrices = compute();
    const scales = options.cosine ? [1, 1] : [options.d_model / 2, Math.max(...matrices[1].flat())];
    places.forEach((place, index) => {
      heat(place, matrices[index], scales[index]);
      const [low, high] = place.parentElement.querySelectorAll(".scale span");
      low.textContent = digits(-scales[index], 3);
      high.textContent = digits(scales[index], 3);
    });
    marks.again();
  };
});
