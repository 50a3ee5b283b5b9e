// A table of positions as training shapes it: frames under a slider, first those that came with the page, then those of
// a training that the reader asks for, which a box on the server runs.
import { digits, dot, heat, lab, plot, ticks } from "./draw.js";

const FRAME_MS = 280;
const REACH = 2;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

lab("train-a-table", ({ figure, options, read, say, set }) => {
  const play = figure.querySelector("[data-play]");
  const slider = figure.querySelector("input[name=step]");
  let frames = prepared(JSON.parse(figure.querySelector("[data-frames]").dataset.frames));
  let timer = null;

  function draw() {
    const { step, loss, cosines } = frames.find((frame) => frame.step === options.step);
    heat(plot(figure, "now"), cosines, 1);
    figure.querySelector("[data-step]").textContent = step;
    for (const end of ["x1", "x2"]) figure.querySelector(".curve .now").setAttribute(end, 100 * step / frames.at(-1).step);
    const lines = [
      `step ${step}: loss ${digits(loss, 3)}`,
      `mean cosine by distance, ${[1, 2, 4, 8].map((apart) => `${apart}: ${digits(mean(cosines, apart), 2)}`).join(", ")}`,
    ];
    plot(figure, "now").setAttribute("aria-label", `Heat map of the cosine of every two positions, after ${step} steps.`);
    read(lines);
    say(lines.join(". "));
  }

  function go(step) {
    set("step", step);
    draw();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }

  function start() {
    const last = frames.at(-1).step;
    if (options.step === last) go(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      go(frames[frames.findIndex((frame) => frame.step === options.step) + 1].step);
      if (options.step === last) pause();
    }, FRAME_MS);
  }

  play.addEventListener("click", () => (timer ? pause() : start()));
  training(figure, (answer) => {
    pause();
    frames = prepared(answer.frames);
    slider.max = frames.at(-1).step;
    begin(figure, frames, answer.parameters);
    go(calm.matches ? frames.at(-1).step : 0);
    if (!calm.matches) start();
  });

  return (name) => {
    if (name !== "step") return;
    pause();
    draw();
  };
});

/** What stays the same at every step of one training. */
function begin(figure, frames, { seed, max_len, d_model, rate }) {
  const [top, last] = [frames[0].loss, frames.at(-1)];
  heat(plot(figure, "first"), frames[0].cosines, 1);
  const across = (step) => (100 * step / last.step).toFixed(2);
  const down = (loss) => Math.max(0, 100 * (1 - loss / top)).toFixed(2);
  figure.querySelector(".curve polyline").setAttribute("points", frames.map(({ step, loss }) => `${across(step)},${down(loss)}`).join(" "));
  for (const end of ["y1", "y2"]) figure.querySelector(".curve .floor").setAttribute(end, down(floor(max_len)));
  ticks(plot(figure, "loss"), [[0, 0], [100, last.step]], [[0, digits(top, 2)], [100, 0]]);
  plot(figure, "loss").setAttribute("aria-label", `The loss by step: from ${digits(top, 2)} to ${digits(last.loss, 2)} after ${last.step} steps.`);
  figure.querySelector("[data-shown]").textContent = `seed ${seed}, ${max_len} rows of ${d_model} numbers, learning rate ${rate}`;
}

/** The reader's own training: `made(answer)` has what the server gave. What is shown stays when it gives nothing. */
function training(figure, made) {
  const bench = figure.querySelector("[data-runs]");
  const [button, said] = [bench.querySelector("[data-train]"), bench.querySelector(".said")];
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    said.textContent = "Training in a sandbox…";
    const answer = await ask(bench);
    button.removeAttribute("aria-disabled");
    said.textContent = answer.error ? [answer.error.message, answer.error.hint].filter(Boolean).join(" ") : "Trained.";
    if (!answer.error) made(answer);
  });
}

async function ask(bench) {
  const values = [...bench.querySelectorAll("input")].map((input) => [input.name, input.dataset.values?.split(" ")[input.value] ?? input.value]);
  try {
    const response = await fetch(bench.dataset.runs, { method: "POST", body: new URLSearchParams(values) });
    return await response.json();
  } catch {
    return { error: { message: "The server cannot be reached.", hint: "The plots are unchanged. Try again." } };
  }
}

function prepared(frames) {
  return frames.map(([step, loss, table]) => {
    const rows = table.map((row) => row.map((value) => value / (Math.sqrt(dot(row, row)) || 1)));
    return { step, loss, cosines: rows.map((a) => rows.map((b) => dot(a, b))) };
  });
}

function mean(matrix, apart) {
  return matrix.slice(apart).reduce((sum, row, index) => sum + row[index], 0) / (matrix.length - apart);
}

/** The loss of a model that knows the task: train_a_table.py tells why it is not zero. */
function floor(count) {
  const near = Array.from({ length: count }, (_, at) => Math.min(at, REACH) + Math.min(count - 1 - at, REACH));
  return near.reduce((sum, those) => sum + Math.log(those), 0) / count;
}
