"""The content we ship: without a fault, and true. Its code is run, and prints what the lessons say it prints; every
variant of every question can be answered; and for each exercise another computation than the reference's agrees with
it. (`./lectern check` proves the rest: `tests/commands/test_shipped_check.py`.)"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from app.content.course import find_course_faults, in_reading_order, read_course
from app.content.exercise import page
from app.content.exercise_faults import find_exercise_faults
from app.content.lesson import Lesson
from app.content.questions.asking import judge_answer, present
from app.content.questions.table import KINDS
from app.content.quiz import quiz_of
from app.reading.embedded import exercises_in
from graders.exercise.reader import read_exercise

ROOT = Path(__file__).resolve().parents[2]
COURSES = {path.parent.name: read_course(path.parent) for path in sorted((ROOT / "lessons").glob("*/course.toml"))}
POSITIONS, TENSORS = COURSES["positions"], COURSES["tensors"]
EXERCISES = sorted(path.parent for path in (ROOT / "exercises").glob("*/exercise.toml"))
QUESTIONS = [question for course in COURSES.values() for question in course.questions]
LESSONS = [lesson for course in (POSITIONS, TENSORS) for lesson in course.lessons if lesson.kind != "quiz"]


def name_of(lesson: Lesson) -> str:
    return lesson.url.removeprefix("/courses/")


@pytest.mark.parametrize("slug", COURSES)
def test_a_course_has_no_faults(slug: str) -> None:
    assert find_course_faults(COURSES[slug], [path.name for path in EXERCISES], COURSES) == []


def test_a_beginner_takes_tensors_first() -> None:
    assert [one.slug for one in in_reading_order(COURSES.values())] == ["tensors", "positions", "rounding-and-overflow"]


def test_the_lessons_stand_in_their_order() -> None:
    assert [lesson.slug for lesson in POSITIONS.lessons] == [
        "why-order-matters",
        "one-hot-and-integer-positions",
        "sinusoidal-encodings",
        "learned-embeddings",
        "adding-or-concatenating",
        "in-flax-and-torch",
        "test-your-understanding",
        "relative-positions",
        "rotary-embeddings",
        "alibi",
        "length-extrapolation",
        "two-dimensions",
        "positions-at-inference",
        "final-quiz",
    ]
    assert [lesson.slug for lesson in TENSORS.lessons] == [
        "shapes", "axes", "broadcasting", "gather-and-scatter", "einsum", "autodiff-by-hand",
    ]  # fmt: skip


def test_the_quizzes_are_practice() -> None:
    understanding, final = POSITIONS.lesson("test-your-understanding"), POSITIONS.lesson("final-quiz")
    assert understanding is not None
    assert final is not None
    for lesson, least in ((understanding, 14), (final, 20)):
        assert (lesson.kind, lesson.is_counted) == ("quiz", False)
        assert len(quiz_of(lesson).questions) >= least
        types = Counter(question.type for question in lesson.questions.values())
        assert types["choice"] <= least / 2, "most of it is worked out or picked by parts"
    assert sum(question.draws > 1 for question in final.questions.values()) >= 10, "in numbers of one's own"


def test_the_courses_ask_in_every_way_and_often_in_numbers_of_ones_own() -> None:
    assert len(POSITIONS.questions) >= 120
    assert len(TENSORS.questions) >= 50
    types = Counter(question.type for question in POSITIONS.questions)
    least = {"shape": 20, "count": 20, "predict": 10, "number": 10, "order": 6, "matching": 4, "cloze": 4}
    assert {kind: types[kind] for kind, count in least.items() if types[kind] < count} == {}
    assert set(types) >= set(KINDS) - {"essay"}, "an essay is for a quiz"
    assert sum(question.draws > 1 for question in POSITIONS.questions) >= 60
    typed = [one for one in QUESTIONS if one.type in ("shape", "count", "number", "text", "predict")]
    assert [one.id for one in typed if not one.mistakes] == [], "the usual wrong answers are told why"


@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_a_lesson_asks_where_it_teaches(lesson: Lesson) -> None:
    assert len(lesson.questions) >= 4
    starts = re.finditer(r"^:{4,}\{question\}", lesson.body, re.MULTILINE)
    places = [start.start() / len(lesson.body) for start in starts]
    assert len(places) == len(lesson.questions)
    assert places[0] < 1 / 3, "the first question comes early"
    assert sum(place > 3 / 4 for place in places) <= len(places) / 2, "they are not piled up at the end"
    assert all(question.explanation for question in lesson.questions.values())


@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_a_lesson_has_all_its_parts(lesson: Lesson) -> None:
    assert 8 <= lesson.minutes <= 20
    assert re.search(r"^## What people get wrong$", lesson.body, re.MULTILINE)
    assert re.search(r"^:{3,}\{(lab|figure|cell)\}|^```\{(lab|cell)\}|^```python", lesson.body, re.MULTILINE)
    assert re.search(r"^\[\^[\w-]+\]:", lesson.body, re.MULTILINE), "sources are footnotes"
    assert lesson.render().exercises, "the exercises that belong to it"


def test_every_exercise_belongs_to_a_lesson() -> None:
    embedded = {slug for course in COURSES.values() for slug in exercises_in(course)}
    assert [path.name for path in EXERCISES if path.name not in embedded] == []


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.name)
def test_an_exercise_has_all_its_parts(path: Path) -> None:
    exercise = read_exercise(path)
    assert find_exercise_faults(exercise, str(path)) == []
    shown = page(exercise)
    assert shown.statement_html
    assert len(shown.hints_html) >= 3
    assert len(exercise.mistakes) >= 6
    assert {path.parent.name for path in EXERCISES[0].parent.glob("*/exercise.toml")} >= set(exercise.related)


@pytest.fixture(scope="module")
def agreements() -> dict[str, list[int] | str]:
    """By exercise: how many cases agree; or what does not."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.content.compared import main; main()"
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program, *map(str, EXERCISES)], capture_output=True, text=True, timeout=900,
        env={"JAX_PLATFORMS": "cpu", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, list[int] | str] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.name)
def test_another_computation_agrees_with_the_reference(path: Path, agreements: dict[str, list[int] | str]) -> None:
    """torch's or Flax's own, or the paper's formula in float64 (`tests/content/independent`)."""
    found = agreements[path.name]
    assert isinstance(found, list), found
    samples, hidden = found
    assert samples >= 3
    assert hidden >= 8


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_every_variant_of_every_question_is_shown_and_can_be_answered(question) -> None:  # type: ignore[no-untyped-def]
    for variant in range(question.variants):
        shown = present(question, variant)
        assert "{{" not in shown.prompt_html
        if question.type != "choice":
            continue
        right = 0
        for option in shown.options:
            judged = judge_answer(question, variant, option.key)
            right += judged.correct
            assert judged.feedback_html
            assert judged.explanation_html
        assert right == 1


@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_the_code_in_a_lesson_prints_what_the_lesson_shows(lesson: Lesson) -> None:
    body = re.sub(r"^(:{4,})\{question\}.*?^\1$", "", lesson.body, flags=re.MULTILINE | re.DOTALL)
    fences = re.findall(r"^```(python|output)\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    program = "".join(text for kind, text in fences if kind == "python")
    shown = "".join(text for kind, text in fences if kind == "output")
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env={"JAX_PLATFORMS": "cpu"}
    )
    assert ran.stdout == shown, ran.stderr


def test_arrays_are_compared_as_arrays() -> None:
    """What `compared` takes for equal, and what not."""
    from tests.content.compared import agree

    assert agree(np.array([1, 2], np.float32), np.array([1.0, 2.0 + 1e-7]), 1e-5, 1e-5)
    assert not agree(np.array([1, 2], np.float32), np.array([1.0, 2.1]), 1e-5, 1e-5)
    assert not agree(np.array([[1, 2]], np.float32), np.array([1.0, 2.0]), 1e-5, 1e-5)
    assert agree(np.array([np.nan, -np.inf], np.float32), np.array([np.nan, -np.inf]), 1e-5, 1e-5)
