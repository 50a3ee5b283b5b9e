"""`python -P -m benchmarks.wrong`: what explaining a wrong answer costs, beside a right one, in one process.

Each submission is judged `--times` times with a pause between, as by one student on an idle machine: the time from the
source to the last event. A right answer pays for no explanation; a wrong one is called again, and changed.
"""

import argparse
import statistics
import time

from app.settings import ROOT
from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.fresh import Stock
from graders.exercise.reader import read_exercise
from graders.exercise.variations import variations_of
from graders.grade import Finished, grade

PAUSE_SECONDS = 0.15
WARM_UP = 3  # verdicts that are not counted
# exercise, framework, and a change to its solution that no author listed
SUBMISSIONS = (
    ("softmax-rows", "numpy", "sum(axis=1)", "max(axis=1)"),
    ("softmax-rows", "torch", "return ", "return 1 - "),
    ("flax-learned-pos", "jax", "[:T]", "[-T:]"),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wrong", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--times", type=int, default=25)
    times: int = parser.parse_args().times
    with Judge() as judge:
        stock = Stock()
        for slug, framework, old, new in SUBMISSIONS:
            folder = ROOT / "exercises" / slug
            exercise = read_exercise(folder)
            variations_of(judge, exercise)
            right = (folder / "solutions" / f"{framework}.py").read_text()
            report(judge, stock, exercise, framework, "right", right, times)
            report(judge, stock, exercise, framework, "wrong", right.replace(old, new), times)


def report(judge: Judge, stock: Stock, exercise: Exercise, framework: str, what: str, source: str, times: int) -> None:
    taken, sentence = [], ""
    for _ in range(times + WARM_UP):
        time.sleep(PAUSE_SECONDS)
        begun = time.perf_counter()
        *_, last = grade(exercise, source.encode(), framework, judge, stock=stock)
        taken.append((time.perf_counter() - begun) * 1000)
        assert isinstance(last, Finished)
        sentence = f"{last.result.verdict}: {last.result.diagnosis or ''}"
    counted = sorted(taken[WARM_UP:])
    place = f"{exercise.slug}, {framework}, {what}"
    print(f"{place:36} p50 {statistics.median(counted):6.1f} ms   least {counted[0]:6.1f} ms   {sentence[:110]}")


if __name__ == "__main__":
    main()
