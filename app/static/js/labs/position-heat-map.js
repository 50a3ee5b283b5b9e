// Both tables of positions, redrawn as their size or base changes, and read cell by cell.
import { cursor, digits, encoding, grid, heat, lab, plot, randomTable } from "./draw.js";

lab("position-heat-map", ({ figure, options, read, say }) => {
  const [sinusoidal, learned] = [plot(figure, "sinusoidal"), plot(figure, "learned")];
  let table = randomTable(options.max_len, options.d_model);

  const marks = cursor([sinusoidal, learned], (pos, i, by) => {
    const lines = reading(pos, i);
    read(lines);
    if (by !== "start") say(lines.join(". "));
  }, [1, 0]);

  function reading(pos, i) {
    const { d_model, base } = options;
    const angle = `${pos} / ${base}^(${2 * Math.floor(i / 2)}/${d_model})`;
    return [
      `PE[${pos}, ${i}] = ${i % 2 ? "cos" : "sin"}(${angle}) = ${digits(encoding(pos, i, d_model, base))}`,
      `P[${pos}, ${i}] = ${digits(table[pos][i])}, drawn at random`,
    ];
  }

  return () => {
    const { max_len, d_model, base } = options;
    table = randomTable(max_len, d_model);
    heat(sinusoidal, grid(max_len, d_model, (pos, i) => encoding(pos, i, d_model, base)), 1);
    heat(learned, table, 0.06);
    marks.again();
  };
});
