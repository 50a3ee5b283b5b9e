"""The content we ship: without a fault, and true. Its code is run, and prints what the lessons say it prints; every
variant of every question can be answered; and for each exercise another computation than the reference's agrees with
it. (`./lectern check` proves the rest: `tests/commands/test_shipped_check.py`.)"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from app.content.course import find_course_faults, in_reading_order, read_course
from app.content.exercise import page
from app.content.exercise_faults import find_exercise_faults
from app.content.lesson import Lesson
from app.content.questions.asking import judge_answer, present
from app.content.questions.question import Question
from app.content.questions.table import KINDS
from app.content.quiz import quiz_of
from app.reading.embedded import exercises_in
from graders.exercise.reader import read_exercise
from tests.waiting import LIMIT_SECONDS

ROOT = Path(__file__).resolve().parents[2]
COURSES = {path.parent.name: read_course(path.parent) for path in sorted((ROOT / "lessons").glob("*/course.toml"))}
POSITIONS, TENSORS = COURSES["positions"], COURSES["tensors"]
EXERCISES = sorted(path.parent for path in (ROOT / "exercises").glob("*/exercise.toml"))
LESSONS = [lesson for course in (POSITIONS, TENSORS) for lesson in course.lessons if lesson.kind != "quiz"]


@cache
def questions() -> list[Question]:
    """Of all courses; not made when this file is imported, since rendering starts a thread."""
    return [question for course in COURSES.values() for question in course.questions]


def name_of(lesson: Lesson) -> str:
    return lesson.url.removeprefix("/courses/")


def assert_none(faults: Iterable[str]) -> None:
    """Raise AssertionError with all of these faults."""
    listed = "\n".join(faults)
    assert not listed, listed


def test_no_course_has_a_fault() -> None:
    exercises = [path.name for path in EXERCISES]
    assert_none(str(fault) for course in COURSES.values() for fault in find_course_faults(course, exercises, COURSES))


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
    typed = [one for one in questions() if one.type in ("shape", "count", "number", "text", "predict")]
    assert [one.id for one in typed if not one.mistakes] == [], "the usual wrong answers are told why"


def test_a_lesson_asks_where_it_teaches() -> None:
    def wrong(lesson: Lesson) -> Iterator[str]:
        starts = re.finditer(r"^:{4,}\{question\}", lesson.body, re.MULTILINE)
        places = [start.start() / len(lesson.body) for start in starts]
        if len(lesson.questions) < 4:
            yield f"has {len(lesson.questions)} questions"
        if len(places) != len(lesson.questions):
            yield f"has {len(places)} questions in its text, and {len(lesson.questions)} that are asked"
        if min(places, default=1) >= 1 / 3:
            yield "asks its first question late"
        if sum(place > 3 / 4 for place in places) > len(places) / 2:
            yield "piles its questions up at the end"
        for question in lesson.questions.values():
            if not question.explanation:
                yield f"explains nothing at {question.id}"

    assert_none(f"{name_of(lesson)} {what}" for lesson in LESSONS for what in wrong(lesson))


def test_a_lesson_has_all_its_parts() -> None:
    parts = {
        "what people get wrong": r"^## What people get wrong$",
        "a lab, a figure or code": r"^:{3,}\{(lab|figure|cell)\}|^```\{(lab|cell)\}|^```python",
        "sources as footnotes": r"^\[\^[\w-]+\]:",
    }

    def lacking(lesson: Lesson) -> Iterator[str]:
        if not 8 <= lesson.minutes <= 20:
            yield f"a usual length: {lesson.minutes} minutes"
        yield from (part for part, text in parts.items() if not re.search(text, lesson.body, re.MULTILINE))
        if not lesson.render().exercises:
            yield "the exercises that belong to it"

    assert_none(f"{name_of(lesson)} lacks {part}" for lesson in LESSONS for part in lacking(lesson))


def test_every_exercise_belongs_to_a_lesson() -> None:
    embedded = {slug for course in COURSES.values() for slug in exercises_in(course)}
    assert [path.name for path in EXERCISES if path.name not in embedded] == []


def test_an_exercise_has_all_its_parts() -> None:
    every = {path.name for path in EXERCISES}

    def wrong(path: Path) -> Iterator[str]:
        exercise = read_exercise(path)
        yield from map(str, find_exercise_faults(exercise, str(path)))
        shown = page(exercise)
        if not shown.statement_html:
            yield "shows no statement"
        if len(shown.hints_html) < 3:
            yield f"has {len(shown.hints_html)} hints"
        if len(exercise.mistakes) < 6:
            yield f"knows {len(exercise.mistakes)} mistakes"
        yield from (f"is related to {slug}, which is not there" for slug in exercise.related if slug not in every)

    assert_none(f"{path.name} {what}" for path in EXERCISES for what in wrong(path))


def test_another_computation_agrees_with_each_reference() -> None:
    """torch's or Flax's own, or the paper's formula in float64 (`tests/content/independent`)."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.content.compared import main; main()"
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program, *map(str, EXERCISES)],
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        env={"JAX_PLATFORMS": "cpu", "PATH": "/usr/bin:/bin"},
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    agreeing = json.loads(ran.stdout)  # by exercise: how many samples and hidden cases agree; or what does not

    def is_enough(cases: list[int] | str) -> bool:
        return isinstance(cases, list) and cases[0] >= 3 and cases[1] >= 8

    names = [path.name for path in EXERCISES]
    assert_none(f"{name}: {agreeing.get(name)}" for name in names if not is_enough(agreeing.get(name, "")))


def test_every_variant_of_every_question_is_shown_and_can_be_answered() -> None:
    def wrong(question: Question, variant: int) -> Iterator[str]:
        shown = present(question, variant)
        if "{{" in shown.prompt_html:
            yield "shows no value"
        if question.type == "choice":
            judged = [judge_answer(question, variant, option.key) for option in shown.options]
            if sum(each.correct for each in judged) != 1:
                yield "has not one right option"
            if not all(each.feedback_html and each.explanation_html for each in judged):
                yield "does not explain an option"

    assert_none(
        f"{question.id}, variant {variant}, {what}"
        for question in questions()
        for variant in range(question.variants)
        for what in wrong(question, variant)
    )


@pytest.mark.parametrize("lesson", LESSONS, ids=name_of)
def test_the_code_in_a_lesson_prints_what_the_lesson_shows(lesson: Lesson) -> None:
    body = re.sub(r"^(:{4,})\{question\}.*?^\1$", "", lesson.body, flags=re.MULTILINE | re.DOTALL)
    fences = re.findall(r"^```(python|output)\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    program = "".join(text for kind, text in fences if kind == "python")
    shown = "".join(text for kind, text in fences if kind == "output")
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        env={"JAX_PLATFORMS": "cpu"},
    )
    assert ran.stdout == shown, ran.stderr


def test_arrays_are_compared_as_arrays() -> None:
    """What `compared` takes for equal, and what not."""
    from tests.content.compared import agree

    assert agree(np.array([1, 2], np.float32), np.array([1.0, 2.0 + 1e-7]), 1e-5, 1e-5)
    assert not agree(np.array([1, 2], np.float32), np.array([1.0, 2.1]), 1e-5, 1e-5)
    assert not agree(np.array([[1, 2]], np.float32), np.array([1.0, 2.0]), 1e-5, 1e-5)
    assert agree(np.array([np.nan, -np.inf], np.float32), np.array([np.nan, -np.inf]), 1e-5, 1e-5)
