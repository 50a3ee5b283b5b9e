"""Fresh cases: a hidden input that is known is worth nothing."""

import hashlib
import threading
import zlib
from base64 import b85encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.exercise import runs
from graders.exercise.built import cases_of, mistakes_of
from graders.exercise.cases import Case
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.fresh import FRESH, KEPT, FreshSet, Stock, draw, new_seed
from graders.exercise.own_input import read_inputs
from graders.exercise.reader import read_exercise
from graders.exercise.runs import hidden_draws
from graders.grade import Began, CaseFinished, Finished, grade
from graders.verdict import Verdict
from tests.graders.conftest import DOUBLED_FILES, EXERCISES, make_exercise, unhurried

SLUGS = sorted(path.parent.name for path in EXERCISES.glob("*/exercise.toml"))
FRIENDS = 20


@pytest.fixture(scope="module")
def stock() -> Stock:
    return Stock()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call is quick enough to be asked for together with others, whatever else this machine has to do."""
    monkeypatch.setattr(runs, "AT_ONCE_MS", 600_000.0)


def last_of(judge: Judge, exercise: Exercise, source: str, **how: Any) -> Finished:
    *_, last = grade(exercise, source.encode(), None, judge, **how)
    assert isinstance(last, Finished)
    return last


def table_of(exercise: Exercise, cases: Iterable[Case]) -> str:
    """A submission that computes nothing: it looks up what was answered to its arguments, and for others takes the last
    answer that it knows.
    """
    rows = {}
    for case in cases:
        answer = np.asarray(case.expected)
        packed = b85encode(zlib.compress(answer.astype(np.float32).tobytes())).decode()
        rows[_key(exercise.signature.arguments(case.inputs))] = [packed, answer.shape, answer.dtype.name]
    wrap = "__import__('jax').numpy.asarray(out)" if exercise.frameworks[0] == "jax" else "out"
    return f"""# framework: {exercise.frameworks[0]}
import hashlib, zlib, base64
import numpy as np
ROWS = {rows!r}

def {exercise.entry}(*arguments):
    arrays = [np.asarray(one) for one in arguments]
    key = hashlib.md5(b"".join(one.astype(np.float64).tobytes() for one in arrays)).hexdigest()
    packed, shape, dtype = ROWS.get(key) or list(ROWS.values())[-1]
    out = np.frombuffer(zlib.decompress(base64.b85decode(packed)), np.float32).reshape(shape).astype(dtype)
    return {wrap}
"""


def _key(arguments: Sequence[Any]) -> str:
    return hashlib.md5(
        b"".join(np.asarray(argument).astype(np.float64).tobytes() for argument in arguments)
    ).hexdigest()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_table_of_all_that_ever_leaked_is_rejected(judge: Judge, stock: Stock, slug: str) -> None:
    """The attacker is handed every input and answer that their own last submission and those of twenty friends met."""
    exercise = read_exercise(EXERCISES / slug)
    fixed = cases_of(judge, exercise)
    met = last_of(judge, exercise, exercise.reference.text, stock=stock)
    assert met.result.verdict == Verdict.accepted, met.result.summary
    assert met.seed is not None
    friends = [stock.take(judge, exercise) for _ in range(FRIENDS)]
    assert len({met.seed, *(friend.seed for friend in friends)}) == FRIENDS + 1, "a set was met twice"
    leaked = [*fixed, *(case for fresh in (*draw(judge, exercise, [met.seed]), *friends) for case in fresh.cases)]
    assert len(leaked) == len(fixed) + FRESH * (FRIENDS + 1)
    table = table_of(exercise, [case for case in leaked if case.script is None])
    called = [n for n, case in enumerate(fixed) if case.script is None]  # a script asks for more than answers

    again = last_of(judge, exercise, table, seed=met.seed)
    (repeated,) = draw(judge, exercise, [met.seed])
    right = [*called, *(len(fixed) + n for n, case in enumerate(repeated.cases) if case.script is None)]
    assert all(again.result.cases[n].verdict == Verdict.accepted for n in right), "it must pass what it was made from"
    assert (again.result.verdict == Verdict.accepted) == (len(called) == len(fixed))
    last = last_of(judge, exercise, table, stock=stock)
    assert last.result.verdict in (Verdict.wrong_answer, Verdict.runtime_error)
    assert all(last.result.cases[n].verdict == Verdict.accepted for n in called)
    assert not any(result.verdict == Verdict.accepted for result in last.result.cases[len(fixed) :])


def test_every_submission_meets_fresh_cases_and_no_run_does(judge: Judge, doubled: Exercise) -> None:
    began = next(event for event in grade(doubled, doubled.reference.text.encode(), None, judge))
    assert isinstance(began, Began)
    fixed = cases_of(judge, doubled)
    assert [case.name for case in began.cases] == ["three", "hidden 1", "hidden 2", "hidden 3", "hidden 4"]
    assert len(began.cases) == len(fixed) + FRESH
    for kind in ("run", "trace"):
        finished = last_of(judge, doubled, doubled.reference.text, kind=kind)
        assert finished.seed is None
        assert all(case.sample for case in finished.result.cases)


def test_a_seed_draws_the_same_set_alone_or_among_others(judge: Judge, doubled: Exercise) -> None:
    seed = new_seed()
    (alone,) = draw(judge, doubled, [seed])
    among = draw(judge, doubled, [1, seed, 2])[1]
    assert alone.seed == among.seed == seed
    for case, other in zip(alone.cases, among.cases, strict=True):
        assert case.name == other.name
        assert np.array_equal(case.inputs["x"], other.inputs["x"])
        assert np.array_equal(case.expected, other.expected)
    assert not np.array_equal(alone.cases[0].inputs["x"], alone.cases[1].inputs["x"])


LARGE_AMONG_SMALL = """
def sample_cases(rng):
    yield "one", {"x": [0.5]}

def hidden_cases(rng):
    yield "drawn", {"x": [0.5] * (9_000 if rng.integers(2) else 1)}
"""
IS_LARGE = {seed: bool(np.random.default_rng(seed).integers(2)) for seed in range(40)}
SMALL_FIRST = sorted(IS_LARGE, key=IS_LARGE.__getitem__)  # after many small ones many are asked for at once


@pytest.mark.usefixtures("quick")
def test_draws_that_are_too_large_for_one_answer_are_asked_for_one_by_one(judge: Judge) -> None:
    draws = hidden_draws(judge, make_exercise(cases_py=LARGE_AMONG_SMALL), [(seed, None) for seed in SMALL_FIRST])
    assert [len(drawn.inputs["x"]) for (drawn,) in draws] == [9_000 if IS_LARGE[seed] else 1 for seed in SMALL_FIRST]


LISTS = (
    DOUBLED_FILES["exercise.toml"].replace('"float32[N]"', '"list[float]"').replace("output_kb = 64", "output_kb = 512")
)
RAISES = DOUBLED_FILES["exercise.toml"].replace("[signature]", 'raises = ["ValueError"]\n[signature]')
SEEDED = DOUBLED_FILES["exercise.toml"].replace("[signature]", "seed = true\n[signature]")
REFUSES_SOME = "def doubled(x):\n    if x[0] > 1:\n        raise ValueError('too large')\n    return 2 * x\n"
RANDOM = "import numpy as np\n\ndef doubled(x):\n    return 2 * x + np.float32(np.random.random())\n"


SCRIPTS = """
import numpy as np

def sample_cases(rng):
    yield "three", {"x": np.array([1, 2, 3], np.float32)}

def hidden_cases(rng):
    x = rng.standard_normal(4).astype(np.float32)
    for part in range(4):
        yield f"twice, {part}", script("doubled(x)\\ndoubled(doubled(x))", x=x[:part]) if part % 2 else {"x": x[:part]}
"""


@pytest.mark.usefixtures("quick")
def test_scripts_among_the_calls_are_asked_alone(judge: Judge) -> None:
    """An exercise of one function may have both (docs/authoring.md)."""
    exercise = make_exercise(cases_py=SCRIPTS)
    assert not exercise.is_scripted
    for fresh in draw(judge, exercise, range(20)):
        for case in fresh.cases:
            expected = case.expected if case.script is None else case.expected[0][-1]
            assert np.array_equal(expected, 2 * case.inputs["x"]), case.name


@pytest.mark.usefixtures("quick")
def test_inputs_that_are_too_large_for_one_question_are_asked_for_one_by_one(judge: Judge) -> None:
    cases = LARGE_AMONG_SMALL.replace("[0.5] *", "[float(rng.random())] *")
    exercise = make_exercise(exercise_toml=LISTS, cases_py=cases, reference_py="def doubled(x):\n    return x[:1]\n")
    drawn = [fresh.cases[0] for fresh in draw(judge, exercise, range(40))]
    assert {len(case.inputs["x"]) for case in drawn} == {1, 9_000}
    assert all(case.expected == case.inputs["x"][:1] for case in drawn)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "files",
    [{}, {"exercise_toml": RAISES, "reference_py": REFUSES_SOME}, {"exercise_toml": SEEDED, "reference_py": RANDOM}],
    ids=["plain", "an exception is the answer to some", "random numbers, seeded"],
)
def test_answers_that_are_asked_for_together_are_those_of_each(judge: Judge, files: dict[str, str]) -> None:
    exercise = make_exercise(**files)
    together = draw(judge, exercise, range(20))
    for seed, fresh in enumerate(together):
        (alone,) = draw(judge, exercise, [seed])
        for case, other in zip(fresh.cases, alone.cases, strict=True):
            assert case.error == other.error
            assert np.array_equal(case.expected, other.expected) or case.error is not None
    errors = {case.error is not None for fresh in together for case in fresh.cases}
    assert errors == ({True, False} if "raises" in files.get("exercise_toml", "") else {False})


@pytest.mark.usefixtures("quick")
def test_quick_answers_are_asked_for_many_at_a_time(
    judge: Judge, doubled: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    ask = Box.ask

    def counted(box: Box, request: Mapping[str, Any], *arguments: Any, **options: Any) -> Any:
        asked.append(request["op"])
        return ask(box, request, *arguments, **options)

    cases_of(judge, doubled)
    monkeypatch.setattr(Box, "ask", counted)
    draw(judge, doubled, range(64))
    assert asked.count("calls") == 8, "the first of 128 cases is asked alone, the last 15 together"
    assert len(asked) < 32


def test_a_verdict_is_made_again_from_its_seed(judge: Judge, doubled: Exercise) -> None:
    source = "seen = []\ndef doubled(x):\n    return 2 * x if x[0] > 0 else x\n"
    first = last_of(judge, doubled, source)
    for _ in range(2):
        again = last_of(judge, doubled, source, seed=first.seed)
        assert again.seed == first.seed
        assert [result.verdict for result in again.result.cases] == [result.verdict for result in first.result.cases]


def test_only_cases_that_are_drawn_from_rng_are_fresh(judge: Judge) -> None:
    exercise = make_exercise(
        cases_py="""
import numpy as np

def sample_cases(rng):
    yield "one", {"x": rng.standard_normal(3).astype(np.float32)}

def hidden_cases(rng):
    yield "fixed", {"x": np.ones(2, np.float32)}
    yield "drawn", {"x": rng.standard_normal(5).astype(np.float32)}
    yield "fixed as well", {"x": np.zeros(2, np.float32)}
    yield "hardly drawn", {"x": rng.integers(0, 2, 1).astype(np.float32)}
"""
    )
    names = {case.name for fresh in draw(judge, exercise, range(20)) for case in fresh.cases}
    assert names == {"drawn"}


def test_an_exercise_that_draws_nothing_is_judged_by_its_fixed_cases(judge: Judge) -> None:
    exercise = make_exercise(
        cases_py="""
import numpy as np

def sample_cases(rng):
    yield "one", {"x": np.ones(3, np.float32)}

def hidden_cases(rng):
    yield "fixed", {"x": np.ones(2, np.float32)}
"""
    )
    last = last_of(judge, exercise, exercise.reference.text)
    assert (last.result.verdict, last.seed, len(last.result.cases)) == (Verdict.accepted, None, 2)


FAILS_NOW_AND_THEN = """
import numpy as np

def sample_cases(rng):
    yield "one", {"x": np.ones(3, np.float32)}

def hidden_cases(rng):
    yield "drawn", {"x": rng.standard_normal(2).astype(np.float32)}
"""


def test_a_draw_that_the_reference_fails_on_is_never_charged_to_a_student(judge: Judge) -> None:
    right = "def doubled(x):\n    return 2 * x\n"
    exercise = make_exercise(
        cases_py=FAILS_NOW_AND_THEN,
        reference_py="def doubled(x):\n    if x[0] > 1.5:\n        raise ValueError\n    return 2 * x\n",
    )
    stock = Stock()
    for _ in range(12):
        assert last_of(judge, exercise, right, stock=stock).result.verdict == Verdict.accepted


def test_an_exercise_that_fails_on_every_draw_is_our_failure(judge: Judge) -> None:
    (fixed,) = (case for case in cases_of(judge, make_exercise(cases_py=FAILS_NOW_AND_THEN)) if not case.sample)
    known = float(fixed.inputs["x"][0])
    exercise = make_exercise(
        cases_py=FAILS_NOW_AND_THEN,
        reference_py=f"def doubled(x):\n    assert x[0] == 1 or abs(x[0] - {known}) < 1e-6\n    return 2 * x\n",
    )
    last = last_of(judge, exercise, "def doubled(x):\n    return 2 * x\n", stock=Stock())
    assert last.result.verdict == Verdict.internal_error
    assert last.reason
    assert "reference.py" in last.reason


def test_sets_are_made_ahead_and_each_is_handed_out_once(judge: Judge, doubled: Exercise) -> None:
    stock = Stock(batch=4)
    assert stock.wants(doubled)
    assert not stock.is_low(doubled), "nobody has submitted to it"
    sets: list[FreshSet] = []
    lock = threading.Lock()

    def take() -> None:
        fresh = stock.take(judge, doubled)
        with lock:
            sets.append(fresh)

    threads = [threading.Thread(target=take) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({fresh.seed for fresh in sets}) == 10
    while stock.wants(doubled):
        stock.fill(judge, doubled)
    assert KEPT <= stock.counts()["waiting"] < KEPT + 4


def test_a_burst_of_fifty_finds_all_made(judge: Judge, doubled: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    stock = Stock()
    stock.take(judge, doubled)
    while stock.wants(doubled):
        stock.fill(judge, doubled)
    monkeypatch.setattr("graders.exercise.fresh.draw", None)  # to make one now would fail
    assert len({stock.take(judge, doubled).seed for _ in range(50)}) == 50


def test_a_known_mistake_is_recognised_on_the_fixed_cases(judge: Judge) -> None:
    exercise = make_exercise(
        mistakes__kept_py='"""You return what you were given."""\ndef doubled(x):\n    return x\n',
    )
    last = last_of(judge, exercise, "def doubled(x):\n    return +x\n")
    assert (last.result.verdict, last.result.mistake) == (Verdict.wrong_answer, "kept")


def hidden_of(judge: Judge, exercise: Exercise, source: str) -> Sequence[dict[str, Any]]:
    return [result.public() for result in last_of(judge, exercise, source).result.cases if not result.sample]


def test_of_the_hidden_cases_only_the_first_that_fails_speaks(judge: Judge, doubled: Exercise) -> None:
    """attack: a line, a type or a time for each hidden case: 32 bits a case."""
    raising = "def doubled(x):\n    if len(x) != 3:\n        raise KeyError(x[0])\n    return 2 * x\n"
    first, *others = hidden_of(judge, doubled, raising)
    assert first["error"] == {"type": "KeyError", "message": None, "line": None}
    assert [result["verdict"] for result in (first, *others)] == ["runtime_error"] * 4
    assert [result["error"] for result in others] == [None] * 3
    wrong = "def doubled(x):\n    return 2 * x if len(x) == 3 else x[:1]\n"
    first, *others = hidden_of(judge, doubled, wrong)
    assert first["mismatch"]["step"] == "shape"
    assert not any(result["mismatch"] or result["diagnosis"] for result in others)


def test_no_hidden_case_tells_a_time_and_all_together_two_figures(judge: Judge, doubled: Exercise) -> None:
    slow = "import time\ndef doubled(x):\n    time.sleep(0.012345)\n    return 2 * x\n"
    last = last_of(judge, doubled, slow)
    assert [result.wall_ms is None for result in last.result.cases] == [False, True, True, True, True]
    assert last.usage is not None
    assert last.usage.wall_ms == float(f"{last.usage.wall_ms:.1e}")
    events = list(grade(doubled, slow.encode(), None, judge))
    assert all(
        event.result.wall_ms is None for event in events if isinstance(event, CaseFinished) and not event.result.sample
    )


def test_an_input_that_leaked_can_be_run_and_helps_nobody(judge: Judge, doubled: Exercise) -> None:
    """The reference's answer to any input is had by a run: what must not be had is the input, in time."""
    seed = last_of(judge, doubled, doubled.reference.text).seed
    assert seed is not None
    (fresh,) = draw(judge, doubled, [seed])
    inputs = {"x": np.asarray(fresh.cases[0].inputs["x"], np.float64).tolist()}
    assert np.array_equal(read_inputs(doubled, inputs)["x"], fresh.cases[0].inputs["x"])
    assert last_of(judge, doubled, doubled.reference.text, kind="run", inputs=inputs).result.verdict == "accepted"


def test_cases_without_an_end_are_broken_in_the_time_that_building_has() -> None:
    slow = "def doubled(x):\n    import time\n    time.sleep(1.5)\n    return 2 * x\n"
    endless = unhurried(make_exercise("slow-to-build", reference_py=slow))
    with (
        Judge(parked={"numpy": 1}, frameworks=["numpy"], build_seconds=2) as judge,
        pytest.raises(BrokenExercise, match="for all cases together"),
    ):
        cases_of(judge, endless)


def test_mistakes_that_are_too_slow_together_blame_none_of_them() -> None:
    slow = '"""Double it."""\nimport time\n\n\ndef doubled(x):\n    time.sleep(1.2)\n    return x\n'
    files = {f"mistakes__{name}_py": slow for name in ("first", "second")}
    exercise = unhurried(make_exercise("slow-mistakes", **files))
    with (
        Judge(parked={"numpy": 1}, frameworks=["numpy"], build_seconds=2) as judge,
        pytest.raises(BrokenExercise, match="takes more than 2 s for all known mistakes together") as raised,
    ):
        mistakes_of(judge, exercise)
    assert raised.value.path == "mistakes"


def test_a_machine_that_stood_still_makes_no_exercise_broken() -> None:
    class Slept(Judge):
        """The first time that somebody asks once more, the machine has slept for an hour."""

        asked = 0

        def clock(self) -> float:
            self.asked += 1
            return super().clock() + (3600 if self.asked > 1 else 0)

    judge = Slept(parked={"numpy": 1}, frameworks=["numpy"])
    with judge:
        assert cases_of(judge, make_exercise("beside-a-sleeper"))
        assert judge.asked > 2


def test_an_exercise_that_is_broken_leaves_no_box_in_use(judge: Judge) -> None:
    broken = make_exercise("broken-here", reference_py="def doubled(x):\n    raise ValueError('ours')\n")
    errors = []
    for _ in range(2):  # built, and remembered
        with pytest.raises(BrokenExercise) as raised:
            cases_of(judge, broken)
        errors.append(raised)
    assert judge.is_idle(), "an error that somebody holds must hold no box"
