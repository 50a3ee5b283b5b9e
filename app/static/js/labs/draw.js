// What the labs share: their sliders, heat maps as masks (app/content/labs/drawing.py makes the same), a cursor that
// pointer, finger and arrow keys move, readings, and the random numbers that the server draws, too.

/** Bring each figure of this lab to life. `setup(bench)` gives back what draws it anew from its options. */
export function lab(name, setup) {
  for (const figure of document.querySelectorAll(`figure[data-lab="${name}"]`)) start(figure, setup);
}

function start(figure, setup) {
  const options = JSON.parse(figure.dataset.options);
  const controls = figure.querySelector(".controls");
  const bench = { figure, options, read: (lines) => read(figure, lines), say: (words) => say(figure, words),
                  set: (name, value) => slide(figure, options, name, value) };
  const redraw = setup(bench);
  controls.addEventListener("input", ({ target }) => {
    slide(figure, options, target.name, meaning(target));
    redraw(target.name);
  });
  controls.disabled = false;
}

function meaning(slider) {
  if (slider.type === "checkbox") return Number(slider.checked);
  return slider.dataset.values ? Number(slider.dataset.values.split(" ")[slider.value]) : Number(slider.value);
}

function slide(figure, options, name, value) {
  const slider = figure.querySelector(`input[name="${name}"]`);
  if (slider.type === "checkbox") return void (options[name] = value);
  const values = slider.dataset.values?.split(" ");
  slider.value = values ? values.indexOf(String(value)) : value;
  options[name] = meaning(slider);
  if (values) slider.setAttribute("aria-valuetext", options[name]);
  slider.parentElement.querySelector("output").textContent = options[name];
}

function read(figure, lines) {
  const place = figure.querySelector(".reading");
  lines.forEach((line, index) => { place.children[index].textContent = line; });
}

// Said when the hand rests: a live region that changed with every step would never finish a sentence.
const waiting = new WeakMap();
function say(figure, words) {
  clearTimeout(waiting.get(figure));
  waiting.set(figure, setTimeout(() => { figure.querySelector(".spoken").textContent = words; }, 400));
}

export const plot = (figure, name) => figure.querySelector(`[data-plot="${name}"]`);

/** values: an array of rows; the full colour stands for `scale`. */
export function heat(place, values, scale) {
  place.dataset.rows = values.length;
  place.dataset.columns = values[0].length;
  [1, -1].forEach((sign, index) => {
    place.querySelectorAll("image")[index].setAttribute("href", mask(values, scale * sign));
  });
  if (place.querySelector(".ticks")) ticks(place, ends(values[0].length), ends(values.length));
}

/** Numbers on a plot's axes: [place in percent, text] from the left and from above, as `ticks` in _heat.html has them. */
export function ticks(place, across, down) {
  place.querySelector(".ticks").replaceChildren(
    ...across.map(([at, text]) => tick("across", `${at}%`, "100%", text)),
    ...down.map(([at, text]) => tick("down", "0", `${at}%`, text)),
  );
}

function tick(side, x, y, text) {
  const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
  label.setAttribute("class", side);
  label.setAttribute("x", x);
  label.setAttribute("y", y);
  label.textContent = text;
  return label;
}

/** The first, middle and last of `count` cells. */
const ends = (count) => [0, Math.floor(count / 2), count - 1].map((index) => [(100 * index + 50) / count, index]);

function mask(values, scale) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [values[0].length, values.length];
  const context = canvas.getContext("2d");
  const picture = context.createImageData(canvas.width, canvas.height);
  values.flat().forEach((value, cell) => {
    const grey = Math.round(255 * Math.min(1, Math.max(0, value / scale)));
    picture.data.set([grey, grey, grey, 255], 4 * cell);
  });
  context.putImageData(picture, 0, 0);
  return canvas.toDataURL();
}

/** Lets pointer, finger and arrow keys choose a cell of these plots (all of one size); `moved(row, column)` hears. */
export function cursor(places, moved, [row, column] = [0, 0]) {
  const marks = places.map((place) => {
    place.setAttribute("role", "application");
    place.setAttribute("aria-roledescription", "heat map");
    place.setAttribute("aria-label", `${place.getAttribute("aria-label")} Arrow keys read its cells.`);
    place.tabIndex = 0;
    return place.appendChild(Object.assign(document.createElement("div"), { className: "cursor" }));
  });
  const size = (name) => Number(places[0].dataset[name]);
  const within = (value, count) => Math.min(count - 1, Math.max(0, value));

  function go(toRow, toColumn, by) {
    [row, column] = [within(toRow, size("rows")), within(toColumn, size("columns"))];
    for (const { style } of marks) {
      style.left = `${100 * column / size("columns")}%`;
      style.top = `${100 * row / size("rows")}%`;
      style.width = `${100 / size("columns")}%`;
      style.height = `${100 / size("rows")}%`;
    }
    moved(row, column, by);
  }
  for (const place of places) {
    const point = (event) => {
      const box = place.getBoundingClientRect();
      go(Math.floor((event.clientY - box.top) / box.height * size("rows")),
         Math.floor((event.clientX - box.left) / box.width * size("columns")), "pointer");
    };
    place.addEventListener("pointermove", point);
    place.addEventListener("pointerdown", point);
    place.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 8 : 1;
      const [down, right] = { ArrowUp: [-step, 0], ArrowDown: [step, 0], ArrowLeft: [0, -step], ArrowRight: [0, step],
                              Home: [0, -Infinity], End: [0, Infinity] }[event.key] ?? [];
      if (down === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(row + down, column + right, "keys");
    });
  }
  go(row, column, "start");
  return { again: () => go(row, column, "slider") };
}

/** `−0.4161`: a true minus sign, and none before a zero. */
export function digits(value, places = 4) {
  const text = Math.abs(value).toFixed(places);
  return value < 0 && Number(text) ? `−${text}` : text;
}

export const grid = (rows, columns, value) =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => value(row, column)));

export function encoding(pos, i, d_model, base) {
  const angle = pos / base ** (2 * Math.floor(i / 2) / d_model);
  return i % 2 ? Math.cos(angle) : Math.sin(angle);
}

export const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);

/** Normal numbers of deviation 0.02, as a learned table starts with. */
export function randomTable(rows, columns, seed = 7) {
  const drawn = normals(seed, rows * columns);
  return grid(rows, columns, (row, column) => 0.02 * drawn[row * columns + column]);
}

/** Box and Muller's method over mulberry32: the numbers of app/content/labs/table.py. */
export function normals(seed, count) {
  const next = () => {
    seed = seed + 0x6d2b79f5 | 0;
    let mixed = Math.imul(seed ^ seed >>> 15, seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
  return Array.from({ length: count }, () => {
    const [u, v] = [next(), next()];
    return Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v);
  });
}
