// The array viewer: a cursor over all heat maps of a case at once, other slices, the slice as a table.
// The server draws the maps of the first slice; here the others are drawn alike, in the colours read from the legends.
import { toElement } from "./partial.js";

const CELL = 30, SNUG = 144, WIDE = 240, STRIP = 510, HIGH = 240; // as app/web/arrays.py has them

document.addEventListener("lectern:panel", (event) => upgrade(event.target));
document.addEventListener("toggle", (event) => upgrade(event.target), true);
upgrade(document);

function upgrade(part) {
  for (const link of part.querySelectorAll("a[data-arrays-from]")) if (!link.closest("details:not([open])")) bring(link);
  for (const root of part.querySelectorAll("[data-arrays]:not(.is-live)")) enliven(root);
}

/** What is folded up, or large, comes when it is looked at. */
async function bring(link) {
  if (link.dataset.coming) return;
  link.dataset.coming = "yes";
  const answer = await fetch(link.href, { headers: { "Lectern-Partial": "1" } }).catch(() => null);
  const figure = answer?.ok && toElement(await answer.text());
  delete link.dataset.coming;
  if (!figure || !link.isConnected) return; // the link is still a link
  link.closest("p").replaceWith(figure);
  upgrade(figure);
}

function enliven(root) {
  root.classList.add("is-live");
  const axes = [...root.querySelectorAll("[data-axis]")].map((label) => ({
    label, slider: label.querySelector("input"), said: label.dataset.label,
    start: Number(label.dataset.start), count: Number(label.dataset.count),
  }));
  const maps = [...root.querySelectorAll("figure[data-kind]")].map((figure) => ({
    figure, kind: figure.dataset.kind, title: figure.querySelector("figcaption").firstChild.textContent, texts: figure.dataset.texts.split(" "),
  }));
  for (const map of maps) map.numbers = map.texts.map(toNumber);
  const axis = (value) => (value === "" ? null : Number(value));
  let down = axis(root.dataset.down), across = axis(root.dataset.across);
  const at = axes.map(({ slider, start }) => Number(slider.value) - start);
  const worst = root.dataset.worst.split(" ").map(Number).map((index, n) => index - (axes[n]?.start ?? 0));
  const hasWorst = root.dataset.worst !== "" || (axes.length === 0 && maps.length > 1);
  const differing = root.dataset.differing;
  const [low, high] = ends(maps.filter(({ kind }) => kind !== "difference"));
  const most = Math.max(...ends(maps.filter(({ kind }) => kind === "difference")).map(Math.abs));
  const stage = root.querySelector("[data-maps]");
  const table = root.querySelector(".as-table");
  const size = (n) => (n === null ? 1 : axes[n].count);
  let drawn = 0;

  const here = (x, y) => at.map((index, n) => (n === across ? x : n === down ? y : index));
  const place = (index) => index.reduce((sum, one, n) => sum * axes[n].count + one, 0);
  const cells = () => Array.from({ length: size(down) }, (_, y) =>
    Array.from({ length: size(across) }, (_, x) => place(here(x, y))));

  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-label", `Heat maps of ${maps.map(({ kind, title }) => (kind === "value" ? title : kind)).join(", ")}. The arrow keys move from number to number.`);

  function point() {
    const x = across === null ? 0 : at[across], y = down === null ? 0 : at[down];
    for (const cursor of root.querySelectorAll(".cursor")) {
      cursor.setAttribute("x", x);
      cursor.setAttribute("y", y);
    }
    root.querySelector("[data-index]").textContent = `[${at.map((index, n) => index + axes[n].start).join(", ")}]`;
    for (const { kind, texts } of maps) root.querySelector(`[data-reads="${kind}"]`).textContent = texts[place(at)];
    const note = root.querySelector("[data-is-worst]");
    if (note) note.hidden = !at.every((index, n) => index === worst[n]);
  }

  async function draw() {
    const turn = ++drawn;
    const colours = await palettes(root);
    if (turn !== drawn) return;
    const rows = size(down), columns = size(across), shown = cells();
    const width = Math.min(CELL * columns, rows > 1 ? Math.max(SNUG, Math.min(WIDE, 4 * columns)) : STRIP), height = Math.min(CELL * rows, HIGH);
    const mask = differing && shown.map((row) => row.map((n) => differing[n] === "1"));
    const hasIt = hasWorst && worst.every((index, n) => n === down || n === across || index === at[n]);
    for (const { figure, kind, numbers } of maps) {
      const svg = figure.querySelector("svg");
      setAll(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
      svg.querySelector(".grid").setAttribute("transform", `scale(${width / columns} ${height / rows})`);
      const colour = kind === "difference"
        ? (n) => (differing[n] === "1" ? step(colours.differences, numbers[n], -most, most) : [128, 128, 128, 72])
        : (n) => step(colours.values, numbers[n], low, high);
      setAll(svg.querySelector("image"), { width: columns, height: rows, href: picture(shown, colour) });
      for (const path of svg.querySelectorAll(".outline")) path.setAttribute("d", mask ? outline(mask) : "");
      for (const path of svg.querySelectorAll(".strange")) path.setAttribute("d", strange(shown, numbers));
      const cx = (worst[across] + 0.5) * (width / columns), cy = ((worst[down] ?? 0) + 0.5) * (height / rows);
      svg.querySelector(".pointer").setAttribute("d", hasIt ? `M${cx} -1l-4 -7h8z${down === null ? "" : `M-1 ${cy}l-7 -4v8z`}` : "");
      figure.querySelector("[data-name-across]").textContent = across === null ? "" : axes[across].said;
      figure.querySelector("[data-name-down]").textContent = down === null ? "" : axes[down].said;
    }
    axes.forEach(({ label, slider, start }, n) => {
      label.hidden = n === down || n === across || axes[n].count < 2;
      slider.value = at[n] + start;
      label.querySelector("b").textContent = at[n] + start;
    });
    const slice = root.querySelector("[data-slice]");
    if (slice) slice.textContent = `[${at.map((index, n) => (n === down || n === across ? ":" : index + axes[n].start)).join(", ")}]`;
    fill(true);
    point();
  }

  /** The slice as rows of a table; a large one only once it is looked at. */
  function fill(anew) {
    if (!table.open && !anew) return;
    const body = table.querySelector("table");
    if (!table.open) return body.querySelectorAll("thead, tbody").forEach((one) => one.remove());
    if (!anew && body.tBodies.length) return;
    body.querySelectorAll("thead, tbody").forEach((one) => one.remove());
    const yours = maps.find(({ kind }) => kind === "yours") ?? maps[0];
    const head = body.createTHead().insertRow();
    if (down !== null) head.insertCell();
    for (let x = 0; x < size(across); x++) head.append(heading(across === null ? "value" : x + axes[across].start, "col"));
    const rows = body.createTBody();
    cells().forEach((line, y) => {
      const row = rows.insertRow();
      if (down !== null) row.append(heading(y + axes[down].start, "row"));
      for (const n of line) {
        const cell = row.insertCell();
        cell.textContent = yours.texts[n];
        if (differing[n] !== "1") continue;
        cell.className = "differs";
        cell.append(" ", Object.assign(document.createElement("span"), { textContent: `expected ${maps[0].texts[n]}` }));
      }
    });
  }

  function aim(event) {
    const svg = event.target.closest("svg");
    if (!svg) return;
    const box = svg.getBoundingClientRect();
    const within = (share, count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    if (across !== null) at[across] = within((event.clientX - box.left) / box.width, size(across));
    if (down !== null) at[down] = within((event.clientY - box.top) / box.height, size(down));
    root.classList.add("has-cursor");
    point();
  }
  stage.addEventListener("pointermove", aim);
  stage.addEventListener("pointerdown", aim);

  const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-Infinity, 0], End: [Infinity, 0] };
  stage.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    [across, down].forEach((n, side) => {
      if (n !== null) at[n] = Math.max(0, Math.min(size(n) - 1, at[n] + move[side]));
    });
    point();
    root.querySelector("[data-said]").textContent = root.querySelector(".reading").innerText.replace(/\s+/g, " ");
  });

  axes.forEach(({ slider, start }, n) => slider.addEventListener("input", () => {
    at[n] = Number(slider.value) - start;
    draw();
  }));
  const choices = [...root.querySelectorAll("[data-choose]")];
  const axisOf = (side) => (side === "down" ? down : across);
  function choose(side, chosen) {
    if (side === "down") [down, across] = [chosen, chosen === across ? down : across];
    else [across, down] = [chosen, chosen === down ? across : down];
    for (const choice of choices) choice.value = axisOf(choice.dataset.choose);
    draw();
  }
  for (const choice of choices) choice.addEventListener("change", () => choose(choice.dataset.choose, Number(choice.value)));
  // A reader may have been quicker than this module.
  const early = choices.map((choice) => [choice.dataset.choose, Number(choice.value)]).filter(([side, chosen]) => chosen !== axisOf(side));
  if (axes.some(({ slider }) => slider.value !== slider.defaultValue)) draw();
  for (const [side, chosen] of early) choose(side, chosen);
  table.addEventListener("toggle", () => fill(false));
}

/** The colours of each legend, as [red, green, blue, opacity], step by step. */
async function palettes(root) {
  const found = {};
  for (const bar of root.querySelectorAll("[data-bar]")) {
    await bar.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: bar.naturalWidth, height: 1 });
    const brush = canvas.getContext("2d");
    brush.drawImage(bar, 0, 0);
    const { data } = brush.getImageData(0, 0, canvas.width, 1);
    found[bar.dataset.bar] = Array.from({ length: canvas.width }, (_, n) => data.slice(4 * n, 4 * n + 4));
  }
  return found;
}

function step(colours, number, low, high) {
  if (!Number.isFinite(number)) return [0, 0, 0, 0];
  const share = high > low ? (number / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
  return colours[Math.round(share * (colours.length - 1))];
}

/** A pixel a cell, as a data address. */
function picture(rows, colour) {
  const canvas = Object.assign(document.createElement("canvas"), { width: rows[0].length, height: rows.length });
  const brush = canvas.getContext("2d");
  const image = brush.createImageData(canvas.width, canvas.height);
  rows.flat().forEach((n, pixel) => image.data.set(colour(n), 4 * pixel));
  brush.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/** Around the regions of a mask, as app/web/heatmap.py draws it. */
function outline(mask) {
  const inside = (x, y) => mask[y]?.[x] ?? false;
  const rows = mask.length, columns = mask[0].length;
  let path = "";
  for (let y = 0; y <= rows; y++) {
    for (let x = 0; x < columns; x++) if (inside(x, y - 1) !== inside(x, y)) path += `M${x} ${y}h1`;
  }
  for (let x = 0; x <= columns; x++) {
    for (let y = 0; y < rows; y++) if (inside(x - 1, y) !== inside(x, y)) path += `M${x} ${y}v1`;
  }
  return path;
}

/** Through the cells that are no finite number: NaN a cross, infinities a stroke up or down. */
function strange(rows, numbers) {
  let path = "";
  rows.forEach((row, y) => row.forEach((n, x) => {
    if (Number.isFinite(numbers[n])) return;
    if (!(numbers[n] > 0)) path += `M${x} ${y}l1 1`;
    if (!(numbers[n] < 0)) path += `M${x} ${y + 1}l1 -1`;
  }));
  return path;
}

/** What colours go by; of a complex number the magnitude. */
function toNumber(text) {
  if (text === "True" || text === "False") return Number(text === "True");
  if (text.endsWith("j)") || text.endsWith("j")) {
    const parts = text.match(/[+-]?(?:nan|inf|[\d.]+(?:e[+-]?\d+)?)(?=[+\-j])/g) ?? [];
    return Math.hypot(...parts.map(toNumber));
  }
  if (/^[+-]?inf$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return text === "nan" || text === "+nan" || text === "-nan" ? NaN : Number(text);
}

function ends(maps) {
  const finite = maps.flatMap(({ numbers }) => numbers).filter(Number.isFinite);
  return finite.length ? finite.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [Infinity, -Infinity]) : [0, 0];
}

function heading(text, scope) {
  return Object.assign(document.createElement("th"), { textContent: text, scope });
}

function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
