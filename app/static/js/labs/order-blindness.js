// Tokens that are dragged, or moved by the arrow keys, into another order; attention is computed anew each time.
import { digits, dot, encoding, grid, heat, lab, normals } from "./draw.js";

const WIDTH = 4;

lab("order-blindness", ({ figure, options, read, say }) => {
  const list = figure.querySelector(".tokens");
  const { x, projections } = weights(options.tokens, options.seed);
  const first = x.map((_, index) => index);
  const before = { bare: outputs(first, false), placed: outputs(first, true) };

  function outputs(order, placed) {
    const rows = order.map((token, place) =>
      x[token].map((value, i) => value + (placed ? encoding(place, i, WIDTH, 10000) : 0)));
    const [q, k, v] = projections.map((matrix) => rows.map((row) => times(row, matrix)));
    const out = [];
    order.forEach((token, place) => {
      const scores = k.map((key) => dot(q[place], key) / Math.sqrt(WIDTH));
      const shares = scores.map((score) => Math.exp(score - Math.max(...scores)));
      const sum = shares.reduce((a, b) => a + b);
      out[token] = times(shares.map((share) => share / sum), v);
    });
    return out;
  }

  function redraw(moved) {
    const order = [...list.children].map((item) => Number(item.dataset.token));
    const now = { bare: outputs(order, false), placed: outputs(order, true) };
    for (const item of list.children) {
      for (const kind of ["bare", "placed"]) {
        const [strip, values] = [item.querySelector(`[data-strip="${kind}-now"]`), now[kind][item.dataset.token]];
        heat(strip, [values], 3);
        const words = `${kind === "bare" ? "without" : "with"} positions, now`;
        strip.setAttribute("aria-label", `${words}: ${values.map((value) => digits(value, 2)).join(", ")}`);
      }
    }
    const [bare, placed] = ["bare", "placed"].map((kind) => difference(before[kind], now[kind]));
    const lines = [
      `Without positions, permuted output equals output permuted: difference ${digits(bare)}`,
      `With positions, permuted output ${placed < 5e-5 ? "equals" : "does not equal"} output permuted: difference ${digits(placed)}`,
    ];
    read(lines);
    if (moved) say(`${moved.textContent}, place ${place(moved) + 1} of ${order.length}. ${lines.join(". ")}`);
  }

  const place = (token) => [...list.children].indexOf(token.parentElement);

  // The others make way: what is moved itself would lose the focus, and the pointer that holds it.
  function move(token, to) {
    const [item, from] = [token.parentElement, place(token)];
    if (to < 0 || to >= list.children.length || to === from) return;
    while (place(token) < to) list.insertBefore(item.nextElementSibling, item);
    while (place(token) > to) list.insertBefore(item.previousElementSibling, item.nextElementSibling);
    redraw(token);
  }

  for (const token of list.querySelectorAll(".token")) {
    token.tabIndex = 0;
    token.setAttribute("role", "button");
    token.setAttribute("aria-roledescription", "token, moved by the arrow keys");
    token.addEventListener("keydown", (event) => {
      const to = { ArrowUp: place(token) - 1, ArrowDown: place(token) + 1, Home: 0, End: options.tokens - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move(token, to);
    });
    token.addEventListener("pointerdown", (event) => token.setPointerCapture(event.pointerId));
    token.addEventListener("pointermove", ({ pointerId, clientY }) => {
      if (!token.hasPointerCapture(pointerId)) return;
      const { top, height } = list.getBoundingClientRect();
      const to = Math.floor((clientY - top) / height * options.tokens);
      move(token, Math.min(options.tokens - 1, Math.max(0, to)));
    });
  }
  return redraw;
});

function weights(count, seed) {
  const drawn = normals(seed, WIDTH * (3 * WIDTH + count));
  const matrix = (rows, from) => grid(rows, WIDTH, (row, column) => drawn[from + row * WIDTH + column]);
  const projections = [0, 1, 2].map((one) => matrix(WIDTH, one * WIDTH ** 2).map((row) => row.map((value) => 0.5 * value)));
  return { x: matrix(count, 3 * WIDTH ** 2), projections };
}

/** A row times a matrix. */
function times(row, matrix) {
  return matrix[0].map((_, column) => row.reduce((sum, value, i) => sum + value * matrix[i][column], 0));
}

function difference(a, b) {
  return Math.max(...a.flatMap((row, t) => row.map((value, i) => Math.abs(value - b[t][i]))));
}
